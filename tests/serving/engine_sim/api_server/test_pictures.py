"""Pictures in prompts: what they cost, where they stand and what stands for them."""

from array import array
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts_mm.vision_tokens import input_size
from serving.engine_sim.caches.block_hashes import expand_pictures, hash_blocks
from serving.engine_sim.caches.picture_cache import (
    CachedPicture,
    PictureCache,
    PictureSizer,
    load_picture_sizer,
)
from serving.engine_sim.error_responses import RefusalError
from tests.serving.engine_sim.api_server.asking import png

PLACE = 70_000


def seen(number: int, tokens: int) -> CachedPicture:
    marks = array("I", Random(number).randbytes(4 * tokens))
    return CachedPicture(uuid=f"{number}", tokens=tokens, marks=marks)


@settings(deadline=None)
@given(
    texts=st.lists(st.lists(st.integers(0, 69_999), max_size=9), min_size=1, max_size=5),
    sizes=st.lists(st.integers(1, 30), min_size=4, max_size=4),
)
def test_a_picture_stands_where_its_placeholder_stood(
    texts: list[list[int]], sizes: list[int]
) -> None:
    pictures = [seen(number, sizes[number]) for number in range(len(texts) - 1)]
    ids = array("I", texts[0])
    for text in texts[1:]:
        ids += array("I", [PLACE, *text])
    whole, places = expand_pictures(ids, PLACE, pictures)
    assert len(whole) == sum(map(len, texts)) + sum(one.tokens for one in pictures)
    for place, picture in zip(places, pictures, strict=True):
        assert whole[place : place + picture.tokens] == picture.marks
        del whole[place : place + picture.tokens]
        whole[place:place] = array("I", [0] * picture.tokens)
    assert [token for token in whole if token] == [
        token for text in texts for token in text if token
    ]


def test_a_token_that_only_looks_like_a_placeholder_across_two_is_none() -> None:
    mark = array("I", [PLACE]).tobytes()
    crossing = array("I", bytes(2) + mark + bytes(2))
    assert expand_pictures(crossing, PLACE, ()) == (crossing, ())


@settings(deadline=None)
@given(ids=st.lists(st.integers(0, 3), min_size=1, max_size=900), more=st.integers(0, 40))
def test_hashes_are_those_of_full_blocks_and_a_longer_prompt_keeps_them(
    ids: list[int], more: int
) -> None:
    short, long = array("I", ids), array("I", [*ids, *[1] * more])
    first, second = hash_blocks(short, 4, salt=""), hash_blocks(long, 4, salt="")
    assert len(first) == len(ids) // 4
    assert second[: len(first)] == first
    changed = array("I", [9, *ids[1:]])
    assert not set(hash_blocks(changed, 4, salt="")) & set(first)
    assert len(set(second)) == len(second)


@settings(deadline=None)
@given(width=st.integers(8, 3000), height=st.integers(8, 3000))
def test_a_picture_costs_what_the_arena_thinks_it_costs(width: int, height: int) -> None:
    if max(width, height) > 199 * min(width, height):
        return
    sight = PictureSizer(side=28, least_pixels=3136, most_pixels=1_003_520)
    wide, tall = input_size(width, height, "qwen2.5-vl", 3136, 1_003_520)
    assert sight.count_tokens(width, height) == wide * tall // 28**2


def test_a_ribbon_is_no_picture() -> None:
    with pytest.raises(RefusalError, match="aspect ratio"):
        PictureSizer().count_tokens(10, 2001)


def test_how_a_model_sees_is_read_from_its_folder(folder: Path) -> None:
    assert load_picture_sizer(folder) == PictureSizer(
        side=28, least_pixels=3136, most_pixels=200_704
    )
    assert load_picture_sizer(None) == PictureSizer()


def test_only_so_many_pictures_are_held() -> None:
    media = PictureCache(PictureSizer(), most=2)
    for number in (1, 2, 3):
        media.resolve([png(number)])
    media.resolve([(None, png(2)[1]), (None, png(3)[1])])
    with pytest.raises(RefusalError, match="Cache miss for image at index 0"):
        media.resolve([(None, png(1)[1])])
