"""Alignment of the picture encoder: each picture token learns the embedding of its printed token.

Training on answers only does not start reading. The loss of a square is the cross-entropy between
the tokens printed over it and the similarity of its picture token to the embeddings of the text
model, which this loss does not change.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, get_args

import numpy as np
from tokenizers import Tokenizer

from arena.training.cards import (
    Card,
    case_cards,
    clock_cards,
    draw_pictures,
    random_card,
    trace_cards,
)
from arena.training.seeing import PictureGroup, group_pictures, see
from arena.training.untyped import Tensor, functional, torch
from scripts_mm.generate.case import make_case
from scripts_mm.generate.options import make_options
from scripts_mm.generate.world import Difficulty
from scripts_mm.script import LANGUAGES
from scripts_mm.seed_splits import SPLITS

Array = np.ndarray[Any, Any]
_SCALE: Final = 12.0
"""Scale of the similarity before the softmax."""
_OTHERS: Final = 300
"""Random tokens in the softmax besides one for each printed token."""
_LENGTH: Final = 0.1
"""Weight of the loss on the length of picture tokens."""
_RANDOM_CARDS: Final = 16
"""Random cards per case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBatch:
    """Cards as arrays."""

    pictures: tuple[PictureGroup, ...]
    known: Array
    """(tokens): ids of the tokens in the softmax."""
    printed: Array
    """(2, printed): a square, and the index in `known` of a token that is printed over it."""


def draw_cards(tokenizer: Tokenizer, seed: int, number: int) -> Iterator[Card]:
    """Yield cards: the pictures of a case, random words and times."""
    rng = Random(f"{seed}/cards/{number}")
    language = rng.choice(LANGUAGES)
    for _ in range(_RANDOM_CARDS):
        yield random_card(language, tokenizer, rng)
    difficulty: Difficulty = rng.choice(get_args(Difficulty))
    case = make_case(rng.choice(SPLITS["train"]), make_options(difficulty, 5), (language,))
    drawn = draw_pictures(case, language, rng.randrange(100))
    yield from clock_cards(case, language, tokenizer, rng)
    yield from trace_cards(case, language, tokenizer, rng)
    yield from case_cards(case, language, tokenizer, drawn).values()


def make_card_batch(cards: Sequence[Card], vocabulary: int, rng: Random) -> CardBatch:
    """Return cards as arrays; the softmax is over their n tokens and up to n + `_OTHERS` others."""
    squares = [ids for card in cards for ids in card.tokens]
    known = sorted({one for ids in squares for one in ids})
    others = {rng.randrange(vocabulary) for _ in range(len(known) + _OTHERS)}
    known += sorted(others - {*known})
    column = {one: number for number, one in enumerate(known)}
    printed = [(number, column[one]) for number, ids in enumerate(squares) for one in ids]
    return CardBatch(
        pictures=group_pictures([one.image for one in cards]),
        known=np.array(known),
        printed=np.array(printed).T,
    )


def card_loss(
    visual: Any, table: Tensor, cards: CardBatch, device: str
) -> tuple[Tensor, Tensor, int]:
    """Return the mean loss of squares, the number of correct squares, and the number of squares.

    A square is correct if its best token is printed over it. `table` are the embeddings of all
    tokens, (tokens, hidden size).
    """
    found = see(visual, cards.pictures, device).float()
    square, column = torch.from_numpy(cards.printed).to(device)
    chosen = functional.normalize(table[torch.from_numpy(cards.known).to(device)], dim=-1)
    logits = _SCALE * functional.normalize(found, dim=-1) @ chosen.T
    is_printed = torch.zeros(logits.shape, dtype=torch.bool, device=device)
    is_printed[square, column] = True
    target = is_printed / is_printed.sum(-1, keepdim=True)
    loss = -(target * functional.log_softmax(logits, dim=-1)).sum(-1).mean()
    # Picture tokens should have the length of embeddings.
    length = (found.norm(dim=-1) - table.norm(dim=-1).mean()).square().mean()
    right = is_printed.gather(1, logits.argmax(-1, keepdim=True)).sum()
    return loss + _LENGTH * length, right, len(found)
