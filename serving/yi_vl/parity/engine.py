"""`python -m serving.yi_vl.parity.engine JOB...`: run the plugin on vLLM's offline engine."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import torch
import vllm
from vllm.distributed import cleanup_dist_env_and_memory
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

from serving.yi_vl.parity.cases import draw, make_cases
from serving.yi_vl.parity.job import Job, parse_job

_LLM: Any = vllm.LLM
_ADAPTER: Any = AdapterLogitsProcessor
_ROOM = 4


class Forced(_ADAPTER):
    """Makes a reply become given tokens; the log-probabilities are those from before it."""

    def is_argmax_invariant(self) -> bool:
        """Tell vLLM that greedy decoding needs it."""
        return False

    def new_req_logits_processor(self, params: Any) -> Any:
        """Return what changes the logits of one request, or nothing."""
        more: dict[str, list[int]] = params.extra_args or {}
        forced = more.get("forced")
        if forced is None:
            return None

        def force(said: Sequence[int], logits: Any) -> Any:
            wanted = forced[len(said)]
            logits[:wanted] = float("-inf")
            logits[wanted + 1 :] = float("-inf")
            return logits

        return force


def run_engine(job: Job) -> None:
    """Write what the engine finds for each case.

    `cold` and `warm` are its greedy replies without and with the prefix cache, of which `cached`
    tokens were used; `rows` its log-probabilities along the reference's tokens.
    """
    replies: list[dict[str, Any]] = torch.load(job.results("reference"), weights_only=True)
    engine = _start(job)
    prompts = [
        {"prompt": case.prompt}
        | (
            {"multi_modal_data": {"image": [draw(name) for name in case.pictures]}}
            if case.pictures
            else {}
        )
        for case in make_cases(quick=job.quick)
    ]
    cold = engine.generate(prompts, _greedily(job, skip_reading_prefix_cache=True), use_tqdm=False)
    warm = engine.generate(prompts, _greedily(job), use_tqdm=False)
    along = [
        _greedily(job, logprobs=-1, flat_logprobs=True, extra_args={"forced": reply["tokens"]})
        for reply in replies
    ]
    forced = engine.generate(prompts, along, use_tqdm=False)
    found = [
        {
            "prompt": list(first.prompt_token_ids),
            "cold": list(first.outputs[0].token_ids),
            "warm": list(second.outputs[0].token_ids),
            "cached": second.num_cached_tokens or 0,
            "rows": _rows(third.outputs[0].logprobs, replies[number]["rows"].shape[1]),
        }
        for number, (first, second, third) in enumerate(zip(cold, warm, forced, strict=True))
    ]
    torch.save(found, job.results("engine"))


def _start(job: Job) -> Any:
    return _LLM(
        model=str(job.model),
        config_format="yi_vl",
        tokenizer_mode="yi_vl",
        dtype=job.dtype,
        enforce_eager=True,
        enable_prefix_caching=True,
        limit_mm_per_prompt={"image": 2},
        logits_processors=[Forced],
        max_logprobs=-1,
        max_model_len=4_096,
        max_num_seqs=_ROOM,
        tensor_parallel_size=job.parallel,
    )


def _greedily(job: Job, **more: Any) -> Any:
    return vllm.SamplingParams(
        temperature=0, max_tokens=job.new_tokens, ignore_eos=True, detokenize=False, **more
    )


def _rows(flat: Any, width: int) -> Any:
    """Return the log-probabilities of each step as a row by token id."""
    tokens, values = torch.tensor(flat.token_ids), torch.tensor(flat.logprobs)
    rows = torch.full((len(flat), width), float("-inf"))
    for step, (begin, end) in enumerate(zip(flat.start_indices, flat.end_indices, strict=True)):
        known = tokens[begin:end] < width
        rows[step, tokens[begin:end][known]] = values[begin:end][known]
    return rows


def main(orders: Iterable[str]) -> None:
    """Run the jobs of the command line, each in an engine of its own."""
    for order in orders:
        run_engine(parse_job(order))
        cleanup_dist_env_and_memory()


if __name__ == "__main__":
    main(sys.argv[1:])
