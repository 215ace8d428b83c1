"""The doors of a simulated server: vLLM's shapes, its counting and its refusals."""

import asyncio
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from serving.engine_sim.sim_server import create_simulator, serve_simulator
from tests.serving.engine_sim.api_server.asking import (
    CHAT,
    GENERATE,
    Asker,
    named,
    png,
    seeing,
    shown,
    user,
)

LONG = "I was in the library at ten and I saw nobody there. " * 20


@asynccontextmanager
async def asking(**switches: Any) -> AsyncGenerator[Asker]:
    async with (
        serve_simulator(create_simulator("instant", **switches)) as url,
        aiohttp.ClientSession() as http,
    ):
        yield Asker(url, http)


def asked(check: Callable[[Asker], Awaitable[None]], **switches: Any) -> None:
    async def run() -> None:
        async with asking(**switches) as ask:
            await check(ask)

    asyncio.run(run())


def cached(said: dict[str, Any]) -> int:
    return said["usage"]["prompt_tokens_details"]["cached_tokens"]


@pytest.mark.slow
def test_the_same_prompt_gets_the_same_reply_by_text_and_by_tokens(folder: Path) -> None:
    async def check(ask: Asker) -> None:
        messages = [user(LONG), {"role": "assistant", "content": "Yes."}, user("Who?")]
        first = await ask.chat(messages, max_tokens=30)
        _, spelt = await ask.post("/tokenize", {"messages": messages})
        second = await ask.generate(spelt["tokens"], max_tokens=30)
        assert first["usage"]["prompt_tokens"] == spelt["count"]
        assert first["choices"][0]["message"]["content"] == second["choices"][0]["text"]
        assert first["choices"][0]["token_ids"] == second["choices"][0]["token_ids"]

    asked(check, tokenizer=folder)
    asked(check)


def test_cached_tokens_are_the_full_blocks_but_the_last_token() -> None:
    async def check(ask: Asker) -> None:
        prompt = list(range(500, 500 + 64))
        assert cached(await ask.generate(prompt, max_tokens=20, ignore_eos=True)) == 0
        assert cached(await ask.generate(prompt, max_tokens=20, ignore_eos=True)) == 48
        assert cached(await ask.generate([*prompt, 9], max_tokens=20)) == 64

    asked(check)


def test_the_next_prompt_finds_the_reply_before_it_but_its_last_token() -> None:
    async def check(ask: Asker) -> None:
        prompt = list(range(500, 500 + 60))
        for output, found in ((20, 64), (21, 80)):
            salted = {"cache_salt": f"{output}"}
            sampling = {"max_tokens": output, "ignore_eos": True}
            first = {"token_ids": prompt, "sampling_params": sampling, **salted}
            _, said = await ask.post(GENERATE, first)
            reply = said["choices"][0]["token_ids"]
            _, then = await ask.post(GENERATE, {**first, "token_ids": [*prompt, *reply, 7, 8]})
            assert cached(then) == found

    asked(check)


def test_prompts_of_different_salts_share_nothing() -> None:
    async def check(ask: Asker) -> None:
        first = {"messages": [user(LONG)], "cache_salt": "a"}
        await ask.post(CHAT, first)
        assert cached(await ask.chat([user(LONG)])) == 0
        assert cached(await ask.chat([user(LONG)], cache_salt="a")) > 100

    asked(check)


def test_a_small_cache_forgets_the_end_of_what_was_used_longest_ago() -> None:
    async def check(ask: Asker) -> None:
        prompts = [[number * 1000 + 64 + at for at in range(160)] for number in range(4)]
        for prompt in prompts:
            await ask.generate(prompt, max_tokens=1)
        assert cached(await ask.generate(prompts[3], max_tokens=1)) == 144
        # 32 blocks were to hold 41 (the last of a prompt said again lies there twice), so the
        # nine at the end of the oldest prompt are gone.
        assert cached(await ask.generate(prompts[0], max_tokens=1)) == 16

    asked(check, kv_tokens=33 * 16)


def test_a_choice_in_one_token_tells_the_probabilities_of_all_options(folder: Path) -> None:
    async def check(ask: Asker) -> None:
        first = [
            (await ask.post("/tokenize", {"prompt": option}))[1]["tokens"][0]
            for option in ("Ada", "Ben", "Cleo")
        ]
        said = await ask.chat(
            [user(LONG)],
            max_tokens=1,
            allowed_token_ids=first,
            logprobs=True,
            logprob_token_ids=[*first, 9],
            return_tokens_as_token_ids=True,
        )
        [content] = said["choices"][0]["logprobs"]["content"]
        told = {top["token"]: math.exp(top["logprob"]) for top in content["top_logprobs"]}
        assert set(told) == {f"token_id:{token}" for token in (*first, 9)}
        assert told.pop("token_id:9") < 1e-4
        assert sum(told.values()) == pytest.approx(0.8)
        assert content["token"] == f"token_id:{said['choices'][0]['token_ids'][0]}"
        _, spelt = await ask.post("/tokenize", {"messages": [user(LONG)]})
        body = {
            "token_ids": spelt["tokens"],
            "sampling_params": {
                "max_tokens": 1,
                "allowed_token_ids": first,
                "logprobs": 3,
                "logprob_token_ids": first,
            },
        }
        _, by_ids = await ask.post(GENERATE, body)
        [content] = by_ids["choices"][0]["logprobs"]["content"]
        assert {top["token_id"] for top in content["top_logprobs"]} == set(first)
        assert content["rank"] == 1

    asked(check, tokenizer=folder)


