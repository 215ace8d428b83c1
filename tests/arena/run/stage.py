"""A run on a real folder with a real client against the fake server."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.models.recording import RecordedCall
from arena.records.match_summary import MatchSummary
from arena.records.run_config import RunConfig, make_pairs
from arena.run.launch import RunResult, resume_run, script_ref, start_run
from arena.run.match.answer_clock import AnswerClock
from arena.run.observer import BaseObserver
from scripts_mm.script import Clue, Picture, Script
from scripts_mm.script_folder import LoadedScript, load_script, save_script
from tests.fakes.openai_server import FakeServer, fake_server
from tests.table import case


async def no_pause(failed: int, requested: float | None) -> None:
    """Return at once."""


class AlwaysUp:
    """The health of a server that is always up, always the same, and knows no deadline."""

    def __init__(self) -> None:
        self.clock = AnswerClock(self._is_up)

    async def _is_up(self) -> bool:
        return True

    async def wait_until_up(self, cause: str) -> None:
        """Return at once."""

    async def has_changed(self) -> bool:
        """Return that it has not."""
        return False


def picture_bytes(number: int) -> bytes:
    """Return a small PNG that is like no other."""
    out = BytesIO()
    Image.new("RGB", (96, 64), (number * 40 % 256, 120, 200)).save(out, "PNG")
    return out.getvalue()


def save_case(folder: Path, script: Script | None = None) -> LoadedScript:
    """Write the small case with its pictures to `folder` and load it."""
    script = script or case()
    data: dict[str, bytes] = {}

    def drawn(picture: Picture) -> Picture:
        data[picture.file] = picture_bytes(len(data) + 1)
        digest = hashlib.sha256(data[picture.file]).hexdigest()
        return replace(picture, sha256=digest, width=96, height=64)

    def illustrated(clue: Clue) -> Clue:
        return replace(clue, pictures=tuple(drawn(picture) for picture in clue.pictures))

    save_script(
        replace(script, clues=tuple(illustrated(clue) for clue in script.clues)), data, folder
    )
    return load_script(folder)


def config(
    loaded: LoadedScript,
    civilians: str,
    murderer: str,
    *,
    game: str = DEFAULT,
    options: Mapping[str, str] | None = None,
    swap: bool = False,
    **more: Any,
) -> RunConfig:
    """Return the configuration of a short run of one script; `more` are fields of it."""
    return RunConfig(
        pairs=make_pairs(civilians, murderer, swap=swap),
        scripts=(script_ref(loaded),),
        game=game,
        options=read_options(find_game(game), "short", options or {}),
        **more,
    )


def start(
    wanted: RunConfig, loaded: LoadedScript, path: Path, *, concurrency: int = 8
) -> RunResult:
    """Play a run of players that need no server."""
    return asyncio.run(
        start_run(wanted, [loaded], path, concurrency=concurrency, observer=BaseObserver())
    )


def resume(path: Path) -> RunResult:
    """Go on with a run."""
    return asyncio.run(resume_run(path, concurrency=8, observer=BaseObserver()))


def with_server(
    loaded: LoadedScript,
    path: Path,
    make: Callable[[str], RunConfig],
    *,
    server: FakeServer | None = None,
    concurrency: int | None = 8,
) -> tuple[RunResult, FakeServer]:
    """Play a run against a fake server in this process; `make` gets its URL."""

    async def both() -> tuple[RunResult, FakeServer]:
        async with fake_server(server) as serving:
            played = await start_run(
                make(f"{serving.url}/v1"),
                [loaded],
                path,
                concurrency=concurrency,
                observer=BaseObserver(),
            )
            return played, serving

    return asyncio.run(both())


def calls(played: RunResult) -> list[RecordedCall]:
    """Return the model calls of a run's only match, in the order in which they were answered."""
    [match] = played.run.matches()
    return list(match.calls().values())


def only(played: RunResult) -> MatchSummary:
    """Return the summary of a run's only match."""
    [result] = played.results
    assert isinstance(result, MatchSummary), result
    return result
