"""A simulated reply is drawn from the request's id, so equal prompts differ and runs repeat."""

import asyncio
from array import array
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.run.launch import RunResult, start_run
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript
from serving.engine_sim.api_server.request_bodies import GenerationParams, RequestBody
from serving.engine_sim.engine_loop.virtual_time import run_virtual
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from serving.engine_sim.simulator import SimRequest
from tests.arena.run.stage import config, save_case
from tests.serving.engine_sim.api_server.asking import CHAT, GENERATE, user

BODIES: Mapping[str, dict[str, Any]] = {
    CHAT: {"messages": [user("Who was in the library at ten?")], "max_tokens": 60},
    GENERATE: {
        "token_ids": list(range(500, 540)),
        "sampling_params": {"max_tokens": 60},
        "output_mode": "text",
    },
}
BOTH = pytest.mark.parametrize("path", list(BODIES))
WISH = GenerationParams(max_tokens=40, min_tokens=0, ignore_eos=False)

Ask = Callable[..., Awaitable[str]]


def asked(path: str, check: Callable[[Ask], Awaitable[None]], **switches: Any) -> None:
    """Run `check` with a function that returns the reply to a request with these ids."""

    async def run() -> None:
        async with (
            serve_simulator(create_simulator("instant", **switches)) as url,
            aiohttp.ClientSession() as http,
        ):

            async def ask(header: str | None = None, **more: str) -> str:
                headers = {} if header is None else {"X-Request-Id": header}
                body = BODIES[path] | more
                async with http.post(url + path, json=body, headers=headers) as answer:
                    assert answer.status == 200, await answer.text()
                    [choice] = (await answer.json())["choices"]
                    return choice.get("text") or choice["message"]["content"]

            await check(ask)

    asyncio.run(run())


@pytest.mark.slow
@BOTH
def test_equal_prompts_of_different_ids_get_different_replies_and_of_equal_ids_the_same(
    path: str,
) -> None:
    async def check(ask: Ask) -> None:
        replies = [await ask(f"match-{number}:Ada:1") for number in range(8)]
        assert len(set(replies)) == 8
        assert [await ask(f"match-{number}:Ada:1") for number in range(8)] == replies

    asked(path, check)


@BOTH
def test_an_id_counts_in_the_header_and_in_the_body_and_the_header_goes_first(path: str) -> None:
    async def check(ask: Ask) -> None:
        assert await ask("a") == await ask(request_id="a") == await ask("a", request_id="b")
        assert await ask("a") != await ask("b")

    asked(path, check)


@BOTH
def test_what_follows_the_last_tilde_of_an_id_changes_nothing(path: str) -> None:
    async def check(ask: Ask) -> None:
        assert await ask("a~b~0001") == await ask("a~b~0002") == await ask("a~b~")
        assert await ask("a~b~0001") != await ask("a~c~0001")

    asked(path, check)


@BOTH
def test_a_request_without_an_id_is_answered_by_its_prompt(path: str) -> None:
    async def check(ask: Ask) -> None:
        assert await ask() == await ask() == await ask(request_id="")
        assert await ask() != await ask("a")

    asked(path, check)


@BOTH
def test_servers_of_different_seeds_reply_differently(path: str) -> None:
    found = defaultdict[str, list[str]](list)

    async def check(ask: Ask) -> None:
        found["with"].append(await ask("a"))
        found["without"].append(await ask())

    for seed in (1, 2, 1):
        asked(path, check, seed=seed)
    for first, second, again in found.values():
        assert first == again != second


def replies_of(ids: Sequence[str], wait: Mapping[str, float]) -> dict[str, str]:
    """Return the reply to each id; all prompts are the same, each comes after its wait."""

    async def run() -> dict[str, str]:
        state = create_simulator("h200-qwen2.5-vl-7b", reply_tokens=12)
        found: dict[str, str] = {}

        async def one(request_id: str) -> None:
            await asyncio.sleep(wait[request_id])
            answered = await state.answer(
                SimRequest(
                    ids=array("I", range(500, 600)),
                    pictures=(),
                    params=WISH,
                    body=RequestBody(request_id=request_id),
                    text_in=False,
                )
            )
            found[request_id] = answered.reply.text

        async with asyncio.TaskGroup() as group:
            for request_id in ids:
                group.create_task(one(request_id))
        return found

    return run_virtual(run())


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(data=st.data(), ids=st.lists(st.text(min_size=1), min_size=2, max_size=8, unique=True))
def test_replies_do_not_depend_on_the_order_of_arrival(data: st.DataObject, ids: list[str]) -> None:
    times = st.fixed_dictionaries({one: st.floats(0, 2) for one in ids})
    alone = {one: replies_of([one], {one: 0.0})[one] for one in ids}
    assert replies_of(ids, data.draw(times)) == alone
    assert replies_of(data.draw(st.permutations(ids)), data.draw(times)) == alone


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


def play(loaded: LoadedScript, path: Path, concurrency: int, **more: Any) -> RunResult:
    """Play two matches of one seed, twins with exchanged sides that one model plays alike."""

    async def both() -> RunResult:
        state = create_simulator("instant", context=32_768, kv_tokens=1_000_000)
        async with serve_simulator(state) as url:
            name = f"{url}/v1"
            wanted = config(loaded, name, name, swap=True, **more)
            observer = BaseObserver()
            return await start_run(
                wanted, [loaded], path, concurrency=concurrency, observer=observer
            )

    return asyncio.run(both())


def replies(played: RunResult) -> list[dict[str, str]]:
    """Return the replies of every match by their calls."""
    return [
        {
            str(name): call.completion.text
            for name, call in match.calls().items()
            if call.completion is not None
        }
        for match in played.run.matches()
    ]


@pytest.mark.slow
def test_equal_matches_on_one_server_differ(loaded: LoadedScript, tmp_path: Path) -> None:
    one, two = replies(play(loaded, tmp_path / "run", 2))
    shared = one.keys() & two.keys()
    assert len(shared) > 12
    differing = [name for name in shared if one[name] != two[name]]
    assert len(differing) > 0.5 * len(shared)


@pytest.mark.slow
def test_the_same_run_twice_is_the_same_whatever_number_of_matches_is_live(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    first = replies(play(loaded, tmp_path / "first", 2))
    assert first == replies(play(loaded, tmp_path / "again", 2))
    assert first == replies(play(loaded, tmp_path / "alone", 1))
