"""The real vLLM with the stand-in, as `arena serve` starts it.

What the arena's client relies on is held here: pictures known by their uuid, constrained answers,
cached tokens, the words of a refusal.
"""

import base64
import contextlib
import hashlib
import io
import json
import socket
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psutil
import pytest
from PIL import Image, ImageDraw

from tests.served import ServedModel

pytestmark = pytest.mark.engine

REPLY_TOKENS = 64


@dataclass(frozen=True, kw_only=True)
class Up:
    """A server that is up, for one model."""

    root: str
    model: str
    pid: int
    owner: int
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
def up(server: ServedModel) -> Up:
    entry = server.entry
    return Up(
        root=server.url.removesuffix("/v1"),
        model=entry["model"],
        pid=entry["pid"],
        owner=server.owner.pid,
        state=server.state,
        key=server.key,
    )


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
    everybody = [up.owner, up.pid, *(child.pid for child in family(up.owner))]
    assert not [pid for pid in everybody if up.key in " ".join(psutil.Process(pid).cmdline())]
