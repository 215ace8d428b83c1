"""The values of a generated case before any word is told: ids, minutes, figures and who knows what.

A case has two halves. The `Frame` is everything that does not depend on who did it: the suspects,
where each was seen, what each is like, who knows it. The `Crime` is drawn afterwards: one suspect
of the frame, each as likely, and the traces that fit this one alone. So no text told of the frame
alone can give the culprit away. Nothing here holds a word of a language.
"""

from dataclasses import dataclass
from typing import Literal

Difficulty = Literal["easy", "medium", "hard"]
TraitKind = Literal["is", "had", "knew"]
ChainStyle = Literal["clock", "events"]
"""How the hour is found: from clocks that run wrong, or from events that followed each other."""
ClueMedium = Literal[
    "text", "clock", "receipt", "calls", "trace", "plan", "cctv", "roster", "report", "letter",
    "chat", "invoice",
]  # fmt: skip
"""`text`: a clue of words only. All others are pictures, each of one kind of drawing."""
FactKind = Literal["at", "way", "after", "before", "scene", "needs", "had", "knew", "is", "note"]
"""Kinds of facts, as in `scripts_mm.facts.fact_table`."""

TEXT_RICH: frozenset[ClueMedium] = frozenset(
    {"receipt", "calls", "roster", "report", "letter", "chat", "invoice"}
)
"""Pictures in which the words count; of the others, what is seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldTrait:
    """Something that tells people apart and leaves a trace. `id` names it in every table."""

    id: str
    sort: TraitKind
    values: tuple[str, ...]
    """Ids of the values, two or three."""
    links: int
    """Most steps from the trace to the trait, the first included: 1 or 2."""


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
)
"""`code`: knew the code of the victim's cabinet; `script`: can read the victim's shorthand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorOptions:
    """What the user asks for; everything else follows from the seed."""

    roles: int = 5
    hops: int = 3
    """Least steps of the deepest line of thought that the proof needs."""
    pictures: int = 6
    difficulty: Difficulty = "medium"
    seats: int = 2
    """Least seats whose private knowledge is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWindow:
    """A stretch of the evening in which the deed may have been done; minutes since midnight."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A role. Everybody was seen in every window but one."""

    id: str
    """`r1` to `r8`, in the order of the script."""
    post: int
    gap: int
    """Number of the window in which nobody saw this one."""
    alone: str
    """Place where this one says to have been in that window."""
    traits: tuple[str, ...]
    """One value for each of the frame's traits."""
    motive: str
    secret: str
    relation: str
    """What this one is to the suspect after it (the last: to the first)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoPresence:
    """Suspects who were together at a place; each of them knows it of the others."""

    window: int
    place: str
    members: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RedHerring:
    """Something that looks bad, and the harmless reason that another one knows."""

    id: str
    kind: str
    who: str
    knower: str
    """The seat that knows the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldFact:
    """A row of the fact table without words. `form` names the sentence that tells it.

    Fields that its kind does not use are empty. `sources` and `because` as in
    `scripts_mm.facts.fact_table`.
    """

    id: str
    kind: FactKind
    form: str
    who: str = ""
    place: str = ""
    places: tuple[str, ...] = ()
    """Of a `way`."""
    start: int = 0
    end: int = 0
    """Of `at`: from and to. Of `after`, `before`, readings and moments: `start` is the time."""
    minutes: int = 0
    """Of a way, or an offset (signed)."""
    trait: str = ""
    value: str = ""
    step: int = 0
    """Number of a link, offset or moment in its chain, from 1; 0: the beginning."""
    sources: tuple[str, ...] = ()
    because: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueSpec:
    """A clue: its medium and the facts that stand in it, in this order."""

    id: str
    medium: ClueMedium
    facts: tuple[str, ...]
    owner: str | None = None
    about: str = ""
    """Suspect or trait that it is about, where it is about one."""


OptionRef = tuple[str | int, ...]
"""What an option names: ("person", id), ("place", id), ("time", minutes), ("span", start, end),
("minutes", n), ("value", trait, value), ("mark", trait, value), ("motive", id), ("secret", id),
("relation", id), ("herring", kind), ("excuse", kind), ("reason", "alibi" or a trait)."""
QuestionSpecKind = Literal["lsu", "tiu", "miu", "mmr", "obj", "rea", "rel", "inf"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSpec:
    """A question without words. `form` names the stem; `about` and `value` fill it."""

    id: str
    kind: QuestionSpecKind
    form: str
    options: tuple[OptionRef, ...]
    keys: tuple[int, ...]
    role: str | None = None
    about: str = ""
    """Suspect, place or trait that the stem names."""
    value: int = 0
    """Number of a window or step, where the stem names one."""
    clues: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """Facts that it rests on: the source."""
    hops: int | None = None
    points: int | None = None
    answer: Literal["one", "two", "set"] = "one"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldLie:
    """What the culprit may say: `place` (was at `alone`), `trait` (another value), `hour`."""

    form: Literal["place", "trait", "hour"]
    against: tuple[str, ...]
    """Ids of facts that it contradicts."""
    trait: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """All that does not depend on who did it."""

    seed: int
    options: GeneratorOptions
    setting: str
    style: ChainStyle
    scene: str
    """Place of the deed."""
    other_places: tuple[str, ...]
    """Places that are told of; the scene is not among them."""
    suspects: tuple[Suspect, ...]
    windows: tuple[TimeWindow, ...]
    moments: tuple[int, ...]
    """For each window the minute of the deed, if it was done in this one."""
    tie: tuple[int, int]
    """Minutes before and after the last moment of the chain that the deed may lie."""
    deep: str
    """`window` or the trait whose chain is the longest one needed."""
    steps: tuple[int, ...]
    """Links of the chains: offsets of the hour, then links of each trait."""
    alive: int
    """When the victim was last seen alive."""
    found: int
    traits: tuple[WorldTrait, ...]
    companies: tuple[CoPresence, ...]
    herrings: tuple[RedHerring, ...]
    facts: tuple[WorldFact, ...]
    """Those that do not depend on the crime."""
    held: tuple[tuple[str, tuple[str, ...]], ...]
    """Facts of the crime by id with the sources that they will stand in."""
    clues: tuple[ClueSpec, ...]
    """All clues in the order of the script; those of the crime name facts of `Crime.facts`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldCrime:
    """Who did it and what follows from that."""

    culprit: str
    window: int
    moment: int
    """When the deed was done."""
    reading: int
    """What the clock in the picture shows, or when the first event was."""
    offsets: tuple[int, ...]
    """Signed minutes: clock n is ahead of clock n + 1, or event n + 1 was after event n."""
    facts: tuple[WorldFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A frame and its crime."""

    frame: Frame
    crime: WorldCrime

    @property
    def facts(self) -> tuple[WorldFact, ...]:
        """All facts, those of the frame first."""
        return (*self.frame.facts, *self.crime.facts)
