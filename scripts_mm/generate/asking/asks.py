"""All questions of a world, and how many of each kind are kept."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from scripts_mm.generate.asking.balance import Keys, settled
from scripts_mm.generate.asking.draft import Draft, Lengths, asked, choices
from scripts_mm.generate.asking.own import own, ties
from scripts_mm.generate.asking.reason import objective, reasons, steps
from scripts_mm.generate.asking.seen import seen
from scripts_mm.generate.grounds import clues_of, seats_of
from scripts_mm.generate.world import Ask, Suspect, World

_OWN, _REASONS, _TIES, _PICTURE, _TOGETHER = 6, 2, 2, 3, 5
"""Questions a role on its own script, to reason, on relations; a picture; on several scripts."""
_REASONED = ("window", "needs", "cleared_by", "who", "scene_alibi")
"""Forms that can be asked for a reason."""


def draw_asks(world: World, lengths: Lengths, rng: Random) -> tuple[Ask, ...]:
    """Return the questions of `world`; `lengths` are those of an option's text in each language."""
    drafts = list(_drafts(world, rng))
    tried = [(draft, choices(draft, lengths, rng)) for draft in drafts]
    kept = [(draft, found) for draft, found in tried if found]
    taken = settled(
        [
            (lengths(draft.right), [[lengths(ref) for ref in wrong] for wrong in found])
            for draft, found in kept
        ]
    )
    keys, asks = Keys(rng), list[Ask]()
    for number, ((draft, found), choice) in enumerate(zip(kept, taken, strict=True), 1):
        wrong = rng.sample(found[choice], len(found[choice]))
        key = keys.next(draft.kind, len(wrong) + 1)
        placed = replace(draft, clues=draft.clues or clues_of(world, draft.facts))
        asks.append(asked(placed, f"q{number:03}", wrong, key))
    return tuple(asks)


def _drafts(world: World, rng: Random) -> Iterator[Draft]:
    suspects = world.frame.suspects
    innocent = [one for one in suspects if one.id != world.crime.culprit]
    for one in suspects:
        yield from _some(own(world, one), _OWN, rng)
    for clue in world.frame.clues:
        if clue.medium != "text":
            yield from _some(seen(world, clue), _PICTURE, rng)
    yield from steps(world)
    two = rng.choice(innocent)
    for one in innocent:
        yield from _asked(world, one, rng, two=one is two)
    yield from _some(_together(world), _TOGETHER, rng)


def _asked(world: World, one: Suspect, rng: Random, *, two: bool) -> Iterator[Draft]:
    """Yield what an innocent role is asked in its own eyes."""
    yield objective(world, one, two=two)
    yield from _some(reasons(world, one), _REASONS, rng)
    yield from _some(ties(world, one), _TIES, rng)


def _together(world: World) -> Iterator[Draft]:
    """Yield the questions that no script alone answers, asked of everybody for their reason."""
    for draft in steps(world):
        if draft.form in _REASONED and len(seats_of(world, draft.facts)) > 1:
            yield replace(draft, kind="inf")


def _some(drafts: Iterable[Draft], most: int, rng: Random) -> list[Draft]:
    """Return at most `most` of `drafts`, each as likely, in their order."""
    found = list(drafts)
    kept = rng.sample(range(len(found)), min(most, len(found)))
    return [found[at] for at in sorted(kept)]
