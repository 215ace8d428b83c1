"""How each arm plays a trace: what it sends, when, and what it waits for."""

from collections import Counter
from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bench.arms import ARMS
from arena.bench.expected import Expected
from arena.bench.faults import first_fault
from arena.bench.ideal import Dispatch
from arena.bench.offers import staged
from arena.bench.peers import volatile
from arena.bench.replay import Setting
from arena.bench.synthetic import synthetic_trace
from arena.bench.trace import Piece, Trace, TraceMatch, Turn, reply_key
from arena.run.admission_gate import PROBE_PRIORITY_OFFSET
from serving.engine_sim.prompt import Segment
from tests.bench.wiring import TINY, NotingWire, played

TRACE = synthetic_trace(TINY)
assert any(len(turn.parents) > 1 for match in TRACE.matches for turn in match.turns)
WAITING = [name for name, arm in ARMS.items() if not arm.open_loop]
OPEN = [name for name, arm in ARMS.items() if arm.open_loop]


def sent(wire: NotingWire) -> list[tuple[str, int]]:
    return [(call.match, call.number) for call, _, _ in wire.calls]


@pytest.mark.parametrize("arm", ARMS)
def test_every_arm_plays_every_turn_once(arm: str) -> None:
    wire = NotingWire()
    replayed = played(arm, wire)
    wanted = Counter((match.id, turn.number) for match in TRACE.matches for turn in match.turns)
    assert Counter(sent(wire)) == wanted
    assert len(replayed.sent) == wanted.total()
    assert set(replayed.matches) == {match.id for match in TRACE.matches}


@pytest.mark.parametrize("arm", WAITING)
def test_no_turn_is_sent_before_those_that_it_follows_from_are_answered(arm: str) -> None:
    wire = NotingWire()
    played(arm, wire)
    at = {(call.match, call.number): (asked, over) for call, asked, over in wire.calls}
    for match in TRACE.matches:
        for turn in match.turns:
            begun, _ = at[match.id, turn.number]
            assert all(at[match.id, parent][1] <= begun for parent in turn.parents)


@pytest.mark.parametrize("arm", OPEN)
def test_an_open_loop_waits_for_nothing_and_its_replies_are_those_on_tape(arm: str) -> None:
    wire = NotingWire()
    replayed = played(arm, wire)
    assert {asked for _, asked, _ in wire.calls} == {0.0}
    assert replayed.seconds == 1.0
    assert all(call.taped for call, _, _ in wire.calls)


def test_the_trie_order_sends_prompts_with_a_common_beginning_one_after_the_other() -> None:
    wire = NotingWire()
    played("open_trie", wire)
    of = {match.id: match.script for match in TRACE.matches}
    heads = [(of[call.match], call.seat) for call, _, _ in wire.calls]
    assert len([head for head, _ in groupby(heads)]) == len(set(heads))
    own = [(call.match, call.seat) for call, _, _ in wire.calls]
    assert len([one for one, _ in groupby(own)]) == len(set(own))


def test_the_sent_prompt_is_the_trace_s_in_token_arms() -> None:
    wire = NotingWire()
    played("ours", wire)
    by_id = {match.id: match for match in TRACE.matches}
    for call, _, _ in wire.calls:
        match = by_id[call.match]
        turn = next(one for one in match.turns if one.number == call.number)
        assert call.pieces == TRACE.prompt(match, turn)
        assert call.output == turn.output
        assert call.reply == reply_key(match.id, turn.seat, turn.number)


def test_the_volatile_arm_sends_the_same_tokens_in_another_order() -> None:
    plain, other = NotingWire(), NotingWire()
    played("sequential", plain)
    played("sequential_volatile", other, volatile(TRACE))
    assert _sizes(plain) == _sizes(other)


@pytest.mark.parametrize("arm", ["sequential", "sequential_volatile"])
def test_a_sequential_arm_has_one_request_in_flight_and_one_match_live(arm: str) -> None:
    wire = NotingWire()
    replayed = played(arm, wire)
    assert wire.most == 1
    assert replayed.live_most == 1
    matches = [call.match for call, _, _ in wire.calls]
    assert len([match for match, _ in groupby(matches)]) == len(set(matches))


def test_gather_starts_every_match_and_holds_requests_at_its_semaphore() -> None:
    trace = synthetic_trace(replace(TINY, matches=40, seats=3))
    wire = NotingWire()
    replayed = played("gather_32", wire, trace)
    assert wire.most == 32
    assert replayed.live_most == 40
    free = NotingWire()
    played("gather_128", free, trace)
    assert free.most > 32


@pytest.mark.parametrize("live", [1, 2, 4])
def test_the_static_arm_has_as_many_matches_live_as_it_is_told(live: int) -> None:
    replayed = played("static_best", NotingWire(), setting=Setting(static=live))
    assert replayed.live_most == live


