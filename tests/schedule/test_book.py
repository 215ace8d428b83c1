"""Matches are admitted as far as they fit, all of them in the end; who waits holds nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.alpha import Alpha
from arena.schedule.footprint import Offer
from tests.schedule.making import ENDPOINTS, UNHURRIED, Ledger, ledger, offers, one_offer, policy_of

TOKENS = 1000


def admitted_within_alpha(kept: Ledger, before: tuple[str, ...], newly: tuple[str, ...]) -> None:
    """Check each admission as it came: it fitted, or nothing else ran there."""
    running = [match for match in before if match not in kept.book.paused]
    for match in newly:
        for demand in kept.offers[match].demands:
            others = [other for other in running if kept.demand(other, demand.endpoint)]
            most = kept.book.alpha(demand.endpoint) * TOKENS
            assert not others or kept.used(demand.endpoint, [*others, match]) <= most
        running.append(match)


def play_on(kept: Ledger, data: st.DataObject) -> None:
    """Take some step: a turn, an end, or another look for room."""
    before = kept.book.live
    match data.draw(st.sampled_from(["turn", "turn", "end", "admit"])):
        case "turn" if before:
            match, seat = data.draw(st.sampled_from(before)), data.draw(st.sampled_from("pq"))
            kept.turn(match, seat, data.draw(st.integers(1, 600)))
        case "end" if before:
            kept.book.end(data.draw(st.sampled_from(before)), whole=False)
        case _:
            pass


@UNHURRIED
@given(first=offers(), later=offers(8), data=st.data(), patience=st.integers(0, 4))
def test_no_more_is_promised_than_alpha_allows_and_nothing_is_held_by_who_waits(
    first: list[Offer], later: list[Offer], data: st.DataObject, patience: int
) -> None:
    kept = ledger(TOKENS, policy_of(adapt=False, patience=patience))
    kept.offer(first)
    for step in range(data.draw(st.integers(0, 40))):
        if step == 10:
            kept.offer(
                Offer(match=f"later {o.match}", script=o.script, pair=o.pair, demands=o.demands)
                for o in later
            )
        play_on(kept, data)
        before = kept.book.live
        newly = kept.book.admit()
        assert kept.book.live == (*before, *newly)
        admitted_within_alpha(kept, before, newly)
        for endpoint in ENDPOINTS:
            running = kept.running(endpoint)
            assert kept.book.used(endpoint) == kept.used(endpoint, running)
        if kept.book.parked:
            assert len(kept.book.live) > len(kept.book.paused)


@UNHURRIED
@given(found=offers(), data=st.data(), patience=st.integers(0, 4))
def test_everything_offered_is_admitted_in_the_end_whatever_ends_first(
    found: list[Offer], data: st.DataObject, patience: int
) -> None:
    kept = ledger(TOKENS, policy_of(adapt=False, patience=patience))
    kept.offer(found)
    seen = list(kept.book.admit())
    while kept.book.live:
        going = [match for match in kept.book.live if kept.book.may_go_on(match)]
        assert going
        match = data.draw(st.sampled_from(going))
        if data.draw(st.booleans()):
            kept.turn(match, "p", data.draw(st.integers(1, 1500)))
        else:
            kept.book.end(match, whole=data.draw(st.booleans()))
        seen += kept.book.admit()
    assert sorted(seen) == sorted(one.match for one in found)
    assert kept.book.parked == ()
    assert all(kept.book.used(endpoint) == 0 for endpoint in ENDPOINTS)


@UNHURRIED
@given(found=offers(), data=st.data(), patience=st.integers(0, 4))
def test_the_oldest_waits_only_for_room_and_is_passed_by_so_often_and_no_oftener(
    found: list[Offer], data: st.DataObject, patience: int
) -> None:
    kept = ledger(TOKENS, policy_of(adapt=False, patience=patience))
    kept.offer(found)
    kept.book.admit()
    passed = dict.fromkeys((one.match for one in found), 0)
    while kept.book.parked:
        oldest = kept.book.parked[0]
        ends = {demand.endpoint for demand in kept.offers[oldest].demands}
        assert any(
            kept.running(end)
            and kept.used(end, [*kept.running(end), oldest]) > kept.book.alpha(end) * TOKENS
            for end in ends
        )
        kept.book.end(data.draw(st.sampled_from(kept.book.live)), whole=False)
        for match in kept.book.admit():
            if oldest in kept.book.parked and ends & {
                d.endpoint for d in kept.offers[match].demands
            }:
                passed[oldest] += 1
        assert passed[oldest] <= patience


@UNHURRIED
@given(found=offers(), data=st.data())
def test_matches_that_use_the_same_endpoints_keep_their_order(
    found: list[Offer], data: st.DataObject
) -> None:
    kept = ledger(TOKENS)
    kept.offer(found)
    seen = list(kept.book.admit())
    while kept.book.live:
        kept.book.end(data.draw(st.sampled_from(kept.book.live)), whole=False)
        seen += kept.book.admit()
    for ends in {tuple(d.endpoint for d in one.demands) for one in found}:
        alike = [m for m in seen if tuple(d.endpoint for d in kept.offers[m].demands) == ends]
        assert alike == [one.match for one in found if one.match in alike]


def test_a_script_that_is_live_is_counted_once() -> None:
    kept = ledger(1000, policy_of(adapt=False, alpha=Alpha(value=1.0)))
    kept.offer(one_offer(f"m{number}") for number in range(12))
    assert len(kept.book.admit()) == 8
    assert kept.book.used("a") == 1000


def test_a_match_that_fits_on_one_of_its_servers_only_takes_room_on_neither() -> None:
    kept = ledger(1000)
    kept.offer([one_offer("large", script="y", peak=500, on="a")])
    kept.offer([one_offer("both", peak=500, on="ab")])
    assert kept.book.admit() == ("large",)
    assert kept.book.used("b") == 0
    kept.book.end("large")
    assert kept.book.admit() == ("both",)
    assert kept.book.used("a") == kept.book.used("b") == 700


def test_a_match_that_is_larger_than_the_cache_is_played_alone() -> None:
    kept = ledger(1000)
    kept.offer([one_offer("huge", peak=5000), one_offer("next")])
    assert kept.book.admit() == ("huge",)
    kept.book.end("huge", whole=False)
    assert kept.book.admit() == ("next",)


def test_another_server_does_not_stand_idle_because_one_is_full() -> None:
    kept = ledger(1000)
    kept.offer([one_offer("m0", peak=500), one_offer("m1", peak=500), one_offer("m2", on="c")])
    assert kept.book.admit() == ("m0", "m2")


def test_as_many_pass_by_one_that_waits_as_its_patience_allows_elsewhere_all() -> None:
    kept = ledger(1000, policy_of(adapt=False, patience=2))
    kept.offer([one_offer("block 1", peak=500), one_offer("wait 1", peak=500, on="ab")])
    kept.offer(one_offer(f"c{number}", on="c", peak=10) for number in range(5))
    kept.offer(one_offer(f"b{number}", on="b", peak=10) for number in range(9))
    others = ("c0", "c1", "c2", "c3", "c4")
    assert kept.book.admit() == ("block 1", *others, "b0", "b1")
    kept.offer([one_offer("block 2", peak=500), one_offer("wait 2", peak=500, on="ab")])
    kept.book.end("b0")
    assert kept.book.admit() == ()
    kept.book.end("block 1", whole=False)
    assert kept.book.admit() == ("wait 1", *(f"b{number}" for number in range(2, 9)))
    kept.book.end("wait 1", whole=False)
    assert kept.book.admit() == ("block 2",)
    kept.offer(one_offer(f"late {number}", on="b", peak=10) for number in range(4))
    assert kept.book.admit() == ("late 0", "late 1")


def test_the_oldest_live_match_comes_first_and_ranks_never_change() -> None:
    kept = ledger(1000)
    kept.offer(one_offer(f"m{number}") for number in range(9))
    assert kept.book.admit() == tuple(f"m{number}" for number in range(6))
    assert [kept.book.rank(match) for match in kept.book.live] == [0, 1, 2, 3, 4, 5]
    kept.book.end("m0")
    kept.book.end("m2")
    assert kept.book.admit() == ("m6", "m7")
    assert [kept.book.rank(match) for match in kept.book.live] == [1, 3, 4, 5, 6, 7]


def test_without_admission_only_the_number_of_matches_binds() -> None:
    kept = ledger(100, policy_of(admission=False, most_live=3))
    kept.offer(one_offer(f"m{number}", peak=5000) for number in range(5))
    assert kept.book.admit() == ("m0", "m1", "m2")
    kept.turn("m0", "p", 10_000)
    assert kept.book.paused == ()
    kept.book.end("m1")
    assert kept.book.admit() == ("m3",)
    free = ledger(100, policy_of(admission=False))
    free.offer(one_offer(f"m{number}", peak=5000) for number in range(5))
    assert len(free.book.admit()) == 5


def test_a_parked_match_may_be_taken_back() -> None:
    kept = ledger(1000)
    kept.offer([one_offer("m0", peak=500), one_offer("m1", peak=500), one_offer("m2", peak=500)])
    kept.book.admit()
    kept.book.end("m1")
    assert kept.book.parked == ("m2",)
    kept.book.end("m0")
    assert kept.book.admit() == ("m2",)
    kept.book.end("m2")
    assert kept.book.admit() == ()


def test_what_cannot_be_scheduled_is_refused() -> None:
    kept = ledger(1000)
    kept.offer([one_offer("m0")])
    with pytest.raises(ValueError, match="match 'm0' was offered twice"):
        kept.book.offer([one_offer("m0")])
    with pytest.raises(
        ValueError, match=r"must use endpoints of known capacity, got z; .* a, b, c"
    ):
        kept.book.offer([one_offer("m1", on="az")])
    with pytest.raises(ValueError, match="match 'm0' is not live"):
        kept.book.may_go_on("m0")


def test_reported_misses_lower_what_is_promised_and_clean_turns_raise_it() -> None:
    kept = ledger(1000, policy_of())
    kept.offer(one_offer(f"m{number}") for number in range(9))
    kept.book.admit()
    for _ in range(40):
        kept.turn("m0", "p", 200, predicted=150, reported=150)
    assert kept.book.alpha("a") == pytest.approx(0.82)
    for _ in range(40):
        kept.turn("m0", "p", 200, predicted=150, reported=None)
    assert kept.book.alpha("a") == pytest.approx(0.82)
    for _ in range(40):
        kept.turn("m0", "p", 200, predicted=150, reported=0)
    assert kept.book.alpha("a") == pytest.approx(0.82 * 0.85**2)
    assert kept.book.alpha("b") == 0.8
    fixed = ledger(1000, policy_of(adapt=False))
    fixed.offer([one_offer("m0")])
    fixed.book.admit()
    for _ in range(40):
        fixed.turn("m0", "p", 200, predicted=150, reported=0)
    assert fixed.book.alpha("a") == 0.8


def test_room_that_alpha_opens_is_given_away() -> None:
    kept = ledger(1000, policy_of(alpha=Alpha(value=0.79, least_window=2)))
    kept.offer(one_offer(f"m{number}") for number in range(9))
    assert len(kept.book.admit()) == 5
    for _ in range(10):
        kept.turn("m0", "p", 200, predicted=150, reported=150)
    assert kept.book.admit() == ("m5",)
