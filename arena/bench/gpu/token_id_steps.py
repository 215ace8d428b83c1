"""Steps of the GPU check that send their own token ids: replay, simulator, offloading."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from http import HTTPStatus
from itertools import pairwise
from random import Random
from typing import Any, Final

from arena.bench.gpu.gpu_engine import (
    OURS_CAPPED,
    QWEN,
    CallRecorder,
    StepEngine,
    serve_step_engine,
)
from arena.bench.gpu.step_runner import StepContext, StepSkipped
from arena.bench.servers.cache_reset import reset_cache
from arena.bench.servers.engine_rates import rates_between, read_counters
from arena.errors import ModelError
from arena.models.http.endpoint import GENERATE, Endpoint, open_endpoint
from arena.models.tokens.prompt_tokenizer import load_prompt_tokenizer
from serving.engine_sim.calibrate import FREE_TERMS, loads, measure
from serving.engine_sim.cost_model.engine_profile import (
    CostTerms,
    EngineProfile,
    load_engine_profile,
)
from serving.engine_sim.cost_model.term_fit import fit_half
from serving.errors import EngineError

_REPLAY_SINCE: Final = (0, 29)
_OFFLOAD_SINCE: Final = (0, 26)
_REPLAY_FLAG: Final = "--enable-trace-replay"
_REPLAY_MATCHES: Final = 8
_MIN_TERM: Final = 1e-5
"""Seconds: initial value in a fit of a term that the roofline lacks."""
_PROMPTS: Final = 48
_PROMPT_TOKENS: Final = 2_048
_GREEDY: Final[dict[str, Any]] = {"max_tokens": 16, "min_tokens": 16, "ignore_eos": True}
_IDS: Final = (300, 9_000)
"""Range of token ids that every vocabulary has, none of them special."""
_POOL_TOKENS: Final = 65_536
"""Tokens of the KV cache: fewer than the prompts need, so that the second pass finds nothing in it.
"""
_HOST_GIB: Final = 16
"""Host memory for offloading: several times the pool, since a smaller one never holds what the pool
lost.
"""
_ANSWER_BYTES: Final = 16 * 1024 * 1024
_CONNECTIONS: Final = 1024
TokenReply = tuple[int, ...]


async def run_replay_step(work: StepContext) -> None:
    """Play matches, then send their requests with the replies forced, token for token."""
    _check_version(work, _REPLAY_SINCE, "trace replay")
    matches = 2 if work.rehearsal else _REPLAY_MATCHES
    try:
        async with serve_step_engine(work, QWEN, matches, flags=(_REPLAY_FLAG,)) as serving:
            await _replay(work, serving)
    except EngineError as error:
        if "trace replay" not in str(error).lower():
            raise
        raise StepSkipped(
            f"not on this server (vLLM {work.hardware.engine_version}): {error}"
        ) from error


async def _replay(work: StepContext, serving: StepEngine) -> None:
    recorder = CallRecorder()
    address, left = serving.started.address, work.seconds_left
    work.add_results(recorded=await serving.measure(OURS_CAPPED, left / 2, recorder))
    chains = encode_calls(serving, recorder)
    async with open_endpoint(address, max_requests=_CONNECTIONS) as endpoint:
        await reset_cache(endpoint)
        before, began = await read_counters(address), time.monotonic()
        equal = await send_chains(endpoint, chains, address.model or "")
        seconds = time.monotonic() - began
    after = await read_counters(address)
    calls = sum(map(len, chains))
    work.add_results(
        replayed={
            "about": "each seat's requests sequentially, all seats concurrently",
            "calls": calls,
            "equal_replies": equal,
            "engine": rates_between(before, after, seconds),
        }
    )
    work.set_headline(f"{equal} of {calls} replies as recorded, {calls / seconds:.2f} turns/s")
    if equal < calls:
        raise ModelError(f"{calls} replies were forced, but only {equal} were returned as recorded")


def encode_calls(
    serving: StepEngine, recorder: CallRecorder
) -> list[list[tuple[list[int], TokenReply]]]:
    """Return prompt and reply of each call as token ids, seat by seat; or raise `StepSkipped`."""
    serving.require_token_ids("its prompts are not sent as token ids")
    tokenizer = load_prompt_tokenizer(serving.folder)
    return [
        [
            (list(tokenizer.encode(request.messages).ids), completion.ids)
            for request, completion in calls
            if completion.ids
        ]
        for calls in recorder.by_seat().values()
    ]


async def send_chains(
    endpoint: Endpoint, chains: Sequence[Sequence[tuple[list[int], TokenReply]]], model: str
) -> int:
    """Send each chain's calls in order, all chains concurrently; return how many replies equal."""
    equal = 0

    async def send(chain: Sequence[tuple[list[int], TokenReply]]) -> None:
        nonlocal equal
        for prompt, reply in chain:
            forced = {"max_tokens": len(reply), "trace_decode_token_ids": list(reply)}
            found = await generate(endpoint, model, prompt, forced)
            equal += found == reply

    async with asyncio.TaskGroup() as group:
        for chain in chains:
            group.create_task(send(chain))
    return equal


