"""Distinct names of people, which cases of consecutive seeds share as little as possible."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from scripts_mm.generate.text.lexicon import WordPool, pool
from scripts_mm.generate.world import Sex
from scripts_mm.script import Language

_HEAD = 2
"""Initial letters that no two parts of English names share."""
_TRIES = 60
_SINGLE = 0.12
"""Share of Chinese given names with one character."""
_SEXES: tuple[Sex, ...] = ("f", "m")
_BATCH = 12
"""Consecutive seeds that draw from different parts of the lists first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonName:
    """A full name and its short forms."""

    name: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonNames:
    """The names of a case's people."""

    full: tuple[PersonName, ...]
    """Names of the suspects, then of the victims."""
    staff: tuple[str, ...]
    officer: str
    caller: str
    examiner: str


def sample_names(
    language: Language, sexes: Sequence[Sex], staff: int, rng: Random, *, seed: int | None = None
) -> PersonNames:
    """Draw names for people of these sexes and the staff.

    No two share a part, a beginning (en) or a character (zh). `seed`: that of the case.
    """
    draw = _sample_chinese if language == "zh" else _sample_english
    others: list[Sex] = [rng.choice(_SEXES) for _ in range(staff + 3)]
    everybody: list[Sex] = [*sexes, *others]
    drawn = draw(everybody, rng, seed)
    named = drawn[: len(sexes)]
    rest = [one.name for one in drawn[len(sexes) :]]
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


def _order_names(several: WordPool, rng: Random, seed: int | None) -> list[str]:
    """Return the names in the order in which a case tries them.

    The list is cut into as many parts as there are seeds in a batch; each seed tries another part
    first, then the others.
    """
    if seed is None:
        return rng.sample(several, len(several))
    batch, place = divmod(seed, _BATCH)
    mixed = Random(f"names/{batch}/{several[0]}").sample(several, len(several))
    own = mixed[place::_BATCH]
    rest = [name for name in mixed if name not in {*own}]
    return [*rng.sample(own, len(own)), *rng.sample(rest, len(rest))]


def _sample_english(sexes: Sequence[Sex], rng: Random, seed: int | None) -> list[PersonName]:
    surnames = pool("en", "names", "surnames")
    for _ in range(_TRIES):
        taken: set[str] = set()
        last = list(_distinct_names(_order_names(surnames, rng, seed), len(sexes), taken))
        names = {
            sex: _distinct_names(
                _order_names(pool("en", "names", "given", sex), rng, seed), len(sexes), taken
            )
            for sex in sexes
        }
        first = [next(names[sex], "") for sex in sexes]
        if len(last) == len(sexes) and all(first) and not _is_nested([*first, *last]):
            pairs = zip(first, last, strict=True)
            return [PersonName(name=f"{one} {two}", aliases=(one, two)) for one, two in pairs]
    raise AssertionError(f"no {len(sexes)} English names without a common beginning")


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


def _sample_chinese(sexes: Sequence[Sex], rng: Random, seed: int | None) -> list[PersonName]:
    surnames = _order_names(pool("zh", "names", "surnames"), rng, seed)
    single = pool("zh", "names", "single")
    given = {
        sex: [
            one if rng.random() > _SINGLE else rng.choice(single)
            for one in _order_names(pool("zh", "names", "given", sex), rng, seed)
        ]
        for sex in sexes
    }
    taken: set[str] = set()
    found: list[PersonName] = []
    for surname in surnames:
        if len(found) == len(sexes):
            break
        if taken & {*surname}:
            continue
        several = given[sexes[len(found)]]
        first = next((one for one in several if not taken & {*one} and not {*one} & {*surname}), "")
        if not first:
            break
        taken |= {*surname, *first}
        called = (first, surname) if len(first) > 1 else (surname,)
        found.append(PersonName(name=f"{surname}{first}", aliases=called))
    return found
