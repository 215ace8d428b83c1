"""The best hit rate of a cache, against brute force, an oracle and the simulated engine's cache."""

from collections.abc import Hashable, Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bench.simulation.cache_bound import CacheHits, RequestSequence
from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.prompt_segments import PromptSegment
from tests.fakes.prefix_cache_oracle import PrefixCacheOracle, block_hashes
from tests.serving.engine_sim.segments import allocate

Ids = tuple[int, ...]
Asked = tuple[Ids, Ids]
"""The ids of a prompt, and of its reply without the last token."""


class BlockSequence(RequestSequence):
    """A sequence whose requests are given by the hashes of their blocks, not by pieces."""

    def add_blocks(self, blocks: Sequence[Hashable], tokens: int, output: int) -> None:
        """Add a request by the chained hashes of its full blocks, `tokens` of them the prompt's."""
        self._add_lengths(tokens, output)
        full = (tokens + output - 1) // self.block
        self._paths.add((hash((known,)), end) for end, known in enumerate(blocks[:full], start=1))


def dispatched(asked: Sequence[Asked], block: int) -> RequestSequence:
    sent = BlockSequence(block)
    for prompt, reply in asked:
        sent.add_blocks(block_hashes((*prompt, *reply), {}, block), len(prompt), len(reply) + 1)
    return sent


