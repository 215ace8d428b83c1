"""Lessons: the data of each step, drawn ahead by separate processes if there are enough cores."""

import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tokenizers import Tokenizer

from arena.training.align import CardBatch, draw_cards, make_card_batch
from arena.training.batches import Batch, make_batch
from arena.training.curriculum import draw_batch
from arena.training.encode import token_id
from arena.training.untyped import data
from serving.standin.bpe_tokenizer import IMAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSize:
    """Amount of data of one process in a step."""

    batches: int
    area: int
    """Tokens of a batch, with its samples padded to the longest."""
    cases: int
    """Cases whose pictures are read square by square, with as many cards of random words."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Data of one process in a step."""

    batches: tuple[Batch, ...]
    cards: CardBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """Lessons of one process, by step."""

    tokenizer: Tokenizer
    seed: int
    size: StepSize
    rank: int
    processes: int
    reading_steps: int
    """Number of first steps that train only on cards."""
    cards_only: bool

    def __getitem__(self, step: int) -> Lesson:
        """Return the lesson of a step; it is the same whenever it is drawn."""
        return Lesson(tuple(self._batches(step - self.reading_steps)), self._cards(step))

    def _batches(self, step: int) -> Iterator[Batch]:
        if step < 0 or self.cards_only:
            return
        first = (step * self.processes + self.rank) * self.size.batches
        place = token_id(self.tokenizer, IMAGE)
        for number in range(first, first + self.size.batches):
            samples = draw_batch(self.tokenizer, self.seed, number, self.size.area)
            yield make_batch(samples, place, Random(f"{self.seed}/{number}/batch"))

    def _cards(self, step: int) -> CardBatch:
        first = (step * self.processes + self.rank) * self.size.cases
        cards = [
            card
            for number in range(first, first + self.size.cases)
            for card in draw_cards(self.tokenizer, self.seed, number)
        ]
        rng = Random(f"{self.seed}/{first}/cards")
        return make_card_batch(cards, self.tokenizer.get_vocab_size(), rng)


def draw_ahead(lessons: Lessons, steps: range, workers: int) -> Iterable[Lesson]:
    """Yield the lessons of steps in order; with workers, several are drawn concurrently."""
    return data.DataLoader(
        lessons,
        sampler=steps,
        batch_size=None,
        num_workers=workers,
        prefetch_factor=4 if workers else None,
        collate_fn=_as_it_is,
        worker_init_fn=_ignore_signals,
    )


def _ignore_signals(_: int) -> None:
    """Leave the signals to the training process, which stops its workers after its last step."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)


def _as_it_is(lesson: Any) -> Any:
    return lesson
