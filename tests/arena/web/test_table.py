"""Several persons at one table: each has pages of its own, which hold nothing of another's seat."""

import asyncio
import html
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession
from yarl import URL

from arena.core.events import ClueRevealed, Event, Said, VoteCast
from arena.core.seats import SeatId
from arena.core.state import pending
from arena.records.run_config import HUMAN
from arena.records.run_record import RunRecord
from arena.web.feed import MatchFeed
from arena.web.fragments import Links
from arena.web.seat_pages import SeatPages, count_shown
from arena.web.security import Access
from arena.web.web_desk import WebDesk
from scripts_mm.script import LANGUAGES, Language, Script
from tests.arena.web.recorded import make_run, write
from tests.arena.web.test_seat import (
    SEAT,
    SECOND_SEAT,
    fill,
    forms,
    next_form,
    page_of,
    play,
    play_by_forms,
)

Task = asyncio.Task[Any]
WORDS = ("The first one heard a storm. 第一人听见风声。", "The second saw a lamp. 第二人看见灯光。")


async def hear(client: ClientSession, seat: str) -> str:
    """Return all that the stream of a seat sends until the match ends."""
    async with client.get(f"{seat}/events") as answer:
        return await answer.text()


async def look_at_form(client: ClientSession, task: Task, seat: str) -> str:
    """Return the forms of a seat at many moments until the match ends."""
    found: dict[str, None] = {}
    while not task.done():
        found[await page_of(client, f"{seat}/form")] = None
        await asyncio.sleep(0.02)
    return "\n".join(found)


async def attend(client: ClientSession, task: Task, seat: str, words: str) -> str:
    """Play at a seat by forms; return all that its pages, forms and stream have shown."""
    async with asyncio.TaskGroup() as group:
        stream = group.create_task(hear(client, seat))
        form = group.create_task(look_at_form(client, task, seat))
        pages = group.create_task(play_by_forms(client, task, seat, words))
    return html.unescape("\n".join([stream.result(), form.result(), *pages.result()]))


def secrets_of(script: Script, events: tuple[Event, ...], seat: SeatId) -> set[str]:
    """Return sentences that only `seat` may read, and the texts of clues that others may not."""
    [role] = [one for one in script.roles if one.name == seat]
    private = {line.strip() for line in role.script.split("\n") if len(line) > 20}
    clues = {
        clue.text
        for event in events
        if isinstance(event, ClueRevealed) and event.audience == (seat,)
        for clue in script.clues
        if clue.id == event.clue and clue.text
    }
    return private | clues


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_two_persons_play_to_the_vote_and_neither_sees_a_secret_of_the_other(
    tmp_path: Path, language: Language
) -> None:
    shown: list[str] = []

    async def persons(client: ClientSession, task: Task) -> None:
        async with asyncio.TaskGroup() as group:
            both = [
                group.create_task(attend(client, task, seat, words))
                for seat, words in zip((SEAT, SECOND_SEAT), WORDS, strict=True)
            ]
        shown.extend(one.result() for one in both)

    record = play(tmp_path, language, persons, persons=2)
    [match] = record.matches()
    events, summary = match.events(), match.summary()
    assert summary is not None
    assert summary.outcome != "error"
    assert summary.flags.count(HUMAN) == 1
    seats = [human.seat for human in record.config.humans]
    for seat, words in zip(seats, WORDS, strict=True):
        said = [one.text for one in events if isinstance(one, Said) and one.seat == seat]
        assert sum(words in text for text in said) >= 3
        assert any(isinstance(one, VoteCast) and one.seat == seat for one in events)
    for number, seat in enumerate(seats):
        own, other = shown[number], shown[1 - number]
        secrets = secrets_of(match.script(), events, seat)
        assert len(secrets) > 5
        assert [one for one in secrets if one in own], "a person reads its own script"
        assert not [one for one in secrets if one in other]


async def until_both_are_asked(client: ClientSession, task: Task) -> tuple[str, str]:
    """Play on until both persons must decide at once; return their pages."""
    chance = Random(2)
    while not task.done():
        pages = [await page_of(client, seat) for seat in (SEAT, SECOND_SEAT)]
        asked = [page for page in pages if forms(page)]
        if len(asked) == 2:
            return pages[0], pages[1]
        for page in asked:
            action, data = fill(page, chance, "I was here.")
            await client.post(action, data=data)
        await asyncio.sleep(0.02)
    raise AssertionError("the persons never decide at once")


