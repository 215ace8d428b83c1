"""`arena bench throughput` and `arena bench overcommit`: what they print, write and refuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bench import overcommit_sweep
from arena.bench.arms import ARMS
from tests.arena.cli.conftest import Told

pytestmark = pytest.mark.slow

Program = Callable[..., Told]


def rows(told: Told) -> dict[str, dict[str, Any]]:
    assert told.status == 0, told.err
    return {row["arm"]: row for row in map(json.loads, told.out.splitlines())}


def test_all_arms_are_played_in_virtual_time_and_written_down(
    program: Program, tmp_path: Path
) -> None:
    words = ("bench", "throughput", "--quick", "-n", "2", "--repeat", "2", "--json")
    found = rows(program(*words, "--out", "report"))
    assert list(found) == list(ARMS)
    assert found["ours_without_token_in"]["skipped"] == "in virtual time nothing is sent"
    played = [row for row in found.values() if not row["skipped"]]
    assert all(row["finished"] == 4 and row["unfinished"] == 0 for row in played)
    assert all(0 < row["hit_rate"] <= row["belady"] < 1 for row in played)
    assert found["sequential"]["matches_per_h"] < found["ours"]["matches_per_h"]
    document = json.loads((tmp_path / "report" / "throughput.json").read_text("utf-8"))
    assert document["command"] == f"arena {' '.join(words)} --out report"
    assert document["load"]["matches"] == 4
    assert document["server"]["virtual_time"]
    assert document["python"]
    assert document["static_sweep"].keys() == {"1", "2", "3", "4"}
    assert len(document["repetitions"]["ours"]) == 2
    assert rows(program(*words, "--out", "again"))["ours"]["seconds"] == found["ours"]["seconds"]


def test_a_script_is_played_as_by_a_match_and_the_table_says_on_what(program: Program) -> None:
    told = program(
        *("bench", "throughput", "--script", "first-night", "--preset", "short", "--repeat", "1"),
        *("--arms", "ours,static_best", "--static", "1", "--kv-blocks", "2000"),
    )
    assert told.status == 0, told.err
    assert "kv_tokens 32000" in told.out
    assert "static_best has 1 live" in " ".join(told.out.split())


def test_the_same_arms_are_played_over_http_on_a_server_that_is_started(program: Program) -> None:
    found = rows(
        program(
            *("bench", "throughput", "--engine", "sim:instant", "-n", "1", "--repeat", "2"),
            *("--json", "--arms", "ours,sequential,gather_32,ours_without_token_in"),
        )
    )
    played = [row for row in found.values() if not row["skipped"]]
    assert len(played) >= 3
    assert all(row["finished"] == 2 for row in played)
    assert all(row["belady"] is None and row["preemptions"] == 0 for row in played)
    # Repetitions are cold: a warm cache would hold all but the newest tokens.
    assert len({round(row["hit_rate"], 2) for row in played}) == 1
    assert found["sequential"]["live_most"] == 1
    assert all(row["loop_lag_p99_ms"] >= 0 for row in played)


def test_where_nothing_is_finished_the_cause_is_one_line(program: Program, tmp_path: Path) -> None:
    told = program("bench", "throughput", "--quick", "--kv-blocks", "8", "--arms", "gather_32")
    assert (told.status, told.out) == (2, "")
    [line] = told.err.splitlines()
    assert "no match was played to a verdict" in line
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("throughput", "--url", "http://127.0.0.1:9/v1"), "127.0.0.1:9"),
        (("throughput", "--url", "http://u:pw@127.0.0.1/v1"), "key"),
        (("throughput", "--url", "http://a:1/v1#m,http://b:1/v1#n"), "replicas serve one model"),
        (("throughput", "--arms", "ours,theirs"), "no arm 'theirs'"),
        (("throughput", "--engine", "tpu"), "virtual, sim, cpu, cuda"),
        (("throughput", "--engine", "sim:"), "sim:PROFILE"),
        (("throughput", "--engine", "sim:h300"), "no engine profile 'h300'"),
        (("throughput", "--engine", "sim", "--url", "http://x:1"), "leave out --engine"),
        (("throughput", "--quick", "--shape", "7b, 100k"), "only one load fits"),
        (("throughput", "--shape", "8b"), "no shape '8b'; there are: 7b, 100k;"),
        (("throughput", "--shape", "7b, 100k", "-o", "rounds=1"), "need --script"),
        (("throughput", "--script", "nowhere"), "nowhere"),
        (("throughput", "--game", "werewolf5", "--script", "first-night"), "its own script"),
        (("throughput", "--kv-blocks", "7"), "--kv-blocks must be >= 8, got 7"),
        (("throughput", "--repeat", "0"), "--repeat must be >= 1, got 0"),
        (("throughput", "--quick", "--out", "file"), "'file'"),
        (("throughput", "--quick", "--out", "file/in"), "'file/in'"),
        (("overcommit", "--shape", "8b"), "no shape '8b'"),
    ],
)
def test_whatever_is_wrong_is_one_line_and_nothing_is_written(
    words: tuple[str, ...], said: str, program: Program, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder\n", "utf-8")
    told = program("bench", *words)
    assert (told.status, told.out) == (2, "")
    [line] = told.err.splitlines()
    assert line.startswith("error: ")
    assert said in line
    assert "pw" not in line
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_wrong_profiles_have_a_row_for_each_ratio_and_the_default(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overcommit_sweep, "RATIOS", (0.5, 1.5))
    told = program("bench", "overcommit", "--shape", "quick", "--json")
    assert told.status == 0, told.err
    found = [json.loads(line) for line in told.out.splitlines()]
    assert len(found) == 3 * len(overcommit_sweep.MISCALIBRATIONS)
    assert [row["overcommit"] for row in found[:3]] == [None, 0.5, 1.5]
    assert all(row["unfinished"] == 0 and row["over_best_static"] > 0 for row in found)

    def live(**wrong: float) -> int:
        wanted = {"stated_kv": 1.0, "counted": 1.0, "prefill": 1.0, "overcommit": 0.5, **wrong}
        [row] = [row for row in found if wanted.items() <= row.items()]
        return row["live_most"]

    # At a fixed ratio only what the arena is told decides; the engine is the same.
    assert live(stated_kv=0.5) < live() < live(stated_kv=2.0)
    assert live() < live(overcommit=1.5)
    right, slow = found[0], found[-3]
    assert slow["prefill"] == 3.0
    assert slow["matches_per_h"] < right["matches_per_h"]
