"""Matches as a model with a small context plays them."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bench.cases import sized_case
from arena.bench.fitting import Fit, fitted, kind_of
from arena.bench.scripted import ScriptWorkload, scripted_trace
from arena.bench.trace import Piece, Trace, TraceMatch, Turn
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.players.model_limits import Overflow, PictureMode
from tests.table import case

POLICIES: tuple[Overflow, ...] = ("retrieve", "summarise", "drop_oldest")
MODES: tuple[PictureMode, ...] = ("inline", "notes", "board")


def turns(sizes: Sequence[int], *, output: int = 10) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            number=n,
            seat="ab"[n % 2],
            ask=f"round-{n}/speak/x",
            added=(Piece(key=f"k{n}", tokens=size),),
            output=output,
            parents=(n - 1,) if n else (),
        )
        for n, size in enumerate(sizes)
    )


def prompts(told: tuple[Turn, ...]) -> list[int]:
    """Return the tokens of every prompt with its reply, as a replay would send it."""
    match = TraceMatch(id="m", script="s", pair=("x", "y"), turns=told)
    trace = Trace(name="t", matches=(match,))
    return [sum(p.tokens for p in trace.prompt(match, turn)) + turn.output for turn in told]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.integers(1, 900), max_size=12),
    st.sampled_from(POLICIES),
    st.sampled_from(MODES),
    st.integers(500, 2000),
)
def test_no_prompt_is_longer_than_the_context_and_no_turn_is_lost(
    sizes: list[int], policy: Overflow, mode: PictureMode, context: int
) -> None:
    fit = Fit(context=context, overflow=policy, pictures=mode)
    told = fitted("m", turns(sizes), fit)
    assert all(length <= context for length in prompts(told))
    assert [one.number for one in told if not one.beside] == list(range(len(sizes)))
    assert all(kind_of(one) == "summary" for one in told if one.aside)
    assert policy == "summarise" or len(told) == len(sizes)


def test_what_fits_is_left_as_it_is() -> None:
    plain = turns([100, 100, 100])
    assert fitted("m", plain, Fit(context=4096, overflow="summarise")) == plain


def test_a_summary_comes_before_the_turn_that_needs_it_and_lasts() -> None:
    told = fitted("m", turns([400, 1, 400, 1, 10]), Fit(context=700, overflow="summarise"))
    asks = [(one.number, kind_of(one), one.whole) for one in told]
    assert asks == [
        (0, None, False),
        (1, None, False),
        (5, "summary", True),
        (2, None, True),
        (3, None, False),
        (4, None, False),
    ]
    assert told[3].parents == (1, 5)
    assert prompts(told)[-1] == 350 + 10 + 10 + 10


def test_retrieval_fills_the_context_anew_at_every_turn() -> None:
    told = fitted("m", turns([600, 1, 200, 1, 10]), Fit(context=700, overflow="retrieve"))
    assert [one.whole for one in told] == [False, False, True, False, True]
    assert prompts(told)[-1] == 700


@pytest.mark.parametrize("mode", MODES)
def test_pictures_are_read_once_a_seat_or_shown_as_one(mode: PictureMode) -> None:
    fit = Fit(context=100_000, overflow="summarise", pictures=mode)
    played = ScriptWorkload(
        game=WHODUNIT,
        options=WhodunitOptions(rounds=1),
        matches=1,
        swap=False,
        reply=60,
        picture_tokens=lambda _: 1024,
        fit=fit,
    )
    [match] = scripted_trace({"s": case()}, played).matches
    readings = [one for one in match.turns if kind_of(one) == "reading"]
    seen = [
        (one.seat, piece.picture) for one in match.turns for piece in one.added if piece.picture
    ]
    seats, pictures = len(case().names), len(case().pictures)
    assert len(seen) == len(set(seen)) == (seats if mode == "board" else seats * pictures)
    assert len(readings) == (seats * pictures if mode == "notes" else 0)
    assert all(one.aside and not one.probe and one.whole for one in readings)


def test_scripts_that_do_not_fit_are_shared_by_no_matches() -> None:
    played = ScriptWorkload(
        game=WHODUNIT,
        options=WhodunitOptions(rounds=1),
        matches=2,
        swap=False,
        reply=60,
        picture_tokens=lambda _: 1024,
        fit=Fit(context=600, overflow="summarise"),
    )
    trace = scripted_trace({"s": sized_case(seats=4, words=900, number=0)}, played)
    for match in trace.matches:
        firsts = {one.seat: one for one in reversed(match.turns) if not one.beside}
        assert all(one.whole for one in firsts.values())
        assert all(piece.key.startswith(match.id) for one in firsts.values() for piece in one.added)
