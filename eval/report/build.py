"""Build a report from finished runs."""

from collections import Counter
from collections.abc import Iterator

from arena.records.match_summary import BUNDLED
from eval.report.collection.breaches import find_breaches
from eval.report.collection.excerpts import KINDS, Excerpt, pick_excerpts
from eval.report.elements import Quotation, Quotations, RunReport, Section, format_number
from eval.report.report_context import ReportContext
from eval.report.sections.ability_tables import (
    FAMILIES,
    report_all,
    report_chain,
    report_family,
    report_questions,
)
from eval.report.sections.ballot_tables import report_ballots
from eval.report.sections.claim_tables import report_claims
from eval.report.sections.clue_tables import report_clues
from eval.report.sections.cost_tables import report_cost
from eval.report.sections.fault_tables import report_detectors, report_reliability
from eval.report.sections.rating_tables import report_ratings
from eval.report.sections.setup_tables import report_setup
from eval.report.sections.win_tables import report_outcomes


def make_report(context: ReportContext) -> RunReport:
    """Return the report of the collected runs."""
    sections = (
        report_outcomes(context),
        report_ratings(context),
        report_chain(context),
        *(report_family(context, family) for family in FAMILIES),
        report_questions(context),
        report_ballots(context),
        report_clues(context),
        report_claims(context),
        report_detectors(context),
        report_reliability(context),
        report_cost(context),
        report_excerpts(context),
        report_setup(context),
        report_all(context),
    )
    return RunReport(
        language=context.language,
        title=context.say("report.title"),
        facts=tuple(_facts(context)),
        alarms=tuple(_alarms(context)),
        warnings=tuple(_warnings(context)),
        sections=sections,
    )


def report_excerpts(context: ReportContext) -> Section:
    """Return the most significant moments of all matches."""
    every = [one for match in context.matches for one in match.excerpts]
    groups = [
        Quotations(
            title=context.say(f"excerpts.{kind}"),
            quotes=tuple(_quote(context, one) for one in found),
        )
        for kind in KINDS
        if (found := pick_excerpts(every, kind))
    ]
    return context.section("excerpts", *(groups or [context.missing("excerpts")]))


def _quote(context: ReportContext, one: Excerpt) -> Quotation:
    why = one.detail
    if one.before is not None and one.after is not None:
        values = {
            "before": format_number(100 * one.before),
            "after": format_number(100 * one.after),
        }
        why = context.say("excerpts.moved", **values)
    elif one.kind in {"lie", "caught_lie"} and one.detail != one.text:
        why = context.say("excerpts.sentence", sentence=one.detail)
    elif one.kind == "leak":
        why = context.say("excerpts.found", detector=one.detail)
    side = context.say("faction.murderer" if one.is_murderer else "faction.civilians")
    return Quotation(
        why=why,
        where=context.say("excerpts.where", match=one.match, event=one.event + 1),
        speaker=context.say("excerpts.speaker", seat=one.speaker, side=side),
        text=one.text,
    )


def _facts(context: ReportContext) -> Iterator[tuple[str, str]]:
    collected = context.collected
    summaries = [one.summary for one in collected.matches]
    outcomes = Counter(one.outcome for one in summaries)
    names = {name for one in summaries for name in (one.civilians, one.murderer)}
    values = (
        ("matches", str(len(summaries))),
        (
            "outcomes",
            ", ".join(f"{context.say(f'outcome.{key}')} {n}" for key, n in outcomes.items()),
        ),
        ("runs", str(len(collected.runs))),
        ("contestants", str(len(names))),
        ("scripts", str(len({one.script for one in summaries}))),
        ("clusters", str(len({one.work for one in collected.matches}))),
        ("games", ", ".join(dict.fromkeys(one.game for one in summaries))),
        ("turns", f"{sum(one.turns for one in summaries):,}"),
        ("prompt_tokens", f"{sum(one.prompt_tokens for one in summaries):,}"),
        ("output_tokens", f"{sum(one.output_tokens for one in summaries):,}"),
        ("seconds", f"{sum(one.seconds for one in summaries):,.0f}"),
    )
    for key, value in values:
        yield context.say(f"fact.{key}"), value


def _alarms(context: ReportContext) -> Iterator[str]:
    breaches = find_breaches(context.collected.matches)
    if not breaches:
        return
    yield context.say("alarm.wall", count=len(breaches))
    for one in breaches[:_MOST_BREACHES]:
        yield context.say("alarm.breach", match=one.match, event=one.event, seat=one.seat)
    if len(breaches) > _MOST_BREACHES:
        yield context.say("alarm.more", count=len(breaches) - _MOST_BREACHES)


def _warnings(context: ReportContext) -> Iterator[str]:
    collected = context.collected
    flags = Counter(flag for one in collected.matches for flag in one.summary.flags)
    every = len(collected.matches)
    for flag, count in sorted(flags.items(), key=lambda one: (_rank(one[0]), one)):
        text = context.say.get(f"flags.{flag}") or flag
        yield context.say(_FLAG_WARNINGS[_rank(flag)], flag=text, count=count, all=every)
    human = sum(one.is_human for one in collected.matches)
    if human:
        yield context.say("warning.human", count=human)
    if collected.unread:
        yield context.say("warning.unread", count=len(collected.unread))
    uncounted = Counter(one.summary.uncounted for one in collected.matches if one.summary.uncounted)
    for reason, count in uncounted.items():
        yield context.say("warning.uncounted", reason=reason, count=count)
    clusters = len({one.work for one in collected.matches})
    if clusters < _FEW_CLUSTERS:
        yield context.say("warning.clusters", count=clusters)


def _rank(flag: str) -> int:
    """Return the rank of a flag among the warnings; a substitute for a model comes first."""
    if flag.startswith("untrained "):
        return 0
    return 1 if flag.startswith(BUNDLED) else 2


_FLAG_WARNINGS = ("warning.untrained", "warning.bundled", "warning.flag")
_FEW_CLUSTERS = 5
_MOST_BREACHES = 20
