"""A choice is one token where the options begin differently, and says how likely each was."""

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import EndpointUnavailableError
from arena.models.api.capabilities import Feature
from arena.models.api.choice_scoring import if_distinct, resolve_choice
from arena.models.api.first_token import FirstToken, parse_first_token
from arena.models.api.token_api import TokenIdModel
from arena.models.chat import ChoiceConstraint, Completion
from arena.models.http.responses import HttpResponse
from tests.arena.models.api.test_token_api import BOTH, sampling, speaking
from tests.arena.models.conversation import (
    CHOICE,
    PNG,
    asked,
    run,
    talking,
)
from tests.fakes.faults import Faults
from tests.fakes.openai_server import fake_server
from tests.fakes.replies import logprobs_of, prompt_of
from tests.fakes.tokens import FakePromptTokenizer, ids_of

FIRST = [ids_of(option)[0] for option in CHOICE.options]
SAID = Completion(
    text="B", finish="length", prompt_tokens=9, output_tokens=1, cached_tokens=0, seconds=1
)


@BOTH
def test_a_choice_is_one_token_that_stands_for_the_option(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, speaking(server, door) as (_, model):
            completion = await model.complete(asked(constraint=CHOICE))
            assert completion.text in CHOICE.options
            assert completion.finish == "stop"
            assert completion.output_tokens == 1
            assert completion.ids == ()
            asking = sampling(server.bodies[0])
            assert asking["max_tokens"] == 1
            assert asking["allowed_token_ids"] == asking["logprob_token_ids"] == FIRST
            assert "structured_outputs" not in asking
            weights = dict(completion.probabilities)
            assert list(weights) == list(CHOICE.options)
            assert sum(weights.values()) == pytest.approx(1)
            assert max(weights, key=lambda option: weights[option]) == completion.text

    run(play)


def test_probabilities_are_those_of_the_model_among_the_options() -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (_, chat):
            completion = await chat.complete(asked(constraint=CHOICE))
            likely = logprobs_of(prompt_of(server.bodies[0]["messages"], []), FIRST)
            whole = sum(map(exp, likely.values()))
            assert dict(completion.probabilities) == pytest.approx(
                {option: exp(likely[ids_of(option)[0]]) / whole for option in CHOICE.options}
            )

    run(play)


@BOTH
def test_options_that_begin_alike_are_told_whole(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, speaking(server, door) as (_, model):
            alike = ChoiceConstraint(options=("Captain Ada", "Captain Ben"))
            completion = await model.complete(asked(constraint=alike))
            assert completion.text in alike.options
            assert completion.probabilities == ()
            asking = sampling(server.bodies[0])
            assert asking["structured_outputs"] == {"choice": list(alike.options)}

    run(play)


def test_a_server_is_asked_once_how_an_option_begins_whoever_asks() -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (_, chat):
            other = ChoiceConstraint(options=("Ben", "nobody"))
            async with asyncio.TaskGroup() as group:
                for choice in (CHOICE, CHOICE, other):
                    group.create_task(chat.complete(asked(constraint=choice)))
            assert sorted(server.tokenized) == ["Ada", "Ben", "Cleo", "nobody"]

    run(play)


def test_the_speller_is_asked_once_and_the_server_never() -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            speller = FakePromptTokenizer()
            model = TokenIdModel(endpoint, speller, lambda picture: PNG)
            for _ in range(3):
                await model.complete(asked(constraint=CHOICE))
            assert speller.asked_first == [CHOICE.options]
            assert server.tokenized == []

    run(play)


@pytest.mark.parametrize("engine", ["vllm", ""])
def test_without_a_tokenizer_to_ask_a_choice_is_told_whole(engine: str) -> None:
    async def play() -> None:
        async with (
            fake_server(engine=engine, tokenizer=False) as server,
            talking(server) as (_, chat),
        ):
            completion = await chat.complete(asked(constraint=CHOICE))
            assert completion.text in CHOICE.options
            assert completion.probabilities == ()
            assert "structured_outputs" in server.bodies[0]

    run(play)


def test_a_server_that_dies_when_it_is_asked_for_tokens_is_down() -> None:
    async def play() -> None:
        serving = AsyncExitStack()
        server = await serving.enter_async_context(fake_server())
        async with talking(server) as (_, chat):
            await serving.aclose()
            with pytest.raises(EndpointUnavailableError):
                await chat.complete(asked(constraint=CHOICE))

    run(play)


@BOTH
def test_a_server_that_takes_no_such_choice_is_asked_for_the_whole_option(door: str) -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"allowed_token_ids"}), wording="openai")
        async with fake_server(faults=faults) as server, speaking(server, door) as (end, model):
            for _ in range(2):
                assert (await model.complete(asked(constraint=CHOICE))).text in CHOICE.options
            assert len(server.bodies) == 3
            assert end.unsupported == {Feature.SINGLE_TOKEN_CHOICE}

    run(play)


@BOTH
def test_a_server_that_ignores_the_tokens_it_may_use_is_asked_for_the_whole_option(
    door: str,
) -> None:
    async def play() -> None:
        faults = Faults(unconstrained=True)
        async with fake_server(faults=faults) as server, speaking(server, door) as (end, model):
            assert (await model.complete(asked(constraint=CHOICE))).text
            assert sampling(server.bodies[0])["max_tokens"] == 1
            assert "structured_outputs" in sampling(server.bodies[1])
            assert end.unsupported == {Feature.SINGLE_TOKEN_CHOICE}

    run(play)


