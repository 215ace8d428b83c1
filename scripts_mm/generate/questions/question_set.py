"""The question set of a world, and the number of each kind."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from scripts_mm.generate.fact_support import clues_of, seats_of
from scripts_mm.generate.questions.balance import AnswerPositions, choose_distractors
from scripts_mm.generate.questions.draft import (
    OptionLengths,
    QuestionDraft,
    distractor_sets,
    finish_question,
)
from scripts_mm.generate.questions.picture_questions import draft_picture_questions
from scripts_mm.generate.questions.reasoning_questions import (
    WHO_FORMS,
    draft_objective,
    draft_reasons,
    draft_steps,
)
from scripts_mm.generate.questions.script_questions import draft_own_script, draft_ties
from scripts_mm.generate.world import QuestionSpec, Suspect, World

_OWN, _REASONS, _TIES, _PICTURE, _TOGETHER = 6, 2, 2, 3, 5
"""Questions per role on its own script, on reasons, on relations; per picture; on several
scripts."""
_REASONED = ("window", "needs", "cleared_by", *WHO_FORMS.values(), "scene_alibi")
"""Forms of questions with a rationale."""


def sample_questions(world: World, lengths: OptionLengths, rng: Random) -> tuple[QuestionSpec, ...]:
    """Return the questions of `world`; `lengths` returns an option's length in each language."""
    drafts = list(_all_drafts(world, rng))
    tried = [(draft, distractor_sets(draft, lengths, rng)) for draft in drafts]
    kept = [(draft, found) for draft, found in tried if found]
    taken = choose_distractors(
        [
            (lengths(draft.right), [[lengths(ref) for ref in wrong] for wrong in found])
            for draft, found in kept
        ]
    )
    keys, asks = AnswerPositions(rng), list[QuestionSpec]()
    for number, ((draft, found), choice) in enumerate(zip(kept, taken, strict=True), 1):
        wrong = rng.sample(found[choice], len(found[choice]))
        key = keys.next(draft.kind, len(wrong) + 1)
        placed = replace(draft, clues=draft.clues or clues_of(world, draft.facts))
        asks.append(finish_question(placed, f"q{number:03}", wrong, key))
    return tuple(asks)


def _all_drafts(world: World, rng: Random) -> Iterator[QuestionDraft]:
    suspects = world.frame.suspects
    innocent = [one for one in suspects if one.id not in world.guilty]
    for one in suspects:
        yield from _sample_drafts(draft_own_script(world, one), _OWN, rng)
    for clue in world.frame.clues:
        if clue.medium != "text":
            yield from _sample_drafts(draft_picture_questions(world, clue), _PICTURE, rng)
    yield from draft_steps(world)
    two = rng.choice(innocent)
    for one in innocent:
        yield from _role_drafts(world, one, rng, two=one is two)
    yield from _sample_drafts(_common_drafts(world), _TOGETHER, rng)


def _role_drafts(world: World, one: Suspect, rng: Random, *, two: bool) -> Iterator[QuestionDraft]:
    """Yield the questions for an innocent role from its view."""
    yield draft_objective(world, one, two=two)
    yield from _sample_drafts(draft_reasons(world, one), _REASONS, rng)
    yield from _sample_drafts(draft_ties(world, one), _TIES, rng)


def _common_drafts(world: World) -> Iterator[QuestionDraft]:
    """Yield the questions for all roles that need several scripts, with rationales."""
    for draft in draft_steps(world):
        if draft.form in _REASONED and len(seats_of(world, draft.facts)) > 1:
            yield replace(draft, kind="inf")


def _sample_drafts(drafts: Iterable[QuestionDraft], most: int, rng: Random) -> list[QuestionDraft]:
    """Return a uniform sample of at most `most` of `drafts`, in their order."""
    found = list(drafts)
    kept = rng.sample(range(len(found)), min(most, len(found)))
    return [found[at] for at in sorted(kept)]
