"""Multiple choice: grading, baselines without knowledge, and signs of bias.

Options and keys are numbers from 0 in the order of the file; letters refer to the shown order.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean

from scripts_mm.script import AnswerMode

PICK = 2
"""Options in an answer to a question of mode `two`."""
_BETWEEN_LETTERS = re.compile(r"[\s,;、，；]+")


def parse_letters(text: str | None, letters: Sequence[str]) -> tuple[int, ...] | None:
    """Return the numbers of the options that a text names by letters, such as `b, d` or `BD`.

    None: no letter, or one is unknown or repeated.
    """
    given = list(_BETWEEN_LETTERS.sub("", text or "").casefold())
    known = [letter.casefold() for letter in letters]
    if not given or len(set(given)) < len(given) or not set(given) <= set(known):
        return None
    return tuple(known.index(letter) for letter in given)


def grade(
    mode: AnswerMode,
    keys: Collection[int],
    chosen: Collection[int] | None,
    *,
    texts: Sequence[str] = (),
    pick: int = PICK,
) -> bool | None:
    """Return whether an answer is right; a missing one is wrong. None: the question has no key.

    Options with the same text as a key are right too (`texts` are of all options).
    """
    if not keys:
        return None
    if not chosen or len(chosen) > {"one": 1, "two": pick, "set": len(chosen)}[mode]:
        return False
    given, right = _same(chosen, texts), _same(keys, texts)
    return given == right if mode == "set" else bool(given & right)


def random_accuracy(mode: AnswerMode, options: int, keys: int = 1, *, pick: int = PICK) -> float:
    """Return the accuracy of random legal answers, 0..1; in mode `two`, of `pick` options."""
    if mode == "set":
        return 1 / (2**options - 1)
    drawn = 1 if mode == "one" else min(pick, options)
    return 1 - comb(options - keys, drawn) / comb(options, drawn)


def constant_accuracies(keys: Iterable[Collection[int]], options: int) -> tuple[float, ...]:
    """Return, for each option, the accuracy of always giving it."""
    found = list(keys)
    if not found:
        return ()
    return tuple(fmean(number in key for key in found) for number in range(options))


def longest_options(texts: Sequence[str], number: int = 1) -> tuple[int, ...]:
    """Return the `number` options with the longest texts; the first of equally long ones."""
    order = sorted(range(len(texts)), key=lambda one: (-len(texts[one]), one))
    return tuple(order[:number])


def cyclic_orders(options: int, orders: int = 4) -> tuple[tuple[int, ...], ...]:
    """Return `orders` rotations of the options, the first one unchanged."""
    return tuple(
        tuple((start + step) % options for step in range(options))
        for start in range(min(orders, options))
    )


def position_sensitivity(answers: Iterable[tuple[int, bool]]) -> float | None:
    """Return the largest accuracy difference between positions of the key, 0..1.

    `answers` are pairs (position at which the key was shown, right). None: fewer than two
    positions.
    """
    by_position: dict[int, list[bool]] = {}
    for position, right in answers:
        by_position.setdefault(position, []).append(right)
    rates = [fmean(rights) for rights in by_position.values()]
    return max(rates) - min(rates) if len(rates) > 1 else None


def consistency(answers: Mapping[str, Sequence[Collection[int] | None]]) -> float | None:
    """Return the share of questions with the same answer under every order, 0..1.

    `answers` maps a question to the chosen options in each order, by their numbers in the file. A
    question without a legal answer in some order is inconsistent. None: no question was repeated.
    """
    repeated = [given for given in answers.values() if len(given) > 1]
    if not repeated:
        return None
    return fmean(
        None not in given and len({frozenset(one or ()) for one in given}) == 1
        for given in repeated
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthBias:
    """The shares of answers in which the longest option was chosen, and was right, 0..1 each."""

    chosen: float
    right: float

    @property
    def bias(self) -> float:
        """-1..1; above 0: preference for long options."""
        return self.chosen - self.right


def length_bias(
    answers: Iterable[tuple[Sequence[str], Collection[int], Collection[int] | None]],
) -> LengthBias | None:
    """Return the length bias of answers (texts of the options, keys, chosen options).

    Questions without a single longest option, and missing answers, are omitted. None: no answers
    remain.
    """
    chosen: list[bool] = []
    right: list[bool] = []
    for texts, keys, given in answers:
        longest = sole_longest(texts)
        if longest is not None and given:
            chosen.append(longest in given)
            right.append(longest in keys)
    return LengthBias(chosen=fmean(chosen), right=fmean(right)) if chosen else None


def sole_longest(texts: Sequence[str]) -> int | None:
    """Return the option that is longer than every other; None: there is no single one."""
    lengths = [len(text) for text in texts]
    if not lengths or lengths.count(max(lengths)) > 1:
        return None
    return lengths.index(max(lengths))


def _same(numbers: Collection[int], texts: Sequence[str]) -> frozenset[int]:
    """Return the numbers; options with equal texts get the number of the first one."""
    if not texts:
        return frozenset(numbers)
    plain = [text.strip() for text in texts]
    return frozenset(plain.index(plain[number]) for number in numbers)