@BOTH
def test_more_options_than_the_token_endpoint_weighs_are_chosen_from_all_the_same(
    door: str,
) -> None:
    async def play() -> None:
        async with fake_server() as server, speaking(server, door) as (_, model):
            many = ChoiceConstraint(options=tuple(f"{number:03d} paces" for number in range(21)))
            completion = await model.complete(asked(constraint=many))
            assert completion.text in many.options
            assert len(completion.probabilities) == (21 if door == "chat" else 0)
            assert len(server.bodies) == 1

    run(play)


@BOTH
@pytest.mark.parametrize(
    "words",
    [
        "Requested sample logprobs of {asked}, which is greater than max allowed: {most}",
        "Invalid value for top_logprobs",
    ],
)
def test_a_server_that_weighs_fewer_options_chooses_in_one_token_all_the_same(
    door: str, words: str
) -> None:
    async def play() -> None:
        async with (
            fake_server(max_logprobs=2, logprobs_words=words) as server,
            speaking(server, door) as (end, model),
        ):
            for _ in range(2):
                completion = await model.complete(asked(constraint=CHOICE))
                assert completion.text in CHOICE.options
                assert completion.probabilities == ()
            assert [sampling(body)["max_tokens"] for body in server.bodies] == [1, 1, 1]
            pair = await model.complete(asked(constraint=ChoiceConstraint(options=("Ada", "Ben"))))
            assert len(pair.probabilities) == 2
            assert end.unsupported == frozenset()

    run(play)


@pytest.mark.parametrize(("status", "asks"), [(500, 2), (429, 2), (400, 2), (404, 1), (405, 1)])
def test_only_a_server_without_the_door_is_not_asked_again_how_an_option_begins(
    status: int, asks: int
) -> None:
    async def play() -> None:
        async with fake_server(tokenizing=status) as server, talking(server) as (_, chat):
            assert (await chat.complete(asked(constraint=CHOICE))).probabilities == ()
            server.tokenizing = 200
            again = await chat.complete(asked(constraint=CHOICE))
            assert bool(again.probabilities) == (asks > 1)
            assert bool(server.tokenized) == (asks > 1)

    run(play)


@pytest.mark.parametrize("odd", ["NaN", "-Infinity", "1e999"])
def test_a_probability_that_cannot_be_is_left_out(odd: str) -> None:
    top = f'{{"token_id": 1, "logprob": -1.5}}, {{"token_id": 2, "logprob": {odd}}}'
    place = f'{{"token_id": 1, "logprob": {odd}, "top_logprobs": [{top}]}}'
    content = f'{{"choices": [{{"logprobs": {{"content": [{place}]}}}}]}}'
    found = parse_first_token(HttpResponse(status=200, content=content.encode()))
    assert found == FirstToken(id=1, logprobs={1: -1.5})
    completion = resolve_choice(SAID, ("Ada", "Ben"), (1, 2), found)
    assert completion is not None
    assert (completion.text, completion.probabilities) == ("Ada", ())


@pytest.mark.parametrize("odd", ["-1", "4294967296", '"7"', "null", "1.5", "true", "9" * 400])
def test_a_token_id_that_cannot_be_names_no_option(odd: str) -> None:
    for choice in (
        f'{{"token_ids": [{odd}]}}',
        f'{{"logprobs": {{"content": [{{"token_id": {odd}, "logprob": -1}}]}}}}',
    ):
        content = f'{{"choices": [{choice}]}}'.encode()
        assert parse_first_token(HttpResponse(status=200, content=content)).id is None


@pytest.mark.parametrize(
    "name", ["token_id:", "token_id:x", "token_id:-1", "7", "token_id:" + "9" * 400]
)
def test_a_token_that_is_named_otherwise_names_no_option(name: str) -> None:
    choice = {"logprobs": {"content": [{"token": name, "logprob": -1}]}}
    content = json.dumps({"choices": [choice]}).encode()
    assert parse_first_token(HttpResponse(status=200, content=content)).id is None


def test_a_token_of_no_option_is_no_choice() -> None:
    begins = FirstToken(id=9, logprobs={1: -1.0, 2: -2.0})
    assert resolve_choice(SAID, ("Ada", "Ben"), (1, 2), begins) is None
    assert resolve_choice(SAID, ("Ada", "Ben"), (1, 2), FirstToken(id=None)) is None


@pytest.mark.slow
@given(
    logprobs=st.lists(st.floats(-9999, 0), min_size=1, max_size=9),
    pick=st.integers(0, 8),
    lost=st.booleans(),
)
def test_probabilities_are_whole_or_none(logprobs: list[float], pick: int, lost: bool) -> None:
    first = tuple(range(100, 100 + len(logprobs)))
    options = tuple(f"option {token}" for token in first)
    shown = dict(zip(first, logprobs, strict=True))
    if lost:
        del shown[100]
    begins = FirstToken(id=first[pick % len(first)], logprobs=shown)
    completion = resolve_choice(replace(SAID, ids=(7,)), options, first, begins)
    assert completion is not None
    assert completion.text == options[pick % len(first)]
    assert completion.ids == ()
    if lost:
        assert completion.probabilities == ()
    else:
        assert [option for option, _ in completion.probabilities] == list(options)
        assert sum(part for _, part in completion.probabilities) == pytest.approx(1)


@given(st.lists(st.one_of(st.none(), st.integers(0, 5)), max_size=5))
def test_tokens_tell_options_apart_only_if_all_are_known_and_none_is_twice(
    first: list[int | None],
) -> None:
    apart = first and None not in first and len(set(first)) == len(first)
    assert if_distinct(first) == (tuple(first) if apart else None)
