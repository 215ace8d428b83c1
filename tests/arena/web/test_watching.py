"""What helps to watch a match: links of questions and answers, graphs of votes, the rules."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession

from arena.core.events import Event, QuestionAsked, Said, VoteCast, VotesTallied
from arena.core.observation import Spectator
from arena.core.options import option_help
from arena.core.playouts.playout import play_out
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN
from arena.games.game_registry import all_games
from arena.games.whodunit.options import WhodunitOptions
from arena.view.i18n.en import EN
from arena.view.items import TallyItem, VoteItem
from arena.view.match_view import MatchView
from arena.web.fragments import MatchFragments, render_event
from arena.web.match_export import write_match
from arena.web.pages import render_page
from arena.web.vote_graph import draw_votes, shorten
from tests.arena.cli.tiny import (
    ISLAND,
    LAMP,
    lively,
    play,
)
from tests.arena.games.cases import setup_of
from tests.arena.web.hostile import PAYLOADS
from tests.arena.web.long_record import LENGTH, make_long_run
from tests.arena.web.recorded import make_run, with_real_pictures, write
from tests.arena.web.test_hostile_texts import LINKS, elements
from tests.arena.web.test_server import MATCH, text_of, visit
from tests.table import legal

PAIR = re.compile(r'<article id="e(\d+)".*?</article>', re.DOTALL)


def pairs(html: str) -> set[tuple[int, int]]:
    """Return from which event a link of a question or an answer leads to which."""
    return {
        (int(found[1]), int(target))
        for found in PAIR.finditer(html)
        for target in re.findall(r'class="pair" href="#e(\d+)"', found[0])
    }


def expected(events: tuple[Event, ...]) -> set[tuple[int, int]]:
    """Return the links that the requests of the game give: an answer's continues its question's."""
    asked = {
        one.request: number
        for number, one in enumerate(events, 1)
        if isinstance(one, QuestionAsked)
    }
    answers = {
        (asked[one.request.rpartition("/")[0]], number)
        for number, one in enumerate(events, 1)
        if isinstance(one, Said) and one.request.rpartition("/")[0] in asked
    }
    return answers | {(answer, question) for question, answer in answers}


def log_of(events: tuple[Event, ...], observer: SeatId | Spectator = Spectator()) -> MatchFragments:  # noqa: B008
    log = MatchFragments(with_real_pictures(LAMP), observer, LINKS)
    log.add(events)
    return log


def test_every_question_has_a_link_to_its_answer_and_back_on_pages_and_in_an_export(
    tmp_path: Path,
) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    write_match(record, tmp_path / "out.html")
    wanted = expected(events)
    assert len(wanted) >= 6

    async def look(client: ClientSession) -> None:
        assert pairs(await text_of(client, MATCH)) == wanted
        assert pairs(await text_of(client, f"{MATCH}?as=truth")) == wanted

    visit(tmp_path, look)
    assert pairs((tmp_path / "out.html").read_text(encoding="utf-8")) == wanted


def test_a_question_is_sent_again_with_its_link_when_the_answer_comes(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    question = next(
        number for number, one in enumerate(events, 1) if isinstance(one, QuestionAsked)
    )
    answer = dict(expected(events))[question]
    write(record, events[:question])

    async def look(client: ClientSession) -> None:
        assert pairs(await text_of(client, MATCH)) == set()
        seen: list[str] = []
        async with client.get(f"{MATCH}/events?after={question}") as stream:
            write(record, events[question:])
            async for line in stream.content:
                seen.append(line.decode())
                if line.startswith(f"id: {answer + 1}".encode()):
                    break
        text = "".join(seen)
        change = text.index("event: change")
        assert change < text.index(f"id: {answer}\n"), "whoever lost the answer gets it again"
        sent = text[change : text.index("\n\n", change)].replace("data: ", "")
        assert pairs(sent) == {(question, answer)}
        assert "\nid:" not in sent

    visit(tmp_path, look)


def test_an_answer_that_the_observer_may_not_know_is_not_linked() -> None:
    events = play(with_real_pictures(LAMP), lively)
    question, answer = min(pair for pair in expected(events) if pair[0] < pair[1])
    asked, said = events[question - 1], events[answer - 1]
    assert isinstance(asked, QuestionAsked)
    assert isinstance(said, Said)
    secret = replace(said, audience=(said.seat,))
    changed = (*events[: answer - 1], secret, *events[answer:])
    assert (question, answer) in pairs("".join(log_of(events).show()))
    assert question not in dict(pairs("".join(log_of(changed).show())))
    assert (question, answer) in pairs("".join(log_of(changed, said.seat).show()))
    assert pairs("".join(log_of(events).show(answer - 1))) == set(), "it is not known yet"


def graphs(html: str) -> list[str]:
    return re.findall(r'<figure class="votes">.*?</figure>', html, re.DOTALL)


def test_a_vote_is_a_graph_with_a_table_once_it_is_public(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    tally = next(number for number, one in enumerate(events) if isinstance(one, VotesTallied))
    write(record, events[:tally])

    async def look(client: ClientSession) -> None:
        assert graphs(await text_of(client, MATCH)) == []
        write(record, events[tally:])
        [graph] = graphs(await text_of(client, MATCH))
        for text in ("Ada Vale → Bram Finch", "Cora Lund → Bram Finch", "Bram Finch → Ada Vale"):
            assert text in graph
        assert re.search(r'class="k1 named"[^>]*><tspan class="name">Bram Finch', graph)
        assert '<tspan class="count">2</tspan>' in graph
        assert "<td>Bram Finch <small>(named by the vote)</small></td>" in graph

    visit(tmp_path, look)


def test_a_count_whose_ballots_stay_secret_has_a_graph_for_nobody_but_the_truth() -> None:
    events = play(with_real_pictures(LAMP), lively)
    secret = tuple(
        replace(one, ballots=()) if isinstance(one, VotesTallied) else one for one in events
    )
    votes = [one for one in secret if isinstance(one, VoteCast)]
    assert all(one.audience != "all" for one in votes)
    assert graphs("".join(log_of(secret).show())) == []
    [graph] = graphs("".join(log_of(secret, Spectator(truth=True)).show()))
    assert "Ada Vale → Bram Finch" in graph
    [own] = graphs("".join(log_of(secret, SeatId("Ada Vale")).show()))
    assert "Cora Lund" not in own, "a seat knows its own vote only"


def vote(seat: str, choice: str) -> VoteItem:
    return VoteItem(seat=seat, choice=choice, is_seat=choice != ABSTAIN, remark="")


def test_several_ballots_of_a_seat_are_one_line_that_is_thicker() -> None:
    known = (*[vote("A", "B")] * 3, vote("A", "C"), vote("B", "C"))
    item = TallyItem(ballots=(), line="", known=known, counts=(("B", 3), ("C", 2)), named=("B",))
    graph = draw_votes(item, {"A": 0, "B": 1, "C": 2}, EN)
    assert graph is not None
    assert [(one.name, one.votes, one.is_named) for one in graph.choices] == [
        ("B", 3, True),
        ("C", 2, False),
    ]
    assert graph.summary == "A → B × 3, A → C, B → C"
    assert graph.edges[0].width > graph.edges[1].width


def test_a_name_in_a_graph_is_never_wider_than_its_place() -> None:
    assert shorten("Ada Vale") == "Ada Vale"
    assert shorten("W" * 4_000) == "W" * 19 + "…"
    assert shorten("程" * 30) == "程" * 9 + "…"


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_no_name_makes_an_element_of_a_graph(payload: str) -> None:
    def page(name: str) -> str:
        names = tuple(f"{name}{number}" for number in range(3))
        known = tuple(vote(one, names[0]) for one in names)
        counts = ((names[0], 3),)
        item = TallyItem(ballots=(), line=name, known=known, counts=counts, named=(names[0],))
        colors = {one: at for at, one in enumerate(names)}
        graph = draw_votes(item, colors, EN)
        return render_page("votes.html.jinja", item=item, graph=graph, messages=EN)

    assert elements(page(payload)).found == elements(page("plain")).found


@pytest.mark.parametrize("name", all_games())
def test_every_game_is_shown_to_its_end_with_its_rules_and_options(name: str) -> None:
    game, chance = all_games()[name], Random(1)
    setup = setup_of(game)
    state = play_out(game, setup, lambda _, one: legal(one, chance))
    for observer in (Spectator(), Spectator(truth=True), state.started.seats[0]):
        log = MatchFragments(setup.script, observer, LINKS)
        log.add(state.history)
        shown = "".join(log.show())
        assert f'id="e{len(state.history)}"' in shown
        assert {one[::-1] for one in pairs(shown)} == pairs(shown), "there and back"
        rules = log.rules()
        assert len(rules.text) > 200
        assert {one.name for one in rules.options} == set(option_help(type(setup.options)))


def test_the_rules_panel_names_first_the_options_that_are_not_the_default(tmp_path: Path) -> None:
    options = WhodunitOptions(rounds=2, attempts=2)
    record, events = make_run(tmp_path / "one", options=options)
    write(record, events)

    async def look(client: ClientSession) -> None:
        page = await text_of(client, MATCH)
        panel = page[page.index('class="brief rules"') : page.index('id="player"')]
        rows = re.findall(
            r"<tr( class=\"changed\")?><th[^>]*><code>(\w+)</code></th><td>(.*?)</td>", panel
        )
        changed = {name: value for mark, name, value in rows if mark}
        assert changed == {
            "attempts": "2 <small>(changed)</small>",
            "rounds": "2 <small>(changed)</small>",
        }
        assert [bool(mark) for mark, _, _ in rows[:3]] == [True, True, False]
        assert "Discussion, 2 rounds" in panel

    visit(tmp_path, look)


def test_the_rules_panel_of_a_chinese_match_is_chinese(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", ISLAND)
    write(record, events)
    write_match(record, tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<summary>规则</summary>" in page
    assert "谁投给了谁" in page
    assert "看回答" in page


def test_a_log_is_a_live_region_and_a_picture_of_a_vote_has_words(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)

    async def look(client: ClientSession) -> None:
        page = await text_of(client, MATCH)
        assert re.search(r'<div id="log" role="log" aria-live="polite" aria-label="[^"]+', page)
        assert re.search(r'<svg [^>]*role="img" aria-label="Who voted for whom: Ada Vale', page)
        assert re.search(
            r'<label for="record">[^<]+</label>\s*<input id="record" type="file"', page
        )

    visit(tmp_path, look)


@pytest.mark.slow
def test_a_page_is_sent_while_it_is_made_and_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_long_run(tmp_path / "one")
    made: list[int] = []

    def count(view: MatchView, number: int, *others: Any) -> str:
        made.append(number)
        return render_event(view, number, *others)

    monkeypatch.setattr("arena.web.fragments.render_event", count)

    async def look(client: ClientSession) -> None:
        async with client.get(MATCH) as answer:
            first = await answer.content.readany()
            assert b'<article id="e1"' in first
            assert len(made) < LENGTH / 2, "the first block comes before the last is made"
            async with client.get("/static/match.js") as other:
                assert other.status == 200
            assert len(made) < LENGTH, "others are served meanwhile"
            whole = first + await answer.read()
        shown = [int(one) for one in re.findall(r'<article id="e(\d+)"', whole.decode())]
        assert shown[-1] >= LENGTH
        assert shown == sorted(set(shown))

    visit(tmp_path, look)
