"""Whole matches: the real runner, players, client and store; only the model's server is fake."""

import asyncio
import json
import shutil
from collections import Counter
from dataclasses import replace
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.events import ClueRevealed, MatchEnded, PromptAdjusted, TurnSkipped
from arena.core.playouts.playout import play_out
from arena.core.specs import Choice
from arena.errors import ConfigError, RecordError
from arena.games.whodunit.game import WHODUNIT
from arena.records.event_codec import encode_event
from arena.records.match_summary import MatchSummary
from arena.records.run_config import RunConfig, match_specs
from arena.run.launch import RunResult, resume_run
from arena.run.match.probes import quiz_probes
from arena.run.observer import BaseObserver
from scripts_mm.script import AnswerMode, Question
from scripts_mm.script_folder import LoadedScript
from tests.arena.players.context.stage import long_case
from tests.arena.run.stage import (
    calls,
    config,
    only,
    resume,
    save_case,
    start,
    with_server,
)
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer, fake_server
from tests.table import (
    MURDERER,
    NAMES,
    case,
    legal,
    setup,
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


def test_a_match_of_a_model_against_naive_ends_with_a_verdict(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played, server = with_server(loaded, tmp_path / "run", lambda url: config(loaded, url, "naive"))
    summary = only(played)
    assert summary.outcome in {"civ_win", "murderer_win", "draw"}
    assert summary.model_served == {"civilians": "fake-vl", "murderer": "naive"}
    assert summary.truth == (MURDERER,)
    assert summary.turns == len(
        {(b.request.call_id.seat, b.request.call_id.request) for b in calls(played)}
    )
    assert summary.prompt_tokens > summary.output_tokens > 0
    assert summary.cached_tokens
    assert len(server.bodies) == len(calls(played))


def test_a_run_is_kept_as_its_files_say(loaded: LoadedScript, tmp_path: Path) -> None:
    played, _ = with_server(loaded, tmp_path / "run", lambda url: config(loaded, url, "naive"))
    run = played.run
    written = json.loads((run.path / "run.json").read_text("utf-8"))
    assert written["schema"] == 3
    assert run.config.pairs[0].civilians.startswith("http://127.0.0.1")
    assert written["versions"]["packages"]["murder-arena"]
    assert written["versions"]["hardware"]["cores"] >= 1
    [match] = run.matches()
    events = match.events()
    assert isinstance(events[-1], MatchEnded)
    assert match.summary() == only(played)
    assert (run.path / "index.sqlite").exists()
    shown = {sha for event in events if isinstance(event, ClueRevealed) for sha in event.pictures}
    assert {path.name for path in (run.path / "pictures").iterdir()} == shown
    assert len(shown) == 2


def test_the_record_says_all_that_each_seat_was_shown(loaded: LoadedScript, tmp_path: Path) -> None:
    played, server = with_server(loaded, tmp_path / "run", lambda url: config(loaded, url, "naive"))
    assert len(server.bodies) == len(calls(played)) > 15
    for body, call in zip(server.bodies, calls(played), strict=True):
        kept = [(m.role, m.picture.sha256 if m.picture else m.text) for m in call.request.messages]
        assert [spelt(message) for message in body["messages"]] == kept


def spelt(message: dict[str, Any]) -> tuple[str, str]:
    content = message["content"]
    if isinstance(content, str):
        return message["role"], content
    [picture] = [part for part in content if part["type"] == "image_url"]
    return message["role"], picture["uuid"]


@pytest.mark.slow
def test_the_same_match_alone_and_among_others_gives_the_same_events(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    many, _ = with_server(
        loaded,
        tmp_path / "many",
        lambda url: config(loaded, url, "naive", matches=8),
        server=FakeServer(faults=Faults(seconds=0.005)),
    )
    assert len(many.results) == 8
    alone, _ = with_server(
        loaded, tmp_path / "alone", lambda url: config(loaded, url, "naive", seed=5)
    )

    def played(run: RunResult, match: str) -> list[str]:
        return [encode_event(event) for event in run.run.match(match).events()[1:]]

    match = match_specs(config(loaded, "x", "naive", seed=5))[0].id
    assert played(many, match) == played(alone, match)


def test_sides_can_be_swapped(loaded: LoadedScript, tmp_path: Path) -> None:
    played = start(config(loaded, "random", "naive", swap=True, matches=2), loaded, tmp_path / "r")
    sides = [(r.civilians, r.murderer) for r in played.results if isinstance(r, MatchSummary)]
    assert sides == [("random", "naive"), ("naive", "random")] * 2


@pytest.mark.slow
def test_a_slow_server_makes_the_seat_pass_and_too_many_passes_forfeit(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played, _ = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, url, "naive", deadline=0.05),
        server=FakeServer(faults=Faults(seconds=5.0)),
    )
    summary = only(played)
    assert (summary.outcome, summary.forfeit_seat in NAMES) == ("forfeit", True)
    [match] = played.run.matches()
    skipped = [event for event in match.events() if isinstance(event, TurnSkipped)]
    assert {event.cause for event in skipped if event.seat != MURDERER} == {"timeout"}


@pytest.mark.slow
def test_a_seat_that_was_too_slow_is_not_asked_again_when_the_run_is_resumed(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    server = FakeServer(faults=Faults(seconds=0.4))
    played, _ = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, url, "naive", deadline=0.2),
        server=server,
    )
    [match] = played.run.matches()
    whole = match.events()
    (match.path / "done.json").unlink()
    lines = (match.path / "events.jsonl").read_text("utf-8").splitlines(keepends=True)
    (match.path / "events.jsonl").write_text("".join(lines[:-6]), "utf-8")

    async def again() -> RunResult:
        async with fake_server(FakeServer(), port=int(server.url.rpartition(":")[2])):
            return await resume_run(tmp_path / "run", concurrency=1, observer=BaseObserver())

    summary = only(asyncio.run(again()))
    assert summary.outcome != "error", summary.error_cause
    assert match.events()[: len(lines) - 6] == whole[: len(lines) - 6]


def test_a_match_that_ended_as_an_error_is_taken_up_again_when_the_run_is_resumed(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    server = FakeServer(faults=Faults(failing=1000, status=400, words="no"))
    played, _ = with_server(
        loaded, tmp_path / "run", lambda url: config(loaded, url, "naive"), server=server
    )
    assert only(played).outcome == "error"

    async def again() -> RunResult:
        async with fake_server(FakeServer(), port=int(server.url.rpartition(":")[2])):
            return await resume_run(tmp_path / "run", concurrency=1, observer=BaseObserver())

    assert only(asyncio.run(again())).outcome in {"civ_win", "murderer_win", "draw"}


def test_a_server_that_refuses_ends_the_match_as_an_error_and_no_side_loses(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played, _ = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, url, "naive"),
        server=FakeServer(
            faults=Faults(failing=1000, status=400, words="pictures are not served here")
        ),
    )
    summary = only(played)
    assert summary.outcome == "error"
    assert "pictures are not served here" in summary.error_cause


def test_an_overflow_of_context_drops_old_talk_and_the_record_says_so(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played, _ = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, url, "naive", options={"rounds": "3"}),
        server=FakeServer(context=1500),
    )
    assert only(played).outcome != "error"
    [match] = played.run.matches()
    notes = [event for event in match.events() if isinstance(event, PromptAdjusted)]
    assert notes
    assert any(note.adjustment.endswith("_dropped") for note in notes)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["notes", "board"])
