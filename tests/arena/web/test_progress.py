"""How far a run is: on its page, and live."""

import asyncio
import re
from pathlib import Path

import pytest
from aiohttp import ClientSession

from arena.core.events import ActionAccepted
from arena.core.seats import SeatId
from arena.core.state import pending, replay
from arena.records.run_config import HumanSeat
from arena.records.run_folder import hold_folder
from arena.records.run_record import RunRecord
from arena.web import run_meter
from arena.web.run_directory import RunDirectory
from arena.web.run_meter import RunMeter
from tests.arena.cli.tiny import lively
from tests.arena.web.recorded import make_run, write
from tests.arena.web.test_review import finish
from tests.arena.web.test_server import text_of, visit

RUN = "/runs/one"


def test_a_live_run_shows_what_plays_waits_and_is_asked(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    runs, meter = RunDirectory(tmp_path), RunMeter(RunRecord(path=tmp_path / "one"))
    before = meter.measure(runs.matches("one"))
    assert (before.playing, before.waiting, before.turns) == (0, 1, 0)
    for count in range(4, len(events), 7):
        write(record, events[count - (4 if count == 4 else 7) : count])
        found = meter.measure(runs.matches("one"))
        assert (found.playing, found.waiting, found.finished) == (1, 0, 0)
        state = replay(record.script(), events[:count])
        assert found.asked == len(pending(state))
        assert found.turns == sum(isinstance(one, ActionAccepted) for one in events[:count])


def test_the_turns_of_a_match_that_ends_between_two_looks_count(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    runs, meter = RunDirectory(tmp_path), RunMeter(RunRecord(path=tmp_path / "one"))
    write(record, ())
    assert meter.measure(runs.matches("one")).turns == 0
    write(record, events)
    turns = sum(isinstance(one, ActionAccepted) for one in events)
    finish(record, turns=turns)
    assert [meter.measure(runs.matches("one")).turns for _ in range(2)] == [turns, turns]


def test_turns_a_second_are_those_of_the_last_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(run_meter, "monotonic", lambda: now[0])
    record, events = make_run(tmp_path / "one", answer=lively)
    runs, meter = RunDirectory(tmp_path), RunMeter(RunRecord(path=tmp_path / "one"))
    write(record, events[:4])
    with hold_folder(tmp_path / "one"):
        assert meter.measure(runs.matches("one")).rate is None, (
            "nothing is known of the time before"
        )
        write(record, events[4:-1])
        turns = sum(isinstance(one, ActionAccepted) for one in events)
        now[0] += 10
        assert meter.measure(runs.matches("one")).rate == pytest.approx(turns / 10)
        now[0] += 50
        assert meter.measure(runs.matches("one")).rate == pytest.approx(turns / 60)
        now[0] += 30
        assert meter.measure(runs.matches("one")).rate == 0
    assert meter.measure(runs.matches("one")).rate is None, "no process plays it"


def test_a_run_with_persons_tells_no_turn_before_its_end(tmp_path: Path) -> None:
    human = (HumanSeat(seat=SeatId("Ada Vale")),)
    record, events = make_run(tmp_path / "one", answer=lively, humans=human)
    write(record, events[:30])

    async def look(client: ClientSession) -> None:
        with hold_folder(tmp_path / "one"):
            page = await text_of(client, RUN)
        assert "Matches in progress" in page
        assert "Seats deciding now" not in page
        assert "Turns/s" not in page
        assert "<dt>Turns</dt><dd>0</dd>" in page

    visit(tmp_path, look)


def test_the_page_of_a_run_follows_it_without_being_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.run_pages._POLL_SECONDS", 0.05)
    record, events = make_run(tmp_path / "one", answer=lively)

    async def look(client: ClientSession) -> None:
        page = await text_of(client, RUN)
        assert f'data-stream="{RUN}/progress"' in page
        assert "<dt>Matches waiting</dt><dd>1</dd>" in page
        text = ""
        async with client.get(f"{RUN}/progress") as stream:
            async with asyncio.timeout(10):
                with hold_folder(tmp_path / "one"):
                    write(record, events)
                    while "Matches in progress" not in text:
                        text += (await stream.content.readline()).decode()
                    finish(record, turns=9)
                    while "event: over" not in text:
                        text += (await stream.content.readline()).decode()
        assert '<tr id="m0">' in text
        assert re.findall(r"<dt>Turns</dt><dd>(\d+)</dd>", text)[-1] != "0"
        for message in text.split("\n\n"):
            assert not ("<tr" in message and "<div" in message), "a row must stand alone"
        page = await text_of(client, RUN)
        assert "data-stream" not in page
        assert "Matches waiting" not in page

    visit(tmp_path, look)


def test_a_damaged_live_match_leaves_the_page_of_its_run_standing(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events[:20])
    with (record.path / "events.jsonl").open("a") as file:
        file.write("no event\n")

    async def look(client: ClientSession) -> None:
        assert "Matches interrupted" in await text_of(client, RUN)

    visit(tmp_path, look)
