"""The crime of a frame: one suspect, each as likely, and the traces that fit this one alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from scripts_mm.generate.world import ChainStyle, Crime, Fact, Frame, Trait

_OFFSETS = (3, 48)
"""Minutes of one offset: least and most."""
_FAR = 75
"""Most minutes of the offset that a hard case begins with."""
_AROUND: Mapping[ChainStyle, tuple[int, int]] = {"clock": (40, 40), "events": (40, -1)}
"""Minutes that times may lie before the last sign of life and after the body was found."""
_TRIES = 2_000
_NEAR = 3
"""Minutes from another moment at which the clock of a hard case stands."""


def draw_crime(frame: Frame, culprit: str, rng: Random) -> Crime:
    """Draw what follows if `culprit` did it."""
    suspect = next(one for one in frame.suspects if one.id == culprit)
    moment = frame.moments[suspect.gap]
    times = _times(frame, suspect.gap, rng)
    said = dict(frame.held)
    facts = [*_hour(frame, times, said)]
    needed = zip(frame.traits, suspect.traits, frame.steps[1:], strict=True)
    for trait, value, steps in needed:
        facts += _trait(trait, value, steps, said)
    return Crime(
        culprit=culprit,
        window=suspect.gap,
        moment=moment,
        reading=times[0],
        offsets=_offsets(frame, times),
        facts=tuple(facts),
    )


def _offsets(frame: Frame, times: Sequence[int]) -> tuple[int, ...]:
    """Return the steps between the times: a clock that is ahead makes them fall."""
    sign = -1 if frame.style == "clock" else 1
    return tuple(sign * (after - before) for before, after in pairwise(times))


def _times(frame: Frame, window: int, rng: Random) -> list[int]:
    """Return the time that is read, then each as the next step sets it right, last the moment.

    None but the last lies in the window of the deed, so that no step can be left out; in a hard
    case the first lies where another window's moment would be.
    """
    moment, block = frame.moments[window], frame.windows[window]
    others = [at for at in frame.moments if at != moment]
    early, late = _AROUND[frame.style]
    first, last = frame.alive - early, frame.found + late
    best: list[int] = []
    for _ in range(_TRIES):
        times = [moment]
        for step in range(frame.steps[0]):
            back = rng.randint(*_OFFSETS) * rng.choice((-1, 1))
            if step == frame.steps[0] - 1 and frame.options.difficulty == "hard":
                back = rng.choice(others) + rng.randint(-_NEAR, _NEAR) - times[0]
            times.insert(0, times[0] + back)
        steps = [abs(one - other) for one, other in pairwise(times)]
        outside = all(not block.start <= at <= block.end for at in times[:-1])
        if outside and len({*times}) == len(times) and min(steps) >= _OFFSETS[0]:
            best = times
            if all(first <= at <= last for at in times) and max(steps) <= _FAR:
                return times
    return best


def _hour(
    frame: Frame, times: Sequence[int], said: Mapping[str, tuple[str, ...]]
) -> Iterator[Fact]:
    last = len(times) - 1
    yield Fact(
        id="reading",
        kind="note",
        form="reading",
        start=times[0],
        end=last,
        sources=said["reading"],
    )
    known = "reading"
    for step, minutes in enumerate(_offsets(frame, times), 1):
        name = f"offset-{step}"
        yield Fact(
            id=name,
            kind="note",
            form="offset",
            minutes=minutes,
            step=step,
            end=last,
            sources=said[name],
        )
        yield Fact(
            id=f"moment-{step}",
            kind="note",
            form="moment",
            start=times[step],
            step=step,
            end=last,
            because=((known, name),),
        )
        known = f"moment-{step}"
    before, after = frame.tie
    yield Fact(id="tie", kind="note", form="tie", start=before, end=after, sources=said["tie"])
    because = ((known, "tie"),)
    start, end = times[-1] - before, times[-1] + after
    yield Fact(id="after", kind="after", form="narrow_after", start=start, because=because)
    yield Fact(id="before", kind="before", form="narrow_before", start=end, because=because)


def _trait(
    trait: Trait, value: str, steps: int, said: Mapping[str, tuple[str, ...]]
) -> Iterator[Fact]:
    mark = f"mark-{trait.id}"
    base = Fact(id=mark, kind="note", form="mark", trait=trait.id, value=value, end=steps)
    yield replace(base, sources=said[mark])
    known = mark
    for step in range(1, steps + 1):
        name = f"link-{trait.id}-{step}"
        yield replace(base, id=name, form="link", step=step, sources=said[name])
        because = ((known, name),)
        known = f"mid-{trait.id}"
        if step < steps:
            yield replace(base, id=known, form="mid", step=step, because=because)
        else:
            name = f"needs-{trait.id}"
            yield replace(base, id=name, kind="needs", form="needs", because=because)
