"""What calls cost: tokens by purpose, seconds, prices; what is unknown stays unknown."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import FreeText
from arena.errors import ConfigError
from arena.models.chat import CallId, Completion, Message, Request
from arena.models.recording import RecordedCall
from eval.metrics.call_costs import (
    OFF_PATH,
    Price,
    PriceTable,
    call_costs,
    cost_by_stage,
    percentile,
    read_prices,
    run_throughput,
    share_cached,
    throughput,
    token_cost,
    total_usage,
    usage_by_label,
)
from tests.arena.records.made import summary
from tests.table import NAMES, picture

ADA = SeatId(NAMES[0])
PRICES = PriceTable(currency="USD", models={"vl": Price(prompt=0.5, cached=0.05, output=1.5)})


def asked(name: str, purpose: Purpose, **values: Any) -> DecisionRequest:
    return DecisionRequest(
        id=name, seat=ADA, kind="any", purpose=purpose, phase="p", spec=FreeText(), **values
    )


REQUESTS = {
    "say": asked("say", Purpose.SPEAK),
    "rate": asked("rate", Purpose.RATE, off_path=True),
}


def call(request: str, *, pictures: int = 0, kind: Any = "reply", **values: Any) -> RecordedCall:
    """Return an answered call; `values` are of its completion."""
    given: dict[str, Any] = {
        "prompt_tokens": 100,
        "output_tokens": 10,
        "cached_tokens": 40,
        "seconds": 1.0,
        "model": "vl",
        **values,
    }
    shown = tuple(Message(role="user", text="", picture=picture(n)) for n in range(pictures))
    return RecordedCall(
        request=Request(
            call_id=CallId(
                seat=ADA, request=request, kind=kind, off_path=request.startswith("probe")
            ),
            messages=(Message(role="user", text="?"), *shown),
            max_tokens=9,
            temperature=0,
        ),
        completion=Completion(text="ok", finish="stop", **given),
    )


def refused(request: str) -> RecordedCall:
    return RecordedCall(request=call(request).request, error="too long")


def test_calls_are_told_apart_by_purpose_and_silent_ones_stand_apart() -> None:
    calls = [
        call("say"),
        call("say", kind="thought", output_tokens=50),
        call("rate"),
        call("probe/quiz"),
        refused("say"),
    ]
    found = usage_by_label(call_costs(calls, REQUESTS))
    assert {label: one.calls for label, one in found.items()} == {
        "speak": 1,
        "speak thought": 1,
        OFF_PATH: 2,
    }
    assert found["speak thought"].output_tokens == 50


def test_pictures_are_counted_in_every_call_that_sends_them() -> None:
    costs = call_costs([call("say", pictures=2), call("say", pictures=1)], REQUESTS)
    assert total_usage(costs).pictures == 3


def test_cached_tokens_that_no_server_reports_stay_unknown() -> None:
    silent = total_usage(call_costs([call("say", cached_tokens=None)], REQUESTS))
    assert (silent.cached_tokens, silent.cache_hit) == (None, None)
    cold = total_usage(call_costs([call("say", cached_tokens=0)], REQUESTS))
    assert (cold.cached_tokens, cold.cache_hit) == (0, 0)
    mixed = total_usage(
        call_costs([call("say", cached_tokens=None, prompt_tokens=900), call("say")], REQUESTS)
    )
    assert (mixed.prompt_tokens, mixed.cached_tokens, mixed.cache_hit) == (1000, 40, 0.4)
    assert share_cached(0, 0) is None


def test_seconds_are_told_by_percentiles() -> None:
    costs = call_costs([call("say", seconds=float(n)) for n in range(1, 102)], REQUESTS)
    usage = total_usage(costs)
    assert (usage.p50, usage.p95) == (51, 96)
    assert total_usage([]).p50 is None
    assert percentile([3.0], 95) == 3


def test_the_published_example_of_a_price() -> None:
    costs = call_costs(
        [call("say", prompt_tokens=100_000, cached_tokens=60_000, output_tokens=8_000)], REQUESTS
    )
    assert token_cost(costs, PRICES) == pytest.approx(0.035)


def test_unknown_cached_tokens_have_the_full_price_and_unknown_models_none() -> None:
    costs = call_costs([call("say", prompt_tokens=1_000_000, cached_tokens=None)], REQUESTS)
    assert token_cost(costs, PRICES) == pytest.approx(0.5 + 10 * 1.5e-6)
    assert token_cost(call_costs([call("say", model="other")], REQUESTS), PRICES) is None
    assert token_cost([], PRICES) == 0


def test_play_and_evaluation_are_paid_apart() -> None:
    costs = call_costs([call("say"), call("rate"), call("probe/quiz")], REQUESTS)
    found = cost_by_stage(costs, PRICES)
    one = token_cost(costs[:1], PRICES)
    assert one is not None
    assert found == pytest.approx({"gameplay": one, "evaluation": 2 * one})


def test_no_time_gives_no_rate() -> None:
    found = throughput(
        turns=1, matches=1, seconds=0, prompt_tokens=0, cached_tokens=None, output_tokens=1
    )
    assert found.turns_per_s is found.matches_per_h is found.output_tokens_per_s is None


def test_the_throughput_of_a_run_leaves_people_out() -> None:
    one = summary(
        seconds=5.0, turns=10, prompt_tokens=100, cached_tokens=50, output_tokens=20, flags=()
    )
    unknown = replace(one, prompt_tokens=1000, cached_tokens=None)
    person = replace(one, turns=999, flags=("human",))
    found = run_throughput([one, unknown, person])
    assert (found.turns_per_s, found.matches_per_h, found.output_tokens_per_s) == (2, 720, 4)
    assert found.cache_hit == 0.5, "only matches whose servers report it"
    assert run_throughput([unknown]).cache_hit is None


def test_a_table_of_prices_is_read(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    price = {"prompt": 0.5, "cached": 0.05, "output": 1.5}
    path.write_text(json.dumps({"currency": "USD", "models": {"vl": price}}))
    assert read_prices(path) == PRICES
    path.write_text('{"currency": "¥"}', encoding="utf-8")
    assert read_prices(path) == PriceTable(currency="¥")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"currency": ""}',
        '{"currency": "US\\nD"}',
        '{"currency": "USD", "models": 3}',
        '{"currency": "USD", "models": {"vl": {"prompt": 1, "cached": 1}}}',
        '{"currency": "USD", "models": {"vl": {"prompt": 1, "cached": 1, "output": -1}}}',
        '{"currency": "USD", "models": {"vl": {"prompt": 1, "cached": 1, "output": "1"}}}',
        '{"currency": "USD", "models": {"vl": {"prompt": 1, "cached": 1, "output": NaN}}}',
        '{"currency": "USD", "models": {"vl": {"prompt": 1, "cached": 1, "output": 1e999}}}',
        '{"currency": "USD", "prices": {}}',
    ],
)
def test_a_table_that_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(ConfigError) as told:
        read_prices(path)
    assert len(str(told.value).splitlines()) == 1


def test_a_file_that_holds_no_text_is_no_table_of_prices(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    with pytest.raises(ConfigError, match=r"prices\.json' cannot be read"):
        read_prices(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_prices(path)
