"""Pausing: the smallest match pauses when contexts exceed the cache, and resumes when it fits."""

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.admission import AdmissionPolicy
from arena.schedule.footprint import QueuedMatch
from tests.schedule.reference import (
    ENDPOINTS,
    UNHURRIED,
    ReferenceLedger,
    policy_of,
    queued_match,
    queued_matches,
    reference_ledger,
)

TOKENS = 1000


def can_resume(kept: ReferenceLedger, match: str) -> bool:
    """Return whether a paused match fits, or finds idle endpoints, everywhere."""
    return all(
        not kept.running(end) or kept.reserved(end, [*kept.running(end), match]) <= 0.8 * TOKENS
        for end in (demand.endpoint for demand in kept.matches[match].demands)
    )


@UNHURRIED
@given(found=queued_matches(), data=st.data())
def test_one_match_always_runs_and_the_smallest_pauses(
    found: list[QueuedMatch], data: st.DataObject
) -> None:
    kept = reference_ledger(TOKENS)
    kept.enqueue(found)
    kept.controller.admit()
    while kept.controller.live:
        paused = kept.controller.paused
        match = data.draw(st.sampled_from(kept.controller.live))
        if data.draw(st.integers(0, 3)):
            running = {end: kept.running(end) for end in ENDPOINTS}
            size, demand = data.draw(st.integers(1, 700)), kept.matches[match].demands[0]
            alone = QueuedMatch(match=match, script="", pair=("A", "B"), demands=(demand,))
            kept.matches[match], whole = alone, kept.matches[match]
            kept.turn(match, data.draw(st.sampled_from("pq")), size)
            kept.matches[match] = whole
            newly = [one for one in kept.controller.paused if one not in paused]
            check_smallest_paused(kept, demand.endpoint, running[demand.endpoint], newly)
        else:
            kept.controller.finish(match, complete=False)
            kept.controller.admit()
            assert not any(can_resume(kept, one) for one in kept.controller.paused)
        assert len(kept.controller.paused) < max(1, len(kept.controller.live))
    assert kept.controller.queued == ()


def check_smallest_paused(
    kept: ReferenceLedger, endpoint: str, running: list[str], newly: list[str]
) -> None:
    """Check that all running matches are larger, or would free nothing by pausing."""
    still = [match for match in running if match not in newly]
    assert not running or still
    for match in newly:
        assert kept.total(match, endpoint) <= min(
            kept.total(one, endpoint) for one in still if kept.own(one, endpoint)
        )
    if kept.occupied(endpoint) > TOKENS:
        demands = [kept.demand(one, endpoint) for one in still]
        keys = [{s.key for s in d.prefixes} for d in demands if d]
        users = [
            one
            for one, mine in zip(still, keys, strict=True)
            if kept.own(one, endpoint) or any(sum(k in other for other in keys) == 1 for k in mine)
        ]
        assert len(users) <= 1


def crowded(policy: AdmissionPolicy | None = None) -> ReferenceLedger:
    """Return four live matches that nearly fill the cache, and one queued match."""
    kept = reference_ledger(TOKENS, policy)
    kept.enqueue(queued_match(f"m{number}", peak=150) for number in range(5))
    assert kept.controller.admit() == ("m0", "m1", "m2", "m3")
    for number, size in enumerate((480, 384, 416, 272)):
        kept.turn(f"m{number}", "p", size)
    assert kept.controller.paused == ()
    return kept


def test_the_smallest_pauses_when_the_cache_is_full_and_not_before() -> None:
    kept = crowded()
    kept.turn("m0", "p", 480 + 48)
    assert kept.occupied("a") == 1000
    assert kept.controller.paused == ()
    kept.turn("m0", "p", 480 + 64)
    assert kept.controller.paused == ("m3",)
    assert [kept.controller.is_runnable(match) for match in kept.controller.live] == [
        True,
        True,
        True,
        False,
    ]
    assert kept.controller.admit() == ()


def test_a_paused_match_resumes_before_a_new_one_that_would_fit() -> None:
    kept = crowded()
    kept.enqueue([queued_match("tiny", peak=10)])
    kept.turn("m0", "p", 544)
    kept.controller.finish("m4")
    kept.controller.finish("m1", complete=False)
    assert kept.reserved("a", ["m0", "m2", "tiny"]) < 800 < kept.reserved("a", ["m0", "m2", "m3"])
    assert kept.controller.admit() == ()
    assert kept.controller.paused == ("m3",)
    kept.controller.finish("m0", complete=False)
    assert kept.controller.is_runnable("m3")
    assert kept.controller.admit() == ("tiny",)


def test_the_last_match_continues_even_if_it_exceeds_the_cache() -> None:
    kept = crowded()
    kept.turn("m1", "p", 1600)
    assert kept.controller.paused == ("m0", "m2", "m3")
    kept.turn("m1", "q", 1600)
    assert kept.controller.is_runnable("m1")
    kept.controller.finish("m1", complete=False)
    assert kept.controller.paused == ("m3",)


def test_a_paused_match_resumes_when_other_logs_reset() -> None:
    kept = crowded()
    kept.turn("m0", "p", 544)
    kept.turn("m1", "p", 96)
    assert kept.controller.paused == ("m3",)
    assert kept.controller.admit() == ()
    assert kept.controller.paused == ("m3",)
    kept.turn("m0", "p", 96)
    kept.turn("m2", "p", 96)
    assert kept.controller.admit() == ()
    assert kept.controller.paused == ()


def test_a_match_that_would_free_nothing_continues_and_so_does_the_last_that_would() -> None:
    kept = reference_ledger(TOKENS)
    kept.enqueue(queued_match(f"m{number}", peak=150) for number in range(2))
    kept.controller.admit()
    kept.turn("m0", "p", 1600)
    assert kept.controller.paused == ()
    kept.turn("m1", "p", 320)
    assert kept.controller.paused == ("m1",)


def test_misses_after_a_pause_do_not_lower_overcommit() -> None:
    kept = crowded(policy_of())
    kept.turn("m0", "p", 544)
    assert kept.controller.paused == ("m3",)
    kept.controller.finish("m0", complete=False)
    assert kept.controller.paused == ()
    kept.turn("m3", "p", 320, predicted=300, reported=0)
    assert kept.controller.overcommit("a") == 0.8
    kept.turn("m3", "p", 320, predicted=300, reported=0)
    assert kept.controller.overcommit("a") < 0.8


def test_without_pausing_all_matches_continue() -> None:
    kept = reference_ledger(TOKENS, policy_of(adapt=False, pause=False))
    kept.enqueue(queued_match(f"m{number}", peak=150) for number in range(4))
    for match in kept.controller.admit():
        kept.turn(match, "p", 1600)
    assert kept.controller.paused == ()


def test_misses_lower_the_effective_capacity() -> None:
    kept = reference_ledger(TOKENS, policy_of())
    kept.enqueue(queued_match(f"m{number}", peak=150) for number in range(4))
    kept.controller.admit()
    for match in kept.controller.live:
        kept.turn(match, "p", 360)
    assert kept.controller.paused == ()
    for _ in range(2):
        kept.turn("m0", "p", 360, predicted=300, reported=0)
    assert kept.controller.overcommit("a") < 0.8
    assert kept.controller.paused == ("m3",)
