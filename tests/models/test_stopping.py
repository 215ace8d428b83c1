"""Where a reply ends that would go on with another speaker's part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models.capabilities import Feature
from arena.models.chat import Completion, Constraint, OneOf
from arena.models.openai_http import OpenAIChat
from arena.models.stopping import Replies, stopped
from arena.models.token_in import TokenIn
from tests.fakes.faults import Faults
from tests.fakes.openai_server import fake_server
from tests.fakes.tokens import FakeSpeller
from tests.models.conversation import CHOICE, FORM, PNG, asked, run, talking

STOP = ("###",)


def said(text: str, finish: str = "length", ids: tuple[int, ...] = (7, 8)) -> Completion:
    return Completion(
        text=text,
        finish=finish,
        prompt_tokens=9,
        output_tokens=4,
        cached_tokens=None,
        seconds=0.1,
        ids=ids,
    )


@pytest.mark.parametrize(
    ("text", "kept", "finish"),
    [
        (" I saw nothing.\n###", " I saw nothing.", "stop"),
        (" I saw nothing.\n### Human: And you?\n### Assistant: No.", " I saw nothing.", "stop"),
        ("I saw nothing.\n##", "I saw nothing.", "length"),
        ("I saw nothing.\n #", "I saw nothing.", "length"),
        ("I saw nothing.\n", "I saw nothing.", "length"),
        ("###", "", "stop"),
        ("He plays in C#", "He plays in C#", "length"),
        ("One.\n\nTwo.", "One.\n\nTwo.", "length"),
    ],
)
def test_a_reply_is_cut_at_its_stop_string(text: str, kept: str, finish: str) -> None:
    done = stopped(said(text), STOP)
    assert (done.text, done.finish) == (kept, finish)
    assert done.ids == ((7, 8) if kept == text else ())


@given(st.text(alphabet="ab# \n", max_size=12))
def test_without_stop_strings_a_reply_is_left_as_it_is_and_with_them_it_is_cut_once(
    text: str,
) -> None:
    assert stopped(said(text), ()) == said(text)
    once = stopped(said(text), STOP)
    assert STOP[0] not in once.text
    assert once.text == once.text.rstrip()
    assert text.startswith(once.text)
    assert stopped(once, STOP).text == once.text or once.text.endswith("#")


@pytest.mark.parametrize("door", ["chat", "tokens"])
def test_stop_strings_go_out_at_both_doors_but_not_with_choices_and_grammars(door: str) -> None:
    async def play(constraint: Constraint | None) -> object:
        async with fake_server() as server, talking(server) as (endpoint, _):
            model = (
                OpenAIChat(endpoint, lambda picture: PNG, replies=Replies(stop=STOP))
                if door == "chat"
                else TokenIn(endpoint, FakeSpeller(), lambda picture: PNG, stop=STOP)
            )
            assert (await model.complete(asked(constraint=constraint))).text
            [body] = server.bodies
            return body.get("sampling_params", body).get("stop")

    assert run(lambda: play(None)) == ["###"]
    assert run(lambda: play(CHOICE)) is None
    assert run(lambda: play(FORM)) is None


def test_a_server_without_grammars_is_given_stop_strings_with_every_question() -> None:
    async def play() -> None:
        async with fake_server(engine="") as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(endpoint, lambda picture: PNG, replies=Replies(stop=STOP))
            await chat.complete(asked(constraint=FORM))
            assert [body["stop"] for body in server.bodies] == [["###"]]

    run(play)


def test_a_server_that_takes_no_stop_strings_is_asked_without() -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"stop"}), wording="openai")
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(endpoint, lambda picture: PNG, replies=Replies(stop=STOP))
            for _ in range(2):
                assert (await chat.complete(asked())).text
            assert ["stop" in body for body in server.bodies] == [True, False, False]
            assert endpoint.refused == {Feature.STOP}

    run(play)


def test_an_option_of_one_token_is_the_token_after_the_colon() -> None:
    async def play(lead: str) -> list[str]:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(endpoint, lambda picture: PNG, replies=Replies(lead=lead))
            assert (await chat.complete(asked(constraint=CHOICE))).text in CHOICE.options
            return server.tokenized

    alike = OneOf(options=("沈若棠", "叶小满"))

    async def told_apart() -> list[str]:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(endpoint, lambda picture: PNG, replies=Replies(lead=" " * 8))
            assert (await chat.complete(asked(constraint=alike))).probabilities
            return server.tokenized

    assert run(told_apart)[2:] == list(alike.options)
    assert run(lambda: play("")) == list(CHOICE.options)
    assert run(lambda: play(" ")) == [f" {option}" for option in CHOICE.options]
