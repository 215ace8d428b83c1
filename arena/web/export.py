"""One match as one file of HTML that holds all it needs, to be sent on."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from arena.core.observation import Spectator
from arena.errors import RecordError
from arena.records.files import atomic_write
from arena.records.match_record import MatchRecord
from arena.records.run_record import RunRecord, open_run
from arena.view.i18n.choice import messages_for
from arena.web.fragments import Links, render_events
from arena.web.pages import STATIC, render_page
from scripts_mm.script import Picture


def find_match(path: Path) -> MatchRecord:
    """Return the match that `RUN/MATCH` names, or the only one of the run that `path` is.

    Raises `RecordError` where there is none, or the run has several.
    """
    for run, name in ((path, ""), (path.parent, path.name), (path.parent.parent, path.name)):
        if (run / "run.json").is_file():
            return _choose(open_run(run), name)
    raise RecordError(f"{str(path)!r} is neither a run nor a match of one: write RUN or RUN/MATCH")


def write_match(record: MatchRecord, out: Path, *, truth: bool = False) -> int:
    """Write a match into the file `out` and return its size in bytes.

    Raises `RecordError` where the record or the file cannot be read or written.
    """
    events = record.events()
    if not events:
        raise RecordError(f"match {record.path.name!r} has not started")
    run, script = RunRecord(path=record.run), record.script()
    messages = messages_for(script.language)

    def inline(picture: Picture) -> str:
        data = run.read_picture(picture.sha256)
        return f"data:{picture.mime};base64,{b64encode(data).decode()}"

    found = render_events(script, events, Spectator(truth=truth), messages, Links(picture=inline))
    style, lightbox, code = ((STATIC / name).read_text(encoding="utf-8") for name in _ASSETS)
    code = f"{{\n{lightbox}}}\n{code.replace(_IMPORT, '')}"
    page = render_page(
        "export.html.jinja",
        title=script.title,
        match=record.path.name,
        fragments=[one.html for one in found if one.html],
        last=len(events),
        style=style,
        script=code,
        style_hash=_hash(style),
        script_hash=_hash(code),
        language=messages.language,
    )
    atomic_write(out, page)
    return len(page.encode())


_ASSETS = ("style.css", "lightbox.js", "match.js")
_IMPORT = 'import "./lightbox.js";\n'


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _choose(run: RunRecord, name: str) -> MatchRecord:
    names = [match.path.name for match in run.matches()]
    if name in names:
        return run.match(name)
    if not name and len(names) == 1:
        return run.match(names[0])
    there = ", ".join(names[:10]) or "none"
    raise RecordError(f"name one match of run {str(run.path)!r}, as RUN/MATCH; there are: {there}")
