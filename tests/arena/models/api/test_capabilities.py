"""Servers that do not take all that vLLM takes."""

from dataclasses import replace

import pytest

from arena.errors import EndpointUnavailableError, ModelError
from arena.models.api.capabilities import Feature, features_in_error, next_feature_to_drop
from arena.models.chat import Constraint
from tests.arena.models.conversation import (
    CHOICE,
    FORM,
    PICTURE,
    asked,
    run,
    talking,
)
from tests.fakes.faults import Faults, Wording
from tests.fakes.openai_server import fake_server


@pytest.mark.parametrize("wording", ["pydantic", "openai", "vague"])
@pytest.mark.parametrize(
    ("field", "constraint", "left"),
    [
        ("structured_outputs", CHOICE, ()),
        ("structured_outputs", FORM, ("response_format",)),
        ("uuid", None, ()),
    ],
)
def test_a_field_that_is_refused_is_left_out_and_not_tried_again(
    field: str, constraint: Constraint | None, left: tuple[str, ...], wording: Wording
) -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({field}), wording=wording)
        async with (
            fake_server(faults=faults, tokenizer=False) as server,
            talking(server) as (_, chat),
        ):
            for _ in range(2):
                assert (await chat.complete(asked(constraint=constraint, picture=PICTURE))).text
            assert field in str(server.bodies[0])
            passed = [body for body in server.bodies if field not in str(body)]
            assert passed == server.bodies[-2:]
            assert len(server.bodies) == 3 or wording == "vague"
            assert all(name in body for body in passed for name in left)

    run(play)


def test_a_server_that_takes_no_constraint_at_all_is_asked_plainly() -> None:
    async def play() -> None:
        faults = Faults(
            refused=frozenset({"structured_outputs", "response_format"}), wording="backend"
        )
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, chat):
            assert (await chat.complete(asked(constraint=FORM))).text
            assert len(server.bodies) == 3
            assert endpoint.unsupported == {Feature.OBJECT, Feature.SCHEMA}
            server.tokenizer = False
            assert (await chat.complete(asked(constraint=CHOICE))).text
            assert endpoint.unsupported == {Feature.OBJECT, Feature.SCHEMA, Feature.CHOICE}

    run(play)


@pytest.mark.parametrize("wording", ["pydantic", "openai"])
def test_the_token_limit_is_written_as_the_server_wants_it(wording: Wording) -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"max_tokens"}), wording=wording)
        async with fake_server(faults=faults) as server, talking(server) as (_, chat):
            for _ in range(2):
                await chat.complete(asked())
            names = [sorted(name for name in body if "tokens" in name) for body in server.bodies]
            assert names == [["max_tokens"], *[["max_completion_tokens"]] * 2]

    run(play)


def test_a_server_that_wants_no_token_limit_is_not_asked_without_one() -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"max_tokens", "max_completion_tokens"}))
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, chat):
            with pytest.raises(ModelError, match="max_completion_tokens"):
                await chat.complete(asked())
            assert len(server.bodies) == 2
            assert not endpoint.unsupported

    run(play)


def test_a_server_that_is_not_known_as_vllm_is_first_asked_in_the_common_spelling() -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"response_format"}), wording="openai")
        async with fake_server(engine="", faults=faults) as server, talking(server) as (_, chat):
            await chat.complete(asked(constraint=FORM))
            first, second = server.bodies
            assert "response_format" in first
            assert "structured_outputs" in second

    run(play)


def test_nothing_is_learnt_from_a_request_that_failed_in_the_end() -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"uuid"}), wording="vague")
        async with (
            fake_server(context=20, faults=faults) as server,
            talking(server) as (endpoint, chat),
        ):
            with pytest.raises(ModelError, match="context"):
                await chat.complete(asked(picture=PICTURE, constraint=CHOICE))
            assert len(server.bodies) == 3
            assert not endpoint.unsupported

    run(play)


def test_a_refusal_without_a_name_takes_away_only_what_is_refused() -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"uuid", "cache_salt"}), wording="vague")
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, chat):
            request = replace(
                asked(constraint=FORM, picture=PICTURE), priority=3, cache_salt="arm 1"
            )
            await chat.complete(request)
            assert endpoint.unsupported == {Feature.UUID}
            await chat.complete(request)
            assert endpoint.unsupported == {Feature.UUID, Feature.SALT}
            before = len(server.bodies)
            await chat.complete(request)
            assert len(server.bodies) == before + 1
            assert server.bodies[-1]["priority"] == 3
            assert "structured_outputs" in server.bodies[-1]

    run(play)


def test_a_broken_server_is_not_taken_for_one_that_refuses() -> None:
    async def play() -> None:
        faults = Faults(failing=1, status=500, words="unexpected: structured_outputs failed")
        async with fake_server(faults=faults) as server, talking(server) as (_, chat):
            with pytest.raises(EndpointUnavailableError):
                await chat.complete(asked(constraint=CHOICE))
            assert len(server.bodies) == 1

    run(play)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Unrecognized request argument supplied: structured_outputs", {Feature.CHOICE}),
        ("Unknown parameter: 'messages[1].content[1].uuid'.", {Feature.UUID}),
        ("Unsupported parameter: 'max_tokens'. Use another", {Feature.MAX_TOKENS}),
        ("Use 'max_completion_tokens' instead", set[Feature]()),
        ("Unsupported parameter: 'stop' is not supported with this model.", {Feature.STOP}),
        ("Extra inputs are not permitted", set[Feature]()),
        ("At most 0 image(s) may be provided in one prompt.", set[Feature]()),
    ],
)
def test_a_refusal_is_blamed_on_what_it_names(said: str, expected: set[Feature]) -> None:
    used = frozenset({Feature.CHOICE, Feature.UUID, Feature.MAX_TOKENS, Feature.STOP})
    assert features_in_error(said, used) == expected


def test_without_a_name_the_least_is_left_out_first_and_the_token_limit_never() -> None:
    used = frozenset(Feature)
    order: list[Feature] = []
    while (feature := next_feature_to_drop("Extra inputs are not permitted", used)) is not None:
        order.append(feature)
        used -= {feature}
    assert order[:2] == [Feature.PRIORITY, Feature.SALT]
    assert order[-6:] == [
        Feature.MEDIA_UUID_ONLY,
        Feature.UUID,
        Feature.STOP,
        Feature.CHOICE,
        Feature.OBJECT,
        Feature.SCHEMA,
    ]
    assert used == {Feature.MAX_TOKENS}
    assert next_feature_to_drop("the engine is on fire", frozenset(Feature)) is None
