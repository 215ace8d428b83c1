"""Admission: matches enter as far as they fit, none starves, and queued ones reserve nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.admission import AdmissionController
from arena.schedule.footprint import QueuedMatch
from arena.schedule.overcommit import OvercommitController
from tests.arena.schedule.reference import (
    ENDPOINTS,
    ONLY,
    UNHURRIED,
    ReferenceLedger,
    capacities,
    policy_of,
    queued_match,
    queued_matches,
    reference_ledger,
)

TOKENS = 1000


def check_admissions(
    kept: ReferenceLedger, before: tuple[str, ...], newly: tuple[str, ...]
) -> None:
    """Check that each admitted match fitted, found an idle endpoint or was one of the last."""
    running, waiting = list(before), len(kept.controller.waiting) + len(newly)
    for place, match in enumerate(newly):
        for demand in kept.matches[match].choices[0]:
            others = [other for other in running if kept.demand(other, demand.endpoint)]
            most = kept.controller.limit(demand.endpoint) * TOKENS
            if (waiting - place) * demand.footprint.peak <= 0.5 * most:
                most *= 1.5
            assert not others or kept.reserved(demand.endpoint, [*others, match]) <= most
        running.append(match)


def random_step(kept: ReferenceLedger, data: st.DataObject) -> None:
    """Take a random step: a turn, a finish, or only another admission."""
    before = kept.controller.live
    match data.draw(st.sampled_from(["turn", "turn", "end", "admit"])):
        case "turn" if before:
            match, seat = data.draw(st.sampled_from(before)), data.draw(st.sampled_from("pq"))
            request = data.draw(st.sampled_from(("", ONLY)))
            kept.turn(match, seat, data.draw(st.integers(1, 600)), request=request)
        case "end" if before:
            kept.controller.finish(data.draw(st.sampled_from(before)))
        case _:
            pass


@pytest.mark.slow
@UNHURRIED
@given(
    first=queued_matches(), later=queued_matches(8), data=st.data(), max_overtakes=st.integers(0, 4)
)
def test_reserved_tokens_stay_within_overcommit_and_queued_matches_reserve_nothing(
    first: list[QueuedMatch], later: list[QueuedMatch], data: st.DataObject, max_overtakes: int
) -> None:
    kept = reference_ledger(TOKENS, policy_of(adapt=False, max_overtakes=max_overtakes))
    kept.enqueue(first)
    for step in range(data.draw(st.integers(0, 40))):
        if step == 10:
            kept.enqueue(
                QueuedMatch(
                    match=f"later {o.match}", script=o.script, pair=o.pair, choices=o.choices
                )
                for o in later
            )
        random_step(kept, data)
        before = kept.controller.live
        newly = kept.controller.admit()
        assert kept.controller.live == (*before, *newly)
        check_admissions(kept, before, newly)
        for endpoint in ENDPOINTS:
            running = kept.running(endpoint)
            assert kept.controller.reserved(endpoint) == kept.reserved(endpoint, running)
        if kept.controller.waiting:
            assert kept.controller.live


@pytest.mark.slow
@UNHURRIED
@given(found=queued_matches(), data=st.data(), max_overtakes=st.integers(0, 4))
def test_every_queued_match_is_admitted_eventually_whatever_finishes_first(
    found: list[QueuedMatch], data: st.DataObject, max_overtakes: int
) -> None:
    kept = reference_ledger(TOKENS, policy_of(adapt=False, max_overtakes=max_overtakes))
    kept.enqueue(found)
    seen = list(kept.controller.admit())
    while kept.controller.live:
        match = data.draw(st.sampled_from(kept.controller.live))
        if data.draw(st.booleans()):
            kept.turn(match, "p", data.draw(st.integers(1, 1500)))
        else:
            kept.controller.finish(match)
        seen += kept.controller.admit()
    assert sorted(seen) == sorted(one.match for one in found)
    assert kept.controller.waiting == ()
    assert all(kept.controller.reserved(endpoint) == 0 for endpoint in ENDPOINTS)


@pytest.mark.slow
@UNHURRIED
@given(found=queued_matches(), data=st.data(), max_overtakes=st.integers(0, 4))
def test_the_oldest_waits_only_for_capacity_and_overtaking_is_bounded(
    found: list[QueuedMatch], data: st.DataObject, max_overtakes: int
) -> None:
    kept = reference_ledger(TOKENS, policy_of(adapt=False, max_overtakes=max_overtakes))
    kept.enqueue(found)
    kept.controller.admit()
    passed = dict.fromkeys((one.match for one in found), 0)
    while kept.controller.waiting:
        oldest = kept.controller.waiting[0]
        ends = {demand.endpoint for demand in kept.matches[oldest].choices[0]}
        assert any(
            kept.running(end)
            and kept.reserved(end, [*kept.running(end), oldest])
            > kept.controller.limit(end) * TOKENS
            for end in ends
        )
        kept.controller.finish(data.draw(st.sampled_from(kept.controller.live)))
        for match in kept.controller.admit():
            if oldest in kept.controller.waiting and ends & {
                d.endpoint for d in kept.matches[match].choices[0]
            }:
                passed[oldest] += 1
        assert passed[oldest] <= max_overtakes


@pytest.mark.slow
@UNHURRIED
@given(found=queued_matches(), data=st.data())
def test_matches_of_a_script_that_use_the_same_endpoints_keep_their_order(
    found: list[QueuedMatch], data: st.DataObject
) -> None:
    kept = reference_ledger(TOKENS)
    kept.enqueue(found)
    seen = list(kept.controller.admit())
    while kept.controller.live:
        kept.controller.finish(data.draw(st.sampled_from(kept.controller.live)))
        seen += kept.controller.admit()
    for kind in {(one.endpoints, one.script) for one in found}:
        alike = [m for m in seen if (kept.matches[m].endpoints, kept.matches[m].script) == kind]
        assert alike == [one.match for one in found if one.match in alike]


def test_the_prefixes_of_a_live_script_count_once() -> None:
    kept = reference_ledger(
        1000, policy_of(adapt=False, overcommit=OvercommitController(value=1.0))
    )
    kept.enqueue(queued_match(f"m{number}") for number in range(20))
    assert len(kept.controller.admit()) == 8
    assert kept.controller.reserved("a") == 1000


def test_the_last_matches_may_exceed_the_limit_a_little() -> None:
    kept = reference_ledger(1000)
    kept.enqueue(queued_match(f"m{number}") for number in range(11))
    assert len(kept.controller.admit()) == 6, "five more of 100 tokens are more than 0.5 of 800"
    kept.controller.finish("m10")
    assert kept.controller.admit() == ("m6", "m7", "m8", "m9")
    assert kept.controller.reserved("a") == 1200 == 1.5 * 800


def test_a_match_that_fits_on_only_one_of_its_endpoints_reserves_nothing() -> None:
    kept = reference_ledger(1000)
    kept.enqueue([queued_match("large", script="y", peak=500, on="a")])
    kept.enqueue([queued_match("both", peak=500, on="ab")])
    assert kept.controller.admit() == ("large",)
    assert kept.controller.reserved("b") == 0
    kept.controller.finish("large")
    assert kept.controller.admit() == ("both",)
    assert kept.controller.reserved("a") == kept.controller.reserved("b") == 700


def test_a_match_larger_than_the_cache_runs_alone() -> None:
    kept = reference_ledger(1000)
    kept.enqueue([queued_match("huge", peak=5000), queued_match("next")])
    assert kept.controller.admit() == ("huge",)
    kept.controller.finish("huge")
    assert kept.controller.admit() == ("next",)


def test_a_full_endpoint_does_not_block_another_one() -> None:
    kept = reference_ledger(1000)
    kept.enqueue(
        [queued_match("m0", peak=500), queued_match("m1", peak=500), queued_match("m2", on="c")]
    )
    assert kept.controller.admit() == ("m0", "m2")


def test_overtaking_is_bounded_on_shared_endpoints_and_free_elsewhere() -> None:
    kept = reference_ledger(1000, policy_of(adapt=False, max_overtakes=2))
    kept.enqueue([queued_match("block 1", peak=500), queued_match("wait 1", peak=500, on="ab")])
    kept.enqueue(queued_match(f"c{number}", on="c", peak=10) for number in range(5))
    kept.enqueue(queued_match(f"b{number}", on="b", peak=10) for number in range(9))
    others = ("c0", "c1", "c2", "c3", "c4")
    assert kept.controller.admit() == ("block 1", *others, "b0", "b1")
    kept.enqueue([queued_match("block 2", peak=500), queued_match("wait 2", peak=500, on="ab")])
    kept.controller.finish("b0")
    assert kept.controller.admit() == ()
    kept.controller.finish("block 1")
    assert kept.controller.admit() == ("wait 1", *(f"b{number}" for number in range(2, 9)))
    kept.controller.finish("wait 1")
    assert kept.controller.admit() == ("block 2",)
    kept.enqueue(queued_match(f"late {number}", on="b", peak=10) for number in range(4))
    assert kept.controller.admit() == ("late 0", "late 1")


def test_arrival_indexes_follow_admission_and_never_change() -> None:
    kept = reference_ledger(1000)
    kept.enqueue(queued_match(f"m{number}") for number in range(30))
    assert kept.controller.admit() == tuple(f"m{number}" for number in range(6))
    assert [kept.controller.arrival_index(match) for match in kept.controller.live] == [
        0,
        1,
        2,
        3,
        4,
        5,
    ]
    kept.controller.finish("m0")
    kept.controller.finish("m2")
    assert kept.controller.admit() == ("m6", "m7")
    assert [kept.controller.arrival_index(match) for match in kept.controller.live] == [
        1,
        3,
        4,
        5,
        6,
        7,
    ]


def test_without_the_kv_limit_only_the_number_of_matches_counts() -> None:
    kept = reference_ledger(100, policy_of(limit_kv=False, max_live=3))
    kept.enqueue(queued_match(f"m{number}", peak=5000) for number in range(5))
    assert kept.controller.admit() == ("m0", "m1", "m2")
    kept.turn("m0", "p", 10_000)
    kept.controller.finish("m1")
    assert kept.controller.admit() == ("m3",)
    free = reference_ledger(100, policy_of(limit_kv=False))
    free.enqueue(queued_match(f"m{number}", peak=5000) for number in range(5))
    assert len(free.controller.admit()) == 5


def test_a_queued_match_can_be_removed() -> None:
    kept = reference_ledger(1000)
    kept.enqueue(
        [queued_match("m0", peak=500), queued_match("m1", peak=500), queued_match("m2", peak=500)]
    )
    kept.controller.admit()
    kept.controller.finish("m1")
    assert kept.controller.waiting == ("m2",)
    kept.controller.finish("m0")
    assert kept.controller.admit() == ("m2",)
    kept.controller.finish("m2")
    assert kept.controller.admit() == ()


def test_unschedulable_matches_are_rejected() -> None:
    kept = reference_ledger(1000)
    kept.enqueue([queued_match("m0")])
    with pytest.raises(ValueError, match="match 'm0' is already queued or live"):
        kept.controller.enqueue([queued_match("m0")])
    with pytest.raises(
        ValueError, match=r"must use endpoints of known capacity, got z; .* a, b, c"
    ):
        kept.controller.enqueue([queued_match("m1", on="az")])
    with pytest.raises(ValueError, match="match 'm0' is not live"):
        kept.controller.demands("m0")


def test_reported_misses_lower_overcommit_and_clean_turns_raise_it() -> None:
    kept = reference_ledger(1000, policy_of())
    kept.enqueue(queued_match(f"m{number}") for number in range(20))
    kept.controller.admit()
    for _ in range(40):
        kept.turn("m0", "p", 200, predicted=150, reported=150)
    assert kept.controller.limit("a") == pytest.approx(0.82)
    for _ in range(40):
        kept.turn("m0", "p", 200, predicted=150, reported=None)
    assert kept.controller.limit("a") == pytest.approx(0.82)
    for _ in range(40):
        kept.turn("m0", "p", 200, predicted=150, reported=0)
    assert kept.controller.limit("a") == pytest.approx(0.82 * 0.85**2)
    assert kept.controller.limit("b") == 0.8
    fixed = reference_ledger(1000, policy_of(adapt=False))
    fixed.enqueue([queued_match("m0")])
    fixed.controller.admit()
    for _ in range(40):
        fixed.turn("m0", "p", 200, predicted=150, reported=0)
    assert fixed.controller.limit("a") == 0.8


def test_a_higher_overcommit_admits_more_matches() -> None:
    kept = reference_ledger(
        1000, policy_of(overcommit=OvercommitController(value=0.79, min_window=2))
    )
    kept.enqueue(queued_match(f"m{number}") for number in range(20))
    assert len(kept.controller.admit()) == 5
    for _ in range(10):
        kept.turn("m0", "p", 200, predicted=150, reported=150, request=ONLY)
    assert kept.controller.admit() == ("m5",)


def test_whether_a_match_fits_is_looked_at_again_after_a_turn_of_each_live_match() -> None:
    kept = reference_ledger(1000)
    peaks = {"first": 500, "second": 100, "third": 450}
    kept.enqueue(queued_match(match, peak=peak) for match, peak in peaks.items())
    assert kept.controller.admit() == ("first", "second")
    kept.turn("first", "p", 110, request=ONLY)
    assert kept.controller.admit() == (), "though there is capacity now"
    kept.turn("second", "p", 110, request=ONLY)
    assert kept.controller.admit() == ("third",)


def test_a_window_of_cache_hits_has_a_turn_of_every_live_seat() -> None:
    kept = reference_ledger(
        10_000, policy_of(overcommit=OvercommitController(value=0.8, min_window=2))
    )
    kept.enqueue(queued_match(f"m{number}") for number in range(3))
    kept.enqueue([queued_match("waits", peak=9_000)])
    assert len(kept.controller.admit()) == 3, "of two seats each"
    for turn in range(1, 7):
        assert kept.controller.limit("a") == 0.8, turn
        kept.turn("m0", "p", 200, predicted=150, reported=150)
    assert kept.controller.limit("a") > 0.8
    kept.controller.finish("m1")
    kept.controller.finish("m2")
    before = kept.controller.limit("a")
    for _ in range(2):
        kept.turn("m0", "p", 200, predicted=150, reported=150)
    assert kept.controller.limit("a") > before


def test_a_queued_match_that_ends_before_it_is_admitted_leaves_nothing_behind() -> None:
    controller = AdmissionController(capacities(1_000))
    controller.enqueue((queued_match("gone", on="b"), queued_match("stays")))
    controller.finish("gone")
    assert controller.admit() == ("stays",)
    assert controller.admit() == ()
