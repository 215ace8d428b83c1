"""The mini model on the real vLLM: the same tokens as in transformers, and matches. Slow."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from arena.models.chat import Message
from arena.run.servers.connected_model import connect_model
from arena.run.servers.model_pool import PictureStore
from arena.training.episodes import WHOLE
from arena.training.evaluate import REPLY_TOKENS, EvaluationItem, answer_all, items_of
from scripts_mm.script import LANGUAGES
from tests.served import ServedModel, home_of, served_model

MINI = Path(__file__).parents[4] / "serving" / "mini"
PROMPTS = 20

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("vllm") is None, reason="no vLLM in this environment"),
    pytest.mark.skipif(not MINI.is_dir(), reason="the mini model's files are not in this checkout"),
]


def a_few_items(files: dict[str, bytes]) -> list[EvaluationItem]:
    """Return prompts of two test cases in both languages, half of them about pictures."""
    found: list[EvaluationItem] = []
    for language in LANGUAGES:
        items = [
            item for seed in (95_011, 95_012) for item in items_of(seed, language, files, WHOLE)
        ]
        for table in ("answer", "reading "):
            found += [one for one in items if one.table.startswith(table)][: PROMPTS // 4]
    return found


@dataclass(frozen=True, kw_only=True)
class Reference:
    """The mini model in transformers."""

    model: Any
    processor: Any
    files: dict[str, bytes]

    def greedy(self, prompt: tuple[Message, ...], guess: str) -> str:
        """Return the greedy reply: `guess` if each of its tokens is the likeliest, else generated.

        One pass over a right guess replaces a pass for each token.
        """
        inputs = self._inputs(prompt, "")
        if self._is_greedy(inputs["input_ids"][0].tolist(), self._inputs(prompt, guess)):
            return guess
        found = self.model.generate(**inputs, max_new_tokens=REPLY_TOKENS, do_sample=False)
        reply = found[0, inputs["input_ids"].shape[1] :]
        return self.processor.tokenizer.decode(reply, skip_special_tokens=True).strip()

    def _is_greedy(self, before: list[int], whole: Any) -> bool:
        ids = whole["input_ids"][0].tolist()
        wanted = ids[len(before) :]
        scored = self.model(**whole, logits_to_keep=len(wanted) + 1).logits[0]
        likeliest = scored.argmax(-1).tolist()
        is_ended = likeliest[-1] in self.model.generation_config.eos_token_id
        is_whole = is_ended and len(wanted) < REPLY_TOKENS
        return ids[: len(before)] == before and likeliest[:-1] == wanted and is_whole

    def _inputs(self, prompt: tuple[Message, ...], reply: str) -> Any:
        messages: list[dict[str, object]] = []
        images: list[Image.Image] = []
        for one in prompt:
            content: list[dict[str, str]] = [{"type": "text", "text": one.text}]
            if one.picture is not None:
                images.append(Image.open(BytesIO(self.files[one.picture.sha256])).convert("RGB"))
                content.append({"type": "image"})
            messages.append({"role": one.role, "content": content})
        text = self.processor.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=False
        )
        return self.processor(text=[text + reply], images=images or None, return_tensors="pt")


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the variables of a process that finds no compiler, and no server but this file's.

    lscpu is all that vLLM itself calls.
    """
    programs = tmp_path_factory.mktemp("programs")
    (programs / "lscpu").symlink_to(shutil.which("lscpu") or "/usr/bin/lscpu")
    home = home_of(tmp_path_factory.mktemp("state"), os.environ)
    return {name: value for name, value in home.items() if name != "CXX"} | {"PATH": str(programs)}


@pytest.fixture(scope="module", autouse=True)
def mini_server(bare: dict[str, str]) -> Iterator[ServedModel]:
    with served_model(bare, "mini") as served:
        yield served


def test_vllm_and_transformers_give_the_same_greedy_replies(
    tmp_path: Path, bare: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PATH", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, bare[name])
    transformers: Any = pytest.importorskip("transformers")
    torch: Any = pytest.importorskip("torch")
    files: dict[str, bytes] = {}
    items = a_few_items(files)
    store = PictureStore(read=lambda one: files[one.sha256], save=lambda _sha, _data: None)

    async def served() -> list[str]:
        opened = connect_model("mini", tmp_path, max_requests=4, log=print, pictures=store)
        async with opened as found:
            rows = await answer_all(found.handle.replicas[0].chat, items)
        return [row.reply for row in rows]

    replies = asyncio.run(served())
    kind = transformers.Qwen2_5_VLForConditionalGeneration
    model = kind.from_pretrained(MINI, dtype="float32").eval()
    processor = transformers.AutoProcessor.from_pretrained(MINI)
    reference = Reference(model=model, processor=processor, files=files)
    assert len(items) == len(replies) == PROMPTS
    with torch.inference_mode():
        assert replies == [
            reference.greedy(one.prompt, reply) for one, reply in zip(items, replies, strict=True)
        ]
    assert len(set(replies)) > PROMPTS / 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_of_the_mini_model_needs_no_compiler_and_is_called_by_its_name(
    tmp_path: Path, bare: dict[str, str], mini_server: ServedModel, language: str
) -> None:
    words = ["match", "--civ", "mini", "--murderer", "naive", "--preset", "short", "--json"]
    played = subprocess.run(
        [sys.executable, "-m", "arena", *words, "--language", language, "--out", tmp_path / "run"],
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
        env=bare,
    )
    assert played.returncode == 0, played.stderr
    summary = json.loads(played.stdout.splitlines()[-1])
    assert summary["outcome"] in {"civ_win", "murderer_win", "draw"}
    assert summary["model_served"]["civilians"] == "mini"
    assert "bundled mini" in summary["flags"]
    logs = mini_server.state.glob("murder-arena/logs/*.log")
    assert len([*logs]) == 1, "the match started no engine"
