"""Searches in the record: made once, read afterwards, never taken for another."""

import asyncio
from dataclasses import replace

import pytest

from arena.errors import EndpointUnavailableError, RecordError
from arena.memory.lexical import LexicalHit
from arena.memory.memory_index import MemoryIndex
from arena.memory.search_log import RecordedSearches, SearchHits
from arena.models.chat import CallId
from arena.models.recording import NotRecordedError, RecordedCall, RecordedCalls
from arena.records.call_codec import CallCodec
from tests.arena.memory.embedders import FlakyEmbedder

CALL = CallId(seat="Ada", request="vote/1")
UNITS = ("the lamp was red", "the door was shut", "a lamp in the hall")
DOWN = EndpointUnavailableError("down")


def memory(
    kept: list[RecordedCall], embedder: FlakyEmbedder, calls: RecordedCalls | None = None
) -> MemoryIndex:
    known = calls or RecordedCalls({call.request.call_id: call for call in kept})
    index = MemoryIndex(embedder, RecordedSearches(known, save=kept.append, model="e5"))
    index.add(UNITS)
    return index


def search(index: MemoryIndex, query: str = "lamp", **more: object) -> SearchHits:
    return asyncio.run(index.search(query, call_id=CALL, **more))  # pyright: ignore[reportArgumentType]


def test_a_search_is_made_once_and_then_read_even_where_it_failed() -> None:
    kept: list[RecordedCall] = []
    first = search(memory(kept, FlakyEmbedder(failing=frozenset({0}), error=DOWN)))
    assert first.lexical
    [call] = kept
    assert call.request.call_id.kind == "search"
    assert call.request.messages[0].text == "lamp"
    again = FlakyEmbedder()
    assert search(memory(kept, again)) == first
    assert again.calls == 0
    assert len(kept) == 1


def test_within_a_process_a_request_that_is_tried_again_finds_the_same() -> None:
    kept: list[RecordedCall] = []
    index = memory(kept, FlakyEmbedder(failing=frozenset({1}), error=DOWN))
    first = search(index)
    assert first.lexical
    assert search(index) == first
    assert len(kept) == 1


def test_what_is_kept_outlives_its_file() -> None:
    kept: list[RecordedCall] = []
    first = search(memory(kept, FlakyEmbedder()), among=(2, 0))
    lines = [CallCodec().encode(call) for call in kept]
    read = [CallCodec().decode(line) for line in lines]
    later = memory(read, FlakyEmbedder(failing=frozenset({0}), error=DOWN))
    later.add(("what was heard since, of a lamp",))
    assert search(later, among=(2, 0)) == first


def test_other_texts_or_another_question_are_another_search() -> None:
    kept: list[RecordedCall] = []
    index = memory(kept, FlakyEmbedder())
    search(index)
    search(index, "door")
    search(index, among=(0, 1))
    index.add(("one more",))
    search(index)
    assert len({call.request.call_id for call in kept}) == len(kept) == 4


def test_a_search_that_is_not_recorded_is_not_made_while_players_restore() -> None:
    calls = RecordedCalls({})
    index = memory([], FlakyEmbedder(), calls)
    with calls.restoring(), pytest.raises(NotRecordedError):
        search(index)


def test_what_a_repeatable_embedder_finds_is_not_kept() -> None:
    kept: list[RecordedCall] = []
    search(memory(kept, FlakyEmbedder(is_repeatable=True)))
    assert not kept


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"lexical": false, "found": [[3, 0.5]]}',
        '{"lexical": false, "found": [[-1, 0.5]]}',
        '{"lexical": false, "found": [[0, NaN]]}',
        '{"lexical": "no", "found": []}',
    ],
)
def test_a_damaged_record_is_refused(text: str) -> None:
    kept: list[RecordedCall] = []
    search(memory(kept, FlakyEmbedder()))
    [call] = kept
    assert call.completion is not None
    damaged = [replace(call, completion=replace(call.completion, text=text))]
    with pytest.raises(RecordError, match="damaged; start a new run"):
        search(memory(damaged, FlakyEmbedder()))


def test_hits_tell_their_units_in_order() -> None:
    hits = SearchHits(found=(LexicalHit(index=4, score=0.9), LexicalHit(index=1, score=0.5)))
    assert hits.in_order == (1, 4)
