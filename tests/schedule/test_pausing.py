"""Where contexts outgrow the cache the smallest match waits, never all, and goes on when it can."""

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.book import Policy
from arena.schedule.footprint import Offer
from tests.schedule.making import ENDPOINTS, UNHURRIED, Ledger, ledger, offers, one_offer, policy_of

TOKENS = 1000


def has_room(kept: Ledger, match: str) -> bool:
    """Tell whether a paused match could go on: it fits, or nothing runs, on all its servers."""
    return all(
        not kept.running(end) or kept.used(end, [*kept.running(end), match]) <= 0.8 * TOKENS
        for end in (demand.endpoint for demand in kept.offers[match].demands)
    )


@UNHURRIED
@given(found=offers(), data=st.data())
def test_someone_always_goes_on_and_who_pauses_is_the_smallest(
    found: list[Offer], data: st.DataObject
) -> None:
    kept = ledger(TOKENS)
    kept.offer(found)
    kept.book.admit()
    while kept.book.live:
        paused = kept.book.paused
        match = data.draw(st.sampled_from(kept.book.live))
        if data.draw(st.integers(0, 3)):
            running = {end: kept.running(end) for end in ENDPOINTS}
            size, demand = data.draw(st.integers(1, 700)), kept.offers[match].demands[0]
            alone = Offer(match=match, script="", pair=("A", "B"), demands=(demand,))
            kept.offers[match], whole = alone, kept.offers[match]
            kept.turn(match, data.draw(st.sampled_from("pq")), size)
            kept.offers[match] = whole
            newly = [one for one in kept.book.paused if one not in paused]
            smallest_first(kept, demand.endpoint, running[demand.endpoint], newly)
        else:
            kept.book.end(match, whole=False)
            kept.book.admit()
            assert not any(has_room(kept, one) for one in kept.book.paused)
        assert len(kept.book.paused) < max(1, len(kept.book.live))
    assert kept.book.parked == ()


def smallest_first(kept: Ledger, endpoint: str, running: list[str], newly: list[str]) -> None:
    """Check that all that still run are larger, or would give back nothing by pausing."""
    still = [match for match in running if match not in newly]
    assert not running or still
    for match in newly:
        assert kept.total(match, endpoint) <= min(
            kept.total(one, endpoint) for one in still if kept.own(one, endpoint)
        )
    if kept.held(endpoint) > TOKENS:
        shares = [kept.demand(one, endpoint) for one in still]
        keys = [{s.key for s in d.shares} for d in shares if d]
        users = [
            one
            for one, mine in zip(still, keys, strict=True)
            if kept.own(one, endpoint) or any(sum(k in other for other in keys) == 1 for k in mine)
        ]
        assert len(users) <= 1


def crowded(policy: Policy | None = None) -> Ledger:
    """Return four live matches that have grown to the brim, and one that waits."""
    kept = ledger(TOKENS, policy)
    kept.offer(one_offer(f"m{number}", peak=150) for number in range(5))
    assert kept.book.admit() == ("m0", "m1", "m2", "m3")
    for number, size in enumerate((480, 384, 416, 272)):
        kept.turn(f"m{number}", "p", size)
    assert kept.book.paused == ()
    return kept


def test_the_smallest_pauses_when_the_cache_is_full_and_not_before() -> None:
    kept = crowded()
    kept.turn("m0", "p", 480 + 48)
    assert kept.held("a") == 1000
    assert kept.book.paused == ()
    kept.turn("m0", "p", 480 + 64)
    assert kept.book.paused == ("m3",)
    assert [kept.book.may_go_on(match) for match in kept.book.live] == [True, True, True, False]
    assert kept.book.admit() == ()


def test_a_paused_match_goes_on_before_a_new_one_that_would_fit() -> None:
    kept = crowded()
    kept.offer([one_offer("tiny", peak=10)])
    kept.turn("m0", "p", 544)
    kept.book.end("m4")
    kept.book.end("m1", whole=False)
    assert kept.used("a", ["m0", "m2", "tiny"]) < 800 < kept.used("a", ["m0", "m2", "m3"])
    assert kept.book.admit() == ()
    assert kept.book.paused == ("m3",)
    kept.book.end("m0", whole=False)
    assert kept.book.may_go_on("m3")
    assert kept.book.admit() == ("tiny",)


def test_the_last_match_goes_on_even_if_the_cache_cannot_hold_it() -> None:
    kept = crowded()
    kept.turn("m1", "p", 1600)
    assert kept.book.paused == ("m0", "m2", "m3")
    kept.turn("m1", "q", 1600)
    assert kept.book.may_go_on("m1")
    kept.book.end("m1", whole=False)
    assert kept.book.paused == ("m3",)


def test_a_paused_match_goes_on_when_another_one_starts_its_log_anew() -> None:
    kept = crowded()
    kept.turn("m0", "p", 544)
    kept.turn("m1", "p", 96)
    assert kept.book.paused == ("m3",)
    assert kept.book.admit() == ()
    assert kept.book.paused == ("m3",)
    kept.turn("m0", "p", 96)
    kept.turn("m2", "p", 96)
    assert kept.book.admit() == ()
    assert kept.book.paused == ()


def test_a_match_that_would_free_nothing_does_not_pause_and_nor_does_the_last_that_would() -> None:
    kept = ledger(TOKENS)
    kept.offer(one_offer(f"m{number}", peak=150) for number in range(2))
    kept.book.admit()
    kept.turn("m0", "p", 1600)
    assert kept.book.paused == ()
    kept.turn("m1", "p", 320)
    assert kept.book.paused == ("m1",)


def test_what_a_pause_evicted_is_no_reason_to_promise_less() -> None:
    kept = crowded(policy_of())
    kept.turn("m0", "p", 544)
    assert kept.book.paused == ("m3",)
    kept.book.end("m0", whole=False)
    assert kept.book.paused == ()
    kept.turn("m3", "p", 320, predicted=300, reported=0)
    assert kept.book.alpha("a") == 0.8
    kept.turn("m3", "p", 320, predicted=300, reported=0)
    assert kept.book.alpha("a") < 0.8


def test_without_pausing_all_go_on() -> None:
    kept = ledger(TOKENS, policy_of(adapt=False, pause=False))
    kept.offer(one_offer(f"m{number}", peak=150) for number in range(4))
    for match in kept.book.admit():
        kept.turn(match, "p", 1600)
    assert kept.book.paused == ()


def test_a_cache_that_misses_holds_less_than_it_says() -> None:
    kept = ledger(TOKENS, policy_of())
    kept.offer(one_offer(f"m{number}", peak=150) for number in range(4))
    kept.book.admit()
    for match in kept.book.live:
        kept.turn(match, "p", 360)
    assert kept.book.paused == ()
    for _ in range(2):
        kept.turn("m0", "p", 360, predicted=300, reported=0)
    assert kept.book.alpha("a") < 0.8
    assert kept.book.paused == ("m3",)
