"""A run with one recorded match, as the tests read it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.core.options import GameOptions
from arena.games.whodunit.options import WhodunitOptions
from arena.records.match_summary import MatchSummary
from arena.records.run_config import RunConfig, ScriptRef, make_pairs
from arena.records.run_manifest import ContestantRecord, RunManifest, ServerRecord, VersionRecord
from arena.records.run_record import RunRecord, create_run
from scripts_mm.script_folder import content_hash
from tests.arena.records.live import Live
from tests.table import begin, case, setup

SHA256 = content_hash(case())
REF = ScriptRef(path="/nowhere/harbour", id="harbour", language="en", sha256=SHA256)
MATCH = "harbour-en-s1"


def run_config(**values: Any) -> RunConfig:
    """Return the configuration of a run of the small case."""
    given: dict[str, Any] = {
        "pairs": make_pairs("random", "random"),
        "scripts": (REF,),
        "seed": 1,
    }
    return RunConfig(**{**given, **values})


def manifest(**values: Any) -> RunManifest:
    """Return what run.json holds; `values` are of the configuration."""
    return RunManifest(
        config=run_config(**values),
        contestants=(
            ContestantRecord(
                name="qwen+cot:temperature=0",
                model="qwen",
                player="cot",
                options={"temperature": "0"},
            ),
            ContestantRecord(name="random", model=None, player="random"),
        ),
        servers={"qwen": ServerRecord(served="qwen3-vl", limits={"pictures": 8, "more": [None]})},
        versions=VersionRecord(packages={"murder-arena": "0.1.0"}, python="3.11"),
    )


def make_run(path: Path, options: GameOptions | None = None, **values: Any) -> RunRecord:
    """Return a new run of the small case, without a match."""
    with create_run(path) as run:
        run.save_script(SHA256, case())
        run.write_manifest(manifest(options=options or WhodunitOptions(rounds=1), **values))
    return run


def play_recorded(run: RunRecord, seed: int = 1) -> Live:
    """Play and record the first match of `run`, event by event."""
    live = Live(
        state=begin(replace(setup(run.config.options, seed=seed), script_sha256=SHA256)), seed=seed
    )
    live.go_on()
    with run.match(MATCH).open_writer() as writer:
        for event in live.state.history:
            writer.events([event])
    return live


def summary(**values: Any) -> MatchSummary:
    """Return the summary of a match."""
    given: dict[str, Any] = {
        "match": MATCH,
        "script": "harbour",
        "game": "whodunit",
        "civilians": "random",
        "murderer": "random",
        "model_served": {"civilians": "random", "murderer": "random"},
        "outcome": "draw",
        "votes": {"Ada Quill": "abstain"},
        "truth": ("Cleo Marsh",),
        "turns": 0,
        "rejected": 2,
        "prompt_tokens": 0,
        "cached_tokens": None,
        "output_tokens": 0,
        "seconds": 1.5,
        "record": "runs/x",
        "forfeit_seat": None,
        "error_cause": "",
        "seed": 1,
        "language": "en",
        "run": "x",
        "events": 90,
        "flags": ("resumed",),
    }
    return MatchSummary(**{**given, **values})
