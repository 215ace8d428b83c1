"""Upload of a recorded match by a visitor: validated as untrusted, then shown.

The file is the `events.jsonl` of a match. Its script is searched for in the runs of the folder. The
upload is stored in a folder that the server deletes at its end; no run is changed.
"""

import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from aiohttp import BodyPartReader, web

from arena.core.events import MatchStarted
from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.errors import ArenaError, RecordError
from arena.records.event_codec import find_recorded_game
from arena.records.match_record import EVENTS, MatchRecord
from arena.records.match_replay import replay_match
from arena.records.run_record import RunRecord
from arena.records.script_copies import read_script
from arena.web.match_pages import send_match
from arena.web.observer_choice import observer_of
from arena.web.run_directory import RunDirectory
from arena.web.site import OBSERVER_PARAMETER, SITE, make_page

ROUTES: Final = web.RouteTableDef()
MAX_BYTES: Final = 16 << 20
"""Maximum bytes of an uploaded file: four times the record of 7,000 events."""
MAX_RECORDS: Final = 8
"""Maximum stored records; the oldest is deleted first."""
_CHUNK: Final = 1 << 16
_GONE: Final = "this replay is no longer stored: drop the file again"


@ROUTES.post("/replays")
async def receive_replay(request: web.Request) -> web.StreamResponse:
    """Receive a record, and redirect to its page; one that cannot be shown gets the reason."""
    site = request.app[SITE]
    try:
        data = await _read(request)
        name = await site.run_in_worker(_save_record, site.replays_folder, site.runs, data)
    except ArenaError as error:
        return make_page("fault.html.jinja", status=422, fault=str(error), language="en")
    for key in [one for one in site.feeds if not one[0]]:
        if not (site.replays_folder / key[1]).is_dir():
            del site.feeds[key]
    raise web.HTTPSeeOther(f"/replays/{name}")


@ROUTES.get("/replays/{name}")
async def show_replay(request: web.Request) -> web.StreamResponse:
    """Show an uploaded record like any other match."""
    site, name = request.app[SITE], request.match_info["name"]
    record = await site.run_in_worker(_find_record, site.replays_folder, site.runs, name)
    wanted = request.query.get(OBSERVER_PARAMETER, "")
    observer: SeatId | Spectator = observer_of(record, wanted)
    feed = site.open_feed(("", name, wanted), record, observer)
    return await send_match(
        request, feed, may_choose=True, observer=wanted, run="", match=record.path.name, stream=""
    )


async def _read(request: web.Request) -> bytes:
    """Return the file of a form; `RecordError` if there is none, or it is too large."""
    if not request.content_type.startswith("multipart/"):
        raise RecordError("wanted a form with a file")
    data, size = bytearray(), 0
    try:
        part = await (await request.multipart()).next()
        if not isinstance(part, BodyPartReader):
            raise RecordError("wanted a form with a file")
        while block := await part.read_chunk(_CHUNK):
            size += len(block)
            if size <= MAX_BYTES:
                data += block
    except (ValueError, AssertionError) as error:
        raise RecordError("this is not a browser's form") from error
    if size > MAX_BYTES:
        # It was read to its end, because a browser shows no answer before it has sent everything.
        raise RecordError(f"the file is too large: the limit is {MAX_BYTES >> 20} MiB")
    return bytes(data)


def _save_record(folder: Path, runs: RunDirectory, data: bytes) -> str:
    """Store a record that can be shown, and return its name."""
    name = sha256(data).hexdigest()
    match = folder / name
    if match.is_dir():
        return name
    _refuse_other_files(data)
    match.mkdir()
    is_kept = False
    try:
        (match / EVENTS).write_bytes(data)
        _check_rules(_find_record(folder, runs, name))
        is_kept = True
    except ArenaError as error:
        raise RecordError(str(error).replace(str(match / EVENTS), EVENTS)) from error
    finally:
        if not is_kept:
            shutil.rmtree(match)
    for old in sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime)[:-MAX_RECORDS]:
        shutil.rmtree(old)
    return name


def _refuse_other_files(data: bytes) -> None:
    """Explain what a file is that is not a record but that a visitor can easily mistake for one."""
    wanted = f"drop the {EVENTS!r} of a match, from RUN/matches/MATCH"
    if not data.strip():
        raise RecordError(f"the file is empty; {wanted}")
    if data.lstrip()[:1] == b"<":
        raise RecordError(
            f"this is a page, such as an export: open it directly in a browser; here, {wanted}"
        )
    if not data.lstrip().startswith(b"{"):
        raise RecordError(f"this is not a record of a match; {wanted}")


def _find_record(folder: Path, runs: RunDirectory, name: str) -> MatchRecord:
    """Return a stored record with the run that has its script, or raise `RecordError`."""
    if not (name.isalnum() and (folder / name).is_dir()):
        raise RecordError(_GONE)
    draft = MatchRecord(path=folder / name, run=folder)
    first = next(iter(draft.events()), None)
    if not isinstance(first, MatchStarted):
        raise RecordError(f"the file has no complete line; drop the {EVENTS!r} of a match")
    return MatchRecord(path=folder / name, run=_run_with_script(runs, first))


def _run_with_script(runs: RunDirectory, started: MatchStarted) -> Path:
    """Return the run that has a script, or raise `RecordError`.

    A script that a person is playing is not shown, because the record can be made up to read it.
    """
    found = [run for run in _open_runs(runs) if _has_script(run, started)]
    for run in found:
        _refuse_played_by_persons(run, runs.name_of(run.path))
    if not found:
        raise RecordError(
            f"the script {started.script!r} of this match is in none of the runs here: put its "
            "run into the served folder, or open the match with `arena web RUN`"
        )
    return found[0].path


def _open_runs(runs: RunDirectory) -> Iterator[RunRecord]:
    yield from (runs.open(name) for name in runs.names())


def _has_script(run: RunRecord, started: MatchStarted) -> bool:
    try:
        read_script(run.path, started.script_sha256)
    except RecordError:
        return False
    return True


def _refuse_played_by_persons(run: RunRecord, name: str) -> None:
    try:
        is_played = bool(run.config.humans) and run.find_results() is None
    except ArenaError as error:
        raise RecordError(
            f"run {name!r} cannot be read, so whether a person plays this script is unknown: "
            "repair it or move it out of the folder"
        ) from error
    if is_played:
        raise RecordError(
            "a person is playing this script: its replays are shown when that match is over"
        )


def _check_rules(record: MatchRecord) -> None:
    """Raise `RecordError` unless the rules produce these events."""
    events, script = record.events(), record.script()
    started = events[0]
    assert isinstance(started, MatchStarted), "checked where the record was found"
    try:
        replay_match(find_recorded_game(started.game), script, events)
    except RecordError as error:
        reason = str(error).removesuffix("; start a new run")
        raise RecordError(f"{reason}: this version of the game plays it differently") from error
