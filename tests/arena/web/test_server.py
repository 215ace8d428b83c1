"""The web server on a real socket: pages, streams that resume, and what it refuses."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientTimeout
from aiohttp.test_utils import TestServer

from arena.core.actions import Action
from arena.core.requests import DecisionRequest
from arena.web.security import COOKIE, LOOPBACK, Access
from arena.web.web_server import make_app
from tests.arena.cli.tiny import ISLAND, LAMP, lively
from tests.arena.web.recorded import PNG, make_run, write
from tests.table import NAMES, case, secret

MATCH = "/runs/one/matches/lamp-room-en-s7"
Visit = Callable[[ClientSession], Awaitable[None]]


def visit(folder: Path, do: Visit, access: Access = Access()) -> None:  # noqa: B008 - a frozen value
    async def run() -> None:
        async with TestServer(make_app(folder, access)) as server:
            timeout = ClientTimeout(total=20)
            async with ClientSession(server.make_url("/"), timeout=timeout) as client:
                await do(client)

    asyncio.run(run())


async def text_of(client: ClientSession, path: str, status: int = 200) -> str:
    async with client.get(path) as answer:
        assert answer.status == status, await answer.text()
        return await answer.text()


def ids(page: str) -> list[int]:
    return [int(one) for one in re.findall(r'<article id="e(\d+)"', page)]


def test_a_finished_match_is_a_page_with_every_event_that_a_spectator_may_see(
    tmp_path: Path,
) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)

    async def look(client: ClientSession) -> None:
        index = await text_of(client, "/")
        assert 'href="/runs/one"' in index
        run = await text_of(client, "/runs/one")
        assert f'href="{MATCH}"' in run
        page = await text_of(client, MATCH)
        shown = ids(page)
        assert shown == sorted(set(shown))
        assert shown[-1] == len(events)
        assert "I heard the boathouse door." in page
        assert "A wet oar" not in page, "only its owner sees that clue"
        assert "data-stream" not in page
        assert '<details class="truth">' in page

    visit(tmp_path, look)


def test_a_chinese_match_is_told_in_chinese(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", ISLAND)
    write(record, events)

    async def look(client: ClientSession) -> None:
        page = await text_of(client, "/runs/one/matches/deng-ta-zh-s7")
        assert '<html lang="zh">' in page
        assert "回放" in page
        assert "我是顾明" in page

    visit(tmp_path, look)


async def read_stream(
    client: ClientSession, path: str, until: int, headers: dict[str, str] | None = None
) -> list[tuple[int, str]]:
    """Return the messages of a stream up to the event `until`."""
    found: list[tuple[int, str]] = []
    async with client.get(path, headers=headers) as answer:
        assert answer.content_type == "text/event-stream"
        number, data = 0, list[str]()
        async for raw in answer.content:
            line = raw.decode().rstrip("\n")
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
            elif not line and number:
                found.append((number, "\n".join(data)))
                if number >= until:
                    return found
                data = []
    return found


def test_a_live_match_is_followed_and_resumed_at_the_next_event(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events[:10])

    async def look(client: ClientSession) -> None:
        page = await text_of(client, MATCH)
        assert f'data-stream="{MATCH}/events?as="' in page
        assert 'data-last="10"' in page
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(
                read_stream(client, f"{MATCH}/events?after=10", until=len(events) - 5)
            )
            await asyncio.sleep(0.3)
            write(record, events[10:20])
            await asyncio.sleep(0.3)
            write(record, events[20:-5])
        numbers = [number for number, _ in reading.result()]
        assert numbers == list(range(11, len(events) - 4))
        write(record, events[-5:])
        again = await read_stream(
            client, f"{MATCH}/events", until=len(events), headers={"Last-Event-ID": "20"}
        )
        assert [number for number, _ in again] == list(range(21, len(events) + 1))
        whole = await text_of(client, MATCH)
        for number, html in again:
            assert not html or f'id="e{number}"' in html
            assert not html or html.strip() in whole, "live and later it is the same fragment"

    visit(tmp_path, look)


def test_a_server_that_starts_again_goes_on_where_the_watcher_was(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events[:12])
    seen: list[int] = []

    async def first(client: ClientSession) -> None:
        seen.extend(n for n, _ in await read_stream(client, f"{MATCH}/events", until=12))

    async def second(client: ClientSession) -> None:
        after = {"Last-Event-ID": str(seen[-1])}
        found = await read_stream(client, f"{MATCH}/events", until=len(events), headers=after)
        seen.extend(number for number, _ in found)

    visit(tmp_path, first)
    write(record, events[12:])
    visit(tmp_path, second)
    assert seen == list(range(1, len(events) + 1))


def test_a_picture_is_sent_by_its_hash_for_ever_and_nothing_else_is(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one")
    write(record, events)

    async def look(client: ClientSession) -> None:
        page = await text_of(client, MATCH)
        [address, *_] = re.findall(r'src="(/runs/one/pictures/[0-9a-f]{64})"', page)
        async with client.get(address) as answer:
            assert await answer.read() == PNG
            assert answer.content_type == "image/png"
            assert "immutable" in answer.headers["Cache-Control"]
        for wrong in ("/runs/one/pictures/" + "0" * 64, "/runs/one/pictures/run.json"):
            assert "immutable" not in (await text_of(client, wrong, status=404))

    visit(tmp_path, look)


@pytest.mark.parametrize(
    "path",
    [
        "/runs/none",
        "/runs/..",
        "/runs/%2e%2e/matches/x",
        f"/runs/{'x' * 3000}",
        "/runs/one/matches/..%2f..%2fetc",
        "/runs/one/matches/none",
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/runs/one/pictures/..%2frun.json",
    ],
)
def test_no_path_leaves_the_folder_of_runs(tmp_path: Path, path: str) -> None:
    make_run(tmp_path / "runs" / "one")
    (tmp_path / "secret").write_text("SECRET")

    async def look() -> bytes:
        async with TestServer(make_app(tmp_path / "runs", Access())) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.make_url("/").port)
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
            )
            answer = await reader.read()
            writer.close()
            return answer

    answer = asyncio.run(look())
    assert re.match(rb"HTTP/1.1 40[034] ", answer), answer
    assert b"SECRET" not in answer
    assert b"Traceback" not in answer


def test_every_answer_forbids_what_no_page_needs(tmp_path: Path) -> None:
    make_run(tmp_path / "one")

    async def look(client: ClientSession) -> None:
        for path in ("/", "/runs/one", "/static/match.js", "/runs/none"):
            async with client.get(path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy
                assert "unsafe" not in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"

    visit(tmp_path, look)


def test_a_name_that_is_not_the_servers_is_refused(tmp_path: Path) -> None:
    make_run(tmp_path / "one")

    async def look(client: ClientSession) -> None:
        for host in ("evil.example", "127.0.0.1.evil.example", "", "[::1", "localhost:x"):
            async with client.get("/", headers={"Host": host}) as answer:
                assert answer.status in {400, 403}, host
        async with client.get("/", headers={"Host": "localhost:8000"}) as answer:
            assert answer.status == 200

    visit(tmp_path, look)


def test_where_others_can_reach_it_a_token_is_wanted_once(tmp_path: Path) -> None:
    make_run(tmp_path / "one")
    access = Access(hosts=LOOPBACK, token="right-token")

    async def look(client: ClientSession) -> None:
        for wrong in ("/", "/?token=wrong", "/runs/one", "/runs/one?as=truth"):
            async with client.get(wrong) as answer:
                assert answer.status == 401
        for forged in ("wrong", "", "right-toke"):
            async with client.get("/", headers={"Cookie": f"{COOKIE}={forged}"}) as answer:
                assert answer.status == 401
        async with client.get("/runs/one?token=right-token", allow_redirects=False) as answer:
            assert answer.status == 303
            assert answer.headers["Location"] == "/runs/one"
            cookie = answer.headers["Set-Cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
        sent = {"Cookie": f"{COOKIE}=right-token"}
        async with client.get("/runs/one", headers=sent) as answer:
            assert answer.status == 200

    visit(tmp_path, look, access)


def test_a_damaged_run_is_a_line_in_the_table_and_no_fault_of_the_page(tmp_path: Path) -> None:
    make_run(tmp_path / "one")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "run.json").write_text("{not json")
    record, events = make_run(tmp_path / "three", LAMP)
    write(record, events[:6])
    with (record.path / "events.jsonl").open("a") as file:
        file.write("no event\n")

    async def look(client: ClientSession) -> None:
        index = await text_of(client, "/")
        assert 'href="/runs/one"' in index
        assert "run.json" in index
        fault = await text_of(client, "/runs/three/matches/lamp-room-en-s7", status=404)
        assert "events.jsonl" in fault

    visit(tmp_path, look)


def test_a_page_of_a_match_that_goes_on_holds_no_secret_of_any_seat(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", case(), answer_of_nobody)
    write(record, events[:-1])

    async def look(client: ClientSession) -> None:
        page = await text_of(client, "/runs/one/matches/harbour-en-s7")
        stream = await read_stream(
            client, "/runs/one/matches/harbour-en-s7/events", until=len(events) - 1
        )
        shown = page + "\n".join(html for _, html in stream)
        for name in NAMES:
            assert secret(name) not in shown
        assert "TRUTH-TEXT" not in shown
        assert "CLUE-OF-BRAM" not in shown
        write(record, events[-1:])
        assert "TRUTH-TEXT" in await text_of(client, "/runs/one/matches/harbour-en-s7")

    visit(tmp_path, look)


def answer_of_nobody(request: DecisionRequest) -> Action | None:
    del request
    return None