@pytest.mark.parametrize("policy", ["summarise", "retrieve", "drop_oldest"])
def test_a_model_of_a_small_context_plays_by_its_options_and_again_from_its_record(
    tmp_path: Path, mode: str, policy: str
) -> None:
    loaded = save_case(tmp_path / "case", long_case(6000, clues=0))
    told = f"picture_mode={mode},overflow={policy},context_budget=3200"
    played, server = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, f"{url}#fake-vl+direct:{told}", "naive", quiz="after"),
        server=FakeServer(context=4096),
    )
    summary = only(played)
    assert summary.outcome != "error", summary.error_cause
    assert not [call for call in calls(played) if call.error]
    assert (summary.readings > 0, summary.summaries > 0) == (mode == "notes", policy == "summarise")
    [match] = played.run.matches()
    notes = {e.adjustment for e in match.events() if isinstance(e, PromptAdjusted)}
    shortened = {"summarise": "_summarised", "retrieve": "_retrieved", "drop_oldest": "_dropped"}
    assert any(note.endswith(shortened[policy]) for note in notes)
    assert {"notes": "picture_read", "board": "pictures_composed"}[mode] in notes
    whole, asked = match.events(), len(server.bodies)
    (match.path / "done.json").unlink()
    # The record breaks off early, and holds more calls than answers: those are not made again.
    keep_lines(match.path / "events.jsonl", 1 / 3)
    kept = keep_lines(match.path / "calls.jsonl", 1 / 2)

    async def again() -> tuple[RunResult, int]:
        serving = FakeServer(context=4096)
        async with fake_server(serving, port=int(server.url.rpartition(":")[2])):
            return (
                await resume_run(tmp_path / "run", concurrency=1, observer=BaseObserver()),
                len(serving.bodies),
            )

    resumed, more = asyncio.run(again())
    assert only(resumed).outcome == summary.outcome
    assert match.events() == whole
    assert more == asked - kept


