"""Silent ballots and the audit of claims beside a match: with its truth alone."""

import asyncio
import re
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientTimeout
from aiohttp.test_utils import TestServer

from arena.cli.rendering.page_review import review_match
from arena.core.events import MatchStarted, Said
from arena.core.seats import SeatId
from arena.errors import RecordError
from arena.records.match_record import MatchRecord
from arena.records.probe_answers import ProbeAnswer
from arena.records.run_config import HumanSeat
from arena.records.run_record import RunRecord
from arena.web.ballot_chart import draw_ballot_chart
from arena.web.fragments import colors_of
from arena.web.match_export import write_match
from arena.web.pages import render_page
from arena.web.review import CATEGORIES, ClaimNote, Review, Reviewer, SilentVote
from arena.web.security import Access
from arena.web.web_server import make_app
from scripts_mm.catalog import find_script
from scripts_mm.facts.facts_file import facts_json, load_facts
from tests.arena.cli.tiny import fixed, lively
from tests.arena.records.made import summary
from tests.arena.web.hostile import PAYLOADS
from tests.arena.web.recorded import make_run, write
from tests.arena.web.test_hostile_texts import elements
from tests.arena.web.test_server import MATCH, text_of

SEATS = ("Ada Vale", "Bram Finch", "Cora Lund", "Dov Marsh")


def finish(record: MatchRecord, **changes: object) -> None:
    """Mark a record as complete."""
    events = record.events()
    ended = events[-1]
    record.write_summary(
        summary(
            match=record.path.name,
            events=len(events),
            script=getattr(events[0], "script", ""),
            seed=7,
            civilians="qwen+direct",
            murderer="naive",
            outcome=getattr(ended, "outcome", "draw"),
            **changes,
        )
    )


def run_pages(folder: Path, reviewer: Reviewer, *paths: str) -> list[str]:
    """Return pages of a server with a reviewer."""

    async def get() -> list[str]:
        app = make_app(folder, Access(), reviewer=reviewer)
        async with (
            TestServer(app) as server,
            ClientSession(server.make_url("/"), timeout=ClientTimeout(total=20)) as client,
        ):
            return [await text_of(client, path) for path in paths]

    return asyncio.run(get())


def ballots(events: int) -> Review:
    votes = tuple(
        SilentVote(seat=seat, event=event, top="Bram Finch", share=share)
        for event, share in ((8, 0.25), (10, 0.5), (12, 1.0))
        for seat in ("Ada Vale", "Cora Lund")
    )
    missing = SilentVote(seat="Dov Marsh", event=8, top="", share=None)
    claim = ClaimNote(
        seat="Bram Finch", event=10, text="I was in bed.", category="lie", is_caught=True
    )
    assert events > 12
    return Review(ballots=(*votes, missing), claims=(claim,))


def test_the_truth_of_a_finished_match_has_curves_and_claims_and_no_other_page_does(
    tmp_path: Path,
) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    finish(record)
    asked: list[str] = []

    def review(record: MatchRecord) -> Review:
        asked.append(record.path.name)
        return ballots(len(events))

    paths = (MATCH, f"{MATCH}?as=1", f"{MATCH}?as=truth", f"{MATCH}?as=truth")
    public, seat, truth, again = run_pages(tmp_path, review, *paths)
    for page in (public, seat):
        assert "Silent ballots" not in page
        assert "claim lie" not in page
    assert truth == again
    assert asked == [record.path.name], "it is computed once"
    assert "Silent ballots" in truth
    assert len(re.findall("<polyline", truth)) == 4, "three seats, and all together"
    assert "<i>no answer</i>" in truth
    speech = truth[
        truth.index('<article id="e10"') : truth.index("</article>", truth.index('"e10"'))
    ]
    assert "<b>lie</b> <small>(challenged)</small> <q>I was in bed.</q>" in speech