def test_ours_admits_what_fits_and_without_admission_all_are_live() -> None:
    stage = staged(TRACE)
    [demand] = stage.offers[0].demands
    room = round((demand.prefix_tokens + 2.5 * demand.peak) / 0.8)
    assert played("ours", NotingWire(tokens=room)).live_most == 2
    assert played("ours_without_admission", NotingWire(tokens=room)).live_most == 6


def test_ours_hears_what_was_cached_and_promises_less_where_the_cache_forgets() -> None:
    many = synthetic_trace(replace(TINY, matches=24))
    kept, lost = played("ours", NotingWire(), many), played("ours", NotingWire(forgets=True), many)
    assert kept.alpha is not None
    assert lost.alpha is not None
    assert kept.alpha >= 0.8 > lost.alpha
    assert played("gather_32", NotingWire(), many).alpha is None


def test_ours_plays_script_by_script_and_without_order_it_does_not() -> None:
    def changes(arm: str) -> int:
        wire = NotingWire(tokens=1)
        played(arm, wire, setting=Setting(seed=6))
        of = {match.id: match.script for match in TRACE.matches}
        return len([script for script, _ in groupby(of[call.match] for call, _, _ in wire.calls)])

    assert changes("ours") == TINY.scripts
    assert changes("ours_without_order") > TINY.scripts


def test_simultaneous_turns_go_together_in_ours_and_singly_without_parallel_asks() -> None:
    one = synthetic_trace(replace(TINY, matches=1))
    together, singly = NotingWire(), NotingWire()
    assert (
        played("ours", together, one).seconds
        < played("ours_without_parallel_asks", singly, one).seconds
    )
    assert together.most == TINY.seats
    assert singly.most == 1


def test_old_matches_come_first_and_probes_last_and_without_priority_all_are_equal() -> None:
    trace = _probed()
    wire, flat = NotingWire(), NotingWire()
    played("ours", wire, trace)
    played("ours_without_priority", flat, trace)
    assert {call.priority for call, _, _ in flat.calls} == {0}
    first = {call.match: call.priority for call, _, _ in wire.calls if call.number == 0}
    assert sorted(first.values()) == [0, 1]
    probes = [call.priority for call, _, _ in wire.calls if call.number == 1]
    assert min(probes) >= PROBE_PRIORITY_OFFSET
    # A picture's reading is waited for, so it is as urgent as its match.
    asides = {call.match: call.priority for call, _, _ in wire.calls if call.number == 3}
    assert asides == first


def test_what_goes_out_tells_how_it_is_to_be_asked() -> None:
    def manner(arm: str) -> set[tuple[bool, bool]]:
        wire = NotingWire()
        played(arm, wire)
        return {(call.token_in, call.media_once) for call, _, _ in wire.calls}

    assert manner("ours") == {(True, True)}
    assert manner("ours_without_token_in") == {(False, True)}
    assert manner("ours_without_media_once") == {(True, False)}


def test_the_same_seed_plays_the_same_and_another_one_does_not() -> None:
    def order(seed: int) -> list[tuple[str, int]]:
        wire = NotingWire()
        played("ours_without_order", wire, setting=Setting(seed=seed))
        return sent(wire)

    assert order(1) == order(1)
    assert order(1) != order(2)


def test_a_server_that_fails_ends_the_replay() -> None:
    with pytest.raises(BaseExceptionGroup) as raised:
        played("ours", NotingWire(fails_at=7))
    assert "the wire is cut" in str(first_fault(raised.value))


def test_a_match_needs_its_shared_beginnings_once_and_the_rest_for_itself() -> None:
    stage = staged(TRACE, exact=True)
    for script in {match.script for match in TRACE.matches}:
        matches = [match for match in TRACE.matches if match.script == script]
        demands = {id(o.demands) for o in stage.offers if o.script == script}
        assert len(demands) == 1
        [demand] = next(o.demands for o in stage.offers if o.script == script)
        whole = [
            sum(
                max(
                    sum(piece.tokens for piece in TRACE.prompt(match, turn)) + turn.output
                    for turn in match.turns
                    if turn.seat == seat
                )
                for seat in {turn.seat for turn in match.turns}
            )
            for match in matches
        ]
        assert demand.prefix_tokens + demand.peak == pytest.approx(sum(whole) / len(whole), abs=1)
        assert len(demand.prefixes) == TINY.seats
    wrong = staged(TRACE, peaks=1.5, exact=True)
    [more], [plain] = wrong.offers[0].demands, stage.offers[0].demands
    assert more.peak == pytest.approx(1.5 * plain.peak, abs=1)
    assert more.prefixes == plain.prefixes


