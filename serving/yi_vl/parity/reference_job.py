"""`python -m serving.yi_vl.parity.reference_job JOB...`: make checkpoints, run the reference."""

import sys
from collections.abc import Iterable

import torch

from serving.yi_vl.checkpoints.writing import TINY, write_checkpoint
from serving.yi_vl.parity.cases import Case, draw, make_cases
from serving.yi_vl.parity.job import Job, parse_job
from serving.yi_vl.parity.reference import Reference

FEATURES = 1_024


def run_reference(job: Job) -> None:
    """Write what the reference finds for each case.

    `tokens` and `rows` are its greedy reply; `control` the rows without the projector's norms and
    `exact` those in float32, both along the same tokens; `prompt` is the prompt in tokens.
    """
    reference = Reference(job.model, dtype=job.dtype)
    control = Reference(job.model, dtype=job.dtype, norms=False)
    exact = Reference(job.model) if job.dtype != "float32" else None
    found: list[dict[str, object]] = []
    for case in make_cases(quick=job.quick):
        pictures = [draw(name) for name in case.pictures]
        reply = reference.greedy(case.prompt, pictures, job.new_tokens)
        scored = (case.prompt, pictures, reply.tokens)
        found.append(
            {
                "tokens": list(reply.tokens),
                "rows": reply.rows,
                "control": control.score(*scored),
                "exact": exact.score(*scored) if exact else reply.rows,
                "prompt": _prompt(reference, case),
            }
        )
    torch.save(found, job.results("reference"))


def _prompt(reference: Reference, case: Case) -> list[int]:
    first, *others = reference.chunks(case.prompt)
    for chunk in others:
        first += [TINY.vocabulary] * FEATURES + chunk
    return first


def main(orders: Iterable[str]) -> None:
    """Make the checkpoints that the jobs of the command line name, and run the jobs."""
    jobs = [parse_job(order) for order in orders]
    for job in {job.model: job for job in jobs}.values():
        # The published layout in several files and with a tower that is not to be used.
        sharded = job.layout == "published"
        write_checkpoint(job.model, layout=job.layout, sharded=sharded)
    for job in jobs:
        run_reference(job)


if __name__ == "__main__":
    main(sys.argv[1:])
