"""A seat played by a model: the players `direct` and `cot`."""

from dataclasses import replace
from random import Random

from arena.core.actions import Action, Reply, Skip
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.validation import validate
from arena.errors import ContextLengthError, ModelError
from arena.models.chat import ChatModel, Constraint, Message, Request
from arena.models.recording import NotRecordedError
from arena.players.context.prompt_builder import MAX_SHRINKS, PromptBuilder, PromptRequest
from arena.players.decoding import parse
from arena.players.model_limits import ModelLimits
from arena.players.player import Answer
from arena.players.prompt_log import Prompt
from arena.players.prompting import Prompting, PromptingOptions
from arena.players.wording import find_wording


class ModelPlayer:
    """Renders the observation, asks the model, parses the reply; one object a seat and match."""

    def __init__(self, model: ChatModel, options: PromptingOptions, limits: ModelLimits) -> None:
        """Play with `model`; `limits` include what the options ask of pictures and context."""
        self._model = model
        self._prompting = Prompting(options=options, limits=limits)
        self._builder = PromptBuilder(model, limits)

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the answer of the model, or raise `ModelError` if it gives none."""
        del chance
        wanted = self._prompting.prompt_request(observation, request)
        while True:
            prompt: Prompt | None = None
            try:
                prompt = await self._builder.build(observation, request, wanted)
                action = await self._decide(observation, request, prompt)
            except ContextLengthError as error:
                wanted = self._shrink(observation, wanted, prompt, error)
            else:
                return Answer(action=action, adjustments=prompt.adjustments)

    async def restore(
        self, observation: Observation, request: DecisionRequest, *, accepted: Reply | Skip | None
    ) -> None:
        """Rebuild the memory of an earlier decision; the model must answer from its record alone.

        If the calls of an accepted answer are not recorded, or give another answer, another player
        gave it: its words become lines of the log. Without an accepted answer, the seat was too
        late or its answer was rejected.
        """
        try:
            answer = await self.act(observation, request, Random())
        except NotRecordedError:
            is_own = False
        else:
            is_own = validate(request, answer.action) == accepted
        if accepted is not None and not is_own:
            self._builder.mark_answered_elsewhere(observation, request)

    def _shrink(
        self,
        observation: Observation,
        wanted: PromptRequest,
        prompt: Prompt | None,
        error: ContextLengthError,
    ) -> PromptRequest:
        """Return the request after a refusal; without `prompt` an auxiliary call was refused."""
        level = max(1, wanted.level) if prompt is None else prompt.level
        if level == MAX_SHRINKS:
            raise ModelError(
                f"{observation.seat}'s prompt does not fit even with little of the log: {error}"
            ) from error
        refused = wanted.refused
        if not wanted.refusals and prompt is not None:
            refused = self._builder.count_tokens(prompt) + wanted.reply
        return replace(wanted, level=level + 1, refused=refused, refusals=wanted.refusals + 1)

    async def _decide(
        self, observation: Observation, request: DecisionRequest, prompt: Prompt
    ) -> Action:
        constraint = self._prompting.constraint(observation, request)
        constraints = (None, constraint) if self._prompting.options.cot else (constraint,)
        reply = await self._converse(observation, request, prompt, constraints)
        return parse(reply, request, observation.language)

    async def _converse(
        self,
        observation: Observation,
        request: DecisionRequest,
        prompt: Prompt,
        constraints: tuple[Constraint | None, ...],
    ) -> str:
        """Call once for each constraint, in one conversation; return the last reply."""
        messages = prompt.messages
        length = len(messages)
        for number, constraint in enumerate(constraints):
            is_thought = number < len(constraints) - 1
            call = self._make_call(observation, request, prompt, is_thought=is_thought)
            call = replace(call, messages=messages, constraint=constraint)
            completion = await self._model.complete(call)
            reply = Message(role="assistant", text=completion.text, ids=completion.ids)
            messages = (*messages, reply)
            if is_thought:
                now = find_wording(observation.language)("cot.now")
                messages = (*messages, Message(role="user", text=now))
        if not request.off_path:
            replies = messages[length:]
            keeps_thought = self._prompting.options.keep_thought
            self._builder.append(prompt, replies if keeps_thought else replies[-1:])
        return messages[-1].text

    def _make_call(
        self,
        observation: Observation,
        request: DecisionRequest,
        prompt: Prompt,
        *,
        is_thought: bool,
    ) -> Request:
        call_id = replace(self._builder.call_id(observation, prompt), off_path=request.off_path)
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
