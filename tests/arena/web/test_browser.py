"""In a browser: a live match, a replay, a person's seat, keys, narrow screens, accessibility."""

import time
from pathlib import Path
from typing import Any

import pytest

from arena.core.events import ActionRejected, TurnSkipped
from arena.web.match_export import write_match
from arena.web.web_desk import WebDesk
from scripts_mm.script import LANGUAGES, Language
from tests.arena.cli.tiny import ISLAND, LAMP, lively
from tests.arena.web.browser import (
    chromium,
    keep,
    needs_chromium,
    running,
    site,
)
from tests.arena.web.hostile import PAYLOADS
from tests.arena.web.recorded import make_run, write
from tests.arena.web.test_hostile_texts import answer_with, case_with
from tests.arena.web.test_seat import SEAT, Table, prepare
from tests.arena.web.test_server import MATCH

pytestmark = [needs_chromium, pytest.mark.browser]
axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe here")

OVER = "#ask > [role=status]"
"""What a seat's page shows instead of a form when the match is over."""


def until(page: Any, script: str) -> None:
    """Wait for a condition; the page itself may not evaluate strings."""
    ends = time.monotonic() + 20
    while not page.evaluate(script):
        assert time.monotonic() < ends, script
        time.sleep(0.05)


def numbers(page: Any) -> list[int]:
    return [int(one[1:]) for one in page.eval_on_selector_all(".item", "all => all.map(e => e.id)")]


def test_the_number_of_finished_matches_stays_on_one_line(tmp_path: Path) -> None:
    for name in ("one", "a-run-with-a-very-long-name-of-many-words-that-needs-much-room"):
        record, events = make_run(tmp_path / name, answer=lively)
        write(record, events)
    with site(tmp_path) as address, chromium(viewport={"width": 1200, "height": 800}) as page:
        page.goto(address)
        lines = "all => all.map(one => one.getClientRects().length)"
        assert page.eval_on_selector_all("tbody td .whole", lines) == [1, 1]


def test_a_live_match_grows_on_the_page_and_goes_on_after_a_server_was_started_again(
    tmp_path: Path,
) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events[:8])
    with chromium() as page:
        with site(tmp_path) as address:
            page.goto(f"{address}{MATCH}")
            before = numbers(page)
            write(record, events[8:20])
            until(page, f"document.querySelectorAll('.item').length > {len(before)}")
            port = int(address.rpartition(":")[2])
        write(record, events[20:])
        with site(tmp_path, port=port):
            page.wait_for_selector(f"#e{len(events)}", state="attached", timeout=20_000)
            until(page, "document.getElementById('state').textContent === ''")
            live = numbers(page)
            assert live == sorted(set(live)), "no event is shown twice"
            page.reload()
            assert numbers(page) == live, "later the page is the same"


