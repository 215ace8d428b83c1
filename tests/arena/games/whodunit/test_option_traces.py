"""Every value of every option changes what is asked, seen, decided or told."""

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import combinations
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from arena.core.actions import Action, Reply, fill
from arena.core.events import MatchEnded, VotesTallied
from arena.core.observation import observe
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, Form, spec_fields, variants
from arena.core.state import MatchState, pending
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from scripts_mm.script import ScriptError
from tests.table import (
    NAMES,
    act,
    begin,
    case,
    setup,
)

pytestmark = pytest.mark.slow

ADA, BRAM, CLEO, DIRK, EDDA = NAMES
NUMBERS: dict[str, tuple[int | None, ...]] = {
    "rounds": (1, 2, 3),
    "revotes": (1, 2, 3),
    "speech_words": (80, 150, 250),
    "attempts": (1, 2, 3),
    "max_chars": (10, 4000),
    "max_faults": (None, 0, 2),
}
NEEDED: dict[str, dict[str, Any]] = {
    "base": {"quorum": "half"},
    "quorum": {"base": "cast"},
    "revotes": {"tie": "revote"},
    "revote_then": {"tie": "revote"},
}
"""Options without which an option has no meaning."""
ONLY_TOLD = {"speech_words"}
"""Options that change no rule, only what seats are told."""
BALLOTS = (
    {ADA: CLEO, BRAM: CLEO, CLEO: ADA, DIRK: ADA, EDDA: "abstain"},
    {ADA: BRAM, BRAM: ADA, CLEO: BRAM, DIRK: ADA, EDDA: "abstain"},
    {ADA: CLEO, BRAM: CLEO, CLEO: "abstain", DIRK: "abstain", EDDA: "abstain"},
    {ADA: CLEO, BRAM: CLEO, CLEO: BRAM, DIRK: ADA, EDDA: DIRK},
)
"""A tie with the murderer, one without, two votes alone, most but not half."""


def values_of(name: str) -> tuple[Any, ...]:
    hint = get_type_hints(WhodunitOptions)[name]
    if get_origin(hint) is Literal:
        return get_args(hint)
    return (False, True) if hint is bool else NUMBERS[name]


OPTIONS = tuple(one.name for one in fields(WhodunitOptions))


def trace(options: WhodunitOptions) -> list[str]:
    """Return all that seats were asked and observed, in matches of several kinds."""
    found: list[str] = []
    for ballots in BALLOTS:
        found += lines_of(options, lambda one, ballots=ballots: answer(one, ballots))
    found += lines_of(options, sulk)
    found += lines_of(options, lambda one: answer(one, BALLOTS[0]), culprits=(CLEO, EDDA))
    return found


def lines_of(
    options: WhodunitOptions,
    decide: Callable[[DecisionRequest], Action | None],
    culprits: tuple[str, ...] = (CLEO,),
) -> list[str]:
    try:
        state = begin(setup(options, script=case(culprits=culprits)))
    except ScriptError as error:
        return [str(error)]
    found = [""]
    while waiting := pending(state):
        found.append(look(state, waiting))
        state = act(state, waiting[0], decide(waiting[0]))
    return [*found, *(repr(e) for e in state.history if isinstance(e, VotesTallied | MatchEnded))]


def look(state: MatchState, waiting: tuple[DecisionRequest, ...]) -> str:
    """Return the pending requests and all observations, without the options themselves."""
    seen = [replace(observe(state, SeatId(name)), options=BASE) for name in NAMES]
    return repr((waiting, [(one.role, one.clues, one.events) for one in seen]))


BASE = WhodunitOptions()


def answer(request: DecisionRequest, ballots: dict[str, str]) -> Action:
    if request.kind == "vote":
        choice = ballots[request.seat]
        form = request.spec
        options = next(
            field.spec.options
            for field in spec_fields(variants(form)[0].spec)
            if isinstance(field.spec, Choice)
        )
        choice = choice if choice in options else "abstain"
        return fill(reason="Because.", vote=choice) if isinstance(form, Form) else pick(choice)
    [variant] = variants(request.spec)
    return Reply(
        values=tuple(
            (one.name, one.spec.options[0] if isinstance(one.spec, Choice) else f"{one.name} words")
            for one in spec_fields(variant.spec)
        )
    )


def pick(choice: str) -> Reply:
    return Reply(values=(("choice", choice),))


def sulk(request: DecisionRequest) -> Action | None:
    """Answer wrongly or too late at times."""
    if request.phase == "introduction":
        return Reply(values=()) if request.seat != ADA else None
    return answer(request, BALLOTS[0])


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_an_option_changes_a_match(name: str) -> None:
    needed = NEEDED.get(name, {})
    values = values_of(name)
    assert len(values) > 1
    found = {
        repr(value): told(WhodunitOptions(**needed, **{name: value}))
        if name in ONLY_TOLD
        else trace(WhodunitOptions(**needed, **{name: value}))
        for value in values
    }
    for one, other in combinations(found, 2):
        assert found[one] != found[other], f"{name}: {one} and {other} are the same"


def told(options: WhodunitOptions) -> list[str]:
    """Return the instructions of a match."""
    state = begin(setup(options))
    found: list[str] = []
    while waiting := pending(state):
        texts = WHODUNIT.texts(observe(state, waiting[0].seat))
        found.append(texts.instruction(waiting[0]))
        state = act(state, waiting[0], answer(waiting[0], BALLOTS[0]))
    return found


def test_every_option_has_values_to_try_and_every_number_is_an_option() -> None:
    hints = get_type_hints(WhodunitOptions)
    counted = {name for name in OPTIONS if hints[name] in (int, int | None)}
    assert set(NUMBERS) == counted
    assert NEEDED.keys() <= set(OPTIONS)
    for name in OPTIONS:
        assert getattr(BASE, name) in values_of(name), f"the default of {name} is tried"
