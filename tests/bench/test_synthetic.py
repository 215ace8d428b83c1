"""Traces that nobody played: their lengths, what they share, and who waits for whom."""

import tracemalloc
from collections import Counter
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from arena.bench.cases import sized_case
from arena.bench.content import CAPTION_TOKENS, PICTURE_FRAME, read_picture, shown_as, text_of
from arena.bench.synthetic import REFERENCE, SMALL, Shape, synthetic_trace
from arena.bench.trace import Piece, Trace, TraceMatch
from arena.core.dummies import Dummies
from arena.core.play import MatchSetup
from arena.core.playout import play_out
from arena.errors import ConfigError
from arena.games.whodunit.game import WHODUNIT
from scripts_mm.tokens import tokens as picture_tokens
from serving.standin.tokenizer import train_tokenizer

TINY = Shape(
    scripts=2, matches=4, seats=3, script_tokens=60, options="rounds=2", pictures=1,
    picture_tokens=12, output=10, rules_tokens=30, unasked=1,
)  # fmt: skip


def keys(pieces: tuple[Piece, ...]) -> list[str]:
    return [piece.key for piece in pieces]


def lengths(trace: Trace, match: TraceMatch) -> list[int]:
    return [sum(p.tokens for p in trace.prompt(match, turn)) for turn in match.turns]


def test_the_reference_has_75_requests_a_match_and_contexts_of_20k_tokens() -> None:
    trace = synthetic_trace(REFERENCE)
    assert len(trace.matches) == 192
    assert len(trace.pictures) == 16 * 6
    for match in trace.matches[:8]:
        assert len(match.turns) == 75
        prompts = lengths(trace, match)
        assert 18_000 < sum(prompts) / 75 < 22_000
        assert max(prompts) < 32_768
        said = [turn.output for turn in match.turns if not turn.choice]
        assert 140 < sum(said) / len(said) < 160
        assert [turn.output for turn in match.turns if turn.choice] == [1] * 6
        assert {len({turn.seat for turn in match.turns}), len(match.turns)} == {6, 75}


def test_the_small_shape_fits_a_cpu() -> None:
    trace = synthetic_trace(SMALL)
    assert len(trace.matches) == 12
    assert {match.script for match in trace.matches} == {"s0-00", "s0-01", "s0-02"}
    for match in trace.matches:
        assert len(match.turns) == 20
        assert 700 < min(lengths(trace, match)) < max(lengths(trace, match)) < 2048


@settings(max_examples=40, deadline=None)
@given(
    seats=st.integers(2, 6),
    options=st.sampled_from(["rounds=1", "rounds=3", "rounds=2,duties=two_asks"]),
    unasked=st.integers(0, 5),
    preset=st.sampled_from(["default", "wide"]),
    pictures=st.integers(0, 3),
    private=st.booleans(),
)
def test_a_prompt_begins_with_the_seats_prompt_and_reply_before(**values: Any) -> None:
    trace = synthetic_trace(replace(TINY, **values))
    for match in trace.matches:
        before: dict[str, list[str]] = {}
        for turn in match.turns:
            prompt = keys(trace.prompt(match, turn))
            assert prompt[: len(before.get(turn.seat, []))] == before.get(turn.seat, [])
            before[turn.seat] = [*prompt, trace.reply(match, turn).key]
        assert len(set(before)) == values["seats"]


@settings(max_examples=30, deadline=None)
@given(seats=st.integers(2, 6), preset=st.sampled_from(["default", "wide", "paper"]))
def test_turns_are_the_requests_of_the_game_in_their_order(**values: Any) -> None:
    shape = replace(TINY, unasked=0, **values)
    case = sized_case(seats=shape.seats, words=2)
    dummies = Dummies()
    play_out(WHODUNIT, MatchSetup(script=case, options=shape.game_options, seed=0), dummies.decide)
    seats = {name: f"seat-{n}" for n, name in enumerate(case.names, start=1)}
    wanted = [(seats[one.request.seat], one.request.kind) for one in dummies.decisions]
    match = synthetic_trace(shape).matches[0]
    asked = [(turn.seat, kind_of(turn.ask)) for turn in match.turns]
    # Whom a seat questions differs from match to match.
    assert [kind for _, kind in asked] == [kind for _, kind in wanted]
    assert {one for one in asked if one[1] != "answer"} <= set(wanted)
    assert Counter(asked) == Counter(wanted)


