"""Any event that the types allow, for round trips."""

from dataclasses import fields
from typing import Any, get_args

from hypothesis import strategies as st

from arena.core import actions, events, requests, seats, specs
from arena.core.events import Event, MatchEnded, MatchStarted
from tests.arena.records.live import options

_PARTS: tuple[type[Any], ...] = (
    actions.Reply,
    actions.Skip,
    requests.ActionError,
    requests.DecisionRequest,
    seats.SeatPart,
    specs.Field,
    specs.Form,
    specs.FreeText,
    specs.OneOf,
    specs.Variant,
    events.VictimResult,
)
_FINITE = st.floats(allow_nan=False, allow_infinity=False)


def register() -> None:
    """Let every field of an event vary, optional ones included."""
    st.register_type_strategy(
        specs.Choice,
        st.lists(st.text(), min_size=1, max_size=4, unique=True).map(
            lambda texts: specs.Choice(options=tuple(texts))
        ),
    )
    st.register_type_strategy(float, _FINITE)
    for part in _PARTS:
        st.register_type_strategy(part, _build(part))


def any_event(kind: type[Event]) -> st.SearchStrategy[Event]:
    """Return any event of one kind."""
    if kind is MatchStarted:
        return _build(kind, options=options(), game=st.just("whodunit"))
    return _build(kind)


def kinds() -> tuple[type[Event], ...]:
    """Return every kind of event."""
    return get_args(Event)


def _build(kind: type[Any], **special: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inferred: dict[str, Any] = {one.name: ... for one in fields(kind)}
    return st.builds(kind, **{**inferred, **special})


register()
assert MatchEnded in kinds()
