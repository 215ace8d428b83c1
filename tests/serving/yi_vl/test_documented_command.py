"""Command that docs/yi-vl.md documents for a server of Yi-VL, run as it is written there.

vLLM's renderer takes the place of its API server: the same flags, imports and errors, no engine.
"""

import json
import re
import shlex
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(
        not all(find_spec(name) for name in ("torch", "transformers", "vllm")),
        reason="no vLLM is installed here",
    ),
]

ROOT: Final = Path(__file__).parents[3]
GUIDE: Final = ROOT / "docs" / "yi-vl.md"
COMMAND: Final = re.compile(r"^ {4}(PYTHONPATH=\S+ .*--tokenizer-mode yi_vl.*?)\n\n", re.M | re.S)
SERVER: Final = "vllm.entrypoints.openai.api_server"
RENDERER: Final = "vllm.entrypoints.launchers.render.entry"


def documented_command() -> str:
    found = COMMAND.search(GUIDE.read_text("utf-8"))
    assert found, f"{GUIDE} has no command"
    return re.sub(r"\s*\\\n\s*", " ", found[1])


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("documented")
    subprocess.run(
        [
            *(sys.executable, "-m", "serving.yi_vl.checkpoints", str(place / "model")),
            *("--layout", "published"),
        ],
        cwd=ROOT,
        check=True,
    )
    words = documented_command().replace("FOLDER", shlex.quote(str(place / "model")))
    assert SERVER in words
    words = words.replace(SERVER, RENDERER).replace(".venv/bin/python", sys.executable)
    port = free_port()
    log = place / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            ["/bin/sh", "-c", f"exec env {words} --host 127.0.0.1 --port {port}"],
            env={"PATH": "/usr/bin:/bin", "HOME": str(place), "HF_HUB_OFFLINE": "1"},
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        while not answers(f"http://127.0.0.1:{port}/health"):
            assert server.poll() is None, log.read_text()
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url):
            return True
    except OSError:
        return False


def post(url: str, body: dict[str, Any]) -> tuple[int, Any]:
    data = json.dumps({"model": "yi-vl-6b", **body}).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_the_documented_command_starts_a_server_that_renders_chats(url: str) -> None:
    messages = [{"role": "user", "content": f"Type {IMAGE_PLACEHOLDER} here."}]
    status, answer = post(f"{url}/v1/chat/completions/render", {"messages": messages})
    assert status == 200, answer
    assert len(answer["token_ids"]) > 100


def test_a_prompt_with_a_placeholder_too_many_is_answered_with_status_400(url: str) -> None:
    prompt = f"{IMAGE_PLACEHOLDER}\nWho was it?"
    status, answer = post(f"{url}/v1/completions/render", {"prompt": prompt})
    assert status == 400
    assert "has 1 for 0 pictures" in answer["error"]["message"]