def kind_of(ask: str) -> str:
    return "answer" if ask.endswith("/answer") else ask.split("/")[1]


@given(seats=st.integers(3, 6), unasked=st.integers(0, 20))
@settings(max_examples=20, deadline=None)
def test_a_question_that_is_not_asked_costs_its_answer_alone(seats: int, unasked: int) -> None:
    shape = replace(TINY, seats=seats, unasked=unasked)
    kinds = Counter(kind_of(turn.ask) for turn in synthetic_trace(shape).matches[0].turns)
    assert kinds["share_and_ask"] == 2 * seats
    assert kinds["answer"] == max(0, 2 * seats - unasked)


def test_by_default_votes_alone_are_simultaneous() -> None:
    match = synthetic_trace(TINY).matches[0]
    *spoken, _, _, _ = match.turns
    assert [turn.parents for turn in spoken] == [(), *((n,) for n in range(len(spoken) - 1))]
    votes = match.turns[-3:]
    assert {turn.parents for turn in votes} == {(len(spoken) - 1,)}
    assert all(turn.choice for turn in votes)


def test_in_the_wide_preset_each_wave_waits_for_the_whole_wave_before() -> None:
    match = synthetic_trace(replace(TINY, preset="wide", unasked=0)).matches[0]
    for turn in match.turns:
        wave = turn.number // 3
        assert turn.parents == tuple(range(3 * wave - 3, 3 * wave)) * (wave > 0)
    # share, answer, share, answer after the introductions; then conclusions and votes.
    assert len(match.turns) == 3 * (1 + 2 * 2 + 1 + 1)


def test_every_line_is_heard_by_all_others_once() -> None:
    trace = synthetic_trace(replace(TINY, spread=0.0, pictures=0))
    match = trace.matches[0]
    spoken = [turn for turn in match.turns if not turn.choice]
    for seat in ("seat-1", "seat-2", "seat-3"):
        vote = next(turn for turn in match.turns if turn.choice and turn.seat == seat)
        heard = [p for p in trace.prompt(match, vote) if "/heard-" in p.key]
        others = sum(turn.seat != seat for turn in spoken)
        # 10 tokens a reply, 8 round a quotation, 5 round a message.
        assert sum(piece.tokens for piece in heard) == 18 * others + 5 * len(heard)
        assert heard


def test_open_votes_are_heard_one_after_the_other() -> None:
    match = synthetic_trace(replace(TINY, preset="paper")).matches[0]
    first, second, third = match.turns[-3:]
    assert (second.parents, third.parents) == ((first.number,), (second.number,))
    # The votes of two seats: one token each, 8 round a quotation, and 5 round the message.
    assert third.added[-2].tokens == 2 * 9 + 5


def test_pictures_come_after_the_introductions_in_one_order_for_all() -> None:
    trace = synthetic_trace(replace(TINY, pictures=3))
    match = trace.matches[0]
    first: dict[str, list[str]] = {}
    for turn in match.turns:
        shown = [piece.picture for piece in turn.added if piece.picture]
        if turn.ask.startswith("introduction"):
            assert shown == []
        first.setdefault(turn.seat, []).extend(shown)
    assert len({tuple(shown) for shown in first.values()}) == 1
    assert len(first["seat-1"]) == 3


def beginnings(trace: Trace, index: int) -> set[tuple[str, ...]]:
    match = trace.matches[index]
    return {tuple(keys(turn.added[:2])) for turn in match.turns if "introduce" in turn.ask}


def test_matches_of_a_script_share_rules_and_scripts_and_others_the_rules_alone() -> None:
    trace = synthetic_trace(TINY)
    assert beginnings(trace, 0) == beginnings(trace, 1)
    assert {b[0] for b in beginnings(trace, 0)} == {b[0] for b in beginnings(trace, 2)}
    assert not beginnings(trace, 0) & beginnings(trace, 2)


