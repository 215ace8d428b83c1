"""The cast of a case in one language: every name, number and look, drawn once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.text.details import MONTHS_EN, Pronouns, pronouns_of, sample_details
from scripts_mm.generate.text.lexicon import load_book, pairs, pool, setting_book
from scripts_mm.generate.text.person_names import sample_names
from scripts_mm.generate.traits import TRAITS
from scripts_mm.generate.world import Frame, Sex
from scripts_mm.script import Language

_STAFF = 3
_CLOTHES = 12
SKIRTS = frozenset({9, 10})
"""Numbers of the clothes with a skirt."""
_FILE_LETTERS = "ABCDEFGHKLMNPRSTUVWXYZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitLook:
    """The look of a trait in this case."""

    form: str
    """Id of the trace in the book of traits."""
    tokens: Mapping[str, str]
    """Contents of the trace, by value."""
    makers: Mapping[str, str]
    """The next link of the chain, by value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """All names of a case. `people` maps ids to numbers and towns in its sentences."""

    names: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    places: Mapping[str, str]
    at: Mapping[str, str]
    """Places with preposition: "in the galley"."""
    labels: Mapping[str, str]
    """Short names of the places, for plans."""
    posts: Mapping[str, str]
    house: str
    town: str
    intro: str
    date: str
    day: tuple[int, int, int]
    """Year, month and day of the evening."""
    file: str
    officer: str
    staff: tuple[tuple[str, str], ...]
    """Names and posts of the staff, who are not suspects."""
    caller: str
    """The other party of the telephone call."""
    examiner: str
    """The signer of the report, who has no other part in the case."""
    till: str
    """The shop."""
    clocks: tuple[str, ...]
    """The stopped clock, the clocks of the chain, last the correct time."""
    events: tuple[tuple[str, str], ...]
    """Noun and clause of the events, from the reading to the one next to the crime."""
    things: Mapping[str, str]
    """The things of the plot and the weapon, by their names in its sentences."""
    stories: Mapping[str, str]
    """For each suspect the key of the story of its motive, which all tell alike."""
    pronouns: Mapping[str, Pronouns]
    looks: Mapping[str, TraitLook]
    people: Mapping[str, Mapping[str, str]]
    dress: Mapping[str, int]
    """Number of a suspect's clothes in camera stills."""
    number: int
    """A large number, for a till, a sheet or a telephone."""

    @property
    def weapon(self) -> str:
        """Return the weapon, as the opening names it."""
        return self.things["weapon"]


def sample_cast(frame: Frame, language: Language, rng: Random) -> Cast:
    """Draw the names and numbers of a case, independently of the crime."""
    book, victims = setting_book(frame.setting), PLOTS[frame.plot].victims
    sexes: dict[str, Sex] = {one.id: one.sex for one in frame.suspects}
    sexes |= dict(zip(victims, frame.victims, strict=True))
    named = sample_names(language, tuple(sexes.values()), _STAFF, rng, seed=frame.seed)
    known = dict(zip(sexes, named.full, strict=True))
    towns = rng.sample(pool(language, "names", "towns"), 2 * len(sexes) + 1)
    house = _sample_house(language, book, rng)
    places = pairs(language, book, "places")
    year, month, day = rng.randint(1996, 2023), rng.randint(1, 12), rng.randint(1, 28)
    staff = rng.sample(pool(language, book, "staff"), _STAFF)
    posts = _posts(frame, pool(language, book, "posts"), pool(language, book, "victims"), rng)
    till = rng.choice(pool(language, book, "tills"))
    intro = rng.choice(pool(language, book, "intro"))
    file = f"{rng.choice(_FILE_LETTERS)}{rng.choice(_FILE_LETTERS)} {rng.randint(1000, 9999)}"
    fills = {"house": house, "House": house[:1].upper() + house[1:], "town": towns[0]}
    details = {
        name: sample_details(language, posts[name], (towns[2 * at + 1], towns[2 * at + 2]), rng)
        for at, name in enumerate(sexes)
    }
    return Cast(
        names=MappingProxyType({name: one.name for name, one in known.items()}),
        aliases=MappingProxyType({name: one.aliases for name, one in known.items()}),
        places=MappingProxyType({f"p{at}": row[0] for at, row in enumerate(places)}),
        at=MappingProxyType({f"p{at}": row[1] for at, row in enumerate(places)}),
        labels=MappingProxyType({f"p{at}": row[2] for at, row in enumerate(places)}),
        posts=MappingProxyType(posts),
        house=house,
        town=towns[0],
        intro=intro.format_map(fills),
        date=_format_date(language, month, day),
        day=(year, month, day),
        file=f"{file}-{rng.randint(10, 99)}",
        officer=named.officer,
        staff=tuple(zip(named.staff, staff, strict=True)),
        caller=named.caller,
        examiner=named.examiner,
        till=till,
        clocks=_sample_clocks(frame, language, book, rng),
        events=_sample_events(frame, language, {"till": till, "caller": named.caller}, rng),
        things=MappingProxyType(_sample_things(frame, language, rng)),
        stories=MappingProxyType(_sample_stories(frame, language, rng)),
        pronouns=MappingProxyType({who: pronouns_of(language, sex) for who, sex in sexes.items()}),
        looks=MappingProxyType({one.id: _sample_look(language, one.id, rng) for one in TRAITS}),
        people=MappingProxyType(details),
        dress=MappingProxyType(_sample_dress(sexes, rng)),
        number=rng.randint(100_000, 999_999),
    )


