"""A person's seat: the whole match is played by forms, and nothing of another seat is reached."""

import asyncio
import html
import re
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession, ClientTimeout
from aiohttp.test_utils import TestServer

from arena.core.events import Said, VoteCast
from arena.core.seats import SeatId
from arena.games.game_registry import DEFAULT, find_game
from arena.records.run_config import HumanSeat, RunConfig, make_pairs, match_specs
from arena.records.run_record import RunRecord
from arena.run.launch import RunResult, script_ref, start_run
from arena.run.observer import BaseObserver
from arena.run.run_scripts import load_scripts
from arena.web.feed import MatchFeed
from arena.web.fragments import Links
from arena.web.seat_pages import SeatPages
from arena.web.security import Access
from arena.web.web_desk import WebDesk
from arena.web.web_server import make_app
from scripts_mm.script import LANGUAGES, Language

pytestmark = pytest.mark.slow

TOKEN = "the-token-of-this-seat"
SECOND_TOKEN = "the-token-of-the-other-seat"
SEAT, SECOND_SEAT = f"/seat/{TOKEN}", f"/seat/{SECOND_TOKEN}"
LOCAL = Access()
Person = Callable[[ClientSession, "asyncio.Task[Any]"], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A match with persons at some seats; the others are random."""

    record: RunRecord
    match: str
    pages: Callable[[], tuple[SeatPages, ...]]
    run: Callable[[], Coroutine[Any, Any, RunResult]]

    async def play(self) -> None:
        """Play the match."""
        await self.run()


def prepare(folder: Path, language: Language, *desks: WebDesk) -> Table:
    """Return a match of a bundled script with a person at each desk, at innocent seats after 0."""
    game = find_game(DEFAULT)
    [loaded] = load_scripts(game, ["first-night"], language)
    script = loaded.script
    innocent = [name for name in script.names[1:] if name not in script.murderers]
    seats = {SeatId(name): desk for name, desk in zip(innocent, desks, strict=False)}
    preset = game.options(**game.presets["short"])  # pyright: ignore[reportArgumentType]
    config = RunConfig(
        pairs=make_pairs("random", "random"),
        scripts=(script_ref(loaded),),
        options=preset,
        humans=tuple(HumanSeat(seat=seat) for seat in seats),
    )
    path = folder / "one"
    [spec] = match_specs(config)
    record = RunRecord(path=path)
    links = Links(picture=lambda one: f"/runs/one/pictures/{one.sha256}")

    def pages() -> tuple[SeatPages, ...]:
        return tuple(
            SeatPages(
                token=token,
                seat=seat,
                feed=MatchFeed(record.match(spec.id), seat, links),
                desk=desk,
            )
            for token, (seat, desk) in zip((TOKEN, SECOND_TOKEN), seats.items(), strict=False)
        )

    def run() -> Coroutine[Any, Any, RunResult]:
        observer = BaseObserver()
        return start_run(config, [loaded], path, concurrency=None, observer=observer, desks=seats)

    return Table(record=record, match=spec.id, pages=pages, run=run)


def play(
    folder: Path, language: Language, person: Person, persons: int = 1, access: Access = LOCAL
) -> RunRecord:
    """Play a match with persons at innocent seats of a bundled script, from the second on.

    What they do is `person`, who may do it for all of them.
    """
    table = prepare(folder, language, *(WebDesk() for _ in range(persons)))

    async def run() -> None:
        async with (
            TestServer(make_app(folder, access, table.pages())) as server,
            ClientSession(server.make_url("/"), timeout=ClientTimeout(total=60)) as client,
            asyncio.TaskGroup() as group,
        ):
            task = group.create_task(table.run())
            client.headers["Origin"] = str(server.make_url("/")).rstrip("/")
            await person(client, task)

    asyncio.run(run())
    return RunRecord(path=table.record.path)


def forms(page: str) -> list[tuple[str, str, dict[str, list[str] | None]]]:
    """Return address, variant and fields of each form: its options, or None for a text."""
    found: list[tuple[str, str, dict[str, list[str] | None]]] = []
    for action, body in re.findall(
        r'<form method="post" action="([^"]+)" class="answer">(.*?)</form>', page, re.DOTALL
    ):
        variant = re.findall(r'name="variant" value="([^"]*)"', body)[0]
        texts = re.findall(r'<textarea id="[^"]+" name="([^"]+)"', body)
        fields: dict[str, list[str] | None] = dict.fromkeys(texts)
        for name, options in re.findall(
            r'<select id="[^"]+" name="([^"]+)".*?>(.*?)</select>', body, re.DOTALL
        ):
            values = re.findall(r'<option value="([^"]+)"', options)
            fields[name] = [html.unescape(one) for one in values]
        found.append((action, variant, fields))
    return found


async def page_of(client: ClientSession, path: str = SEAT, status: int = 200) -> str:
    async with client.get(path) as answer:
        assert answer.status == status
        return await answer.text()


async def next_form(
    client: ClientSession, task: "asyncio.Task[Any]", after: str, seat: str = SEAT
) -> str:
    """Return the page once it asks something that was not asked `after`."""
    while not task.done():
        page = await page_of(client, seat)
        if (found := forms(page)) and found[0][0] != after:
            return page
        await asyncio.sleep(0.05)
    return ""


async def play_by_forms(
    client: ClientSession,
    task: "asyncio.Task[Any]",
    seat: str = SEAT,
    words: str = "I heard the storm. 我听见风声。",
) -> list[str]:
    """Answer what the seat is asked until the match ends; return all that its pages showed."""
    chance, last, shown = Random(1), "", list[str]()
    while page := await next_form(client, task, last, seat):
        last, data = fill(page, chance, words)
        async with client.post(last, data=data) as answer:
            shown += [page, await answer.text()]
            assert answer.status == 200, shown[-1]
    shown.append(await page_of(client, seat))
    assert 'role="status"' in shown[-1]
    return shown


def fill(page: str, chance: Random, words: str) -> tuple[str, dict[str, str]]:
    """Return the address of a page's first form, and legal values for it."""
    action, variant, fields = forms(page)[0]
    values = {
        name: words if options is None else chance.choice(options)
        for name, options in fields.items()
    }
    return action, {"variant": variant, **values}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_plays_to_the_vote_by_forms_without_a_script(
    tmp_path: Path, language: Language
) -> None:
    record = play(tmp_path, language, play_by_forms)
    [match] = record.matches()
    [seat] = [one.seat for one in record.config.humans]
    said = [one for one in match.events() if isinstance(one, Said) and one.seat == seat]
    assert len(said) >= 3
    assert all("我听见风声" in one.text for one in said if one.act != "vote")
    assert any(isinstance(one, VoteCast) and one.seat == seat for one in match.events())
    summary = match.summary()
    assert summary is not None
    assert summary.outcome != "error"


def test_a_wrong_answer_comes_back_with_what_is_wrong_and_an_old_form_is_refused(
    tmp_path: Path,
) -> None:
    async def person(client: ClientSession, task: "asyncio.Task[Any]") -> None:
        page = await next_form(client, task, "")
        action, variant, fields = forms(page)[0]
        assert fields == {"text": None}
        for text, remark in (("", "a text is empty"), ("x" * 9_000, "characters")):
            async with client.post(action, data={"variant": variant, "text": text}) as answer:
                shown = await answer.text()
                assert answer.status == 422
                assert remark in shown
                assert forms(shown)[0][0] == action, "the same request is still open"
        async with client.post(action, data={"variant": "none", "text": "x"}) as answer:
            assert answer.status == 422
        good = {"variant": variant, "text": "I am here."}
        for origin in ("https://evil.example", "null", ""):
            async with client.post(action, data=good, headers={"Origin": origin}) as answer:
                assert answer.status == 403
        async with client.post(action, data=good) as answer:
            assert answer.status == 200
        async with client.post(action, data=good) as answer:
            assert answer.status == 409
            assert "already answered" in await answer.text()
        await play_by_forms(client, task)

    record = play(tmp_path, "en", person)
    [seat] = [one.seat for one in record.config.humans]
    [match] = record.matches()
    said = [one.text for one in match.events() if isinstance(one, Said) and one.seat == seat]
    assert said.count("I am here.") == 1


def test_with_one_seats_link_nothing_of_another_is_reached(tmp_path: Path) -> None:
    async def person(client: ClientSession, task: "asyncio.Task[Any]") -> None:
        page = await next_form(client, task, "")
        [loaded] = load_scripts(find_game(DEFAULT), ["first-night"], "en")
        others = [
            sentence
            for number, role in enumerate(loaded.script.roles)
            for sentence in role.script.split("\n")
            if number != 1 and len(sentence) > 60
        ]
        own = "understudy every woman"
        assert own in html.unescape(page)
        for path in ("/seat/wrong", "/seat/", f"{SEAT}x", "/seat/wrong/form", "/seat/wrong/events"):
            async with client.get(path) as answer:
                assert answer.status == 404
        async with client.post("/seat/wrong/answers/1", data={"variant": ""}) as answer:
            assert answer.status == 404
        public = await page_of(client, "/runs/one/matches/first-night-en-s0")
        for shown in (page, public):
            assert not [one for one in others if one in html.unescape(shown)]
        assert own not in html.unescape(public)
        for query in ("?as=truth", "?as=0", "?as=1"):
            await page_of(client, f"/runs/one/matches/first-night-en-s0{query}", status=404)
        await play_by_forms(client, task)

    play(tmp_path, "en", person)
