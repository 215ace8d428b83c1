"""Training of the mini model: `python -m arena.training.mini OUT`; run again, it continues.

On CPUs, each process learns from its share of a step's batches, and all apply the sum of the
gradients. On a GPU one process learns, from larger batches, and all cores draw them. The result
depends on the seed and on the amount of data in a step.
"""

import json
import math
import os
import signal
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Final

import typer

from arena.training.checkpoint import (
    Training,
    begin,
    first_step,
    is_quick_in_bfloat16,
    make_tokenizer,
    save,
)
from arena.training.lessons import Lesson, Lessons, StepSize, draw_ahead
from arena.training.untyped import distributed, multiprocessing, torch

_LOG: Final = "log.jsonl"
_PROCESSES: Final = 2
"""Maximum number of processes on CPUs."""
_ON_CPU: Final = StepSize(batches=2, area=5_120, cases=2)
_ON_GPU: Final = StepSize(batches=2, area=49_152, cases=6)
"""Step size over all processes. On an H100, a step launches 10,000 kernels: it takes 0.32 s with
batches of 16,384 tokens and 0.39 s with these.
"""
_READING_STEPS: Final = 800
"""First steps that train only on cards: reading comes first, and is cheap."""
_SAVE_SECONDS: Final = 120.0
_LOG_STEPS: Final = 10
_WARM_STEPS: Final = 30
_DECAY_SHARE: Final = 0.25
"""Fraction of the minutes in which the rate falls."""
_LEAST_RATE: Final = 0.02
_CLIP: Final = 1.0
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
"""On these, the step is finished and the checkpoint written."""
_RATES: Final = (2e-3, 2e-3)
"""Learning rates of the matrices and of all other weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """Length and data of a training."""

    out: Path
    seed: int
    steps: int
    scale: float
    decay: int
    device: str
    processes: int
    threads: int
    workers: int
    """Worker processes per training process that draw its data; 0: it draws the data itself."""
    minutes: float = math.inf
    """Minutes of training in all; the rate falls in the last quarter of them."""
    model: Path | None = None
    cards_only: bool = False

    @property
    def step_size(self) -> StepSize:
        """Return the step size of one of the processes."""
        if self.device == "cuda":
            return _ON_GPU
        several = self.processes
        return StepSize(
            batches=_ON_CPU.batches // several,
            area=_ON_CPU.area,
            cases=_ON_CPU.cases // several,
        )


def main(  # noqa: PLR0913, PLR0917 - a command has as many parameters as flags
    out: Annotated[Path, typer.Argument(help="Folder of the run: checkpoint, log, tokenizer.")],
    seed: Annotated[int, typer.Option(help="Seed of the weights and the data.")] = 1,
    steps: Annotated[int, typer.Option(help="Steps in all.")] = 6_000,
    processes: Annotated[
        int,
        typer.Option(min=1, max=_PROCESSES, help="Processes that train; each has its own threads."),
    ] = 2,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads in each process.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=(
                "Processes that draw the data, for each training process; on a GPU, all "
                "but two cores."
            ),
        ),
    ] = None,
    scale: Annotated[float, typer.Option(help="Factor of the learning rates.")] = 1.0,
    decay: Annotated[int, typer.Option(help="Steps at the end with a falling rate.")] = 800,
    minutes: Annotated[
        float,
        typer.Option(min=0.01, help="Minutes of training in all, if fewer than STEPS fit in them."),
    ] = math.inf,
    model: Annotated[
        Path | None,
        typer.Option(help="An exported model to continue with, if OUT has no checkpoint."),
    ] = None,
    cards_only: Annotated[
        bool, typer.Option("--cards-only", help="Train only the picture encoder.")
    ] = False,
) -> None:
    """Train the mini model on generated cases; if the folder has no checkpoint, from scratch."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if workers is None:
        workers = max(0, (os.cpu_count() or 0) - 2) if device == "cuda" else 0
    if model is not None and not (model / "training.json").is_file():
        raise typer.BadParameter(f"wanted a folder of an exported model, got {str(model)!r}")
    out.mkdir(parents=True, exist_ok=True)
    plan = TrainingPlan(
        out=out, seed=seed, steps=steps, scale=scale, decay=decay, device=device,
        processes=1 if device == "cuda" else processes, threads=threads, workers=workers,
        minutes=minutes, model=model, cards_only=cards_only,
    )  # fmt: skip
    make_tokenizer(out)
    rendezvous = str(Path(mkdtemp()) / "rendezvous")
    # A fork need not import PyTorch again, which takes seconds, but cannot use CUDA.
    context = multiprocessing.start_processes(
        run_training_process, (plan, rendezvous), plan.processes, join=False,
        start_method="spawn" if device == "cuda" else "fork",
    )  # fmt: skip
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


