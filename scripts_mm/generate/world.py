"""The world: the values of a generated case, independent of language.

A world has two halves. The `Frame` does not depend on the culprit: the suspects, where each was
seen, their traits, and who knows them. The `WorldCrime` is drawn afterwards: one suspect of the
frame, with equal probability, and the traces that fit only this suspect. So no text about the frame
can reveal the culprit.
"""

from dataclasses import dataclass
from typing import Literal

from scripts_mm.generate.traits import WorldTrait

Difficulty = Literal["easy", "medium", "hard"]
PlotId = Literal["blow", "poison", "locked", "theft", "staged", "pair", "hand"]
"""The plots: `scripts_mm.generate.plots`."""
Sex = Literal["f", "m"]
ChainStyle = Literal["clock", "events"]
"""The chain of the hour: clocks that run wrong, or consecutive events."""
ClueMedium = Literal[
    "text", "clock", "receipt", "calls", "trace", "plan", "cctv", "roster", "report", "letter",
    "chat", "invoice", "lab", "note",
]  # fmt: skip
"""`text`: a clue without a picture. Each other medium is one kind of drawing."""
CRIME = "murder"
"""Id of the death that a case is about."""
FactKind = Literal["at", "way", "after", "before", "scene", "needs", "had", "knew", "is", "note"]
"""Kinds of facts, as in `scripts_mm.facts.fact_table`."""

