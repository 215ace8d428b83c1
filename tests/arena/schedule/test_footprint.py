"""Planned tokens: sums, scaled and cut values, and what a match needs at its peak."""

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.footprint import PlannedTokens, PlannedTurn

COUNTS = st.integers(0, 10**6)
TOKENS = st.builds(
    PlannedTokens,
    text=COUNTS,
    pictures=COUNTS,
    speech=st.dictionaries(st.sampled_from(("speak", "vote")), COUNTS),
)


@given(one=TOKENS, other=TOKENS)
def test_tokens_of_all_kinds_add_up(one: PlannedTokens, other: PlannedTokens) -> None:
    assert one.total == one.text + one.pictures + sum(one.speech.values())
    assert (one + other).total == one.total + other.total
    assert (one + other).speech.keys() == one.speech.keys() | other.speech.keys()
    assert one.scale(3).total == 3 * one.total


@given(tokens=TOKENS, most=st.integers(1, 10**6), added=st.integers(0, 1_000))
def test_a_turn_is_cut_to_the_limit_and_no_further(
    tokens: PlannedTokens, most: int, added: int
) -> None:
    turn = PlannedTurn(number=0, request="r", kind="speak", reply=1, tokens=tokens)
    assert abs(turn.cut(most, added).tokens.total - min(most, tokens.total + added)) <= 1
