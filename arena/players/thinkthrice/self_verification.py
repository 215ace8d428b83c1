"""Self-verification: comparison of an answer's facts with the seat's own timeline."""

from typing import Final

from arena.core.option_labels import list_options
from arena.core.options import speech_limit
from arena.core.quoting import quote
from arena.players.thinkthrice.method_texts import number_lines
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from arena.players.thinkthrice.scoring import (
    HOST,
    SEAT,
    Thresholds,
    VerificationResult,
    count_times,
    measure_length,
)
from arena.players.thinkthrice.seat_questions import SeatQuestion
from arena.players.thinkthrice.self_questions import RIGHT_WRONG, SelfQuestions, read_lines

VERIFIED: Final = "verified"
"""Topic of the note on a verification."""
MOST_FACTS: Final = 40
"""Facts of a statement that are judged, at most."""


async def verify(
    inner: SelfQuestions, options: ThinkThricePlayerOptions, name: str, text: str
) -> VerificationResult:
    """Return the numbers of facts in `text`, and of those that agree with its own timeline."""
    turn, language = inner.turn, inner.turn.observation.language
    facts = await _find_facts(inner, name, text)
    correct: tuple[str, ...] = ()
    if facts:
        step = inner.judge_step(
            f"{name}/judged", "judged", len(facts), RIGHT_WRONG, lines=number_lines(facts)
        )
        correct = inner.select(facts, await turn.ask(step), RIGHT_WRONG.good)
    verdict = VerificationResult(
        facts=len(facts),
        correct=len(correct),
        timed=count_times(correct, options.timed),
        length=measure_length(text, language, options.length_unit),
    )
    turn.note(
        VERIFIED,
        attempt=name,
        facts=str(verdict.facts),
        correct=str(verdict.correct),
        timed=str(verdict.timed),
        length=str(verdict.length),
        score=f"{verdict.score:.3f}",
    )
    return verdict


def find_thresholds(
    inner: SelfQuestions, options: ThinkThricePlayerOptions, question: SeatQuestion
) -> Thresholds:
    """Return the thresholds of an answer to `question`."""
    if question.asker:
        return SEAT
    seen = inner.turn.observation
    # English speeches have a limit in words, which does not apply to characters.
    has_limit = options.length_unit == "words" or seen.language == "zh"
    if options.least_length == "fixed" or not has_limit:
        return HOST
    return HOST.within(speech_limit(seen.options, seen.language))


async def _find_facts(inner: SelfQuestions, name: str, text: str) -> tuple[str, ...]:
    seen, none = inner.turn.observation, inner.say("word.none")
    step = inner.list_step(
        f"{name}/facts",
        "facts",
        seat=seen.seat,
        statement=quote(text),
        names=list_options((*seen.seats, *seen.victims), seen.language),
        none=none,
    )
    return read_lines(await inner.turn.ask_text(step), MOST_FACTS, none=none)
