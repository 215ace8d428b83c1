"""A seat played by a model: the players `direct` and `cot`."""

from dataclasses import replace
from random import Random

from arena.core.actions import Action, Reply, Skip, UnparsedReply
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
from arena.players.reply_text import spoken_part
from arena.players.wording import find_wording

_MISSING_RESPONSE = "RESPONSE"


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
        """Return what the model answers, or raise `ModelError` where it cannot be asked."""
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

        Where the calls of an accepted answer are not recorded, or give another answer, another
        player gave it: its words become lines of the log. Without an accepted answer, the seat was
        too late or its answer did not count.
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
        """Return what to try after a refusal; without a prompt, that of an auxiliary call."""
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
        language = observation.language
        constraint = self._prompting.constraint(observation, request)
        if not self._prompting.options.cot:
            reply = await self._converse(observation, request, prompt, (constraint,))
            return parse(reply, request, language)
        if self._prompting.uses_thought_call(request):
            reply = await self._converse(observation, request, prompt, (None, constraint))
            return parse(reply, request, language)
        reply = await self._converse(observation, request, prompt, (None,))
        spoken = spoken_part(reply)
        if spoken is None:
            # Nothing tells thought and speech apart, and a thought must never be heard.
            return UnparsedReply(missing=_MISSING_RESPONSE, text=reply)
        return parse(spoken, request, language)

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
            options = self._prompting.options
            forgets = options.cot and not options.keep_thought
            self._builder.append(prompt, _drop_thoughts(replies) if forgets else replies)
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


def _drop_thoughts(replies: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the spoken part of the last reply; the reply itself where it has no marker."""
    reply = replies[-1]
    spoken = spoken_part(reply.text)
    return (replace(reply, text=spoken, ids=()) if spoken else reply,)
