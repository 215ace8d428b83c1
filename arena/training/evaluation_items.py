"""Items of an evaluation: prompts of test cases and of the bundled scripts, with their judges."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from arena.core.purposes import Purpose
from arena.models.chat import ChoiceConstraint, Constraint, JsonConstraint, Message
from arena.players.replies.extractive_thought import restrict_thought
from arena.training.apt_answers import list_apt_answers
from arena.training.bundled import pose_questions
from arena.training.cards import draw_pictures
from arena.training.episodes import Episode, MatchSettings, PromptLimits, play_match
from arena.training.judging import Judge, judge_answer, judge_speech, judge_thought
from arena.training.match_samples import THINKING
from arena.training.reading import PictureQuestion, list_picture_questions, small_script
from arena.training.samples import ask_first_seat, show_clues
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.options import make_options
from scripts_mm.script import Language, Script

BUNDLED: Final = "bundled"
"""Table of the bundled scripts; those of its questions have names that begin with it."""
_SPEECHES: Final = 5
"""Speeches of one match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationItem:
    """One prompt, and the judge of its reply."""

    table: str
    language: Language
    prompt: tuple[Message, ...]
    judge: Judge
    constraint: Constraint | None = None
    episode: Episode | None = None
    """Turn of a match; None: it is not part of a match."""
    thought: JsonConstraint | None = None
    """Constraint of the thought before the reply; None: no thought."""
    judge_thought: Judge = lambda _: {}


def items_of_library(
    language: Language, files: dict[str, bytes], room: PromptLimits
) -> Iterator[EvaluationItem]:
    """Yield the items of the bundled scripts; the pictures are added to `files` by hash."""
    for one in pose_questions(language, files, room):
        yield _item(f"{BUNDLED} {one.asked}", language, one.episode, one.judge)


def items_of(
    seed: int, language: Language, files: dict[str, bytes], room: PromptLimits
) -> Iterator[EvaluationItem]:
    """Yield the items of one case; the pictures are added to `files` by content hash."""
    rng = Random(f"{seed}/{language}/evaluation")
    case = make_case(seed, make_options("medium", 5), (language,))
    script, drawn = small_script(case, language, draw_pictures(case, language, 0))
    files |= drawn
    yield from _readings(case, script, rng)
    yield from _turns(case, script, room, rng)


def _readings(case: GeneratedCase, script: Script, rng: Random) -> Iterator[EvaluationItem]:
    blank = replace(script, clues=tuple(replace(one, pictures=()) for one in script.clues))
    for one in list_picture_questions(case, script.language, rng):
        asked = ask_first_seat(script, one.question, rng)
        judge = _make_reading_judge(one)
        for name, told in ((f"reading {one.kind}", script), ("reading, blank", blank)):
            prompt = (*show_clues(told, [one.clue]), asked)
            yield EvaluationItem(table=name, language=script.language, prompt=prompt, judge=judge)


def _make_reading_judge(asked: PictureQuestion) -> Judge:
    exact = asked.exact.rstrip(".。")
    known = "|".join(re.escape(one) for one in sorted(asked.known, key=len, reverse=True))
    telling = re.compile(rf"{known}|\d+(?:[,:]\d+)*")
    words = telling.findall(exact)

    def judge(reply: str) -> Mapping[str, Sequence[bool]]:
        # An answer about a camera's still begins with the exact part; all others end with it.
        is_first = asked.kind == "cctv"
        is_whole = exact in reply if is_first else reply.rstrip(".。").endswith(exact)
        if not asked.known or not words:
            return {"right": [is_whole]}
        return {"right": [telling.findall(reply) == words], "whole": [is_whole]}

    return judge


def _turns(
    case: GeneratedCase, script: Script, room: PromptLimits, rng: Random
) -> Iterator[EvaluationItem]:
    """Yield turns of civilians in a match of the teacher, with pictures and without."""
    language, guilty = script.language, script.murderers
    culprit = case.rendered[language].cast.names[case.sampled.world.crime.culprit]
    how = MatchSettings(preset="short", seed=case.sampled.world.frame.seed)
    for mark, told in (("", script), (", blank", case.rendered[language].bare)):
        played = play_match(case, language, told, how, room)
        turns = [one for one in played if one.observation.seat not in guilty]
        if not mark:
            yield from _make_speech_items(case, language, turns, rng)
        first = next(one for one in turns if one.asked.purpose is Purpose.CONCLUDE)
        yield _turn(f"verdict{mark}", case, language, first)
        yield _verdict_after_thought(f"verdict, thinking{mark}", case, told, how, room)
        for one in turns:
            if one.asked.purpose is Purpose.VOTE:
                yield _vote(f"ballot{mark}", language, one, culprit)


def _make_speech_items(
    case: GeneratedCase, language: Language, turns: Sequence[Episode], rng: Random
) -> Iterator[EvaluationItem]:
    speeches: list[Episode] = []
    for one in turns:
        if one.asked.is_question:
            apt = (*list_apt_answers(case, language, one),)
            judge = judge_answer(case, language, one.observation, apt)
            yield _item(one.asked.purpose.value, language, one, judge)
        elif one.asked.purpose not in (Purpose.VOTE, Purpose.CONCLUDE):
            speeches.append(one)
    for one in rng.sample(speeches, min(len(speeches), _SPEECHES)):
        yield _turn("speech", case, language, one)


def _turn(name: str, case: GeneratedCase, language: Language, one: Episode) -> EvaluationItem:
    judge = judge_speech(case, language, one.observation, one.asked.purpose)
    return _item(name, language, one, judge)


def _verdict_after_thought(
    name: str, case: GeneratedCase, script: Script, how: MatchSettings, room: PromptLimits
) -> EvaluationItem:
    """Return the first conclusion of a civilian who thinks first."""
    played = play_match(case, script.language, script, replace(how, player=THINKING), room)
    one = next(
        one
        for one in played
        if one.asked.purpose is Purpose.CONCLUDE and one.observation.seat not in script.murderers
    )
    *prompt, _, _ = one.request.messages
    legal = restrict_thought(one.observation, one.asked, prompt)
    assert isinstance(legal, JsonConstraint), "some sentence names another seat"
    return replace(
        _turn(name, case, script.language, one),
        prompt=tuple(prompt),
        thought=legal,
        judge_thought=judge_thought(case, one.observation, legal),
    )


def _vote(name: str, language: Language, one: Episode, culprit: str) -> EvaluationItem:
    constraint = one.request.constraint
    assert isinstance(constraint, ChoiceConstraint), "a vote is a choice"
    options = tuple(each for each in constraint.options if each in one.observation.seats)
    found = _item(name, language, one, lambda reply: {"right": [reply == culprit]})
    return replace(found, constraint=ChoiceConstraint(options=options))


def _item(name: str, language: Language, one: Episode, judge: Judge) -> EvaluationItem:
    return EvaluationItem(
        table=name,
        language=language,
        prompt=one.request.messages,
        judge=judge,
        constraint=one.request.constraint,
        episode=one,
    )
