"""Where a reply ends that would go on with another speaker's part."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models.api.capabilities import Feature
from arena.models.api.chat_api import OpenAIChat
from arena.models.api.chat_serialization import MessageJsonCache, serialize
from arena.models.api.completions import ReplyContext, parse_chat
from arena.models.api.negotiation import ClientOptions, NegotiatingClient
from arena.models.api.reply_format import ReplyFormat, escape_markers, truncate_at_stop
from arena.models.api.request_params import EncodedRequest, RequestParams
from arena.models.api.token_api import TokenIdModel
from arena.models.chat import ChoiceConstraint, Completion, Constraint, Request
from arena.models.http.endpoint import CHAT, Endpoint
from arena.models.http.responses import HttpResponse
from tests.arena.models.conversation import (
    CHOICE,
    FORM,
    PNG,
    asked,
    run,
    talking,
)
from tests.fakes.faults import Faults
from tests.fakes.openai_server import fake_server
from tests.fakes.tokens import FakePromptTokenizer
from tests.long_texts import PIECES, slow_pieces

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
    done = truncate_at_stop(said(text), STOP)
    assert (done.text, done.finish) == (kept, finish)
    assert done.ids == ((7, 8) if kept == text else ())


@given(st.text(alphabet="ab# \n", max_size=12))
def test_without_stop_strings_a_reply_is_left_as_it_is_and_with_them_it_is_cut_once(
    text: str,
) -> None:
    assert truncate_at_stop(said(text), ()) == said(text)
    once = truncate_at_stop(said(text), STOP)
    assert STOP[0] not in once.text
    assert once.text == once.text.rstrip()
    assert text.startswith(once.text)
    assert truncate_at_stop(once, STOP).text == once.text or once.text.endswith("#")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"speech": "### Human: No."}', '{"speech": "＃＃＃ Human: No."}'),
        ("<picture> there, <picture>", "‹picture› there, ‹picture›"),
        ("C# and <b>", "C# and <b>"),
    ],
)
def test_what_a_server_would_misread_in_a_reply_is_written_in_other_letters(
    text: str, left: str
) -> None:
    done = escape_markers(said(text), (*STOP, "<picture>"))
    assert done.text == left
    assert done.ids == ((7, 8) if left == text else ())
    assert escape_markers(said(text), ()) == said(text)


class Saying:
    """The chat endpoint of a model that says one thing."""

    path = CHAT

    def __init__(self, endpoint: Endpoint, text: str) -> None:
        self._endpoint, self._text = endpoint, text

    async def first_tokens(self, options: tuple[str, ...]) -> None:
        del options

    def write(
        self, request: Request, params: RequestParams, urls: Mapping[str, bytes]
    ) -> EncodedRequest:
        return serialize(
            request, self._endpoint.probe_result.model, params, urls, MessageJsonCache()
        )

    def read(self, response: HttpResponse, context: ReplyContext) -> Completion:
        return replace(parse_chat(response, context), text=self._text)


@pytest.mark.parametrize("grammar", [True, False])
def test_a_reply_never_comes_back_with_a_mark_of_the_template(grammar: bool) -> None:
    reply = '{"speech": "A <picture>.\n### Human: yes"}'

    async def play() -> str:
        async with fake_server() as server, talking(server) as (endpoint, _):
            manner = ClientOptions(stop=STOP, markers=("<picture>",))
            exchange = NegotiatingClient(
                endpoint, Saying(endpoint, reply), lambda picture: PNG, manner
            )
            return (await exchange.complete(asked(constraint=FORM if grammar else None))).text

    cut = '{"speech": "A ‹picture›.'
    assert run(play) == (f'{cut}\n＃＃＃ Human: yes"}}' if grammar else cut)


@pytest.mark.parametrize("door", ["chat", "tokens"])
def test_stop_strings_go_out_at_both_doors_but_not_with_choices_and_grammars(door: str) -> None:
    async def play(constraint: Constraint | None) -> object:
        async with fake_server() as server, talking(server) as (endpoint, _):
            model = (
                OpenAIChat(endpoint, lambda picture: PNG, reply_format=ReplyFormat(stop=STOP))
                if door == "chat"
                else TokenIdModel(endpoint, FakePromptTokenizer(), lambda picture: PNG, stop=STOP)
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
            chat = OpenAIChat(endpoint, lambda picture: PNG, reply_format=ReplyFormat(stop=STOP))
            await chat.complete(asked(constraint=FORM))
            assert [body["stop"] for body in server.bodies] == [["###"]]

    run(play)


def test_a_server_that_takes_no_stop_strings_is_asked_without() -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"stop"}), wording="openai")
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(endpoint, lambda picture: PNG, reply_format=ReplyFormat(stop=STOP))
            for _ in range(2):
                assert (await chat.complete(asked())).text
            assert ["stop" in body for body in server.bodies] == [True, False, False]
            assert endpoint.unsupported == {Feature.STOP}

    run(play)


def test_an_option_of_one_token_is_the_token_after_the_colon() -> None:
    async def play(lead: str) -> list[str]:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(endpoint, lambda picture: PNG, reply_format=ReplyFormat(prefix=lead))
            assert (await chat.complete(asked(constraint=CHOICE))).text in CHOICE.options
            return server.tokenized

    alike = ChoiceConstraint(options=("沈若棠", "叶小满"))

    async def told_apart() -> list[str]:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(
                endpoint, lambda picture: PNG, reply_format=ReplyFormat(prefix=" " * 8)
            )
            assert (await chat.complete(asked(constraint=alike))).probabilities
            return server.tokenized

    assert run(told_apart)[2:] == list(alike.options)
    assert run(lambda: play("")) == list(CHOICE.options)
    assert run(lambda: play(" ")) == [f" {option}" for option in CHOICE.options]


@pytest.mark.slow
def test_stop_strings_and_markers_are_found_in_linear_time() -> None:
    stop, markers = ("\n### Human:", "###", "\nAAAAAAAAAAB"), ("<image>", "<|x|>", "#" * 20 + "x")
    pieces = (*PIECES, "\n### Huma", "\nAAAAAAAAAA", "<imag", "#" * 20, " #")
    assert slow_pieces(lambda text: truncate_at_stop(said(text), stop), pieces) == []
    assert slow_pieces(lambda text: truncate_at_stop(said(text), stop[:1]), pieces) == []
    assert slow_pieces(lambda text: escape_markers(said(text), markers), pieces) == []
