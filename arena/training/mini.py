"""Train the mini model: `python -m arena.training.mini OUT`; run again, it goes on where it was."""

import json
import signal
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

import typer
from PIL import Image
from tokenizers import Tokenizer

from arena.training.align import card_loss, draw_cards
from arena.training.architecture import make_model
from arena.training.attention import attention_loss, catch
from arena.training.cards import Card, picture_rows
from arena.training.curriculum import corpus, draw_sample
from arena.training.encode import Sample
from arena.training.muon import Muon
from arena.training.untyped import Tensor, functional, torch
from serving.standin.tokenizer import train_tokenizer

VOCABULARY: Final = 8_192
_STATE: Final = "state.pt"
_LOG: Final = "log.jsonl"
_TOKENS_A_STEP: Final = 4_096
_PROMPT_SHARE: Final = 0.12
_PROMPT_WEIGHT: Final = 0.3
_SAVE_SECONDS: Final = 300.0
_WARM_STEPS: Final = 30
_CLIP: Final = 1.0
_ATTENTION_WEIGHT: Final = 0.15
_CARDS: Final = 6

Sums = dict[str, list[float]]
"""By kind of sample: summed loss, tokens that were right, tokens."""


@dataclass(slots=True)
class Training:
    """A model in training, and how far it is."""

    model: Any
    tokenizer: Tokenizer
    optimizers: list[Any]
    rates: list[float]
    seed: int
    sample: int = 0
    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    caught: dict[int, Any] = field(default_factory=dict[int, Any])


def main(
    out: Annotated[Path, typer.Argument(help="Folder of the run: checkpoint, log, tokenizer.")],
    seed: Annotated[int, typer.Option(help="Of the weights and the data.")] = 1,
    steps: Annotated[int, typer.Option(help="Steps in all.")] = 6_000,
    threads: Annotated[int, typer.Option(help="Of the CPU.")] = 2,
    scale: Annotated[float, typer.Option(help="Of the learning rates.")] = 1.0,
    decay: Annotated[int, typer.Option(help="Steps at the end with a falling rate.")] = 0,
) -> None:
    """Train the mini model on generated cases; without a folder's checkpoint, from nothing."""
    torch.set_num_threads(threads)
    out.mkdir(parents=True, exist_ok=True)
    run = begin(out, seed)
    saved = time.monotonic()
    sums: Sums = defaultdict(lambda: [0.0, 0.0, 0.0])
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    while run.step < steps and not stopped:
        started = time.monotonic()
        factor = scale * min(1.0, (run.step + 1) / _WARM_STEPS)
        if decay and run.step > steps - decay:
            factor *= max(0.02, (steps - run.step) / decay)
        tokens = take_step(run, factor, sums)
        run.seconds += time.monotonic() - started
        run.tokens += tokens
        if run.step % 10 == 0:
            write_log(out, run, sums)
        if time.monotonic() - saved > _SAVE_SECONDS:
            save(out, run)
            saved = time.monotonic()
    save(out, run)


def begin(out: Path, seed: int) -> Training:
    """Return the training of a folder: from its checkpoint, or new."""
    file = out / "tokenizer.json"
    if not file.exists():
        train_tokenizer(corpus(), vocabulary=VOCABULARY, digits=2).save(str(file))
    tokenizer = Tokenizer.from_file(str(file))
    model = make_model(tokenizer, seed)
    matrices, others = _groups(model)
    optimizers = [
        Muon(matrices),
        torch.optim.AdamW(others, lr=1.0, betas=(0.9, 0.98), weight_decay=0.0),
    ]
    run = Training(model, tokenizer, optimizers, [2e-3, 2e-3], seed)
    run.caught = catch(model.model.language_model)
    if (out / _STATE).exists():
        state = torch.load(out / _STATE, weights_only=True)
        model.load_state_dict(state["model"])
        for one, kept in zip(optimizers, state["optimizers"], strict=True):
            one.load_state_dict(kept)
        run.sample, run.step, run.tokens, run.seconds = state["progress"]
    return run


def _groups(model: Any) -> tuple[list[Any], list[Any]]:
    matrices: list[Any] = []
    others: list[Any] = []
    for name, weight in model.named_parameters():
        is_matrix = weight.ndim == 2 and "embed" not in name and "lm_head" not in name  # noqa: PLR2004
        (matrices if is_matrix else others).append(weight)
    return matrices, others


