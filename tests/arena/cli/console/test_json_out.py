"""`--json`: one object a line, with documented keys."""

import io
import json
from dataclasses import fields
from typing import cast

from hypothesis import given, settings

from arena.cli.console.json_out import KEYS, JsonOut, encode_line, summary_object
from arena.core.state import replay
from arena.records.match_summary import MatchSummary
from arena.run.observer import CompositeObserver, PlannedMatch
from tests.arena.cli.console.test_sanitize import HOSTILE
from tests.arena.cli.tiny import (
    LAMP,
    call,
    play,
    summary,
)

DOCUMENTED = (
    "match script game civilians murderer model_served outcome uncounted votes victim_votes "
    "killers truth turns "
    "rejected fallbacks steps prompt_tokens cached_tokens output_tokens seconds record "
    "forfeit_seat error_cause seed language run flags"
)


def read(line: str) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(line))


def test_the_keys_are_those_that_are_documented_in_their_order() -> None:
    assert tuple(DOCUMENTED.split()) == KEYS
    assert tuple(summary_object(summary())) == KEYS


def test_every_field_of_a_summary_is_told_but_the_length_of_its_record() -> None:
    assert {field.name for field in fields(MatchSummary)} - set(KEYS) == {
        "events",
        "readings",
        "summaries",
    }


def test_only_finished_matches_are_written_each_on_its_line() -> None:
    stream = io.StringIO()
    events = play()
    with CompositeObserver(JsonOut(stream)) as observer:
        observer.on_log("starting the engine")
        observer.on_plan((PlannedMatch(match="m0001", requests=16),))
        observer.on_event("m0001", replay(LAMP, events), events[-1])
        observer.on_call("m0001", *call())
        assert stream.getvalue() == ""
        observer.on_match_end(summary(seconds=1.23456))
        observer.on_match_end(summary(match="m0002", outcome="error", cached_tokens=None))
    first, second, rest = stream.getvalue().split("\n")
    assert rest == ""
    assert read(first)["seconds"] == 1.235
    assert read(first)["votes"] == {
        "Ada Vale": "Bram Finch",
        "Cora Lund": "Bram Finch",
        "Dov Marsh": "abstain",
    }
    assert read(second)["cached_tokens"] is None
    assert read(second)["outcome"] == "error"


@settings(deadline=None)
@given(HOSTILE)
def test_any_text_comes_back_as_it_was_from_one_harmless_line(text: str) -> None:
    for encoding in ("utf-8", "ascii", None):
        line = encode_line({"text": text}, encoding)
        assert read(line) == {"text": text}
        assert line.isprintable() or not set(line) & set("\n\r\x1b\x9b\u2028\u202e\x7f")
        line.encode(encoding or "utf-8")


def test_chinese_stands_as_it_is_where_the_stream_can_carry_it() -> None:
    assert encode_line({"seat": "顾明"}) == '{"seat": "顾明"}'
    assert encode_line({"seat": "顾明"}, "ascii") == '{"seat": "\\u987e\\u660e"}'
