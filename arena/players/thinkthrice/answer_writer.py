"""Answer writer: a draft, refined and verified with its own timeline, with further attempts."""

from dataclasses import dataclass, replace

from arena.core.actions import Reply
from arena.core.observation import Observation
from arena.core.quoting import quote
from arena.core.specs import TEXT
from arena.players.methods.method_steps import MethodStep
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from arena.players.thinkthrice.scoring import VerificationResult
from arena.players.thinkthrice.seat_questions import SeatQuestion, draft_demand, find_text
from arena.players.thinkthrice.self_questions import SelfQuestions
from arena.players.thinkthrice.self_refinement import Refinement
from arena.players.thinkthrice.self_verification import find_thresholds, verify

_RELATION, _GATE, _PIECES = "relation", "gate", "pieces"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A first answer, and the replies to the steps before it."""

    reply: Reply
    field: str
    """Name of the text to refine and verify; empty: it is played unchanged."""
    pieces: Reply | None


class AnswerWriter:
    """The answer of one turn to one question."""

    def __init__(
        self,
        inner: SelfQuestions,
        options: ThinkThricePlayerOptions,
        question: SeatQuestion,
        recalled: Observation,
        timeline: tuple[str, ...] | None,
    ) -> None:
        """Answer `question` with the excerpt `recalled`; `timeline`: that of an earlier turn."""
        self._inner, self._options, self._question = inner, options, question
        self._recalled = recalled
        has_checks = options.murderer_sv or not recalled.is_murderer
        self._refines = options.refines and has_checks
        # Every variant that verifies an answer also refines it.
        self._verifies = options.verifies and has_checks
        self._gated = options.gate == "timeline"
        self.refinement = Refinement(inner, question, timeline, gated=self._gated)

    async def answer(self) -> Reply | None:
        """Return the reply; None: the model gave no legal one."""
        least = find_thresholds(self._inner, self._options, self._question)
        best: tuple[VerificationResult, Reply] | None = None
        for number in range(1, (self._options.most_attempts if self._verifies else 1) + 1):
            name = f"{self._question.name}-{number}"
            draft = await self._draft(name)
            if draft is None:
                break
            if not draft.field:
                return draft.reply
            reply = await self._refine(name, draft)
            if not self._verifies:
                return reply
            verdict = await verify(self._inner, self._options, name, reply[draft.field])
            if best is None or verdict.score >= best[0].score:
                best = verdict, reply
            if verdict.passes(least):
                return reply
        return best[1] if best else None

    async def _draft(self, name: str) -> _Draft | None:
        first = self._first_steps(name)
        replies = await self._inner.turn.ask_all(tuple(first.values()))
        found = dict(zip(first, replies, strict=True))
        relation = found.get(_RELATION)
        known = relation[TEXT] if relation else ""
        demand = draft_demand(self._inner, self._question, known, self._recalled)
        step = self._inner.speech_step(f"{name}/draft", demand, self._question.spec, self._recalled)
        reply = await self._inner.turn.ask(step)
        if reply is None:
            return None
        is_checked = _GATE not in first or self._inner.is_yes(found[_GATE])
        field = find_text(self._question, reply) if self._refines and is_checked else ""
        return _Draft(reply=reply, field=field, pieces=found.get(_PIECES))

    def _first_steps(self, name: str) -> dict[str, MethodStep]:
        """Return the steps before a draft, which do not depend on one another."""
        steps: dict[str, MethodStep] = {}
        if self._question.asker:
            steps[_RELATION] = relation_step(self._inner, name, self._question.asker)
        if self._refines and self._gated:
            question = quote(self._question.text)
            steps[_GATE] = self._inner.yes_no_step(f"{name}/gate", "gate", question=question)
        if self._refines:
            steps[_PIECES] = self.refinement.pieces_step(f"{name}/pieces")
        return steps

    async def _refine(self, name: str, draft: _Draft) -> Reply:
        refined = await self.refinement.refine(name, draft.reply[draft.field], draft.pieces)
        values = tuple(
            (key, refined if key == draft.field else value) for key, value in draft.reply.values
        )
        return replace(draft.reply, values=values)


def relation_step(inner: SelfQuestions, name: str, seat: str) -> MethodStep:
    """Return the step on the seat's relation to another one."""
    return inner.step(f"{name}/relation", "relation", seat=seat)
