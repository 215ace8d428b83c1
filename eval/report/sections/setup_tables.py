"""The setup of the matches: runs, contestants, options, scripts, seats, judges."""

from dataclasses import asdict

from eval.report.collection.match_facts import RunFacts
from eval.report.elements import NONE, Cell, Section, Table
from eval.report.report_context import ReportContext

_HASH = 12
"""Displayed characters of a hash."""


def report_setup(context: ReportContext) -> Section:
    """Return the section of setup tables."""
    return context.section(
        "setup",
        _runs(context),
        _contestants(context),
        _options(context),
        _scripts(context),
        _seats(context),
        _judges(context),
        _unread(context),
    )


def other_options(run: RunFacts) -> dict[str, object]:
    """Return the options of a run that differ from its game's defaults."""
    options = run.manifest.config.options
    usual = asdict(type(options)())
    return {name: value for name, value in asdict(options).items() if value != usual[name]}


def _runs(context: ReportContext) -> Table:
    keys = ("run", "game", "civilians", "murderer", "read", "planned", "seed", "quiz", "suspicion")
    rows: list[tuple[Cell, ...]] = []
    for run in context.collected.runs:
        config, versions = run.manifest.config, run.manifest.versions
        rows.append(
            (
                *(run.name, config.game),
                *context.sides(config.pairs),
                *(run.read, run.planned, config.seed, config.quiz),
                context.say("word.yes" if config.ballots else "word.no"),
                *(config.transport, config.deadline, versions.started),
                versions.packages.get("murder-arena", NONE),
                versions.git_commit[:_HASH] or NONE,
                " ".join(f"{one} {text[:_HASH]}" for one, text in versions.wordings.items()),
            )
        )
    left = ("transport", "deadline", "started", "version", "commit", "wordings")
    return Table(
        name="runs",
        title=context.say("table.runs"),
        columns=tuple(context.column(key, "left") for key in (*keys, *left)),
        rows=tuple(rows),
    )


def _contestants(context: ReportContext) -> Table:
    rows: dict[tuple[Cell, ...], None] = {}
    for run in context.collected.runs:
        manifest = run.manifest
        for one in manifest.contestants:
            server = manifest.servers.get(one.model or "")
            limits = server.limits if server else {}
            engine = str(server.details.get("engine", NONE)) if server else NONE
            row: tuple[Cell, ...] = (
                *(context.display_name(one.name), one.player, server.served if server else NONE),
                *(engine, str(limits.get("context_tokens", NONE))),
                str(limits.get("picture_mode", NONE)),
                ", ".join(f"{name}={value}" for name, value in one.options.items()) or NONE,
            )
            rows[row] = None
    keys = ("contestant", "player", "served", "engine", "context", "pictures", "options")
    return Table(
        name="contestants",
        title=context.say("table.contestants"),
        columns=tuple(context.column(key, "left") for key in keys),
        rows=tuple(rows),
    )


def _options(context: ReportContext) -> Table:
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for run in context.collected.runs:
        options = run.manifest.config.options
        usual = asdict(type(options)())
        for name, value in other_options(run).items():
            key = (run.manifest.config.game, name, str(value), str(usual[name]))
            found.setdefault(key, []).append(run.name)
    return Table(
        name="options",
        title=context.say("table.options"),
        columns=tuple(
            context.column(key, "left") for key in ("game", "option", "value", "default", "runs")
        ),
        rows=tuple((*key, ", ".join(runs)) for key, runs in found.items()),
        note="" if found else context.say("note.all_default"),
    )


def _scripts(context: ReportContext) -> Table:
    rows: dict[tuple[str, str], list[Cell]] = {}
    for one in context.collected.matches:
        summary = one.summary
        row = rows.setdefault(
            (summary.script, summary.language),
            [
                *(summary.script, one.title, summary.language, one.work),
                *(len(one.started.seats), one.started.script_sha256[:_HASH], 0),
            ],
        )
        assert isinstance(row[-1], int), "the last column counts matches"
        row[-1] += 1
    left = ("script", "title", "language", "cluster")
    return Table(
        name="scripts",
        title=context.say("table.scripts"),
        columns=(
            *(context.column(key, "left") for key in left),
            *map(context.column, ("seats", "hash", "matches")),
        ),
        rows=tuple(tuple(row) for row in rows.values()),
    )


def _seats(context: ReportContext) -> Table:
    rows: dict[tuple[Cell, ...], None] = {}
    for one in context.collected.matches:
        for part in one.started.parts:
            guilty = context.say("word.yes") if part.guilty_of else ""
            never = context.say("word.yes") if part.seat in one.started.never_vote else ""
            row = (one.summary.script, part.seat, context.faction(part.faction), guilty, never)
            rows[row] = None
    return Table(
        name="seats",
        title=context.say("table.seats"),
        columns=tuple(
            context.column(key, "left")
            for key in ("script", "seat", "faction", "guilty", "never_votes")
        ),
        rows=tuple(rows),
        folded=True,
    )


def _judges(context: ReportContext) -> Table | None:
    found: dict[tuple[str, str], int] = {}
    for one in context.scores:
        if one.judge:
            found[one.judge, one.metric] = found.get((one.judge, one.metric), 0) + 1
    if not found:
        return None
    return Table(
        name="judges",
        title=context.say("table.judges"),
        columns=(
            context.column("judge", "left"),
            context.column("metric", "left"),
            context.column("scores"),
        ),
        rows=tuple((*key, count) for key, count in found.items()),
    )


def _unread(context: ReportContext) -> Table | None:
    if not context.collected.unread:
        return None
    return Table(
        name="left_out",
        title=context.say("table.left_out"),
        columns=tuple(context.column(key, "left") for key in ("run", "match", "reason")),
        rows=tuple((one.run, one.match, one.reason) for one in context.collected.unread),
    )
