"""The crime of a frame: its culprit, drawn uniformly, and the traces that fit only the culprit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from scripts_mm.generate.world import ChainStyle, Frame, WorldCrime, WorldFact, WorldTrait

_APART = 3
"""Minimum minutes of an offset, and between an intermediate time and the moment of any window."""
_NEAR = (_APART, 6)
"""Minutes between the clock's reading in a hard case and the moment of some window."""
_AROUND: Mapping[ChainStyle, tuple[int, int]] = {"clock": (40, 40), "events": (40, -1)}
"""Minutes by which times can precede the last sign of life and follow the finding of the body."""


def sample_crime(frame: Frame, culprit: str, rng: Random) -> WorldCrime:
    """Draw the crime of `culprit`."""
    suspect = next(one for one in frame.suspects if one.id == culprit)
    moment = frame.moments[suspect.gap]
    times = _sample_times(frame, suspect.gap, rng)
    said = dict(frame.held)
    facts = [*_hour_facts(frame, times, said)]
    needed = zip(frame.traits, suspect.traits, frame.steps[1:], strict=True)
    for trait, value, steps in needed:
        facts += _trait_facts(trait, value, steps, said)
    return WorldCrime(
        culprit=culprit,
        window=suspect.gap,
        moment=moment,
        reading=times[0],
        offsets=_offsets(frame, times),
        facts=tuple(facts),
    )


def _offsets(frame: Frame, times: Sequence[int]) -> tuple[int, ...]:
    """Return the steps between the times; with clocks, a positive step is a clock that is ahead."""
    sign = -1 if frame.style == "clock" else 1
    return tuple(sign * (after - before) for before, after in pairwise(times))


def _sample_times(frame: Frame, window: int, rng: Random) -> list[int]:
    """Return the reading, then the time after each correction; the last is the moment.

    All but the last are drawn independently of `window`, so an incomplete chain leads to the true
    window no more often than to another.
    """
    times: list[int] = []
    for step in range(frame.steps[0]):
        is_near = step == 0 and frame.options.difficulty == "hard"
        pool = _window_times(frame, rng) if is_near else _free_times(frame)
        near = range(times[-1] - _APART + 1, times[-1] + _APART) if times else ()
        times.append(rng.choice([at for at in pool if at not in near and at not in times]))
    return [*times, frame.moments[window]]


def _window_times(frame: Frame, rng: Random) -> list[int]:
    """Return the times near the moment of one window, drawn uniformly."""
    moment, (least, most) = rng.choice(frame.moments), _NEAR
    return [moment + side * far for side in (-1, 1) for far in range(least, most + 1)]


def _free_times(frame: Frame) -> list[int]:
    """Return the times of the evening that are at least `_APART` from every window's moment."""
    early, late = _AROUND[frame.style]
    evening = range(frame.alive - early, frame.found + late + 1)
    return [at for at in evening if all(abs(at - one) >= _APART for one in frame.moments)]


def _hour_facts(
    frame: Frame, times: Sequence[int], said: Mapping[str, tuple[str, ...]]
) -> Iterator[WorldFact]:
    last = len(times) - 1
    yield WorldFact(
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
        yield WorldFact(
            id=name,
            kind="note",
            form="offset",
            minutes=minutes,
            step=step,
            end=last,
            sources=said[name],
        )
        yield WorldFact(
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
    yield WorldFact(id="tie", kind="note", form="tie", start=before, end=after, sources=said["tie"])
    because = ((known, "tie"),)
    start, end = times[-1] - before, times[-1] + after
    yield WorldFact(id="after", kind="after", form="narrow_after", start=start, because=because)
    yield WorldFact(id="before", kind="before", form="narrow_before", start=end, because=because)


def _trait_facts(
    trait: WorldTrait, value: str, steps: int, said: Mapping[str, tuple[str, ...]]
) -> Iterator[WorldFact]:
    mark = f"mark-{trait.id}"
    base = WorldFact(id=mark, kind="note", form="mark", trait=trait.id, value=value, end=steps)
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
