"""Persons of one match, as they start it: at pages, at a terminal, and with wrong words."""

import asyncio
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession, ClientTimeout

from arena.core.events import Said, VoteCast
from arena.records.run_config import HUMAN, make_pairs
from arena.records.run_record import RunRecord, open_run
from tests.arena.cli.conftest import Told
from tests.arena.cli.forking import Forked, forked
from tests.arena.cli.play.terminal import terminal
from tests.arena.cli.play.test_terminal import play_to_the_end
from tests.arena.web.test_seat import fill, next_form, play_by_forms

SHORT = ("-o", "rounds=1", "--out", "run")
LINK = re.compile(r"(.+): http://(127\.0\.0\.1:\d+)(/seat/[\w-]{20,})")
MOST_SECONDS = 40


def wait(program: Forked, run: Path) -> list[tuple[str, str, str]]:
    """Return name, host and path of the two links that the program prints, once it plays."""
    end = time.monotonic() + MOST_SECONDS
    while len(found := LINK.findall(program.out.read_text("utf-8"))) < 2 or not run.exists():
        assert time.monotonic() < end, program.err.read_text("utf-8")
        time.sleep(0.05)
    return found


def stop(program: Forked) -> Told:
    os.kill(program.pid, signal.SIGINT)
    return program.wait()


async def until_over(record: RunRecord) -> None:
    """Return when the match has its summary."""
    while record.find_results() is None:  # noqa: ASYNC110 - another process writes it
        await asyncio.sleep(0.1)


def visit(host: str, record: RunRecord, act: Callable[[ClientSession, Any], Any]) -> None:
    """Do something at the pages of a program, beside a task that lasts as long as the match."""

    async def run() -> None:
        address = f"http://{host}"
        async with (
            ClientSession(
                address, headers={"Origin": address}, timeout=ClientTimeout(total=MOST_SECONDS)
            ) as client,
            asyncio.TaskGroup() as group,
        ):
            task = group.create_task(until_over(record))
            await act(client, task)
            task.cancel()

    asyncio.run(run())


@pytest.mark.slow
def test_two_persons_play_in_a_browser_and_their_links_hold_when_the_match_goes_on(
    tmp_path: Path,
) -> None:
    manifest = tmp_path / "run" / "run.json"
    persons = ("--as", "dorothea lind", "--as", "Nell Ashby", "--web", "--against", "random")
    with forked(tmp_path, "play", "first-night", *persons, *SHORT) as program:
        links = wait(program, manifest)
        record = open_run(tmp_path / "run")

        async def say(client: ClientSession, task: Any) -> None:
            # Nell is asked first: the order of the script decides, not that of the links.
            page = await next_form(client, task, "", links[1][2])
            action, data = fill(page, Random(1), "Nell speaks first.")
            async with client.post(action, data=data) as answer:
                assert answer.status == 200
            await next_form(client, task, "", links[0][2])

        visit(links[0][1], record, say)
        ended = stop(program)
    assert ended.status == 130
    assert "arena resume run --web" in ended.err
    assert [name for name, _, _ in links] == ["Dorothea Lind", "Nell Ashby"]
    assert len({path for _, _, path in links}) == 2
    kept = tmp_path / ".run.seat.token"
    assert kept.stat().st_mode & 0o777 == 0o600
    with forked(tmp_path, "resume", "run", "--web") as program:
        assert wait(program, manifest) == links

        async def play(client: ClientSession, task: Any) -> None:
            async with asyncio.TaskGroup() as group:
                for _, _, path in links:
                    group.create_task(play_by_forms(client, task, path))

        visit(links[0][1], record, play)
        ended = stop(program)
    assert "A person played in this match" in ended.out
    [match] = record.matches()
    summary = match.summary()
    assert summary is not None
    assert HUMAN in summary.flags
    events = match.events()
    said = [one for one in events if isinstance(one, Said) and one.seat == "Nell Ashby"]
    assert [one.text for one in said].count("Nell speaks first.") == 1
    voters = {one.seat for one in events if isinstance(one, VoteCast)}
    assert {"Nell Ashby", "Dorothea Lind"} <= voters


@pytest.mark.slow
def test_persons_of_a_side_human_sit_at_pages_and_allies_play_the_rest(tmp_path: Path) -> None:
    civ = ("--civ", "human", "--human-seat", "Nell Ashby", "--human-seat", "iris vane")
    words = ("match", *civ, "--allies", "naive", "--murderer", "random", "--web")
    with forked(tmp_path, *words, "--script", "first-night", *SHORT) as program:
        links = wait(program, tmp_path / "run" / "run.json")
        stop(program)
    config = open_run(tmp_path / "run").config
    assert [name for name, _, _ in links] == ["Iris Vane", "Nell Ashby"]
    assert [one.seat for one in config.humans] == ["Iris Vane", "Nell Ashby"]
    assert config.pairs == make_pairs("naive", "random")