async def run_simulator_step(work: StepContext) -> None:
    """Time closed loops; fit the simulated engine to one half and check it on the other."""
    name = "cpu-stand-in" if work.hardware.engine == "cpu" else "h200-qwen2.5-vl-7b"
    async with serve_step_engine(work, QWEN, 1) as serving:
        serving.require_token_ids("closed loops need its token endpoint")
        address, capacity = serving.started.address, serving.kv_tokens
        work.say("closed loops")
        seen = await measure(address.url, address.model or "", loads(), key=address.key or "")
        work.add_results(
            loops=[{**asdict(one.load), "turns_per_s": one.turns_per_second} for one in seen]
        )
        batch = _max_batched_tokens(serving.started.argv)
    profile = _initial_terms(load_engine_profile(name), capacity)
    profile = replace(profile, max_batched_tokens=batch or profile.max_batched_tokens)
    work.say("fitting")
    fit = await asyncio.to_thread(fit_half, profile, seen, FREE_TERMS)
    work.add_results(
        profile=name,
        terms={name: value for name, value in asdict(fit.profile.terms).items() if value},
        fitted_errors=[round(one, 4) for one in fit.fitted_errors],
        held_out_errors=[round(one, 4) for one in fit.held_out_errors],
        held_out_mean=fit.held_out_mean,
        held_out_worst=fit.held_out_worst,
    )
    work.set_headline(
        f"held-out half: mean error {fit.held_out_mean:.1%}, maximum {fit.held_out_worst:.1%}"
    )


async def run_offload_step(work: StepContext) -> None:
    """Compare greedy replies and speed with and without host memory behind a small KV cache."""
    _check_version(work, _OFFLOAD_SINCE, "offloading of the KV cache")
    is_cpu = work.hardware.engine == "cpu"
    if is_cpu and not work.rehearsal:
        raise StepSkipped("the CPU build has no GPU memory to offload from")
    arms = {"plain": (), "offload": () if is_cpu else ("--kv-offloading-size", str(_HOST_GIB))}
    found, replies = dict[str, Any](), dict[str, list[list[TokenReply]]]()
    if is_cpu:
        work.add_results(note="the CPU build cannot offload: both engines run without the flag")
    for place, (name, flags) in enumerate(arms.items()):
        async with serve_step_engine(work, QWEN, 4, pool=_POOL_TOKENS, flags=flags) as serving:
            flags_used = work.document["results"]["flags"]
            replies[name] = await _greedy_passes(work, serving)
            part = (work.seconds_left - 10) / (4 if place == 0 else 1)
            played = await serving.measure(OURS_CAPPED, max(1.0, part))
            found[name] = {"flags": flags_used, "play": played}
            work.add_results(arms=found)
    equality = compare_passes(replies["plain"], replies["offload"])
    work.add_results(equality=equality)
    work.set_headline(
        f"equal replies: {equality['offload_reloaded']} of {equality['prompts']} (without: "
        f"{equality['plain_repeated']}; other prompts: {equality['other_prompts']})"
    )
    if equality["offload_reloaded"] < equality["plain_repeated"]:
        raise ModelError(
            f"with offloading, {equality['offload_reloaded']} of {equality['prompts']} replies "
            f"equalled those without, but {equality['plain_repeated']} repeat without it: do not "
            "use it"
        )


