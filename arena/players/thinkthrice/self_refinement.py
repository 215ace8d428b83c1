"""Self-refinement: adds the lines of the seat's own timeline that an answer needs and lacks."""

from collections.abc import Sequence
from typing import Final

from arena.core.actions import Reply
from arena.core.quoting import quote
from arena.core.specs import TEXT
from arena.players.methods.method_steps import MethodStep
from arena.players.thinkthrice.method_texts import number_lines
from arena.players.thinkthrice.seat_questions import SeatQuestion
from arena.players.thinkthrice.self_questions import SelfQuestions, read_lines

REFINED: Final = "refined"
"""Topic of the note on the lines that a draft lacked."""
MOST_PIECES: Final = 6
"""Pieces of one question, at most."""
MOST_LINES: Final = 40
"""Lines of a timeline that are judged, at most."""


class Refinement:
    """The refinement of the drafts of one turn."""

    def __init__(
        self,
        inner: SelfQuestions,
        question: SeatQuestion,
        timeline: tuple[str, ...] | None,
        *,
        gated: bool,
    ) -> None:
        """Refine answers to `question`; `timeline`: the list of an earlier turn.

        `gated`: only the pieces of the question that ask for a timeline count.
        """
        self._inner, self._question, self._gated = inner, question, gated
        self.timeline = timeline
        """The own timeline; None: not listed yet."""

    def pieces_step(self, name: str) -> MethodStep:
        """Return the step that splits the question into pieces."""
        return self._inner.step(name, "pieces", question=quote(self._question.text))

    async def refine(self, name: str, draft: str, pieces: Reply | None) -> str:
        """Return `draft` with the missing lines; `pieces` is the reply to `pieces_step`."""
        inner, turn = self._inner, self._inner.turn
        found = () if pieces is None else read_lines(pieces[TEXT], MOST_PIECES)
        asked = await self._gate(name, found or (self._question.text,))
        useful = await self._find_useful(name, asked)
        if not useful:
            return draft
        missing = await self._find_missing(name, draft, useful)
        turn.note(REFINED, attempt=name, timeline=str(len(useful)), missing=str(len(missing)))
        if not missing:
            return draft
        demand = inner.say(
            "rewrite.demand",
            question=quote(self._question.text),
            draft=quote(draft),
            lines=number_lines(missing),
        )
        return await turn.ask_text(inner.speech_step(f"{name}/rewrite", demand)) or draft

    async def _gate(self, name: str, pieces: Sequence[str]) -> tuple[str, ...]:
        """Return the pieces that ask for a timeline; list its own if it is missing."""
        inner = self._inner
        gates = [
            inner.yes_no_step(f"{name}/gate-{number}", "gate", question=quote(piece))
            for number, piece in enumerate(pieces, start=1)
            if self._gated
        ]
        # The step's name has no attempt number, so further attempts find the same list.
        day = inner.say("timeline.of_the_crime") if inner.turn.observation.victims else ""
        list_all = inner.list_step("timeline", "timeline", day=day)
        listing = [list_all] if self.timeline is None else []
        found = await inner.turn.ask_all([*gates, *listing])
        if listing and (listed := found.pop()) is not None:
            self.timeline = read_lines(listed[TEXT], MOST_LINES)
        if not self._gated:
            return tuple(pieces)
        return tuple(one for one, reply in zip(pieces, found, strict=True) if inner.is_yes(reply))

    async def _find_useful(self, name: str, pieces: Sequence[str]) -> tuple[str, ...]:
        """Return the lines of the timeline that any of `pieces` needs; all if it is unclear."""
        timeline, inner = self.timeline, self._inner
        if not timeline or not pieces:
            return ()
        lines, count = number_lines(timeline), len(timeline)
        steps = [
            inner.judge_step(
                f"{name}/useful-{number}", "useful", count, question=quote(piece), lines=lines
            )
            for number, piece in enumerate(pieces, start=1)
        ]
        useless = [
            set[str]() if verdicts is None else set(inner.select(timeline, verdicts, "no"))
            for verdicts in await inner.turn.ask_all(steps)
        ]
        return tuple(line for line in timeline if any(line not in one for one in useless))

    async def _find_missing(
        self, name: str, draft: str, useful: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the lines that are not fully contained in `draft`; none if it is unclear."""
        step = self._inner.judge_step(
            f"{name}/contained",
            "contained",
            len(useful),
            draft=quote(draft),
            lines=number_lines(useful),
        )
        return self._inner.select(useful, await self._inner.turn.ask(step), "no")
