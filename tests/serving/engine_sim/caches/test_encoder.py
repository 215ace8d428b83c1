"""The encoder cache."""

from serving.engine_sim.caches.encoder_cache import EncoderCache, PlacedPicture


def at(key: str, start: int, tokens: int = 100) -> PlacedPicture:
    return PlacedPicture(key=key, start=start, tokens=tokens)


def test_a_picture_is_encoded_once_for_requests_that_come_soon_after() -> None:
    cache = EncoderCache(250)
    pictures = (at("a", 10), at("b", 200))
    plan = cache.plan(1, pictures, 0, 400, 250)
    assert (plan.tokens, [picture.key for picture in plan.encode]) == (400, ["a", "b"])
    assert cache.encode(1, plan) == 200
    cache.release_computed(1, 400)
    again = cache.plan(2, pictures, 0, 400, 250)
    assert (again.tokens, again.encode) == (400, ())
    assert (cache.encoded, cache.hits) == (200, 2)


def test_a_picture_before_the_cached_beginning_or_after_the_chunk_is_not_encoded() -> None:
    cache = EncoderCache(250)
    plan = cache.plan(1, (at("a", 10), at("b", 150), at("c", 300)), 110, 190, 250)
    assert [picture.key for picture in plan.encode] == ["b"]


def test_a_picture_cut_by_the_cached_beginning_is_encoded_whole() -> None:
    plan = EncoderCache(250).plan(1, (at("a", 10),), 100, 50, 250)
    assert [picture.tokens for picture in plan.encode] == [100]


def test_a_chunk_ends_before_a_picture_that_finds_no_budget() -> None:
    cache = EncoderCache(1_000)
    plan = cache.plan(1, (at("a", 10), at("b", 150)), 0, 400, 150)
    assert (plan.tokens, [picture.key for picture in plan.encode]) == (150, ["a"])
    assert cache.plan(1, (at("b", 150),), 200, 100, 50).tokens == 0


def test_pictures_of_one_chunk_find_room_together_or_not_at_all() -> None:
    cache = EncoderCache(250)
    cache.encode(1, cache.plan(1, (at("a", 0),), 0, 100, 250))
    plan = cache.plan(2, (at("b", 0), at("c", 120)), 0, 400, 250)
    assert (plan.tokens, [picture.key for picture in plan.encode]) == (120, ["b"])


def test_the_output_freed_longest_ago_makes_room() -> None:
    cache = EncoderCache(250)
    first, second, third = at("a", 0), at("b", 0), at("c", 0)
    for number, picture in enumerate((first, second)):
        cache.encode(number, cache.plan(number, (picture,), 0, 100, 250))
        cache.release_computed(number, 100)
    cache.encode(3, cache.plan(3, (third,), 0, 100, 250))
    assert cache.plan(4, (second,), 0, 100, 0).tokens == 100
    assert cache.plan(5, (first,), 0, 100, 0).tokens == 0


def test_what_a_request_still_needs_is_not_thrown_out() -> None:
    cache = EncoderCache(150)
    held = at("a", 50)
    cache.encode(1, cache.plan(1, (held,), 0, 100, 150))
    cache.release_computed(1, 100)
    assert cache.plan(2, (at("b", 30),), 0, 200, 150).tokens == 30
    cache.free(1)
    assert cache.plan(2, (at("b", 30),), 0, 200, 150).tokens == 200


def test_a_picture_that_stands_twice_is_encoded_once_and_held_to_its_last_place() -> None:
    cache = EncoderCache(150)
    twice = (at("a", 0), at("a", 300))
    assert cache.encode(1, cache.plan(1, twice, 0, 500, 150)) == 100
    cache.release_computed(1, 200)
    assert cache.plan(2, (at("b", 0),), 0, 100, 150).tokens == 0
    cache.release_computed(1, 400)
    assert cache.plan(2, (at("b", 0),), 0, 100, 150).tokens == 100
    cache.reset()
    assert len(cache.plan(3, twice, 0, 500, 150).encode) == 1
