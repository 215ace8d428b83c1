"""Training conversations: the teacher plays a generated case through the production prompts.

The requests to a seat's model and the teacher's replies form one conversation.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from arena.core.actions import Reply
from arena.core.observation import Observation, observe, observe_request
from arena.core.option_labels import option_label
from arena.core.playouts.playout import reduce_all, start_state
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, FreeText, OneOf, spec_fields, variant_spec
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup, apply
from arena.games.game_registry import find_game
from arena.memory.chunking import join_sentences
from arena.models.chat import Message, Request
from arena.models.function_model import FunctionModel
from arena.players import prompts
from arena.players.contestants import read_contestant
from arena.players.model_limits import ModelLimits, Replies, Shares
from arena.players.player import Player
from arena.players.replies.decoding import ACTION
from arena.players.roster import make_player
from arena.players.wording import find_wording
from arena.training.questions import TrainingQuestion, draw_question
from arena.training.teacher import Teacher
from arena.training.testimony import Statement
from arena.training.thinking import Thought
from scripts_mm.generate.case import GeneratedCase
from scripts_mm.script import Language, Script

CountTokens = Callable[[Sequence[Message]], int]
Conversation = tuple[Message, ...]
"""Messages in the model's format; replies have the role `assistant`."""
_REPLY_TOKENS = 256
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """Settings of a match."""

    game: str = "whodunit"
    preset: str = "default"
    seed: int = 0
    player: str = "mini"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """Requests to a seat's model, and the teacher's replies."""

    request: Request
    reply: str
    observation: Observation
    asked: DecisionRequest
    answers: tuple[str, ...] = ()
    """Statements that answer the question, if one was put."""
    thought: Thought | None = None
    """Thought before the reply: the request's last message but one."""

    @property
    def messages(self) -> Conversation:
        """Return the whole conversation."""
        return (*self.request.messages, Message(role="assistant", text=self.reply))


