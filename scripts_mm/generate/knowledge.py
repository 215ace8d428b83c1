"""The knowledge plan: the sources of every fact; the deep chain gets pictures first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from scripts_mm.generate.id_pools import BILLED, HERRINGS
from scripts_mm.generate.plots import Plot
from scripts_mm.generate.suspects import SuspectProfiles
from scripts_mm.generate.timeline import Timeline
from scripts_mm.generate.world import ClueMedium, ClueSpec, Difficulty, GeneratorOptions, RedHerring

_HERRINGS: Mapping[Difficulty, int] = {"easy": 1, "medium": 2, "hard": 3}
_LETTERS: tuple[ClueMedium, ...] = ("letter", "chat")
_READINGS: Mapping[str, tuple[ClueMedium, ...]] = {
    "clock": ("clock",),
    "events": ("receipt", "calls"),
}
_WITNESSES = 2
"""Maximum pictures of suspects in company, on which no proof depends."""
_PRIVATE, _OWNED, _ROSTER = 0.6, 0.35, 0.35
"""Shares: of links that seats hold, of these as an owned clue, of traits in a list."""
MANY_SEATS, _MOST_PRIVATE = 3, 0.9
"""From `MANY_SEATS` needed seats, the share of private links is `_MOST_PRIVATE`."""
_KNOWERS, _KNOWERS_OF_TWO_ACTS = 2, 3
"""Seats that know each trait of a suspect; two culprits can both be silent."""
_HOLDERS, _HOLDERS_OF_TWO_ACTS = 2, 4
"""Seats that hold each private link."""
_AFTER_HOUR, _AFTER_TRAIT = 3, 2
"""Hops after the last moment (its window, the alibi, the verdict) and after a needed trait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgePlan:
    """The sources of every fact by its id, and the clues in the order of the script."""

    sources: Mapping[str, tuple[str, ...]]
    clues: tuple[ClueSpec, ...]
    herrings: tuple[RedHerring, ...]
    style: str
    steps: tuple[int, ...]
    """Number of offsets of the hour, then of links of each trait."""


_ClueDraft = tuple[ClueMedium, tuple[str, ...], str]
"""Medium, facts and subject."""


@dataclass(slots=True)
class _ClueDealer:
    """The state of dealing: drafts of clues, and sources that name drafts by number."""

    left: int
    """Number of pictures that can still be added."""
    drafts: list[ClueSpec] = field(default_factory=list[ClueSpec])
    sources: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add_clue(self, draft: _ClueDraft, owner: str | None = None) -> None:
        """Put facts into a new clue: a picture while any are left, else words."""
        medium, facts, about = draft
        if medium != "text":
            medium = medium if self.left else "text"
            self.left -= medium != "text"
        name = f"{len(self.drafts)}"
        self.drafts.append(ClueSpec(id=name, medium=medium, facts=facts, about=about, owner=owner))
        kind = "clue" if medium == "text" else "picture"
        for fact in facts:
            self.add_source(fact, f"{kind}:{name}")

    def add_source(self, fact: str, *sources: str) -> None:
        """Add `sources` to `fact`."""
        self.sources.setdefault(fact, []).extend(sources)


def deal_knowledge(
    options: GeneratorOptions, people: SuspectProfiles, evening: Timeline, rng: Random
) -> KnowledgePlan:
    """Deal all knowledge, independently of the culprit."""
    desk = _ClueDealer(left=options.pictures)
    style = rng.choice(people.plot.styles)
    is_known = people.plot.acts[0].scene == "known"
    steps = _chain_lengths(options, people, rng)
    herrings = _sample_herrings(options, rng)
    many = options.seats >= MANY_SEATS
    share = 0.0 if many else _ROSTER
    listed = [one.id for one in people.traits if one.id != people.deep and rng.random() < share]
    for fact in ("alive", "found", *(("scene",) if is_known else ())):
        desk.add_source(fact, "opening")
    for draft in (*_trace_drafts(people, style, rng), *_act_drafts(people.plot)):
        desk.add_clue(draft)
    needed = [*_base_drafts(people, evening, herrings, listed, rng)]
    plan: _ClueDraft = ("plan", ("way",), "")
    for draft in rng.sample([*needed, plan], len(needed) + 1):
        if draft != plan or desk.left:
            desk.add_clue(draft)
    extra = [*_motive_drafts(options, rng), *_witness_drafts(evening, people.plot, rng)]
    for draft in extra if many else rng.sample(extra, len(extra)):
        if desk.left:
            desk.add_clue(draft)
    if "way" not in desk.sources:
        desk.add_source("way", "opening")
    _deal_to_seats(desk, people, evening, herrings, listed, rng)
    _deal_steps(desk, people, steps, _MOST_PRIVATE if many else _PRIVATE, rng)
    return _number_clues(desk, herrings, style, steps, rng)