def compare_passes(
    plain: list[list[TokenReply]], offloaded: list[list[TokenReply]]
) -> dict[str, int]:
    """Return how many replies are equal: between engines, between passes and between prompts."""

    def count(ones: Sequence[TokenReply], others: Sequence[TokenReply]) -> int:
        return sum(one == other for one, other in zip(ones, others, strict=True))

    return {
        "prompts": len(plain[0]),
        "plain_repeated": count(plain[0], plain[1]),
        "offload_cold": count(plain[0], offloaded[0]),
        "offload_reloaded": count(plain[1], offloaded[1]),
        "other_prompts": sum(one == other for one, other in pairwise(plain[0])),
    }


async def _greedy_passes(work: StepContext, serving: StepEngine) -> list[list[TokenReply]]:
    """Return the greedy replies to the same prompts in two passes, one request at a time."""
    serving.require_token_ids("the equality test needs its token endpoint")
    chance = Random(0)
    number = 8 if work.rehearsal else _PROMPTS
    prompts = [[chance.randrange(*_IDS) for _ in range(_PROMPT_TOKENS)] for _ in range(number)]
    address = serving.started.address
    work.say(f"{number} prompts twice, greedy")
    async with open_endpoint(address, max_requests=_CONNECTIONS) as endpoint:
        await reset_cache(endpoint)
        return [
            [await generate(endpoint, address.model or "", one, _GREEDY) for one in prompts]
            for _ in range(2)
        ]


async def generate(
    endpoint: Endpoint, model: str, prompt: list[int], sampling: dict[str, Any]
) -> TokenReply:
    """Return the token ids of the reply to a prompt in token ids, or raise `ModelError`."""
    fixed: dict[str, Any] = {"model": model, "token_ids": prompt, "output_mode": "tokens"}
    body = {**fixed, "sampling_params": {"temperature": 0, **sampling}}
    answer = await endpoint.post(json.dumps(body).encode(), GENERATE, max_bytes=_ANSWER_BYTES)
    if answer.status != HTTPStatus.OK:
        raise ModelError(f"{endpoint.url} answered {answer.status}: {endpoint.error_text(answer)}")
    try:
        return tuple(json.loads(answer.content)["choices"][0]["token_ids"])
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise ModelError(f"{endpoint.url} answered without token ids") from error


def _initial_terms(profile: EngineProfile, capacity: int) -> EngineProfile:
    """Return the profile with initial terms for a fit, and the engine's KV capacity."""
    now = asdict(profile.terms)
    terms = CostTerms(**now | {name: now[name] or _MIN_TERM for name in FREE_TERMS})
    return replace(profile, terms=terms, kv_tokens=capacity or profile.kv_tokens)


def _max_batched_tokens(argv: Sequence[str]) -> int:
    """Return the maximum tokens of an engine step; 0: its command does not set it."""
    flag = "--max-num-batched-tokens"
    return int(argv[argv.index(flag) + 1]) if flag in argv else 0


def _check_version(work: StepContext, since: tuple[int, int], what: str) -> None:
    found = work.hardware.engine_version
    numbers = tuple(int(one) if one.isdecimal() else 0 for one in found.split(".")[:2])
    if numbers < since:
        wanted = ".".join(map(str, since))
        raise StepSkipped(
            f"not on this server: {what} requires vLLM {wanted} or newer, got {found}"
        )
