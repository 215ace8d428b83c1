"""Engine side: `python -m serving.yi_vl.parity.engine_run SPEC...` runs the plugin on vLLM.

Each `SPEC` is a `ParitySpec` as JSON.
"""

import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

import torch
import vllm
from vllm.distributed import cleanup_dist_env_and_memory
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

from serving.yi_vl.parity.parity_spec import ParitySpec, parse_spec
from serving.yi_vl.parity.prompt_cases import draw_picture, make_cases

_LLM: Any = vllm.LLM
_ADAPTER: Any = AdapterLogitsProcessor
_MAX_SEQUENCES: Final = 4
"""Requests that run together, so that batching is part of the comparison."""


class ForcedTokens(_ADAPTER):
    """Logits processor that forces given tokens; log-probabilities are those before it."""

    def is_argmax_invariant(self) -> bool:
        """Return False: vLLM then applies the processor to greedy requests too."""
        return False

    def new_req_logits_processor(self, params: Any) -> Any:
        """Return the function that changes the logits of one request, or None."""
        extra: dict[str, list[int]] = params.extra_args or {}
        tokens = extra.get("forced")
        if tokens is None:
            return None

        def force(generated: Sequence[int], logits: Any) -> Any:
            token = tokens[len(generated)]
            logits[:token] = float("-inf")
            logits[token + 1 :] = float("-inf")
            return logits

        return force


def run_engine(spec: ParitySpec) -> None:
    """Write the results of the engine for each case.

    `cold` and `warm` are its greedy replies without and with the prefix cache, of which `cached`
    tokens were used. `rows`, of shape (steps, tokens of the vocabulary), holds its
    log-probabilities along the reference's tokens.
    """
    replies: list[dict[str, Any]] = torch.load(spec.results_file("reference"), weights_only=True)
    engine = _start(spec)
    prompts = [
        {"prompt": case.prompt}
        | (
            {"multi_modal_data": {"image": [draw_picture(name) for name in case.pictures]}}
            if case.pictures
            else {}
        )
        for case in make_cases(quick=spec.quick)
    ]
    cold = engine.generate(
        prompts, _greedy_params(spec, skip_reading_prefix_cache=True), use_tqdm=False
    )
    warm = engine.generate(prompts, _greedy_params(spec), use_tqdm=False)
    params = [
        _greedy_params(
            spec, logprobs=-1, flat_logprobs=True, extra_args={"forced": reply["tokens"]}
        )
        for reply in replies
    ]
    forced = engine.generate(prompts, params, use_tqdm=False)
    results = [
        {
            "prompt": list(first.prompt_token_ids),
            "cold": list(first.outputs[0].token_ids),
            "warm": list(second.outputs[0].token_ids),
            "cached": second.num_cached_tokens or 0,
            "rows": _to_rows(third.outputs[0].logprobs, replies[number]["rows"].shape[1]),
        }
        for number, (first, second, third) in enumerate(zip(cold, warm, forced, strict=True))
    ]
    torch.save(results, spec.results_file("engine"))


def _start(spec: ParitySpec) -> Any:
    return _LLM(
        model=str(spec.model),
        config_format="yi_vl",
        tokenizer_mode="yi_vl",
        dtype=spec.dtype,
        enforce_eager=True,
        enable_prefix_caching=True,
        limit_mm_per_prompt={"image": 2},
        logits_processors=[ForcedTokens],
        max_logprobs=-1,
        max_model_len=4_096,
        max_num_seqs=_MAX_SEQUENCES,
        tensor_parallel_size=spec.parallel,
    )


def _greedy_params(spec: ParitySpec, **more: Any) -> Any:
    return vllm.SamplingParams(
        temperature=0, max_tokens=spec.new_tokens, ignore_eos=True, detokenize=False, **more
    )


def _to_rows(flat: Any, width: int) -> Any:
    """Return the log-probabilities as a tensor of shape (steps, `width`), by token id."""
    tokens, values = torch.tensor(flat.token_ids), torch.tensor(flat.logprobs)
    rows = torch.full((len(flat), width), float("-inf"))
    for step, (begin, end) in enumerate(zip(flat.start_indices, flat.end_indices, strict=True)):
        known = tokens[begin:end] < width
        rows[step, tokens[begin:end][known]] = values[begin:end][known]
    return rows


def main(texts: Iterable[str]) -> None:
    """Run the specs of the command line, each in a new engine."""
    for text in texts:
        run_engine(parse_spec(text))
        cleanup_dist_env_and_memory()


if __name__ == "__main__":
    main(sys.argv[1:])
