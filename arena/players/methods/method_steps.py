"""Steps: a method's calls to its model in one turn, in addition to the reply that counts.

All steps of a turn begin with the same messages (rules, role, log), so the server computes these
once. A step has an action spec like a decision request, which determines the decoding constraint,
parsing and corrections. Independent steps run concurrently. A step enters no prompt log. A step
without a legal answer has no result, which the record notes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Action, Reply
from arena.core.events import PlayerEvent, PromptAdjusted, TurnNoted
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.specs import ActionSpec, FreeText
from arena.models.chat import Message, Request
from arena.players import prompts
from arena.players.context.auxiliary_calls import run_all
from arena.players.context.prompt_builder import PromptBuilder, PromptRequest
from arena.players.prompt_log import Prompt
from arena.players.replies.decoding import is_choice, parse, reply_constraint, reply_token_limit
from arena.players.seat_model import SeatModel
from scripts_mm.script import Language

STEP_FAILED: Final = "step_failed"
"""Topic of the note of a step without a legal answer."""
STEP_ATTEMPTS: Final = 3
STEP_TOKENS: Final = 256
FREE_TEXT: Final = FreeText()


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodStep:
    """One question of a method to its model."""

    name: str
    """Unique in its turn, such as `sensor/emotion/Ada`."""
    instruction: str
    spec: ActionSpec = FREE_TEXT
    tokens: int = STEP_TOKENS
    """Of the reply, at most."""
    temperature: float = 0.0
    seen: Observation | None = None
    """The part of the observation in the prompt; None: all of it, with the prompt log."""
    query: str = ""
    """Its topic in addition to the request: part of the search if the prompt must be shortened."""
    may_be_heard: bool = False
    """Its words can become speech, so the prompt includes the seat's persona."""


class StepMemory:
    """The results of the steps of each request; further attempts reuse them."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Reply | None]] = {}

    def of(self, request: str) -> dict[str, Reply | None]:
        """Return the mutable results of a request's steps by name."""
        return self._found.setdefault(request, {})


class Turn:
    """One turn of a seat: its steps, and its notes for the record."""

    def __init__(
        self,
        seat: SeatModel,
        memory: StepMemory,
        observation: Observation,
        request: DecisionRequest,
        chance: Random,
    ) -> None:
        """Answer `request`; `chance` is the only source of randomness."""
        self.observation, self.request, self.chance = observation, request, chance
        self._seat = seat
        self._known = memory.of(request.id)
        self._reports: dict[PlayerEvent, None] = {}

    @property
    def language(self) -> Language:
        """The language of the match."""
        return self.observation.language

    @property
    def reports(self) -> tuple[PlayerEvent, ...]:
        """The method's reports on the turn, without duplicates.

        Simultaneous steps end in any order, so their reports come first, sorted: timing does not
        change the events of a match.
        """
        of_steps = [one for one in self._reports if _is_of_step(one)]
        others = (one for one in self._reports if not _is_of_step(one))
        return (*sorted(of_steps, key=repr), *others)

    def note(self, topic: str, **values: str) -> None:
        """Note an act of the method for the record."""
        self.report(
            TurnNoted(
                seat=self.request.seat,
                request=self.request.id,
                topic=topic,
                values=tuple(values.items()),
            )
        )

    def report(self, *events: PlayerEvent) -> None:
        """Add reports to those of the turn."""
        self._reports |= dict.fromkeys(events)

    async def ask(self, step: MethodStep) -> Reply | None:
        """Return the reply to `step`; None: the model gave no legal one."""
        if step.name not in self._known:
            self._known[step.name] = await self._ask(step)
        found = self._known[step.name]
        if found is None:
            self.note(STEP_FAILED, step=step.name)
        return found

    async def ask_text(self, step: MethodStep) -> str:
        """Return the text of the reply to a step of free text; empty if there is none."""
        reply = await self.ask(step)
        return "" if reply is None else reply.values[0][1]

    async def ask_all(self, steps: Sequence[MethodStep]) -> list[Reply | None]:
        """Return the replies to independent steps, in order."""
        if self._seat.prompting.options.together:
            return await run_all([self.ask(step) for step in steps])
        return [await self.ask(step) for step in steps]

    async def _ask(self, step: MethodStep) -> Reply | None:
        asked = replace(
            self.request,
            spec=step.spec,
            attempts_left=STEP_ATTEMPTS,
            last_error=None,
            sampled=False,
        )
        while True:
            attempt = STEP_ATTEMPTS - asked.attempts_left + 1
            result = validate(asked, await self._call(step, asked, attempt))
            if isinstance(result, Reply):
                return result
            if asked.attempts_left == 1 or not isinstance(result, Invalid):
                return None
            asked = asked.with_error(result.error)

    async def _call(self, step: MethodStep, asked: DecisionRequest, attempt: int) -> Action:
        seen = step.seen or self.observation
        builder = self._seat.builder(seen, excerpt=step.seen is not None)
        tokens = self._tokens(step, seen)
        wanted = PromptRequest(
            instruction=self._instruct(step, seen, asked),
            reply=tokens,
            usual_reply=self._seat.prompting.speech_tokens(seen),
            step=f"{step.name}/{attempt}",
        )

        async def complete(prompt: Prompt) -> Message:
            call_id = replace(
                PromptBuilder.call_id(self.request, prompt),
                kind="step",
                chunk=step.name,
                attempt=attempt,
            )
            call = Request(
                call_id=call_id,
                messages=prompt.messages,
                max_tokens=tokens,
                temperature=step.temperature,
                constraint=reply_constraint(step.spec, seen.language, reply_tokens=tokens),
            )
            return await self._seat.complete(call)

        context = (*self.request.context, ("query", step.query)) if step.query else ()
        request = replace(self.request, context=context or self.request.context)
        prompt, reply = await self._seat.with_prompt(builder, seen, request, wanted, complete)
        self.report(*prompt.adjustments)
        return parse(reply.text, asked, seen.language)

    def _instruct(self, step: MethodStep, seen: Observation, asked: DecisionRequest) -> str:
        demand = step.instruction
        if step.may_be_heard:
            demand = self._seat.prompting.add_persona(demand, seen, asked)
        return prompts.instruction(seen, asked, demand)

    def _tokens(self, step: MethodStep, seen: Observation) -> int:
        most = min(step.tokens, self._seat.prompting.options.reply_tokens)
        limit = reply_token_limit(step.spec, seen.language, reply_tokens=most)
        return limit if is_choice(step.spec) else most


def _is_of_step(report: PlayerEvent) -> bool:
    return isinstance(report, PromptAdjusted) or report.topic == STEP_FAILED