def _posts(
    frame: Frame, posts: Sequence[str], victims: Sequence[str], rng: Random
) -> dict[str, str]:
    """Return the posts of the suspects, then of the victims."""
    found = {one.id: posts[one.post] for one in frame.suspects}
    dead = PLOTS[frame.plot].victims
    return found | dict(zip(dead, rng.sample(victims, len(dead)), strict=True))


def _sample_stories(frame: Frame, language: Language, rng: Random) -> dict[str, str]:
    book = load_book(language, "life")["motives"]
    return {one.id: rng.choice(sorted(book[one.motive]["stories"])) for one in frame.suspects}


def _sample_things(frame: Frame, language: Language, rng: Random) -> dict[str, str]:
    """Draw the weapon, and the things of the plot, which can have a weapon of their own."""
    weapons = load_book(language, "life")["weapons"]
    several = load_book(language, "plots")[frame.plot]["things"]
    return {**rng.choice(weapons), **rng.choice(several)}


def _sample_dress(sexes: Mapping[str, Sex], rng: Random) -> dict[str, int]:
    """Draw different clothes for all; only women have a skirt."""
    free = rng.sample(range(_CLOTHES), _CLOTHES)
    found: dict[str, int] = {}
    for name in sorted(sexes, key=lambda name: sexes[name] == "f"):
        fitting = [one for one in free if sexes[name] == "f" or one not in SKIRTS]
        found[name] = fitting[0]
        free.remove(fitting[0])
    return found


def _sample_house(language: Language, book: str, rng: Random) -> str:
    the = pool(language, book, "the")[0]
    head, tail = (
        rng.choice(pool(language, book, "heads")),
        rng.choice(pool(language, book, "tails")),
    )
    return f"{head}{tail}" if language == "zh" else f"{the}{head} {tail}"


def _format_date(language: Language, month: int, day: int) -> str:
    return f"{month}月{day}日" if language == "zh" else f"{day} {MONTHS_EN[month - 1]}"


def _sample_clocks(frame: Frame, language: Language, book: str, rng: Random) -> tuple[str, ...]:
    between = rng.sample(pool(language, book, "clocks"), max(0, frame.steps[0] - 1))
    return (
        rng.choice(pool(language, book, "stopped")),
        *between,
        rng.choice(pool(language, book, "right")),
    )


def _sample_events(
    frame: Frame, language: Language, fills: Mapping[str, str], rng: Random
) -> tuple[tuple[str, str], ...]:
    """Draw the events; the first is that in a picture of the frame, if there is one."""
    drawn = rng.sample(pairs(language, setting_book(frame.setting), "events"), frame.steps[0] + 1)
    media = {clue.medium for clue in frame.clues}
    found = [(noun, clause) for noun, clause in drawn]
    for medium in ("receipt", "calls"):
        if medium in media:
            noun, clause = load_book(language, "pictures")["events"][medium]
            found[0] = (noun.format_map(fills), clause.format_map(fills))
    return tuple(found)


def _sample_look(language: Language, trait: str, rng: Random) -> TraitLook:
    book = load_book(language, "traits")[trait]
    values: tuple[str, ...] = tuple(book["values"])
    form: str = rng.choice(sorted(book["looks"]))
    look = book["looks"][form]
    if isinstance(look.get("t"), dict):
        tokens = [
            rng.choice(pool(language, "traits", trait, "looks", form, "t", v)) for v in values
        ]
    else:
        tokens = _sample_words(look.get("t", ()), len(values), rng)
    makers = _sample_words(look.get("m", ()), len(values), rng)
    return TraitLook(
        form=form,
        tokens=MappingProxyType(dict(zip(values, tokens, strict=False))),
        makers=MappingProxyType(dict(zip(values, makers, strict=False))),
    )


def _sample_words(words: Sequence[str], count: int, rng: Random) -> list[str]:
    return rng.sample(words, min(count, len(words)))