TEXT_RICH: frozenset[ClueMedium] = frozenset(
    {"receipt", "calls", "roster", "report", "letter", "chat", "invoice", "lab", "note"}
)
"""Media of text pictures; all others are media pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorOptions:
    """The user's options; everything else follows from the seed."""

    roles: int = 5
    hops: int = 3
    """Minimum depth of the proof."""
    pictures: int = 6
    difficulty: Difficulty = "medium"
    seats: int = 2
    """Minimum number of seats whose private knowledge is needed."""
    plot: PlotId | None = None
    """None: the seed draws one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWindow:
    """A possible time window of the crime, in minutes since midnight."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A suspect, who is a role and was seen in every window except one."""

    id: str
    """`r1` to `r8`, in the order of the script."""
    post: int
    gap: int
    """Number of the window in which the suspect was not seen."""
    alone: str
    """Place that the suspect states for that window."""
    traits: tuple[str, ...]
    """One value for each of the frame's traits."""
    motive: str
    secret: str
    relation: str
    """Relation to the next suspect (of the last one: to the first)."""
    sex: Sex = "m"
    watched: int = -1
    """Number of the company that it saw from its place in the unseen window; -1: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoPresence:
    """Suspects who were together at a place; each knows it of the others."""

    window: int
    place: str
    members: tuple[str, ...]
    start: int
    end: int
    is_secret: bool = False
    """Whether its two members, who are related, met there and keep it to themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedHerring:
    """A suspicious fact, and a harmless reason that another suspect knows."""

    id: str
    kind: str
    who: str
    knower: str
    """The seat that knows the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldFact:
    """A row of the fact table without words. `form` names its sentence.

    Fields that its kind does not use are empty. `sources` and `because` are as in
    `scripts_mm.facts.fact_table`.
    """

    id: str
    kind: FactKind
    form: str
    who: str = ""
    place: str = ""
    places: tuple[str, ...] = ()
    """The two places of a `way`."""
    start: int = 0
    end: int = 0
    """Kind `at`: `start` to `end`. `after`, `before`, readings and moments: only `start`."""
    minutes: int = 0
    """Minutes of a way, or of an offset (signed)."""
    trait: str = ""
    value: str = ""
    step: int = 0
    """Number of a link, offset or moment in its chain, from 1 (0: the start); of a company its
    window."""
    crime: str = CRIME
    """The act that it is about, if it is about one."""
    sources: tuple[str, ...] = ()
    because: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueSpec:
    """A clue: its medium and its facts, in order."""

    id: str
    medium: ClueMedium
    facts: tuple[str, ...]
    owner: str | None = None
    about: str = ""
    """Suspect or trait that is its subject, if there is one."""


OptionRef = tuple[str | int, ...]
"""The content of an option: ("person", id), ("place", id), ("time", minutes), ("span", start, end),
("minutes", n), ("value", trait, value), ("mark", trait, value), ("motive", id), ("secret", id),
("relation", id), ("herring", kind), ("excuse", kind), ("reason", "alibi" or a trait),
("nobody",)."""
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
    """Suspect, place or trait in the stem."""
    value: int = 0
    """Number of a window or step, if the stem needs one."""
    clues: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """Facts on which the answer depends: the source."""
    hops: int | None = None
    points: int | None = None
    answer: Literal["one", "two", "set"] = "one"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldLie:
    """A lie of the culprit: `place` (was at `alone`), `trait` (another value), `hour`."""

    form: Literal["place", "trait", "hour"]
    against: tuple[str, ...]
    """Ids of the contradicted facts."""
    trait: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The half of a world that does not depend on the culprit."""

    seed: int
    options: GeneratorOptions
    plot: PlotId
    setting: str
    style: ChainStyle
    scene: str
    """Place where the culprit has to have been."""
    body: str
    """Place where the victim was found: in some plots another one."""
    second: str
    """Place of the second act; empty: there is none."""
    other_places: tuple[str, ...]
    """Places in texts, without the scene."""
    suspects: tuple[Suspect, ...]
    windows: tuple[TimeWindow, ...]
    moments: tuple[int, ...]
    """For each window the minute of the crime, if it took place in this window."""
    tie: tuple[int, int]
    """Maximum minutes of the crime before and after the last moment of the chain."""
    deep: str
    """`window` or the trait whose chain is the longest one needed."""
    steps: tuple[int, ...]
    """Number of links of the chains: offsets of the hour, then links of each trait."""
    alive: int
    """Minute at which the victim was last seen alive."""
    found: int
    traits: tuple[WorldTrait, ...]
    trait_acts: tuple[int, ...]
    """For each trait the number of the act whose culprit it identifies."""
    victims: tuple[Sex, ...]
    """The sex of each victim."""
    companies: tuple[CoPresence, ...]
    herrings: tuple[RedHerring, ...]
    facts: tuple[WorldFact, ...]
    """Facts that do not depend on the crime."""
    held: tuple[tuple[str, tuple[str, ...]], ...]
    """Facts of the crime by id, with their sources."""
    clues: tuple[ClueSpec, ...]
    """All clues in the order of the script; those of the crime name facts of `Crime.facts`."""

    def traits_of(self, act: int) -> tuple[tuple[int, WorldTrait], ...]:
        """Return the traits that identify the culprit of an act, with their numbers."""
        pairs = zip(self.traits, self.trait_acts, strict=True)
        return tuple((at, one) for at, (one, of) in enumerate(pairs) if of == act)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldCrime:
    """The half of a world that depends on the culprit."""

    culprit: str
    window: int
    moment: int
    """Minute of the crime."""
    second: str
    """The culprit of the second act; empty: there is none."""
    reading: int
    """Reading of the clock in the picture, or minute of the first event."""
    offsets: tuple[int, ...]
    """Signed minutes: clock n is ahead of clock n + 1, or event n + 1 was after event n."""
    frame_facts: tuple[WorldFact, ...]
    """Facts of the frame: a culprit is no source of what it claims to have watched."""
    facts: tuple[WorldFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A frame and its crime."""

    frame: Frame
    crime: WorldCrime

    @property
    def guilty(self) -> tuple[str, ...]:
        """The culprits, that of the first act first."""
        return tuple(one for one in (self.crime.culprit, self.crime.second) if one)

    @property
    def facts(self) -> tuple[WorldFact, ...]:
        """All facts, first those of the frame."""
        return (*self.crime.frame_facts, *self.crime.facts)
