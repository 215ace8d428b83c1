"""The stand-in's scheduler beside vLLM's own, step by step, on random requests.

A program of its own, since vLLM changes the process that it is imported into:
`python -m tests.serving.engine_sim.beside_vllm FOLDER FIRST LAST` plays the histories of these
seeds with the configuration of the model in FOLDER, and ends with 1 at the first difference.
"""

import json
import random
import sys
from collections import Counter
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.caches.prompt_segments import PromptSegment, SegmentPrompt
from serving.engine_sim.cost_model.engine_profile import CostTerms, EngineProfile
from serving.engine_sim.engine_loop.scheduler import Scheduler
from serving.engine_sim.engine_loop.scheduler_steps import RequestState
from tests.serving.engine_sim.segments import allocate, prompt_length

BLOCK = 16
ENCODER = 64
PICTURE = 30
STEPS = 150


def vllm(path: str) -> Any:
    """Return something of vLLM's, whose types are not ours to check."""
    module, name = path.rsplit(".", 1)
    return getattr(import_module(f"vllm.{module}"), name)


def real_scheduler(folder: str, profile: EngineProfile) -> Any:
    """Return vLLM's scheduler with the limits of a profile; no engine, no weights."""
    model = vllm("config.ModelConfig")(
        model=folder, tokenizer=folder, dtype="float16", max_model_len=32_768, seed=0
    )
    limits = vllm("config.SchedulerConfig")(
        max_num_seqs=profile.max_seqs,
        max_num_batched_tokens=profile.max_batched_tokens,
        max_model_len=32_768,
        enable_chunked_prefill=True,
        policy=profile.policy,
        watermark=profile.watermark,
        async_scheduling=False,
        is_encoder_decoder=False,
    )
    memory = vllm("config.CacheConfig")(block_size=BLOCK, enable_prefix_caching=True)
    config = vllm("config.VllmConfig")(
        scheduler_config=limits,
        model_config=model,
        cache_config=memory,
        device_config=vllm("config.DeviceConfig")("cpu"),
    )
    spec = vllm("v1.kv_cache_interface.FullAttentionSpec")(
        block_size=BLOCK, num_kv_heads=1, head_size=1, dtype=import_module("torch").float32
    )
    group = vllm("v1.kv_cache_interface.KVCacheGroupSpec")(["layer"], spec)
    memory.num_gpu_blocks = profile.blocks
    made = vllm("v1.core.sched.scheduler.Scheduler")(
        vllm_config=config,
        kv_cache_config=vllm("v1.kv_cache_interface.KVCacheConfig")(
            num_blocks=profile.blocks, kv_cache_tensors=[], kv_cache_groups=[group]
        ),
        log_stats=True,
        structured_output_manager=vllm("v1.structured_output.StructuredOutputManager")(config),
        block_size=BLOCK,
        hash_block_size=BLOCK,
    )
    encoder = made.encoder_cache_manager
    encoder.cache_size = encoder.num_free_slots = encoder.num_freeable_slots = ENCODER
    made.max_num_encoder_input_tokens = ENCODER
    assert made.scheduler_reserve_full_isl
    return made


