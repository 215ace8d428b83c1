"""Teach the picture encoder to read: each picture token is to equal what is printed over it.

Through answers alone, reading does not begin. The loss of a square is the cross-entropy between the
tokens printed over it and the similarity of its picture token to the embeddings of the text model,
which this loss leaves as they are.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, get_args

from tokenizers import Tokenizer

from arena.training.cards import (
    Card,
    case_cards,
    clock_cards,
    draw_pictures,
    picture_rows,
    random_card,
)
from arena.training.untyped import Tensor, functional, torch
from scripts_mm.generate.case import make_case
from scripts_mm.generate.options import make_options
from scripts_mm.generate.splits import SPLITS
from scripts_mm.generate.world import Difficulty
from scripts_mm.script import LANGUAGES

_SCALE: Final = 12.0
"""Of the similarity, before the softmax."""
_OTHERS: Final = 300
"""Further tokens in the softmax."""
_RANDOM_CARDS: Final = 16
"""For each case."""


def draw_cards(tokenizer: Tokenizer, seed: int, number: int) -> tuple[Card, ...]:
    """Return cards: the pictures of a case, random words and times."""
    rng = Random(f"{seed}/cards/{number}")
    language = rng.choice(LANGUAGES)
    cards = [random_card(language, tokenizer, rng) for _ in range(_RANDOM_CARDS)]
    difficulty: Difficulty = rng.choice(get_args(Difficulty))
    case = make_case(rng.choice(SPLITS["train"]), make_options(difficulty, 5), (language,))
    drawn = draw_pictures(case, language, rng.randrange(100))
    cards += clock_cards(case, language, tokenizer, rng)
    return (*cards, *case_cards(case, language, tokenizer, drawn).values())


def card_loss(
    visual: Any, table: Tensor, cards: Sequence[Card], device: str = "cpu"
) -> tuple[Tensor, int, int]:
    """Return the loss over the squares of cards, and how many name a token that is there."""
    rows, grids = picture_rows([one.image for one in cards])
    states = visual(rows.to(device), grid_thw=grids.to(device)).pooler_output.float()
    squares = [ids for card in cards for ids in card.tokens]
    at = [number for number, ids in enumerate(squares) if ids]
    found = states[torch.tensor(at, device=device)]
    # The softmax is over the tokens of these cards and as many others.
    printed = sorted({one for ids in squares for one in ids})
    others = torch.randint(len(table), (len(printed) + _OTHERS,)).tolist()
    known = [*printed, *sorted({*others} - {*printed})]
    column = {one: number for number, one in enumerate(known)}
    chosen = functional.normalize(table[torch.tensor(known, device=device)], dim=-1)
    logits = _SCALE * functional.normalize(found, dim=-1) @ chosen.T
    target = torch.zeros(logits.shape)
    for row, number in enumerate(at):
        ids = squares[number]
        for one in ids:
            target[row, column[one]] += 1 / len(ids)
    loss = -(target.to(device) * functional.log_softmax(logits, dim=-1)).sum(-1).mean()
    # Picture tokens are to have the length of embeddings.
    length = (found.norm(dim=-1) - table.norm(dim=-1).mean()).square().mean()
    best = logits.argmax(-1).tolist()
    right = sum(known[one] in squares[number] for one, number in zip(best, at, strict=True))
    return loss + 0.1 * length, right, len(at)
