"""Options of a question: shuffle, letter, render, and parse from a reply."""

import re
from collections.abc import Sequence
from itertools import combinations
from random import Random
from string import ascii_uppercase
from typing import Final

from arena.core.chance import generator
from eval.metrics.multiple_choice import PICK, cyclic_orders, parse_letters
from scripts_mm.script import AnswerMode, Question

_MOST_IN_SET: Final = 8
"""The most options whose subsets are listed as legal replies; 9 would give 511 replies."""
_FIRST_LETTER: Final = re.compile(r"\W*([A-Z])\s*[.:：、)）]")
"""A reply that repeats its option, such as `B. the garden`."""


def order_options(script: str, question: Question, seed: int, turn: int = 0) -> tuple[int, ...]:
    """Return the options' numbers in the shown order.

    The order depends on the seed and the ids of script and question: question ids repeat across
    scripts, and with one order for all of them a constant letter would not score chance. `turn`
    rotates the order; a pinned question keeps its options' order.
    """
    order = list(range(len(question.options)))
    if question.pinned:
        return tuple(order)
    generator(seed, "quiz", script, question.id).shuffle(order)
    turned = cyclic_orders(len(order), len(order))
    return tuple(order[place] for place in turned[turn])


def count_orders(question: Question, wanted: int) -> int:
    """Return the number of cyclic orders of a question, at most `wanted`."""
    return 1 if question.pinned else min(wanted, len(question.options))


def letters_of(number: int) -> str:
    """Return the letters of `number` options."""
    return ascii_uppercase[:number]


def legal_replies(letters: str, answer: AnswerMode) -> tuple[str, ...]:
    """Return every legal reply: one letter, or several in order; empty: too many to list."""
    if answer == "set" and len(letters) > _MOST_IN_SET:
        return ()
    most = {"one": 1, "two": PICK, "set": len(letters)}[answer]
    return tuple(
        "".join(some) for size in range(1, most + 1) for some in combinations(letters, size)
    )


def parse_reply(text: str, letters: str, answer: AnswerMode) -> tuple[int, ...] | None:
    """Return the positions of the letters in a reply; None: no legal letters.

    Servers without constrained decoding can send `B.` or `B. the garden`.
    """
    places = parse_letters(text.strip().rstrip(".。"), letters)
    if places is None and (first := _FIRST_LETTER.match(text)) is not None:
        places = parse_letters(first[1], letters)
    most = {"one": 1, "two": PICK, "set": len(letters)}[answer]
    return places if places is not None and len(places) <= most else None


def draw_answer(question: Question, chance: Random) -> tuple[int, ...]:
    """Draw a legal answer uniformly, like the random baseline."""
    numbers = range(len(question.options))
    match question.answer:
        case "one":
            return (chance.choice(numbers),)
        case "two":
            return tuple(sorted(chance.sample(numbers, k=min(PICK, len(numbers)))))
        case "set":
            drawn = chance.randrange(1, 2 ** len(numbers))
            return tuple(number for number in numbers if drawn >> number & 1)


def render_options(question: Question, shown: Sequence[int]) -> str:
    """Return the options in the shown order, one per line, each with its letter."""
    letters = letters_of(len(shown))
    return "\n".join(
        f"{letter}. {question.options[number]}"
        for letter, number in zip(letters, shown, strict=True)
    )