def blocks(ids: Ids, block: int) -> tuple[Ids, ...]:
    """Return each full block as all that leads to its end."""
    return tuple(ids[: end * block] for end in range(1, len(ids) // block + 1))


def found(held: frozenset[Ids] | dict[Ids, None], prompt: Ids, block: int) -> int:
    limit = (len(prompt) - 1) // block
    for depth, one in enumerate(blocks(prompt, block)[:limit]):
        if one not in held:
            return depth
    return limit


def best_hits(asked: Sequence[Asked], block: int, room: int) -> int:
    """Return the most blocks that any choice of evictions could hit.

    Blocks of no later prompt are evicted first: keeping one can never help.
    """
    later = [
        {one for prompt, _ in asked[at:] for one in blocks(prompt, block)}
        for at in range(len(asked) + 1)
    ]

    @cache
    def best(at: int, held: frozenset[Ids]) -> int:
        if at == len(asked):
            return 0
        prompt, reply = asked[at]
        own: frozenset[Ids] = frozenset(blocks((*prompt, *reply), block))
        need = -(-len((*prompt, *reply)) // block)
        others = sorted((held - own) & later[at + 1])
        kept = min(len(others), room - need)
        after = [
            best(at + 1, own.union(some) & later[at + 1]) for some in combinations(others, kept)
        ]
        return found(held, prompt, block) + max(after)

    return best(0, frozenset[Ids]())


def few(most: int) -> st.SearchStrategy[list[Asked]]:
    """Draw requests over two tokens, so that they share beginnings of every length."""
    ids = st.lists(st.integers(0, 1), min_size=1, max_size=6).map(tuple)
    rest = st.lists(st.integers(0, 1), max_size=2).map(tuple)
    return st.lists(st.tuples(ids, rest), min_size=1, max_size=most)


def least_room(asked: Sequence[Asked], block: int) -> int:
    return max(-(-(len(prompt) + len(reply)) // block) for prompt, reply in asked)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(asked=few(8), block=st.integers(1, 2), more=st.integers(0, 3))
def test_belady_is_the_best_that_any_choice_of_evictions_gives(
    asked: list[Asked], block: int, more: int
) -> None:
    room = least_room(asked, block) + more
    ideal = dispatched(asked, block).belady(room * block)
    assert ideal.hits == best_hits(asked, block, room) * block


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(asked=few(25), block=st.integers(1, 3))
def test_with_room_for_all_it_hits_what_the_prefix_cache_oracle_does(
    asked: list[Asked], block: int
) -> None:
    oracle, hits = PrefixCacheOracle(block), 0
    for prompt, reply in asked:
        hits += oracle.cached(prompt)
        oracle.add((*prompt, *reply))
    everything = 25 * 8 * block
    expected = CacheHits(queries=sum(len(p) for p, _ in asked), hits=hits)
    assert dispatched(asked, block).belady(everything) == expected


Pieces = list[tuple[str, int]]


def spelt(pieces: Sequence[tuple[str, int]]) -> Ids:
    """Return ids such that equal keys hold equal ids from their beginning, and others differ."""
    return tuple(
        int.from_bytes(key.encode()) * 64 + place for key, size in pieces for place in range(size)
    )


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    asked=st.lists(
        st.tuples(
            st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 7)), min_size=1, max_size=5),
            st.sampled_from("xy"),
            st.integers(1, 5),
        ),
        min_size=1,
        max_size=20,
    ),
    block=st.integers(1, 4),
    more=st.integers(0, 12),
)
def test_pieces_and_hashes_of_blocks_give_the_same(
    asked: list[tuple[Pieces, str, int]], block: int, more: int
) -> None:
    fast, exact = RequestSequence(block), BlockSequence(block)
    need = 1
    for drawn, reply, output in asked:
        # Two runs of one key would be told apart from one longer run.
        pieces = [p for n, p in enumerate(drawn) if not n or drawn[n - 1][0] != p[0]]
        fast.add(pieces, output, reply)
        prompt = spelt(pieces)
        whole = (*prompt, *spelt([(reply, output)])[: output - 1])
        exact.add_blocks(block_hashes(whole, {}, block), len(prompt), output)
        need = max(need, -(-len(whole) // block))
    capacity = (need + more) * block
    assert fast.belady(capacity) == exact.belady(capacity)


def conversations(chance: Random) -> list[tuple[Pieces, int, str]]:
    """Return requests of seats whose logs grow in turn, by script and match: prompt and reply."""
    logs: dict[tuple[int, int], Pieces] = {}
    requests: list[tuple[Pieces, int, str]] = []
    for turn in range(120):
        match, seat = chance.randrange(6), chance.randrange(3)
        log = logs.setdefault(
            (match, seat), [("rules", 30), (f"script {match % 2}", 90), (f"seat {seat}", 20)]
        )
        log.append((f"heard {match}/{turn}", chance.randint(1, 15)))
        output, reply = chance.randint(1, 12), f"reply {turn}"
        requests.append((list(log), output, reply))
        log.append((reply, output))
    return requests


def simulated_hits(requests: list[tuple[Pieces, int, str]], block: int, room: int) -> int:
    """Return the tokens that the simulated engine's cache hits, one request after the other."""
    held, hits = BlockCache(room + 1, block), 0
    for pieces, output, reply in requests:
        tokens = sum(size for _, size in pieces)
        lease = allocate(held, tuple(PromptSegment(*piece) for piece in pieces), reply, output)
        hits += lease.match_prefix(tokens)[0]
        lease.acquire()
        assert lease.extend(tokens + output - 1)
        lease.release()
    return hits * block


def test_growing_conversations_hit_as_in_the_simulated_engine_and_better_under_pressure() -> None:
    requests, block = conversations(Random(5)), 8
    sent = RequestSequence(block)
    for pieces, output, reply in requests:
        sent.add(pieces, output, reply)
    everything, few_blocks = 10_000, 60
    assert sent.belady(everything * block).hits == simulated_hits(requests, block, everything)
    least_recent = simulated_hits(requests, block, few_blocks)
    best = sent.belady(few_blocks * block).hits
    assert least_recent < best < sent.belady(everything * block).hits


def test_belady_keeps_what_comes_next_where_lru_forgets_it() -> None:
    # Three prompts in a circle, room for two: LRU always drops the one that is next, and hits none.
    prompts: list[Asked] = [((n, n, n), ()) for n in (1, 2, 3)] * 5
    sent = dispatched(prompts, 1)
    assert sent.belady(6).hits == best_hits(prompts, 1, 6) > 0
    assert sent.belady(9).hits == 12 * 2


def test_the_last_token_of_a_prompt_is_never_found_and_that_of_a_reply_never_kept() -> None:
    sent = RequestSequence(4)
    for _ in range(2):
        sent.add([("a", 8)], 1, "r")
    assert sent.belady(99) == CacheHits(queries=16, hits=4)
    sent = RequestSequence(4)
    sent.add([("a", 8)], 4, "r")
    sent.add([("a", 8), ("r", 4), ("b", 1)], 1, "s")
    assert sent.belady(99).hits == 8


def test_a_request_that_does_not_fit_alone_is_refused() -> None:
    sent = dispatched([((1, 2, 3), (4,))], 2)
    with pytest.raises(ValueError, match="needs 2 blocks, but 3 tokens are 1"):
        sent.belady(3)
    assert sent.belady(4).rate == 0.0


def test_empty_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="got 5 and 0"):
        RequestSequence(2).add([("a", 5)], 0, "r")
    with pytest.raises(ValueError, match="got 0"):
        RequestSequence(0)
    assert RequestSequence(2).belady(2).rate == 0.0