def estimate(messages: Sequence[Message]) -> int:
    """Return an estimate of the tokens of messages."""
    return sum(1 + len(message.text) // _CHARS_PER_TOKEN for message in messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptLimits:
    """Limits of prompts: `budget` tokens including the reply, and shares of script and talk."""

    count: CountTokens = estimate
    budget: int = 0
    """0: no limit."""
    shares: Shares | None = None
    """None: no limits."""
    replies: Replies = "free"


WHOLE: Final = PromptLimits()


def model_limits(room: PromptLimits) -> ModelLimits:
    """Return the limits of a model for prompts within `room`."""
    return ModelLimits(
        reply_tokens=_REPLY_TOKENS,
        context_tokens=None,
        count=room.count,
        exact=False,
        overflow="retrieve",
        context_budget=room.budget,
        replies=room.replies,
        shares=room.shares,
    )


@dataclass(slots=True)
class _Seats:
    """Players of a match, whose model is the teacher."""

    how: MatchSettings
    room: PromptLimits
    teacher: Teacher
    asked: dict[str, tuple[Observation, DecisionRequest]] = field(
        default_factory=dict[str, tuple[Observation, DecisionRequest]]
    )
    episodes: dict[str, Episode] = field(default_factory=dict[str, Episode])
    """By request."""

    def player(self) -> Player:
        limits = model_limits(self.room)
        return make_player(read_contestant(self.how.player), FunctionModel(self._reply), limits)

    def _reply(self, request: Request) -> str:
        name = request.call_id.request
        observation, asked = self.asked[name]
        if request.call_id.kind == "thought":
            return self.teacher.think(observation, asked, request.messages).text
        action = self.teacher.act(observation, asked)
        assert isinstance(action, Reply), "the teacher always answers"
        self.episodes[name] = Episode(
            request=request,
            reply=reply_text(action, asked, observation.language),
            observation=observation,
            asked=asked,
            answers=self.teacher.answers(asked),
            thought=self.teacher.thoughts.get(name),
        )
        return self.episodes[name].reply


def play_match(
    case: GeneratedCase,
    language: Language,
    script: Script,
    how: MatchSettings,
    room: PromptLimits = WHOLE,
) -> tuple[Episode, ...]:
    """Play one match of `script` and return all requests to the seats' models, in order."""
    state, rules = start(script, how), find_game(how.game)
    teacher = Teacher(case=case, language=language, rng=Random(f"{case.id}/{language}/{how.seed}"))
    seats = _Seats(how, room, teacher)
    players = {part.seat: seats.player() for part in state.started.parts}
    while requests := pending(state):
        for request in requests:
            if request not in pending(state):
                continue
            observation = observe_request(state, request)
            seats.asked[request.id] = observation, request
            decided = asyncio.run(players[request.seat].act(observation, request, Random(0)))
            state = reduce_all(state, apply(rules, state, request, decided.action))
    return tuple(seats.episodes.values())


def last_of_seats(episodes: Iterable[Episode]) -> Mapping[str, Episode]:
    """Return the last episode of each seat: without a budget, it contains all the others."""
    return {one.request.call_id.seat: one for one in episodes}


def start(script: Script, how: MatchSettings) -> MatchState:
    """Return a match of `script` before its first answer."""
    rules = find_game(how.game)
    setup = MatchSetup(
        script=script,
        options=rules.options(**rules.presets[how.preset]),  # pyright: ignore[reportArgumentType]
        seed=how.seed,
        civilians="mini",
        murderer="mini",
        silent=(),
    )
    return start_state(rules, setup)


def reply_text(action: Reply, request: DecisionRequest, language: Language) -> str:
    """Return an answer as the text of a model's reply."""
    spec = variant_spec(request.spec, action.variant)
    assert spec is not None, f"no variant {action.variant!r}"
    values = {
        one.name: option_label(action[one.name], language)
        if isinstance(one.spec, Choice)
        else action[one.name]
        for one in spec_fields(spec)
    }
    if isinstance(request.spec, FreeText | Choice):
        return next(iter(values.values()))
    if isinstance(request.spec, OneOf):
        values = {ACTION: action.variant, **values}
    return json.dumps(values, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewSettings:
    """Settings of an interview."""

    seat_number: int
    questions: int
    seed: int
    known: int = 0
    """Number of statements of the private script in the prompt; 0: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """A seat's conversation before any question, and questions to it."""

    observation: Observation
    header: Conversation
    questions: tuple[tuple[Message, TrainingQuestion], ...]

    @property
    def messages(self) -> Conversation:
        """Return the whole conversation, with the best answers."""
        found = list(self.header)
        for asked, question in self.questions:
            found += [asked, Message(role="assistant", text=question.answers[0])]
        return tuple(found)


def hold_interview(
    case: GeneratedCase, language: Language, script: Script, talk: InterviewSettings
) -> Interview:
    """Return an interview in which the others put one question after another to a seat."""
    rng = Random(f"{case.id}/{language}/{talk.seat_number}/{talk.seed}/interview")
    state = start(script, MatchSettings(seed=talk.seed))
    seat = state.started.seats[talk.seat_number % len(state.started.seats)]
    observation = observe(state, seat)
    teacher = Teacher(case=case, language=language, rng=rng)
    about, statements = teacher.seat(seat), teacher.statements(seat)
    header = prompts.header(observation)
    if 0 < talk.known < len(statements):
        kept = sorted(rng.sample(range(len(statements)), talk.known))
        statements = tuple(statements[at] for at in kept)
        header = prompts.header(observation, _parts(statements, language, rng), "you_parts")
    drawn = [draw_question(about, statements, rng) for _ in range(talk.questions)]
    return Interview(
        observation=observation,
        header=tuple(header),
        questions=tuple(
            (put_question(observation, rng.choice(about.others), one.text), one) for one in drawn
        ),
    )


def _parts(statements: Sequence[Statement], language: Language, rng: Random) -> str:
    """Return sentences of a private script, with marks for omitted ones."""
    gap = find_wording(language)("line.gap")
    parts: list[str] = []
    for one in statements:
        parts += [gap, one.told] if rng.random() < 1 / 2 else [one.told]
    return join_sentences(parts, language)


def put_question(observation: Observation, asker: str, question: str) -> Message:
    """Return the message with a question to a seat, in the wording of prompts."""
    say = find_wording(observation.language)
    text = say("line.text", text=quote(question))
    line = say("line.asked", seat=asker, to=observation.seat, about="", text=text)
    request = DecisionRequest(
        id="interview",
        seat=observation.seat,
        kind=Purpose.ANSWER.value,
        purpose=Purpose.ANSWER,
        phase="interview",
        spec=FreeText(),
        context=((ASKER, asker), (QUESTION, question)),
    )
    demand = prompts.write_demand(observation, request)
    return Message(role="user", text=f"{line}\n\n{demand}")
