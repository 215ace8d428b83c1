"""Questions asked: what goes over the wire, what comes back, and in which order."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from arena.errors import ContextLengthError, ModelError
from arena.models.api.chat_api import OpenAIChat
from arena.models.chat import ChatModel, ChoiceConstraint, Completion, Message, Request
from arena.models.http.address import parse_address
from arena.models.http.endpoint import open_endpoint
from eval.questions.prefix_groups import PrefixGroup, make_prefix_groups
from eval.questions.quiz_answers import QuizAnswer
from eval.questions.quiz_runner import QuizModel, ask_groups
from eval.questions.quiz_settings import QuizSettings
from tests.arena.run.stage import picture_bytes
from tests.eval.questions.made import (
    NO_TEXTS,
    CountingModel,
    quiz_case,
    settings,
)
from tests.fakes.face import FakeServer
from tests.fakes.openai_server import fake_server


async def put(
    sheets: tuple[PrefixGroup, ...], chat: ChatModel, given: QuizSettings, at_once: int = 8
) -> list[QuizAnswer]:
    answers: list[QuizAnswer] = []
    asked = QuizModel(chats=[chat], thought_tokens=32, cache_salt="salt")
    await ask_groups(sheets, asked, given, answers.append, at_once=at_once)
    return answers


@asynccontextmanager
async def wire(server: FakeServer) -> AsyncGenerator[ChatModel]:
    async with open_endpoint(parse_address(server.url), max_requests=16) as endpoint:
        await endpoint.probe()
        yield OpenAIChat(endpoint, lambda picture: picture_bytes(1))


def key_reply(request: Request) -> str:
    """Return the letter of the first option in the file, wherever it stands."""
    line = next(one for one in request.messages[-1].text.split("\n") if "the garden" in one)
    return line[0]


def test_every_question_is_answered_over_the_wire_with_legal_letters() -> None:
    given = settings()

    async def run() -> tuple[list[QuizAnswer], FakeServer]:
        async with fake_server() as server, wire(server) as chat:
            return await put(make_prefix_groups(quiz_case(), given, NO_TEXTS), chat, given), server

    answers, server = asyncio.run(run())
    assert len(answers) == 23
    assert len({one.item for one in answers}) == 23
    for one in answers:
        assert one.chosen
        assert one.text
        assert one.prompt_tokens > 0
        assert sorted(one.shown) == [0, 1, 2, 3]
    sizes = {len(one.chosen or ()) for one in answers if one.question == "rea-set"}
    assert sizes - {1}
    assert server.most_busy > 1


def test_the_letters_are_constrained_to_what_the_question_allows() -> None:
    model, given = CountingModel(lambda request: "A"), settings()
    asyncio.run(put(make_prefix_groups(quiz_case(), given, NO_TEXTS), model, given))
    kinds = {
        request.call_id.request.split("/")[2]: request.constraint for request in model.requests
    }
    assert kinds["mmr-0"] == ChoiceConstraint(options=("A", "B", "C", "D"))
    two, many = kinds["obj-two"], kinds["rea-set"]
    assert isinstance(two, ChoiceConstraint)
    assert isinstance(many, ChoiceConstraint)
    assert (len(two.options), len(many.options)) == (10, 15)
    assert {request.cache_salt for request in model.requests} == {"salt"}


def test_the_key_is_kept_by_option_and_not_by_letter() -> None:
    given = settings(kinds=("mmr",), orders=4)
    model = CountingModel(key_reply)
    answers = asyncio.run(put(make_prefix_groups(quiz_case(), given, NO_TEXTS), model, given))
    assert {one.text for one in answers} == {"A", "B", "C", "D"}
    assert all(one.chosen == (1,) for one in answers)
    assert all(one.right == (one.question == "mmr-0") for one in answers)


def test_a_thought_comes_before_the_letters_and_stays_in_the_prompt() -> None:
    given = settings(kinds=("tiu",), mode="cot")

    def reply(request: Request) -> str:
        return "I think." if request.constraint is None else "B"

    model = CountingModel(reply)
    [answer] = asyncio.run(put(make_prefix_groups(quiz_case(), given, NO_TEXTS), model, given))
    thought, letters = model.requests
    assert (thought.call_id.kind, thought.constraint) == ("thought", None)
    assert letters.messages[: len(thought.messages)] == thought.messages
    assert letters.messages[len(thought.messages)] == Message(role="assistant", text="I think.")
    assert (answer.thought, answer.text) == ("I think.", "B")
    assert (answer.prompt_tokens, answer.cached_tokens, answer.seconds) == (200, 120, 1.0)


@dataclass
class Gate:
    """Answers when it is let go, and keeps in which order questions came."""

    order: list[str]
    flying: int = 0
    most: int = 0

    async def complete(self, request: Request) -> Completion:
        """Return a letter after a while."""
        self.order.append(request.call_id.request)
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(0.01)
        self.flying -= 1
        return Completion(
            text="A", finish="stop", prompt_tokens=1, output_tokens=1, cached_tokens=None, seconds=0
        )


def test_the_others_of_a_sheet_come_after_its_first_and_before_new_sheets() -> None:
    given = settings(kinds=("mmr", "inf"))
    sheets = make_prefix_groups(quiz_case(), given, NO_TEXTS)
    assert len(sheets) == 4
    gate = Gate([])
    asyncio.run(put(sheets, gate, given, at_once=2))
    assert gate.most == 2
    place = {name: number for number, name in enumerate(gate.order)}
    for sheet in sheets:
        first, *others = [place[item.id] for item in sheet.items]
        # Not beside the first: the server has its beginning only when it has answered.
        assert all(other > first + 1 for other in others)
    last = max(place[item.id] for item in sheets[0].items)
    assert place[sheets[3].items[0].id] > last


def test_one_at_a_time_is_one_at_a_time() -> None:
    given, gate = settings(), Gate([])
    answers = asyncio.run(
        put(make_prefix_groups(quiz_case(), given, NO_TEXTS), gate, given, at_once=1)
    )
    assert gate.most == 1
    # The server reports no cached tokens.
    assert {one.cached_tokens for one in answers} == {None}


def test_replies_that_name_no_letter_are_wrong_and_kept_as_they_came() -> None:
    given = settings(kinds=("tiu",))
    model = CountingModel(lambda request: "I cannot say.")
    [answer] = asyncio.run(put(make_prefix_groups(quiz_case(), given, NO_TEXTS), model, given))
    assert (answer.chosen, answer.right, answer.text) == (None, False, "I cannot say.")
    assert answer.fault == ""


@dataclass
class Failing:
    """Raises an error."""

    error: Exception

    async def complete(self, request: Request) -> Completion:
        """Raise it."""
        raise self.error


def test_what_a_model_cannot_be_sent_is_an_answer_with_a_fault() -> None:
    given = settings(kinds=("tiu",))
    sheets = make_prefix_groups(quiz_case(), given, NO_TEXTS)
    [answer] = asyncio.run(put(sheets, Failing(ContextLengthError("too long")), given))
    assert (answer.chosen, answer.right, answer.fault) == (None, False, "too long")


def test_a_server_that_is_gone_ends_the_quiz_with_its_own_error() -> None:
    given = settings()
    sheets = make_prefix_groups(quiz_case(), given, NO_TEXTS)
    with pytest.raises(ModelError, match="is dead"):
        asyncio.run(put(sheets, Failing(ModelError("it is dead")), given))


def test_probabilities_are_kept_by_option() -> None:
    given = settings(kinds=("tiu",))

    class Weighing(CountingModel):
        async def complete(self, request: Request) -> Completion:
            found = await super().complete(request)
            weights = (("A", 0.1), ("B", 0.2), ("C", 0.3), ("D", 0.4))
            return replace(found, probabilities=weights)

    sheets = make_prefix_groups(quiz_case(), given, NO_TEXTS)
    [answer] = asyncio.run(put(sheets, Weighing(lambda request: "A"), given))
    assert [number for number, _ in answer.probabilities] == list(answer.shown)
    assert dict(answer.probabilities)[answer.shown[3]] == 0.4
