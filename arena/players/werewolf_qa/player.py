"""The player `werewolf-qa`: it rewords predefined questions, and drafts its answers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from arena.core.actions import Action, Reply
from arena.core.observation import Observation
from arena.core.option_labels import list_options
from arena.core.purposes import ASKER, QUESTION, TARGET, Purpose
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, Field, Form
from arena.models.chat import ChatModel
from arena.players.methods.inquirer import Inquirer, choices, demand
from arena.players.methods.inquiry import (
    QuestionChoices,
    fill_text,
    find_question_choices,
    has_known_side,
    is_killer,
    name_deeds,
    name_victims,
    own_questions,
)
from arena.players.methods.memory_units import find_open_question
from arena.players.methods.method_player import Method
from arena.players.methods.method_steps import STEP_TOKENS, MethodStep, Turn
from arena.players.methods.turn_cost import REPLY, TurnCost, Wave
from arena.players.model_limits import ModelLimits
from arena.players.werewolf_qa.exchange_memory import ExchangeMemory
from arena.players.werewolf_qa.options import WerewolfQaOptions
from arena.players.werewolf_qa.topics import TOPICS, WORDING, label_topics, write_question
from arena.players.wording import find_method_wording

_TOPIC: Final = "topic"
_DRAFT_TOKENS: Final = 1024
_QUESTION_TOKENS: Final = 256
_PROMPT_TOKENS: Final = 160
"""Prompt tokens of a draft, without the question."""
_TOPICS_TOKENS: Final = 480
"""Prompt tokens of the choice of a question, with all ten."""


def count_cost(options: WerewolfQaOptions) -> TurnCost:
    """Return the cost of a turn: pick and ask a question, or draft and reflect on an answer."""
    del options
    pick = Wave(prompt=_TOPICS_TOKENS, reply=STEP_TOKENS)
    # An answer quotes the question; the remarks quote the draft too.
    draft = Wave(prompt=_PROMPT_TOKENS + _QUESTION_TOKENS, reply=_DRAFT_TOKENS)
    reflect = replace(draft, prompt=draft.prompt + _DRAFT_TOKENS)
    final = replace(draft, prompt=draft.prompt + 2 * _DRAFT_TOKENS, reply=0)
    calls = {Purpose.ASK: "2", Purpose.ACT: "2", Purpose.ANSWER: "3; a killer 1", "any": "1"}
    return TurnCost(
        calls=MappingProxyType(calls), chains=lambda _: ((pick, REPLY), (draft, reflect, final))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pick:
    """Choice of a seat in one turn."""

    events: int
    """Number of events that it had observed."""
    victim: str
    topic: str = ""
    """Topic of its question; empty: it searched for a clue."""
    target: SeatId | None = None


class WerewolfQaPlayer(Inquirer):
    """A baseline after an agent for the game of werewolves."""

    def __init__(self, model: ChatModel, options: WerewolfQaOptions, limits: ModelLimits) -> None:
        """Play with `model`; `limits` already reflect the options."""
        super().__init__(model, options, limits)
        self._how = options
        self._exchanges = ExchangeMemory(limits, options.exchanges)
        self._picks: dict[str, _Pick] = {}

    def method(self, observation: Observation, request: DecisionRequest) -> Method | None:
        """Return the method for a request; None: answer it like `direct`."""
        if not has_known_side(observation):
            return None
        match request.purpose:
            case Purpose.ANSWER:
                return self._reply_to
            case Purpose.ASK | Purpose.ACT:
                return self._inquire if find_question_choices(observation, request) else None
            case _:
                return None

    async def _inquire(self, turn: Turn) -> Action:
        """Return a question; every second turn is a search if searches are possible."""
        asking = find_question_choices(turn.observation, turn.request)
        assert asking is not None, "the request wants no question"
        victim = self._choose_victim(turn, asking.victims)
        about = victim or turn.request.about
        pick = self._picks.get(turn.request.id)
        if pick is None and asking.can_investigate and len(self._earlier(turn)) % 2 == 1:
            pick = _Pick(events=len(turn.observation.events), victim=about)
        if pick is None:
            pick = await self._pick(turn, asking, about)
        if pick.target is None:
            action = await self.investigate(turn)
        else:
            action = await self._put(turn, asking, victim, pick, pick.target)
        self._picks[turn.request.id] = pick
        return action

    async def _pick(self, turn: Turn, asking: QuestionChoices, about: str) -> _Pick:
        """Return topic and target of the question; without a parsed topic the next unused one."""
        reply = await self._ask_topic(turn, asking, about)
        values: Mapping[str, str] = dict(reply.values) if reply else {}
        named = next(iter(values.values()), "")
        unused = self._next_unused(turn, about)
        topic = label_topics(turn.language).get(named, unused)
        target = SeatId(values.get(TARGET, "")) or self._next_target(turn, asking, about)
        turn.note("pick", victim=self._victim(turn, about), subject=topic, seat=target)
        return _Pick(events=len(turn.observation.events), victim=about, topic=topic, target=target)

    async def _ask_topic(self, turn: Turn, asking: QuestionChoices, about: str) -> Reply | None:
        say, victim = find_method_wording(WORDING, turn.language), self._victim(turn, about)
        labels, chooses = label_topics(turn.language), self._chooses_target(asking)
        lines = "\n".join(
            say("pick.line", topic=label, question=write_question(turn.language, topic, victim))
            for label, topic in labels.items()
        )
        topics = Choice(options=tuple(labels))
        fields = (
            Field(name=_TOPIC, spec=topics),
            Field(name=TARGET, spec=Choice(options=asking.targets)),
        )
        instruction = say(
            f"pick.{'with_target' if chooses else 'question'}",
            victim=quote(victim),
            lines=lines,
            options=list_options(labels, turn.language),
            seats=list_options(asking.targets, turn.language),
        )
        step = MethodStep(
            name="pick",
            instruction=instruction.strip(),
            spec=Form(fields=fields) if chooses else topics,
            seen=await self._exchanges.recall(turn, victim),
            query=victim,
        )
        return await turn.ask(step)

    async def _put(
        self, turn: Turn, asking: QuestionChoices, victim: str, pick: _Pick, target: SeatId
    ) -> Action:
        say, named = find_method_wording(WORDING, turn.language), self._victim(turn, pick.victim)
        question = write_question(turn.language, pick.topic, named)
        side = "killer" if is_killer(turn.observation, pick.victim) else "innocent"
        instruction = say(
            f"pick.ask_{side}",
            seat=target,
            victim=quote(named),
            deeds=quote(_deeds(turn, pick.victim)),
            question=question,
        )
        return await self.put_question(
            turn,
            asking,
            choices(target, asking, victim),
            instruction.strip(),
            (question, say("pick.nothing")),
            await self._exchanges.recall(turn, f"{target} {question}"),
        )

    async def _reply_to(self, turn: Turn) -> Action:
        """Return the answer: draft, remarks, final answer; a killer answers without them."""
        say, request = find_method_wording(WORDING, turn.language), turn.request
        values = {name: quote(request.context_value(name)) for name in (ASKER, QUESTION)}
        values["victim"] = quote(self._victim(turn, request.about))
        asked = request.context_value(QUESTION)
        without = find_open_question(turn.observation, request.context_value(ASKER), asked)
        seen = await self._exchanges.recall(turn, asked, without)
        if is_killer(turn.observation, request.about):
            deeds = quote(_deeds(turn, request.about))
            instruction = say("speech.killer", deeds=deeds, **values).strip()
            return await self.reply(turn, demand(turn, None, instruction), seen=seen)

        async def ask(name: str, **more: str) -> str:
            instruction = say(f"speech.{name}", **values, **more).strip()
            step = MethodStep(
                name=name,
                instruction=instruction,
                tokens=_DRAFT_TOKENS,
                seen=seen,
                query=values["victim"],
                may_be_heard=name == "draft",
            )
            return await turn.ask_text(step)

        draft = await ask("draft")
        if not draft:
            return await self.reply(turn, seen=seen)
        remarks = await ask("reflect", draft=quote(draft))
        instruction = say("speech.final", draft=quote(draft), remarks=quote(remarks), **values)
        action = await self.reply(turn, demand(turn, None, instruction.strip()), seen=seen)
        return self.fall_back(turn, action, fill_text(request.spec, draft))

    def _chooses_target(self, asking: QuestionChoices) -> bool:
        return self._how.target == "model" and len(asking.targets) > 1

    def _earlier(self, turn: Turn) -> list[_Pick]:
        """Return the seat's earlier choices in order, without simultaneous ones."""
        now = len(turn.observation.events)
        earlier = [(one.events, name) for name, one in self._picks.items() if one.events < now]
        return [self._picks[name] for _, name in sorted(earlier)]

    def _next_unused(self, turn: Turn, about: str) -> str:
        """Return the first topic that the seat used least about a victim."""
        used = [one.topic for one in self._earlier(turn) if one.victim == about]
        return min(TOPICS, key=used.count)

    def _next_target(self, turn: Turn, asking: QuestionChoices, about: str) -> SeatId:
        """Return the seat after the last asked one; at first a random one.

        If all targets are asked in turn, return the first of the least asked.
        """
        asked = own_questions(turn.observation, about)
        if self._how.targets == "all":
            return min(asking.targets, key=[one.to for one in asked].count)
        if not asked:
            return turn.chance.choice(asking.targets)
        seats = turn.observation.seats
        start = seats.index(asked[-1].to) + 1
        return next(seat for seat in (*seats[start:], *seats[:start]) if seat in asking.targets)

    @staticmethod
    def _choose_victim(turn: Turn, victims: tuple[str, ...]) -> str:
        """Return the victim that the seat asked least about; empty: there is no choice."""
        in_order = [one for one in turn.observation.victims if one in victims]
        if not in_order:
            return ""
        return min(in_order, key=lambda one: len(own_questions(turn.observation, one)))

    @staticmethod
    def _victim(turn: Turn, about: str) -> str:
        return name_victims(turn.observation, about) or _nobody(turn)


def _deeds(turn: Turn, about: str) -> str:
    return name_deeds(turn.observation, about) or _nobody(turn)


def _nobody(turn: Turn) -> str:
    return find_method_wording(WORDING, turn.language)("speech.nobody")
