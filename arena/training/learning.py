"""Learning from one batch: the losses of replies, attention and pictures, with their gradients."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tokenizers import Tokenizer

from arena.training.align import CardBatch, card_loss
from arena.training.attention import attention_loss
from arena.training.batches import Batch
from arena.training.lookup import CHOOSE, CHOOSE_TOO
from arena.training.seeing import see
from arena.training.untyped import Tensor, functional, torch

_PROMPT_WEIGHT: Final = 0.3
"""Weight of the prompts' tokens relative to those of replies."""
_ATTENTION_WEIGHT: Final = 0.15
_CHOOSING_WEIGHT: Final = 4.0
"""Weight of the heads that choose the passage relative to other heads: they learn last."""
_FIRST_WEIGHT: Final = 3.0
"""Weight of the first token of a reply, which makes the choice."""


@dataclass(slots=True)
class LossTally:
    """Sums since the last line of the log, by name: value, number of correct tokens, count."""

    sums: dict[str, Tensor] = field(default_factory=lambda: defaultdict[str, Tensor](_nothing))

    def add(self, name: str, value: Tensor, right: Tensor | float, count: Tensor | float) -> None:
        """Add to the sums of a name, without waiting for values on a GPU."""
        several = [torch.as_tensor(one, device=value.device) for one in (value, right, count)]
        self.sums[name] = self.sums[name].to(value.device) + torch.stack(several).detach()

    def take(self) -> Mapping[str, list[float]]:
        """Return the sums and reset them."""
        found = {name: sums.tolist() for name, sums in self.sums.items()}
        self.sums.clear()
        return found


def _nothing() -> Tensor:
    return torch.zeros(3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A model that learns, its stored attention inputs, and its device."""

    model: Any
    tokenizer: Tokenizer
    caught: dict[int, Any]
    """By layer; filled by `arena.training.attention.capture_inputs`."""
    device: str
    tally: LossTally = field(default_factory=LossTally)

    def learn(self, batch: Batch, share: float) -> None:
        """Add `share` of the gradient of a batch."""
        (self._loss(batch) * share).backward()

    def read(self, cards: CardBatch, share: float) -> None:
        """Add `share` of the gradient of the picture encoder on cards."""
        table = self.model.model.language_model.embed_tokens.weight.detach()
        loss, right, count = card_loss(self.model.model.visual, table, cards, self.device)
        (loss * share).backward()
        self.tally.add("squares", loss * count, right, count)

    def _loss(self, batch: Batch) -> Tensor:
        """Return the weighted cross-entropy per reply token, plus the weighted attention loss.

        Tokens of prompts count a little.
        """
        ids, (rows, places) = self._put(batch.ids), self._put(batch.learned)
        states = self.states(batch, ids)
        logits = self.model.lm_head(states[rows, places]).float()
        goals = ids[rows, places + 1]
        losses = functional.cross_entropy(logits, goals, reduction="none")
        is_reply, is_first = self._put(batch.is_reply), self._put(batch.is_first)
        hits = logits.argmax(-1) == goals
        for name, chosen in (
            (batch.kind, is_reply),
            (f"{batch.kind}_first", is_first),
            ("prompt", ~is_reply),
        ):
            self.tally.add(name, (losses * chosen).sum(), (hits & chosen).sum(), chosen.sum())
        weights = torch.where(is_reply, 1.0 + (_FIRST_WEIGHT - 1) * is_first, _PROMPT_WEIGHT)
        loss = (losses * weights).sum() / int(batch.is_reply.sum())
        return loss + _ATTENTION_WEIGHT * self._attention(batch)

    def states(self, batch: Batch, ids: Tensor) -> Tensor:
        """Return the last hidden states, (samples, tokens, hidden size)."""
        text = self.model.model.language_model
        given = text.embed_tokens(ids)
        if batch.pictures:
            seen = see(self.model.model.visual, batch.pictures, self.device)
            at = torch.nonzero(ids == self.model.config.image_token_id, as_tuple=True)
            given = given.index_put(at, seen.to(given.dtype))
        return text(
            inputs_embeds=given, position_ids=self._put(batch.places), use_cache=False
        ).last_hidden_state

    def _attention(self, batch: Batch) -> Any:
        """Return the attention loss, summed over heads, as the mean over the samples."""
        text, total = self.model.model.language_model, 0.0
        for one in batch.targets:
            loss = attention_loss(text, self.caught, one)
            is_choice = one.head in (CHOOSE, CHOOSE_TOO)
            total = total + (_CHOOSING_WEIGHT if is_choice else 1.0) * loss
            layer, head = one.head
            shown = int((one.weights.sum(axis=1) > 0).sum())
            self.tally.add(f"head {layer}.{head}", loss, 0.0, shown)
        return total / max(1, batch.samples_with_targets)

    def _put(self, array: Any) -> Tensor:
        return torch.from_numpy(array).to(self.device)
