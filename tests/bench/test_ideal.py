"""Hit rates of ideal caches, against brute force, naive simulation and the stand-in's cache."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bench.ideal import Dispatch, Hits, Ideal, dispatch_of
from arena.bench.synthetic import Shape, synthetic_trace
from serving.engine_sim.cache import BlockCache
from serving.engine_sim.prompt import Segment
from tests.fakes.prefix_cache_oracle import PrefixCacheOracle, block_hashes

Ids = tuple[int, ...]
Asked = tuple[Ids, Ids]
"""The ids of a prompt, and of its reply without the last token."""


def dispatched(asked: Sequence[Asked], block: int) -> Dispatch:
    sent = Dispatch(block)
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
    """Return the most blocks that any choice of evictions could hit."""

    @cache
    def best(at: int, held: frozenset[Ids]) -> int:
        if at == len(asked):
            return 0
        prompt, reply = asked[at]
        own: frozenset[Ids] = frozenset(blocks((*prompt, *reply), block))
        need = -(-len((*prompt, *reply)) // block)
        others = sorted(held - own)
        kept = min(len(others), room - need)
        after = [best(at + 1, own.union(some)) for some in combinations(others, kept)]
        return found(held, prompt, block) + max(after)

    return best(0, frozenset[Ids]())


def lru_hits(asked: Sequence[Asked], block: int, room: int) -> int:
    """Return the blocks hit by a queue of blocks, block by block."""
    queue: dict[Ids, None] = {}
    hits = 0
    for prompt, reply in asked:
        own = blocks((*prompt, *reply), block)
        need = -(-len((*prompt, *reply)) // block)
        hits += found(queue, prompt, block)
        for one in own:
            queue.pop(one, None)
        while len(queue) + need > room:
            del queue[next(iter(queue))]
        for one in reversed(own):
            queue[one] = None
    return hits


def few(most: int) -> st.SearchStrategy[list[Asked]]:
    """Draw requests over two tokens, so that they share beginnings of every length."""
    ids = st.lists(st.integers(0, 1), min_size=1, max_size=6).map(tuple)
    rest = st.lists(st.integers(0, 1), max_size=2).map(tuple)
    return st.lists(st.tuples(ids, rest), min_size=1, max_size=most)


def least_room(asked: Sequence[Asked], block: int) -> int:
    return max(-(-(len(prompt) + len(reply)) // block) for prompt, reply in asked)


@settings(max_examples=150, deadline=None)
@given(asked=few(7), block=st.integers(1, 2), more=st.integers(0, 3))
def test_belady_is_the_best_that_any_choice_of_evictions_gives(
    asked: list[Asked], block: int, more: int
) -> None:
    room = least_room(asked, block) + more
    ideal = dispatched(asked, block).belady(room * block)
    assert ideal.hits == best_hits(asked, block, room) * block


@settings(max_examples=200, deadline=None)
@given(asked=few(25), block=st.integers(1, 3), more=st.integers(0, 9))
def test_lru_is_what_a_queue_of_blocks_gives(asked: list[Asked], block: int, more: int) -> None:
    room = least_room(asked, block) + more
    assert dispatched(asked, block).lru(room * block).hits == lru_hits(asked, block, room) * block


@settings(max_examples=200, deadline=None)
@given(asked=few(25), block=st.integers(1, 3))
def test_the_infinite_cache_equals_the_prefix_cache_oracle(asked: list[Asked], block: int) -> None:
    oracle, hits = PrefixCacheOracle(block), 0
    for prompt, reply in asked:
        hits += oracle.cached(prompt)
        oracle.add((*prompt, *reply))
    sent = dispatched(asked, block)
    assert sent.infinite() == Hits(queries=sum(len(p) for p, _ in asked), hits=hits)
    everything = 25 * 8 * block
    assert sent.lru(everything) == sent.belady(everything) == sent.infinite()


Pieces = list[tuple[str, int]]


def spelt(pieces: Sequence[tuple[str, int]]) -> Ids:
    """Return ids such that equal keys hold equal ids from their beginning, and others differ."""
    return tuple(
        int.from_bytes(key.encode()) * 64 + place for key, size in pieces for place in range(size)
    )


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
    fast, exact = Dispatch(block), Dispatch(block)
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
    assert fast.ideal(capacity) == exact.ideal(capacity)


def test_a_synthetic_trace_hits_as_the_stand_in_engine_does() -> None:
    trace = synthetic_trace(
        Shape(scripts=2, matches=6, seats=3, script_tokens=90, options="rounds=2", pictures=1,
              picture_tokens=20, output=12, rules_tokens=30, unasked=1)
    )  # fmt: skip
    chance, block, room = Random(5), 8, 160
    mixed = [index for index, match in enumerate(trace.matches) for _ in match.turns]
    chance.shuffle(mixed)
    order = [(index, mixed[:at].count(index)) for at, index in enumerate(mixed)]
    cache_, hits = BlockCache(room + 1, block), 0
    for index, number in order:
        match = trace.matches[index]
        turn = match.turns[number]
        prompt = tuple(Segment(p.key, p.tokens) for p in trace.prompt(match, turn))
        tokens = sum(piece.tokens for piece in prompt)
        lease = cache_.open(prompt, trace.reply(match, turn).key, turn.output)
        hits += lease.find(tokens)[0]
        lease.hold()
        assert lease.grow(tokens + turn.output - 1)
        lease.release()
    sent = dispatch_of(trace, block, order)
    assert sent.lru(room * block).hits == hits * block
    ideal = sent.ideal(room * block)
    assert ideal.lru.rate < ideal.belady.rate < ideal.infinite.rate


def test_belady_keeps_what_comes_next_where_lru_forgets_it() -> None:
    # Three prompts in a circle, room for two: LRU always drops the one that is next.
    prompts: list[Asked] = [((n, n, n), ()) for n in (1, 2, 3)] * 5
    sent = dispatched(prompts, 1)
    assert sent.lru(6).hits == 0
    assert sent.belady(6).hits == best_hits(prompts, 1, 6) > 0
    assert sent.infinite().hits == 12 * 2


def test_the_last_token_of_a_prompt_is_never_found_and_that_of_a_reply_never_kept() -> None:
    sent = Dispatch(4)
    for _ in range(2):
        sent.add([("a", 8)], 1, "r")
    assert sent.infinite() == Hits(queries=16, hits=4)
    sent = Dispatch(4)
    sent.add([("a", 8)], 4, "r")
    sent.add([("a", 8), ("r", 4), ("b", 1)], 1, "s")
    assert sent.infinite().hits == 8


def test_a_request_that_does_not_fit_alone_is_refused() -> None:
    sent = dispatched([((1, 2, 3), (4,))], 2)
    with pytest.raises(ValueError, match="needs 2 blocks, but 3 tokens are 1"):
        sent.lru(3)
    with pytest.raises(ValueError, match="needs 2 blocks"):
        sent.belady(3)
    assert sent.belady(4).rate == 0.0


def test_missing_hashes_and_empty_requests_are_refused() -> None:
    with pytest.raises(ValueError, match=r"3 hashes are wanted for 5 [+] 2 tokens, got 2"):
        Dispatch(2).add_blocks((b"a", b"b"), 5, 2)
    with pytest.raises(ValueError, match="got 5 and 0"):
        Dispatch(2).add([("a", 5)], 0, "r")
    with pytest.raises(ValueError, match="got 0"):
        Dispatch(0)
    assert Dispatch(2).infinite().rate == 0.0


def test_losses_add_up_to_what_was_missed() -> None:
    ideal = Ideal(
        infinite=Hits(queries=100, hits=90),
        belady=Hits(queries=100, hits=80),
        lru=Hits(queries=100, hits=60),
    )
    losses = ideal.losses(0.55)
    assert losses.capacity == pytest.approx(0.1)
    assert losses.order == pytest.approx(0.2)
    assert losses.drift == pytest.approx(0.05)


def test_without_an_order_matches_follow_one_another() -> None:
    shape = Shape(
        scripts=1, matches=2, seats=2, script_tokens=40, options="rounds=1", pictures=0, output=5,
        rules_tokens=20, unasked=0,
    )  # fmt: skip
    trace = synthetic_trace(shape)
    order = [(index, turn.number) for index, m in enumerate(trace.matches) for turn in m.turns]
    assert len(dispatch_of(trace, 4)) == len(order) == 20
    assert dispatch_of(trace, 4).ideal(800) == dispatch_of(trace, 4, order).ideal(800)
