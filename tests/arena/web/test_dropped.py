"""A replay that is dropped onto a page: shown as any match, or refused in one sentence."""

import json
import os
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, FormData

from arena.core.seats import SeatId
from arena.records.run_config import HumanSeat
from arena.web import replay_uploads
from tests.arena.cli.tiny import ISLAND, lively
from tests.arena.web.hostile import PAYLOADS
from tests.arena.web.long_record import LENGTH, make_long_run
from tests.arena.web.recorded import make_run, write
from tests.arena.web.test_hostile_texts import answer_with, case_with, elements
from tests.arena.web.test_server import MATCH, text_of, visit


def origin(client: ClientSession) -> str:
    return str(client._base_url).rstrip("/")  # pyright: ignore[reportPrivateUsage]


async def drop(client: ClientSession, data: bytes, **headers: str) -> tuple[int, str, str]:
    """Drop a file; return status, page and path of the answer."""
    form = FormData()
    form.add_field(
        "record", BytesIO(data), filename="events.jsonl", content_type="application/json"
    )
    sent = {"Origin": origin(client)} | headers
    async with client.post("/replays", data=form, headers=sent) as answer:
        return answer.status, await answer.text(), answer.url.path


def record_of(folder: Path, **options: Any) -> bytes:
    record, events = make_run(folder, answer=lively, **options)
    write(record, events)
    return (record.path / "events.jsonl").read_bytes()


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_a_dropped_record_is_shown_as_the_match_it_is_and_no_run_changes(tmp_path: Path) -> None:
    data = record_of(tmp_path / "one")
    before = files_in(tmp_path)

    async def look(client: ClientSession) -> None:
        index = await text_of(client, "/")
        assert 'action="/replays" enctype="multipart/form-data"' in index
        original = await text_of(client, MATCH)
        status, page, path = await drop(client, data)
        assert status == 200
        assert path.startswith("/replays/")
        log = re.compile(r'<div id="log".*?<p id="state"', re.DOTALL)
        shown, wanted = log.search(page), log.search(original)
        assert shown is not None
        assert wanted is not None
        articles = shown[0].partition(">")[2], wanted[0].partition(">")[2]
        assert articles[0] == articles[1]
        truth = await text_of(client, f"{path}?as=truth")
        assert "A wet oar" in truth
        assert "A wet oar" not in page
        await text_of(client, f"{path}?as=9", status=404)
        again = await drop(client, data)
        assert again[2] == path

    visit(tmp_path, look)
    assert files_in(tmp_path) == before


def test_a_record_that_breaks_off_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    lines = record_of(tmp_path / "one").splitlines(keepends=True)

    async def look(client: ClientSession) -> None:
        status, page, _ = await drop(client, b"".join(lines[:20]) + lines[20][:30])
        assert status == 200
        assert "data-stream" not in page
        assert 'data-last="20"' in page

    visit(tmp_path, look)


def changed(data: bytes, number: int, **values: object) -> bytes:
    lines = data.decode().splitlines()
    lines[number] = json.dumps({**json.loads(lines[number]), **values})
    return ("\n".join(lines) + "\n").encode()


def _first(data: bytes, kind: str) -> int:
    return [json.loads(line)["kind"] for line in data.splitlines()].index(kind)


def deep(text: str, depth: int = 100_000) -> bytes:
    return (text % ("[" * depth + "]" * depth) + "\n").encode()


def wrong_files(data: bytes) -> dict[str, tuple[bytes, str]]:
    """Return files that are no record to be shown, each with a part of the answer."""
    start = json.loads(data.splitlines()[0])
    return {
        "empty": (b"", "the file is empty"),
        "blank": (b"  \n\n", "the file is empty"),
        "export": (b"<!doctype html><title>x", "this is a page"),
        "picture": (b"\x89PNG\r\n\x1a\n\0\0", "this is not a record of a match"),
        "text": (b"Dear diary\n", "this is not a record of a match"),
        "no-json": (b"{not json\n", "line 1"),
        "one-line": (data.splitlines()[0], "no complete line"),
        "not-utf-8": (b'{"kind": "\xff"}\n', "not UTF-8"),
        "calls": (b'{"schema": 1, "call_id": {}}\n', "line 1"),
        "no-start": (b"".join(data.splitlines(keepends=True)[1:]), "does not start with a match"),
        "deep": (deep('{"kind": "said", "x": %s}'), "line 1"),
        "deep-start": (deep('{"schema": 1, "kind": "match_started", "x": %s}'), "line 1"),
        "other-game": (changed(data, 0, game="poker"), "is not installed"),
        "other-script": (changed(data, 0, script_sha256="0" * 64), "in none of the runs here"),
        "no-hash": (changed(data, 0, script_sha256="../../run"), "in none of the runs here"),
        "other-seed": (changed(data, 0, seed=-1), ""),
        "huge-number": (changed(data, 0, seed=10**400), ""),
        "no-parts": (changed(data, 0, parts=[]), "does not fit"),
        "options": (changed(data, 0, options={**start["options"], "rounds": 10**9}), "line 1"),
        "forged": (changed(data, _first(data, "said"), act="<b>forged</b>"), "does not fit"),
        "twice": (data + data, "does not fit"),
        "newline-flood": (data.splitlines(keepends=True)[0] + b"\n" * 1_000_000, "line 2"),
    }


