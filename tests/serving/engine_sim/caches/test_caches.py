"""The prefix cache: vLLM's rules one by one, and what holds over random histories."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.engine_sim.caches.block_cache import BlockAllocation, BlockCache
from serving.engine_sim.caches.prompt_segments import (
    PromptSegment,
    SegmentPrompt,
    hash_segments,
)
from tests.serving.engine_sim.segments import allocate, prompt_length


def admit(cache: BlockCache, lease: BlockAllocation, tokens: int) -> int | None:
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
    cache = BlockCache(20, 4)
    first = allocate(cache, (PromptSegment("a", 8),), "r", 1)
    assert admit(cache, first, 8) == 0
    again = allocate(cache, (PromptSegment("a", 8),), "s", 1)
    assert admit(cache, again, 8) == 1
    longer = allocate(cache, (PromptSegment("a", 8), PromptSegment("b", 1)), "t", 1)
    assert admit(cache, longer, 9) == 2


def test_the_tail_of_a_context_is_evicted_before_its_head() -> None:
    cache = BlockCache(11, 4)
    old = allocate(cache, (PromptSegment("a", 24),), "r", 1)
    admit(cache, old, 24)
    old.release()
    assert cache.free == 10
    other = allocate(cache, (PromptSegment("b", 28),), "s", 1)
    admit(cache, other, 28)
    assert cache.evicted == 3
    assert allocate(cache, (PromptSegment("a", 24),), "t", 1).match_prefix(24) == (3, 3)


def test_blocks_without_content_are_used_first() -> None:
    cache = BlockCache(5, 4)
    lease = allocate(cache, (PromptSegment("a", 6),), "r", 1)
    admit(cache, lease, 6)
    lease.release()
    other = allocate(cache, (PromptSegment("b", 9),), "s", 1)
    assert admit(cache, other, 9) == 0
    assert cache.evicted == 0


def test_a_block_that_is_held_is_never_evicted() -> None:
    cache = BlockCache(5, 4)
    held = allocate(cache, (PromptSegment("a", 8),), "r", 9)
    admit(cache, held, 8)
    other = allocate(cache, (PromptSegment("b", 12),), "s", 1)
    assert admit(cache, other, 12) is None
    assert held.extend(16)
    assert not held.extend(17)
    assert held.held == 4


def test_a_reply_is_found_by_the_turn_after_it() -> None:
    cache = BlockCache(20, 4)
    lease = allocate(cache, (PromptSegment("a", 6),), "r", 7)
    admit(cache, lease, 6)
    assert lease.extend(12)
    lease.release()
    asked = (PromptSegment("a", 6), PromptSegment("r", 7), PromptSegment("b", 20))
    assert allocate(cache, asked, "s", 1).match_prefix(33) == (3, 3)


def test_a_reset_forgets_all_but_only_when_nothing_is_held() -> None:
    cache = BlockCache(20, 4)
    lease = allocate(cache, (PromptSegment("a", 8),), "r", 1)
    waiting = allocate(cache, (PromptSegment("a", 12),), "s", 1)
    admit(cache, lease, 8)
    assert not cache.reset()
    lease.release()
    assert cache.reset()
    assert admit(cache, waiting, 12) == 0
    assert allocate(cache, (PromptSegment("a", 12), PromptSegment("b", 1)), "t", 1).match_prefix(
        13
    ) == (
        3,
        0,
    )


def test_hashes_are_taken_as_they_are() -> None:
    cache = BlockCache(20, 4)
    assert admit(cache, BlockAllocation(cache, ("x", "y")), 9) == 0
    assert admit(cache, BlockAllocation(cache, ("x", "y")), 9) == 2


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(12, 90), st.sampled_from([1, 2, 4]))
def test_a_prefix_that_is_held_is_found_and_no_block_is_lost(
    seed: int, blocks: int, block: int
) -> None:
    """Requests with equal beginnings compute them at the same time, so contents have twins."""
    rng, cache = random.Random(seed), BlockCache(blocks, block)
    live = list[tuple[BlockAllocation, SegmentPrompt, int]]()
    for step in range(80):
        if len(live) > 5 or (live and rng.random() < 0.6):
            lease, prompt, now = live.pop(rng.randrange(len(live)))
            more = min(prompt_length(prompt), now + rng.randrange(1, 6 * block))
            if lease.extend(more) and more < prompt_length(prompt):
                live.append((lease, prompt, more))
            else:
                lease.release()
        else:
            tokens = rng.randrange(1, 20 * block)
            own = rng.randrange(1, tokens + 1)
            parts = (PromptSegment("same", own), PromptSegment(f"n{step}", tokens - own))
            prompt = parts[: 1 + (own < tokens)]
            lease = allocate(cache, prompt, "r", 1)
            found, idle = lease.match_prefix(tokens)
            now = min(tokens, found * block + rng.randrange(1, 6 * block))
            if -(-now // block) - found + idle > cache.free:
                continue
            lease.acquire()
            assert lease.extend(now)
            live.append((lease, prompt, now))
        for lease, prompt, _ in live:
            found, _ = allocate(cache, prompt, "", 1).match_prefix(prompt_length(prompt))
            assert found >= min(lease.full, (prompt_length(prompt) - 1) // block)
    for lease, *_ in live:
        lease.release()
    assert cache.free == blocks - 1
    whole = allocate(cache, (PromptSegment("whole", (blocks - 1) * block),), "", 1)
    assert admit(cache, whole, (blocks - 1) * block) == 0
    assert whole.held == blocks - 1


def test_the_twin_of_an_evicted_block_is_found() -> None:
    cache = BlockCache(6, 4)
    twins = [allocate(cache, (PromptSegment("a", 4),), f"r{n}", 1) for n in range(2)]
    for lease in twins:
        lease.match_prefix(1)
        lease.acquire()
        assert lease.extend(4)
    twins[0].release()
    other = allocate(cache, (PromptSegment("b", 16),), "s", 1)
    assert admit(cache, other, 16) == 0
    assert cache.evicted == 1
    again = allocate(cache, (PromptSegment("a", 5),), "t", 1)
    assert again.match_prefix(5) == (1, 0)


def test_it_costs_no_memory_for_blocks_that_hold_nothing() -> None:
    cache = BlockCache(10**12, 16)
    for found in (0, 2):
        lease = BlockAllocation(cache, (1, 2))
        assert admit(cache, lease, 33) == found
        lease.release()
