"""Sums over matches: a row a pair of contestants, outcomes kept apart (METRICS 1.1)."""

from collections import Counter
from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from arena.cli.rendering.layout import Block
from arena.cli.rendering.formatting import format_percent
from arena.cli.console.sanitize import sanitize_line
from arena.cli.i18n.messages import Messages
from arena.core.events import Outcome
from arena.records.summary import MatchSummary

_PLAYED: tuple[Outcome, ...] = ("civ_win", "murderer_win", "draw")


def render_standings(summaries: Sequence[MatchSummary], words: Messages) -> tuple[RenderableType, ...]:
    """Return what came of each pair. Forfeits and errors enter no rate and are always told."""
    pairs: dict[tuple[str, str], list[MatchSummary]] = {}
    for summary in summaries:
        pairs.setdefault((summary.civilians, summary.murderer), []).append(summary)
    return tuple(block for rows in pairs.values() for block in _pair(rows, words))


def _pair(summaries: list[MatchSummary], words: Messages) -> tuple[RenderableType, ...]:
    counts: Counter[Outcome] = Counter(summary.outcome for summary in summaries)
    civilians, murderer = sanitize_line(summaries[0].civilians), sanitize_line(summaries[0].murderer)
    title = words.pair.format(civilians=civilians, murderer=murderer)
    served = dict.fromkeys(m for summary in summaries for m in summary.model_served.values())
    strange = tuple(sanitize_line(model) for model in served if model not in {civilians, murderer})
    rows = [words.join(tuple(f"{words.labels[name]} {counts[name]}" for name in _PLAYED))]
    if any(counts[name] for name in _PLAYED):
        rows.append(_rate(counts, words))
    rows.append(words.apart.format(forfeits=counts["forfeit"], errors=counts["error"]))
    if strange:
        rows.append(words.served.format(model=words.join(strange)))
    return (
        Block(head=Text(title, style="bold")),
        *(Block(head=Text("  "), body=row) for row in rows),
    )


def _rate(counts: Counter[Outcome], words: Messages) -> str:
    played = sum(counts[name] for name in _PLAYED)
    decided, wins = played - counts["draw"], counts["civ_win"]
    if decided in {0, played}:
        return words.rate.format(share=format_percent(wins, played), n=played)
    return words.rate_draws.format(
        share=format_percent(wins, played), n=played, decided=format_percent(wins, decided), of=decided
    )