def test_whatever_is_dropped_is_answered_with_a_sentence_and_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    data = record_of(tmp_path / "runs" / "one")

    async def look(client: ClientSession) -> None:
        [own] = scratch.iterdir()
        for name, (file, reason) in wrong_files(data).items():
            status, page, _ = await drop(client, file)
            assert status == 422, (name, page)
            assert reason in page, (name, page)
            assert "Traceback" not in page
            assert str(scratch) not in page, name
            assert not {"b", "script"} & {tag for tag, _ in elements(page).found}, name
            assert list(own.iterdir()) == [], name

    visit(tmp_path / "runs", look)
    assert list(scratch.iterdir()) == [], "the folder ends with the server"


@pytest.mark.slow
def test_a_file_that_is_too_large_is_refused_and_one_of_7000_events_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, _ = make_long_run(tmp_path / "one")
    data = (record.path / "events.jsonl").read_bytes()
    assert len(data) * 4 < replay_uploads.MAX_BYTES

    async def look(client: ClientSession) -> None:
        status, page, _ = await drop(client, data)
        assert status == 200
        last = int(re.findall(r'data-last="(\d+)"', page)[0])
        assert last >= LENGTH
        monkeypatch.setattr(replay_uploads, "MAX_BYTES", 1 << 20)
        status, page, _ = await drop(client, data + b" ")
        assert (status, "the limit is 1 MiB" in page) == (422, True)

    visit(tmp_path, look)


def test_what_is_no_form_with_a_file_is_refused(tmp_path: Path) -> None:
    make_run(tmp_path / "one")

    async def look(client: ClientSession) -> None:
        kinds = ("application/json", "multipart/form-data", "multipart/form-data; boundary=x")
        bodies = (
            b"",
            b"{}",
            b"--x\r\n\r\n",
            b"--x--\r\n",
            b"--x\r\nContent-Type: multipart/mixed\r\n",
        )
        for kind in kinds:
            for body in bodies:
                headers = {"Origin": origin(client), "Content-Type": kind}
                async with client.post("/replays", data=body, headers=headers) as answer:
                    assert answer.status in {400, 422}, (kind, body)
                    assert "Traceback" not in await answer.text()
        for path in ("/replays/none", "/replays/..%2f..", "/replays/" + "0" * 64):
            await text_of(client, path, status=404)

    visit(tmp_path, look)


def test_a_form_of_another_site_drops_nothing(tmp_path: Path) -> None:
    data = record_of(tmp_path / "one")

    async def look(client: ClientSession) -> None:
        for wrong in ("http://evil.example", "null", ""):
            status, _, _ = await drop(client, data, Origin=wrong)
            assert status == 403

    visit(tmp_path, look)


def test_a_script_that_a_person_plays_is_not_read_by_a_made_up_record(tmp_path: Path) -> None:
    data = record_of(tmp_path / "one")
    human = (HumanSeat(seat=SeatId("Ada Vale")),)

    async def look(client: ClientSession) -> None:
        status, _, path = await drop(client, data)
        assert status == 200
        make_run(tmp_path / "two", humans=human)
        status, page, _ = await drop(client, data + b"{")
        assert status == 422
        assert "a person is playing this script" in page
        await text_of(client, f"{path}?as=truth", status=404)

    visit(tmp_path, look)


def test_a_script_of_a_run_that_cannot_be_read_is_refused_with_the_name_of_the_run(
    tmp_path: Path,
) -> None:
    data = record_of(tmp_path / "one")
    make_run(tmp_path / "two")
    (tmp_path / "two" / "run.json").write_text("{", encoding="utf-8")

    async def look(client: ClientSession) -> None:
        status, page, _ = await drop(client, data)
        assert status == 422
        assert "cannot be read, so whether a person plays this script is unknown" in page
        assert "run &#39;two&#39;" in page
        assert "a person is playing" not in page

    visit(tmp_path, look)


def test_only_the_last_records_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_uploads, "MAX_RECORDS", 2)
    data = record_of(tmp_path / "one")
    lines = data.splitlines(keepends=True)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))

    async def look(client: ClientSession) -> None:
        [own] = scratch.iterdir()
        paths: list[str] = []
        for age, count in enumerate((10, 12, 14)):
            paths.append((await drop(client, b"".join(lines[:count])))[2])
            kept = own / paths[-1].rpartition("/")[2]
            os.utime(kept, (age, age))
        assert "drop the file again" in await text_of(client, paths[0], status=404)
        for path in paths[1:]:
            await text_of(client, path)

    visit(tmp_path, look)


def test_texts_of_a_dropped_record_stay_texts(tmp_path: Path) -> None:
    pages: list[str] = []
    for name, text in (
        ("plain", "words"),
        ("hostile", "\n".join(one for one in PAYLOADS if len(one) < 1_000)),
    ):
        script = case_with(text[:3_000])
        record, events = make_run(tmp_path / name / "one", script, answer_with(text))
        write(record, events)
        data = (record.path / "events.jsonl").read_bytes()

        async def look(client: ClientSession, data: bytes = data) -> None:
            status, page, _ = await drop(client, data)
            assert status == 200
            pages.append(page)

        visit(tmp_path / name, look)
    plain, hostile = map(elements, pages)
    assert hostile.found == plain.found


def test_a_chinese_record_is_shown_in_chinese(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", ISLAND)
    write(record, events)
    data = (record.path / "events.jsonl").read_bytes()

    async def look(client: ClientSession) -> None:
        _, page, _ = await drop(client, data)
        assert '<html lang="zh">' in page
        assert "查看另一个回放" in page

    visit(tmp_path, look)
