"""Lines of events: every kind comes back as it was, and nothing else is taken for an event."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.events import Event, MatchStarted, PhaseStarted, Said
from arena.core.seats import SeatId
from arena.errors import RecordError
from arena.games.whodunit.options import WhodunitOptions
from arena.records.event_codec import decode_event, encode_event
from arena.records.record_schema import SCHEMA
from tests.arena.records.live import play_live
from tests.arena.records.strategies import any_event, kinds

SPEECH = Said(seat=SeatId("Ada Quill"), request="r", act="speak", parts=(("text", "Hm."),))
LINE = encode_event(SPEECH)


@pytest.mark.slow
@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_kind_of_event_comes_back_as_it_was(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(any_event(kind))
    line = encode_event(event)
    assert "\n" not in line
    assert line.startswith(f'{{"schema":{SCHEMA},')
    assert decode_event(line) == event


def test_the_events_of_a_match_come_back_with_the_options_of_its_game() -> None:
    history = play_live(
        WhodunitOptions(rounds=2, tie="revote", vote_with_reason=True)
    ).state.history
    back = tuple(decode_event(encode_event(event)) for event in history)
    assert back == history
    assert isinstance(back[0], MatchStarted)
    assert type(back[0].options) is WhodunitOptions


def test_a_match_without_a_rotation_is_written_as_before_there_were_rotations() -> None:
    started = play_live().state.started
    assert "rotation" not in json.loads(encode_event(started))
    turned = replace(started, rotation=2)
    assert json.loads(encode_event(turned))["rotation"] == 2
    assert decode_event(encode_event(turned)) == turned


def test_a_line_that_was_written_with_spaces_and_other_orders_is_the_same_event() -> None:
    found = json.loads(LINE)
    turned = json.dumps(dict(reversed(found.items())), indent=None, separators=(" , ", " : "))
    assert decode_event(turned) == SPEECH


def test_half_of_a_surrogate_pair_is_written_as_the_replacement_character() -> None:
    event = Said(seat=SeatId("A"), request="r", act="speak", parts=(("text", "a\ud800b"),))
    back = decode_event(encode_event(event))
    assert isinstance(back, Said)
    assert back.text == "a\ufffdb"
    encode_event(event).encode()


def changed(**values: Any) -> str:
    return json.dumps({**json.loads(LINE), **values})


def without(name: str) -> str:
    return json.dumps({key: value for key, value in json.loads(LINE).items() if key != name})


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "17",
        '"said"',
        LINE[:-1],
        LINE[:20],
        LINE + LINE,
        "[" * 100_000,
        '{"schema":3,"kind":' + "[" * 100_000,
        '{"schema":3,"kind":' + '{"kind":' * 5_000,
        '{"schema":3}',
        '{"schema":3,}',
        changed(kind="spoke"),
        changed(kind=None),
        changed(kind=["said"]),
        changed(seat=5),
        changed(seat=None),
        changed(seat="\ud800"),
        changed(parts="text"),
        changed(parts=[["text"]]),
        changed(parts=[["text", "a", "b"]]),
        changed(truncated="yes"),
        changed(truncated=1),
        changed(audience="nobody"),
        changed(audience=[1]),
        changed(colour="red"),
        without("seat"),
        without("kind"),
        LINE.replace("false", "9" * 5_000),
        LINE.replace("false", "1e999"),
        LINE.replace("Hm.", "\\ud800"),
        LINE.replace("Hm.", "\\"),
        LINE.replace('"said"', '"said","schema":1'),
    ],
)
def test_a_hostile_line_is_refused_in_one_short_sentence(line: str) -> None:
    with pytest.raises(RecordError) as refused:
        decode_event(line)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("schema", "remedy"),
    [
        (1, "read it with the version that wrote it"),
        (0, "read it with the version that wrote it"),
        (4, "update the arena"),
        (10**30, "update the arena"),
        ("3", "read it with the version that wrote it"),
        (3.0, "read it with the version that wrote it"),
        (True, "read it with the version that wrote it"),
        (None, "read it with the version that wrote it"),
    ],
)
def test_another_schema_is_refused_with_what_to_do(schema: object, remedy: str) -> None:
    with pytest.raises(RecordError, match=f"of schema {SCHEMA}, got schema .*; {remedy}"):
        decode_event(changed(schema=schema))


def test_a_line_without_a_schema_is_the_first_schema() -> None:
    with pytest.raises(RecordError, match="wanted a record of schema 3, got schema 1"):
        decode_event(without("schema"))


def started_line(**values: Any) -> str:
    line = encode_event(play_live(WhodunitOptions(rounds=1)).state.history[0])
    return json.dumps({**json.loads(line), **values})


@pytest.mark.parametrize(
    "line",
    [
        started_line(options={"rounds": 1, "fly": True}),
        started_line(options={"rounds": "1"}),
        started_line(options={"rounds": 0}),
        started_line(options={"electorate": "civilians", "vote": "open"}),
        started_line(options=[]),
        started_line(options=None),
        started_line(game=None),
        started_line(game=["whodunit"]),
        started_line(parts=[{"seat": "Ada Quill", "faction": "wolves"}]),
    ],
)
def test_a_hostile_start_of_a_match_is_refused(line: str) -> None:
    with pytest.raises(RecordError):
        decode_event(line)


def test_a_start_without_options_is_refused() -> None:
    found = json.loads(started_line())
    del found["options"]
    with pytest.raises(RecordError, match="the options of a game cannot be read"):
        decode_event(json.dumps(found))


def test_a_game_that_is_not_installed_is_named_with_those_that_are() -> None:
    with pytest.raises(RecordError, match="game 'chess' of this record is not installed") as told:
        decode_event(started_line(game="chess"))
    assert "installed: whodunit" in str(told.value)


def test_a_speech_about_the_start_of_a_match_is_a_speech() -> None:
    for text in ("match_started", '"kind":"match_started"'):
        event = Said(seat=SeatId("A"), request="r", act="speak", parts=(("text", text),))
        assert decode_event(encode_event(event)) == event


def test_equal_events_are_equal_bytes() -> None:
    assert encode_event(PhaseStarted(phase="x")) == encode_event(PhaseStarted(phase="x", round=1))
