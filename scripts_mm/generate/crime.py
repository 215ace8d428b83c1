"""The crime of a frame: its culprit, drawn uniformly, and the traces that fit only the culprit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.traits import WorldTrait
from scripts_mm.generate.world import ChainStyle, Frame, Suspect, WorldCrime, WorldFact

_APART = 3
"""Minimum minutes of an offset, and between an intermediate time and the moment of any window."""
_NEAR = (_APART, 6)
"""Minutes between the clock's reading in a hard case and the moment of some window."""
_SECOND = (2, 5)
"""Minutes around the moment of a second death in which it can have happened."""
_AROUND: Mapping[ChainStyle, tuple[int, int]] = {"clock": (40, 40), "events": (40, -1)}
"""Minutes by which times can precede the last sign of life and follow the finding of the body."""


def sample_crime(frame: Frame, culprit: str, rng: Random) -> WorldCrime:
    """Draw the crime of `culprit`, and of a second one if the plot has two acts."""
    suspect = next(one for one in frame.suspects if one.id == culprit)
    acts = PLOTS[frame.plot].acts
    guilty = [suspect]
    if len(acts) > 1:
        guilty.append(rng.choice([one for one in frame.suspects if one.id != culprit]))
    times = _sample_times(frame, suspect.gap, rng)
    said = dict(frame.held)
    facts = [*_hour_facts(frame, times, said)]
    for number, (trait, act) in enumerate(zip(frame.traits, frame.trait_acts, strict=True)):
        value, steps = guilty[act].traits[number], frame.steps[number + 1]
        found = _trait_facts(trait, value, steps, said)
        facts += [replace(one, crime=acts[act].crime) for one in found]
    if len(acts) > 1 and acts[1].is_timed:
        facts += _second_hour_facts(frame, guilty[1].gap, acts[1].crime, rng)
    return WorldCrime(
        culprit=culprit,
        window=suspect.gap,
        moment=frame.moments[suspect.gap],
        second=guilty[1].id if len(acts) > 1 else "",
        reading=times[0],
        offsets=_offsets(frame, times),
        frame_facts=tuple(_without_liars(one, guilty) for one in frame.facts),
        facts=tuple(facts),
    )


def _without_liars(fact: WorldFact, guilty: Sequence[Suspect]) -> WorldFact:
    """Return `fact` without the culprits who claim to have watched it in their unseen window."""
    away = {f"role:{one.id}" for one in guilty if one.gap == fact.step}
    if fact.form != "with" or not away.intersection(fact.sources):
        return fact
    return replace(fact, sources=tuple(one for one in fact.sources if one not in away))


def _second_hour_facts(frame: Frame, window: int, crime: str, rng: Random) -> Iterator[WorldFact]:
    """Yield the hour of the second death, which its finding states."""
    moment = frame.moments[window]
    early, late = moment - rng.randint(*_SECOND), moment + rng.randint(*_SECOND)
    base = WorldFact(id="tie-2", kind="note", form="tie-2", start=early, end=late, crime=crime)
    yield replace(base, sources=dict(frame.held)["tie-2"])
    because = (("tie-2",),)
    yield replace(base, id="after-2", kind="after", form="narrow_after-2", because=because)
    yield replace(
        base, id="before-2", kind="before", form="narrow_before-2", start=late, because=because
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
