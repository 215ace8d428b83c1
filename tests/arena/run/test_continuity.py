"""A run is continued only with the models, and the limits, that it was started with."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import RecordError
from arena.run.launch import RunResult, resume_run, start_run
from arena.run.observer import BaseObserver
from tests.arena.run.stage import config, only, save_case
from tests.fakes.openai_server import fake_server


def resume_changed(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> RunResult:
    """Play a match, `change` what run.json holds of its server, and resume the match."""
    loaded, path = save_case(tmp_path / "case"), tmp_path / "run"

    async def both() -> RunResult:
        async with fake_server() as server:
            wanted = config(loaded, f"{server.url}/v1", "naive")
            played = await start_run(wanted, [loaded], path, concurrency=1, observer=BaseObserver())
            manifest = json.loads((path / "run.json").read_text(encoding="utf-8"))
            [record] = manifest["servers"].values()
            change(record)
            (path / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
            [match] = played.run.matches()
            (match.path / "done.json").unlink()
            return await resume_run(path, concurrency=1, observer=BaseObserver())

    return asyncio.run(both())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "before", "now"),
    [
        ("context_tokens", 4096, "32768"),
        ("counted", "exactly", "'guessed' (the model's tokenizer is not on this machine)"),
        ("overflow", "summarise", "None"),
    ],
)
def test_a_run_is_not_continued_with_other_limits_and_the_difference_is_named(
    field: str, before: object, now: str, tmp_path: Path
) -> None:
    def change(record: dict[str, Any]) -> None:
        record["limits"][field] = before

    with pytest.raises(RecordError) as caught:
        resume_changed(tmp_path, change)
    message = str(caught.value)
    assert f"was played with {field} = {before!r} of " in message
    assert f"now it is {now};" in message
    assert "\n" not in message


def test_a_run_is_not_continued_with_another_model(tmp_path: Path) -> None:
    def change(record: dict[str, Any]) -> None:
        record["served"] = "another-model"

    with pytest.raises(RecordError, match="was played with 'another-model' as "):
        resume_changed(tmp_path, change)


def test_a_record_with_fewer_limits_is_continued(tmp_path: Path) -> None:
    def change(record: dict[str, Any]) -> None:
        del record["limits"]["counted"]

    assert only(resume_changed(tmp_path, change)).outcome != "error"


def test_a_run_is_not_continued_with_another_chat_template(tmp_path: Path) -> None:
    def change(record: dict[str, Any]) -> None:
        record["identities"][0]["template"] = "0" * 64

    with pytest.raises(RecordError, match="tokenises a conversation differently"):
        resume_changed(tmp_path, change)


@pytest.mark.slow
@pytest.mark.parametrize("field", ["root", "version"])
def test_a_run_that_is_continued_at_another_server_is_flagged(field: str, tmp_path: Path) -> None:
    def change(record: dict[str, Any]) -> None:
        record["identities"][0][field] = "another"

    assert "server changed" in only(resume_changed(tmp_path, change)).flags
    assert "server changed" not in only(resume_changed(tmp_path / "same", lambda _: None)).flags


@pytest.mark.slow
def test_a_model_whose_replies_name_another_one_on_resume_is_refused(tmp_path: Path) -> None:
    loaded, path = save_case(tmp_path / "case"), tmp_path / "run"

    async def both() -> RunResult:
        async with fake_server(engine="") as server:
            wanted = config(loaded, f"{server.url}/v1", "naive")
            played = await start_run(wanted, [loaded], path, concurrency=1, observer=BaseObserver())
            [match] = played.run.matches()
            (match.path / "done.json").unlink()
            for name, kept in (("events.jsonl", 12), ("calls.jsonl", 3)):
                lines = (match.path / name).read_text("utf-8").splitlines(keepends=True)
                (match.path / name).write_text("".join(lines[:kept]), encoding="utf-8")
            server.reply_model = "gpt-evil-9000"
            return await resume_run(path, concurrency=1, observer=BaseObserver())

    summary = only(asyncio.run(both()))
    assert summary.outcome == "error"
    assert "names 'gpt-evil-9000'" in summary.error_cause
    assert "server changed" in summary.flags
