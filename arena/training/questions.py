"""Questions of training matches: possible questions about a statement, in several wordings."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import get_args

from arena.training.testimony import Statement, Topic
from scripts_mm.generate.text.lexicon import pool
from scripts_mm.generate.text.templates import capitalise, format_time
from scripts_mm.script import Language

_FOLDER = Path(__file__).parent / "words"
_WIDE = ("guilt", "hidden", "open")
WORDS = (*get_args(Topic), "other", *_WIDE)
"""Subjects of questions: a topic of a statement, another seat, or nothing in particular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingQuestion:
    """A question and the statements that answer it."""

    text: str
    answers: tuple[str, ...]
    """Statements that answer it, the best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSeat:
    """A seat that gets a question, and the victim."""

    language: Language
    name: str
    victim: str
    """Name of the victim among those who knew them."""
    others: tuple[str, ...]


@cache
def wordings(language: Language, table: str) -> Mapping[str, tuple[str, ...]]:
    """Return the wordings of a table of words, by key."""
    tables = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {
        key: (found,) if isinstance(found, str) else tuple(found)
        for key, found in tables[table].items()
    }


def sentence(language: Language, key: str, **found: str) -> str:
    """Return a sentence that occurs in no script."""
    return wordings(language, "sentences")[key][0].format_map(found)


def draw_question(
    asked: AskedSeat, statements: Sequence[Statement], rng: Random
) -> TrainingQuestion:
    """Draw a question to a seat that has these statements."""
    if rng.random() < _WIDE_SHARE:
        return _draw_wide(asked, statements, rng)
    if rng.random() < _OTHER_SHARE:
        return _draw_other(asked, statements, rng)
    return ask_about(asked, rng.choice(statements), rng)


_WIDE_SHARE = 0.15
_OTHER_SHARE = 0.2


def ask_about(asked: AskedSeat, statement: Statement, rng: Random) -> TrainingQuestion:
    """Return a question that `statement` answers."""
    several = wordings(asked.language, "asked")[statement.topic]
    text = rng.choice(several).format_map(_fills(asked, statement, rng))
    return TrainingQuestion(text=text, answers=(statement.text,))


def _draw_wide(asked: AskedSeat, statements: Sequence[Statement], rng: Random) -> TrainingQuestion:
    key = rng.choice(_WIDE)
    found = {"name": asked.name, "victim": asked.victim}
    text = rng.choice(wordings(asked.language, "asked")[key]).format_map(found)
    if key == "guilt":
        return TrainingQuestion(
            text=text, answers=(sentence(asked.language, "denial", victim=asked.victim),)
        )
    windows = tuple(one.text for one in statements if one.topic == "window")
    return TrainingQuestion(text=text, answers=windows or (rng.choice(statements).text,))


def _draw_other(asked: AskedSeat, statements: Sequence[Statement], rng: Random) -> TrainingQuestion:
    """Return a question about another seat, which the asked seat may know nothing about."""
    other = rng.choice(asked.others)
    found = {"name": asked.name, "victim": asked.victim, "other": other}
    text = rng.choice(wordings(asked.language, "asked")["other"]).format_map(found)
    known = [one.text for one in statements if one.other == other]
    rng.shuffle(known)
    nothing = sentence(asked.language, "nothing_of", other=other)
    return TrainingQuestion(text=text, answers=tuple(known) or (nothing,))


def _fills(asked: AskedSeat, statement: Statement, rng: Random) -> dict[str, str]:
    found = {
        "name": asked.name,
        "victim": asked.victim,
        "other": statement.other,
        "start": format_time(statement.start),
        "end": format_time(statement.end),
    }
    if statement.trait:
        name = pool(asked.language, "traits", statement.trait, "name")[0]
        found |= {"trait": name, "trait_up": capitalise(name)}
    return found
