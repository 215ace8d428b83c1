"""Train the mini model: `python -m arena.training.mini OUT`; run again, it goes on where it was.

Each process learns from its share of a step's batches, and all apply the sum of the gradients: the
result depends on the seed and the number of batches, and on the number of processes only through
rounding.
"""

import json
import os
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Final

import typer
from tokenizers import Tokenizer

from arena.training.align import draw_cards
from arena.training.architecture import make_model
from arena.training.attention import catch
from arena.training.curriculum import corpus, draw_batch
from arena.training.learning import Learner, Tally
from arena.training.muon import Muon
from arena.training.untyped import distributed, multiprocessing, qwen, torch
from serving.standin.tokenizer import train_tokenizer

VOCABULARY: Final = 8_192
_STATE: Final = "state.pt"
_LOG: Final = "log.jsonl"
_BATCHES: Final = 2
"""In a step."""
_READING_STEPS: Final = 1_000
"""At the beginning, on cards alone: reading comes first, and is cheap."""
_SAVE_SECONDS: Final = 300.0
_LOG_STEPS: Final = 10
_WARM_STEPS: Final = 30
_CLIP: Final = 1.0
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
"""The step is finished and the checkpoint written."""
_RATES: Final = (2e-3, 2e-3)
"""Of the matrices and of everything else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long a training is, and on what."""

    out: Path
    seed: int
    steps: int
    scale: float
    decay: int
    device: str
    processes: int
    threads: int
    model: Path | None = None
    cards_only: bool = False


@dataclass(slots=True)
class Training:
    """A model in training, and how far it is."""

    learner: Learner
    optimizers: list[Any]
    step: int = 0
    tokens: int = 0
    seconds: float = 0.0


