"""Small pictures for learning to read: those of generated cases, and cards of random words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, product
from random import Random
from typing import Final

from PIL import Image
from tokenizers import Tokenizer

from arena.training.encode import token_id
from scripts_mm.drawing.primitives.fonts import Fonts, find_any_fonts
from scripts_mm.generate.case import GeneratedCase, make_cast
from scripts_mm.generate.pictures.icons import draw_dial
from scripts_mm.generate.pictures.scene_pictures import trace_token
from scripts_mm.generate.pictures.small_pictures import (
    SQUARE,
    PrintedPiece,
    SmallPicture,
    draw_small,
    print_lines,
)
from scripts_mm.generate.pictures.stopped_clock import ClockSpec
from scripts_mm.generate.pictures.trace_photo import TraceSpec
from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.text.fact_sentences import describe_trace
from scripts_mm.generate.text.lexicon import load_book
from scripts_mm.generate.text.templates import format_time
from scripts_mm.generate.traits import TRAITS, WorldTrait
from scripts_mm.script import LANGUAGES, Language

_EVENING: Final = 12 * 60
_LINE_END: Final = "Ċ"
"""Encoding of a line end in the vocabulary."""
_CLOCKS: Final = 6
"""Clock cards for each clock of a case."""
_TRACES: Final = 6
"""Trace cards for each trace of a case."""
_TRAITS: Final[Mapping[str, WorldTrait]] = {one.id: one for one in TRAITS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A picture and the tokens of each of its squares."""

    image: Image.Image
    tokens: tuple[tuple[int, ...], ...]
    """By square, row by row; empty if nothing is printed."""


def draw_pictures(case: GeneratedCase, language: Language, variant: int) -> dict[str, SmallPicture]:
    """Return every small picture of a case by its clue; `variant` varies the drawing."""
    return {
        name: draw_small(spec, fonts_of(language), Random(f"{case.id}/{language}/{name}/{variant}"))
        for name, spec in case.rendered[language].pictures.items()
    }


def case_cards(
    case: GeneratedCase, language: Language, tokenizer: Tokenizer, drawn: Mapping[str, SmallPicture]
) -> dict[str, Card]:
    """Return the card of every picture of a case by its clue."""
    told = case.rendered[language]
    clues = {one.id: one for one in case.sampled.world.frame.clues}
    facts = {one.id: one for one in case.sampled.world.facts}
    found: dict[str, Card] = {}
    for name, spec in told.pictures.items():
        small, seen = drawn[name], ()
        if not small.words:
            fact = facts[clues[name].facts[0]]
            seen = (
                (_add_space(format_time(spec.spec.minutes % _EVENING + _EVENING), language),)
                if isinstance(spec.spec, ClockSpec)
                else tuple(_marks(case, (fact.trait, fact.value), told.cast, language))
            )
        found[name] = make_card(small, tokenizer, language, seen)
    return found


def _marks(
    case: GeneratedCase, shown: tuple[str, str], cast: Cast, language: Language
) -> Iterator[str]:
    """Yield the texts for a trace in every language: a picture without words is in no language.

    `shown` is a trait and its value; `cast` is in `language`.
    """
    trait, value = shown
    look = cast.looks[trait]
    for one in LANGUAGES:
        tokens = dict(look.tokens)
        if tokens.get(value):
            tokens[value] = _translate_mark(tokens[value], trait, look.form, language, one)
        looks = {trait: replace(look, tokens=tokens)}
        whole = replace(make_cast(case.sampled, one), looks=looks)
        yield _add_space(describe_trace(trait, value, whole, one), one)


def _translate_mark(mark: str, trait: str, form: str, source: Language, target: Language) -> str:
    """Return a trace's mark in another language: the lists of marks have equal order."""
    ours, theirs = (_all_marks(trait, form, one) for one in (source, target))
    return theirs[ours.index(mark)]


def _all_marks(trait: str, form: str, language: Language) -> tuple[str, ...]:
    """Return what a kind of trace can show, for any value of the trait."""
    listed: Sequence[str] | Mapping[str, Sequence[str]]
    listed = load_book(language, "traits")[trait]["looks"][form]["t"]
    return tuple(chain(*listed.values())) if isinstance(listed, Mapping) else tuple(listed)


def random_card(language: Language, tokenizer: Tokenizer, rng: Random) -> Card:
    """Return a card with lines of random words of the vocabulary, times and numbers.

    Words are drawn uniformly: drawn by frequency, most names would never appear.
    """
    lines: list[str] = []
    known = _list_words(tokenizer)[language]
    for _ in range(rng.randint(2, 5)):
        words = [rng.choice(known) for _ in range(rng.randint(1, 5))]
        if rng.random() < 1 / 2:
            words.insert(rng.randrange(len(words) + 1), _draw_number(rng))
        lines.append((" " if language == "en" else "").join(words))
    small = print_lines(tuple(lines), fonts_of(language).pick_faces(rng), rng)
    return make_card(small, tokenizer, language, ())


@lru_cache(maxsize=1)
def _list_words(tokenizer: Tokenizer) -> Mapping[Language, Sequence[str]]:
    """Return the words of a vocabulary by language."""
    written = [tokenizer.decode([one]) for one in range(tokenizer.get_vocab_size())]
    return {
        "en": [one.strip() for one in written if re.fullmatch(r" [A-Za-z]+(?:-[A-Za-z]+)*", one)],
        "zh": [one for one in written if re.fullmatch(r"[\u4e00-\u9fff]+", one)],
    }


