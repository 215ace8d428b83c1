"""Tokens, calls and speed of a recorded match as scores."""

from dataclasses import replace
from pathlib import Path

from eval.metrics.catalogue import METRICS
from eval.metrics.usage_metrics import match_cost, measure_turns
from eval.played_match import PlayedMatch
from tests.arena.records.made import MATCH, make_run, play_recorded
from tests.eval.made import as_played, made
from tests.eval.metrics.test_cost import PRICES, call

SPEECH = "introduction-1/introduce/Ada Quill"


def recorded(path: Path, *cached: int | None) -> PlayedMatch:
    """Return a match with a record that holds three calls, with so many cached tokens each."""
    reported = cached or (40, 40, 40)
    known = [one for one in reported if one is not None]
    run = make_run(path / "run")
    live = play_recorded(run)
    calls = [call(SPEECH), call(SPEECH, kind="step"), call("probe/quiz")]
    with run.match(MATCH).open_writer() as writer:
        for number, one in enumerate(calls):
            assert one.completion is not None
            asked = replace(one.request, call_id=replace(one.request.call_id, attempt=number + 1))
            answered = replace(one.completion, cached_tokens=reported[number])
            writer.call(replace(one, request=asked, completion=answered))
    match = as_played(
        live.state.script,
        live.state.history,
        "draw",
        turns=1,
        prompt_tokens=300,
        output_tokens=30,
        cached_tokens=sum(known) if known else None,
    )
    return replace(match, record=run.match(MATCH))


def values(match: PlayedMatch, name: str) -> dict[str, float | None]:
    return {score.group: score.value for score in METRICS[name].measure(match)}


def test_tokens_and_calls_are_those_of_play_and_silent_ones_are_a_group(tmp_path: Path) -> None:
    match = recorded(tmp_path)
    assert values(match, "calls") == {
        "": 2,
        "introduce": 1,
        "introduce step": 1,
        "off the path": 1,
    }
    assert values(match, "prompt_tokens") == {
        "": 200,
        "introduce": 100,
        "introduce step": 100,
        "off the path": 100,
    }
    assert values(match, "output_tokens")["introduce"] == 10
    assert values(match, "cache_hit")[""] == 0.4
    assert values(match, "call_seconds_p50")[""] == 1
    assert values(match, "pictures_sent")[""] == 0


def test_unreported_cached_tokens_are_undefined_and_not_none_of_them(tmp_path: Path) -> None:
    match = recorded(tmp_path, None, None, None)
    assert set(values(match, "cached_tokens").values()) == {None}
    assert set(values(match, "cache_hit").values()) == {None}


def test_a_cache_hit_is_that_of_the_calls_that_report_one(tmp_path: Path) -> None:
    assert values(recorded(tmp_path, 40, None, 60), "cache_hit") == {
        "": 0.4,
        "introduce": 0.4,
        "introduce step": None,
        "off the path": 0.6,
    }


def test_tokens_of_calls_that_were_not_kept_are_those_of_the_summary_and_a_group_of_their_own() -> (
    None
):
    match = made(prompt_tokens=10, cached_tokens=5, output_tokens=2)
    assert values(match, "prompt_tokens") == {"play and silent calls": 10}
    assert values(match, "cache_hit") == {"play and silent calls": 0.5}
    for name in ("call_seconds_p95", "calls", "pictures_sent"):
        assert values(match, name) == {"play and silent calls": None}


def test_a_match_that_no_model_played_has_no_calls() -> None:
    assert values(made(), "calls") == {"": 0}


def test_speed_is_that_of_models_alone() -> None:
    [score] = measure_turns(made(turns=3, seconds=1.5))
    assert score.value == 2
    assert not list(measure_turns(made(turns=0)))
    assert not list(measure_turns(made(turns=3, flags=("human",))))


def test_the_price_of_a_match_is_told_by_stage(tmp_path: Path) -> None:
    found = match_cost(recorded(tmp_path), PRICES)
    assert found["gameplay"] is not None
    assert found["evaluation"] is not None
    assert found["gameplay"] == 2 * found["evaluation"]


def test_tokens_without_a_kept_call_have_no_price() -> None:
    unknown = {"gameplay": None, "evaluation": None}
    assert match_cost(made(prompt_tokens=10), PRICES) == unknown
    assert match_cost(made(), PRICES) == {"gameplay": 0, "evaluation": 0}
