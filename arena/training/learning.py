"""What one batch teaches: the loss on replies, on attention and on pictures, with its gradient."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from random import Random
from typing import Any, Final

from PIL import Image
from tokenizers import Tokenizer

from arena.training.align import card_loss
from arena.training.attention import attention_loss
from arena.training.cards import Card, picture_rows
from arena.training.encode import Sample
from arena.training.lookup import CHOOSE, CHOOSE_TOO
from arena.training.untyped import Tensor, functional, torch

_PROMPT_SHARE: Final = 0.05
_PROMPT_WEIGHT: Final = 0.3
_ATTENTION_WEIGHT: Final = 0.15
_CHOOSING_WEIGHT: Final = 4.0
"""Of the heads that choose the passage, against the other heads: they learn last."""
_FIRST_WEIGHT: Final = 3.0
"""Of the first token of a reply, with which the choice is made."""


@dataclass(slots=True)
class Tally:
    """Sums since the last line of the log, by name: value, tokens that were right, count."""

    sums: dict[str, list[float]] = field(
        default_factory=lambda: defaultdict[str, list[float]](lambda: [0.0, 0.0, 0.0])
    )

    def add(self, name: str, value: float, right: float, count: float) -> None:
        """Add to the sums of a name."""
        entry = self.sums[name]
        for at, one in enumerate((value, right, count)):
            entry[at] += one


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A model that learns, what its attention layers get, and on which device."""

    model: Any
    tokenizer: Tokenizer
    caught: dict[int, Any]
    """By layer; kept by `arena.training.attention.catch`."""
    device: str
    tally: Tally = field(default_factory=Tally)

    def learn(self, batch: Sequence[Sample], seed: str, share: float) -> None:
        """Add `share` of the gradient of a batch; samples with pictures go one by one."""
        alone = any(one.pictures for one in batch)
        groups = [[one] for one in batch] if alone else [list(batch)]
        total = sum(sum(one.learned) for one in batch)
        for number, group in enumerate(groups):
            rng = Random(f"{seed}/{number}")
            (self._loss(group, rng) * share / total).backward()

    def read(self, cards: Sequence[Card], share: float) -> None:
        """Add `share` of the gradient of the picture encoder on cards."""
        table = self.model.model.language_model.embed_tokens.weight.detach()
        loss, right, count = card_loss(self.model.model.visual, table, cards, self.device)
        (loss * share).backward()
        self.tally.add("squares", float(loss.detach()) * count, right, count)

    def _loss(self, batch: Sequence[Sample], rng: Random) -> Any:
        """Return the summed loss of samples: their replies, and a little of their prompts."""
        longest = max(len(one.ids) for one in batch)
        ids = torch.zeros((len(batch), longest), dtype=torch.long)
        learned = torch.zeros((len(batch), longest - 1), dtype=torch.bool)
        prompt = torch.zeros((len(batch), longest - 1), dtype=torch.bool)
        generator = torch.Generator().manual_seed(rng.randrange(2**31))
        for row, one in enumerate(batch):
            count = len(one.ids)
            ids[row, :count] = torch.tensor(one.ids)
            learned[row, : count - 1] = torch.tensor(one.learned[1:])
            if one.kind != "copy":
                prompt[row, : count - 1] = True
        extra = (torch.rand(learned.shape, generator=generator) < _PROMPT_SHARE) & prompt & ~learned
        at = torch.nonzero(learned | extra)
        rows, places = (one.to(self.device) for one in at.unbind(1))
        ids, is_reply = ids.to(self.device), learned[learned | extra].to(self.device)
        states = self.model.model(
            input_ids=ids, use_cache=False, **self._picture_inputs(batch, ids)
        ).last_hidden_state
        logits = self.model.lm_head(states[rows, places]).float()
        goals = ids[rows, places + 1]
        losses = functional.cross_entropy(logits, goals, reduction="none")
        is_first = is_reply & (torch.diff(places, prepend=places[:1] - 2) != 1)
        hits = logits.argmax(-1) == goals
        kind = batch[0].kind
        self._count(kind, losses.detach(), hits, is_reply, is_first)
        weights = torch.where(is_reply, 1.0 + (_FIRST_WEIGHT - 1) * is_first, _PROMPT_WEIGHT)
        loss = (losses * weights).sum()
        return loss + _ATTENTION_WEIGHT * int(is_reply.sum()) * self._attention(batch, rng)

    def _attention(self, batch: Sequence[Sample], rng: Random) -> Any:
        """Return the loss on where heads attend, summed over heads, the mean of the samples."""
        text, total, counted = self.model.model.language_model, 0.0, 0
        for row, one in enumerate(batch):
            if not one.goals:
                continue
            counted += 1
            for (layer, head), loss in attention_loss(
                text, self.caught, row, one.goals, rng
            ).items():
                is_choice = (layer, head) in (CHOOSE, CHOOSE_TOO)
                total = total + (_CHOOSING_WEIGHT if is_choice else 1.0) * loss
                self.tally.add(f"head {layer}.{head}", float(loss.detach()), 0, 1)
        return total / max(1, counted)

    def _count(
        self, kind: str, losses: Tensor, hits: Tensor, is_reply: Tensor, is_first: Tensor
    ) -> None:
        for name, chosen in (
            (kind, is_reply),
            (f"{kind}_first", is_first),
            ("prompt", ~is_reply),
        ):
            sums = float(losses[chosen].sum()), float(hits[chosen].sum()), float(chosen.sum())
            self.tally.add(name, *sums)

    def _picture_inputs(self, batch: Sequence[Sample], ids: Tensor) -> dict[str, Any]:
        """Return what the model takes of pictures; nothing where there are none."""
        files = [file for one in batch for file in one.pictures]
        if not files:
            return {}
        rows, grids = picture_rows([Image.open(BytesIO(one)) for one in files])
        place = ids == self.model.config.image_token_id
        return {
            "pixel_values": rows.to(self.device),
            "image_grid_thw": grids.to(self.device),
            "mm_token_type_ids": place.int(),
        }
