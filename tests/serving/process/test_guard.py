"""Who may talk to an engine: the guard that its web server runs before anything else."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from serving.process.supervisor import engine_environment
from serving.shim.engine_guard import Guard

KEY = "k" * 43
PORT = 8123
OWN = ("host", f"127.0.0.1:{PORT}")
SHOWN = ("authorization", f"Bearer {KEY}")
WANT_THE_KEY = (
    *("/", "/v1/models", "/v1/chat/completions", "/inference/v1/generate", "/tokenize", "/metrics"),
    *("/version", "/ping", "/invocations", "/reset_prefix_cache", "/health/", "/healthy"),
    *("/v1/../health", "//health", "/metrics/", "/load", "/docs", "/scale_elastic_ep"),
)


class Inside:
    """What the guard lets in."""

    def __init__(self) -> None:
        self.came: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.came.append(scope["type"])
        await send({"type": "inside"})


def sent(
    path: str = "/v1/models",
    *headers: tuple[str, str],
    kind: str = "http",
    server: tuple[str, int | None] | None = ("127.0.0.1", PORT),
    method: str = "GET",
) -> list[Any]:
    """Return what is sent back to a request, from inside or by the guard."""
    told: list[Any] = []

    async def send(message: Any) -> None:
        told.append(message)

    async def receive() -> Any:
        raise AssertionError("a refused request is not read")

    spelt = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    scope = {"type": kind, "path": path, "headers": spelt, "server": server, "method": method}
    asyncio.run(Guard(Inside())(scope, receive, send))
    return told


def status(told: list[Any]) -> int:
    return told[0].get("status", 0)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_ENGINE_KEY", KEY)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
def test_a_request_under_a_name_of_loopback_with_the_key_comes_in(name: str) -> None:
    assert sent("/metrics", ("host", f"{name}:{PORT}"), SHOWN) == [{"type": "inside"}]


@pytest.mark.parametrize("path", ["/health", "/v1/models"])
@pytest.mark.parametrize(
    "hosts",
    [
        *(
            (),
            ("",),
            ("evil.example",),
            (f"evil.example:{PORT}",),
            ("127.0.0.1",),
            ("localhost:80",),
        ),
        *((f"127.0.0.1:{PORT}.evil.example",), (f"127.0.0.1.evil.example:{PORT}",)),
        *((f"0.0.0.0:{PORT}",), (f"evil@127.0.0.1:{PORT}",), (f"[::ffff:127.0.0.1]:{PORT}",)),
        (f"127.0.0.1:{PORT}", "evil.example"),
    ],
)
def test_any_other_host_is_refused_with_the_key_and_even_for_health(
    path: str, hosts: tuple[str, ...]
) -> None:
    told = sent(path, *(("host", host) for host in hosts), SHOWN)
    assert status(told) == 421
    said = json.loads(told[1]["body"])["error"]["message"]
    assert said.endswith("127.0.0.1:8123, localhost:8123, [::1]:8123")
    assert "\n" not in said


@pytest.mark.parametrize("server", [None, ("/run/socket", None), ("127.0.0.1", 9)])
def test_where_the_port_is_another_or_unknown_nothing_comes_in(server: Any) -> None:
    assert status(sent("/health", OWN, SHOWN, server=server)) == 421


def test_at_the_port_of_http_a_host_needs_no_port() -> None:
    server = ("127.0.0.1", 80)
    assert sent("/health", ("host", "localhost"), server=server) == [{"type": "inside"}]


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "HEAD"])
@pytest.mark.parametrize("path", WANT_THE_KEY)
def test_every_path_but_health_wants_the_key(path: str, method: str) -> None:
    told = sent(path, OWN, method=method)
    assert status(told) == 401
    assert (b"www-authenticate", b"Bearer") in told[0]["headers"]


def test_health_is_open() -> None:
    assert sent("/health", OWN) == [{"type": "inside"}]


@pytest.mark.parametrize(
    "shown",
    [
        *("", "Bearer", "Bearer ", KEY, f"Basic {KEY}", f"Bearer {KEY}x", f"Bearer {KEY[:-1]}"),
        *(f"Bearer {KEY.upper()}", f"Bearer {KEY}, Bearer {KEY}", "Bearer \xe9\xff"),
    ],
)
def test_a_key_that_is_not_the_servers_is_refused_and_not_quoted(shown: str) -> None:
    told = sent("/v1/models", OWN, ("authorization", shown))
    assert status(told) == 401
    assert KEY not in told[1]["body"].decode()


def test_two_keys_are_refused_even_if_one_is_right() -> None:
    assert status(sent("/v1/models", OWN, ("authorization", "Bearer x"), SHOWN)) == 401


def test_the_word_before_the_key_may_be_spelt_in_any_case() -> None:
    assert sent("/v1/models", OWN, ("authorization", f"bEARER {KEY}")) == [{"type": "inside"}]


@pytest.mark.parametrize(
    "path",
    [
        *("/docs", "/docs/oauth2-redirect", "/redoc", "/openapi.json", "/scale_elastic_ep"),
        *("//docs", "///openapi.json", "//scale_elastic_ep//x"),
    ],
)
def test_documents_and_scaling_are_closed_with_the_key_too(path: str) -> None:
    assert status(sent(path, OWN, SHOWN)) == 404


def test_a_websocket_is_refused_as_a_request_is() -> None:
    def closed(*headers: tuple[str, str]) -> bool:
        [told] = sent("/v1/realtime", *headers, kind="websocket")
        return told["type"] == "websocket.close"

    assert closed(OWN)
    assert closed(("host", "evil.example"), SHOWN)
    assert not closed(OWN, SHOWN)


def test_a_websocket_at_health_wants_the_key_too() -> None:
    [told] = sent("/health", OWN, kind="websocket")
    assert told["type"] == "websocket.close"
    assert sent("/health", OWN, SHOWN, kind="websocket") == [{"type": "inside"}]


def test_what_is_no_request_goes_through() -> None:
    assert sent(kind="lifespan") == [{"type": "inside"}]


@pytest.mark.parametrize("key", [None, ""])
def test_a_server_without_a_key_does_not_start(
    key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARENA_ENGINE_KEY")
    if key is not None:
        monkeypatch.setenv("ARENA_ENGINE_KEY", key)
    with pytest.raises(ValueError, match="a key in ARENA_ENGINE_KEY"):
        Guard(Inside())


def test_an_engine_finds_the_guard_under_its_name_without_the_arena(tmp_path: Path) -> None:
    program = "import sys, engine_guard; print('serving' in sys.modules, engine_guard.Guard)"
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=engine_environment((), KEY),
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "False <class 'engine_guard.Guard'>\n"
