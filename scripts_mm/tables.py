"""Tables of scripts and findings for the terminal. Texts of scripts are never read as markup."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scripts_mm.catalog import Entry
from scripts_mm.files import LoadedScript
from scripts_mm.findings import SEVERITIES, Finding, Severity, tally
from scripts_mm.importers.batch import Batch
from scripts_mm.script import QUESTION_KINDS, Script, Truth
from scripts_mm.telling import kinds, picture_tokens
from scripts_mm.tokens import FAMILIES

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "info": "dim"}

_SHORT: dict[Severity, str] = {"error": "err", "warning": "warn", "info": "info"}


def entries_table(entries: Iterable[Entry]) -> Table:
    """Return the scripts of a library with their languages and titles."""
    table = _table("", ["script", "languages", "title"])
    for entry in entries:
        _row(table, entry.id, ", ".join(entry.languages), entry.title)
    return table


def batch_table(batch: Batch) -> Table:
    """Return one row a script that came in, with counts and findings, and a row of totals."""
    counted = ["roles", "pics", "clues", *(kind.upper() for kind in QUESTION_KINDS), "all"]
    columns = ["script", *counted, *(_SHORT[severity] for severity in SEVERITIES)]
    table = _table("", columns, right=columns[1:])
    rows: list[list[int]] = []
    for one in batch.imported:
        script, found = one.script, tally(one.findings)
        asked = kinds(script)
        sizes = [len(script.roles), len(script.pictures), len(script.clues)]
        rows.append([*sizes, *asked.values(), len(script.questions), *found.values()])
        _row(table, script.id, *rows[-1])
    if rows:
        table.add_section()
        _row(table, f"{len(rows)} scripts", *(sum(column) for column in zip(*rows, strict=True)))
    return table


def findings_table(script: str, findings: Sequence[Finding]) -> RenderableType:
    """Return the findings of one script, the gravest first, with their number by severity."""
    counts = ", ".join(f"{severity} {count}" for severity, count in tally(findings).items())
    head = Text(f"{script}: {counts}")
    if not findings:
        return head
    table = _table("", ["severity", "code", "place", "detail"])
    for one in findings:
        severity = Text(one.severity, style=_STYLES[one.severity])
        table.add_row(severity, Text(one.code), Text(one.place), Text(one.detail))
    return Group(head, table)


def show_tables(loaded: LoadedScript, *, secrets: bool) -> list[RenderableType]:
    """Return the parts of `arena scripts show`; truth and private titles only with `secrets`."""
    script = loaded.script
    asked = ", ".join(f"{kind.upper()} {count}" for kind, count in kinds(script).items())
    head = [
        f"{script.title} ({script.id}, {script.language}), {script.source or 'source unknown'}",
        f"victims: {', '.join(script.victims) or 'not named'}",
        f"questions: {asked}",
        f"sha256: {loaded.sha256}",
    ]
    parts: list[RenderableType] = [Text("\n".join(head))]
    parts += [_roles(script), _clues(script, secrets=secrets), _pictures(script)]
    return [*parts, _truth(script.truth)] if secrets else parts


def _roles(script: Script) -> Table:
    table = _table("roles", ["role", "private script", "own clues"], right=["private script"])
    for role in script.roles:
        own = sum(1 for clue in script.clues if clue.owner == role.name)
        _row(table, role.name, f"{len(role.script)} characters", own)
    return table


def _clues(script: Script, *, secrets: bool) -> Table:
    table = _table("clues", ["clue", "title", "for", "stage", "text", "pictures"])
    for clue in script.clues:
        hidden = clue.owner is not None and not secrets
        title = "(private)" if hidden else clue.title
        files = ", ".join(picture.file for picture in clue.pictures)
        size = f"{len(clue.text)} characters" if clue.text else ""
        _row(table, clue.id, title, clue.owner or "all", clue.stage, size, files)
    return table


def _pictures(script: Script) -> Table:
    columns = ["picture", "kind", "size", *FAMILIES]
    table = _table("pictures, with tokens as served", columns, right=columns[2:])
    for picture in script.pictures:
        size = f"{picture.width}x{picture.height}"
        counts = ["not taken" if one is None else one for one in picture_tokens(picture).values()]
        _row(table, picture.file, picture.kind or "", size, *counts)
    return table


def _truth(truth: Truth) -> Text:
    strangers = f" (no role: {', '.join(truth.not_playable)})" if truth.not_playable else ""
    lines = [
        "truth",
        f"culprits: {', '.join(truth.culprits) or 'nobody'}{strangers}",
        f"key roles: {', '.join(truth.key_roles) or 'none'}",
        f"misleading clues: {', '.join(truth.misleading) or 'none'}",
        f"motive: {truth.motive}" if truth.motive else "",
        f"method: {truth.method}" if truth.method else "",
        truth.text,
        *(f"{key.id} (hops {_hops(key.hops)}): {key.text}" for key in truth.key_clues),
    ]
    return Text("\n".join(line for line in lines if line))


def _hops(hops: int | None) -> str:
    return "not stated" if hops is None else str(hops)


def _table(title: str, columns: Sequence[str], right: Sequence[str] = ()) -> Table:
    """Return an empty table; numbers stand right and whole, texts fold where it is narrow."""
    table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, padding=0)
    for name in columns:
        number = name in right
        justify = "right" if number else "left"
        least = None if number else 8
        table.add_column(name, justify=justify, overflow="fold", no_wrap=number, min_width=least)
    return table


def _row(table: Table, *cells: object) -> None:
    table.add_row(*(Text(str(cell)) for cell in cells))
