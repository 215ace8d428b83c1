"""Whatever is said, named or written, a page has the same elements: text stays text."""

from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from aiohttp import ClientSession
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import Action, Reply
from arena.core.observation import Spectator
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, spec_fields, variants
from arena.web.fragments import Links, MatchFragments
from arena.web.match_export import write_match
from scripts_mm.script import Role, Script, Truth
from tests.arena.cli.tiny import LAMP, Answer, play
from tests.arena.web.hostile import PAYLOADS
from tests.arena.web.recorded import make_run, with_real_pictures, write
from tests.arena.web.test_server import MATCH, read_stream, visit

PLAIN = "plain words"
LINKS = Links(picture=lambda _: "/p.png")


class Elements(HTMLParser):
    """Counts elements with their attributes, and the values of those that do something."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self.addresses: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag, tuple(sorted(name for name, _ in attrs))] += 1
        self.addresses |= {
            value or "" for name, value in attrs if name in {"href", "src", "action"}
        }


def elements(html: str) -> Elements:
    parser = Elements()
    parser.feed(html)
    parser.close()
    return parser


def case_with(text: str) -> Script:
    """Return the lamp room with `text` in its title, opening, clues and truth."""
    clues = tuple(
        replace(
            one,
            title=f"{text}{number}",
            text=text,
            pictures=tuple(replace(pic, description=text, file="x.png") for pic in one.pictures),
        )
        for number, one in enumerate(LAMP.clues)
    )
    truth = Truth(culprits=LAMP.truth.culprits, text=text)
    return with_real_pictures(replace(LAMP, title=text, opening=text, clues=clues, truth=truth))


def answer_with(text: str) -> Answer:
    def answer(request: DecisionRequest) -> Action:
        [variant] = variants(request.spec)
        values = (
            (one.name, one.spec.options[-1] if isinstance(one.spec, Choice) else text)
            for one in spec_fields(variant.spec)
        )
        return Reply(values=tuple(values))

    return answer


def fragments(text: str, *, truth: bool) -> str:
    script = case_with(text)
    events = play(script, answer_with(text))
    log = MatchFragments(script, Spectator(truth=truth), LINKS)
    log.add(events)
    return "\n".join(log.show())


PLAIN_ELEMENTS = {truth: elements(fragments(PLAIN, truth=truth)) for truth in (False, True)}


@pytest.mark.slow
@pytest.mark.parametrize("truth", [False, True])
@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_a_payload_makes_no_element_attribute_or_address(payload: str, truth: bool) -> None:
    found = elements(fragments(payload, truth=truth))
    assert found.found == PLAIN_ELEMENTS[truth].found
    assert found.addresses == PLAIN_ELEMENTS[truth].addresses


@pytest.mark.slow
@given(text=st.text(min_size=1, max_size=60).filter(str.strip))
def test_no_text_at_all_changes_the_elements_of_a_page(text: str) -> None:
    found = elements(fragments(f"x{text}x", truth=False))
    assert found.found == PLAIN_ELEMENTS[False].found


@pytest.mark.parametrize("payload", PAYLOADS[:6], ids=range(6))
def test_a_payload_as_the_name_of_a_seat_is_text_too(payload: str) -> None:
    names = [f"{payload}{number}" for number in range(4)]
    roles = tuple(Role(name=name, script="x") for name in names)
    clues = tuple(replace(one, owner=names[1] if one.owner else None) for one in LAMP.clues)
    script = with_real_pictures(
        replace(LAMP, roles=roles, clues=clues, truth=Truth(culprits=(names[1],), text="x"))
    )
    events = play(script, answer_with(PLAIN))
    log = MatchFragments(script, Spectator(), LINKS)
    log.add(events)
    shown = elements("\n".join(log.show()))
    assert set(shown.found) <= set(PLAIN_ELEMENTS[False].found)


def test_a_stream_an_export_and_a_page_hold_the_payloads_as_text(tmp_path: Path) -> None:
    text = "\n".join(PAYLOADS[:-4])
    record, events = make_run(tmp_path / "one", case_with("x"), answer_with(text))
    write(record, events)
    pages: dict[str, str] = {}

    async def look(client: ClientSession) -> None:
        async with client.get(MATCH) as answer:
            pages["page"] = await answer.text()
        found = await read_stream(client, f"{MATCH}/events", until=len(events))
        assert [number for number, _ in found] == list(range(1, len(events) + 1))
        pages["stream"] = "\n".join(html for _, html in found)

    visit(tmp_path, look)
    write_match(record, tmp_path / "out.html")
    pages["export"] = (tmp_path / "out.html").read_text(encoding="utf-8")
    for name, page in pages.items():
        shown = elements(page)
        assert "window.pwned" in page, name
        tags = {tag for tag, _ in shown.found}
        assert not tags & {"iframe", "animate", "math", "plaintext", "base", "object"}, name
        assert shown.found["svg", ()] == 0, name
        handlers = {one for _, names in shown.found for one in names if one.startswith("on")}
        assert not handlers, name


def test_an_export_needs_nothing_from_elsewhere_and_allows_only_its_own_script(
    tmp_path: Path,
) -> None:
    record, events = make_run(tmp_path / "one")
    write(record, events)
    size = write_match(record, tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert size == len(page.encode())
    addresses = elements(page).addresses
    assert all(one.startswith(("#", "data:image/")) or one == "data:," for one in addresses)
    assert "default-src 'none'" in page
    assert "unsafe" not in page
