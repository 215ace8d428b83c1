"""A profile's terms from a server that runs: measured, fitted, checked on what was held out."""

import asyncio
from dataclasses import replace

import pytest

from serving.engine_sim import calibrate
from serving.engine_sim.cost_model.closed_loop import ClosedLoopLoad, turns_per_second
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.cost_model.term_fit import MeasuredLoad
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from serving.errors import EngineError

TINY = ClosedLoopLoad(concurrency=2, prompt=64, cached=32, output=4, text_in=False)


def test_every_load_is_timed_on_the_server() -> None:
    async def run() -> tuple[MeasuredLoad, ...]:
        async with serve_simulator(create_simulator("instant")) as url:
            return await calibrate.measure(url, "simulated", [TINY, replace(TINY, concurrency=1)])

    found = asyncio.run(run())
    assert [one.load.concurrency for one in found] == [2, 1]
    assert all(one.turns_per_second > 0 for one in found)


def test_a_refused_turn_ends_the_measurement_with_the_server_s_words() -> None:
    async def run() -> None:
        async with serve_simulator(create_simulator("instant", token_in=False)) as url:
            await calibrate.measure(url, "simulated", [TINY])

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(run())
    assert raised.group_contains(EngineError, match="answered 403|answered 404")


def test_half_of_the_loads_are_fitted_and_the_others_checked() -> None:
    known = load_engine_profile("cpu-stand-in")
    loads = calibrate.loads()[:8]
    seen = [MeasuredLoad(load=one, turns_per_second=turns_per_second(known, one)) for one in loads]
    start = replace(known, terms=replace(known.terms, step=2 * known.terms.step))
    told = calibrate.format_report(start, seen, ("step",)).splitlines()
    assert sum(line.endswith("held out") for line in told) == 4
    [checked] = [line for line in told if line.startswith("held out:")]
    assert float(checked.split()[4].rstrip("%,")) < 0.5
    assert "[terms]" in told


def test_a_server_that_is_not_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["calibrate", "http://127.0.0.1:9/v1", "--model", "m"]
    monkeypatch.setattr("sys.argv", words)
    assert calibrate.main() == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("wanted a vLLM server at http://127.0.0.1:9, but it does not answer (")
    assert line.endswith("start it with --enable-scale-out, or fix the URL")