def keep_lines(path: Path, share: float) -> int:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = int(len(lines) * share)
    path.write_text("".join(lines[:kept]), "utf-8")
    return kept


@pytest.mark.slow
def test_silent_probes_are_kept_beside_the_events_and_change_none(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    plain, _ = with_server(loaded, tmp_path / "a", lambda url: config(loaded, url, "naive"))
    probed, _ = with_server(
        loaded,
        tmp_path / "b",
        lambda url: config(loaded, url, "naive", quiz="both", ballots=True),
    )
    [before], [after] = plain.run.matches(), probed.run.matches()
    assert before.events()[1:] == after.events()[1:]
    assert not before.probes()
    kinds = {probe.kind for probe in after.probes()}
    assert kinds == {"ballot", "quiz_before", "quiz_after"}
    civilians = len(NAMES) - 1
    asked = [probe for probe in after.probes() if probe.kind == "quiz_after"]
    assert len(asked) == civilians + 1, "one question for every civilian, one for its role alone"
    assert all(probe.options is None or {*probe.options} <= {*probe.shown} for probe in asked)


def test_a_question_of_several_options_takes_their_letters_and_keeps_their_indexes(
    tmp_path: Path,
) -> None:
    options = ("rope", "salt", "tar", "wine")
    asked: dict[AnswerMode, tuple[int, ...]] = {"two": (0, 2), "set": (1, 3)}
    questions = tuple(
        Question(id=mode, kind="obj", stem="What?", options=options, keys=keys, answer=mode)
        for mode, keys in asked.items()
    )
    loaded = save_case(tmp_path / "case", replace(case(), questions=questions))
    chance = Random(1)
    state = play_out(
        WHODUNIT, setup(script=loaded.script), lambda _, request: legal(request, chance)
    )
    for probe in quiz_probes(state, "after"):
        most = {"two": 2, "set": 4}[probe.question]
        assert isinstance(probe.request.spec, Choice)
        sizes = Counter(len(option) for option in probe.request.spec.options)
        assert sizes == {size: comb(4, size) for size in range(1, most + 1)}
    played, _ = with_server(
        loaded, tmp_path / "run", lambda url: config(loaded, url, "naive", quiz="after")
    )
    [match] = played.run.matches()
    given = [probe.options for probe in match.probes() if probe.options is not None]
    assert given
    for indexes in given:
        assert [*indexes] == sorted({*indexes})
        assert {*indexes} <= {*range(4)}


def test_a_finished_run_is_only_reported_when_it_is_resumed(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    played = start(config(loaded, "random", "naive", matches=3), loaded, tmp_path / "run")
    assert resume(tmp_path / "run").results == played.results


def test_a_run_needs_no_script_but_its_own_and_refuses_it_when_it_was_changed(
    tmp_path: Path,
) -> None:
    loaded = save_case(tmp_path / "harbour")
    played = start(config(loaded, "random", "naive"), loaded, tmp_path / "run")
    shutil.rmtree(loaded.folder)
    assert resume(tmp_path / "run").results == played.results
    [path] = (tmp_path / "run" / "scripts").iterdir()
    path.write_text(path.read_text(encoding="utf-8").replace("Otto Lamm", "Otto Lammer"), "utf-8")
    with pytest.raises(RecordError, match="has changed since the start of the run"):
        resume(tmp_path / "run")


def test_a_damaged_record_costs_only_its_own_match(loaded: LoadedScript, tmp_path: Path) -> None:
    played = start(config(loaded, "random", "naive", matches=3), loaded, tmp_path / "run")
    broken = played.run.matches()[1]
    (broken.path / "done.json").unlink()
    (broken.path / "events.jsonl").write_text("{]\n", "utf-8")
    again = resume(tmp_path / "run").results
    outcomes = [r.outcome == "error" for r in again if isinstance(r, MatchSummary)]
    assert outcomes == [False, True, False]


def test_a_changed_record_is_not_continued(loaded: LoadedScript, tmp_path: Path) -> None:
    played = start(config(loaded, "random", "naive"), loaded, tmp_path / "run")
    [match] = played.run.matches()
    (match.path / "done.json").unlink()
    path = match.path / "events.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()[:12]
    changed = next(n for n, line in enumerate(lines) if '"kind":"said"' in line)
    lines[changed] = lines[changed].replace("I have nothing", "I had nothing")
    path.write_text("\n".join(lines) + "\n", "utf-8")
    summary = only(resume(tmp_path / "run"))
    assert summary.outcome == "error"
    assert "does not fit" in summary.error_cause
    assert not (match.path / "done.json").exists()


def test_a_folder_that_is_in_use_is_refused_before_anything_is_started(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(RecordError, match="is a file"):
        start(config(loaded, "random", "naive"), loaded, tmp_path / "file" / "run")
    start(config(loaded, "random", "naive"), loaded, tmp_path / "run")
    with pytest.raises(RecordError, match="not empty"):
        start(config(loaded, "random", "naive"), loaded, tmp_path / "run")


def test_an_unreachable_server_is_found_before_a_folder_is_made(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="connection refused"):
        start(config(loaded, "http://127.0.0.1:9/v1", "naive"), loaded, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_wrong_model_of_a_named_endpoint_is_answered_with_the_key_to_change(
    loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def named(url: str) -> RunConfig:
        entry = {"mine": {"url": url, "model": "other"}}
        monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps(entry))
        return config(loaded, "mine", "naive")

    advice = "set \"model\" of the endpoint 'mine' in ARENA_ENDPOINTS$"
    with pytest.raises(ConfigError, match=f"should serve model 'other', but serves .*; {advice}"):
        with_server(loaded, tmp_path / "run", named, server=FakeServer())


def test_a_key_stands_in_no_file_of_a_run(
    loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-very-secret-0123456789"

    def named(url: str) -> RunConfig:
        monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps({"mine": {"url": url, "key": key}}))
        return config(loaded, "mine", "naive")

    with_server(loaded, tmp_path / "run", named, server=FakeServer(key=key))
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(files) > 4
    assert not [path for path in files if key.encode() in path.read_bytes()]
