"""The timeline of the evening: windows, travel times and companies."""

from collections.abc import Iterator, Mapping, Sequence
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
_GROUPINGS = 3
"""Groupings of a window's companies to compare."""
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
    """Place where the culprit has to have been."""
    body: str
    """Place where the victim was found."""
    second: str
    """Place of the second act; empty: there is none."""
    ways: Mapping[str, int]
    """Minutes from the body to each other place."""
    companies: tuple[CoPresence, ...]
    """A suspect in a company of one was seen by a person who is not a suspect."""
    alone: tuple[str, ...]
    """For each suspect the place in its unseen window."""
    watched: tuple[int, ...]
    """For each suspect the number of the company that it saw from there; -1: none."""


def sample_timeline(
    people: SuspectProfiles, difficulty: Difficulty, rng: Random, *, watching: bool = True
) -> Timeline:
    """Draw an evening in which each suspect is seen in every window except its own.

    `watching`: whether suspects without company see others from where they are.
    """
    acts = people.plot.acts
    scene, body, second, *free = rng.sample([f"p{at}" for at in range(PLACES)], PLACES)
    if acts[0].scene != "hidden":
        free, body = [*free, body], scene
    if len(acts) == 1:
        free, second = [*free, second], ""
    places = [one for one in (scene, second, *free) if one not in ("", body)]
    ways = {place: rng.randint(*_WAYS) for place in places}
    windows = _sample_windows(people.windows, rng)
    moments = tuple(rng.randint(one.start + _MARGIN, one.end - _MARGIN) for one in windows)
    tie = (rng.randint(0, 3), rng.randint(1, 4))
    slack = _SLACK[difficulty] if acts[0].scene != "hidden" and len(acts) == 1 else 0.0
    companies: list[CoPresence] = []
    alone = [""] * len(people.vectors)
    for number, window in enumerate(windows):
        rooms = rng.sample(free, len(free))
        for at, vector in enumerate(people.vectors):
            if vector[0] == number:
                alone[at] = rooms.pop()
        for members in _group_companies(_find_company(people, number), len(people.vectors), rng):
            place = rooms.pop()
            start = window.start - rng.randint(0, 2)
            if rng.random() < slack:
                start = moments[number] - tie[0] + rng.randint(1, ways[place] - 2)
            companies.append(
                CoPresence(
                    window=number,
                    place=place,
                    members=tuple(f"r{at + 1}" for at in sorted(members)),
                    start=start,
                    end=window.end + rng.randint(0, 2),
                    is_secret=_are_related(members, len(people.vectors)),
                )
            )
    return Timeline(
        windows=windows,
        moments=moments,
        tie=tie,
        alive=windows[0].start - rng.randint(3, 9),
        found=windows[-1].end + rng.randint(3, 9),
        scene=scene,
        body=body,
        second=second,
        ways=ways,
        companies=tuple(companies),
        alone=tuple(alone),
        watched=tuple(_sample_watched(people, companies, rng, watching=watching)),
    )


def _find_company(people: SuspectProfiles, window: int) -> list[int]:
    """Return the suspects who are in company in a window."""
    return [at for at, vector in enumerate(people.vectors) if vector[0] != window]


def _sample_watched(
    people: SuspectProfiles, companies: Sequence[CoPresence], rng: Random, *, watching: bool
) -> Iterator[int]:
    """Yield for each suspect a company of several in its unseen window, or -1."""
    for window, *_ in people.vectors:
        there = [
            at for at, one in enumerate(companies) if one.window == window and len(one.members) > 1
        ]
        yield rng.choice(there) if there and watching else -1


def _sample_windows(count: int, rng: Random) -> tuple[TimeWindow, ...]:
    start = rng.randrange(_EARLY, _LATE + 1, _STEP)
    found: list[TimeWindow] = []
    for _ in range(count):
        end = start + rng.randrange(25, 36, _STEP)
        found.append(TimeWindow(start=start, end=end))
        start = end + rng.randrange(15, 26, _STEP)
    return tuple(found)


def _group_companies(seen: Sequence[int], count: int, rng: Random) -> list[Sequence[int]]:
    """Return companies of two, and one of three for an odd number.

    Of a few groupings it is the one with the most pairs of `count` suspects who are related.
    """
    drawn = [_split_in_pairs(rng.sample(seen, len(seen))) for _ in range(_GROUPINGS)]
    return max(drawn, key=lambda found: sum(_are_related(one, count) for one in found))


def _are_related(members: Sequence[int], count: int) -> bool:
    """Return whether two suspects of `count` are all, and each other's relation."""
    if len(members) != 2:  # noqa: PLR2004 - a relation is between two
        return False
    return (members[0] - members[1]) % count in (1, count - 1)


def _split_in_pairs(seen: Sequence[int]) -> list[Sequence[int]]:
    if len(seen) < 2:  # noqa: PLR2004 - no company
        return [seen] if seen else []
    pairs = [seen[at : at + 2] for at in range(0, len(seen) - len(seen) % 2, 2)]
    if len(seen) % 2:
        pairs[-1] = seen[len(seen) - 3 :]
    return pairs