def _chain_lengths(
    options: GeneratorOptions, people: SuspectProfiles, rng: Random
) -> tuple[int, ...]:
    """Return the number of links of each chain; the deep one has as many as the hops need."""
    deep = people.deep == "window"
    found = [max(1, options.hops - _AFTER_HOUR) if deep else rng.randint(1, 2)]
    for trait in people.traits:
        least = options.hops - _AFTER_TRAIT if people.deep == trait.id else 1
        found.append(rng.randint(max(1, least), trait.links))
    return tuple(found)


def _sample_herrings(options: GeneratorOptions, rng: Random) -> tuple[RedHerring, ...]:
    count = min(_HERRINGS[options.difficulty], options.roles - 1)
    seats = [f"r{at + 1}" for at in range(options.roles)]
    found: list[RedHerring] = []
    kinds = rng.sample(HERRINGS, count)
    for number, (who, kind) in enumerate(zip(rng.sample(seats, count), kinds, strict=True), 1):
        knower = rng.choice([one for one in seats if one != who])
        found.append(RedHerring(id=f"herring-{number}", kind=kind, who=who, knower=knower))
    return tuple(found)


def _trace_drafts(people: SuspectProfiles, style: str, rng: Random) -> list[_ClueDraft]:
    """Return the first links of all chains, that of the deep one first: it gets a picture first."""
    reading: _ClueDraft = (rng.choice(_READINGS[style]), ("reading",), "window")
    marks: list[_ClueDraft] = [
        ("lab" if one.plot else "trace", (f"mark-{one.id}",), one.id) for one in people.traits
    ]
    return sorted([reading, *marks], key=lambda draft: draft[2] != people.deep)


def _act_drafts(plot: Plot) -> Iterator[_ClueDraft]:
    """Yield the findings that only some plots have: on the place, on the second act."""
    if plot.acts[0].scene != "known":
        yield "lab", ("spot-mark",), ""
    for act in plot.acts[1:]:
        yield ("note", ("order",), "") if act.is_order else ("lab", ("tie-2",), "")


def _base_drafts(
    people: SuspectProfiles,
    evening: Timeline,
    herrings: Sequence[RedHerring],
    listed: Sequence[str],
    rng: Random,
) -> Iterator[_ClueDraft]:
    """Yield the drafts that need a clue, at least in words."""
    seats = range(1, len(people.vectors) + 1)
    is_hidden = people.plot.acts[0].scene == "hidden"
    yield "letter" if is_hidden else "report", ("tie",), ""
    for name in listed:
        yield "roster", tuple(f"trait-{name}-r{seat}" for seat in seats), name
    few = _size_with_witness(people.plot)
    for one in evening.companies:
        for who in one.members if len(one.members) <= few else ():
            yield "cctv", (f"seen-{one.window}-{who}",), who
    for herring in herrings:
        billed: tuple[ClueMedium, ...] = ("invoice",) if herring.kind in BILLED else ()
        yield rng.choice((*_LETTERS, *billed, "text")), (herring.id,), herring.who


def _motive_drafts(options: GeneratorOptions, rng: Random) -> Iterator[_ClueDraft]:
    """Yield a document for each suspect's motive; no proof depends on them."""
    for who in rng.sample(range(1, options.roles + 1), options.roles):
        yield rng.choice(_LETTERS), (f"motive-r{who}",), f"r{who}"


def _size_with_witness(plot: Plot) -> int:
    """Return the size up to which a company needs a public witness: one may be a culprit."""
    return 2 if plot.has_two_acts else 1


