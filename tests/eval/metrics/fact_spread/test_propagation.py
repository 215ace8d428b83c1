"""The way of facts from one seat to the others."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.core.events import ClueRevealed
from arena.core.seats import SeatId
from eval.metrics.fact_spread.clue_mentions import clue_mentions, mentions_clue
from eval.metrics.fact_spread.key_fact_propagation import key_mentions, score_propagation
from eval.metrics.fact_spread.propagation import (
    METRICS,
    FactEdge,
    FactSpread,
    clue_spreads,
    fact_edges,
    out_degree,
    path_disclosed,
    score_spreads,
    trace_facts,
)
from eval.metrics.fact_spread.tracked_facts import (
    FactMention,
    TrackedFact,
    clue_facts,
    key_facts,
    proof_chain,
)
from scripts_mm.script import Clue, KeyClue, Script, Truth
from tests.eval.made import made
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    CLEO,
    DIRK,
    asked,
    by_name,
    judged,
    said,
)
from tests.table import case

A, B, C, D = (SeatId(one) for one in "abcd")
SEATS = (A, B, C, D)


def told(event: int, seat: SeatId, fact: str = "k", **values: bool) -> FactMention:
    return FactMention(event=event, seat=seat, fact=fact, **values)


def follow(
    *mentions: FactMention, owners: Sequence[SeatId] = (A,), shown_at: int | None = None
) -> FactSpread:
    (spread,) = trace_facts(
        [TrackedFact(id="k", owners=tuple(owners), shown_at=shown_at)], mentions, SEATS
    )
    return spread


def test_reach_and_delay_count_the_first_use_of_each_other_seat() -> None:
    spread = follow(told(10, A), told(13, B), told(15, B), told(16, A), told(17, C))
    assert (spread.disclosed_at, spread.disclosed_by) == (10, A)
    assert spread.users == {B: 13, C: 17}
    assert spread.reach == pytest.approx(2 / 3)
    assert spread.delay == 5.0


def test_a_fact_that_nobody_told_has_no_reach_and_lowers_the_rate() -> None:
    silent = follow()
    assert (silent.disclosed_at, silent.reach, silent.delay) == (None, None, None)
    facts = (TrackedFact(id="told", owners=(ADA,)), TrackedFact(id="kept", owners=(ADA,)))
    spreads = trace_facts(facts, [FactMention(event=1, seat=ADA, fact="told")], (ADA, BRAM, CLEO))
    rates = list(score_spreads(made(), spreads, "clue"))
    assert [one.value for one in rates if one.metric == "clue_disclosure"] == [0.5]
    assert list(score_spreads(made(), [], "clue")) == []


def test_what_was_said_in_secret_is_a_use_and_no_disclosure() -> None:
    assert follow(told(5, A, public=False)).disclosed_at is None
    spread = follow(told(5, B, public=False), told(10, A), told(20, B, public=False))
    assert spread.users == {B: 20}, "before the disclosure nobody can use it"


def test_owners_of_one_fact_have_no_way_to_each_other() -> None:
    spread = follow(told(1, A), told(2, B), told(3, C), owners=(A, B))
    assert spread.users == {C: 3}
    assert spread.reach == 0.5


def test_a_seat_that_guessed_a_fact_first_is_no_user_of_it() -> None:
    spread = follow(told(1, B), told(2, C), told(3, B))
    assert (spread.disclosed_by, spread.users) == (B, {C: 2})


def test_a_fact_that_the_host_showed_is_everybodys() -> None:
    spread = follow(told(7, B), owners=(), shown_at=5)
    assert (spread.disclosed_at, spread.disclosed_by, spread.users) == (5, None, {B: 7})
    assert spread.reach == 0.25
    earlier = follow(told(3, A), told(7, B), shown_at=5)
    assert (earlier.disclosed_at, earlier.disclosed_by) == (3, A)


def test_an_answer_elicits_a_fact() -> None:
    assert follow(told(1, A, is_answer=True), told(2, B)).elicited
    assert not follow(told(1, A), told(2, A, is_answer=True)).elicited


def test_distorted_uses_are_counted_apart() -> None:
    mentions = [told(1, A), told(2, B, distorted=True), told(3, C)]
    spread = follow(*mentions)
    assert (spread.users, spread.distorted) == ({C: 3}, 1)
    assert fact_edges([spread], mentions) == (
        FactEdge(owner=A, user=B, fact="k", event=2, distorted=True),
        FactEdge(owner=A, user=C, fact="k", event=3),
    )


def test_out_degree_adds_up_the_users_of_all_facts_of_a_seat() -> None:
    facts = [TrackedFact(id="k", owners=(A,)), TrackedFact(id="l", owners=(A, B))]
    mentions = [told(1, A), told(2, B), told(3, A, "l"), told(4, C), told(5, C, "l")]
    assert out_degree(trace_facts(facts, mentions, SEATS)) == {A: 3, B: 1}


def test_the_path_is_out_with_its_last_fact() -> None:
    spreads = trace_facts(
        [TrackedFact(id="k"), TrackedFact(id="l")], [told(1, A), told(9, B, "l")], SEATS
    )
    assert path_disclosed(spreads, ("k", "l")) == 9
    assert path_disclosed(spreads, ("k", "m")) is None
    assert path_disclosed(spreads, ()) is None


def proof() -> Script:
    """Return a case with four key facts: two bear a third, and all bear the proof."""
    keys = (
        KeyClue(id="one", text="1", hops=0, holders=(ADA,)),
        KeyClue(id="two", text="2", hops=0, holders=(BRAM, CLEO)),
        KeyClue(id="three", text="3", hops=1, premises=("one", "two")),
        KeyClue(id="proof", text="4", hops=2, premises=("three", "one")),
    )
    return replace(case(), truth=Truth(culprits=(CLEO,), key_clues=keys))


def test_the_proof_rests_on_the_facts_without_premises() -> None:
    assert proof_chain(proof()) == ("one", "two")
    assert proof_chain(case()) == ()


def test_judged_key_facts_become_scores() -> None:
    match = made(
        said(ADA, "a", to=BRAM), said(DIRK, "b"), said(BRAM, "c"), said(DIRK, "d"), script=proof()
    )
    judgements = [
        judged("key_mentions", ADA, about="1", values=(1.0, 1.0, 9.0, 0.0)),
        judged("key_mentions", DIRK, about="2", values=(1.0,)),
        judged("key_mentions", BRAM, about="3", values=None),
        judged("key_distortions", DIRK, about="4", values=(2.0,)),
    ]
    assert len(key_mentions(match, judgements)) == 3, "a number counts once, and only if it is one"
    scores = [*score_propagation(match, judgements)]
    found = {one.metric: one.value for one in scores if not one.seat and not one.group}
    assert found["killer_path"] == 0.0
    assert found["key_elicited"] == 1.0
    assert found["key_reach"] == 0.25
    rates = {one.group: one.value for one in scores if one.metric == "key_disclosure"}
    assert rates == {"civilians": 0.5, "nobody": 0.0}
    assert by_name(scores, ADA) == {"key_out_degree": 1.0}
    more = judged("key_mentions", BRAM, about="3", values=(2.0,))
    paths = [
        one for one in score_propagation(match, [*judgements, more]) if one.metric == "killer_path"
    ]
    assert [one.value for one in paths] == [1.0]


def test_key_facts_that_nobody_judged_have_no_scores() -> None:
    assert not list(score_propagation(made(script=proof()), [judged("RP", ADA, 3)]))
    assert key_facts(made(script=proof()))[1].owners == (BRAM, CLEO)


def revealed(clue: str, *seats: str, finder: str | None = None) -> ClueRevealed:
    audience = tuple(map(SeatId, seats)) or "all"
    who = None if finder is None else SeatId(finder)
    return ClueRevealed(clue=clue, cause="found" if who else "dealt", finder=who, audience=audience)


def test_clues_travel_from_their_owner_by_the_words_of_their_title() -> None:
    match = made(
        revealed("log"),
        revealed("note", BRAM),
        revealed("plan", finder=DIRK),
        said(ADA, "Has anybody seen a note?"),
        said(BRAM, "I hold a note from Otto.", to=ADA),
        said(DIRK, "The plan of the tower shows two doors."),
        asked(CLEO, BRAM, "What does your NOTE say of the tower?"),
        said(ADA, "Let us read the book of the log.", audience=(ADA,)),
    )
    facts = {one.id: (one.owners, one.shown_at) for one in clue_facts(match)}
    assert facts == {"log": ((), 1), "note": ((BRAM,), None), "plan": ((DIRK,), 3)}
    mentions = [(one.event, one.seat, one.fact) for one in clue_mentions(match)]
    assert mentions == [(5, BRAM, "note"), (6, DIRK, "plan"), (7, CLEO, "note"), (8, ADA, "log")]
    spreads = {one.fact.id: one for one in clue_spreads(match)}
    assert spreads["note"].users == {CLEO: 7}
    assert spreads["note"].elicited
    assert spreads["log"].users == {ADA: 8}
    found = {
        (one.metric, one.seat, one.group): one.value for m in METRICS for one in m.measure(match)
    }
    assert found["clue_disclosure", "", "civilians"] == 1.0
    assert found["clue_disclosure", "", "nobody"] == 1.0
    assert found["clue_out_degree", BRAM, ""] == 1.0
    assert found["clue_out_degree", DIRK, ""] == 0.0
    assert found["clue_elicited", "", ""] == 1.0
    assert found["clue_delay", "", ""] == pytest.approx((2 + 7) / 2)


@pytest.mark.parametrize(
    ("title", "text", "hit"),
    [
        ("The doctor's sheet", "On the sheet of the doctor there are two times.", True),
        ("The doctor's sheet", "The doctor slept under two sheets.", False),
        ("Log of Door 1", "The log says that door 1 was opened.", True),
        ("Log of Door 1", "The log says that door 10 was opened.", False),
        ("What was said", "What was said?", False),
    ],
)
def test_an_english_title_is_met_by_all_its_words(title: str, text: str, hit: bool) -> None:
    assert mentions_clue(Clue(id="c", title=title), text, "en") == hit


@pytest.mark.parametrize(
    ("title", "text", "hit"),
    [
        ("一张收据", "我在抽屉里看到了那张收据。", True),
        ("护士长的陈述", "护士长在她的陈述里提到过窗户。", True),
        ("护士长的陈述", "护士长说她没有看见。", False),
        ("法医的话", "法医来过了，没有说话。", False),
        ("法医的话", "按法医的话，是昨晚。", True),
        ("张家的信", "家的信不见了。", False),
        ("三号病房", "三号 病房的窗开着。", True),
    ],
)
def test_a_chinese_title_is_met_by_its_owner_and_its_thing(
    title: str, text: str, hit: bool
) -> None:
    assert mentions_clue(Clue(id="c", title=title), text, "zh") == hit


def test_a_match_without_clues_has_no_graph() -> None:
    match = made(said(ADA, "a"))
    assert not [score for metric in METRICS for score in metric.measure(match)]
