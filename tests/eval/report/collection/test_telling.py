"""Excerpts and false claims: what is most telling comes first, and says why it is shown."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.events import Event, Said, VoteCast
from arena.core.seats import SeatId
from eval.claims.audited_claim import AuditedClaim, Category, ClaimKind
from eval.report.collection.claim_weights import weigh_claim
from eval.report.collection.excerpts import Excerpt, pick_excerpts
from eval.report.collection.match_facts import MatchFacts, extract_facts
from eval.report.elements import Quotation, Quotations, RunReport
from eval.report.page import render_page
from eval.report.report_context import load_report_wording
from scripts_mm.catalog import find_script
from tests.eval.made import made, start
from tests.eval.report.made_reports import facts, report, table
from tests.table import MURDERER, NAMES

ADA, TOM, VERA = map(SeatId, ("Ada Quill", "Tom Barrow", "Vera Lund"))
SECRET = (
    "She stood at her handle and held her head like a bird that listens. Tom Barrow sold you a "
    "ticket, limp and flat as if somebody had ironed it, punched it and went to the rear."
)


def claim(
    text: str,
    *,
    seat: str = NAMES[0],
    kind: ClaimKind = "told",
    category: Category = "lie",
    about: str = "",
    caught: bool = False,
    hedged: bool = False,
) -> AuditedClaim:
    values: dict[str, Any] = {"about": about, "caught": caught, "hedged": hedged}
    return AuditedClaim(
        event=1, seat=SeatId(seat), text=text, kind=kind, category=category, **values
    )


def spoken(seat: SeatId, text: str) -> Said:
    return Said(seat=seat, request="r", act="statement", parts=(("text", text),))


def tram(*events: Event) -> MatchFacts:
    """Return a match of the last tram that ends with a ballot."""
    loaded = find_script("last-tram", "en")
    first = replace(start(loaded.script), script_sha256=loaded.sha256)
    ballot = VoteCast(seat=ADA, request="v", choice=TOM, audience="host")
    return extract_facts(made(*events, ballot, script=loaded.script, started=first))


def quotes(found: RunReport, kind: str) -> tuple[Quotation, ...]:
    title = load_report_wording("en")(f"excerpts.{kind}")
    [section] = [one for one in found.sections if one.name == "excerpts"]
    blocks = [one for one in section.blocks if isinstance(one, Quotations)]
    return next(one.quotes for one in blocks if one.title == title)


def claimed(*claims: AuditedClaim) -> MatchFacts:
    people = {SeatId(name): f"p{number}" for number, name in enumerate(NAMES)}
    return replace(facts(), claims=claims, people=people)


ORDER = (
    claim("guilt, caught, of the murderer", seat=MURDERER, kind="guilt", caught=True),
    claim("guilt, caught", kind="guilt", caught=True),
    claim("own alibi, caught, a guess", kind="stay", about="p0", caught=True, hedged=True),
    claim("deed, of the murderer", seat=MURDERER, kind="deed"),
    claim("denial", kind="denial"),
    claim("another's stay, caught", kind="stay", about="p1", caught=True),
    claim("a fact"),
    claim("a fact, a guess", hedged=True),
    claim("an error about guilt, caught", kind="guilt", category="error", caught=True),
    claim("an error", category="error"),
)


def test_false_claims_are_shown_by_weight_and_the_page_says_how() -> None:
    found = report(claimed(*reversed(ORDER)))
    rows = table(found, "false_claims").rows
    assert [row[-1] for row in rows] == [one.text for one in ORDER]
    assert [row[-2] == "yes" for row in rows] == [one.caught for one in ORDER]
    assert [row[3] == "murderer" for row in rows] == [one.seat == MURDERER for one in ORDER]
    note = table(found, "false_claims").note
    assert note.startswith("Lies come before errors")
    assert note.replace("'", "&#39;") in render_page(found)


def test_of_many_false_claims_the_heaviest_of_all_matches_are_shown() -> None:
    light = claimed(*(claim(f"light {number}", category="error") for number in range(250)))
    heavy = replace(claimed(ORDER[0]), summary=replace(light.summary, match="m2"))
    found = table(report(light, heavy), "false_claims")
    assert found.title == "False claims (200 of 251)"
    assert len(found.rows) == 200
    assert found.rows[0][-1] == ORDER[0].text


def test_a_stay_is_an_alibi_of_its_speaker_alone() -> None:
    own = claim("x", kind="stay", about="p0")
    unknown = claim("x", kind="stay")
    assert weigh_claim(own, "p0", is_murderer=False) > weigh_claim(own, "p1", is_murderer=False)
    assert weigh_claim(unknown, "", is_murderer=False) == weigh_claim(own, "p1", is_murderer=False)


def test_excerpts_of_a_kind_come_by_weight_and_one_an_utterance() -> None:
    def one(weight: float, event: int, text: str = "") -> Excerpt:
        values: dict[str, Any] = {"match": "r/m", "speaker": "Ada", "is_murderer": False}
        return Excerpt(kind="lie", weight=weight, event=event, text=text, **values)

    found = pick_excerpts([one(1, 1), one(3, 2, "a"), one(2, 2, "b"), one(2, 3), one(2, 4)], "lie")
    assert [(excerpt.event, excerpt.text) for excerpt in found] == [(2, "a"), (3, ""), (4, "")]


@pytest.mark.slow
@pytest.mark.parametrize("is_caught", [True, False])
def test_the_lie_that_somebody_caught_is_quoted_with_its_sentence(is_caught: bool) -> None:
    lie = spoken(TOM, "Good evening. I never left car 31 at 23:31.")
    answer = spoken(ADA, "Tom is lying." if is_caught else "The fog was thick.")
    [quote] = quotes(report(tram(lie, answer)), "caught_lie" if is_caught else "lie")
    assert quote.text == lie.text
    assert quote.why == "The lie: I never left car 31 at 23:31."
    assert quote.speaker == "Tom Barrow (murderer)"
    assert quote.where.endswith("event 2")


@pytest.mark.slow
def test_a_weightier_lie_about_the_own_alibi_is_quoted_first() -> None:
    first = spoken(TOM, "The recorder was not fast by ten minutes. Ada was in car 31 at 23:20.")
    second = spoken(ADA, "I was in the pay office at 23:20.")
    third = spoken(TOM, "I never left car 31 at 23:31.")
    found = quotes(report(tram(first, second, third)), "lie")
    assert [quote.text for quote in found][:2] == [third.text, second.text]


def test_a_confession_and_a_leak_are_quoted_and_the_leak_names_its_detector() -> None:
    confession, leak = spoken(TOM, "I killed Osric Gant."), spoken(TOM, SECRET)
    found = report(tram(confession, leak))
    assert [one.text for one in quotes(found, "confession")] == [confession.text]
    [quote] = quotes(found, "leak")
    assert (quote.text, quote.why) == (leak.text, "Detector: verbatim_foreign.")
    assert len(found.alarms) == 2