def run_training_process(rank: int, plan: TrainingPlan, rendezvous: str) -> None:
    """Train in one of the processes, which meet at the file `rendezvous`."""
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    torch.set_num_threads(plan.threads)
    lessons = Lessons(
        tokenizer=make_tokenizer(plan.out), seed=plan.seed, size=plan.step_size, rank=rank,
        processes=plan.processes, reading_steps=_READING_STEPS, cards_only=plan.cards_only,
    )  # fmt: skip
    # The workers start before there are threads, which a fork would not copy.
    steps = range(first_step(plan.out, plan.model), plan.steps)
    drawn = iter(draw_ahead(lessons, steps, plan.workers))
    distributed.init_process_group(
        "gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=plan.processes
    )
    if plan.device == "cuda":
        # cuDNN prepares each new shape for tens of milliseconds, and almost all shapes are new.
        torch.backends.cuda.enable_cudnn_sdp(False)
    stopped: list[int] = []
    for one in _STOPPING:
        signal.signal(one, lambda number, _: stopped.append(number))
    run = begin(plan.out, plan.seed, plan.device, plan.model)
    saved = started = time.monotonic()
    for lesson in drawn:
        is_over = run.seconds > 60 * plan.minutes
        is_last = take_step(run, plan, lesson, stop=bool(stopped) or is_over)
        now = time.monotonic()
        run.seconds += now - started
        started = now
        if run.step % _LOG_STEPS == 0 or run.step == steps.start + 1:
            write_log(plan.out, run, rank)
        if rank == 0 and now - saved > _SAVE_SECONDS:
            save(plan.out, run)
            saved = now
        if is_last:
            break
    if rank == 0:
        save(plan.out, run)
    distributed.destroy_process_group()


def take_step(run: Training, plan: TrainingPlan, lesson: Lesson, *, stop: bool) -> bool:
    """Learn from a lesson; return whether a process asked to stop."""
    learner = run.learner
    for optimizer in run.optimizers:
        optimizer.zero_grad(set_to_none=False)
    with torch.autocast(plan.device, torch.bfloat16, enabled=is_quick_in_bfloat16(plan.device)):
        for batch in lesson.batches:
            learner.learn(batch, 1 / (len(lesson.batches) * plan.processes))
        learner.read(lesson.cards, 1 / plan.processes)
    tokens = sum(batch.tokens for batch in lesson.batches)
    if plan.processes > 1:
        tokens, run.seconds, stop = _sum_up(run, tokens, stop=stop)
    # A gradient that is not finite ends the training: its last checkpoint stays.
    torch.nn.utils.clip_grad_norm_(learner.model.parameters(), _CLIP, error_if_nonfinite=True)
    for optimizer, rate in zip(run.optimizers, _RATES, strict=True):
        for group in optimizer.param_groups:
            group["lr"] = rate * _factor(run, plan)
        optimizer.step()
    run.step += 1
    run.tokens += tokens
    return stop


def _factor(run: Training, plan: TrainingPlan) -> float:
    """Return the factor of the learning rate at a step."""
    rising = min(1.0, (run.step + 1) / _WARM_STEPS)
    left = [(plan.steps - run.step) / plan.decay] if plan.decay else []
    left.append((1 - run.seconds / (60 * plan.minutes)) / _DECAY_SHARE)
    return plan.scale * rising * max(_LEAST_RATE, min(1.0, *left))


def _sum_up(run: Training, tokens: int, *, stop: bool) -> tuple[int, float, bool]:
    """Make the gradients the sum over all processes.

    Returns the total tokens, the mean of the seconds so far, and whether a process stops: with
    these, all use the same rate and end after the same step.
    """
    weights = [one for one in run.learner.model.parameters() if one.grad is not None]
    flat = torch.cat([one.grad.flatten() for one in weights])
    seconds = run.seconds / distributed.get_world_size()
    flat = torch.cat([flat, torch.tensor([float(tokens), seconds, float(stop)])])
    distributed.all_reduce(flat)
    at = 0
    for one in weights:
        one.grad.copy_(flat[at : at + one.numel()].view_as(one))
        at += one.numel()
    return int(flat[-3]), float(flat[-2]), bool(flat[-1] > 0)


def write_log(out: Path, run: Training, rank: int) -> None:
    """Append the means since the last line, over all processes."""
    parts: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(parts, dict(run.learner.tally.take()))
    if rank:
        return
    whole: dict[str, list[float]] = defaultdict(lambda: [0.0] * 3)
    for part in parts:
        for name, sums in part.items():
            whole[name] = [a + b for a, b in zip(whole[name], sums, strict=True)]
    row: dict[str, object] = {
        "step": run.step,
        "tokens": run.tokens,
        "seconds": round(run.seconds, 1),
    }
    for name, (value, right, count) in sorted(whole.items()):
        if count:
            row[name] = round(value / count, 4)
        if count and right:
            row[f"{name}_right"] = round(right / count, 4)
    with (out / _LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    typer.run(main)
