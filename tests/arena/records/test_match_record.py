"""The record of a match: what is written is read again, as far as it was written."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.events import PhaseStarted, PromptAdjusted
from arena.core.observation import Spectator, observe
from arena.core.seats import SeatId
from arena.core.state import replay
from arena.errors import RecordError
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.records import match_record
from arena.records.match_record import is_action
from arena.records.match_replay import replay_match
from arena.records.probe_answers import ProbeAnswer
from tests.arena.records.live import options
from tests.arena.records.made import (
    MATCH,
    make_run,
    play_recorded,
    summary,
)
from tests.arena.records.test_calls import call, user
from tests.table import case


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(chosen=options(), seed=st.integers(0, 10**6))
def test_an_earlier_observation_is_what_the_seat_saw_live(
    tmp_path_factory: pytest.TempPathFactory, chosen: WhodunitOptions, seed: int
) -> None:
    run = make_run(tmp_path_factory.mktemp("runs") / "run", chosen)
    live, record = play_recorded(run, seed), run.match(MATCH)
    assert record.events() == live.state.history
    for number, request, observation in live.observed:
        assert record.observation_at(number, request.seat) == observation
        assert request in record.state_at(number).open


@pytest.mark.slow
def test_spectators_see_what_they_may_at_every_moment(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    live, record = play_recorded(run), run.match(MATCH)
    for number in range(1, len(live.state.history) + 1):
        state = replay(case(), live.state.history[:number])
        assert record.state_at(number) == state
        for spectator in (Spectator(), Spectator(truth=True)):
            assert record.observation_at(number, spectator) == observe(state, spectator)


def test_actions_are_how_each_attempt_ended(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    live = play_recorded(run)
    assert run.match(MATCH).actions() == tuple(filter(is_action, live.state.history))
    assert len(run.match(MATCH).actions()) == len(live.observed)


def test_a_record_torn_at_any_byte_is_replayed_as_far_as_it_goes(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    live, record = play_recorded(run), run.match(MATCH)
    path = record.path / "events.jsonl"
    data = path.read_bytes()
    for cut in range(data.index(b"\n") + 1, len(data), 997):
        path.write_bytes(data[:cut])
        events = record.events()
        assert events == live.state.history[: data[:cut].count(b"\n")]
        found = replay_match(WHODUNIT, case(), events)
        with record.open_writer() as writer:
            writer.events(found.missing)
        assert record.events() == found.state.history


def test_a_number_of_events_that_the_match_does_not_have_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    live, record = play_recorded(run), run.match(MATCH)
    for number in (-1, 0, len(live.state.history) + 1):
        with pytest.raises(RecordError, match=f"has events 1 to .*, got {number}"):
            record.state_at(number)
    with pytest.raises(RecordError, match="has no seat 'Nobody'"):
        record.observation_at(5, SeatId("Nobody"))


def test_a_match_that_has_not_started_has_no_state(tmp_path: Path) -> None:
    record = make_run(tmp_path / "run").match(MATCH)
    assert record.events() == ()
    assert record.calls() == {}
    assert record.summary() is None
    assert not record.is_complete()
    for ask in (lambda: record.state_at(1), record.script):
        with pytest.raises(RecordError, match="does not start with a match"):
            ask()


def test_a_match_may_have_as_many_events_as_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(tmp_path / "run")
    found, match = play_recorded(run).state.history, run.match(MATCH)
    monkeypatch.setattr(match_record, "_MAX_EVENTS", len(found))
    assert match.events() == found
    monkeypatch.setattr(match_record, "_MAX_EVENTS", len(found) - 1)
    with pytest.raises(RecordError, match="more than"):
        match.events()


def test_events_that_do_not_start_with_a_match_are_no_record(tmp_path: Path) -> None:
    record = make_run(tmp_path / "run").match(MATCH)
    with record.open_writer() as writer:
        writer.events([PhaseStarted(phase="discussion")])
    with pytest.raises(RecordError, match="does not start with a match"):
        record.events()


def test_a_record_of_another_script_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    play_recorded(run)
    path = run.match(MATCH).path / "events.jsonl"
    path.write_text(path.read_text("utf-8").replace("Edda Frost", "Emil Frost"), "utf-8")
    with pytest.raises(RecordError, match="the seats differ"):
        run.match(MATCH).state_at(1)


def test_calls_of_several_sittings_come_back_by_their_ids(tmp_path: Path) -> None:
    record = make_run(tmp_path / "run").match(MATCH)
    calls = [call((user("a"), user("b")), request=f"r{number}") for number in range(4)]
    for some in (calls[:2], calls[2:]):
        with record.open_writer() as writer:
            for one in some:
                writer.call(one)
    assert record.calls() == {one.request.call_id: one for one in calls}
    lines = [json.loads(line) for line in _lines(record.path / "calls.jsonl")]
    assert all(line["schema"] == 3 for line in lines)
    assert [line["shared"] for line in lines] == [0, 2, 2, 2], "a later sitting goes on as well"


def test_a_torn_call_is_written_again_in_full(tmp_path: Path) -> None:
    record = make_run(tmp_path / "run").match(MATCH)
    first, second = call((user("a"),)), call((user("a"), user("b")), request="r2")
    with record.open_writer() as writer:
        writer.call(first)
        writer.call(second)
    path = record.path / "calls.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    with record.open_writer() as writer:
        writer.call(second)
    assert list(record.calls().values()) == [first, second]


def test_probes_come_back_with_their_adjustments(tmp_path: Path) -> None:
    record = make_run(tmp_path / "run").match(MATCH)
    seat = SeatId("Ada Quill")
    adjusted = PromptAdjusted(seat=seat, request="probe/1", adjustment="log_dropped", lines=3)
    answers = (
        ProbeAnswer(kind="ballot", seat=seat, event=5, candidate="Bram Stone"),
        ProbeAnswer(kind="ballot", seat=seat, event=6, candidate=None, reports=(adjusted,)),
        ProbeAnswer(
            kind="quiz_after", seat=seat, event=9, question="q1", options=(1,), shown=(2, 0, 1)
        ),
    )
    assert record.probes() == ()
    with record.open_writer():
        record.write_probes(answers)
    assert record.probes() == answers
    assert all(json.loads(line)["schema"] == 3 for line in _lines(record.path / "probes.jsonl"))


def test_a_match_that_ended_as_an_error_may_have_any_calls(tmp_path: Path) -> None:
    match = make_run(tmp_path / "run").match(MATCH)
    with match.open_writer() as writer:
        writer.call(call((user("a"),)))
    match.write_summary(summary(outcome="error", error_cause="the server is gone", turns=9))
    assert len(match.calls()) == 1


def test_a_summary_without_counts_of_extra_calls_tells_of_none() -> None:
    found = summary()
    assert (found.readings, found.summaries, found.steps, found.fallbacks) == (0, 0, 0, 0)


def test_a_summary_marks_a_match_as_complete_unless_it_is_an_error(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    events, record = len(play_recorded(run).state.history), run.match(MATCH)
    record.write_summary(summary(outcome="error", error_cause="the server is gone"))
    assert not record.is_complete()
    record.write_summary(summary(events=events))
    assert record.is_complete()
    assert record.summary() == summary(events=events)
    assert json.loads((record.path / "done.json").read_text())["schema"] == 3


@pytest.mark.parametrize(
    ("name", "old"),
    [
        ("events.jsonl", '{"kind": "opened", "protocol": "whodunit"}'),
        ("calls.jsonl", '{"label": {"seat": "Ada", "ask": "r"}, "shared": 0}'),
        ("probes.jsonl", '{"kind": "ballot", "seat": "Ada", "event": 3}'),
        ("done.json", '{"match": "m", "protocol": "whodunit"}'),
    ],
)
def test_files_of_an_older_version_are_refused_by_name(tmp_path: Path, name: str, old: str) -> None:
    record = make_run(tmp_path / "run").match(MATCH)
    record.path.mkdir(parents=True)
    (record.path / name).write_text(f"{old}\n")
    read = {
        "events.jsonl": record.events,
        "calls.jsonl": record.calls,
        "probes.jsonl": record.probes,
        "done.json": record.summary,
    }[name]
    with pytest.raises(RecordError, match=f"{name}'.*: wanted a record of schema 3, got schema 1"):
        read()


def test_a_linked_record_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    play_recorded(run)
    path = run.match(MATCH).path / "events.jsonl"
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RecordError, match="is a link"):
        run.match(MATCH).events()
    with pytest.raises(RecordError, match="is a link"), run.match(MATCH).open_writer():
        pass


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()