def test_before_the_end_and_while_persons_play_there_is_no_review(tmp_path: Path) -> None:
    def refuse(record: MatchRecord) -> Review:
        raise AssertionError(record)

    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    [page] = run_pages(tmp_path, refuse, f"{MATCH}?as=truth")
    assert "Audit of claims" not in page, "the match has no summary yet"
    human = (HumanSeat(seat=SeatId("Ada Vale")),)
    other, events = make_run(tmp_path / "two" / "one", answer=lively, humans=human)
    write(other, events)
    [page] = run_pages(tmp_path / "two", refuse, MATCH)
    assert "Audit of claims" not in page


def test_a_review_that_cannot_be_read_leaves_the_match_as_it_is(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    finish(record)

    def spoilt(record: MatchRecord) -> Review:
        raise RecordError("the facts <b> are spoilt")

    [page] = run_pages(tmp_path, spoilt, f"{MATCH}?as=truth")
    assert "the facts &lt;b&gt; are spoilt" in page
    assert f'id="e{len(events)}"' in page


def test_an_export_has_a_review_with_the_truth_alone(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one", answer=lively)
    write(record, events)
    review = ballots(len(events))
    for truth in (False, True):
        write_match(record, tmp_path / "out.html", truth=truth, review=review)
        page = (tmp_path / "out.html").read_text(encoding="utf-8")
        assert ("Silent ballots" in page) == truth
        assert ("<q>I was in bed.</q>" in page) == truth


def test_ballots_and_claims_of_a_record_are_those_of_the_scores(tmp_path: Path) -> None:
    loaded = find_script("first-night", "en")
    talk = fixed(loaded.script, introduce="I am {seat}. I did not kill Leopold Crane.")
    record, events = make_run(tmp_path / "one", loaded.script, talk)
    table, first = load_facts(loaded.folder), events[0]
    assert table is not None
    assert isinstance(first, MatchStarted)
    RunRecord(path=record.run).save_facts(first.script_sha256, facts_json(table))
    write(record, events)
    said = next(number for number, one in enumerate(events, 1) if isinstance(one, Said))
    killer, other = loaded.script.truth.culprits[0], loaded.script.names[0]
    assert killer != other
    record.write_probes(
        [
            ProbeAnswer(kind="ballot", seat=SeatId(other), event=said, candidate=killer),
            ProbeAnswer(kind="ballot", seat=SeatId(other), event=said + 2, candidate=None),
        ]
    )
    finish(record)
    found = review_match(record)
    assert [(one.seat, one.event, one.top, one.share) for one in found.ballots] == [
        (other, said, killer, 1.0),
        (other, said + 2, "", None),
    ]
    assert found.claims
    for claim in found.claims:
        event = events[claim.event - 1]
        assert getattr(event, "seat", "") == claim.seat
        assert claim.category in CATEGORIES
    denials = {one.seat: one.category for one in found.claims if "did not kill" in one.text}
    assert denials[killer] == "lie"
    assert denials[other] == "true"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_no_text_makes_an_element_of_a_review(payload: str, language: str) -> None:
    def page(text: str) -> str:
        votes = tuple(
            SilentVote(seat=f"{text}{number}", event=event, top=text, share=0.5)
            for number in range(2)
            for event in (3, 5)
        )
        claims = tuple(
            ClaimNote(seat=f"{text}0", event=3, text=text, category=one) for one in CATEGORIES
        )
        review = Review(ballots=votes, claims=claims, fault=text)
        seats = [f"{text}0", f"{text}1", "x"]
        return render_page(
            "review.html.jinja",
            review=review,
            chart=draw_ballot_chart(votes, colors_of(seats)),
            categories=CATEGORIES,
            colors={seat: at for at, seat in enumerate(seats)},
            language=language,
        ) + render_page("after.html.jinja", claims=claims, answer=0, language=language)

    shown, plain = elements(page(payload)), elements(page("plain"))
    assert shown.found == plain.found
    assert shown.addresses == plain.addresses