def take_step(run: Training, factor: float, sums: Sums) -> int:
    """Learn from samples of about `_TOKENS_A_STEP` tokens; return how many there were."""
    batch: list[Sample] = []
    count = 0
    while count < _TOKENS_A_STEP:
        one = draw_sample(run.tokenizer, run.seed, run.sample)
        run.sample += 1
        batch.append(one)
        count += len(one.ids)
    cards = list(islice(draw_cards(run.tokenizer, run.seed, run.step * _CARDS), _CARDS))
    total = sum(sum(one.learned) for one in batch)
    for optimizer in run.optimizers:
        optimizer.zero_grad(set_to_none=True)
    for one in batch:
        loss = sample_loss(run, one, sums)
        (loss / total).backward()
    read_cards(run, cards, sums)
    torch.nn.utils.clip_grad_norm_(run.model.parameters(), _CLIP)
    for optimizer, rate in zip(run.optimizers, run.rates, strict=True):
        for group in optimizer.param_groups:
            group["lr"] = rate * factor
        optimizer.step()
    run.step += 1
    return count


def sample_loss(run: Training, sample: Sample, sums: Sums) -> Any:
    """Return the summed loss of a sample: its replies, and a little of its prompt."""
    ids = torch.tensor([sample.ids])
    learned = torch.tensor(sample.learned[1:])
    generator = torch.Generator().manual_seed(run.sample)
    extra = (torch.rand(learned.shape, generator=generator) < _PROMPT_SHARE) & ~learned
    if sample.kind == "copy":
        extra &= False
    at = torch.nonzero(learned | extra)[:, 0]
    logits = run.model(input_ids=ids, logits_to_keep=at, **picture_inputs(run, sample)).logits[0]
    losses = functional.cross_entropy(logits.float(), ids[0, 1:][at], reduction="none")
    is_reply = learned[at]
    _count(sums, sample.kind, losses.detach(), logits.argmax(-1) == ids[0, 1:][at], at, is_reply)
    loss = losses[is_reply].sum() + _PROMPT_WEIGHT * losses[~is_reply].sum()
    if not sample.goals:
        return loss
    looked = attention_loss(
        run.model.model.language_model, run.caught, sample.goals, Random(run.sample)
    )
    attention = sums[f"{sample.kind}_attention"]
    attention[0] += float(looked.detach())
    attention[2] += 1
    return loss + _ATTENTION_WEIGHT * int(is_reply.sum()) * looked


def _count(
    sums: Sums, kind: str, losses: Tensor, right: Tensor, at: Tensor, is_reply: Tensor
) -> None:
    """Count a sample: the tokens of its replies, the first of each, and those of its prompt."""
    begun = torch.diff(at[is_reply], prepend=torch.tensor([-2])) > 1
    hits = right[is_reply]
    for name, loss, good, count in (
        (kind, losses[is_reply].sum(), hits.sum(), is_reply.sum()),
        (f"{kind}_first", 0.0, hits[begun].sum(), begun.sum()),
        ("prompt", losses[~is_reply].sum(), 0, (~is_reply).sum()),
    ):
        entry = sums[name]
        entry[0] += float(loss)
        entry[1] += int(good)
        entry[2] += int(count)


def read_cards(run: Training, cards: Sequence[Card], sums: Sums) -> None:
    """Add the gradient of the picture encoder on cards."""
    table = run.model.model.language_model.embed_tokens.weight.detach()
    loss, right, count = card_loss(run.model.model.visual, table, cards)
    loss.backward()
    entry = sums["squares"]
    entry[0] += float(loss.detach()) * count
    entry[1] += right
    entry[2] += count


def picture_inputs(run: Training, sample: Sample) -> dict[str, Any]:
    """Return what the model takes of a sample's pictures; nothing where it has none."""
    if not sample.pictures:
        return {}
    images = [Image.open(BytesIO(one)) for one in sample.pictures]
    rows, grids = picture_rows(images)
    place = torch.tensor([sample.ids]) == run.model.config.image_token_id
    return {"pixel_values": rows, "image_grid_thw": grids, "mm_token_type_ids": place.int()}


def write_log(out: Path, run: Training, sums: Sums) -> None:
    """Append the means since the last line."""
    row: dict[str, object] = {
        "step": run.step,
        "tokens": run.tokens,
        "seconds": round(run.seconds, 1),
        "tokens_per_s": round(run.tokens / max(run.seconds, 1e-9)),
    }
    for kind, (loss, right, count) in sorted(sums.items()):
        if count:
            if loss:
                row[kind] = round(loss / count, 4)
            if right:
                row[f"{kind}_right"] = round(right / count, 4)
    sums.clear()
    with (out / _LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def save(out: Path, run: Training) -> None:
    """Write the checkpoint; a crash leaves the old one."""
    state = {
        "model": run.model.state_dict(),
        "optimizers": [one.state_dict() for one in run.optimizers],
        "progress": (run.sample, run.step, run.tokens, run.seconds),
    }
    scratch = out / f".{_STATE}"
    torch.save(state, scratch)
    scratch.replace(out / _STATE)


if __name__ == "__main__":
    typer.run(main)
