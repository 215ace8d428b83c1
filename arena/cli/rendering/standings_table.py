"""Standings: one row per pair of contestants, with separate outcomes."""

from collections import Counter
from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from arena.cli.rendering.formatting import format_percent
from arena.cli.rendering.layout import Block
from arena.cli.rendering.outcomes import ReaderVote, accuracy_text, is_reference, reader_votes
from arena.core.events import Outcome
from arena.records.match_summary import MatchSummary
from arena.view.i18n.messages import Messages
from arena.view.sanitize import sanitize_line

_PLAYED: tuple[Outcome, ...] = ("civ_win", "murderer_win", "draw")


def render_standings(
    summaries: Sequence[MatchSummary], messages: Messages
) -> tuple[RenderableType, ...]:
    """Return the results of each pair.

    Outcomes outside the win rate are always listed: forfeits, errors, and a draw without a vote.
    Reference rows have no winner; each reader has a rate of correct votes.
    """
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
    models = dict.fromkeys(m for summary in summaries for m in summary.model_served.values())
    served = tuple(sanitize_line(model) for model in models if model not in {civilians, murderer})
    if is_reference(summaries[0]):
        readers = messages.join(tuple(dict.fromkeys((civilians, murderer))))
        title = messages.reference_title.format(readers=readers)
        rows = _accuracies(summaries, messages)
    else:
        title = messages.pair.format(civilians=civilians, murderer=murderer)
        rows = _results(summaries, messages)
    rows.append(messages.apart.format(forfeits=counts["forfeit"], errors=counts["error"]))
    if served:
        rows.append(messages.served.format(model=messages.join(served)))
    return (
        Block(head=Text(title, style="bold")),
        *(Block(head=Text("  "), body=row) for row in rows),
    )


def _accuracies(summaries: list[MatchSummary], messages: Messages) -> list[str]:
    """Return for each reader how often it names a killer, of its votes in all completed rows."""
    votes: dict[str, list[ReaderVote]] = {}
    for summary in summaries:
        if summary.outcome in _PLAYED:
            for vote in reader_votes(summary):
                votes.setdefault(vote.reader, []).append(vote)
    return [
        f"{sanitize_line(reader)}{messages.colon}{accuracy_text(own, messages)}"
        for reader, own in votes.items()
    ]


def _results(summaries: list[MatchSummary], messages: Messages) -> list[str]:
    """Return the outcomes of the matches, the win rate, and what it leaves out and why."""
    counts: Counter[Outcome] = Counter(one.outcome for one in summaries if not one.uncounted)
    causes = Counter(one.uncounted for one in summaries if one.uncounted)
    rows = [messages.join(tuple(f"{messages.labels[name]} {counts[name]}" for name in _PLAYED))]
    if any(counts[name] for name in _PLAYED):
        rows.append(_rate(counts, messages))
    for cause, n in causes.items():
        rows.append(messages.not_in_rate.format(n=n, cause=sanitize_line(cause)))
    return rows


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
