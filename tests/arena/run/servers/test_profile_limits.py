"""What a model can take, by its profile and by what its servers report."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import get_args

import pytest

from arena.errors import ConfigError
from arena.models.chat import Message
from arena.players.context.token_budget import UNLIMITED
from arena.players.model_limits import ModelLimits, Overflow, PictureMode
from arena.run.launch import start_run
from arena.run.observer import BaseObserver
from arena.run.servers.picture_grids import GridComposer
from arena.run.servers.profile_limits import (
    TokenCounters,
    build_endpoint_hints,
    build_model_limits,
    describe_limits,
    find_profile_by_served_name,
)
from scripts_mm.script import Picture
from serving.model_files import profile as profiles
from serving.model_files.profile import Profile, find_profile
from tests.arena.run.stage import config, save_case, with_server
from tests.fakes.openai_server import fake_server

YI = find_profile("yi-vl-6b")
QWEN = find_profile("qwen2.5-vl-7b")


WIDE = Picture(sha256="0" * 64, file="wide.png", mime="image/png", width=784, height=28)


def counted(messages: Sequence[Message]) -> int:
    """Count a token a word and 1,024 a picture."""
    return sum(len(m.text.split()) + 1024 * (m.picture is not None) for m in messages)


def unread(picture: Picture) -> bytes:
    raise AssertionError(picture)


def unkept(sha: str, data: bytes) -> None:
    raise AssertionError(sha, data)


def of(profile: Profile | None, *contexts: int | None) -> ModelLimits:
    counts = TokenCounters(messages=counted, exact=True, text=lambda text: len(text.split()))
    return build_model_limits(profile, contexts, counts, grids=GridComposer(unread, unkept))


def test_a_profile_says_what_a_small_model_does_where_its_context_is_too_small() -> None:
    small = of(YI, 4096)
    assert (small.picture_mode, small.overflow, small.pictures) == ("notes", "summarise", 1)
    assert (small.context_tokens, small.reply_tokens) == (4096, min(YI.reply_tokens, 1024))
    assert small.exact
    assert small.compose is not None
    plain = of(QWEN, 65_536)
    assert (plain.picture_mode, plain.overflow, plain.context_budget) == ("inline", None, 0)


def test_a_profile_may_give_script_and_talk_shares_of_a_prompt() -> None:
    assert of(QWEN, 65_536).shares is None
    found = of(replace(QWEN, overflow="retrieve", script_tokens=250, dialogue_tokens=400), 65_536)
    assert found.shares is not None
    assert (found.shares.script, found.shares.dialogue) == (250, 400)
    assert describe_limits(found)["shares"] == asdict(found.shares)
    script = of(replace(QWEN, overflow="retrieve", script_tokens=250), 65_536).shares
    talk = of(replace(QWEN, overflow="retrieve", dialogue_tokens=400), 65_536).shares
    assert script is not None
    assert talk is not None
    assert (script.script, script.dialogue) == (250, UNLIMITED)
    assert (talk.script, talk.dialogue) == (UNLIMITED, 400)


def test_of_two_servers_the_smaller_context_counts_for_both() -> None:
    assert of(YI, 4096, 2048).context_tokens == 2048
    assert of(YI, None, 2048).reply_tokens == 512
    assert of(YI, None).context_tokens == YI.context_tokens
    assert of(None, None).context_tokens is None


def test_a_budget_is_never_more_than_the_context_of_a_server() -> None:
    wide = replace(QWEN, context_budget=8000)
    assert of(wide, 65_536).context_budget == 8000
    assert of(wide, 2048).context_budget == 2048
    assert of(wide, 65_536).reply_tokens <= 2000


@pytest.mark.parametrize(
    ("served", "root"),
    [
        ("yi-vl-6b", ""),
        ("01-ai/Yi-VL-6B", ""),
        ("01-ai/yi-vl-6b", ""),
        ("Yi-VL-6B", ""),
        ("Yi-VL-6B-hf", ""),
        ("/data/Yi-VL-6B", ""),
        ("./models/Yi-VL-6B/", ""),
        ("my-model", "/data/Yi-VL-6B"),
        ("my-model", "01-ai/Yi-VL-6B"),
        ("/cache/hub/models--01-ai--Yi-VL-6B/snapshots/0a1b2c", ""),
    ],
)
def test_a_server_by_url_is_recognised_by_its_name_or_by_what_it_loaded(
    served: str, root: str
) -> None:
    profile = find_profile_by_served_name(served, root)
    assert profile == YI
    assert build_endpoint_hints(profile, None).stop == ("###",)
    template = build_endpoint_hints(profile, None).template
    assert template is not None
    assert template.name == "chat_template.jinja"


def test_the_name_that_is_served_says_more_than_the_folder() -> None:
    found = find_profile_by_served_name("Qwen2.5-VL-7B-Instruct", "/data/yi-vl-6b")
    assert found == QWEN


@pytest.mark.parametrize("served", ["", "/", "gpt-x", "stand", "Yi-VL-6B-AWQ", "yi-vl-6b/v2"])
def test_nothing_is_known_of_other_models(served: str) -> None:
    assert find_profile_by_served_name(served) is None
    assert build_endpoint_hints(None, None).stop == ()


@pytest.mark.parametrize(
    ("name", "tokens"), [("smolvlm-256m", 340), ("gemma-3-4b", 260), ("qwen2-vl-2b", 784 // 28)]
)
def test_a_picture_costs_what_the_profile_says_or_the_rule_of_its_family(
    name: str, tokens: int
) -> None:
    hints = build_endpoint_hints(find_profile(name), None)
    assert hints.picture_tokens(WIDE) == tokens


def test_more_context_than_a_server_has_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    loaded = save_case(tmp_path / "case")
    with pytest.raises(ConfigError, match="context of 32768"):
        with_server(
            loaded,
            tmp_path / "run",
            lambda url: config(loaded, f"{url}+direct:context_budget=99999", "naive"),
        )
    assert not (tmp_path / "run").exists()


def test_profiles_and_players_name_the_same_policies() -> None:
    assert get_args(profiles.PictureMode) == get_args(PictureMode)
    assert get_args(profiles.Overflow) == get_args(Overflow)


class LogObserver(BaseObserver):
    """Keeps the log of a run's preparation."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def on_log(self, line: str) -> None:
        self.lines.append(line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("served", "context", "lines"), [("x-vl", 8192, 1), ("yi-vl-6b", 8192, 0), ("x-vl", 8193, 0)]
)
def test_a_small_context_of_an_unknown_model_is_warned_about(
    served: str, context: int, lines: int, tmp_path: Path
) -> None:
    loaded, observer = save_case(tmp_path / "case"), LogObserver()

    async def play() -> None:
        async with fake_server(models=(served,), context=context) as server:
            wanted = config(loaded, f"{server.url}/v1", "naive")
            await start_run(wanted, [loaded], tmp_path / "run", concurrency=1, observer=observer)

    asyncio.run(play())
    assert sum("--served-model-name" in line for line in observer.lines) == lines
