"""The builder of picture clues: the case, its words, and the drafts made from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import (
    common_fills,
    fact_fills,
    motive_reason,
    wordings,
)
from scripts_mm.generate.text.lexicon import plot_pool, pool
from scripts_mm.generate.text.templates import fill_template, format_time, pick_sentence
from scripts_mm.generate.world import ClueSpec, Frame, WorldFact
from scripts_mm.script import Language, PictureKind

_MANY = 1_000
"""More than the wordings of a motive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureDraft:
    """A picture's texts and drawing, without its style."""

    kind: PictureKind
    transcript: str
    description: str
    spec: Any
    """A frozen value: the spec of one kind of drawing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureBuilder:
    """The builder for one clue: its case, language, random generator and words."""

    clue: ClueSpec
    frame: Frame
    cast: Cast
    language: Language
    rng: Random
    witness: tuple[str, str]
    """Name and post of a member of the staff."""

    def common_fills(self) -> dict[str, str]:
        """Return the fills that every wording in a picture can use."""
        frame, cast = self.frame, self.cast
        return {
            **common_fills(frame, cast),
            "number": str(int(self.clue.id.removeprefix("c"))),
            "year": str(cast.day[0]),
            "staffname": self.witness[0],
            "scene_name": cast.places[frame.body],
            "scene_label": cast.labels[frame.body],
            "till": cast.till,
            "count": cast.people["victim"]["count"],
        }

    def phrase_fact(self, fact: WorldFact) -> str:
        """Return the fact in one of its wordings."""
        frame, cast, language = self.frame, self.cast, self.language
        found = fact_fills(fact, frame, cast, language)
        if fact.form == "motive":
            at = self.rng.randrange(_MANY)
            found["reason"] = motive_reason(fact.who, fact.value, at, found, cast, language)
            return pick_sentence(self.rng, pool(language, "facts", "motive-letter"), found)
        return pick_sentence(self.rng, wordings(fact, frame, language, cast), found)

    def pick_word(self, *path: str) -> str:
        """Return one of the wordings at `path` in the book of pictures."""
        several = plot_pool(self.language, self.frame.plot, "pictures", *path)
        return pick_sentence(self.rng, several, self.common_fills())

    def fill_first(self, *path: str, **more: str) -> str:
        """Return the first wording at `path` with `more` filled in."""
        return self.fill(pool(self.language, "pictures", *path)[0], **more)

    def fill_lines(self, *path: str, **more: str) -> tuple[str, ...]:
        """Return every line at `path`, filled in."""
        return tuple(self.fill(line, **more) for line in pool(self.language, "pictures", *path))

    def fill(self, wording: str, **more: str) -> str:
        """Return a wording filled in."""
        return fill_template(wording, self.common_fills() | more)

    def full_date(self) -> str:
        """Return the date with its year."""
        return self.fill_first("cctv", "date")

    def make_draft(
        self, kind: PictureKind, texts: Sequence[str], book: str, spec: object, **more: str
    ) -> PictureDraft:
        """Return the picture with its description from `book`."""
        several = plot_pool(self.language, self.frame.plot, "pictures", book, "description")
        return PictureDraft(
            kind=kind,
            transcript="\n".join(text for text in texts if text),
            description=pick_sentence(self.rng, several, self.common_fills() | more),
            spec=spec,
        )

    def join_parts(self, parts: Iterable[str]) -> str:
        """Return the joined parts of a sentence."""
        return ("；" if self.language == "zh" else "; ").join(parts)

    def fact_hours(self, fact: WorldFact) -> dict[str, str]:
        """Return the hours of a fact."""
        return {"start": format_time(fact.start), "end": format_time(fact.end)}


def four_cells(head: Sequence[str]) -> tuple[str, str, str, str]:
    """Return the four headings of a table."""
    one, two, three, four = head
    return one, two, three, four


def initials(name: str, gap: str = "") -> str:
    """Return a person's initials; with a `gap`, the surname is whole."""
    parts = name.split(" ")
    if len(parts) == 1:
        return name[:1]
    return f"{parts[0][:1]}.{gap}{parts[1] if gap else parts[1][:1] + '.'}"