def main(  # noqa: PLR0913, PLR0917 - a command has as many parameters as flags
    out: Annotated[Path, typer.Argument(help="Folder of the run: checkpoint, log, tokenizer.")],
    seed: Annotated[int, typer.Option(help="Of the weights and the data.")] = 1,
    steps: Annotated[int, typer.Option(help="Steps in all.")] = 6_000,
    processes: Annotated[
        int, typer.Option(min=1, max=_BATCHES, help="That learn; each takes its threads.")
    ] = 2,
    threads: Annotated[int, typer.Option(min=1, help="Of the CPU, in each process.")] = 1,
    scale: Annotated[float, typer.Option(help="Of the learning rates.")] = 1.0,
    decay: Annotated[int, typer.Option(help="Steps at the end with a falling rate.")] = 800,
    model: Annotated[
        Path | None,
        typer.Option(help="An exported model to go on with, where OUT has no checkpoint."),
    ] = None,
    cards_only: Annotated[
        bool, typer.Option("--cards-only", help="The picture encoder alone learns.")
    ] = False,
) -> None:
    """Train the mini model on generated cases; without a folder's checkpoint, from nothing."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    out.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        out=out, seed=seed, steps=steps, scale=scale, decay=decay, device=device,
        processes=1 if device == "cuda" else processes, threads=threads, model=model,
        cards_only=cards_only,
    )  # fmt: skip
    if model is not None and not (out / "tokenizer.json").exists():
        shutil.copy(model / "tokenizer.json", out / "tokenizer.json")
    make_tokenizer(out)
    meeting = str(Path(mkdtemp()) / "meeting")
    context = multiprocessing.spawn(_work, (plan, meeting), plan.processes, join=False)
    before = {
        one: signal.signal(one, lambda number, _: _forward(number, context.pids()))
        for one in _STOPPING
    }
    while not context.join():
        pass
    for one, handler in before.items():
        signal.signal(one, handler)


def _forward(number: int, processes: list[int]) -> None:
    for one in processes:
        os.kill(one, number)


def make_tokenizer(out: Path) -> Tokenizer:
    """Return the tokenizer of a folder; where it has none, train one."""
    file = out / "tokenizer.json"
    if not file.exists():
        train_tokenizer(corpus(), vocabulary=VOCABULARY, digits=2).save(str(file))
    return Tokenizer.from_file(str(file))


def begin(out: Path, seed: int, device: str = "cpu", exported: Path | None = None) -> Training:
    """Return the training of a folder: from its checkpoint, with an exported model, or new."""
    tokenizer = make_tokenizer(out)
    model = make_model(tokenizer, seed).to(device)
    matrices, others = _groups(model)
    optimizers = [
        Muon(matrices, torch.bfloat16 if _is_quick_in_bfloat16(device) else torch.float32),
        torch.optim.AdamW(others, lr=1.0, betas=(0.9, 0.98), weight_decay=0.0),
    ]
    caught = catch(model.model.language_model)
    run = Training(
        Learner(model=model, tokenizer=tokenizer, caught=caught, device=device), optimizers
    )
    if (out / _STATE).exists():
        state = torch.load(out / _STATE, weights_only=True, map_location=device)
        model.load_state_dict(state["model"])
        for one, kept in zip(optimizers, state["optimizers"], strict=True):
            one.load_state_dict(kept)
        run.step, run.tokens, run.seconds = state["progress"]
    elif exported is not None:
        _load(run, exported)
    return run


def _load(run: Training, exported: Path) -> None:
    """Take over the weights of an exported model, and how far it was; optimizers begin anew."""
    loaded: Any = qwen.Qwen2_5_VLForConditionalGeneration.from_pretrained(exported)
    run.learner.model.load_state_dict(loaded.float().state_dict())
    told = json.loads((exported / "training.json").read_text(encoding="utf-8"))
    run.step, run.tokens, run.seconds = told["steps"], told["tokens"], told["seconds"]


def _groups(model: Any) -> tuple[list[Any], list[Any]]:
    matrices: list[Any] = []
    others: list[Any] = []
    for name, weight in model.named_parameters():
        is_matrix = weight.ndim == 2 and "embed" not in name and "lm_head" not in name  # noqa: PLR2004
        (matrices if is_matrix else others).append(weight)
    return matrices, others


def _work(rank: int, plan: Plan, meeting: str) -> None:
    """Train in one of the processes."""
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    torch.set_num_threads(plan.threads)
    distributed.init_process_group(
        "gloo", init_method=f"file://{meeting}", rank=rank, world_size=plan.processes
    )
    stopped: list[int] = []
    for one in _STOPPING:
        signal.signal(one, lambda number, _: stopped.append(number))
    run = begin(plan.out, plan.seed, plan.device, plan.model)
    saved = time.monotonic()
    while run.step < plan.steps:
        started = time.monotonic()
        is_last = take_step(run, plan, rank, stop=bool(stopped))
        run.seconds += time.monotonic() - started
        if run.step % _LOG_STEPS == 0:
            write_log(plan.out, run, rank)
        if rank == 0 and time.monotonic() - saved > _SAVE_SECONDS:
            save(plan.out, run)
            saved = time.monotonic()
        if is_last:
            break
    if rank == 0:
        save(plan.out, run)
    distributed.destroy_process_group()


def take_step(run: Training, plan: Plan, rank: int, *, stop: bool) -> bool:
    """Learn from the batches of a step; return whether a process asked to stop."""
    learner, tokens = run.learner, 0
    for optimizer in run.optimizers:
        optimizer.zero_grad(set_to_none=False)
    with torch.autocast(plan.device, torch.bfloat16, enabled=_is_quick_in_bfloat16(plan.device)):
        step = run.step - _READING_STEPS
        for number in range(step * _BATCHES + rank, (step + 1) * _BATCHES, plan.processes):
            if step < 0 or plan.cards_only:
                break
            batch = draw_batch(learner.tokenizer, plan.seed, number)
            learner.learn(batch, f"{plan.seed}/{number}", 1 / _BATCHES)
            tokens += sum(len(one.ids) for one in batch)
        cards = draw_cards(learner.tokenizer, plan.seed, run.step * plan.processes + rank)
        learner.read(cards, 1 / plan.processes)
    seen, stopping = _sum_up(learner.model, tokens, stop=stop)
    torch.nn.utils.clip_grad_norm_(learner.model.parameters(), _CLIP)
    for optimizer, rate in zip(run.optimizers, _RATES, strict=True):
        for group in optimizer.param_groups:
            group["lr"] = rate * _factor(run.step, plan)
        optimizer.step()
    run.step += 1
    run.tokens += seen
    return stopping


def _factor(step: int, plan: Plan) -> float:
    """Return the share of the learning rate at a step."""
    rising = min(1.0, (step + 1) / _WARM_STEPS)
    falling = max(0.02, min(1.0, (plan.steps - step) / plan.decay)) if plan.decay else 1.0
    return plan.scale * rising * falling


def _is_quick_in_bfloat16(device: str) -> bool:
    return device == "cuda" or torch.cpu._is_avx512_bf16_supported()


def _sum_up(model: Any, tokens: int, *, stop: bool) -> tuple[int, bool]:
    """Make the gradients the sum over all processes; return all tokens, and if one stops."""
    weights = [one for one in model.parameters() if one.grad is not None]
    flat = torch.cat([one.grad.flatten().cpu() for one in weights])
    flat = torch.cat([flat, torch.tensor([float(tokens), float(stop)])])
    distributed.all_reduce(flat)
    at = 0
    for one in weights:
        one.grad.copy_(flat[at : at + one.numel()].view_as(one))
        at += one.numel()
    return int(flat[-2]), bool(flat[-1] > 0)


def write_log(out: Path, run: Training, rank: int) -> None:
    """Append the means since the last line, over all processes."""
    parts: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(parts, dict(run.learner.tally.sums))
    run.learner.tally.sums.clear()
    if rank:
        return
    whole = Tally()
    for part in parts:
        for name, sums in part.items():
            whole.add(name, *sums)
    row: dict[str, object] = {
        "step": run.step,
        "tokens": run.tokens,
        "seconds": round(run.seconds, 1),
    }
    for name, (value, right, count) in sorted(whole.sums.items()):
        if count:
            row[name] = round(value / count, 4)
        if count and right:
            row[f"{name}_right"] = round(right / count, 4)
    with (out / _LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def save(out: Path, run: Training) -> None:
    """Write the checkpoint; a crash leaves the old one."""
    state = {
        "model": run.learner.model.state_dict(),
        "optimizers": [one.state_dict() for one in run.optimizers],
        "progress": (run.step, run.tokens, run.seconds),
    }
    scratch = out / f".{_STATE}"
    torch.save(state, scratch)
    scratch.replace(out / _STATE)


if __name__ == "__main__":
    typer.run(main)