@pytest.mark.slow
def test_a_person_of_a_side_human_plays_at_a_terminal_and_goes_on_later(tmp_path: Path) -> None:
    words = ("match", "--civ", "human", "--murderer", "random", "--script", "first-night")
    with terminal(tmp_path, *words, *SHORT) as program:
        program.wait_for_prompt()
        assert "Your script (only you see it)" in program.text
        program.type("/leave")
        program.wait_for("arena resume run")
        assert program.finish() == 130
    record = open_run(tmp_path / "run")
    [human] = record.config.humans
    assert record.config.pairs == make_pairs("random", "random")
    assert record.script(record.config.scripts[0]).murderers != (human.seat,)
    with terminal(tmp_path, "resume", "run") as program:
        assert play_to_the_end(program, "Said", "Verdict")[-1] == "Your choice"
        assert program.finish() == 0
    finished = record.find_results()
    assert finished is not None
    assert HUMAN in finished[0].flags


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("play", "first-night", "--as", "Nell Ashby", "--as", "Iris Vane", "--against", "random"),
        ("match", "--civ", "human", "--murderer", "human", "--allies", "naive"),
    ],
)
def test_several_persons_at_one_terminal_are_sent_to_their_pages(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    with terminal(tmp_path, *words) as program:
        assert program.finish() == 2
    assert "one person can play at a terminal, got 2; add --web" in program.text
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--civ", "human", "-n", "2"), "a person plays one match at a time, but this run has 2"),
        (("--civ", "human", "--swap"), "leave out --matches and --swap"),
        (("--civ", "human", "--script", "two-tides"), "but this run has 2"),
        (("--civ", "human", "--quiz", "both"), "silent questions cannot be put"),
        (("--civ", "human", "--ballots"), "silent questions cannot be put"),
        (("--civ", "human", "--truth"), "leave out --truth"),
        (("--civ", "human", "--quiet", "--json"), "leave out --quiet and --json"),
        (("--civ", "human", "--human-seat", "Nel"), "did you mean 'Nell Ashby'?"),
        (("--civ", "human", "--human-seat", "Miles Tarrant"), "is not on the side of 'human'"),
        (("--murderer", "human", "--allies", "naive"), "leave out --allies"),
        (("--civ", "human", "--murderer", "human", "--web"), "name with --allies"),
        (("--civ", "human", "--allies", "human", "--web"), "other seats need another contestant"),
        (("--civ", "human", "--allies", "gwen", "--web"), "no model 'gwen'"),
        (("--civ", "human:x=1"), "no option 'x'"),
        (("--human-seat", "Nell Ashby"), "need a side that a person plays"),
        (("--civ", "human"), "a person plays at a terminal"),
    ],
)
def test_wrong_words_about_persons_are_one_line_and_nothing_is_written(
    words: tuple[str, ...], said: str, program: Callable[..., Told]
) -> None:
    players = ("--civ", "random", "--murderer", "random", "--script", "first-night")
    told = program("match", *players, *words)
    assert told.status == 2
    assert told.err.count("\n") == 1
    assert said in told.err
    assert not [one for one in Path().iterdir() if not one.name.endswith("-streams")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--human-id", "kim"), "wanted 2, got 1"),
        (("--human-id", "kim", "--human-id", "kim"), "'kim' is named twice"),
        (("--as", "nell ashby"), "'Nell Ashby' is named twice"),
        (("--against", "human"), "other seats need another contestant"),
        (("--host", "0.0.0.0"), "--host 0.0.0.0 needs --name NAME"),
    ],
)
def test_wrong_words_of_a_table_are_one_line(
    words: tuple[str, ...], said: str, program: Callable[..., Told]
) -> None:
    table = ("--as", "Nell Ashby", "--as", "Iris Vane", "--web", "--against", "random")
    told = program("play", "first-night", *table, *words)
    assert (told.status, told.err.count("\n")) == (2, 1)
    assert said in told.err
    assert not list(Path().iterdir())


def test_a_person_is_no_contestant_of_a_tournament(program: Callable[..., Told]) -> None:
    told = program(
        "tournament", "plan", "t", "-p", "human", "-p", "random", "--script", "first-night"
    )
    assert told.status == 2
    assert "takes a seat of one match" in told.err
