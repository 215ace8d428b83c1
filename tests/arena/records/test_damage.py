"""Records that were damaged, mixed up or made to harm: each is refused in one line, at once."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.core.options import GameOptions
from arena.errors import RecordError
from arena.games.whodunit.options import WhodunitOptions
from arena.records.call_codec import CallCodec
from arena.records.event_codec import decode_event, encode_event
from arena.records.match_record import MatchRecord
from arena.records.match_summary import SUMMARY
from arena.records.record_files import MAX_LINE, MAX_LINES, MAX_TEXT, open_jsonl_append, read_jsonl
from arena.records.run_config import match_specs
from arena.records.run_manifest import MANIFEST
from arena.records.run_record import RunRecord, open_run
from tests.arena.records.made import (
    MATCH,
    make_run,
    manifest,
    play_recorded,
    summary,
)
from tests.arena.records.test_calls import call, user

OPTIONS = WhodunitOptions(rounds=1)


def finish(path: Path, **values: Any) -> tuple[RunRecord, MatchRecord]:
    """Return a run with one finished match, in which no model plays."""
    run = make_run(path, OPTIONS)
    events = len(play_recorded(run).state.history)
    run.match(MATCH).write_summary(summary(events=events, **values))
    return run, run.match(MATCH)


def finished(run: RunRecord, options: GameOptions = OPTIONS) -> object:
    return run.match(MATCH).find_result(run.spec(MATCH), options)


def rewrite(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    lines = change(path.read_text("utf-8").splitlines(keepends=True))
    path.write_text("".join(lines), "utf-8")


def test_a_finished_match_is_reported_as_it_was(tmp_path: Path) -> None:
    run, match = finish(tmp_path / "run")
    assert finished(run) == match.summary()
    path = match.path / "events.jsonl"
    path.write_bytes(path.read_bytes() + b'{"schema":3,"kind":"sa')
    assert finished(run) == match.summary(), "an incomplete last line is no event"


CUTS: dict[str, Callable[[list[str]], list[str]]] = {
    "cut": lambda lines: lines[: len(lines) // 2],
    "cut in a line": lambda lines: [*lines[:-1], lines[-1][:-9]],
    "emptied": lambda lines: [],
    "grown": lambda lines: [*lines, lines[-1]],
}


@pytest.mark.parametrize("change", CUTS.values(), ids=CUTS)
def test_a_finished_match_with_other_events_than_its_end_tells_is_not_whole(
    tmp_path: Path, change: Callable[[list[str]], list[str]]
) -> None:
    run, match = finish(tmp_path / "run")
    rewrite(match.path / "events.jsonl", change)
    for look in (lambda: finished(run), match.summary, match.is_complete):
        with pytest.raises(RecordError, match=r"events\.jsonl' has \d+ events") as refused:
            look()
        assert "remove done.json to play what is missing" in str(refused.value)


def test_a_finished_match_without_events_is_not_whole(tmp_path: Path) -> None:
    run, match = finish(tmp_path / "run")
    (match.path / "events.jsonl").unlink()
    with pytest.raises(RecordError, match="has 0 events"):
        finished(run)


@pytest.mark.parametrize(
    "values",
    [
        {"match": "harbour-en-s2"},
        {"seed": 2},
        {"civilians": "naive"},
        {"murderer": "naive"},
        {"script": "lighthouse"},
    ],
    ids=str,
)
def test_the_end_of_another_match_is_no_end(tmp_path: Path, values: dict[str, Any]) -> None:
    run, match = finish(tmp_path / "run", **values)
    for look in (lambda: finished(run), match.summary):
        with pytest.raises(RecordError, match=r"done\.json' belongs to another match"):
            look()


def test_a_damaged_match_counts_only_once_all_others_are_played(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", OPTIONS, matches=2)
    first, second = (run.match(spec.id) for spec in match_specs(run.config))
    first.path.mkdir(parents=True)
    (first.path / "done.json").write_text("no record")
    assert run.find_results() is None
    second.path.mkdir(parents=True)
    (second.path / "done.json").write_text("no record either")
    with pytest.raises(RecordError, match=first.path.name):
        run.find_results()


def test_the_outcome_is_that_of_the_last_event(tmp_path: Path) -> None:
    run, match = finish(tmp_path / "run")
    done = match.summary()
    assert done is not None
    other = "draw" if done.outcome != "draw" else "civ_win"
    match.write_summary(replace(done, outcome=other))
    for look in (lambda: finished(run), match.summary):
        with pytest.raises(RecordError, match=r"done\.json' has another outcome"):
            look()
    match.write_summary(done)
    rewrite(match.path / "events.jsonl", lambda lines: [*lines[:-1], '{"schema":3,\n'])
    with pytest.raises(RecordError, match=r"events\.jsonl', last line: .*Invalid JSON"):
        match.summary()


def test_the_folder_of_a_match_of_another_run_is_not_taken_for_its_own(tmp_path: Path) -> None:
    run, match = finish(tmp_path / "run")
    spec = run.spec(MATCH)
    others = (
        replace(spec, murderer="naive"),
        replace(spec, seed=7),
        replace(spec, script=replace(spec.script, sha256="0" * 64)),
    )
    for other in others:
        with pytest.raises(RecordError, match="belongs to another match than the run's"):
            match.find_result(other, OPTIONS)
    with pytest.raises(RecordError, match="belongs to another match than the run's"):
        finished(run, WhodunitOptions(rounds=2))


def test_a_match_that_ended_as_an_error_may_have_any_events(tmp_path: Path) -> None:
    run, match = finish(tmp_path / "run", outcome="error", error_cause="the server is gone")
    rewrite(match.path / "events.jsonl", lambda lines: lines[:9])
    assert finished(run) is None
    assert not match.is_complete()


def test_calls_of_a_finished_match_that_were_cut_are_not_read_as_all(tmp_path: Path) -> None:
    run, match = finish(tmp_path / "run", turns=4, prompt_tokens=12)
    with match.open_writer() as writer:
        for number in range(4):
            writer.call(call((user("a"),), request=f"r{number}"))
    assert len(match.calls()) == 4
    rewrite(match.path / "calls.jsonl", lambda lines: lines[:3])
    with pytest.raises(RecordError, match=r"calls\.jsonl' lacks calls .* has 3 turns with 9 "):
        match.calls()
    assert finished(run) is not None, "the outcome does not depend on them"


VALUES = [
    '{"schema":3,"a":NaN}',
    '{"schema":3,"a":-Infinity}',
    '{"schema":3,"a":1e999}',
    '{"schema":3,"a":' + "9" * 5000 + "}",
    '{"schema":' + "9" * 5000 + "}",
    '{"schema":3,"a":"\\ud83d"}',
    '{"schema":3,"a":' + "[" * 100_000 + "}",
    '{"schema":3,"a":[' + "1," * 200_000 + "1]}",
    "[" * 1000 + "]" * 1000,
    "null",
    '"x"',
    "[]",
    "\0",
]


@pytest.mark.parametrize("text", VALUES, ids=range(len(VALUES)))
def test_json_that_is_no_record_is_one_line(text: str) -> None:
    for decode in (MANIFEST.decode, SUMMARY.decode, decode_event, CallCodec().decode):
        with pytest.raises(RecordError) as refused:
            decode(text)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("name", ["turns", "prompt_tokens", "cached_tokens", "events", "seed"])
@pytest.mark.parametrize("value", ["-1", "9223372036854775808", "1" + "0" * 400, "1.0", "true"])
def test_a_count_that_cannot_be_is_refused(name: str, value: str) -> None:
    text = SUMMARY.encode(summary(cached_tokens=0))
    changed = json.dumps({**json.loads(text), name: "@"}).replace('"@"', value)
    with pytest.raises(RecordError, match=name):
        SUMMARY.decode(changed)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", "-1.0"])
def test_seconds_that_cannot_be_are_refused(value: str) -> None:
    text = SUMMARY.encode(summary(seconds=1.5)).replace("1.5", value)
    with pytest.raises(RecordError):
        SUMMARY.decode(text)


def test_a_text_may_hold_commas_and_the_names_of_constants(tmp_path: Path) -> None:
    started = play_recorded(make_run(tmp_path / "run")).state.started
    told = replace(started, flags=('NaN, Infinity \\" ' + "1," * 200_000,))
    assert decode_event(encode_event(told)) == told


def test_many_wrong_values_cost_little_memory() -> None:
    """Each wrong value makes an error of a kilobyte: two million of them are no reading."""
    text = MANIFEST.encode(manifest())
    spoilt = text.replace('"contestants":[', '"contestants":[' + "1," * 2_000_000)
    with pytest.raises(RecordError, match="more than 100000 values"):
        MANIFEST.decode(spoilt)


def test_a_file_of_lines_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.touch()
    os.truncate(path, MAX_LINES + 1)
    with pytest.raises(RecordError, match=rf"is too large: at most {MAX_LINES} bytes"):
        read_jsonl(path, str)


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text("{}\n")
    os.truncate(path, MAX_LINE + 10)
    with pytest.raises(RecordError, match=rf"has a line of more than {MAX_LINE} bytes"):
        read_jsonl(path, str)
    with open_jsonl_append(path) as append:
        append("next")
    assert read_jsonl(path, str) == ("{}", "next")


def test_a_line_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with open_jsonl_append(path) as append:
        with pytest.raises(RecordError, match="is too long for"):
            append("good", "x" * MAX_LINE)
        append("next")
    assert read_jsonl(path, str) == ("next",)
    full = tmp_path / "full.jsonl"
    full.touch()
    os.truncate(full, MAX_LINES - 2)
    with full.open("ab") as file:
        file.write(b"\n")
    with (
        open_jsonl_append(full) as append,
        pytest.raises(RecordError, match=r"full\.jsonl' is full"),
    ):
        append("x")


@pytest.mark.parametrize("name", ["run.json", f"matches/{MATCH}/done.json"])
def test_a_small_file_that_is_large_is_refused_unread(tmp_path: Path, name: str) -> None:
    run, match = finish(tmp_path / "run")
    os.truncate(run.path / name, MAX_TEXT + 1)
    with pytest.raises(RecordError, match=rf"is too large: at most {MAX_TEXT} bytes"):
        open_run(run.path) if name == "run.json" else match.summary()


@pytest.mark.slow
def test_a_match_of_endless_events_is_refused(tmp_path: Path) -> None:
    _, match = finish(tmp_path / "run")
    path = match.path / "events.jsonl"
    line = path.read_bytes().splitlines(keepends=True)[-1]
    with path.open("ab") as file:
        file.write(line * 50_000)
    with pytest.raises(RecordError, match="more than 50000 events"):
        match.events()


@pytest.mark.slow
def test_calls_that_hold_one_another_without_end_are_refused() -> None:
    """Each repeats all messages of the one before it: a small file, and terabytes of references."""
    codec, writer, messages = CallCodec(), CallCodec(), [user("a")] * 4000
    lines: list[str] = []
    for number in range(3):
        messages.append(user("b"))
        lines.append(writer.encode(call(tuple(messages), request=f"r{number}")))
    codec.decode(lines[0])
    again = json.loads(lines[1])
    again["shared"] = 4001

    def decode_all() -> None:
        for number in range(10_000):
            again["call_id"]["request"] = f"r{number}"
            codec.decode(json.dumps(again))

    with pytest.raises(RecordError, match="more than 20000000 messages"):
        decode_all()
