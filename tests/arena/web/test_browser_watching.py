"""In a browser: links that come later, a run that is followed, dropped replays, long matches."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from arena.core.events import QuestionAsked
from arena.records.run_folder import hold_folder
from arena.web.match_export import write_match
from tests.arena.cli.tiny import ISLAND, lively
from tests.arena.web import browser
from tests.arena.web.browser import chromium, needs_chromium, site
from tests.arena.web.long_record import make_long_run
from tests.arena.web.recorded import make_run, write
from tests.arena.web.test_browser import until
from tests.arena.web.test_review import ballots, finish
from tests.arena.web.test_server import MATCH
from tests.arena.web.test_watching import expected

pytestmark = [needs_chromium, pytest.mark.browser]
axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe here")

DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
}"""


def test_a_question_on_a_live_page_gets_its_link_when_the_answer_comes(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    asked = next(at for at, one in enumerate(events, 1) if isinstance(one, QuestionAsked))
    answer = dict(expected(events))[asked]
    write(record, events[:asked])
    with site(tmp_path) as address, chromium() as page:
        page.goto(f"{address}{MATCH}")
        page.locator(f"#e{asked} .link").focus()
        assert page.locator(f"#e{asked} .pair").count() == 0
        write(record, events[asked:])
        page.wait_for_selector(f"#e{len(events)}", state="attached")
        link = page.locator(f"#e{asked} .pair")
        assert link.get_attribute("href") == f"#e{answer}"
        assert page.evaluate("document.activeElement.hash") == f"#e{asked}", "the focus stays"
        assert page.locator(f"#e{asked}").get_attribute("aria-live") == "off", "not read out again"
        link.press("Enter")
        assert page.url.endswith(f"#e{answer}")
        page.locator(f"#e{answer} .pair").press("Enter")
        assert page.url.endswith(f"#e{asked}")
        live = page.eval_on_selector_all(".item", "all => all.map(one => one.textContent)")
        page.reload()
        assert page.eval_on_selector_all(".item", "all => all.map(one => one.textContent)") == live


def test_a_run_is_followed_without_loading_its_page_again(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    with site(tmp_path) as address, chromium() as page, hold_folder(tmp_path / "one"):
        page.goto(f"{address}/runs/one")
        page.evaluate("window.kept = true")
        assert "Matches waiting" in page.locator("#status").inner_text()
        write(record, events[:20])
        until(page, "document.querySelector('#m0 a') !== null")
        until(page, "document.getElementById('status').innerText.includes('Matches in progress')")
        write(record, events[20:])
        finish(record)
        until(page, "document.querySelector('#m0 .chip') !== null")
        assert page.locator("tbody tr").count() == 1
        assert page.locator("tbody > *").count() == 1
        assert page.evaluate("window.kept")


@pytest.mark.parametrize("place", ["/", MATCH])
def test_a_record_that_is_dropped_onto_a_page_or_chosen_with_keys_is_shown(
    tmp_path: Path, place: str
) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    file = record.path / "events.jsonl"
    with site(tmp_path) as address, chromium() as page:
        page.goto(f"{address}{place}")
        page.evaluate(DROP, ["events.jsonl", file.read_text(encoding="utf-8")])
        page.wait_for_url("**/replays/*")
        assert page.locator(f"#e{len(events)}").count() == 1
        page.goto(f"{address}{place}")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.set_input_files("#record", file)
        page.locator("#drop button").press("Enter")
        page.wait_for_url("**/replays/*")
        page.select_option("select[name=as]", "truth")
        page.locator(".observer button").press("Enter")
        page.wait_for_url("**/replays/*as=truth")
        assert page.get_by_text("A wet oar").count() > 0
        page.goto(f"{address}{place}")
        page.evaluate(DROP, ["diary.txt", "Dear diary"])
        page.wait_for_selector("text=not a record of a match")


def test_a_file_that_is_too_large_is_not_even_sent(tmp_path: Path) -> None:
    make_run(tmp_path / "one")
    with site(tmp_path) as address, chromium() as page:
        page.goto(f"{address}/")
        page.evaluate(DROP, ["events.jsonl", "x" * (17 << 20)])
        until(page, "!document.querySelector('#drop .error').hidden")
        assert page.url == f"{address}/"


def test_in_a_match_of_7000_events_links_and_keys_end_where_they_point(tmp_path: Path) -> None:
    record, events = make_long_run(tmp_path / "one")
    write_match(record, tmp_path / "out.html")

    def aim(name: str) -> str:
        place = f"document.getElementById('{name}').getBoundingClientRect()"
        return f"{place}.top > 0 && {place}.top < innerHeight"

    with site(tmp_path) as address, chromium(bypass_csp=True) as page:
        for opened in (f"{address}{MATCH}", (tmp_path / "out.html").as_uri()):
            page.goto(f"{opened}#e7000")
            page.wait_for_load_state("load")
            until(page, aim("e7000"))
            # Far higher than what is assumed of an item that was not drawn yet.
            page.add_style_tag(content=".item { padding-bottom: 30rem }")
            page.locator("h1").click()
            page.keyboard.press("Home")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("End")
            assert page.locator(".item.later").count() == 0
            until(page, aim(page.url.rpartition("#")[2]))
            assert page.locator(f"#e{len(events)}").count() == 1


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_the_truth_is_shown(
    tmp_path: Path, language: str, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = {"script": ISLAND} if language == "zh" else {"answer": lively}
    record, events = make_run(tmp_path / "one", **script)  # pyright: ignore[reportArgumentType]
    write(record, events)
    finish(record)
    review = ballots(len(events))
    real = browser.serve_runs

    def serve(*args: Any, **options: Any) -> Any:
        return real(*args, reviewer=lambda _: review, **options)

    monkeypatch.setattr(browser, "serve_runs", serve)
    sizes = {"width": 360, "height": 800}
    with site(tmp_path) as address, chromium(viewport=sizes, color_scheme=scheme) as page:
        page.goto(f"{address}/runs/one/matches/{record.path.name}?as=truth")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.locator(".review").count() == 2
        found = axe.Axe().run(page).response["violations"]
        serious = [one for one in found if one["impact"] in {"serious", "critical"}]
        assert serious == [], json.dumps([(one["id"], one["nodes"][0]["html"]) for one in serious])
        assert page.evaluate("document.documentElement.scrollWidth") <= sizes["width"]


def test_the_keyboard_reaches_all_in_order_and_nothing_moves_where_that_is_not_wanted(
    tmp_path: Path,
) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    with site(tmp_path) as address, chromium(reduced_motion="reduce") as page:
        page.goto(f"{address}{MATCH}")
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
        order: list[str] = []
        for _ in range(14):
            page.keyboard.press("Tab")
            order.append(
                page.evaluate(
                    "(({tagName, className, name, dataset, hash}) =>"
                    " dataset.do || className || name || hash || tagName)(document.activeElement)"
                )
            )
        assert order[0] == "skip"
        shown = " ".join(order)
        for before, after in (("as", "SUMMARY"), ("SUMMARY", "first"), ("last", "speed")):
            assert shown.index(before) < shown.index(after), order
        assert re.search(r"speed search", shown), order
        page.goto(f"{address}{MATCH}")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.url.endswith("#main")
