"""What a match is expected to take, against matches that were really played."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.events import RequestsOpened
from arena.core.options import speech_limit
from arena.core.seats import SeatId
from arena.core.specs import Choice, FreeText, spec_fields, variants
from arena.core.state import MatchState
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import PRESETS, WhodunitOptions
from arena.models.chat import Completion, Message, Request
from arena.players.contestants import read_contestant
from arena.players.model_limits import ModelLimits, Overflow, PictureMode
from arena.players.roster import make_player
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop
from arena.run.prompt_estimates import MatchEstimate, estimate_match, prompt_tokens
from tests.table import (
    MURDERER,
    NAMES,
    begin,
    case,
    setup,
)

SEATS = tuple(SeatId(name) for name in NAMES)

DIRECT = read_contestant("m+direct")
FRAME = 8
PICTURE = 1024
CHOICES: dict[str, WhodunitOptions] = {
    **{f"preset {name}": WhodunitOptions(**values) for name, values in PRESETS.items()},  # pyright: ignore[reportArgumentType]
    "two asks": WhodunitOptions(duties="two_asks"),
    "two asks, batched": WhodunitOptions(duties="two_asks", answers="batched"),
    "conclusions unheard": WhodunitOptions(reasoning="secret"),
    "one vote after the other": WhodunitOptions(vote="open"),
    "reasons": WhodunitOptions(vote_with_reason=True, vote="open"),
    "clues dealt": WhodunitOptions(clues="owner"),
    "clues for civilians": WhodunitOptions(clues="civilians", pictures="caption"),
    "shuffled": WhodunitOptions(order="shuffled", option_order="shuffled", rounds=2),
    "long": WhodunitOptions(rounds=6, speech_words=400),
}


def count(messages: Sequence[Message]) -> int:
    """Count a token a word, and a large number a picture."""
    return sum(FRAME + len(m.text.split()) + PICTURE * (m.picture is not None) for m in messages)


LIMITS = ModelLimits(reply_tokens=1024, context_tokens=None, count=count, exact=True)


class ExpectedModel:
    """Answers as the estimate expects: with speeches of exactly the assumed length."""

    def __init__(self, estimate: MatchEstimate) -> None:
        self._estimate = estimate
        limit = speech_limit(estimate.options, "en")
        self._speech = min(round(limit * 1.47), LIMITS.reply_tokens)
        self.headers: dict[str, int] = {}
        self.most: dict[str, int] = {}
        """By seat: tokens of its longest prompt with the reply."""

    async def complete(self, request: Request) -> Completion:
        """Return the reply and note the length of the prompt."""
        seat = request.call_id.seat
        is_thought = request.call_id.kind == "thought"
        text = words(256) if is_thought else self._reply(request)
        self.headers[seat] = count(request.messages[:2])
        tokens = count((*request.messages, Message(role="assistant", text=text)))
        self.most[seat] = max(self.most.get(seat, 0), tokens)
        return Completion(
            text=text,
            finish="stop",
            prompt_tokens=count(request.messages),
            output_tokens=len(text.split()),
            cached_tokens=None,
            seconds=0.0,
        )

    def _reply(self, request: Request) -> str:
        fields = spec_fields(variants(self._estimate.specs[request.call_id.request])[0].spec)
        weights = [one.spec.weight for one in fields if isinstance(one.spec, FreeText)]
        heaviest = weights.count(max(weights, default=1)) * max(weights, default=1)
        values = {
            one.name: pick(one.spec, request.call_id.seat, alone=len(fields) == 1)
            if isinstance(one.spec, Choice)
            else words(round(self._speech * one.spec.weight / heaviest))
            for one in fields
        }
        return json.dumps(values) if len(values) > 1 else next(iter(values.values()))


def words(number: int) -> str:
    return " ".join(["word"] * number)


def pick(choice: Choice, seat: str, *, alone: bool) -> str:
    """Return the seat after its own in a form, and the first one in a vote."""
    start = 0 if alone else NAMES.index(seat) + 1
    return next(name for name in (*NAMES[start:], *NAMES) if name in choice.options)


def play(
    estimate: MatchEstimate, options: WhodunitOptions, contestant: str = "m+direct"
) -> tuple[MatchState, ExpectedModel]:
    """Play the expected match with real players."""
    model, who = ExpectedModel(estimate), read_contestant(contestant)
    loop = MatchLoop(
        game=WHODUNIT,
        seats={
            seat: SeatBinding(player=make_player(who, model, LIMITS), health=None) for seat in SEATS
        },
        control=TurnControl(deadline=60.0),
        sink=lambda steps: None,
    )
    return asyncio.run(loop.run(begin(setup(options, seed=0)))), model


@pytest.mark.slow
@pytest.mark.parametrize("options", CHOICES.values(), ids=CHOICES)
def test_the_longest_prompt_of_each_seat_is_estimated_within_a_few_percent(
    options: WhodunitOptions,
) -> None:
    estimate = estimate_match(WHODUNIT, case(), options)
    state, model = play(estimate, options)
    assert state.ended is not None
    assert state.ended.outcome not in {"forfeit", "error"}
    for seat in SEATS:
        found = estimate.seat(seat, DIRECT, LIMITS)
        assert found.header == model.headers[seat]
        assert found.rest == pytest.approx(model.most[seat] - found.header, rel=0.03)


@pytest.mark.parametrize("contestant", ["m+cot", "m+cot:keep_thought=no"])
def test_thoughts_are_estimated_where_they_stay_in_the_prompt(contestant: str) -> None:
    options = WhodunitOptions(duties="two_asks", introductions="together")
    estimate = estimate_match(WHODUNIT, case(), options)
    seat = estimate.seat(SEATS[0], read_contestant(contestant), LIMITS)
    plain = estimate.seat(SEATS[0], DIRECT, LIMITS)
    requests = len(estimate.seat_requests[SEATS[0]].requests)
    assert seat.rest - plain.rest == (0 if "keep_thought" in contestant else 256 * requests)


@pytest.mark.slow
@pytest.mark.parametrize("options", CHOICES.values(), ids=CHOICES)
def test_the_expected_requests_are_those_of_a_match_without_faults_and_revotes(
    options: WhodunitOptions,
) -> None:
    estimate = estimate_match(WHODUNIT, case(), options)
    state, _ = play(estimate, options)
    opened = [
        request
        for event in state.history
        if isinstance(event, RequestsOpened)
        for request in event.requests
    ]
    assert estimate.requests == len(opened)
    for seat in SEATS:
        expected = sorted(request.id for request in estimate.seat_requests[seat].requests)
        assert expected == sorted(request.id for request in opened if request.seat == seat)


def test_every_seat_is_estimated_on_its_own_side() -> None:
    estimate = estimate_match(WHODUNIT, case(), WhodunitOptions())
    assert estimate.seats(murderer=True) == (MURDERER,)
    assert set(estimate.seats(murderer=False)) == {*SEATS} - {MURDERER}


def test_a_seat_that_is_never_asked_takes_its_header_and_a_reading_alone() -> None:
    estimate = estimate_match(WHODUNIT, case(), WhodunitOptions())
    silent = replace(estimate, seat_requests={})
    found = silent.seat(SEATS[0], DIRECT, LIMITS)
    assert (found.header, found.rest) == (count(estimate.headers[SEATS[0]]), 0)


def small(
    budget: int,
    *,
    overflow: Overflow | None = None,
    mode: PictureMode = "notes",
    reply_tokens: int = 64,
) -> ModelLimits:
    return replace(
        LIMITS,
        reply_tokens=reply_tokens,
        context_tokens=4096,
        picture_mode=mode,
        overflow=overflow,
        context_budget=budget,
    )


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.integers(100, 5000),
    st.sampled_from([None, "retrieve", "summarise", "drop_oldest"]),
    st.sampled_from(["inline", "notes", "board"]),
)
def test_no_seat_takes_more_of_a_server_than_its_budget(
    budget: int, overflow: Overflow | None, mode: PictureMode
) -> None:
    limits = small(budget, overflow=overflow, mode=mode, reply_tokens=20)
    for seat in ESTIMATE.headers:
        found = ESTIMATE.seat(seat, DIRECT, limits)
        assert 0 < found.header + found.rest <= budget
        assert found.header in {0, prompt_tokens(limits, ESTIMATE.headers[seat])}


ESTIMATE = estimate_match(WHODUNIT, case(), WhodunitOptions())


def test_a_beginning_that_is_rewritten_is_not_shared() -> None:
    seat = SEATS[0]
    header = prompt_tokens(small(4096), ESTIMATE.headers[seat])
    whole = replace(small(0), context_tokens=None)
    assert ESTIMATE.seat(seat, DIRECT, whole).header == header
    expected: tuple[tuple[int, Overflow, int], ...] = (
        (header + 100, "drop_oldest", header),
        (header + 100, "summarise", 0),
        (header + 100, "retrieve", 0),
        (header, "drop_oldest", 0),
    )
    for budget, overflow, found in expected:
        limits = small(budget, overflow=overflow)
        assert ESTIMATE.seat(seat, DIRECT, limits).header == found


def test_notes_of_pictures_take_less_than_pictures_and_at_least_one_reading() -> None:
    estimate = estimate_match(WHODUNIT, case(), WhodunitOptions(rounds=1, speech_words=10))
    seat, whole = SEATS[0], replace(LIMITS, reply_tokens=20)
    inline = estimate.seat(seat, DIRECT, whole).rest
    notes = estimate.seat(seat, DIRECT, replace(whole, picture_mode="notes")).rest
    assert inline > notes >= PICTURE + 20
