"""Requests of the game: the action spec of each kind."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from arena.core.purposes import OVER_VARIANT, SKIP_VARIANT, TALK_VARIANT, TARGET, Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, TEXT, ActionSpec, Field, Form, FreeText, OneOf, Variant
from arena.core.state import MatchState
from arena.games.shared.speech import order_choices
from arena.games.werewolf5.moments import DAY, GREETING, NIGHT, VOTING, day_of

Kind = Literal["greet", "speak", "divine", "attack", "vote"]
_PURPOSES: Mapping[Kind, Purpose] = MappingProxyType(
    {
        "greet": Purpose.INTRODUCE,
        "speak": Purpose.SPEAK,
        "divine": Purpose.POWER,
        "attack": Purpose.POWER,
        "vote": Purpose.VOTE,
    }
)
_PHASES: Mapping[Kind, str] = MappingProxyType(
    {"greet": GREETING, "speak": DAY, "divine": NIGHT, "attack": NIGHT, "vote": VOTING}
)


def request_of(
    state: MatchState, kind: Kind, seat: SeatId, number: int, among: tuple[SeatId, ...]
) -> DecisionRequest:
    """Return the request to `seat`; its options are the seats `among`, without itself.

    `number`: that of the turn of the talk, the ballot or the night.
    """
    options = state.started.options
    when = f"{DAY}-{day_of(state)}/turn-{number}" if kind == "speak" else f"{kind}-{number}"
    name = f"{when}/{seat}"
    return DecisionRequest(
        id=name,
        seat=seat,
        kind=kind,
        purpose=_PURPOSES[kind],
        phase=_PHASES[kind],
        round=number,
        spec=_spec(state, kind, name, tuple(one for one in among if one != seat)),
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def _spec(state: MatchState, kind: Kind, request: str, others: tuple[SeatId, ...]) -> ActionSpec:
    match kind:
        case "greet":
            return FreeText()
        case "speak":
            return _talk(state, request, others)
        case "divine" | "attack":
            return order_choices(state, others, request, is_vote=False)
        case "vote":
            return order_choices(state, (*others, ABSTAIN), request, is_vote=True)


def _talk(state: MatchState, request: str, others: tuple[SeatId, ...]) -> OneOf:
    """Return the spec of a turn of the talk: a speech, optionally addressed to one seat."""
    addressed = order_choices(state, others, request, is_vote=False)
    talk = Form(
        fields=(
            Field(name=TEXT, spec=FreeText()),
            Field(name=TARGET, spec=addressed, optional=True),
        )
    )
    return OneOf(
        variants=(
            Variant(name=TALK_VARIANT, spec=talk),
            Variant(name=SKIP_VARIANT, spec=Form(fields=())),
            Variant(name=OVER_VARIANT, spec=Form(fields=())),
        )
    )
