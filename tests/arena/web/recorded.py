"""Runs as the web server reads them: of a match whose texts the tests choose."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from PIL import Image

from arena.core.events import Event, MatchStarted
from arena.core.options import GameOptions
from arena.records.match_record import MatchRecord
from arena.records.run_config import HumanSeat, RunConfig, ScriptRef, make_pairs
from arena.records.run_manifest import RunManifest, VersionRecord
from arena.records.run_record import create_run
from scripts_mm.script import Picture, Script
from scripts_mm.script_folder import content_hash
from tests.arena.cli.tiny import LAMP, Answer, play


def _png(color: tuple[int, int, int]) -> bytes:
    file = BytesIO()
    Image.new("RGB", (64, 48), color).save(file, "PNG")
    return file.getvalue()


PNG = _png((200, 180, 40))


def with_real_pictures(script: Script) -> Script:
    """Return a script whose pictures all are `PNG`."""

    def real(picture: Picture) -> Picture:
        return replace(picture, sha256=sha256(PNG).hexdigest(), width=64, height=48)

    clues = tuple(replace(one, pictures=tuple(map(real, one.pictures))) for one in script.clues)
    return replace(script, clues=clues)


def make_run(
    folder: Path,
    script: Script = LAMP,
    answer: Answer | None = None,
    humans: tuple[HumanSeat, ...] = (),
    options: GameOptions | None = None,
) -> tuple[MatchRecord, tuple[Event, ...]]:
    """Make a run with one planned match; return its record, still empty, and all its events."""
    script = with_real_pictures(script)
    ref = ScriptRef(
        path="/nowhere", id=script.id, language=script.language, sha256=content_hash(script)
    )
    events = play(script, answer, options=options)
    first = events[0]
    assert isinstance(first, MatchStarted)
    started = replace(first, script_sha256=ref.sha256)
    config = RunConfig(
        pairs=make_pairs("qwen+direct", "naive"),
        scripts=(ref,),
        seed=7,
        options=first.options,
        humans=humans,
    )
    with create_run(folder) as run:
        run.save_script(ref.sha256, script)
        run.save_picture(sha256(PNG).hexdigest(), PNG)
        run.write_manifest(
            RunManifest(
                config=config,
                contestants=(),
                servers={},
                versions=VersionRecord(packages={"murder-arena": "0.1.0"}, python="3.11"),
            )
        )
    return run.match(f"{script.id}-{script.language}-s7"), (started, *events[1:])


def write(record: MatchRecord, events: Sequence[Event]) -> None:
    """Append events to a record."""
    with record.open_writer() as writer:
        writer.events(events)
