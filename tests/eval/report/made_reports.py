"""Runs made by hand with known numbers, as reports read them."""

from collections.abc import Sequence
from typing import Any

from arena.core.events import Event, Outcome, Said
from arena.core.seats import SeatId
from arena.records.probe_answers import ProbeAnswer
from eval.played_match import UnreadMatch
from eval.report.build import make_report
from eval.report.collection.match_facts import MatchFacts, RunCollection, RunFacts, extract_facts
from eval.report.elements import Cell, RunReport, Table
from eval.report.report_context import ReportContext
from tests.arena.records.made import manifest
from tests.eval.made import made
from tests.table import NAMES


def said(text: str, seat: str = NAMES[0], number: int = 1) -> Said:
    """Return a speech."""
    return Said(
        seat=SeatId(seat), request=f"speak/{number}", act="speech", parts=(("speech", text),)
    )


def ballot(seat: str, event: int, candidate: str | None) -> ProbeAnswer:
    """Return a silent ballot."""
    return ProbeAnswer(kind="ballot", seat=SeatId(seat), event=event, candidate=candidate)


def facts(
    *events: Event,
    outcome: Outcome = "civ_win",
    number: int = 1,
    probes: tuple[ProbeAnswer, ...] = (),
    **values: Any,
) -> MatchFacts:
    """Return what a report keeps of a match."""
    given: dict[str, Any] = {"match": f"m{number}", "seed": number, **values}
    return extract_facts(made(*events, outcome=outcome, probes=probes, **given))


def series(counts: Sequence[tuple[Outcome, int]], **values: Any) -> tuple[MatchFacts, ...]:
    """Return so many matches of each outcome."""
    outcomes: list[Outcome] = [outcome for outcome, count in counts for _ in range(count)]
    return tuple(
        facts(outcome=outcome, number=number, **values) for number, outcome in enumerate(outcomes)
    )


def collected(*matches: MatchFacts, unread: tuple[UnreadMatch, ...] = ()) -> RunCollection:
    """Return matches as if one run held them."""
    run = RunFacts(name="x", manifest=manifest(), planned=len(matches), read=len(matches))
    return RunCollection(runs=(run,), matches=matches, unread=unread)


def report(*matches: MatchFacts, language: str = "en", **values: Any) -> RunReport:
    """Return the report of some matches."""
    return make_report(ReportContext(collected=collected(*matches, **values), language=language))


def table(found: RunReport, name: str) -> Table:
    """Return a table of a report."""
    return next(one for one in found.tables() if one.name == name)


def rows(found: Table) -> list[dict[str, Cell]]:
    """Return the rows of a table by the keys of its columns."""
    return [dict(zip((one.key for one in found.columns), row, strict=True)) for row in found.rows]
