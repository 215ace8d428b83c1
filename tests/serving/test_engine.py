"""The real vLLM with the stand-in, started once for this file by the program below.

What the arena's client relies on is held here: pictures known by their uuid, constrained answers,
cached tokens, the words of a refusal, and what happens when the engine's core is killed.
"""

import base64
import contextlib
import hashlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psutil
import pytest
from PIL import Image, ImageDraw

pytestmark = pytest.mark.engine

REPLY_TOKENS = 64
ROOT = Path(__file__).parents[2]

OWNER = """
import asyncio, contextlib, sys
from serving.host.memory_plan import plan_one
from serving.host.hardware import detect
from serving.model_files.profile import find_profile
from serving.process.model_server import serve_model
from serving.model_files.weights import find_weights

async def own():
    hardware, profile = detect(), find_profile("stand-in")
    share, weights = plan_one(profile, hardware), find_weights(profile, None)
    say = lambda line: print(line, file=sys.stderr, flush=True)
    async with serve_model(
        profile, hardware=hardware, weights=weights, share=share, share_with_others=True, say=say
    ) as server:
        print(server.served.url, server.served.model, server.served.pid, flush=True)
        await server.wait()

with contextlib.suppress(KeyboardInterrupt):
    asyncio.run(own())
"""


@dataclass(frozen=True, kw_only=True)
class Up:
    """A server that is up, for one model."""

    root: str
    model: str
    pid: int
    owner: subprocess.Popen[str]
    state: Path
    key: str = field(repr=False)

    def get(self, path: str) -> str:
        status, body = self.ask(path, headers=self.shown)
        assert status == HTTPStatus.OK
        return body

    @property
    def shown(self) -> dict[str, str]:
        """The header that shows the key."""
        return {"Authorization": f"Bearer {self.key}"}

    def ask(
        self, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        """Send a request as it is; return the status and what came."""
        request = urllib.request.Request(self.root + path, body, headers or {})
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                request, timeout=120
            ) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def chat(self, content: object, **more: object) -> tuple[int, dict[str, Any]]:
        """Ask for one reply; return the status and what came, usage and choices or an error."""
        body: dict[str, object] = {
            "model": self.model,
            "messages": [{"role": "user", "content": content}],
            "max_tokens": REPLY_TOKENS,
            **more,
        }
        kind = {"Content-Type": "application/json", **self.shown}
        status, came = self.ask("/v1/chat/completions", json.dumps(body).encode(), kind)
        return status, json.loads(came)

    def reply(self, content: object, **more: object) -> tuple[str, dict[str, Any]]:
        """Ask for one reply that must come; return its text and its usage."""
        status, came = self.chat(content, **more)
        assert status == HTTPStatus.OK, came
        return came["choices"][0]["message"]["content"], came["usage"]

    def refusal(self, content: object, **more: object) -> tuple[int, str]:
        status, came = self.chat(content, **more)
        return status, came["error"]["message"]

    def counter(self, name: str) -> float:
        lines = [line for line in self.get("/metrics").splitlines() if line.startswith(f"{name}{{")]
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Generator[Up]:
    state = tmp_path_factory.mktemp("state")
    with subprocess.Popen(
        [sys.executable, "-c", OWNER],
        cwd=ROOT,
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        said = owner.stdout.readline().split()
        assert len(said) == 3, "the engine did not come up; its owner said why"
        url, model, pid = said
        root = url.removesuffix("/v1")
        key = state / "murder-arena" / "servers" / f"{root.rpartition(':')[2]}.key"
        yield Up(
            root=root,
            model=model,
            pid=int(pid),
            owner=owner,
            state=state,
            key=key.read_text(encoding="utf-8"),
        )
        left = [process.pid for process in family(owner.pid)]
        owner.send_signal(signal.SIGINT)
        owner.wait(60)
    assert not [pid for pid in left if psutil.pid_exists(pid)]
    assert not key.exists()


def family(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def picture(number: int) -> dict[str, Any]:
    """A drawn picture as a content part, with the hash of its bytes as its uuid."""
    drawn = Image.new("RGB", (560, 420), (40 * number % 255, 90, 160))
    ImageDraw.Draw(drawn).text((40, 40), f"clue {number}", fill="white")
    file = io.BytesIO()
    drawn.save(file, "PNG")
    encoded = base64.b64encode(file.getvalue()).decode()
    return {
        "type": "image_url",
        "image_url": {"url": f"data:image/png;base64,{encoded}"},
        "uuid": hashlib.sha256(file.getvalue()).hexdigest(),
    }


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def test_a_chat_with_pictures_is_answered_in_at_most_64_tokens(up: Up) -> None:
    shown = [picture(number) for number in range(4)]
    said, usage = up.reply([text("Look at these:"), *shown, text("What do you see?")])
    assert said.strip()
    assert "\ufffd" not in said
    assert usage["completion_tokens"] <= REPLY_TOKENS
    # 560 x 420 pixels would be 20 x 15 tokens; the cap of 256 makes them 18 x 13.
    assert usage["prompt_tokens_details"]["multimodal_tokens"] == {"image": 4 * 18 * 13}


def test_a_longer_prompt_finds_its_beginning_in_the_cache(up: Up) -> None:
    before = up.counter("vllm:prefix_cache_hits_total")
    start = [picture(7), text("The captain was on the bridge. " * 90)]
    _, first = up.reply([*start, text("Who is he?")])
    _, second = up.reply([*start, text("Who is he? And where was the cook at nine?")])
    assert first["prompt_tokens_details"]["cached_tokens"] == 0
    cached = second["prompt_tokens_details"]["cached_tokens"]
    assert first["prompt_tokens"] - 256 < cached < first["prompt_tokens"]
    assert up.counter("vllm:prefix_cache_hits_total") == before + cached


def test_a_picture_that_was_sent_once_is_known_by_its_uuid(up: Up) -> None:
    sent = picture(8)
    _, whole = up.reply([sent, text("What is it?")])
    _, named = up.reply([{**sent, "image_url": None}, text("What is it?")])
    assert named["prompt_tokens"] == whole["prompt_tokens"]
    status, why = up.refusal([{**sent, "image_url": None, "uuid": "unknown"}, text("And this?")])
    assert (status, why) == (400, "Cache miss for image at index 0 but data is not provided.")


def test_a_broken_picture_is_refused(up: Up) -> None:
    bad = {**picture(9), "image_url": {"url": "data:image/png;base64,aGVsbG8="}, "uuid": "bad"}
    status, why = up.refusal([bad])
    assert status == 400
    assert "Failed to load image" in why


def test_a_choice_is_one_of_the_options(up: Up) -> None:
    names = ["Captain Holm", "Anna", "陈医生", "Pass"]
    chosen = {
        up.reply(f"Who was it? {number}", structured_outputs={"choice": names})[0]
        for number in range(8)
    }
    assert chosen <= set(names)
    assert len(chosen) > 1


@pytest.mark.parametrize(
    ("names", "ask"), [(["Captain Holm", "Anna"], "Speak."), (["陈医生", "王厨师"], "请发言。")]
)
def test_a_reply_under_a_schema_ends_in_time_and_fits_it(
    up: Up, names: list[str], ask: str
) -> None:
    schema = {
        "type": "object",
        "properties": {
            "share": {"type": "string", "maxLength": 24},
            "target": {"enum": names},
            "question": {"type": "string", "maxLength": 24},
        },
        "required": ["share", "target", "question"],
        "additionalProperties": False,
    }
    for number in range(8):
        said, _ = up.reply(f"{ask} {number}", structured_outputs={"json": schema}, temperature=0.7)
        read = json.loads(said)
        assert list(read) == ["share", "target", "question"]
        assert read["target"] in names
        assert len(read["share"]) <= 24
        assert len(read["question"]) <= 24


def test_a_prompt_over_the_context_is_refused_in_these_words(up: Up) -> None:
    status, why = up.refusal("house " * 33_000)
    assert status == 400
    assert "maximum context length is 32768 tokens" in why


def test_the_engine_listens_on_loopback_alone(up: Up) -> None:
    doors = {
        door.laddr.ip
        for process in [psutil.Process(up.pid), *family(up.pid)]
        for door in process.net_connections("inet")
        if door.status == psutil.CONN_LISTEN
    }
    assert doors == {"127.0.0.1"}


@pytest.mark.parametrize(
    "path",
    [
        *("/v1/models", "/v1/chat/completions", "/inference/v1/generate", "/tokenize", "/metrics"),
        *("/version", "/ping", "/invocations", "/load", "/docs", "/openapi.json", "/nowhere"),
        *("/scale_elastic_ep", "/is_scaling_elastic_ep"),
    ],
)
def test_the_engine_answers_nobody_without_its_key_or_under_another_name(up: Up, path: str) -> None:
    for body in (None, b"{}"):
        assert up.ask(path, body)[0] == HTTPStatus.UNAUTHORIZED
        assert up.ask(path, body, {"Authorization": "Bearer x"})[0] == HTTPStatus.UNAUTHORIZED
        elsewhere = up.ask(path, body, {"Host": "evil.example", **up.shown})
        assert elsewhere[0] == HTTPStatus.MISDIRECTED_REQUEST
    assert up.ask("/health")[0] == HTTPStatus.OK
    assert up.ask("/health", headers={"Host": "evil.example"})[0] == HTTPStatus.MISDIRECTED_REQUEST


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/scale_elastic_ep"])
def test_the_engine_has_no_documents_and_no_scaling(up: Up, path: str) -> None:
    assert up.ask(path, headers=up.shown)[0] == HTTPStatus.NOT_FOUND
    assert up.ask(path, b"{}", up.shown)[0] == HTTPStatus.NOT_FOUND


def test_the_engine_fetches_no_picture_for_anybody(up: Up, tmp_path: Path) -> None:
    came: list[object] = []
    seen = io.BytesIO()
    Image.new("RGB", (280, 140)).save(seen, "PNG")
    (tmp_path / "x.png").write_bytes(seen.getvalue())
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        door.settimeout(0)
        for place in (
            *(f"http://127.0.0.1:{port}/x.png", f"https://localhost:{port}/x.png"),
            *(f"HTTP://[::1]:{port}/x.png", f"http://x.invalid@127.0.0.1:{port}/x.png"),
            *(f"ftp://127.0.0.1:{port}/x.png", (tmp_path / "x.png").as_uri()),
        ):
            part: dict[str, Any] = {"type": "image_url", "image_url": {"url": place}}
            assert up.chat([part, text("What is it?")])[0] >= HTTPStatus.BAD_REQUEST, place
            by_tokens = {
                "token_ids": [1, 2, 3],
                "content_parts": [{"type": "image_url", "url": place}],
                "sampling_params": {"max_tokens": 2},
            }
            kind = {"Content-Type": "application/json", **up.shown}
            status, _ = up.ask("/inference/v1/generate", json.dumps(by_tokens).encode(), kind)
            assert status >= HTTPStatus.BAD_REQUEST, place
        with contextlib.suppress(BlockingIOError):
            came.append(door.accept())
    assert came == []
    assert up.reply([picture(10), text("What is it?")])[0]


def test_the_key_is_in_no_log_and_no_command_line(up: Up) -> None:
    kept = [path for path in up.state.rglob("*") if path.is_file()]
    assert {path.suffix for path in kept} >= {".log", ".json", ".key"}
    assert [path.suffix for path in kept if up.key in path.read_text("utf-8")] == [".key"]
    everybody = [up.owner.pid, up.pid, *(child.pid for child in family(up.owner.pid))]
    assert not [pid for pid in everybody if up.key in " ".join(psutil.Process(pid).cmdline())]


def test_a_core_that_is_killed_fails_what_was_asked_and_is_started_again(up: Up) -> None:
    answers: list[tuple[int, str]] = []

    def ask() -> None:
        answers.append(up.refusal("Go on.", max_tokens=20_000, ignore_eos=True))

    asking = threading.Thread(target=ask)
    asking.start()
    while not up.counter("vllm:num_requests_running"):
        time.sleep(0.05)
    core = next(child for child in family(up.pid) if "EngineCore" in " ".join(child.cmdline()))
    core.kill()
    asking.join(60)
    [(status, why)] = answers
    assert status == HTTPStatus.INTERNAL_SERVER_ERROR
    assert "EngineCore encountered an issue" in why
    answer_again(up)
    assert up.owner.poll() is None


def answer_again(up: Up) -> None:
    """Wait until the server answers; it refuses, and then is not there, for a while."""
    end = time.monotonic() + 120
    status = 0
    while status != HTTPStatus.OK:
        assert time.monotonic() < end, "the engine did not come back in time"
        time.sleep(0.5)
        try:
            status, _ = up.chat("Are you there?")
        except OSError:
            status = 0
