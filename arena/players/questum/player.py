"""The player `questum`: it asks the most informative seat, and prunes its list of suspects."""

from types import MappingProxyType
from typing import Final

from arena.core.actions import Action, Skip
from arena.core.events import SeatEliminated
from arena.core.observation import Observation
from arena.core.option_labels import list_options
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, Form, spec_fields, variants
from arena.models.chat import ChatModel
from arena.players.methods.inquirer import Inquirer, choices, demand
from arena.players.methods.inquiry import (
    QuestionChoices,
    find_question_choices,
    has_known_side,
    is_killer,
    name_deeds,
    name_victims,
    narrow,
    own_questions,
    round_number,
    was_asked_about,
)
from arena.players.methods.method_player import Method
from arena.players.methods.method_steps import STEP_TOKENS, Turn
from arena.players.methods.turn_cost import REPLY, Chain, TurnCost, Wave
from arena.players.model_limits import ModelLimits
from arena.players.questum.options import QuestumPlayerOptions
from arena.players.questum.pruner import PruningResult, prune
from arena.players.questum.sensors import (
    ABOUT_TARGET,
    ALL,
    JOINT_TOKENS,
    READING_TOKENS,
    SensorReadings,
    VictimView,
)
from arena.players.questum.targeting import choose_aim
from arena.players.questum.turn_ledger import TurnFindings, TurnLedger, VictimKnowledge
from arena.players.werewolf_qa.topics import TIMELINE, write_question
from arena.players.wording import find_method_wording

_ASK: Final = (
    "S + 4, or 4 where the game names whom to ask; 4S + 1 more in a victim's first turn of each "
    "later round"
)
_SENSOR_TOKENS: Final = 160
"""Prompt tokens of a sensor; all four in one call have twice as many."""
_LINE_TOKENS: Final = 240
"""Tokens for one suspect in the pruning prompt: four readings with their reasons."""


def count_cost(how: QuestumPlayerOptions) -> TurnCost:
    """Return the cost of a turn: the longest one prunes the whole list before it asks."""

    def read(calls: int) -> Wave:
        return Wave(calls=calls, prompt=_SENSOR_TOKENS, reply=READING_TOKENS)

    def chains(seats: int) -> tuple[Chain, ...]:
        others = seats - 1
        every = read(len(ALL) * others)
        if how.joint:
            every = Wave(calls=others, prompt=2 * _SENSOR_TOKENS, reply=JOINT_TOKENS)
        choose = Wave(prompt=_SENSOR_TOKENS + _LINE_TOKENS * others, reply=STEP_TOKENS)
        aim = () if how.targets == "all" else (read(others),)
        return ((every, choose, *aim, read(len(ABOUT_TARGET)), REPLY),)

    calls = {Purpose.ASK: _ASK, Purpose.ACT: _ASK, "any": "1"}
    return TurnCost(calls=MappingProxyType(calls), chains=chains)


