"""`arena bench throughput`: what it prints and writes, and one line for whatever is wrong."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bench.arms import ARMS
from arena.bench.report import KEYS
from arena.bench.synthetic import synthetic_trace
from arena.bench.trace import save_trace
from arena.cli import main
from arena.errors import ModelError
from tests.bench.wiring import TINY

SMALL = "synthetic:matches=4,scripts=2,seats=3,script_tokens=900,rounds=1,pictures=1,output=20"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bench(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run the command; return exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "130")

    def run(*words: str) -> tuple[int, str, str]:
        named = words if words[0] in {"alpha", "overhead"} else ("throughput", *words)
        monkeypatch.setattr("sys.argv", ["arena", "bench", *named])
        with pytest.raises(SystemExit) as ended:
            main.run()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def test_quick_plays_all_arms_five_times_within_a_minute(bench: Run, tmp_path: Path) -> None:
    began = time.process_time()
    status, out, err = bench("--quick", "--json", "--out", "report")
    assert time.process_time() - began < 60
    assert status == 0
    objects = [json.loads(line) for line in out.splitlines()]
    assert [one["arm"] for one in objects] == list(ARMS)
    assert all(tuple(one) == KEYS for one in objects)
    assert all(one["repeats"] == 5 and one["skipped"] == "" for one in objects)
    by_arm = {one["arm"]: one for one in objects}
    ours = by_arm["ours"]
    assert ours["of_lru"] >= 0.98
    assert ours["of_belady"] >= 0.95
    assert ours["of_static_best"] >= 0.95
    for arm in ("sequential", "sequential_volatile", "gather_32", "gather_128"):
        assert by_arm[arm]["ours_times_95"][0] > 1.5, arm
    assert by_arm["ours_without_admission"]["ours_times_95"][0] > 1.5
    document = json.loads((tmp_path / "report" / "throughput.json").read_text("utf-8"))
    assert document["arms"] == objects
    assert document["command"] == "arena bench throughput --quick --json --out report"
    assert {"packages", "hardware", "started", "seed", "trace", "server"} <= document.keys()
    assert 0 < document["kib_per_parked_match"] < 5
    assert (tmp_path / "report" / "scaling.png").read_bytes().startswith(b"\x89PNG")
    assert "the report is in report" in err


def test_the_table_names_arms_server_and_what_was_not_played(bench: Run, tmp_path: Path) -> None:
    status, out, _ = bench(
        "--trace",
        SMALL.replace("pictures=1", "pictures=0"),
        "--arms",
        "ours,gather_32",
        "--arms",
        "ours_without_media_once",
        "--repeat",
        "1",
        "--engine",
        "sim:cpu-stand-in",
    )
    assert status == 0
    assert "gather_32" in out
    assert "sequential" not in out
    assert "not played: ours_without_media_once: the trace has no pictures" in out
    assert "cpu-stand-in" in out
    [folder] = (tmp_path / "runs").iterdir()
    assert folder.name.endswith("-throughput")
    assert [path.name for path in folder.iterdir()] == ["throughput.json"]


def test_a_trace_s_file_is_played(bench: Run, tmp_path: Path) -> None:
    trace = synthetic_trace(TINY)
    save_trace(trace, tmp_path / "trace.jsonl")
    words = ("--trace", "trace.jsonl", "--arms", "sequential", "--repeat", "1", "--out", "r")
    status, _, _ = bench(*words)
    assert status == 0
    document = json.loads((tmp_path / "r" / "throughput.json").read_text("utf-8"))
    assert document["trace"]["matches"] == 6
    assert document["trace"]["turns"] == sum(len(match.turns) for match in trace.matches)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--url", "nowhere"), "no server's URL", id="url"),
        pytest.param(("--url", "http://127.0.0.1:9/v1"), "connection refused", id="unreachable"),
        pytest.param(("--url", "http://u:pw@127.0.0.1/v1"), "key", id="password"),
        pytest.param(("--arms", "ours,theirs"), "no arm 'theirs'; there are: open_trie", id="arm"),
        pytest.param(("--engine", "tpu"), "sim, cpu, cuda", id="engine"),
        pytest.param(("--engine", "sim:"), "sim:PROFILE", id="no-profile"),
        pytest.param(("--engine", "sim:h300"), "no engine profile 'h300'", id="profile"),
        pytest.param(("--engine", "sim", "--url", "http://x:1"), "--url or --engine", id="two"),
        pytest.param(("--quick", "--trace", "t"), "--quick", id="quick-trace"),
        pytest.param(("--quick", "--engine", "cpu"), "--quick", id="quick-engine"),
        pytest.param(("--repeat", "0"), ">= 1", id="repeat"),
        pytest.param(("--trace", "missing"), "no trace 'missing'", id="no-trace"),
        pytest.param(("--trace", "broken"), "line 1 of 'broken'", id="broken-trace"),
        pytest.param(("--trace", "empty"), "run", id="no-run"),
        pytest.param(("--trace", "synthetic:colour=red"), "no 'colour'", id="shape-name"),
        pytest.param(("--trace", "synthetic:matches=many"), "is a int", id="shape-value"),
        pytest.param(("--trace", "synthetic:matches=0"), "matches", id="shape-range"),
        pytest.param(("--quick", "--out", "broken"), "'broken'", id="out-is-a-file"),
        pytest.param(("--quick", "--out", "broken/in"), "'broken/in'", id="out-in-a-file"),
    ],
)
def test_whatever_is_wrong_is_one_line_and_nothing_is_written(
    bench: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "broken").write_text("no trace\n", "utf-8")
    (tmp_path / "empty").mkdir()
    status, out, err = bench(*words)
    assert status == 2
    assert out == ""
    [line] = err.splitlines()
    assert line.startswith("error: ")
    assert said in line
    assert "pw" not in line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken", "empty"]


def test_a_trace_that_never_fits_is_one_line(bench: Run, tmp_path: Path) -> None:
    status, _, err = bench(
        "--trace",
        "synthetic:matches=2,script_tokens=900000",
        "--repeat",
        "1",
        "--arms",
        "gather_32",
    )
    assert status == 2
    [line] = err.splitlines()
    assert "does not fit" in line
    assert not (tmp_path / "runs").exists()


def test_a_fault_of_the_engine_is_one_line_in_alpha_too(bench: Run) -> None:
    shape = "synthetic:matches=2,script_tokens=9000"
    status, out, err = bench("alpha", "--trace", shape, "--kv-tokens", "4000")
    assert (status, out) == (2, "")
    [line] = err.splitlines()
    assert "does not fit" in line


def test_a_fault_beside_the_matches_is_one_line_in_overhead_too(
    bench: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(load: object, tokenizer: object) -> None:
        raise ExceptionGroup("tasks", [ModelError("the wire is cut")])

    monkeypatch.setattr("arena.cli.commands.bench_core.measure_simulated", broken)
    status, out, err = bench("overhead", "--transport", "chat", "--matches", "1")
    assert (status, out) == (2, "")
    [line] = err.splitlines()
    assert "the wire is cut" in line


def test_the_report_says_how_peaks_were_come_by_and_what_peers_are_lent(bench: Run) -> None:
    _, out, _ = bench("--trace", SMALL, "--arms", "sequential", "--repeat", "1")
    assert "ours admits by projections" in out
    assert "pictures sent once" in " ".join(out.split())