def test_private_matches_share_nothing() -> None:
    trace = synthetic_trace(replace(TINY, private=True))
    seen = [{p.key for t in match.turns for p in t.added} for match in trace.matches]
    assert not seen[0] & seen[1]
    assert len(trace.pictures) == 2
    shared = synthetic_trace(TINY)
    assert [lengths(trace, m) for m in trace.matches] == [
        lengths(shared, m) for m in shared.matches
    ]


def test_a_pair_plays_a_script_from_both_sides() -> None:
    shape = replace(TINY, scripts=3, matches=60, contestants=3)
    matches = list(synthetic_trace(shape).matches)
    assert len({match.id for match in matches}) == 60
    for one, other in zip(matches[::2], matches[1::2], strict=True):
        assert (one.script, one.pair) == (other.script, other.pair[::-1])
    assert len({match.pair for match in matches[:18]}) == 6
    scripts = [match.script for match in matches]
    assert scripts == sorted(scripts)
    assert len(set(scripts)) == 3


def test_the_same_shape_gives_the_same_trace_and_another_seed_another_one() -> None:
    one, other = synthetic_trace(TINY), synthetic_trace(TINY)
    assert tuple(one.matches) == tuple(other.matches)
    assert one.matches[3] == other.matches[3]
    third = synthetic_trace(replace(TINY, seed=1))
    assert lengths(third, third.matches[0]) != lengths(one, one.matches[0])
    assert not set(third.pictures) & set(one.pictures)


def test_equal_keys_have_equal_lengths_everywhere() -> None:
    trace, seen = synthetic_trace(replace(SMALL, matches=24)), dict[str, Piece]()
    for match in trace.matches:
        for turn in match.turns:
            for piece in turn.added:
                assert seen.setdefault(piece.key, piece) == piece


def test_ten_thousand_matches_cost_no_memory_until_they_are_looked_at() -> None:
    tracemalloc.start()
    trace = synthetic_trace(replace(REFERENCE, matches=10_000))
    lazy, _ = tracemalloc.get_traced_memory()
    kept = list(trace.matches[:50])
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lazy < 2_000_000
    assert (held - lazy) / len(kept) * 10_000 < 1_000_000_000


def test_words_are_one_token_each_for_the_stand_in() -> None:
    tokenizer = train_tokenizer(())
    for piece in (Piece(key="k", tokens=205), Piece(key="r", tokens=40, role="assistant")):
        words = len(text_of(piece).split())
        assert words == piece.tokens - (5 if piece.role == "user" else 0)
        assert abs(len(tokenizer.encode(text_of(piece)).ids) - words) <= 1
    shown = Piece(key="p", tokens=48 + PICTURE_FRAME, picture="x")
    # Five tokens round a message, two round a picture.
    assert len(text_of(shown).split()) == CAPTION_TOKENS == shown.tokens - 48 - 5 - 2


@pytest.mark.parametrize("tokens", [4, 12, 48, 97, 256, 900])
def test_drawn_pictures_take_the_tokens_that_were_wanted(tokens: int) -> None:
    trace = synthetic_trace(replace(TINY, picture_tokens=tokens))
    name, shown = next(iter(trace.pictures.items()))
    assert picture_tokens(shown.width, shown.height, "qwen2.5-vl") == tokens
    data = read_picture(trace, name)
    assert data == read_picture(trace, name)
    with Image.open(BytesIO(data)) as image:
        assert (image.format, image.size) == ("JPEG", (shown.width, shown.height))
    assert 0.3 < len(data) / shown.size < 3


def test_no_picture_is_a_strip_that_no_model_takes() -> None:
    shown = shown_as(997)
    assert picture_tokens(shown.width, shown.height, "qwen2.5-vl") == 996


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seats": 1}, "seats of a shape must be >= 2, got 1"),
        ({"matches": 0}, "matches of a shape must be >= 1"),
        ({"spread": 1.0}, "spread of a shape"),
        ({"preset": "loud"}, "no preset 'loud'"),
        ({"options": "loudness=2"}, "no option 'loudness'"),
        ({"game": "chess"}, "no game 'chess'"),
    ],
)
def test_an_impossible_shape_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        replace(TINY, **change)
