"""What the simulated model says: repeatable, as wished, and spelt as its tokenizer would."""

import json
from array import array
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import validate
from tokenizers import Tokenizer

from serving.engine_sim.api_server.request_bodies import GenerationParams, StructuredOutputs
from serving.engine_sim.reply_generation.reply_generator import ReplyGenerator
from serving.engine_sim.sim_tokenizer import SimTokenizer, load_tokenizer

SEEDS = st.binary(min_size=1, max_size=8)
OPTIONS = ("Ada Byron", "Ada Lovelace", "Ben", "无人")


def wish(
    *, most: int | None = None, least: int = 0, endless: bool = False, **more: Any
) -> GenerationParams:
    only = StructuredOutputs.model_validate(
        {name: more.pop(name) for name in ("choice", "json") if name in more}
    )
    return GenerationParams(
        max_tokens=most, min_tokens=least, ignore_eos=endless, structured_outputs=only, **more
    )


@pytest.fixture(scope="module", params=["words", "folder"])
def tokens(request: pytest.FixtureRequest, folder: Path) -> SimTokenizer:
    return load_tokenizer(folder if request.param == "folder" else None)


@pytest.fixture(scope="module")
def replies(tokens: SimTokenizer) -> ReplyGenerator:
    return ReplyGenerator(tokens, length=20)


many = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.slow
@many
@given(seed=SEEDS, most=st.integers(1, 60))
def test_a_free_reply_is_repeatable_and_no_longer_than_asked(
    replies: ReplyGenerator, seed: bytes, most: int
) -> None:
    reply = replies.generate(seed, wish(most=most), 10_000)
    assert reply == replies.generate(seed, wish(most=most), 10_000)
    assert 1 <= len(reply.ids) <= most
    assert reply.text


@pytest.mark.slow
@many
@given(seed=SEEDS, most=st.integers(1, 80), endless=st.booleans())
def test_a_free_reply_has_the_tokens_that_its_text_tokenises_to(
    replies: ReplyGenerator, tokens: SimTokenizer, seed: bytes, most: int, endless: bool
) -> None:
    reply = replies.generate(seed, wish(most=most, endless=endless), 10_000)
    end = array("I", [tokens.end])
    spelt = reply.ids[:-1] if reply.finish == "stop" else reply.ids
    assert tokens.ids(reply.text) == spelt
    assert (reply.finish == "stop") == (reply.ids[-1:] == end)


@many
@given(seed=SEEDS, most=st.integers(1, 300))
def test_a_forced_length_is_met_to_the_token(
    replies: ReplyGenerator, seed: bytes, most: int
) -> None:
    reply = replies.generate(seed, wish(most=most, least=most, endless=True), 10_000)
    assert len(reply.ids) == most
    assert reply.finish == "length"


def test_a_forced_length_of_a_choice_is_filled_with_ends(
    replies: ReplyGenerator, tokens: SimTokenizer
) -> None:
    reply = replies.generate(b"1", wish(choice=OPTIONS, most=9, least=9, endless=True), 10_000)
    assert reply.text in OPTIONS
    spelt = tokens.ids(reply.text)
    assert list(reply.ids) == [*spelt, *[tokens.end] * (9 - len(spelt))]


def test_sentences_stand_apart(tokens: SimTokenizer) -> None:
    reply = ReplyGenerator(tokens, length=20).generate(b"1", wish(least=80), 10_000)
    assert reply.text.count(". I ") >= 2
    assert ".I" not in reply.text


@many
@given(seed=SEEDS, room=st.integers(1, 20))
def test_a_reply_ends_where_the_context_ends(
    replies: ReplyGenerator, seed: bytes, room: int
) -> None:
    assert len(replies.generate(seed, wish(endless=True), room).ids) == room


@many
@given(seed=SEEDS)
def test_a_choice_is_one_of_the_options(
    replies: ReplyGenerator, tokens: SimTokenizer, seed: bytes
) -> None:
    reply = replies.generate(seed, wish(choice=OPTIONS), 10_000)
    assert reply.text in OPTIONS
    assert tokens.ids(reply.text) == reply.ids[:-1]


@many
@given(seed=SEEDS)
def test_a_choice_in_one_token_is_its_first_token(
    replies: ReplyGenerator, tokens: SimTokenizer, seed: bytes
) -> None:
    whole = replies.generate(seed, wish(choice=OPTIONS), 10_000)
    one = replies.generate(seed, wish(choice=OPTIONS, most=1), 10_000)
    assert one.ids == whole.ids[:1]
    assert one.text == tokens.text(one.ids)


@many
@given(seed=SEEDS, allowed=st.lists(st.integers(100, 9000), min_size=1, max_size=5, unique=True))
def test_only_allowed_tokens_come(replies: ReplyGenerator, seed: bytes, allowed: list[int]) -> None:
    reply = replies.generate(seed, wish(allowed_token_ids=allowed, most=3, top_count=5), 10_000)
    assert set(reply.ids) <= set(allowed)
    odds = reply.probabilities
    assert max(odds, key=lambda token: odds[token]) == reply.ids[0]
    assert sum(odds.values()) == pytest.approx(0.8)


FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "target": {"type": "string", "enum": ["Ben", "Cleo"]},
        "why": {"type": "string", "minLength": 1, "maxLength": 15},
        "more": {"anyOf": [{"type": "string"}, {"type": "object"}]},
    },
    "required": ["target", "why", "more"],
    "additionalProperties": False,
}


@pytest.mark.slow
@many
@given(seed=SEEDS)
def test_a_form_is_filled_as_its_schema_says(replies: ReplyGenerator, seed: bytes) -> None:
    reply = replies.generate(seed, wish(json=FORM), 10_000)
    validate(json.loads(reply.text), FORM)


def test_different_prompts_get_different_replies(replies: ReplyGenerator) -> None:
    said = {replies.generate(bytes([seed]), wish(), 10_000).text for seed in range(50)}
    assert len(said) > 20


@cache
def both(folder: Path) -> tuple[SimTokenizer, Tokenizer]:
    return load_tokenizer(folder), Tokenizer.from_file(str(folder / "tokenizer.json"))


@many
@given(
    parts=st.lists(
        st.sampled_from(["user\nAda, was du?", "我在花园。", "\n", " a  b\n\n", "<|x|>"])
    )
)
def test_text_between_special_tokens_tokenises_as_in_the_whole(
    folder: Path, parts: list[str]
) -> None:
    text = "".join(f"<|im_start|>{part}<|im_end|>" for part in parts)
    ours, plain = both(folder)
    assert list(ours.ids(text)) == plain.encode(text, add_special_tokens=False).ids
