"""Export of one match as a self-contained HTML file, which can be sent to others."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.core.observation import Spectator
from arena.errors import RecordError
from arena.records.match_record import MatchRecord
from arena.records.record_files import atomic_write
from arena.records.run_record import RunRecord, open_run
from arena.web.ballot_chart import draw_ballot_chart
from arena.web.fragments import Links, MatchFragments
from arena.web.pages import STATIC, render_page
from arena.web.review import CATEGORIES, Review
from scripts_mm.script import Picture

_NO_REVIEW: Final = Review()
_ASSETS: Final = ("style.css", "page.js", "lightbox.js", "match.js")
_IMPORT: Final = re.compile(r"^import .*\n|^export (?=function)", re.MULTILINE)


def find_match(path: Path) -> MatchRecord:
    """Return the match that `RUN/MATCH` names, or the only one of the run at `path`.

    Raises `RecordError` if there is none, or the run has several.
    """
    for run, name in ((path, ""), (path.parent, path.name), (path.parent.parent, path.name)):
        if (run / "run.json").is_file():
            return _choose(open_run(run), name)
    raise RecordError(f"{str(path)!r} is neither a run nor a match of one: write RUN or RUN/MATCH")


def write_match(
    record: MatchRecord, out: Path, *, truth: bool = False, review: Review = _NO_REVIEW
) -> int:
    """Write a match into the file `out` and return its size in bytes.

    `review` is shown only with the truth. Raises `RecordError` if the record or the file cannot be
    read or written.
    """
    events = record.events()
    if not events:
        raise RecordError(f"match {record.path.name!r} has not started")
    run, script = RunRecord(path=record.run), record.script()

    def inline(picture: Picture) -> str:
        data = run.read_picture(picture.sha256)
        return f"data:{picture.mime};base64,{b64encode(data).decode()}"

    log = MatchFragments(script, Spectator(truth=truth), Links(picture=inline))
    log.add(events)
    shown = review if truth else _NO_REVIEW
    style, shared, lightbox, match = (
        _IMPORT.sub("", (STATIC / name).read_text(encoding="utf-8")) for name in _ASSETS
    )
    code = f"{shared}{{\n{lightbox}}}\n{match}"
    page = render_page(
        "export.html.jinja",
        title=script.title,
        match=record.path.name,
        rules=log.rules(),
        fragments=log.show(claims=shown.claims_by_event()),
        last=len(events),
        review=shown,
        chart=draw_ballot_chart(shown.ballots, log.colors) if shown.ballots else None,
        categories=CATEGORIES,
        colors=log.colors,
        style=style,
        script=code,
        style_hash=_hash(style),
        script_hash=_hash(code),
        messages=log.messages,
        language=log.messages.language,
    )
    atomic_write(out, page)
    return len(page.encode())


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