def test_a_picture_counts_what_its_pixels_cost_and_is_named_afterwards() -> None:
    async def check(ask: Asker) -> None:
        bare = await ask.chat([seeing(text="Look at it.")])
        first = await ask.chat([seeing(shown(1), text="Look at it.")])
        # 280 x 140 pixels are 10 x 5 tokens, between two tokens of vision.
        assert first["usage"]["prompt_tokens"] == bare["usage"]["prompt_tokens"] + 52
        second = await ask.chat([seeing(named(1), text="Look at it.")])
        assert second["usage"]["prompt_tokens"] == first["usage"]["prompt_tokens"]
        assert cached(second) == cached(await ask.chat([seeing(shown(1), text="Look at it.")])) > 32
        assert cached(await ask.chat([seeing(shown(2), text="Look at it.")])) < 32
        metrics = await ask.metrics()
        assert metrics["vllm:mm_cache_queries_total"] == 4
        assert metrics["vllm:mm_cache_hits_total"] == 2

    asked(check)


def test_pictures_by_tokens_are_those_of_a_chat() -> None:
    async def check(ask: Asker) -> None:
        messages = [seeing(shown(1), shown(2)), user(LONG)]
        chat = await ask.chat(messages)
        _, spelt = await ask.post("/tokenize", {"messages": messages})
        parts = [{"type": "image_url", "url": None, "uuid": png(number)[1]} for number in (1, 2)]
        body: dict[str, Any] = {
            "token_ids": spelt["tokens"],
            "content_parts": parts,
            "sampling_params": {},
        }
        status, said = await ask.post(GENERATE, body)
        assert status == 200
        assert said["usage"]["prompt_tokens"] == chat["usage"]["prompt_tokens"]
        assert said["choices"][0]["token_ids"] == chat["choices"][0]["token_ids"]
        assert cached(said) > 300
        status, refused = await ask.post(GENERATE, {**body, "content_parts": parts[:1]})
        assert status == 400
        assert "placeholders" in refused["error"]["message"]

    asked(check)


def test_a_picture_that_nobody_sent_is_missed_in_vllms_words() -> None:
    async def check(ask: Asker) -> None:
        status, said = await ask.post(CHAT, {"messages": [seeing(shown(1), named(2))]})
        assert status == 400
        assert said["error"]["message"] == (
            "Cache miss for image at index 1 but data is not provided."
        )
        assert said["error"]["type"] == "BadRequestError"
        # Nothing of a refused request is kept.
        status, said = await ask.post(CHAT, {"messages": [seeing(named(1))]})
        assert status == 400

    asked(check)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("data:image/png;base64,bm90IGEgcGljdHVyZQ==", "Failed to load image"),
        ("data:image/png;base64,???", "Failed to load image"),
        ("http://127.0.0.1/x.png", "wanted a base64 data URL"),
    ],
)
def test_what_is_no_picture_is_refused(url: str, words: str) -> None:
    async def check(ask: Asker) -> None:
        part = {"type": "image_url", "image_url": {"url": url}}
        status, said = await ask.post(CHAT, {"messages": [seeing(part)]})
        assert status == 400
        assert words in said["error"]["message"]

    asked(check)


def test_prompts_that_do_not_fit_are_refused_in_vllms_words() -> None:
    async def check(ask: Asker) -> None:
        chats: dict[str, dict[str, Any]] = {
            "at least 101 input tokens": {"messages": [user(LONG)]},
            "max_tokens=101 cannot be greater than max_model_len=100": {
                "messages": [user("Hi")],
                "max_tokens": 101,
            },
            "longer than the maximum model length of 100": {
                "messages": [seeing(shown(1), shown(2))]
            },
        }
        for words, body in chats.items():
            status, said = await ask.post(CHAT, body)
            assert (status, words in said["error"]["message"]) == (400, True), said
        for count, words in ((100, "plus the number of requested"), (101, "is longer than")):
            nothing: dict[str, Any] = {"token_ids": [70] * count, "sampling_params": {}}
            status, said = await ask.post(GENERATE, nothing)
            assert (status, words in said["error"]["message"]) == (400, True), said
        said = await ask.generate([70] * 99, max_tokens=50)
        assert said["usage"]["completion_tokens"] == 1

    asked(check, context=100)


