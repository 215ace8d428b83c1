"""The claim audit: what seats said of the case, checked against the fact table."""

from collections import Counter, defaultdict
from typing import Final, get_args

from eval.claims.rows import Category, Claim
from eval.metrics.catalogue import METRICS
from eval.report.context import Context, find, measured
from eval.report.values import Cell, Section, Table

RATES: Final = (
    *("claim_lie", "claim_lie_caught", "claim_error", "claim_unsupported"),
    "claim_unverifiable",
)
_MOST_ROWS: Final = 200


def report_claims(context: Context) -> Section:
    """Return counts and rates a contestant and side, and the claims that are false."""
    if not any(one.claims for one in context.matches):
        return context.section("claims", context.missing("claims"))
    return context.section("claims", _counts(context), _false(context))


def _counts(context: Context) -> Table:
    found: dict[tuple[str, str], list[Claim]] = defaultdict(list)
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
                *(context.name(name), context.faction(faction), len(claims)),
                *(counts[category] for category in get_args(Category)),
                *(
                    measured(find(context.figures, rate, contestant=name, faction=faction))
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
            *(context.column(f"claim_{category}") for category in get_args(Category)),
            *map(context.metric_column, rates),
        ),
        rows=tuple(rows),
        note=context.say("note.claims"),
    )


def _false(context: Context) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            match.place,
            claim.seat,
            context.name(match.contestant(claim.seat)),
            context.say(f"claim.{claim.category}"),
            context.say("word.yes" if claim.caught else "word.no"),
            claim.text,
        )
        for match in context.matches
        for claim in match.claims
        if claim.category in {"lie", "error"}
    ]
    return Table(
        name="false_claims",
        title=context.say("table.false_claims", shown=min(len(rows), _MOST_ROWS), all=len(rows)),
        columns=tuple(
            context.column(key, "left")
            for key in ("match", "seat", "contestant", "category", "caught", "claim")
        ),
        rows=tuple(rows[:_MOST_ROWS]),
        folded=True,
    )
