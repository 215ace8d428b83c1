"""What a run makes of a profile and a server: means, needs of the servers, boards."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.onlookers import Onlooker
from arena.core.options import Options
from arena.errors import ConfigError, StoreError
from arena.models.chat import Message
from arena.players.contestants import read_contestant
from arena.players.means import Means, Overflow, PictureMode
from arena.run.boards import Boards
from arena.run.launch import Played, resume_run, start_run
from arena.run.model_limits import (
    TokenCounters,
    build_endpoint_hints,
    build_model_limits,
    find_profile_by_served_name,
)
from arena.run.needs import outline, told_tokens
from arena.store.run_folder import create_run
from scripts_mm.pictures import open_safely, picture_of
from scripts_mm.script import Picture, ScriptError
from serving import profile as profiles
from serving.profile import Profile, find_profile
from tests.fakes.openai_server import fake_server
from tests.run.stage import config, only, picture_bytes, resume, save_case, with_server
from tests.table import case

YI = find_profile("yi-vl-6b")
QWEN = find_profile("qwen2.5-vl-7b")
WHO = read_contestant("yi-vl-6b+direct")


def counted(messages: Sequence[Message]) -> int:
    """Count a token a word and 1,024 a picture."""
    return sum(len(m.text.split()) + 1024 * (m.picture is not None) for m in messages)


def unread(picture: Picture) -> bytes:
    raise AssertionError(picture)


def unkept(sha: str, data: bytes) -> None:
    raise AssertionError(sha, data)


def of(profile: Profile | None, *contexts: int | None) -> Means:
    counts = TokenCounters(messages=counted, exact=True, text=lambda text: len(text.split()))
    return build_model_limits(profile, contexts, counts, boards=Boards(unread, unkept))


def test_a_profile_says_how_a_small_model_is_told_what_does_not_fit() -> None:
    small = of(YI, 4096)
    assert (small.picture_mode, small.overflow, small.pictures) == ("notes", "summarise", 1)
    assert (small.context_tokens, small.reply_tokens) == (4096, min(YI.reply_tokens, 1024))
    assert small.exact
    assert small.compose is not None
    plain = of(QWEN, 65_536)
    assert (plain.picture_mode, plain.overflow, plain.context_budget) == ("inline", None, 0)


def test_of_two_servers_the_smaller_context_counts_for_both() -> None:
    assert of(YI, 4096, 2048).context_tokens == 2048
    assert of(YI, None, 2048).reply_tokens == 512
    assert of(YI, None).context_tokens == YI.context_tokens
    assert of(None, None).context_tokens is None


def test_a_budget_is_never_more_than_a_server_s_context() -> None:
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
def test_a_server_by_url_is_known_by_its_name_or_by_what_it_loaded(served: str, root: str) -> None:
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
def test_of_other_models_nothing_is_known(served: str) -> None:
    assert find_profile_by_served_name(served) is None
    assert build_endpoint_hints(None, None).stop == ()


def small(
    budget: int, *, overflow: Overflow | None = None, mode: PictureMode = "notes", reply: int = 64
) -> Means:
    return Means(
        reply_tokens=reply,
        context_tokens=4096,
        count=counted,
        exact=True,
        picture_mode=mode,
        overflow=overflow,
        context_budget=budget,
    )


@settings(max_examples=40, deadline=None)
@given(
    st.integers(100, 5000),
    st.sampled_from([None, "retrieve", "summarise", "drop_oldest"]),
    st.sampled_from(["inline", "notes", "board"]),
)
def test_no_seat_takes_more_of_a_server_than_its_budget(
    budget: int, overflow: Overflow | None, mode: PictureMode
) -> None:
    script = outline(case(), Options())
    means = small(budget, overflow=overflow, mode=mode, reply=20)
    for seat in script.heads:
        need = script.need(seat, WHO, means)
        assert 0 < need.head + need.own <= budget
        assert need.head in {0, told_tokens(means, script.heads[seat])}


def test_a_beginning_that_is_rewritten_is_no_share() -> None:
    script = outline(case(), Options())
    [seat, *_] = script.heads
    head = told_tokens(small(4096), script.heads[seat])
    assert script.need(seat, WHO, small(4096)).head == head
    assert script.need(seat, WHO, small(head + 100, overflow="drop_oldest")).head == head
    assert script.need(seat, WHO, small(head + 100, overflow="summarise")).head == 0
    assert script.need(seat, WHO, small(head, overflow="drop_oldest")).head == 0


def test_a_picture_s_reading_is_room_enough_for_a_short_match() -> None:
    script = outline(case(), Options(rounds=1, pictures="image"))
    [seat, *_] = script.heads
    inline = script.need(seat, WHO, small(4096, mode="inline")).own
    notes = script.need(seat, WHO, small(4096, mode="notes", reply=20)).own
    assert inline > notes >= 1024 + 20


def test_boards_are_kept_with_the_run_and_made_once(tmp_path: Path) -> None:
    run = create_run(tmp_path / "run")
    pictures = [picture_of(picture_bytes(n), f"{n}.png") for n in (1, 2, 3)]
    for n, picture in enumerate(pictures, 1):
        run.keep_picture(picture.sha256, picture_bytes(n))
    read = list[str]()

    def reading(picture: Picture) -> bytes:
        read.append(picture.sha256)
        return run.read_picture(picture.sha256)

    boards = Boards(reading, run.keep_picture)
    board = boards(pictures)
    assert boards(pictures) is board
    assert len(read) == 3
    kept = run.read_picture(board.sha256)
    assert sha256(kept).hexdigest() == board.sha256
    info = open_safely(kept, "board")
    assert (info.width, info.height, info.mime) == (board.width, board.height, board.mime)
    # A run that is continued makes the same board, also where it is gone.
    (run.path / "pictures" / board.sha256).unlink()
    assert Boards(reading, run.keep_picture)(pictures) == board
    assert run.read_picture(board.sha256) == kept
    assert boards(pictures[:2]).sha256 != board.sha256


def test_what_cannot_be_shown_on_a_board_is_one_line(tmp_path: Path) -> None:
    run = create_run(tmp_path / "run")
    boards = Boards(lambda picture: run.read_picture(picture.sha256), run.keep_picture)
    with pytest.raises(StoreError, match="has no picture"):
        boards([picture_of(picture_bytes(1), "1.png")])
    with pytest.raises(ScriptError, match="1 to 16"):
        boards([])


def test_a_match_on_boards_shows_them_and_is_continued_with_the_same(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    played, server = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, f"{url}+direct:picture_mode=board", "naive"),
    )
    assert only(played).outcome != "error"
    own = {picture.sha256 for picture in loaded.script.pictures}
    there = {path.name for path in (tmp_path / "run" / "pictures").iterdir()}
    assert there > own
    sent = set(re.findall(r'"uuid": "(\w+)"', json.dumps(server.bodies)))
    assert sent
    assert sent <= there
    assert sent - own, "boards were shown"
    assert only(resume(tmp_path / "run")) == only(played)


def test_more_context_than_there_is_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    with pytest.raises(ConfigError, match="context of 32768"):
        with_server(
            loaded,
            tmp_path / "run",
            lambda url: config(loaded, f"{url}+direct:context_budget=99999", "naive"),
        )
    assert not (tmp_path / "run").exists()


def test_what_the_layers_may_not_share_is_the_same_on_both_sides() -> None:
    assert get_args(profiles.PictureMode) == get_args(PictureMode)
    assert get_args(profiles.Overflow) == get_args(Overflow)


def taken_up_again(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> Played:
    """Play a match, `change` what run.json says of the model, and play the match once more."""
    loaded, path = save_case(tmp_path / "case"), tmp_path / "run"

    async def both() -> Played:
        async with fake_server() as server:
            wanted = config(loaded, f"{server.url}/v1", "naive")
            played = await start_run(wanted, [loaded], path, concurrency=1, watcher=Onlooker())
            whole = json.loads((path / "run.json").read_text(encoding="utf-8"))
            [about] = whole["models"].values()
            change(about)
            (path / "run.json").write_text(json.dumps(whole), encoding="utf-8")
            [match] = played.run.matches()
            (match.path / "done.json").unlink()
            return await resume_run(path, concurrency=1, watcher=Onlooker())

    return asyncio.run(both())


@pytest.mark.parametrize(
    ("field", "before", "now"),
    [
        ("context_tokens", 4096, "32768"),
        ("counted", "exactly", "'guessed' (the model's tokenizer is not on this machine)"),
        ("overflow", "summarise", "None"),
    ],
)
def test_a_run_is_not_continued_with_other_means_and_the_difference_is_named(
    field: str, before: object, now: str, tmp_path: Path
) -> None:
    def change(about: dict[str, Any]) -> None:
        about["means"][field] = before

    with pytest.raises(StoreError) as caught:
        taken_up_again(tmp_path, change)
    said = str(caught.value)
    assert f"was played with {field} = {before!r} of " in said
    assert f"now it is {now};" in said
    assert "\n" not in said


@pytest.mark.parametrize("lacking", [None, "counted"])
def test_an_older_record_that_tells_less_is_continued(lacking: str | None, tmp_path: Path) -> None:
    def change(about: dict[str, Any]) -> None:
        if lacking is None:
            del about["means"]
        else:
            del about["means"][lacking]

    assert only(taken_up_again(tmp_path, change)).outcome != "error"


class Saying(Onlooker):
    """Keeps what is said while a run is prepared."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def said(self, line: str) -> None:
        self.lines.append(line)


@pytest.mark.parametrize(
    ("served", "context", "lines"), [("x-vl", 8192, 1), ("yi-vl-6b", 8192, 0), ("x-vl", 8193, 0)]
)
def test_a_small_context_of_a_model_that_nobody_knows_is_said_aloud(
    served: str, context: int, lines: int, tmp_path: Path
) -> None:
    loaded, watcher = save_case(tmp_path / "case"), Saying()

    async def play() -> None:
        async with fake_server(models=(served,), context=context) as server:
            wanted = config(loaded, f"{server.url}/v1", "naive")
            await start_run(wanted, [loaded], tmp_path / "run", concurrency=1, watcher=watcher)

    asyncio.run(play())
    assert sum("--served-model-name" in line for line in watcher.lines) == lines
