"""The cheap cache of an instant server finds and evicts what the whole one does."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.prompt_types import HashedPrompt
from serving.engine_sim.caches.sequential_cache import SequentialCache

BLOCK = 4
BLOCKS = 14


@st.composite
def requests(draw: st.DrawFn) -> list[tuple[tuple[int, ...], int, int]]:
    """Chains out of a small tree, so that they share, repeat and press each other out."""
    made = list[tuple[tuple[int, ...], int, int]]()
    for _ in range(draw(st.integers(1, 40))):
        prompt = draw(st.integers(1, 36))
        output = draw(st.integers(1, 12))
        turns = draw(st.lists(st.integers(0, 1), min_size=12, max_size=12))
        path, parent = list[int](), 0
        for block in range((prompt + output - 1) // BLOCK):
            parent = hash((parent, turns[block // 3]))
            path.append(parent)
        made.append((tuple(path), prompt, output))
    return made


def found_by_leases(cache: BlockCache, path: tuple[int, ...], prompt: int, output: int) -> int:
    lease = cache.open(HashedPrompt(blocks=path, tokens=prompt), "", output)
    found, _ = lease.match_prefix(prompt)
    lease.acquire()
    assert lease.extend(prompt + output - 1)
    lease.release()
    return found


@settings(max_examples=300, deadline=None)
@given(made=requests())
def test_it_finds_what_the_block_cache_finds_when_requests_come_one_by_one(
    made: list[tuple[tuple[int, ...], int, int]],
) -> None:
    alone, whole = SequentialCache(BLOCKS, BLOCK), BlockCache(BLOCKS, BLOCK)
    for path, prompt, output in made:
        found = alone.serve(path, prompt=prompt, total=prompt + output - 1)
        assert found == found_by_leases(whole, path, prompt, output)


def test_it_costs_no_memory_for_blocks_that_hold_nothing() -> None:
    cache = SequentialCache(10**12, 16)
    assert cache.serve((1, 2), prompt=33, total=40) == 0
    assert cache.serve((1, 2), prompt=33, total=40) == 2
    cache.reset()
    assert cache.serve((1, 2), prompt=33, total=40) == 0


def test_prompts_said_again_and_again_press_each_other_out_as_in_the_block_cache() -> None:
    chance = Random(5)
    paths = [tuple(10 * number + at for at in range(4)) for number in range(6)]
    alone, whole = SequentialCache(11, BLOCK), BlockCache(11, BLOCK)
    for _ in range(3000):
        path = paths[int(chance.random() ** 2 * len(paths))][: chance.randint(1, 4)]
        prompt = len(path) * BLOCK
        found = alone.serve(path, prompt=prompt, total=prompt)
        assert found == found_by_leases(whole, path, prompt, 1)
