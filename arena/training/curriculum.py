"""Curriculum of the mini model: batch n of a seed and an area is always the same."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from tokenizers import Tokenizer

from arena.training.cards import draw_pictures
from arena.training.drills import copy_drill
from arena.training.encode import TrainingSample, render
from arena.training.episodes import (
    MatchSettings,
    last_of_seats,
    play_match,
)
from arena.training.match_samples import (
    draw_ballots,
    draw_episodes,
    draw_match,
    draw_thoughts,
)
from arena.training.samples import (
    draw_case,
    draw_interview,
    draw_prose,
    draw_reading,
    draw_short_interview,
    draw_short_thought,
    draw_worded_script,
)
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.options import make_options
from scripts_mm.generate.pictures.small_pictures import SmallPicture
from scripts_mm.script import LANGUAGES, Language
from scripts_mm.seed_splits import SPLITS

_PER_CASE: Final = 6
"""Consecutive samples of one case: generating a case takes as long as learning from it."""
_PER_MATCH: Final = 4
"""Number of batches that share a match."""
_KINDS: Final = (
    "short", "interview", "prose", "episode", "match", "copy", "read", "ballot", "thought", "hint",
)  # fmt: skip
_STAGES: Final = (
    (500, (70, 8, 0, 0, 0, 4, 18, 0, 0, 0)),
    (1_100, (34, 24, 8, 14, 4, 4, 16, 6, 0, 0)),
    (3_000, (10, 18, 8, 18, 8, 2, 32, 8, 0, 0)),
    (9_000, (6, 14, 5, 28, 8, 1, 28, 12, 0, 0)),
    (10**9, (6, 13, 5, 24, 7, 1, 25, 11, 5, 3)),
)
"""Batch number up to which each row holds, and the shares of each kind: short samples come first,
because choosing a passage is learned with few passages. Thoughts come last and are few: where they
were a third, 125 steps cost more answers and ballots than thoughts gained.
"""
_TOKENIZER_CASES: Final = 120
_MOST_TOKENS: Final = 5_000
"""Maximum tokens of a sample; longer ones are skipped, as are those without a reply."""


def draw_batch(
    tokenizer: Tokenizer, seed: int, number: int, area: int
) -> tuple[TrainingSample, ...]:
    """Return batch `number` of the training data of `seed`: samples of one kind.

    They have at most `area` tokens, with each sample padded to the longest.
    """
    shares = next(shares for last, shares in _STAGES if number < last)
    kind = Random(f"{seed}/kind/{number}").choices(_KINDS, shares)[0]
    batch: list[TrainingSample] = []
    longest = 0
    for one in draw_samples(tokenizer, kind, seed, number):
        longest = max(longest, len(one.ids))
        if batch and longest * (len(batch) + 1) > area:
            break
        if len(one.ids) <= _MOST_TOKENS and any(one.learned):
            batch.append(one)
    return tuple(batch)


def draw_samples(
    tokenizer: Tokenizer, kind: str, seed: int, number: int
) -> Iterator[TrainingSample]:
    """Yield samples of a kind without end; a batch takes as many as fit."""
    rng = Random(f"{seed}/{number}")
    if kind == "episode":
        yield from draw_episodes(tokenizer, f"{seed}/match/{number // _PER_MATCH}", rng)
    elif kind in _OF_MATCHES:
        for count in itertools.count():
            yield from _OF_MATCHES[kind](tokenizer, f"{seed}/{kind}/{number}/{count}")
    else:
        yield from _draw_by_case(tokenizer, kind, rng)


def _draw_by_case(tokenizer: Tokenizer, kind: str, rng: Random) -> Iterator[TrainingSample]:
    drawn: tuple[GeneratedCase, Language] | None = None
    shown: dict[str, SmallPicture] = {}
    for count in itertools.count():
        if kind == "copy":
            yield copy_drill(tokenizer, rng)
            continue
        if drawn is None or count % _PER_CASE == 0:
            drawn = draw_case(rng)
            if kind == "read":
                shown = draw_pictures(*drawn, rng.randrange(100))
        if kind == "read":
            yield draw_reading(tokenizer, *drawn, shown, rng)
        else:
            yield _DRAW[kind](tokenizer, *drawn, rng)


def corpus() -> Iterator[str]:
    """Yield the texts for training the tokenizer: prompts and replies of two seats a match."""
    for number in range(_TOKENIZER_CASES):
        rng = Random(f"tokenizer/{number}")
        for language in LANGUAGES:
            case = make_case(rng.choice(SPLITS["train"]), make_options("medium", 5), (language,))
            how = MatchSettings(preset="short", seed=number)
            found = play_match(case, language, draw_worded_script(case, language, rng), how)
            for one in [*last_of_seats(found).values()][:2]:
                yield render(one.messages)


_DRAW: Final[
    Mapping[str, Callable[[Tokenizer, GeneratedCase, Language, Random], TrainingSample]]
] = {
    "short": draw_short_interview,
    "hint": draw_short_thought,
    "interview": draw_interview,
    "prose": draw_prose,
    "match": draw_match,
}
_OF_MATCHES: Final[Mapping[str, Callable[[Tokenizer, str], Iterator[TrainingSample]]]] = {
    "ballot": draw_ballots,
    "thought": draw_thoughts,
}
