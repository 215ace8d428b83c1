"""The player `thinkthrice`: its method for each request, and its memory between turns."""

from dataclasses import replace
from typing import Final

from arena.core.actions import Action, Reply, UnparsedReply, Values
from arena.core.observation import Observation
from arena.core.purposes import (
    ASK_VARIANT,
    INVESTIGATE_VARIANT,
    STATEMENT,
    Purpose,
)
from arena.core.requests import DecisionRequest
from arena.core.specs import TEXT, Form, variants
from arena.models.chat import ChatModel
from arena.players import prompts
from arena.players.methods.method_player import Method, MethodPlayer
from arena.players.methods.method_steps import Turn
from arena.players.model_limits import ModelLimits
from arena.players.thinkthrice.answer_writer import AnswerWriter
from arena.players.thinkthrice.memories import Memories, find_last_speech, list_clues
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from arena.players.thinkthrice.question_writer import QuestionWriter, culprit_query, is_composable
from arena.players.thinkthrice.seat_questions import (
    SeatQuestion,
    make_reply_question,
    make_sharing_question,
    make_speech_question,
)
from arena.players.thinkthrice.self_questions import SelfQuestions
from arena.players.thinkthrice.timelines import Timelines

_ON_SUSPECTS: Final = frozenset({Purpose.VOTE, Purpose.ACCUSE, Purpose.CONCLUDE})
"""Purposes whose prompts have all clue cards, and the memories of the murder."""


class ThinkThricePlayer(MethodPlayer):
    """Answers from the seat's script and retrieved memories, and verifies its answers."""

    def __init__(
        self, model: ChatModel, options: ThinkThricePlayerOptions, limits: ModelLimits
    ) -> None:
        """Play with `model`; `limits` already reflect the options for pictures and context."""
        # Requests without the method, silent questions, must not see more than the method does.
        super().__init__(
            model, replace(options, memory="log" if options.remembers else "none"), limits
        )
        self._options = options
        self._memories = Memories(options, limits)
        self._timelines = Timelines()

    def method(self, observation: Observation, request: DecisionRequest) -> Method | None:
        """Return the method for a request; never None."""
        match request.purpose:
            case Purpose.INTRODUCE | Purpose.ANSWER:
                return self._answer
            case Purpose.SPEAK:
                return self._speak
            case Purpose.ASK | Purpose.ACT if all(map(is_composable, _forms(request))):
                return self._act
            case _:
                return self._decide

    async def _answer(self, turn: Turn) -> Action:
        question = make_reply_question(turn.observation, turn.request)
        return await self._reply(turn, question) or _nothing(TEXT)

    async def _speak(self, turn: Turn) -> Action:
        question = make_speech_question(turn.observation, turn.request)
        return await self._reply(turn, question) or _nothing(TEXT)

    async def _act(self, turn: Turn) -> Action:
        """Return a question or a search, after a statement if the request allows one."""
        name, form = self._choose_variant(turn)
        fields = tuple(field.name for field in form.fields)
        asking = QuestionWriter(self._inner(turn), self._options, self._memories)
        values: Values = ()
        if STATEMENT in fields:
            shared = await self._reply(turn, make_sharing_question(turn.observation))
            values = ((STATEMENT, shared[TEXT] if shared else ""),)
        is_search = name == INVESTIGATE_VARIANT
        values += await (asking.look(form) if is_search else asking.ask(form))
        found = dict(values)
        missing = [one.name for one in form.fields if not one.optional and not found.get(one.name)]
        ordered = tuple((one, found[one]) for one in fields if found.get(one))
        if missing:
            return UnparsedReply(missing=missing[0], text="", partial=ordered)
        return Reply(values=ordered, variant=name)

    async def _decide(self, turn: Turn) -> Action:
        """Return the model's reply, with all clue cards if it is about suspects."""
        request, seen = turn.request, turn.observation
        if request.purpose in _ON_SUSPECTS:
            query, besides = culprit_query(self._inner(turn)), list_clues(seen)
        else:
            last = find_last_speech(seen)
            query = last[1].text if last and request.purpose is Purpose.POWER else ""
            query = query or f"{prompts.write_demand(seen, request)} {request.about}"
            besides = ()
        recalled = await self._memories.recall(turn, query, besides=besides)
        return await self.reply(turn, seen=recalled)

    async def _reply(self, turn: Turn, question: SeatQuestion) -> Reply | None:
        """Return the reply of the whole pipeline to one question; None: no legal one."""
        recalled = await self._memories.recall(turn, question.text, without=question.events)
        known = self._timelines.find(turn.observation)
        answering = AnswerWriter(self._inner(turn), self._options, question, recalled, known)
        reply = await answering.answer()
        if known is None and answering.refinement.timeline is not None:
            self._timelines.keep(turn.observation, turn.request, answering.refinement.timeline)
        return reply

    def _choose_variant(self, turn: Turn) -> tuple[str, Form]:
        """Return the variant of a turn: a search in half of the turns in which it is possible."""
        ways = {one.name: one.spec for one in variants(turn.request.spec)}
        if {ASK_VARIANT, INVESTIGATE_VARIANT} <= set(ways):
            name = turn.chance.choice((ASK_VARIANT, INVESTIGATE_VARIANT))
        else:
            name = next(iter(ways))
        form = ways[name]
        assert isinstance(form, Form), "the method fills in forms"
        return name, form

    def _inner(self, turn: Turn) -> SelfQuestions:
        options = self.seat.prompting.options
        return SelfQuestions(turn, options.temperature, options.reply_tokens)


def _forms(request: DecisionRequest) -> list[Form]:
    """Return the forms among the variants of a request."""
    return [
        one.spec if isinstance(one.spec, Form) else Form(fields=())
        for one in variants(request.spec)
    ]


def _nothing(name: str) -> UnparsedReply:
    """Return the action if the model gave no answer to the steps of the method."""
    return UnparsedReply(missing=name, text="")
