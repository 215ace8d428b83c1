"""What is projected for a match is what a match played by the rules really holds."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import (
    Action,
    Ask,
    Choose,
    Conclude,
    Question,
    SeatId,
    ShareAndAsk,
    Speak,
    Verb,
)
from arena.core.asking import asks
from arena.core.events import Asked, Began, Concluded, Spoke, Voted
from arena.core.options import Options
from arena.core.rules import decide
from arena.core.state import fold
from arena.core.views import View, view
from arena.schedule.projection import Sizes, Speeches, clue_tokens, peak, speeches, usual_sizes
from tests.core.test_rules import OPTIONS
from tests.schedule.reference import UNHURRIED
from tests.table import MURDERER, NAMES, begin, case, setup

SEATS = tuple(SeatId(name) for name in NAMES)
VERBS: tuple[Verb, ...] = (
    "introduce",
    "speak",
    "share_and_ask",
    "ask",
    "answer",
    "conclude",
    "vote",
)


def answer(ask: Ask) -> Action:
    """Do as asked; question the seat after the own one, and vote so that there is no tie."""
    after = SEATS[(SEATS.index(ask.seat) + 1) % len(SEATS)]
    match ask.verb:
        case "introduce" | "speak" | "answer":
            return Speak(text="words")
        case "share_and_ask":
            return ShareAndAsk(share="words", target=after, question="why?")
        case "ask":
            return Question(target=after, text="why?")
        case "conclude":
            return Conclude(method="how", motive="why")
        case "vote" | "ballot" | "quiz":
            return Choose(option=ask.options[0], reason="because")


def played(options: Options) -> tuple[dict[SeatId, Counter[Verb]], dict[SeatId, View]]:
    """Play by the rules; return who was asked for what, and what each saw at its last ask."""
    state = begin(setup(options))
    said: dict[SeatId, Counter[Verb]] = {seat: Counter() for seat in SEATS}
    last: dict[SeatId, View] = {}
    while pending := asks(state):
        seen = {ask.seat: view(state, ask.seat) for ask in pending}
        last |= seen
        for ask in pending:
            said[ask.seat][ask.verb] += 1
            for event in decide(state, ask, answer(ask)):
                state = fold(state, event)
    return said, last


def heard(seen: View) -> Counter[Verb]:
    counts: Counter[Verb] = Counter()
    for event in seen.heard:
        match event:
            case Spoke(seat=seat, verb=verb) if seat != seen.seat:
                counts[verb] += 1
            case Asked(seat=seat) if seat != seen.seat:
                counts["ask"] += 1
            case Concluded(seat=seat) if seat != seen.seat:
                counts["conclude"] += 1
            case Voted(seat=seat) if seat != seen.seat:
                counts["vote"] += 1
            case _:
                pass
    return counts


@UNHURRIED
@given(options=OPTIONS)
def test_each_seat_does_and_hears_what_the_rules_let_it_do_and_hear(options: Options) -> None:
    options = replace(options, order="script")
    said, last = played(options)
    counted = speeches(options, SEATS, [SeatId(MURDERER)])
    for seat in SEATS:
        one = counted[seat]
        assert Counter(dict(one.said)) == said[seat]
        assert Counter(dict(one.heard)) == heard(last[seat])
        assert one.host == sum(isinstance(event, Began) for event in last[seat].heard)


@UNHURRIED
@given(options=OPTIONS)
def test_each_seat_is_shown_the_clues_that_the_rules_show_it(options: Options) -> None:
    _, last = played(options)
    shown = {seat: clue_tokens(case(), options, seat, lambda clue: 1) for seat in SEATS}
    if options.clues == "owner":
        assert sum(shown.values()) >= sum(len(last[seat].clues) for seat in SEATS)
        assert all(shown[seat] == 1 + (seat == NAMES[1]) for seat in SEATS)
    else:
        assert shown == {seat: len(last[seat].clues) for seat in SEATS}


def test_a_peak_is_the_sum_of_all_that_stands_in_the_log() -> None:
    sizes = Sizes(
        asks=dict.fromkeys(VERBS, 1),
        replies=dict.fromkeys(VERBS, 10),
        lines=dict.fromkeys(VERBS, 100),
        host=10_000,
    )
    told = Speeches(said=(("speak", 2), ("vote", 1)), heard=(("ask", 3), ("speak", 4)), host=5)
    assert peak(told, sizes, clues=100_000) == 150_733


@UNHURRIED
@given(options=OPTIONS, speech=st.integers(30, 400), thought=st.integers(0, 500))
def test_usual_sizes_know_every_verb_that_a_seat_may_meet(
    options: Options, speech: int, thought: int
) -> None:
    sizes = usual_sizes(speech=speech, thought=thought, reason=options.vote_with_reason)
    for one in speeches(options, SEATS).values():
        assert peak(one, sizes, clues=0) > 0
    assert sizes.replies["vote"] >= sizes.lines["vote"] + thought