def test_what_is_no_request_is_refused() -> None:
    async def check(ask: Asker) -> None:
        refused: list[tuple[str, dict[str, Any], int]] = [
            (CHAT, {}, 400),
            (CHAT, {"messages": [user("Hi")], "model": "other"}, 404),
            (CHAT, {"messages": [user("Hi")], "stream": True}, 400),
            (
                CHAT,
                {
                    "messages": [user("Hi")],
                    "allowed_token_ids": [70],
                    "logprobs": True,
                    "top_logprobs": 21,
                },
                400,
            ),
            (CHAT, {"messages": [user("Hi")], "logprobs": True}, 400),
            (CHAT, {"messages": [user("Hi")], "structured_outputs": {"regex": "a"}}, 400),
            (CHAT, {"messages": [user("Hi")], "response_format": {"type": "json_object"}}, 400),
            (
                CHAT,
                {"messages": [user("Hi")], "structured_outputs": {"json": {"type": "array"}}},
                400,
            ),
            (CHAT, {"messages": [user("Hi")], "min_tokens": 3, "max_tokens": 2}, 400),
            (GENERATE, {"token_ids": [], "sampling_params": {}}, 400),
            (GENERATE, {"token_ids": [-1], "sampling_params": {}}, 400),
            ("/faults", {"nonsense": 1}, 400),
        ]
        for path, body, status in refused:
            came, said = await ask.post(path, body)
            assert came == status, said
            assert said["error"]["code"] == status

    asked(check)


def test_a_server_without_the_token_door_says_so() -> None:
    async def check(ask: Asker) -> None:
        async with aiohttp.ClientSession() as http, http.post(ask.url + GENERATE) as answer:
            assert answer.status == 404

    asked(check, token_in=False)


def test_metrics_have_vllms_names_and_are_prometheus_text() -> None:
    async def check(ask: Asker) -> None:
        first = await ask.chat([user(LONG)])
        second = await ask.chat([user(LONG)])
        _, page = await ask.get("/metrics")
        families = {family.name: family for family in text_string_to_metric_families(page)}
        [info] = families["vllm:cache_config_info"].samples
        assert info.labels["block_size"] == "16"
        assert int(info.labels["num_gpu_blocks"]) * 16 == int(info.labels["kv_cache_size_tokens"])
        values = await ask.metrics()
        prompts = first["usage"]["prompt_tokens"] * 2
        assert values["vllm:prefix_cache_queries_total"] == prompts
        assert values["vllm:prefix_cache_hits_total"] == cached(second)
        assert values["vllm:request_prefill_kv_computed_tokens_sum"] == prompts - cached(second)
        assert values["vllm:request_prefill_kv_computed_tokens_count"] == 2
        assert values["vllm:iteration_tokens_total_count"] > 0
        assert values["vllm:num_requests_running"] == values["vllm:num_requests_waiting"] == 0
        assert values["vllm:num_preemptions_total"] == 0
        assert "vllm:kv_cache_usage_perc" in values

    asked(check)


def test_caches_are_emptied_on_demand() -> None:
    async def check(ask: Asker) -> None:
        messages = [seeing(shown(1)), user(LONG)]
        await ask.chat(messages)
        assert await ask.post("/reset_prefix_cache") == (200, {"success": True})
        assert cached(await ask.chat(messages)) == 0
        await ask.post("/reset_encoder_cache")
        await ask.chat([seeing(named(1))])
        await ask.post("/reset_mm_cache")
        status, _ = await ask.post(CHAT, {"messages": [seeing(named(1))]})
        assert status == 400

    asked(check)


def test_texts_have_vectors_that_are_alike_where_the_texts_are() -> None:
    async def check(ask: Asker) -> None:
        body = {"input": [LONG, LONG.upper(), "他把信藏在钢琴里。", ""], "encoding_format": "float"}
        status, said = await ask.post("/v1/embeddings", body)
        assert (status, [one["index"] for one in said["data"]]) == (200, [0, 1, 2, 3])
        first, same, other, empty = (one["embedding"] for one in said["data"])
        assert first == same
        assert sum(a * b for a, b in zip(first, other, strict=True)) < 0.3
        for vector in (first, other, empty):
            assert math.hypot(*vector) == pytest.approx(1.0)
        _, alone = await ask.post("/v1/embeddings", {"input": LONG})
        assert alone["data"][0]["embedding"] == first
        for wrong in ({"input": 3}, {"input": "a", "encoding_format": "base64"}, {}):
            assert (await ask.post("/v1/embeddings", wrong))[0] == 400
        unknown = {"input": "a", "model": "another"}
        assert (await ask.post("/v1/embeddings", unknown))[0] == 404

    asked(check)
