"""Small tournaments of players that need no server."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from arena.run.observer import BaseObserver
from arena.tournament.description import (
    GameEntry,
    ScriptEntry,
    TournamentDescription,
    plan_tournament,
)
from arena.tournament.folder import TournamentFolder, create_tournament
from arena.tournament.play_runs import play_tournament
from scripts_mm.script_folder import LoadedScript

CONTESTANTS = ("naive", "random", "first")


def planned(
    path: Path,
    scripts: Sequence[LoadedScript],
    contestants: Sequence[str] = CONTESTANTS,
    *,
    opponents: Sequence[str] = (),
    matrix: bool = True,
    games: Sequence[str] = ("whodunit",),
    seeds: int = 2,
    rotations: int = 1,
) -> TournamentFolder:
    """Make the folder of a tournament that plays `scripts` in short matches."""
    described = TournamentDescription(
        contestants=list(contestants),
        opponents=list(opponents),
        matrix=matrix,
        games=[
            GameEntry(
                game=game,
                preset="short",
                scripts=[ScriptEntry(id=str(one.folder)) for one in scripts]
                if game == "whodunit"
                else [],
                seeds=seeds,
                rotations=rotations,
            )
            for game in games
        ],
    )
    return create_tournament(path, plan_tournament(described))


def play(folder: TournamentFolder) -> None:
    """Play all that is missing, on this host."""
    asyncio.run(play_tournament(folder, concurrency=8, observer=lambda _: BaseObserver()))


def events_of(folder: TournamentFolder) -> dict[str, bytes]:
    """Return the recorded events of all matches by run and match."""
    return {
        f"{run}/{match.path.name}": (match.path / "events.jsonl").read_bytes()
        for run, record in folder.load_started_runs().items()
        for match in record.matches()
    }