def test_a_replay_is_played_stepped_searched_and_linked_with_keys_alone(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    with site(tmp_path) as address, chromium() as page:
        page.goto(f"{address}{MATCH}")
        count = len(numbers(page))

        def shown() -> int:
            return page.locator(".item:not(.later)").count()

        assert shown() == count
        page.keyboard.press("Home")
        assert shown() == 1
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert shown() == 2
        linked = page.url.rpartition("#")[2]
        page.keyboard.press("End")
        assert shown() == count
        page.select_option("select[name=speed]", "100")
        page.keyboard.press("Escape")
        page.locator("#main h1").click()
        page.keyboard.press(" ")
        until(page, "document.querySelectorAll('.item:not(.later)').length > 3")
        page.locator("#main h1").click()
        page.keyboard.press(" ")
        page.fill("input[name=search]", "boathouse door")
        assert page.locator(".item.found").count() == 1
        page.goto(f"{address}{MATCH}#{linked}")
        assert page.locator(f"#{linked}").is_visible()


def test_a_picture_opens_large_and_closes_with_a_key(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one")
    write(record, events)
    with site(tmp_path) as address, chromium() as page:
        page.goto(f"{address}{MATCH}")
        page.locator("a.picture").first.click()
        assert page.locator("dialog[open] img").is_visible()
        page.keyboard.press("Escape")
        assert page.locator("dialog[open]").count() == 0


def test_an_export_plays_from_a_file_without_any_request(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one")
    write(record, events)
    write_match(record, tmp_path / "out.html")
    with chromium() as page:
        asked = keep(page, "request")
        page.goto((tmp_path / "out.html").as_uri())
        page.keyboard.press("Home")
        assert page.locator(".item:not(.later)").count() == 1
        page.keyboard.press("End")
        page.locator("a.picture").first.click()
        assert page.locator("dialog[open] img").evaluate("one => one.naturalWidth") == 64
        urls: list[str] = [one.url for one in asked]
    assert [one for one in urls if not one.startswith(("file:", "data:"))] == []


def test_no_payload_runs_on_a_page_in_a_stream_or_in_an_export(tmp_path: Path) -> None:
    text = "\n".join(PAYLOADS)
    record, events = make_run(tmp_path / "one", case_with(text[:3_000]), answer_with(text))
    write(record, events[:10])
    with site(tmp_path) as address, chromium() as page:
        opened = keep(page, "dialog")
        page.goto(f"{address}{MATCH}")
        write(record, events[10:])
        page.wait_for_selector(f"#e{len(events)}", state="attached")
        assert page.evaluate("window.pwned") is None
        assert page.title() == record.path.name
        write_match(record, tmp_path / "out.html")
        page.goto((tmp_path / "out.html").as_uri())
        time.sleep(0.3)
        assert page.evaluate("window.pwned") is None
        assert page.evaluate("document.forms.length") == 2
        assert opened == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("script", [LAMP, ISLAND], ids=LANGUAGES)
def test_axe_finds_nothing_serious_and_a_narrow_screen_needs_no_scrolling_aside(
    tmp_path: Path, script: Any, scheme: str
) -> None:
    record, events = make_run(tmp_path / "one", script)
    write(record, events)
    match = f"/runs/one/matches/{record.path.name}"
    sizes = {"width": 360, "height": 800}
    with site(tmp_path) as address, chromium(viewport=sizes, color_scheme=scheme) as page:
        for path in ("/", "/runs/one", match, f"{match}?as=truth"):
            page.goto(f"{address}{path}")
            found = axe.Axe().run(page).response["violations"]
            serious = [one for one in found if one["impact"] in {"serious", "critical"}]
            assert serious == [], [(one["id"], one["nodes"][0]["html"]) for one in serious]
            assert page.evaluate("document.documentElement.scrollWidth") <= sizes["width"], path


def answer_first_form(page: Any) -> None:
    """Fill the form that the page shows, and send it by a key: a click misses where the page moves.

    What answers it cannot be waited for: where the match ends, the page loads itself again first.
    """
    form = page.locator("form.answer").first
    for field in form.locator("textarea").all():
        field.fill("I was in the wardrobe. 我在化妆间。")
    for field in form.locator("select").all():
        field.select_option(index=1)
    form.locator("button").press("Enter")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scripted", [True, False], ids=["with-script", "without-script"])
def test_a_person_plays_to_the_vote_in_a_browser(
    tmp_path: Path, language: Language, scripted: bool
) -> None:
    desk = WebDesk()
    table: Table = prepare(tmp_path, language, desk)
    with (
        running(tmp_path, table.pages, table.play) as address,
        chromium(java_script_enabled=scripted) as page,
    ):
        page.goto(f"{address}{SEAT}")
        for turn in range(40):
            if scripted:
                page.wait_for_selector(f".ask, {OVER}", timeout=20_000)
            else:
                until = time.monotonic() + 20
                while not page.locator(f".ask, {OVER}").count():
                    assert time.monotonic() < until, "nothing is asked"
                    page.reload()
            if not page.locator(".ask").count():
                break
            number = page.locator(".ask").get_attribute("data-number")
            if turn == 0:
                found: Any = axe.Axe().run(page).response["violations"] if scripted else ()
                assert [one["id"] for one in found if one["impact"] == "critical"] == []
            answer_first_form(page)
            # Nothing limits the time of an answer, so the form goes only when one is accepted.
            refused_or_open = page.locator(f".ask[data-number='{number}']")
            refused_or_open.wait_for(state="detached", timeout=20_000)
        record = table.record.match(table.match)
        assert record.summary() is not None
        assert [
            one for one in record.events() if isinstance(one, ActionRejected | TurnSkipped)
        ] == []


def test_a_form_that_comes_again_does_not_replace_the_one_on_the_page(tmp_path: Path) -> None:
    table: Table = prepare(tmp_path, "en", WebDesk())
    announced = ["retry: 100\n\n"]
    with (
        running(tmp_path, table.pages, table.play) as address,
        chromium() as page,
    ):

        def stream(route: Any) -> None:
            route.fulfill(content_type="text/event-stream", body="".join(announced))

        page.route("**/events?*", stream)
        while not page.locator(".ask").count():
            page.goto(f"{address}{SEAT}")
        page.evaluate("document.querySelector('.ask').marked = true")
        announced.append("event: ask\ndata: 9\n\n")
        with page.expect_response("**/form"):
            pass
        page.wait_for_timeout(500)
        assert page.evaluate("document.querySelector('.ask').marked")
