"""The texts of clues: titles, and texts of clues without a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import (
    act_fills,
    common_fills,
    fact_fills,
    wordings,
)
from scripts_mm.generate.text.lexicon import WordPool, plot_pool, pool
from scripts_mm.generate.text.templates import fill_template, join_sentences, pick_sentence
from scripts_mm.generate.world import CRIME, ClueSpec, Frame, WorldFact
from scripts_mm.script import Language

_FOUND: dict[str, str] = {
    "clock": "scene", "trace": "scene", "report": "report", "letter": "letter", "plan": "plan",
    "cctv": "given", "roster": "given", "calls": "given", "chat": "given", "lab": "report",
    "note": "note",
}  # fmt: skip
"""The origin of a medium in the file; others were found at any place."""
_SWORN = frozenset({"seen", "herring", "offset", "spot-link"})
"""Forms of facts stated by the staff; the officer records the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueText:
    """Title and text of a clue; with a picture, the text only states where it was found."""

    title: str
    text: str


def render_clue(
    clue: ClueSpec,
    facts: Sequence[WorldFact],
    frame: Frame,
    cast: Cast,
    language: Language,
    rng: Random,
) -> ClueText:
    """Return the texts of a clue."""
    number = str(int(clue.id.removeprefix("c")))
    staffname, staff = rng.choice(cast.staff)
    crime = facts[0].crime
    found = {
        **common_fills(frame, cast),
        **act_fills(crime, frame, cast, language),
        "number": number,
        "staffname": staffname,
        "staff": staff,
        "where": cast.at[rng.choice((frame.scene, *frame.other_places))],
    }
    key = f"found-{_FOUND.get(clue.medium, 'at')}"
    if key == "found-scene" and crime != CRIME:
        key = "found-second"
    if clue.medium == "text":
        key = "statement" if facts[0].form in _SWORN else "paper"
    title = key if clue.medium == "text" else clue.medium
    found["title"] = pick_sentence(rng, _case_words(f"title-{title}", frame, language), found)
    sentences = [pick_sentence(rng, _case_words(key, frame, language), found)]
    if clue.medium == "text":
        sentences += render_facts(facts, frame, cast, language, rng)
    sentences.append(pick_sentence(rng, pool(language, "case", "exhibit"), found))
    return ClueText(
        title=fill_template(pool(language, "case", "titled")[0], found),
        text=join_sentences(sentences, language),
    )


def _case_words(key: str, frame: Frame, language: Language) -> WordPool:
    return plot_pool(language, frame.plot, "case", key)


def render_facts(
    facts: Sequence[WorldFact], frame: Frame, cast: Cast, language: Language, rng: Random
) -> list[str]:
    """Return a sentence for each fact, in a random wording."""
    return [
        pick_sentence(
            rng,
            _clue_wordings(fact, frame, cast, language),
            fact_fills(fact, frame, cast, language),
        )
        for fact in facts
    ]


def _clue_wordings(fact: WorldFact, frame: Frame, cast: Cast, language: Language) -> WordPool:
    if fact.form == "seen":
        return pool(language, "facts", "seen-said")
    return wordings(fact, frame, language, cast)
