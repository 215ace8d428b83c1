"""Outcomes in words: winners, uncounted outcomes, and the accuracy of readers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.cli.rendering.formatting import format_percent
from arena.core.game import ReferenceGame
from arena.games.game_registry import all_games
from arena.records.match_summary import MatchSummary
from arena.view.i18n.messages import Messages
from arena.view.sanitize import sanitize_line

_UNDECIDED = frozenset({"error", "forfeit"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderVote:
    """One vote about one victim, of a seat that did not kill it."""

    reader: str
    """Contestant of the seat."""
    is_right: bool


def is_reference(summary: MatchSummary) -> bool:
    """Tell whether a match is a reference row: one without opponents."""
    return isinstance(all_games().get(summary.game), ReferenceGame)


def votes_by_victim(summary: MatchSummary) -> Mapping[str, Mapping[str, str]]:
    """Return the votes by victim; of one vote for all, with an empty name."""
    return summary.victim_votes or {"": summary.votes}


def reader_votes(summary: MatchSummary) -> Iterator[ReaderVote]:
    """Yield the votes of a reference row; those on a victim that no seat killed do not count."""
    for victim, votes in votes_by_victim(summary).items():
        killers = summary.killers.get(victim, summary.truth)
        for seat, choice in votes.items() if killers else ():
            if seat not in killers:
                reader = summary.murderer if seat in summary.truth else summary.civilians
                yield ReaderVote(reader=reader, is_right=choice in killers)


def accuracy_text(votes: list[ReaderVote], messages: Messages) -> str:
    """Return how many of `votes` name a killer of their victim."""
    right = sum(vote.is_right for vote in votes)
    return messages.accuracy.format(share=format_percent(right, len(votes)), n=len(votes))


def outcome_sentence(summary: MatchSummary, messages: Messages) -> str:
    """Return a match's outcome as a sentence."""
    if summary.outcome not in _UNDECIDED and is_reference(summary):
        accuracy = accuracy_text(list(reader_votes(summary)), messages)
        return messages.reference_sentence.format(accuracy=accuracy)
    if summary.uncounted:
        return messages.uncounted_sentence.format(cause=sanitize_line(summary.uncounted))
    return messages.outcomes[summary.outcome].format(
        seat=sanitize_line(summary.forfeit_seat or ""), cause=sanitize_line(summary.error_cause)
    )


def outcome_label(summary: MatchSummary, messages: Messages) -> str:
    """Return a match's outcome in a word or two, for rows."""
    if summary.outcome not in _UNDECIDED and is_reference(summary):
        return messages.reference
    return messages.uncounted if summary.uncounted else messages.labels[summary.outcome]
