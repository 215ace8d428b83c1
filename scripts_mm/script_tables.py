"""Tables of scripts and findings for the terminal. Scripts' texts are not parsed as markup."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scripts_mm.catalog import CatalogEntry
from scripts_mm.findings import SEVERITIES, Finding, Severity, count_by_severity
from scripts_mm.importers.import_batch import ImportBatch
from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.script import QUESTION_KINDS, KeyClue, QuestionKind, Script, Truth
from scripts_mm.script_folder import LoadedScript
from scripts_mm.script_info import count_by_kind, last_stage, picture_tokens, total_points
from scripts_mm.vision_tokens import VISION_FAMILIES

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "info": "dim"}

_SHORT: dict[Severity, str] = {"error": "err", "warning": "warn", "info": "info"}


def entries_table(entries: Iterable[CatalogEntry]) -> Table:
    """Return the scripts of a library with their languages and titles."""
    table = _make_table("", ["script", "languages", "title"])
    for entry in entries:
        _add_row(table, entry.id, ", ".join(entry.languages), entry.title)
    return table


def batch_table(batch: ImportBatch) -> Table:
    """Return one row per imported script, with counts and findings, and rows of totals.

    Only kinds of questions that occur have a column. With several formats or languages, each has
    a total before the last one.
    """
    scripts = [one.script for one in batch.imported]
    asked: list[QuestionKind] = [
        kind
        for kind in QUESTION_KINDS
        if any(count_by_kind(script).get(kind) for script in scripts)
    ]
    weighed = ["points"] if any(map(total_points, scripts)) else []
    counted = ["roles", "pics", "clues", "stages", "victims", *(kind.upper() for kind in asked)]
    columns = ["script", *counted, "all", *weighed, *(_SHORT[one] for one in SEVERITIES)]
    table = _make_table("", columns, right=columns[1:])
    totals: list[tuple[str, list[int]]] = []
    for name, found in _group_by_format(batch).items():
        rows = [_counts(one, asked, weighed=bool(weighed)) for one in found]
        for one, row in zip(found, rows, strict=True):
            _add_row(table, one.script.id, *row)
        table.add_section()
        totals.append((f"{name}: {len(rows)}", _sum_columns(rows)))
    if len(totals) > 1:
        for name, row in totals:
            _add_row(table, name, *row)
        table.add_section()
    if totals:
        _add_row(table, f"{len(scripts)} scripts", *_sum_columns([row for _, row in totals]))
    return table


def findings_table(script: str, findings: Sequence[Finding]) -> RenderableType:
    """Return the findings of one script in their order, with their number by severity."""
    counts = ", ".join(
        f"{severity} {count}" for severity, count in count_by_severity(findings).items()
    )
    head = Text(f"{script}: {counts}")
    if not findings:
        return head
    table = _make_table("", ["severity", "code", "place", "detail"])
    for one in findings:
        severity = Text(one.severity, style=_STYLES[one.severity])
        table.add_row(severity, Text(one.code), Text(one.place), Text(one.detail))
    return Group(head, table)


def show_tables(loaded: LoadedScript, *, secrets: bool) -> list[RenderableType]:
    """Return the parts of `arena scripts show`; truth and private titles only with `secrets`."""
    script = loaded.script
    asked = ", ".join(f"{kind.upper()} {count}" for kind, count in count_by_kind(script).items())
    weight = f", {total_points(script)} points in all" if total_points(script) else ""
    factual = f"; {len(script.factual)} with free-text answers" if script.factual else ""
    truthful = "; private scripts of the innocent are true" if script.innocents_truthful else ""
    head = [
        f"{script.title} ({script.id}, {script.language}), {script.source or 'source unknown'}",
        f"victims: {', '.join(script.victims) or 'not named'}",
        f"stages: {last_stage(script)}; ending: {script.ending}{truthful}",
        f"questions: {asked or 'none'}{weight}{factual}",
        f"sha256: {loaded.sha256}",
    ]
    parts: list[RenderableType] = [Text("\n".join(head))]
    parts += [_roles(script), _clues(script, secrets=secrets), _pictures(script)]
    return [*parts, _truth(script.truth)] if secrets else parts


def _group_by_format(batch: ImportBatch) -> dict[str, list[ImportedScript]]:
    """Return the imported scripts by format and language, in order of first occurrence."""
    groups: dict[str, list[ImportedScript]] = {}
    for one in batch.imported:
        groups.setdefault(f"{one.script.source} {one.script.language}", []).append(one)
    return groups


def _counts(one: ImportedScript, asked: Sequence[QuestionKind], *, weighed: bool) -> list[int]:
    """Return the counts of one row, in the order of the columns."""
    script, by_kind = one.script, count_by_kind(one.script)
    return [
        *(len(script.roles), len(script.pictures), len(script.clues)),
        *(last_stage(script), len(script.victims)),
        *(by_kind.get(kind, 0) for kind in asked),
        len(script.questions),
        *((total_points(script),) if weighed else ()),
        *count_by_severity(one.findings).values(),
    ]


def _sum_columns(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _roles(script: Script) -> Table:
    columns = ["role", "private script", "parts", "stages", "own clues"]
    table = _make_table("roles", columns, right=["private script"])
    for role in script.roles:
        own = sum(1 for clue in script.clues if clue.owner == role.name)
        fields = ", ".join(dict.fromkeys(part.name for part in role.parts))
        last = max((part.stage for part in role.parts), default=1)
        _add_row(table, role.name, f"{len(role.script)} characters", fields, last, own)
    return table


def _clues(script: Script, *, secrets: bool) -> Table:
    placed = ["place"] if any(clue.place for clue in script.clues) else []
    spoken = ["when said"] if secrets and any(clue.trigger for clue in script.clues) else []
    columns = ["clue", "title", *placed, *spoken, "for", "stage", "text", "pictures"]
    table = _make_table("clues", columns)
    for clue in script.clues:
        hidden = clue.owner is not None and not secrets
        title = "(private)" if hidden else clue.title
        files = ", ".join(picture.file for picture in clue.pictures)
        size = f"{len(clue.text)} characters" if clue.text else ""
        where = [] if not placed else ["" if hidden else clue.place or ""]
        when = [clue.trigger or ""] if spoken else []
        _add_row(table, clue.id, title, *where, *when, clue.owner or "all", clue.stage, size, files)
    return table


def _pictures(script: Script) -> Table:
    columns = ["picture", "kind", "size", *VISION_FAMILIES]
    table = _make_table("pictures, with tokens as served", columns, right=columns[2:])
    for picture in script.pictures:
        size = f"{picture.width}x{picture.height}"
        counts = ["not taken" if one is None else one for one in picture_tokens(picture).values()]
        _add_row(table, picture.file, picture.kind or "", size, *counts)
    return table


def _truth(truth: Truth) -> Text:
    killings = truth.killings
    strangers = f" (no role: {', '.join(truth.not_playable)})" if truth.not_playable else ""
    lines = [
        "truth",
        f"culprits: {', '.join(truth.culprits) or 'nobody'}{strangers}",
        f"instigators: {', '.join(truth.instigators)}" if truth.instigators else "",
        f"do not know it: {', '.join(truth.unaware)}" if truth.unaware else "",
        "in league: their scripts name one another" if truth.in_league else "",
        *(f"{one.victim}: killed by {', '.join(one.culprits) or 'nobody'}" for one in killings),
        f"key roles: {', '.join(truth.key_roles) or 'none'}",
        f"misleading clues: {', '.join(truth.misleading) or 'none'}",
        f"motive: {truth.motive}" if truth.motive else "",
        f"method: {truth.method}" if truth.method else "",
        truth.text,
        *(_key_clue_line(key) for key in truth.key_clues),
    ]
    return Text("\n".join(line for line in lines if line))


def _key_clue_line(key: KeyClue) -> str:
    after = f", from {', '.join(key.premises)}" if key.premises else ""
    return f"{key.id} (hops {_format_hops(key.hops)}{after}): {key.text}"


def _format_hops(hops: int | None) -> str:
    return "not stated" if hops is None else str(hops)


def _make_table(title: str, columns: Sequence[str], right: Sequence[str] = ()) -> Table:
    """Return an empty table; numbers are right-aligned and do not wrap, texts wrap."""
    table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, padding=0)
    for name in columns:
        number = name in right
        justify = "right" if number else "left"
        least = None if number else 8
        table.add_column(name, justify=justify, overflow="fold", no_wrap=number, min_width=least)
    return table


def _add_row(table: Table, *cells: object) -> None:
    table.add_row(*(Text(str(cell)) for cell in cells))
