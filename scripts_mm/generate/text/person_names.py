"""Distinct names of people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from scripts_mm.generate.text.lexicon import pool
from scripts_mm.script import Language

_HEAD = 2
"""Initial letters that no two parts of English names share."""
_TRIES = 60
_SINGLE = 0.12
"""Share of Chinese given names with one character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonName:
    """A full name and its short forms."""

    name: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonNames:
    """The names of a case's people."""

    full: tuple[PersonName, ...]
    """Names of the suspects, then of the victim."""
    staff: tuple[str, ...]
    officer: str
    caller: str
    examiner: str


def sample_names(language: Language, full: int, staff: int, rng: Random) -> PersonNames:
    """Draw names: no two share a part, a beginning (en) or a character (zh)."""
    draw = _sample_chinese if language == "zh" else _sample_english
    drawn = draw(full + staff + 3, rng)
    named = drawn[:full]
    rest = [one.name for one in drawn[full:]]
    surname = drawn[-1].aliases[-1]
    return PersonNames(
        full=tuple(
            PersonName(name=one.name, aliases=one.aliases[:-1] if language == "zh" else one.aliases)
            for one in named
        ),
        staff=tuple(rest[:staff]),
        officer=f"{surname}警官" if language == "zh" else f"Inspector {surname}",
        caller=rest[staff],
        examiner=rest[staff + 1],
    )


def _sample_english(count: int, rng: Random) -> list[PersonName]:
    given, surnames = pool("en", "names", "given"), pool("en", "names", "surnames")
    for _ in range(_TRIES):
        taken: set[str] = set()
        last = list(_distinct_names(rng.sample(surnames, len(surnames)), count, taken))
        first = list(_distinct_names(rng.sample(given, len(given)), count, taken))
        if len(first) == len(last) == count and not _is_nested([*first, *last]):
            pairs = zip(first, last, strict=True)
            return [PersonName(name=f"{one} {two}", aliases=(one, two)) for one, two in pairs]
    raise AssertionError(f"no {count} English names without a common beginning")


def _distinct_names(names: Sequence[str], count: int, taken: set[str]) -> Iterator[str]:
    """Yield `count` names whose initial letters are not taken, and add these to `taken`."""
    left = count
    for name in names:
        head = name[:_HEAD].casefold()
        if left and head not in taken:
            taken.add(head)
            left -= 1
            yield name


def _is_nested(parts: Sequence[str]) -> bool:
    folded = [part.casefold() for part in parts]
    return any(
        one in other for at, one in enumerate(folded) for other in folded[:at] + folded[at + 1 :]
    )


def _sample_chinese(count: int, rng: Random) -> list[PersonName]:
    surnames = rng.sample(pool("zh", "names", "surnames"), len(pool("zh", "names", "surnames")))
    double, single = pool("zh", "names", "given"), pool("zh", "names", "single")
    given = [
        one if rng.random() > _SINGLE else rng.choice(single)
        for one in rng.sample(double, len(double))
    ]
    taken: set[str] = set()
    found: list[PersonName] = []
    for surname in surnames:
        if len(found) == count:
            break
        if taken & {*surname}:
            continue
        first = next((one for one in given if not taken & {*one} and not {*one} & {*surname}), None)
        if first is None:
            break
        taken |= {*surname, *first}
        called = (first, surname) if len(first) > 1 else (surname,)
        found.append(PersonName(name=f"{surname}{first}", aliases=called))
    return found
