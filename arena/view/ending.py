"""Ending of a match: the result, and the truth."""

from arena.core.events import MatchEnded
from arena.view.items import EndItem
from arena.view.match_view import MatchView
from arena.view.sanitize import sanitize_line


def describe_end(view: MatchView, event: MatchEnded) -> EndItem:
    """Return the ending; a match that broke off can be resumed, so the truth stays hidden."""
    lines = _result(view, event)
    if event.outcome == "error":
        return EndItem(lines=lines, facts=(), truth=())
    guilty = ("guilty", view.names(event.murderers))
    return EndItem(lines=lines, facts=(guilty, *_standing(view, event)), truth=_truth(view))


def _result(view: MatchView, event: MatchEnded) -> tuple[str, ...]:
    """Return the result in the game's words; forfeits and errors have the platform's words."""
    if event.outcome not in {"forfeit", "error"} and (
        lines := tuple(view.texts().result(view.state))
    ):
        return lines
    sentence = view.messages.outcomes[event.outcome]
    return (sentence.format(seat=sanitize_line(event.forfeit_seat or ""), cause=event.cause),)


def _standing(view: MatchView, event: MatchEnded) -> tuple[tuple[str, str], ...]:
    """Return the winners, unless the result says that one side won, and the ranking."""
    ranking = tuple(f"{sanitize_line(seat)} {score:g}" for seat, score in event.ranking)
    started = view.state.started
    sides = ((), started.members("civilians"), started.murderers)
    rows = (
        ("winners", "" if event.winners in sides else view.names(event.winners)),
        ("ranking", view.messages.join(ranking)),
    )
    return tuple((name, text) for name, text in rows if text)


def _truth(view: MatchView) -> tuple[tuple[str, str], ...]:
    heads, truth = view.messages.heads, view.state.script.truth
    if truth.text:
        return ((heads["truth"], truth.text),)
    parts = ((heads["method"], truth.method), (heads["motive"], truth.motive))
    rows = tuple((name, text) for name, text in parts if text)
    return ((heads["truth"], ""), *rows) if rows else ()
