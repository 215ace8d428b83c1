"""The timeline of the evening: windows, travel times and companies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from scripts_mm.generate.id_pools import PLACES
from scripts_mm.generate.suspects import SuspectProfiles
from scripts_mm.generate.world import CoPresence, Difficulty, TimeWindow

_STEP = 5
_EARLY, _LATE = 18 * 60 + 30, 22 * 60
"""Earliest and latest start of the first window, in minutes after midnight."""
_MARGIN = 9
"""Minutes between a moment and the ends of its window: longer than any travel time."""
_WAYS = (4, 9)
_SLACK: Mapping[Difficulty, float] = {"easy": 0.0, "medium": 0.25, "hard": 0.6}
"""Share of the companies whose alibi needs the travel time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The windows of the evening and everyone's places."""

    windows: tuple[TimeWindow, ...]
    moments: tuple[int, ...]
    tie: tuple[int, int]
    alive: int
    found: int
    scene: str
    ways: Mapping[str, int]
    """Minutes from the scene to each other place."""
    companies: tuple[CoPresence, ...]
    """A suspect in a company of one was seen by a person who is not a suspect."""
    alone: tuple[str, ...]
    """For each suspect the place in its unseen window."""


def sample_timeline(people: SuspectProfiles, difficulty: Difficulty, rng: Random) -> Timeline:
    """Draw an evening in which each suspect is seen in every window except its own."""
    scene, *others = rng.sample([f"p{at}" for at in range(PLACES)], PLACES)
    ways = {place: rng.randint(*_WAYS) for place in others}
    windows = _sample_windows(people.windows, rng)
    moments = tuple(rng.randint(one.start + _MARGIN, one.end - _MARGIN) for one in windows)
    tie = (rng.randint(0, 3), rng.randint(1, 4))
    companies: list[CoPresence] = []
    alone = [""] * len(people.vectors)
    for number, window in enumerate(windows):
        free = rng.sample(others, len(others))
        seen = [at for at, vector in enumerate(people.vectors) if vector[0] != number]
        for at, vector in enumerate(people.vectors):
            if vector[0] == number:
                alone[at] = free.pop()
        rng.shuffle(seen)
        for members in _group_companies(seen):
            place = free.pop()
            late = rng.random() < _SLACK[difficulty]
            start = window.start - rng.randint(0, 2)
            if late:
                start = moments[number] - tie[0] + rng.randint(1, ways[place] - 2)
            companies.append(
                CoPresence(
                    window=number,
                    place=place,
                    members=tuple(f"r{at + 1}" for at in sorted(members)),
                    start=start,
                    end=window.end + rng.randint(0, 2),
                )
            )
    return Timeline(
        windows=windows,
        moments=moments,
        tie=tie,
        alive=windows[0].start - rng.randint(3, 9),
        found=windows[-1].end + rng.randint(3, 9),
        scene=scene,
        ways=ways,
        companies=tuple(companies),
        alone=tuple(alone),
    )


def _sample_windows(count: int, rng: Random) -> tuple[TimeWindow, ...]:
    start = rng.randrange(_EARLY, _LATE + 1, _STEP)
    found: list[TimeWindow] = []
    for _ in range(count):
        end = start + rng.randrange(25, 36, _STEP)
        found.append(TimeWindow(start=start, end=end))
        start = end + rng.randrange(15, 26, _STEP)
    return tuple(found)


def _group_companies(seen: Sequence[int]) -> list[Sequence[int]]:
    """Return companies of two, and one of three for an odd number."""
    if len(seen) < 2:  # noqa: PLR2004 - no company
        return [seen] if seen else []
    pairs = [seen[at : at + 2] for at in range(0, len(seen) - len(seen) % 2, 2)]
    if len(seen) % 2:
        pairs[-1] = seen[len(seen) - 3 :]
    return pairs