class QuestumPlayer(Inquirer):
    """Questum's method; a killer plays it too, and hides its deed.

    If the game names the target, the score has nothing to choose; the rest is the same.
    """

    def __init__(
        self, model: ChatModel, options: QuestumPlayerOptions, limits: ModelLimits
    ) -> None:
        """Play with `model`; `limits` already reflect the options."""
        super().__init__(model, options, limits)
        self._how = options
        self._ledger = TurnLedger()

    def method(self, observation: Observation, request: DecisionRequest) -> Method | None:
        """Return the method for a request; None: answer it like `direct`."""
        if not has_known_side(observation):
            return None
        match request.purpose:
            case Purpose.INTRODUCE:
                return self._introduce
            case Purpose.ANSWER:
                return self._reply_to
            case Purpose.ASK | Purpose.ACT:
                return self._inquire if find_question_choices(observation, request) else None
            case Purpose.VOTE | Purpose.ACCUSE | Purpose.CONCLUDE:
                return self._judge
            case _:
                return None

    async def _introduce(self, turn: Turn) -> Action:
        say = find_method_wording("questum", turn.language)
        return await self.reply(turn, demand(turn, None, say("speech.first").strip()))

    async def _reply_to(self, turn: Turn) -> Action:
        case = _case(turn, turn.request.about)
        values = {name: quote(turn.request.context_value(name)) for name in (ASKER, QUESTION)}
        instruction = case.words(f"speech.{case.faction}", **values)
        return await self.reply(turn, demand(turn, None, instruction))

    async def _judge(self, turn: Turn) -> Action:
        """Return the vote, the accusation or the conclusion, with the suspects in the prompt.

        If no seat asked about the victim, or all seats are suspects, the list is not informative.
        """
        case = _case(turn, turn.request.about)
        suspects = self._know(turn, case.victim).suspects
        spec = turn.request.spec
        if turn.request.purpose == Purpose.VOTE and self._how.vote_from == "suspects":
            names = {field.name for one in variants(spec) for field in spec_fields(one.spec)}
            if isinstance(spec, Choice | Form):
                spec = narrow(spec, "", dict.fromkeys(names, suspects))
        instruction, named = "", _find_votable(turn, suspects)
        is_shorter = len(suspects) < len(_others(turn))
        if named and is_shorter and was_asked_about(turn.observation, turn.request.about):
            listed = list_options(named, turn.language)
            instruction = case.words(f"list.judge_{case.faction}", suspects=listed)
        return await self.reply(turn, demand(turn, spec, instruction), spec)

    async def _inquire(self, turn: Turn) -> Action:
        """Return a question, or a search for a clue if no question is promising."""
        asking = find_question_choices(turn.observation, turn.request)
        assert asking is not None, "the request wants no question"
        victim = self._choose_victim(turn, asking.victims)
        case = _case(turn, victim or turn.request.about)
        found = self._ledger.find(turn.request.id) or await self._find_out(case, asking)
        action = await self._play(case, asking, victim, found)
        self._ledger.add(found)
        return action

    async def _find_out(self, case: VictimView, asking: QuestionChoices) -> TurnFindings:
        """Return the findings of the turn's steps: suspects, target, readings of the target."""
        turn, number = case.turn, round_number(case.turn.observation)
        known = self._know(turn, case.victim)
        pruned = PruningResult(suspects=known.suspects)
        if not known.is_current:
            pruned = await prune(case, self._how, known, _others(turn), number)
            known = known.after(pruned.suspects, pruned.credited, (number - 1, pruned.gain))
        case.note("suspects", number, seats=list_options(pruned.suspects, turn.language))
        aim = await choose_aim(case, asking, self._how, known, number)
        case.note("aim", number, seat=aim.target or "", why=aim.why)
        readings: SensorReadings = {}
        if aim.target is not None:
            target = aim.target
            read = await case.read([(sensor, target) for sensor in ABOUT_TARGET], "asking")
            readings = read[target]
            case.note_readings(number, target, readings, "asking")
        return TurnFindings(
            request=turn.request.id,
            events=len(turn.observation.events),
            victim=case.victim,
            round=number,
            suspects=pruned.suspects,
            credited=pruned.credited,
            gain=pruned.gain,
            target=aim.target,
            investigates=aim.investigates,
            readings=readings,
        )

    async def _play(
        self, case: VictimView, asking: QuestionChoices, victim: str, found: TurnFindings
    ) -> Action:
        """Return the action of the turn: a question, a search, or a skip."""
        turn = case.turn
        if found.investigates:
            return await self.investigate(turn)
        if found.target is None:
            return Skip()
        summary = case.summary(found.target, found.readings)
        instruction = case.words(f"target.{case.faction}", seat=found.target, line=summary)
        fixed = (write_question(turn.language, TIMELINE, case.victim), case.say("target.nothing"))
        chosen = choices(found.target, asking, victim)
        return await self.put_question(turn, asking, chosen, instruction, fixed)

    def _choose_victim(self, turn: Turn, victims: tuple[str, ...]) -> str:
        """Return the victim with the least knowledge; of ties the one the seat asked least about.

        Empty: the request leaves no choice.
        """
        in_order = [one for one in turn.observation.victims if one in victims]
        if not in_order:
            return ""

        def known(victim: str) -> tuple[int, int]:
            asked = len(own_questions(turn.observation, victim))
            return len(self._know(turn, victim).suspects), -asked

        return max(in_order, key=known)

    def _know(self, turn: Turn, victim: str) -> VictimKnowledge:
        number = round_number(turn.observation)
        return self._ledger.before(victim, len(turn.observation.events), number, _others(turn))


def _case(turn: Turn, about: str) -> VictimView:
    say, seen = find_method_wording("questum", turn.language), turn.observation
    return VictimView(
        turn=turn,
        say=say,
        about=about,
        victim=name_victims(seen, about) or say("side.nobody"),
        deeds=name_deeds(seen, about) or say("side.nobody"),
        is_killer=is_killer(seen, about),
    )


def _find_votable(turn: Turn, suspects: tuple[SeatId, ...]) -> tuple[SeatId, ...]:
    """Return the suspects among the options of the request, without eliminated seats."""
    events, spec = turn.observation.events, turn.request.spec
    choices = [
        field.spec
        for one in variants(spec)
        for field in spec_fields(one.spec)
        if isinstance(field.spec, Choice)
    ]
    gone = {event.seat for event in events if isinstance(event, SeatEliminated)}
    named = {option for choice in choices for option in choice.options}
    return tuple(seat for seat in suspects if seat not in gone and (seat in named or not choices))


def _others(turn: Turn) -> tuple[SeatId, ...]:
    seen = turn.observation
    return tuple(seat for seat in seen.seats if seat != seen.seat)
