"""What is read from the counters of a vLLM server."""

from contextlib import AsyncExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models.http.server_metrics import Counters, KvCache, parse_capacity, parse_counters
from tests.arena.models.conversation import run, talking
from tests.fakes.openai_server import FakeServer, fake_server
from tests.long_texts import PIECES, slow_pieces

SAID = """# HELP vllm:cache_config_info Information of the LLMEngine CacheConfig
# TYPE vllm:cache_config_info gauge
vllm:cache_config_info{_block_size_resolved="True",block_size="128",effective_attention_block_size=\
"64",engine="0",kv_cache_size_tokens="1048576",note="a \\"quoted\\", odd = {thing}",\
num_cpu_blocks="None",num_gpu_blocks="8192",num_gpu_blocks_override="None"} 1.0
vllm:num_requests_running{engine="0",model_name="m"} 3.0
vllm:num_requests_waiting{engine="0",model_name="m"} 2.0
vllm:num_requests_waiting_by_reason{engine="0",model_name="m",reason="capacity"} 2.0
vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.25
vllm:prefix_cache_queries_total{engine="0",model_name="m"} 1.234567e+06
vllm:prefix_cache_queries_created{engine="0",model_name="m"} 1.7952655199503667e+09
vllm:prefix_cache_hits_total{engine="0",model_name="m"} 1000.0
vllm:external_prefix_cache_hits_total{engine="0",model_name="m"} 5.0
vllm:mm_cache_queries_total{engine="0",model_name="m"} 12.0
vllm:mm_cache_hits_total{engine="0",model_name="m"} 11.0
vllm:num_preemptions_total{engine="0",model_name="m"} 4.0
vllm:prompt_tokens_total{engine="0",model_name="m"} 2000.0
vllm:prompt_tokens_by_source_total{engine="0",model_name="m",source="local_compute"} 900.0
vllm:generation_tokens_total{engine="0",model_name="m"} 77.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"} 6.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 2.0
vllm:request_prefill_kv_computed_tokens_sum{engine="0",model_name="m"} 900.0
vllm:iteration_tokens_total_bucket{engine="0",le="1.0",model_name="m"} 50.0
vllm:iteration_tokens_total_count{engine="0",model_name="m"} 60.0
vllm:iteration_tokens_total_sum{engine="0",model_name="m"} 977.0
vllm:broken{engine="0"} often
process_open_fds 9.0
"""
COUNTED = Counters(
    prefix_queries=1234567,
    prefix_hits=1000,
    prompt_tokens=2000,
    output_tokens=77,
    computed_tokens=900,
    finished=8,
    preemptions=4,
    running=3,
    waiting=2,
    kv_usage=0.25,
    mm_queries=12,
    mm_hits=11,
    steps=60,
    step_tokens=977,
)


def test_the_cache_of_an_engine_is_read_and_one_block_of_it_holds_nothing() -> None:
    cache = parse_capacity(SAID)
    assert cache == KvCache(tokens=1048576, block_tokens=128, blocks=8192)
    assert cache is not None
    assert cache.usable == 1048576 - 128


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ('block_size="16",num_gpu_blocks="100"', KvCache(tokens=1600, block_tokens=16, blocks=100)),
        (
            'block_size="16",kv_cache_size_tokens="1600",num_gpu_blocks="None"',
            KvCache(tokens=1600, block_tokens=16, blocks=100),
        ),
        ('block_size="None",num_gpu_blocks="100"', None),
        ('block_size="16"', None),
        ("", None),
    ],
)
def test_a_cache_is_read_from_what_there_is(labels: str, expected: KvCache | None) -> None:
    assert parse_capacity(f"vllm:cache_config_info{{{labels}}} 1.0\n") == expected


def test_what_is_counted_is_read() -> None:
    assert parse_counters(SAID) == COUNTED


def test_engines_behind_one_url_are_added_and_the_fullest_counts() -> None:
    second = SAID.replace('engine="0"', 'engine="1"').replace("0.25", "0.5")
    both = parse_counters(SAID + second)
    assert both.prefix_hits == 2 * COUNTED.prefix_hits
    assert both.finished == 2 * COUNTED.finished
    assert both.kv_usage == 0.5


def test_counters_without_their_usual_ending_are_read_too() -> None:
    assert parse_counters("vllm:prefix_cache_hits 7\n").prefix_hits == 7


@given(st.text(max_size=200))
def test_other_texts_count_nothing(text: str) -> None:
    assert parse_counters(text) == Counters()
    assert parse_capacity(text) is None


def test_an_endpoint_tells_its_metrics_where_it_has_any() -> None:
    async def told(server: FakeServer) -> tuple[str | None, KvCache | None]:
        async with fake_server(server), talking(server) as (endpoint, _):
            return await endpoint.metrics(), endpoint.probe_result.kv

    text, cache = run(lambda: told(FakeServer(blocks=9)))
    assert text is not None
    assert cache == parse_capacity(text) == KvCache(tokens=144, block_tokens=16, blocks=9)
    assert run(lambda: told(FakeServer(blocks=0))) == (None, None)
    assert run(lambda: told(FakeServer(engine=""))) == (None, None)


def test_an_endpoint_that_is_gone_tells_no_metrics() -> None:
    async def play() -> None:
        serving = AsyncExitStack()
        server = await serving.enter_async_context(fake_server())
        async with talking(server) as (endpoint, _):
            await serving.aclose()
            assert await endpoint.metrics() is None

    run(play)


@pytest.mark.slow
@pytest.mark.parametrize(
    "start",
    ["", "vllm:cache_config_info{", 'vllm:cache_config_info{block_size="', "vllm:x "],
)
def test_any_counters_are_read_in_linear_time(start: str) -> None:
    def parse(text: str) -> None:
        parse_counters(text)
        parse_capacity(f"{text}}} 1\n")

    pieces = (
        *PIECES,
        "vllm:",
        "vllm:x",
        "vllm:x\n",
        "vllm:x{",
        "} ",
        'a="',
        'a="\\"',
        "vllm:x 1\n",
    )
    assert slow_pieces(parse, pieces, start=start) == []


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e308", "9" * 5000, "1e999"])
def test_a_count_that_cannot_be_counts_nothing(value: str) -> None:
    text = f"vllm:prompt_tokens_total {value}\n" * 3
    assert parse_counters(text) == Counters()
    labels = f'block_size="{value}",num_gpu_blocks="9",kv_cache_size_tokens="{value}"'
    assert parse_capacity(f"vllm:cache_config_info{{{labels}}} 1.0\n") is None