def _witness_drafts(evening: Timeline, plot: Plot, rng: Random) -> Iterator[_ClueDraft]:
    """Yield pictures of suspects in company, whose alibi the company also knows."""
    few = _size_with_witness(plot)
    shared = [one for one in evening.companies if len(one.members) > few]
    for one in rng.sample(shared, min(_WITNESSES, len(shared))):
        who = rng.choice(one.members)
        yield "cctv", (f"seen-{one.window}-{who}",), who


def _deal_to_seats(
    desk: _ClueDealer,
    people: SuspectProfiles,
    evening: Timeline,
    herrings: Sequence[RedHerring],
    listed: Sequence[str],
    rng: Random,
) -> None:
    """Deal facts about suspects to other seats; each seat knows, and is known by, as many."""
    seats = [f"r{at + 1}" for at in range(len(people.vectors))]
    few = _size_with_witness(people.plot)
    known_by = _KNOWERS_OF_TWO_ACTS if people.plot.has_two_acts else _KNOWERS
    for one in evening.companies:
        for who in one.members if len(one.members) > few else ():
            others = [f"role:{other}" for other in one.members if other != who]
            watchers = [
                f"role:{seat}"
                for seat, number in zip(seats, evening.watched, strict=True)
                if number >= 0 and evening.companies[number] is one
            ]
            desk.add_source(f"with-{one.window}-{who}", *others, *watchers)
    for trait in people.traits:
        near = rng.sample(range(1, len(seats)), known_by)
        for at, who in enumerate(seats if trait.id not in listed else ()):
            knowers = sorted(seats[(at + shift) % len(seats)] for shift in near)
            desk.add_source(f"trait-{trait.id}-{who}", *(f"role:{one}" for one in knowers))
    shift = rng.randrange(1, len(seats))
    for at, who in enumerate(seats):
        desk.add_source(f"motive-{who}", f"role:{seats[(at + shift) % len(seats)]}")
        desk.add_source(f"relation-{who}", f"role:{who}")
    for herring in herrings:
        desk.add_source(herring.id.replace("herring", "excuse"), f"role:{herring.knower}")


def _deal_steps(
    desk: _ClueDealer, people: SuspectProfiles, steps: Sequence[int], private: float, rng: Random
) -> None:
    """Deal each link to several seats, so that no culprit can withhold it, or to a public clue."""
    count = _HOLDERS_OF_TWO_ACTS if people.plot.has_two_acts else _HOLDERS
    names = [] if people.plot.acts[0].scene == "known" else ["spot-link"]
    names += [f"offset-{number + 1}" for number in range(steps[0])]
    for trait, links in zip(people.traits, steps[1:], strict=True):
        names += [f"link-{trait.id}-{number + 1}" for number in range(links)]
    seats = [f"r{at + 1}" for at in range(len(people.vectors))]
    waiting: list[str] = []
    for name in names:
        if rng.random() >= private:
            desk.add_clue(("text", (name,), ""))
            continue
        if len(waiting) < count:
            waiting += [one for one in rng.sample(seats, len(seats)) if one not in waiting]
        one, *others = (waiting.pop(0) for _ in range(count))
        desk.add_source(name, *(f"role:{other}" for other in others))
        if rng.random() < _OWNED:
            desk.add_clue(("text", (name,), ""), one)
        else:
            desk.add_source(name, f"role:{one}")


def _number_clues(
    desk: _ClueDealer,
    herrings: tuple[RedHerring, ...],
    style: str,
    steps: tuple[int, ...],
    rng: Random,
) -> KnowledgePlan:
    """Shuffle the clues and name them by their order."""
    order = rng.sample(range(len(desk.drafts)), len(desk.drafts))
    names = {str(draft): f"c{place:02}" for place, draft in enumerate(order, 1)}
    clues = tuple(replace(desk.drafts[draft], id=names[str(draft)]) for draft in order)

    def rename_source(source: str) -> str:
        kind, _, name = source.partition(":")
        return f"{kind}:{names[name]}" if kind in ("clue", "picture") else source

    return KnowledgePlan(
        sources={fact: tuple(map(rename_source, found)) for fact, found in desk.sources.items()},
        clues=clues,
        herrings=herrings,
        style=style,
        steps=steps,
    )