@pytest.mark.slow
def test_while_both_decide_the_answer_of_one_is_not_shown_to_the_other(tmp_path: Path) -> None:
    async def persons(client: ClientSession, task: Task) -> None:
        first, second = await until_both_are_asked(client, task)
        action, data = fill(first, Random(1), "")
        async with client.post(action, data=data) as answer:
            assert answer.status == 200
        waits = await page_of(client)
        assert not forms(waits)
        again = await page_of(client, SECOND_SEAT)
        assert forms(again) == forms(second)
        assert again.count('class="item') == second.count('class="item')
        await play_by_forms(client, task, SECOND_SEAT)

    play(tmp_path, "en", persons, persons=2)


@pytest.mark.slow
def test_the_token_of_one_person_answers_no_form_of_the_other(tmp_path: Path) -> None:
    async def persons(client: ClientSession, task: Task) -> None:
        # The second person has been asked nothing yet, so that each form can be the first's alone.
        page = await next_form(client, task, "")
        action, data = fill(page, Random(1), "Only I say this.")
        assert action.startswith(SEAT)
        async with client.post(action.replace(SEAT, SECOND_SEAT), data=data) as answer:
            assert answer.status == 409
            refused = await answer.text()
        assert forms(await page_of(client)) == forms(page), "it is still asked"
        for secret in (SEAT, f"{SEAT}/events"):
            assert secret not in refused
        for token in ("", "0", SEAT[6:-1], f"{SEAT[6:]}{SECOND_SEAT[6:]}"):
            async with client.post(f"/seat/{token}/answers/1", data=data) as answer:
                assert answer.status == 404
        async with client.post(action, data=data) as answer:
            assert answer.status == 200
        async with asyncio.TaskGroup() as group:
            for seat in (SEAT, SECOND_SEAT):
                group.create_task(play_by_forms(client, task, seat))

    record: RunRecord = play(tmp_path, "en", persons, persons=2)
    [match] = record.matches()
    said = [one for one in match.events() if isinstance(one, Said)]
    assert [one.seat for one in said if one.text == "Only I say this."] == [
        record.config.humans[0].seat
    ]


def test_who_must_still_decide_is_shown_nothing_that_came_since_it_was_asked(
    tmp_path: Path,
) -> None:
    """A program that was killed in a wave may have recorded some of its answers."""
    record, events = make_run(tmp_path / "one")
    number = next(n for n, one in enumerate(events) if isinstance(one, VoteCast))
    write(record, events[: number + 1])
    vote = events[number]
    assert isinstance(vote, VoteCast)
    state = record.state_at(number + 1)
    waiting = next(one.seat for one in pending(state))
    for seat, known in ((vote.seat, number + 1), (waiting, state.opened_at)):
        feed = MatchFeed(record, seat, Links(picture=lambda one: one.sha256))
        feed.read()
        pages = SeatPages(token=seat, seat=seat, feed=feed, desk=WebDesk())
        assert count_shown(pages) == known
    assert state.opened_at <= number


def test_on_other_devices_a_seat_needs_its_own_token_and_all_other_pages_that_of_the_server(
    tmp_path: Path,
) -> None:
    closed = (
        *("/", "/runs/one", "/runs/one/matches/first-night-en-s0", "/seat/%2e%2e/runs/one"),
        *("/seat", "/nothing"),
    )
    nowhere = ("/seat/forged", "/seat/..%2fruns%2fone", "/runs/one/pictures/..%2f..", "/static/..")

    async def sit(client: ClientSession, task: Task) -> None:
        page = await next_form(client, task, "")
        assert forms(page)
        for path in ("/static/seat.js", f"{SEAT}/form"):
            async with client.get(path) as answer:
                assert answer.status == 200, path
        for picture in re.findall(r'src="(/runs/[^"]+)"', page):
            async with client.get(picture) as answer:
                assert answer.status == 200, "the pictures of its own page"
        for path in closed:
            async with client.get(path) as answer:
                assert answer.status == 401, path
        for path in nowhere:
            async with client.get(URL(path, encoded=True)) as answer:
                assert answer.status in {401, 404}, path
                assert "first-night" not in await answer.text()
        await play_by_forms(client, task, SEAT, WORDS[0])

    record = play(tmp_path, "en", sit, access=Access(token="of-the-server"))
    assert all(one.summary() is not None for one in record.matches())
