"""The traits that distinguish people and leave traces."""

from dataclasses import dataclass
from typing import Literal

TraitKind = Literal["is", "had", "knew"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldTrait:
    """A trait that distinguishes people and leaves a trace. `id` is its key in every table."""

    id: str
    sort: TraitKind
    values: tuple[str, ...]
    """Ids of the values, two or three."""
    links: int
    """Maximum steps from the trace to the trait, including the first: 1 or 2."""
    plot: str = ""
    """Id of the only plot with this trait; empty: any plot can have it."""


TRAITS: tuple[WorldTrait, ...] = (
    WorldTrait(id="hand", sort="is", values=("left", "right"), links=2),
    WorldTrait(id="shoe", sort="is", values=("38", "41", "44"), links=2),
    WorldTrait(id="reach", sort="is", values=("tall", "middling", "short"), links=2),
    WorldTrait(id="smoke", sort="is", values=("pipe", "cigar", "cigarette"), links=2),
    WorldTrait(id="key", sort="had", values=("brass", "steel", "copper"), links=2),
    WorldTrait(id="coat", sort="had", values=("green", "grey", "red"), links=2),
    WorldTrait(id="lamp", sort="had", values=("paraffin", "torch", "candle"), links=2),
    WorldTrait(id="pen", sort="had", values=("violet", "black", "blue"), links=2),
    WorldTrait(id="code", sort="knew", values=("yes", "no"), links=2),
    WorldTrait(id="script", sort="knew", values=("yes", "no"), links=2),
    WorldTrait(
        id="poison",
        sort="had",
        values=("nicotine", "foxglove", "arsenic"),
        links=2,
        plot="poison",
    ),
    WorldTrait(id="bolt", sort="knew", values=("thread", "ice", "magnet"), links=2, plot="locked"),
    WorldTrait(
        id="wrap", sort="had", values=("oilcloth", "felt", "sacking"), links=2, plot="theft"
    ),
    WorldTrait(
        id="farewell", sort="had", values=("traced", "typed", "cut"), links=2, plot="staged"
    ),
)
"""`code`: knows the code of the victim's cabinet; `script`: can read the victim's shorthand;
`bolt`: a way to draw a bolt from outside; `farewell`: what a farewell letter can be faked with."""


def fitting_traits(plot: str) -> tuple[WorldTrait, ...]:
    """Return the traits that a case of a plot can have."""
    return tuple(one for one in TRAITS if one.plot in ("", plot))
