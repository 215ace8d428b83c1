"""Standings: one row a pair of contestants, with separate outcomes."""

from collections import Counter
from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from arena.cli.console.sanitize import sanitize_line
from arena.cli.i18n.messages import Messages
from arena.cli.rendering.formatting import format_percent
from arena.cli.rendering.layout import Block
from arena.core.events import Outcome
from arena.records.summary import MatchSummary

_PLAYED: tuple[Outcome, ...] = ("civ_win", "murderer_win", "draw")


def render_standings(
    summaries: Sequence[MatchSummary], messages: Messages
) -> tuple[RenderableType, ...]:
    """Return the results of each pair. Forfeits and errors enter no rate and are always named."""
    pairs: dict[tuple[str, str], list[MatchSummary]] = {}
    for summary in summaries:
        pairs.setdefault((summary.civilians, summary.murderer), []).append(summary)
    return tuple(block for rows in pairs.values() for block in _pair(rows, messages))


def _pair(summaries: list[MatchSummary], messages: Messages) -> tuple[RenderableType, ...]:
    counts: Counter[Outcome] = Counter(summary.outcome for summary in summaries)
    civilians, murderer = (
        sanitize_line(summaries[0].civilians),
        sanitize_line(summaries[0].murderer),
    )
    title = messages.pair.format(civilians=civilians, murderer=murderer)
    models = dict.fromkeys(m for summary in summaries for m in summary.model_served.values())
    served = tuple(sanitize_line(model) for model in models if model not in {civilians, murderer})
    rows = [messages.join(tuple(f"{messages.labels[name]} {counts[name]}" for name in _PLAYED))]
    if any(counts[name] for name in _PLAYED):
        rows.append(_rate(counts, messages))
    rows.append(messages.apart.format(forfeits=counts["forfeit"], errors=counts["error"]))
    if served:
        rows.append(messages.served.format(model=messages.join(served)))
    return (
        Block(head=Text(title, style="bold")),
        *(Block(head=Text("  "), body=row) for row in rows),
    )


def _rate(counts: Counter[Outcome], messages: Messages) -> str:
    played = sum(counts[name] for name in _PLAYED)
    decided, wins = played - counts["draw"], counts["civ_win"]
    if decided in {0, played}:
        return messages.rate.format(share=format_percent(wins, played), n=played)
    return messages.rate_draws.format(
        share=format_percent(wins, played),
        n=played,
        decided=format_percent(wins, decided),
        of=decided,
    )