def clock_cards(
    case: GeneratedCase, language: Language, tokenizer: Tokenizer, rng: Random
) -> Iterator[Card]:
    """Yield clocks like those of a case, with random times."""
    specs = [one.spec for one in case.rendered[language].pictures.values()]
    for spec in (one for one in specs if isinstance(one, ClockSpec)):
        for _ in range(_CLOCKS):
            one = replace(spec, minutes=rng.randrange(_EVENING))
            image = draw_dial(one, fonts_of(language), rng)
            small = SmallPicture(image=image, words=())
            time = _add_space(format_time(one.minutes + _EVENING), language)
            yield make_card(small, tokenizer, language, (time,))


def trace_cards(
    case: GeneratedCase, language: Language, tokenizer: Tokenizer, rng: Random
) -> Iterator[Card]:
    """Yield traces like those of a case, with random marks."""
    told = case.rendered[language]
    clues = {one.id: one for one in case.sampled.world.frame.clues}
    facts = {one.id: one for one in case.sampled.world.facts}
    for name, picture in told.pictures.items():
        if not isinstance(picture.spec, TraceSpec):
            continue
        trait = _TRAITS[facts[clues[name].facts[0]].trait]
        for _ in range(_TRACES):
            spec, cast, value = _draw_mark(picture.spec, told.cast, trait, language, rng)
            small = draw_small(replace(picture, spec=spec), fonts_of(language), rng)
            seen = tuple(_marks(case, (trait.id, value), cast, language))
            yield make_card(small, tokenizer, language, seen)


def _draw_mark(
    spec: TraceSpec, cast: Cast, trait: WorldTrait, language: Language, rng: Random
) -> tuple[TraceSpec, Cast, str]:
    """Return a trace with another mark, the cast with this mark, and the value of the trait."""
    look, value = cast.looks[trait.id], rng.choice(trait.values)
    mark = ""
    if look.tokens:
        listed: Sequence[str] | Mapping[str, Sequence[str]]
        listed = load_book(language, "traits")[trait.id]["looks"][look.form]["t"]
        mark = rng.choice(listed[value] if isinstance(listed, Mapping) else listed)
    shown = trace_token(trait.id, look.form, (value, mark), language)
    turn = round(rng.uniform(-20, 20), 1)
    found = replace(spec, show=shown, label=mark if spec.label else "", turn=turn)
    looks = {trait.id: replace(look, tokens={value: mark} if mark else {})}
    return found, replace(cast, looks=looks), value


def make_card(
    small: SmallPicture, tokenizer: Tokenizer, language: Language, seen: Sequence[str]
) -> Card:
    """Return the card of a small picture; `seen` are the texts for a picture without words.

    A blank square ends a line. The texts of `seen` get equal bands of rows, from the top down, and
    each is spread over the columns of its band from left to right.
    """
    wide, high = (side // SQUARE for side in small.image.size)
    squares: list[tuple[int, ...]] = [()] * (wide * high)
    for number, text in enumerate(seen):
        ids = [one for one, _ in _tokens_of(tokenizer, text)]
        first, end = (high * at // len(seen) for at in (number, number + 1))
        column = -(-len(ids) // wide)
        for row, at in product(range(first, end), range(wide)):
            place = at * column + (row - first) % column
            squares[row * wide + at] = (ids[place * len(ids) // (wide * column)],)
    for word in small.words:
        for at, ids in _align_tokens(tokenizer, word, language):
            squares[at] = ids
    for at, ids in enumerate(squares):
        if not ids:
            squares[at] = (token_id(tokenizer, _LINE_END),)
    return Card(image=small.image, tokens=tuple(squares))


def _align_tokens(
    tokenizer: Tokenizer, word: Sequence[PrintedPiece], language: Language
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the squares of a word, each with the tokens that begin there, or the one before."""
    text = _add_space("".join(one.text for one in word), language)
    tokens = _tokens_of(tokenizer, text)
    end = len(text) - sum(len(one.text) for one in word)
    begun, ids = 0, tuple(one for one, _ in tokens[:1])
    for piece in word:
        end += len(piece.text)
        new = tuple(one for one, first in tokens[begun:] if first < end)
        begun += len(new)
        ids = new or ids
        yield piece.square, ids


def _tokens_of(tokenizer: Tokenizer, text: str) -> list[tuple[int, int]]:
    """Return the tokens of a text that are more than a space, and their offsets."""
    encoded = tokenizer.encode(text, add_special_tokens=False)
    spans = zip(encoded.ids, encoded.offsets, strict=True)
    return [(one, start) for one, (start, end) in spans if text[start:end].strip()]


@cache
def fonts_of(language: Language) -> Fonts:
    """Return the typefaces of this host."""
    return find_any_fonts(language)


def _add_space(text: str, language: Language) -> str:
    return f" {text}" if language == "en" else text


def _draw_number(rng: Random) -> str:
    match rng.randrange(3):
        case 0:
            return format_time(rng.randrange(17 * 60, 24 * 60))
        case 1:
            return str(rng.randint(1, 300))
        case _:
            return f"{rng.randint(1, 9)},{rng.randint(0, 99)}0"
