"""The two caches: vLLM's rules one by one, and their equality over random histories."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from serving.engine_sim.caches.block_cache import Allocation, BlockCache, PrefixCache
from serving.engine_sim.caches.prompt_types import (
    HashedPrompt,
    PromptSegment,
    SegmentPrompt,
    hash_segments,
    prompt_length,
)
from serving.engine_sim.caches.segment_cache import SegmentCache


def admit(cache: PrefixCache, lease: Allocation, tokens: int) -> int | None:
    """Do what the scheduler does with a waiting request; return its hit in blocks."""
    found, idle = lease.match_prefix(tokens)
    if -(-tokens // cache.block) - found + idle > cache.free:
        return None
    lease.acquire()
    assert lease.extend(tokens)
    return found


def test_only_full_blocks_are_hashed_and_a_hash_covers_all_before_it() -> None:
    one = hash_segments((PromptSegment("a", 10), PromptSegment("b", 7)), 4)
    other = hash_segments((PromptSegment("a", 10), PromptSegment("c", 7)), 4)
    assert len(one) == 4
    assert one[:2] == other[:2]
    assert one[2:] != other[2:]
    assert hash_segments((PromptSegment("a", 5), PromptSegment("b", 3)), 4)[0] == one[0]
    assert hash_segments((PromptSegment("a", 4), PromptSegment("a", 4)), 4) != hash_segments(
        (PromptSegment("a", 8),), 4
    )
    assert one[3] != hash_segments((PromptSegment("x", 10), PromptSegment("b", 7)), 4)[3]


def test_the_last_token_is_always_computed() -> None:
    for cache in (BlockCache(20, 4), SegmentCache(20, 4)):
        first = cache.open((PromptSegment("a", 8),), "r", 1)
        assert admit(cache, first, 8) == 0
        again = cache.open((PromptSegment("a", 8),), "s", 1)
        assert admit(cache, again, 8) == 1
        longer = cache.open((PromptSegment("a", 8), PromptSegment("b", 1)), "t", 1)
        assert admit(cache, longer, 9) == 2


def test_the_tail_of_a_context_is_evicted_before_its_head() -> None:
    for cache in (BlockCache(11, 4), SegmentCache(11, 4)):
        old = cache.open((PromptSegment("a", 24),), "r", 1)
        admit(cache, old, 24)
        old.release()
        assert cache.free == 10
        other = cache.open((PromptSegment("b", 28),), "s", 1)
        admit(cache, other, 28)
        assert cache.evicted == 3
        assert cache.open((PromptSegment("a", 24),), "t", 1).match_prefix(24) == (3, 3)


def test_blocks_without_content_are_used_first() -> None:
    for cache in (BlockCache(5, 4), SegmentCache(5, 4)):
        lease = cache.open((PromptSegment("a", 6),), "r", 1)
        admit(cache, lease, 6)
        lease.release()
        other = cache.open((PromptSegment("b", 9),), "s", 1)
        assert admit(cache, other, 9) == 0
        assert cache.evicted == 0


def test_a_block_that_is_held_is_never_evicted() -> None:
    for cache in (BlockCache(5, 4), SegmentCache(5, 4)):
        held = cache.open((PromptSegment("a", 8),), "r", 9)
        admit(cache, held, 8)
        other = cache.open((PromptSegment("b", 12),), "s", 1)
        assert admit(cache, other, 12) is None
        assert held.extend(16)
        assert not held.extend(17)
        assert held.held == 4


def test_a_reply_is_found_by_the_turn_after_it() -> None:
    for cache in (BlockCache(20, 4), SegmentCache(20, 4)):
        lease = cache.open((PromptSegment("a", 6),), "r", 7)
        admit(cache, lease, 6)
        assert lease.extend(12)
        lease.release()
        asked = (PromptSegment("a", 6), PromptSegment("r", 7), PromptSegment("b", 20))
        assert cache.open(asked, "s", 1).match_prefix(33) == (3, 3)


def test_a_reset_forgets_all_but_only_when_nothing_is_held() -> None:
    for cache in (BlockCache(20, 4), SegmentCache(20, 4)):
        lease = cache.open((PromptSegment("a", 8),), "r", 1)
        waiting = cache.open((PromptSegment("a", 12),), "s", 1)
        admit(cache, lease, 8)
        assert not cache.reset()
        lease.release()
        assert cache.reset()
        assert admit(cache, waiting, 12) == 0
        assert cache.open((PromptSegment("a", 12), PromptSegment("b", 1)), "t", 1).match_prefix(
            13
        ) == (
            3,
            0,
        )


def test_a_prompt_of_hashes_is_taken_as_it_is() -> None:
    cache = BlockCache(20, 4)
    prompt = HashedPrompt(blocks=("x", "y"), tokens=9)
    assert prompt_length(prompt) == 9
    assert admit(cache, cache.open(prompt, "", 1), 9) == 0
    assert admit(cache, cache.open(prompt, "", 1), 9) == 2


class Seat:
    """A prompt that grows, forks, and is sometimes asked again."""

    def __init__(self, prompt: SegmentPrompt) -> None:
        self.prompt = prompt


def history(seed: int, blocks: int, block: int, steps: int) -> tuple[int, int]:
    """Play one random history on both caches, compare them at every step."""
    rng = random.Random(seed)
    plain, quick = BlockCache(blocks, block), SegmentCache(blocks, block)
    seats = [
        Seat(
            (
                PromptSegment("r", rng.randrange(1, 3 * block)),
                PromptSegment(f"s{n}", rng.randrange(1, 40)),
            )
        )
        for n in range(4)
    ]
    live: list[tuple[Allocation, Allocation, Seat, str, int, int, int]] = []
    hits = 0
    for step in range(steps):
        if live and rng.random() < 0.5:
            one, two, seat, key, prompt, output, now = live.pop(rng.randrange(len(live)))
            more = min(prompt + output - 1, now + rng.randrange(1, 2 * block))
            ok = one.extend(more)
            assert two.extend(more) == ok
            if ok and more < prompt + output - 1:
                live.append((one, two, seat, key, prompt, output, more))
            else:
                if ok:
                    seat.prompt = (*seat.prompt, PromptSegment(key, output))
                one.release()
                two.release()
        else:
            seat = rng.choice(seats)
            if rng.random() < 0.7:
                more = PromptSegment(f"p{step if rng.random() < 0.7 else 0}", rng.randrange(1, 30))
                seat.prompt = (*seat.prompt, more)
            if rng.random() < 0.1:
                cut = rng.randrange(1, len(seat.prompt) + 1)
                key, size = seat.prompt[cut - 1]
                short = PromptSegment(key, rng.randrange(1, size + 1))
                seats.append(Seat((*seat.prompt[: cut - 1], short)))
            prompt, output = prompt_length(seat.prompt), rng.randrange(1, 30)
            key = f"r{step}"
            one = plain.open(seat.prompt, key, output)
            two = quick.open(seat.prompt, key, output)
            found = one.match_prefix(prompt)
            assert two.match_prefix(prompt) == found
            scheduled = prompt if rng.random() < 0.7 else rng.randrange(1, prompt + 1)
            scheduled = max(scheduled, found[0] * block + 1)
            if -(-scheduled // block) - found[0] + found[1] > plain.free:
                continue
            hits += found[0]
            for lease in (one, two):
                lease.acquire()
                assert lease.extend(scheduled)
            live.append((one, two, seat, key, prompt, output, scheduled))
        assert (plain.free, plain.evicted) == (quick.free, quick.evicted)
        for one, two, *_ in live:
            assert (one.held, one.full) == (two.held, two.full)
        for seat in seats:
            tokens = prompt_length(seat.prompt)
            again = plain.open(seat.prompt, "", 1).match_prefix(tokens)
            assert quick.open(seat.prompt, "", 1).match_prefix(tokens) == again
    while live:
        one, two, *_ = live.pop()
        one.release()
        two.release()
    return hits, plain.evicted


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(8, 120), st.sampled_from([1, 2, 4, 16]))
def test_runs_hit_and_evict_as_blocks_do(seed: int, blocks: int, block: int) -> None:
    history(seed, blocks, block, 120)


def twins(seed: int, blocks: int, block: int, steps: int) -> int:
    """Let requests with the same beginning compute it at once, chunk by chunk; count the twins.

    So equal content comes to lie in several blocks, and is held and evicted piece by piece.
    """
    rng = random.Random(seed)
    plain, quick = BlockCache(blocks, block), SegmentCache(blocks, block)
    live: list[tuple[Allocation, Allocation, int, int]] = []
    twice = 0
    for step in range(steps):
        if len(live) > 5 or (live and rng.random() < 0.6):
            one, two, tokens, now = live.pop(rng.randrange(len(live)))
            now = min(tokens, now + rng.randrange(1, 6 * block))
            ok = one.extend(now)
            assert two.extend(now) == ok
            if ok and now < tokens:
                live.append((one, two, tokens, now))
            else:
                one.release()
                two.release()
        else:
            tokens = rng.randrange(1, 20 * block)
            own = rng.randrange(1, tokens + 1) if rng.random() < 0.3 else tokens
            prompt = (PromptSegment("same", own), PromptSegment(f"n{step}", tokens - own))[
                : 1 + (own < tokens)
            ]
            one, two = plain.open(prompt, "r", 1), quick.open(prompt, "r", 1)
            found = one.match_prefix(tokens)
            assert two.match_prefix(tokens) == found
            now = min(tokens, found[0] * block + rng.randrange(1, 6 * block))
            if -(-now // block) - found[0] + found[1] > plain.free:
                continue
            for lease in (one, two):
                lease.acquire()
                assert lease.extend(now)
            live.append((one, two, tokens, now))
        assert (plain.free, plain.evicted) == (quick.free, quick.evicted)
        probe = (PromptSegment("same", 20 * block),)
        again = plain.open(probe, "", 1).match_prefix(20 * block)
        assert quick.open(probe, "", 1).match_prefix(20 * block) == again
        same = quick.root.children.get((0, "same"))
        twice += same is not None and len(same.runs) > 1
    return twice


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(12, 90), st.sampled_from([1, 2, 4]))
def test_equal_content_in_several_blocks_is_found_and_evicted_alike(
    seed: int, blocks: int, block: int
) -> None:
    twins(seed, blocks, block, 120)


def test_the_random_twins_are_many_enough_to_prove_something() -> None:
    assert min(twins(seed, 60, 2, 200) for seed in range(10)) > 50


def test_the_random_histories_hit_and_evict_enough_to_prove_something() -> None:
    played = [history(seed, 60, 4, 200) for seed in range(10)]
    assert min(hits for hits, _ in played) > 50
    assert min(evicted for _, evicted in played) > 50


def test_an_empty_tree_is_left_when_everything_was_evicted() -> None:
    cache = SegmentCache(40, 4)
    for number in range(20):
        lease = cache.open(
            (PromptSegment(f"a{number}", 3), PromptSegment("b", 21)), f"r{number}", 9
        )
        admit(cache, lease, 24)
        lease.extend(32)
        lease.release()
    big = cache.open((PromptSegment("big", 39 * 4),), "", 1)
    assert admit(cache, big, 39 * 4) == 0
    assert list(cache.root.children) == [(0, "big")]
