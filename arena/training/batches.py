"""Batch of samples as arrays: inputs, target tokens, and attention targets."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from random import Random
from typing import Any, Final

import numpy as np
from PIL import Image

from arena.training.encode import TrainingSample
from arena.training.lookup import AttentionTarget, Head
from arena.training.seeing import PictureGroup, group_pictures
from scripts_mm.generate.pictures.small_pictures import SQUARE

Array = np.ndarray[Any, Any]
_PROMPT_SHARE: Final = 0.05
"""Fraction of the prompts' tokens that are learned too."""
_MOST: Final = 160
"""Maximum positions with targets per sample and head; a random choice if there are more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadTargets:
    """Attention targets of one head in the samples of a batch."""

    head: Head
    at: Array
    """(samples, positions); 0 if a sample has fewer."""
    weights: Array
    """(samples, positions): their sum is one in each sample, or zero."""
    spans: Array
    """(4, spans): sample, index of the position, first token, last token plus 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Samples of one kind, padded at their ends."""

    kind: str
    ids: Array
    """(samples, tokens)."""
    places: Array
    """(samples, tokens): rotary positions, those of columns in pictures."""
    learned: Array
    """(2, learned): sample, and position of the token before each learned one."""
    is_reply: Array
    """(learned): whether it is part of a reply, not of a prompt."""
    is_first: Array
    """(learned): whether it begins a reply."""
    pictures: tuple[PictureGroup, ...]
    targets: tuple[HeadTargets, ...]
    tokens: int

    @property
    def samples_with_targets(self) -> int:
        """Return the number of samples with an attention target for any head."""
        shown = [one.weights.sum(axis=1) > 0 for one in self.targets]
        return int(np.any(shown, axis=0).sum()) if shown else 0


def make_batch(samples: Sequence[TrainingSample], place: int, rng: Random) -> Batch:
    """Return samples of one kind as arrays; `place` is the placeholder token of a picture."""
    longest = max(len(one.ids) for one in samples)
    ids, places = (np.zeros((len(samples), longest), np.int64) for _ in range(2))
    learned, prompt = (np.zeros((len(samples), longest), np.bool_) for _ in range(2))
    images: list[Image.Image] = []
    for row, one in enumerate(samples):
        count = len(one.ids)
        ours = [Image.open(BytesIO(file)) for file in one.pictures]
        ids[row, :count] = one.ids
        places[row, :count] = _rotary_places(one.ids, place, ours)
        learned[row, :count] = one.learned
        prompt[row, 1:count] = one.kind != "copy"
        images += ours
    drawn = np.random.default_rng(rng.randrange(2**31)).random(learned.shape) < _PROMPT_SHARE
    rows, given = np.nonzero(learned | (drawn & prompt))
    return Batch(
        kind=samples[0].kind,
        ids=ids,
        places=places,
        learned=np.stack([rows, given - 1]),
        is_reply=learned[rows, given],
        is_first=learned[rows, given] & ~learned[rows, given - 1],
        pictures=group_pictures(images) if images else (),
        targets=tuple(_head_targets(samples, rng)),
        tokens=sum(len(one.ids) for one in samples),
    )


def _rotary_places(ids: Sequence[int], place: int, images: Sequence[Image.Image]) -> Array:
    """Return the column of each token: squares of a picture's column share one (Qwen2-VL, 2.1)."""
    found: list[Array] = []
    at, shown = 0, iter(images)
    for is_picture, run in groupby(ids, key=lambda one: one == place):
        count = len(list(run))
        if is_picture:
            image = next(shown)
            columns, rows = image.width // SQUARE, image.height // SQUARE
            found.append(at + np.arange(count) % columns)
            at += max(columns, rows)
        else:
            found.append(np.arange(at, at + count))
            at += count
    return np.concatenate(found)


def _head_targets(samples: Sequence[TrainingSample], rng: Random) -> list[HeadTargets]:
    by_head: Mapping[Head, dict[int, list[AttentionTarget]]] = defaultdict(dict)
    for row, one in enumerate(samples):
        ours: dict[Head, list[AttentionTarget]] = defaultdict(list)
        for target in one.goals:
            ours[target.head].append(target)
        for head, several in ours.items():
            by_head[head][row] = rng.sample(several, min(_MOST, len(several)))
    return [_targets_of(head, rows, len(samples)) for head, rows in sorted(by_head.items())]


def _targets_of(
    head: Head, rows: Mapping[int, Sequence[AttentionTarget]], samples: int
) -> HeadTargets:
    most = max(map(len, rows.values()))
    at, weights = np.zeros((samples, most), np.int64), np.zeros((samples, most), np.float32)
    spans: list[tuple[int, int, int, int]] = []
    for row, several in rows.items():
        at[row, : len(several)] = [one.at for one in several]
        weights[row, : len(several)] = 1 / len(several)
        for number, one in enumerate(several):
            spans += [(row, number, start, stop) for start, stop in one.goals]
    return HeadTargets(head=head, at=at, weights=weights, spans=np.array(spans).T)