def test_what_a_match_will_need_is_projected_and_not_looked_up_in_its_own_turns() -> None:
    [first, *_], [other, *_] = TRACE.matches, TRACE.matches[::-1]
    longer = replace(
        TRACE,
        matches=tuple(
            replace(m, turns=tuple(replace(t, output=9 * t.output) for t in m.turns))
            if m.script == first.script
            else m
            for m in TRACE.matches
        ),
    )

    def peak(trace: Trace, script: str, **more: int) -> int:
        stage = staged(trace, **more)  # type: ignore[arg-type]
        [demand] = next(o.demands for o in stage.offers if o.script == script)
        return demand.peak

    assert peak(longer, first.script) == peak(TRACE, first.script)
    assert peak(longer, other.script) > peak(TRACE, other.script)
    assert peak(TRACE, first.script, seed=1) != peak(TRACE, first.script)
    seeds = [peak(TRACE, first.script, seed=seed) for seed in range(20)]
    true = peak(TRACE, first.script, exact=True)
    assert 0.6 * true < min(seeds) < true < max(seeds) < 1.4 * true


def test_peers_play_the_matches_as_the_trace_has_them_script_by_script() -> None:
    wire = NotingWire()
    played("sequential", wire, setting=Setting(seed=3))
    matches = [match for match, _ in groupby(call.match for call, _, _ in wire.calls)]
    assert matches == [match.id for match in TRACE.matches]
    scripts = [match.script for match in TRACE.matches]
    assert scripts == sorted(scripts)


def test_waiting_for_the_gate_of_an_arm_is_part_of_a_turn_s_time() -> None:
    trace = synthetic_trace(replace(TINY, matches=40))
    replayed = played("gather_32", NotingWire(), trace)
    assert max(one.answered - one.asked for one in replayed.sent) >= 2.0


def test_private_matches_share_nothing() -> None:
    private = staged(synthetic_trace(replace(TINY, private=True)))
    assert all(demand.prefixes == () for offer in private.offers for demand in offer.demands)


@settings(deadline=None, max_examples=25)
@given(block=st.sampled_from([1, 7, 16, 128]), seed=st.integers(0, 50))
def test_expected_is_what_a_cache_without_end_would_hit(block: int, seed: int) -> None:
    trace = synthetic_trace(replace(TINY, seed=seed, matches=4))
    expected, dispatch, found = Expected(block), Dispatch(block), 0
    for match in trace.matches:
        for turn in match.turns:
            prompt = [Segment(p.key, p.tokens) for p in trace.prompt(match, turn)]
            found += expected.cached(match.id, turn.seat, prompt)
            expected.keep(match.id, turn.seat, prompt, turn.output)
            dispatch.add(prompt, turn.output, reply_key(match.id, turn.seat, turn.number))
    assert found == dispatch.infinite().hits


def test_nothing_is_expected_of_matches_that_are_over() -> None:
    expected, prompt = Expected(16), [Segment("rules", 64), Segment("script", 640)]
    expected.keep("one", "seat", prompt, 10)
    assert expected.cached("two", "seat", prompt) == 688
    expected.keep("two", "seat", prompt, 10)
    expected.forget("one")
    assert expected.cached("three", "seat", prompt) == 688
    expected.forget("two")
    assert expected.cached("three", "seat", prompt) == 0


def test_the_seconds_of_a_replay_are_those_of_the_longest_chain_of_turns() -> None:
    replayed = played("ours", NotingWire())
    for begun, over in replayed.matches.values():
        assert over > begun
    asked = [one.asked for one in replayed.sent]
    assert all(earlier <= later for earlier, later in pairwise(asked))
    assert replayed.seconds == max(one.answered for one in replayed.sent)


def _sizes(wire: NotingWire) -> dict[tuple[str, int], int]:
    return {
        (call.match, call.number): sum(piece.tokens for piece in call.pieces)
        for call, _, _ in wire.calls
    }


def _probed() -> Trace:
    def match(name: str) -> TraceMatch:
        head = Piece(key="rules", tokens=40, role="system")
        more = Piece(key=f"{name}/more", tokens=9)
        turns = (
            Turn(number=0, seat="a", ask="speak", added=(head,), output=5),
            Turn(number=1, seat="a", ask="probe/who", added=(more,), output=1, parents=(0,),
                 probe=True),
            Turn(number=2, seat="a", ask="vote", added=(more,), output=1, parents=(0,)),
            Turn(number=3, seat="a", ask="vote/reading-0", added=(more,), output=1, parents=(0,),
                 aside=True, whole=True),
        )  # fmt: skip
        return TraceMatch(id=name, script="s", pair=("x", "y"), turns=turns)

    return Trace(name="probed", matches=(match("first"), match("second")))
