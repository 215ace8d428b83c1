"""What the tests of a cluster play: the stand-in, or anything else with these five functions."""

import sys
from pathlib import Path
from typing import Protocol

import tests.arena.cluster.standin_worker as standin


class Tournament(Protocol):
    """A tournament whose shards last until `release`."""

    @property
    def out(self) -> Path:
        """Its folder."""
        ...

    @property
    def command(self) -> tuple[str, ...]:
        """The worker's command, before `--shard`."""
        ...

    def has_begun(self, shard: int) -> bool:
        """Return whether the shard has a finished match."""
        ...

    def is_finished(self, shard: int) -> bool:
        """Return whether all matches of the shard are finished."""
        ...

    def release(self) -> None:
        """Let the shards come to their ends."""
        ...


class StandInTournament:
    """Of `standin_worker`."""

    def __init__(self, out: Path) -> None:
        out.mkdir()
        (out / "tournament.json").write_text("{}")
        self.out = out
        self.command = (sys.executable, str(standin.__file__), str(out))

    def has_begun(self, shard: int) -> bool:
        """Return whether all that can be played before `release` is finished."""
        return self._finished(shard) >= standin.BEFORE_GO

    def is_finished(self, shard: int) -> bool:
        """Return whether all matches of the shard are finished."""
        return self._finished(shard) == standin.MATCHES

    def release(self) -> None:
        """Let the shards come to their ends."""
        (self.out / "go").touch()

    def _finished(self, shard: int) -> int:
        return len(list((self.out / "shards" / str(shard)).glob("match-*")))