class Beside:
    """One history: the real scheduler and ours are given the same requests."""

    def __init__(self, folder: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.profile = EngineProfile(
            name="random",
            basis="a test",
            kv_tokens=self.rng.choice([20, 40, 80]) * BLOCK,
            block=BLOCK,
            max_batched_tokens=self.rng.choice([64, 128, 512]),
            max_seqs=self.rng.choice([3, 8, 64]),
            encoder_tokens=ENCODER,
            context_tokens=32_768,
            terms=CostTerms(),
            policy=self.rng.choice(["fcfs", "priority"]),
            watermark=self.rng.choice([0.0, 0.1]),
        )
        self.real = real_scheduler(folder, self.profile)
        self.hashes = vllm("v1.core.kv_cache_utils.get_request_block_hasher")(
            BLOCK, vllm("utils.hashing.sha256")
        )
        blocks = self.profile.blocks
        self.ours = Scheduler(self.profile, BlockCache(blocks, BLOCK))
        self.ids: dict[tuple[str, int], int] = {}
        self.logs: list[list[PromptSegment]] = [
            [
                PromptSegment("rules", self.rng.randrange(1, 40)),
                PromptSegment(f"s{n}", self.rng.randrange(1, 60)),
            ]
            for n in range(5)
        ]
        self.asked: dict[int, tuple[Any, int]] = {}
        self.seen: Counter[str] = Counter()
        self.counted = SimpleNamespace(queries=0, hits=0)
        self.read_stats = self.real.kv_cache_manager.make_prefix_cache_stats
        self.real.kv_cache_manager.make_prefix_cache_stats = self.count

    def count(self) -> Any:
        stats = self.read_stats()
        if stats is not None:
            self.counted.queries += stats.queries
            self.counted.hits += stats.hits
        return stats

    def token(self, key: str, at: int) -> int:
        return self.ids.setdefault((key, at), len(self.ids) + 10)

    def play(self) -> Counter[str]:
        for step in range(STEPS):
            for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
                self.ask(step)
            self.step()
        self.count()
        ours = self.ours
        counters = ours.counters
        assert (counters.queries, counters.hits) == (self.counted.queries, self.counted.hits)
        self.seen["hits"] += self.counted.hits
        self.seen["evicted"] += self.ours.cache.evicted
        return self.seen

    def ask(self, step: int) -> None:
        rng = self.rng
        seat = rng.randrange(len(self.logs))
        if rng.random() < 0.2:
            self.logs[seat].append(PromptSegment(f"picture{rng.randrange(6)}", PICTURE))
        elif rng.random() < 0.4:
            self.logs[seat].append(PromptSegment(f"n{step}/{seat}", rng.randrange(1, 50)))
        prompt, output = tuple(self.logs[seat]), rng.randrange(1, 30)
        if prompt_length(prompt) + output > (self.profile.blocks - 1) * BLOCK:
            del self.logs[seat][2:]
            return
        priority = rng.randrange(3) if self.profile.policy == "priority" else 0
        self.add(seat, prompt, output, priority)

    def add(self, seat: int, prompt: SegmentPrompt, output: int, priority: int) -> None:
        number = len(self.asked)
        placed: list[PlacedPicture] = []
        tokens: list[int] = []
        for key, size in prompt:
            if key.startswith("picture"):
                placed.append(PlacedPicture(key=key, start=len(tokens), tokens=size))
            tokens += [self.token(key, at) for at in range(size)]
        features = [
            vllm("multimodal.inputs.MultiModalFeatureSpec")(
                data=None,
                modality="image",
                identifier=one.key,
                mm_position=vllm("multimodal.inputs.PlaceholderRange")(
                    offset=one.start, length=one.tokens
                ),
                mm_hash=one.key,
            )
            for one in placed
        ]
        real = vllm("v1.request.Request")(
            request_id=str(number),
            prompt_token_ids=tokens,
            sampling_params=vllm("sampling_params.SamplingParams")(
                max_tokens=output, min_tokens=output, ignore_eos=True
            ),
            pooling_params=None,
            mm_features=features or None,
            priority=priority,
            arrival_time=float(number),
            block_hasher=self.hashes,
        )
        self.asked[number] = (real, seat)
        self.real.add_request(real)
        ours = self.ours
        sequence = RequestState(
            number=number,
            allocation=allocate(ours.cache, prompt, f"r{number}", output),
            prompt=prompt_length(prompt),
            output=output,
            priority=priority,
            pictures=tuple(placed),
        )
        ours.add(sequence)

    def step(self) -> None:
        planned = self.real.schedule()
        parts = {int(key): tokens for key, tokens in planned.num_scheduled_tokens.items()}
        encoded = sum(map(len, planned.scheduled_encoder_inputs.values())) * PICTURE
        ours = self.ours
        step = ours.schedule()
        assert {one.number: tokens for one, tokens in step.parts.items()} == parts
        assert step.work.pictures == encoded
        ours.finish_step(step, 1)
        self.seen["steps"] += 1
        self.seen["encoded"] += encoded
        self.seen["preempted"] += len(planned.preempted_req_ids or ())
        self.answer(planned, parts)
        pool = self.real.kv_cache_manager.block_pool
        running = [int(one.request_id) for one in self.real.running]
        ours = self.ours
        assert ours.cache.free == pool.get_num_free_blocks()
        assert [one.number for one in ours.running] == running

    def answer(self, planned: Any, parts: dict[int, int]) -> None:
        """Tell vLLM what a model would have answered; what is whole enters its seat's log."""
        if not parts:
            return
        sampled: list[list[int]] = []
        for number in parts:
            real, _ = self.asked[number]
            whole = real.num_computed_tokens >= real.num_tokens
            sampled.append([self.token(f"r{number}", real.num_output_tokens)] if whole else [])
        before = dict(self.real.requests)
        names = list(map(str, parts))
        output = vllm("v1.outputs.ModelRunnerOutput")(
            req_ids=names,
            req_id_to_index={name: at for at, name in enumerate(names)},
            sampled_token_ids=sampled,
            logprobs=None,
            prompt_logprobs_dict={},
            pooler_output=[],
        )
        self.real.update_from_output(planned, output)
        for name in before:
            if name not in self.real.requests and self.rng.random() < 0.7:
                real, seat = self.asked[int(name)]
                self.logs[seat].append(PromptSegment(f"r{name}", real.num_output_tokens))


def main(folder: str, first: str, last: str) -> None:
    """Play the histories of some seeds; say what was seen as one line of JSON."""
    vllm("v1.core.kv_cache_utils.init_none_hash")(vllm("utils.hashing.sha256"))
    seen: Counter[str] = Counter()
    for seed in range(int(first), int(last)):
        try:
            seen += Beside(folder, seed).play()
        except AssertionError:
            sys.stderr.write(f"seed {seed} differs\n")
            raise
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
