"""The player `o-cot`: before each question it writes a note on every objective."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from arena.core.actions import Action
from arena.core.observation import Observation
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.models.chat import ChatModel
from arena.players.methods.inquirer import Inquirer, demand
from arena.players.methods.inquiry import (
    find_question_choices,
    has_known_side,
    is_killer,
    name_deeds,
    name_victims,
)
from arena.players.methods.method_player import Method
from arena.players.methods.method_steps import STEP_TOKENS, MethodStep, Turn
from arena.players.methods.turn_cost import REPLY, TurnCost, Wave
from arena.players.model_limits import ModelLimits
from arena.players.o_cot.objectives import MAX_OBJECTIVES, list_objectives
from arena.players.o_cot.options import OCotOptions
from arena.players.wording import find_method_wording

_WORDING: Final = "o_cot"
_PROMPT_TOKENS: Final = 160
"""Prompt tokens of a note, including its objective."""


def count_cost(options: OCotOptions) -> TurnCost:
    """Return the cost of a turn: a note on each objective, sequential or concurrent."""
    note = Wave(calls=MAX_OBJECTIVES, prompt=_PROMPT_TOKENS, reply=STEP_TOKENS)
    if options.parallel_notes:
        notes = (note,)
    else:
        earlier = (number * (_PROMPT_TOKENS + STEP_TOKENS) for number in range(MAX_OBJECTIVES))
        notes = tuple(replace(note, calls=1, prompt=_PROMPT_TOKENS + one) for one in earlier)
    calls = {Purpose.ASK: "O + 1", Purpose.ACT: "O + 1", "any": "1"}
    return TurnCost(calls=MappingProxyType(calls), chains=lambda _: ((*notes, REPLY),))


class OCotPlayer(Inquirer):
    """A baseline: chain of thought along the objectives of the role."""

    def __init__(self, model: ChatModel, options: OCotOptions, limits: ModelLimits) -> None:
        """Play with `model`; `limits` already reflect the options."""
        super().__init__(model, options, limits)
        self._how = options

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
        say, victim = find_method_wording(_WORDING, turn.language), _victim(turn)
        if is_killer(turn.observation, turn.request.about):
            deed = say("objective.hidden", deeds=_deeds(turn))
        else:
            deed = say("objective.killer", victim=quote(victim))
        objectives = list_objectives(turn.observation, turn.request.about, deed)
        lines = "\n".join(await self._write_notes(turn, objectives, victim))
        key = "craft.question" if lines else "craft.without_notes"
        instruction = say(key, victim=quote(victim), lines=lines).strip()
        return await self.reply(turn, demand(turn, None, instruction))

    async def _write_notes(self, turn: Turn, objectives: tuple[str, ...], victim: str) -> list[str]:
        """Return a line for each objective with a successful note."""
        say = find_method_wording(_WORDING, turn.language)

        def step(number: int, earlier: list[str]) -> MethodStep:
            before = say("note.earlier", lines="\n".join(earlier)) if earlier else ""
            text = say("note.write", objective=quote(objectives[number]), earlier=before)
            return MethodStep(
                name=f"note/{number + 1}",
                instruction=text.strip(),
                query=f"{objectives[number]} {victim}",
            )

        numbers = range(len(objectives))
        if self._how.parallel_notes:
            replies = await turn.ask_all([step(number, []) for number in numbers])
            notes = ["" if one is None else one.values[0][1] for one in replies]
            return [_line(turn, objectives[n], notes[n]) for n in numbers if notes[n]]
        lines: list[str] = []
        for number in numbers:
            if note := await turn.ask_text(step(number, lines)):
                lines.append(_line(turn, objectives[number], note))
        return lines

    async def _reply_to(self, turn: Turn) -> Action:
        say, request = find_method_wording(_WORDING, turn.language), turn.request
        values = {name: quote(request.context_value(name)) for name in (ASKER, QUESTION)}
        values["victim"] = quote(_victim(turn))
        values["deeds"] = _deeds(turn)
        side = "killer" if is_killer(turn.observation, request.about) else "innocent"
        instruction = say(f"speech.{side}", **values)
        return await self.reply(turn, demand(turn, None, instruction.strip()))


def _line(turn: Turn, objective: str, note: str) -> str:
    say = find_method_wording(_WORDING, turn.language)
    return say("note.line", objective=quote(objective), note=quote(note))


def _victim(turn: Turn) -> str:
    return name_victims(turn.observation, turn.request.about) or _nobody(turn)


def _deeds(turn: Turn) -> str:
    return quote(name_deeds(turn.observation, turn.request.about) or _nobody(turn))


def _nobody(turn: Turn) -> str:
    return find_method_wording(_WORDING, turn.language)("objective.nobody")
