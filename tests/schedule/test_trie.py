"""The trie says what a server that never evicts would find in its cache."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.trie import Trie, chain, expanded
from tests.schedule.making import UNHURRIED

BLOCKS = st.sampled_from([1, 2, 3, 4, 16])
SALTS = st.sampled_from(["", "a", "b"])
PAD = 9

Prompt = tuple[tuple[int, ...], dict[int, tuple[str, int]]]


@st.composite
def prompts(draw: st.DrawFn) -> Prompt:
    """Make ids of few kinds, so that beginnings coincide, with pictures of few kinds.

    Somebody may also have written the placeholder itself.
    """
    ids: list[int] = []
    pictures: dict[int, tuple[str, int]] = {}
    for part in draw(st.lists(st.integers(0, 5), max_size=14)):
        if part > 3:
            pictures[len(ids)] = (f"picture {part}", part - 1)
            ids += [PAD] * (part - 1)
        else:
            ids += [(0, 1, PAD, 0)[part]] * (part + 1)
    return tuple(ids), pictures


def symbols(prompt: Prompt) -> list[tuple[object, ...]]:
    """Return one symbol a token; those of a picture say whose and which they are."""
    ids, pictures = prompt
    said: list[tuple[object, ...]] = [(token,) for token in ids]
    for start, (name, length) in pictures.items():
        for number in range(length):
            said[start + number] = (PAD, name, number)
    return said


def common(one: Prompt, other: Prompt, block: int) -> int:
    """Return the whole blocks, in tokens, in which two prompts begin alike: one by one."""
    alike = 0
    for mine, yours in zip(symbols(one), symbols(other), strict=False):
        if mine != yours:
            break
        alike += 1
    return alike // block * block


@UNHURRIED
@given(
    kept=st.lists(st.tuples(prompts(), SALTS), max_size=6),
    asked=prompts(),
    salt=SALTS,
    block=BLOCKS,
)
def test_cached_is_the_longest_beginning_in_common_with_what_was_kept(
    kept: list[tuple[Prompt, str]], asked: Prompt, salt: str, block: int
) -> None:
    trie = Trie(block)
    for (ids, pictures), its_salt in kept:
        trie.keep(ids, pictures, its_salt)
    alike = [common(asked, one, block) for one, its_salt in kept if its_salt == salt]
    cap = max(0, (len(asked[0]) - 1) // block * block)
    assert trie.cached(*asked, salt) == min(max(alike, default=0), cap)


@UNHURRIED
@given(one=prompts(), other=prompts(), salts=st.tuples(SALTS, SALTS), block=BLOCKS)
def test_block_hashes_are_equal_as_far_as_prompts_begin_alike(
    one: Prompt, other: Prompt, salts: tuple[str, str], block: int
) -> None:
    mine, yours = chain(*one, block, salts[0]), chain(*other, block, salts[1])
    assert (len(mine), len(yours)) == (len(one[0]) // block, len(other[0]) // block)
    same = [a == b for a, b in zip(mine, yours, strict=False)]
    assert same == sorted(same, reverse=True)
    assert sum(same) == (common(one, other, block) // block if salts[0] == salts[1] else 0)


def test_the_last_token_of_a_prompt_is_never_cached() -> None:
    trie = Trie(4)
    trie.keep(range(8))
    assert [trie.cached(range(length)) for length in (0, 1, 4, 5, 8, 9, 12)] == [
        0,
        0,
        0,
        4,
        4,
        8,
        8,
    ]


def test_the_same_pads_of_another_picture_are_another_block() -> None:
    trie, ids = Trie(2), [1, PAD, PAD, PAD, 2, 3]
    trie.keep(ids, {1: ("cellar", 3)})
    assert trie.cached(ids, {1: ("cellar", 3)}) == 4
    assert trie.cached(ids, {1: ("attic", 3)}) == 0


def test_the_same_picture_one_token_later_among_written_pads_is_another_block() -> None:
    trie, ids = Trie(4), [PAD, PAD, PAD, PAD, 1]
    trie.keep(ids, {0: ("cellar", 3)})
    assert trie.cached(ids, {0: ("cellar", 3)}) == 4
    assert trie.cached(ids, {1: ("cellar", 3)}) == 0


@UNHURRIED
@given(prompt=prompts())
def test_ids_are_expanded_as_a_server_expands_them(prompt: Prompt) -> None:
    ids, pictures = prompt
    short, places, told = list[int](), list[int](), 0
    for start, (_, length) in sorted(pictures.items()):
        short += ids[told:start]
        places.append(len(short))
        short.append(PAD)
        told = start + length
    short += ids[told:]
    back, spans = expanded(array("I", short), places, [pictures[key] for key in sorted(pictures)])
    assert (tuple(back), spans) == (ids, pictures)
