"""Player of a model: the players `direct` and `cot`."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from arena.core.action_validation import validate
from arena.core.actions import Action, Reply, Skip
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.errors import UnanswerableError
from arena.models.chat import ChatModel, Constraint, Message, Request
from arena.models.recording import NotRecordedError
from arena.players import prompts
from arena.players.context.prompt_builder import PromptBuilder
from arena.players.methods.method_steps import MethodStep, StepMemory, Turn
from arena.players.methods.recall import recall
from arena.players.model_limits import ModelLimits
from arena.players.player import Answer, Player
from arena.players.prompt_log import Prompt
from arena.players.prompting import PromptingOptions
from arena.players.replies.decoding import is_choice, parse
from arena.players.seat_model import SeatModel
from arena.players.wording import find_wording


class ModelPlayer:
    """Renders the observation, calls the model, parses the reply; one object per seat and match."""

    def __init__(
        self,
        model: ChatModel,
        options: PromptingOptions,
        limits: ModelLimits,
        *,
        seat: SeatModel | None = None,
    ) -> None:
        """Play with `model`; `limits` already reflect the options for pictures and context.

        `seat`: the seat's model, shared with a method that answers some requests differently.
        """
        self._seat = seat or SeatModel(model, options, limits)
        self._prompting = self._seat.prompting
        self._steps = StepMemory()

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the model's answer, or raise `ModelError` if it gives none."""
        del chance
        return await self.answer(observation, request)

    async def answer(
        self,
        observation: Observation,
        request: DecisionRequest,
        instruction: str | None = None,
        seen: Observation | None = None,
    ) -> Answer:
        """Return the answer to `request`; `instruction` replaces the game's instruction.

        `seen`: the part of the observation for the prompt; None: as the option `memory` says.
        """
        seen = seen or recall(observation, self._prompting)
        builder = self._seat.builder(observation, excerpt=seen is not observation)
        turn = Turn(self._seat, self._steps, observation, request, Random())
        if self._prompting.options.notes and not request.off_path and not is_choice(request.spec):
            instruction = await _add_notes(turn, instruction)
        wanted = self._prompting.prompt_request(seen, request, instruction)

        async def decide(prompt: Prompt) -> Action:
            return await self._decide(seen, request, prompt, builder)

        prompt, action = await self._seat.with_prompt(builder, seen, request, wanted, decide)
        turn.report(*prompt.adjustments)
        return Answer(action=action, reports=turn.reports)

    async def restore(
        self,
        observation: Observation,
        request: DecisionRequest,
        chance: Random,
        *,
        accepted: Reply | Skip | None,
    ) -> None:
        """Rebuild the memory of an earlier decision; the model must answer only from its record.

        If the calls of an accepted answer are not recorded, or give another answer, another player
        gave it: its words become lines of the log. Without an accepted answer, the seat timed out
        or its answer was rejected.
        """
        if not await is_own_answer(self, observation, request, chance, accepted):
            self.mark_answered_elsewhere(observation, request)

    def mark_answered_elsewhere(self, observation: Observation, request: DecisionRequest) -> None:
        """Note that another player answered `request`: its words become lines of the log."""
        self._seat.builder(observation).mark_answered_elsewhere(observation, request)

    async def _decide(
        self,
        observation: Observation,
        request: DecisionRequest,
        prompt: Prompt,
        builder: PromptBuilder,
    ) -> Action:
        constraints = [self._prompting.constraint(observation, request, prompt.messages)]
        if self._prompting.options.thought:
            thought = self._prompting.thought_constraint(observation, request, prompt.messages)
            constraints.insert(0, thought)
        replies = await self._converse(observation, request, prompt, constraints)
        if not request.off_path and builder is self._seat.builder(observation):
            keeps_thought = self._prompting.options.keep_thought
            builder.append(prompt, replies if keeps_thought else replies[-1:])
        return parse(replies[-1].text, request, observation.language)

    async def _converse(
        self,
        observation: Observation,
        request: DecisionRequest,
        prompt: Prompt,
        constraints: Sequence[Constraint | None],
    ) -> tuple[Message, ...]:
        """Call once per constraint in one conversation; return the messages after the prompt."""
        messages = prompt.messages
        length = len(messages)
        for number, constraint in enumerate(constraints):
            is_thought = number < len(constraints) - 1
            call = self._make_call(observation, request, prompt, is_thought=is_thought)
            reply = await self._seat.complete(
                replace(call, messages=messages, constraint=constraint)
            )
            messages = (*messages, reply)
            if is_thought:
                messages = (*messages, prompts.ask_reply(observation.language))
        return messages[length:]

    def _make_call(
        self,
        observation: Observation,
        request: DecisionRequest,
        prompt: Prompt,
        *,
        is_thought: bool,
    ) -> Request:
        call_id = replace(PromptBuilder.call_id(request, prompt), off_path=request.off_path)
        prompting = self._prompting
        return Request(
            call_id=replace(call_id, kind="thought") if is_thought else call_id,
            messages=(),
            max_tokens=prompting.thought_tokens
            if is_thought
            else prompting.max_tokens(observation, request),
            temperature=prompting.options.temperature
            if is_thought
            else prompting.temperature(request),
        )


async def is_own_answer(
    player: Player,
    observation: Observation,
    request: DecisionRequest,
    chance: Random,
    accepted: Reply | Skip | None,
) -> bool:
    """Return whether `player` gave the accepted answer, judged only from its recorded calls.

    True if no answer was accepted.
    """
    try:
        answer = await player.act(observation, request, chance)
    except (NotRecordedError, UnanswerableError):
        return accepted is None
    return accepted is None or validate(request, answer.action) == accepted


async def _add_notes(turn: Turn, instruction: str | None) -> str:
    """Return the instruction, preceded by the seat's private notes."""
    say = find_wording(turn.observation.language)
    if instruction is None:
        instruction = prompts.write_demand(turn.observation, turn.request)
    notes = await turn.ask_text(MethodStep(name="notes", instruction=say("notes.write")))
    return f"{say('notes.kept', notes=notes)}\n{instruction}" if notes else instruction
