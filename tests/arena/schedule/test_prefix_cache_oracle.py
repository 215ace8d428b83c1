"""The oracle equals the longest common prefix with everything computed before."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from tests.arena.schedule.reference import UNHURRIED
from tests.fakes.prefix_cache_oracle import PrefixCacheOracle, block_hashes, expand_images

BLOCKS = st.sampled_from([1, 2, 3, 4, 16])
SALTS = st.sampled_from(["", "a", "b"])
PAD = 9

Prompt = tuple[tuple[int, ...], dict[int, tuple[str, int]]]


@st.composite
def prompts(draw: st.DrawFn) -> Prompt:
    """Generate prompts from few token ids and pictures, so that prefixes coincide.

    The text may contain the placeholder token too.
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
    """Return one symbol per token; a picture token carries its picture and position."""
    ids, pictures = prompt
    said: list[tuple[object, ...]] = [(token,) for token in ids]
    for start, (name, length) in pictures.items():
        for number in range(length):
            said[start + number] = (PAD, name, number)
    return said


def common(one: Prompt, other: Prompt, block: int) -> int:
    """Return the common prefix of two prompts in tokens, rounded down to whole blocks."""
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
def test_cached_is_the_longest_common_prefix_with_an_added_prompt(
    kept: list[tuple[Prompt, str]], asked: Prompt, salt: str, block: int
) -> None:
    oracle = PrefixCacheOracle(block)
    for (ids, pictures), its_salt in kept:
        oracle.add(ids, pictures, its_salt)
    alike = [common(asked, one, block) for one, its_salt in kept if its_salt == salt]
    cap = max(0, (len(asked[0]) - 1) // block * block)
    assert oracle.cached(*asked, salt) == min(max(alike, default=0), cap)


@UNHURRIED
@given(one=prompts(), other=prompts(), salts=st.tuples(SALTS, SALTS), block=BLOCKS)
def test_block_hashes_agree_exactly_on_the_common_prefix(
    one: Prompt, other: Prompt, salts: tuple[str, str], block: int
) -> None:
    mine, yours = block_hashes(*one, block, salts[0]), block_hashes(*other, block, salts[1])
    assert (len(mine), len(yours)) == (len(one[0]) // block, len(other[0]) // block)
    same = [a == b for a, b in zip(mine, yours, strict=False)]
    assert same == sorted(same, reverse=True)
    assert sum(same) == (common(one, other, block) // block if salts[0] == salts[1] else 0)


def test_the_last_token_of_a_prompt_is_never_cached() -> None:
    oracle = PrefixCacheOracle(4)
    oracle.add(range(8))
    assert [oracle.cached(range(length)) for length in (0, 1, 4, 5, 8, 9, 12)] == [
        0,
        0,
        0,
        4,
        4,
        8,
        8,
    ]


def test_equal_placeholders_of_different_pictures_are_different_blocks() -> None:
    oracle, ids = PrefixCacheOracle(2), [1, PAD, PAD, PAD, 2, 3]
    oracle.add(ids, {1: ("cellar", 3)})
    assert oracle.cached(ids, {1: ("cellar", 3)}) == 4
    assert oracle.cached(ids, {1: ("attic", 3)}) == 0


def test_a_picture_shifted_by_one_token_is_a_different_block() -> None:
    oracle, ids = PrefixCacheOracle(4), [PAD, PAD, PAD, PAD, 1]
    oracle.add(ids, {0: ("cellar", 3)})
    assert oracle.cached(ids, {0: ("cellar", 3)}) == 4
    assert oracle.cached(ids, {1: ("cellar", 3)}) == 0


@UNHURRIED
@given(prompt=prompts())
def test_images_expand_as_in_the_server(prompt: Prompt) -> None:
    ids, pictures = prompt
    short, places, told = list[int](), list[int](), 0
    for start, (_, length) in sorted(pictures.items()):
        short += ids[told:start]
        places.append(len(short))
        short.append(PAD)
        told = start + length
    short += ids[told:]
    back, spans = expand_images(
        array("I", short), places, [pictures[key] for key in sorted(pictures)]
    )
    assert (tuple(back), spans) == (ids, pictures)
