"""The claim audit: seats' statements on the case, checked against the fact table."""

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Final, get_args

from eval.claims.audited_claim import FALSE, AuditedClaim, Category
from eval.metrics.catalogue import METRICS
from eval.report.collection.claim_weights import weigh_claim
from eval.report.collection.match_facts import MatchFacts
from eval.report.elements import Cell, Section, Table
from eval.report.report_context import ReportContext, figure_cell, find_figure

RATES: Final = (
    *("claim_lie", "claim_lie_caught", "claim_error", "claim_unsupported"),
    "claim_unverifiable",
)
_MOST_ROWS: Final = 200


def report_claims(context: ReportContext) -> Section:
    """Return the section of counts and rates per contestant and side, and the false claims."""
    if not any(one.claims for one in context.matches):
        return context.section("claims", context.missing("claims"))
    return context.section("claims", _counts(context), _false_claims(context))


def _counts(context: ReportContext) -> Table:
    found: dict[tuple[str, str], list[AuditedClaim]] = defaultdict(list)
    for match in context.matches:
        for claim in match.claims:
            faction = match.started.part(claim.seat).faction
            found[match.contestant(claim.seat), faction].append(claim)
    rates = [name for name in RATES if name in METRICS]
    rows: list[tuple[Cell, ...]] = []
    for (name, faction), claims in sorted(found.items()):
        counts = Counter(claim.category for claim in claims)
        rows.append(
            (
                *(context.display_name(name), context.faction(faction), len(claims)),
                *(counts[category] for category in get_args(Category)),
                *(
                    figure_cell(
                        find_figure(context.figures, rate, contestant=name, faction=faction)
                    )
                    for rate in rates
                ),
            )
        )
    return Table(
        name="claims",
        title=context.say("table.claims"),
        columns=(
            *(context.column(key, "left") for key in ("contestant", "faction")),
            context.column("claims"),
            *(
                replace(context.column(f"claim_{category}"), key=f"count_{category}")
                for category in get_args(Category)
            ),
            *map(context.metric_column, rates),
        ),
        rows=tuple(rows),
        note=context.say("note.claims"),
    )


def _false_claims(context: ReportContext) -> Table:
    found = [
        (match, claim)
        for match in context.matches
        for claim in match.claims
        if claim.category in FALSE
    ]
    found.sort(key=lambda one: -_weigh(*one))
    rows: list[tuple[Cell, ...]] = [
        (
            match.place,
            claim.seat,
            context.display_name(match.contestant(claim.seat)),
            context.faction(match.started.part(claim.seat).faction),
            context.say(f"claim.{claim.category}"),
            context.say("word.yes" if claim.caught else "word.no"),
            claim.text,
        )
        for match, claim in found[:_MOST_ROWS]
    ]
    return Table(
        name="false_claims",
        title=context.say("table.false_claims", shown=len(rows), all=len(found)),
        columns=tuple(
            context.column(key, "left")
            for key in ("match", "seat", "contestant", "faction", "category", "caught", "claim")
        ),
        rows=tuple(rows),
        note=context.say("note.false_claims"),
        folded=True,
    )


def _weigh(match: MatchFacts, claim: AuditedClaim) -> int:
    is_murderer = match.started.part(claim.seat).faction == "murderer"
    return weigh_claim(claim, match.people.get(claim.seat, ""), is_murderer=is_murderer)
