"""Training data: everything that a model said, nothing that its seat did not see."""

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from eval.export.export_command import ExportOptions, export_runs
from eval.export.world_splits import SPLITS, assign_split
from eval.played_match import read_run
from tests.eval.export.untyped import load_datasets
from tests.table import NAMES, secret


def export(run: Path, out: Path, unit: str) -> list[dict[str, Any]]:
    export_runs([run], out, ExportOptions(target="trajectories", unit=unit))
    files = sorted(out.glob("*.jsonl"))
    texts = [path.read_text(encoding="utf-8") for path in files if path.stem in SPLITS]
    return [json.loads(line) for text in texts for line in text.splitlines()]


@pytest.fixture(scope="module", params=["turn", "seat"])
def unit(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory, unit: str) -> Path:
    return tmp_path_factory.mktemp("lines") / unit


@pytest.fixture(scope="module")
def lines(run: Path, out: Path, unit: str) -> list[dict[str, Any]]:
    return export(run, out, unit)


def talk(line: dict[str, Any]) -> list[dict[str, Any]]:
    return line.get("messages") or [*line["prompt"], *line["completion"]]


def words(line: dict[str, Any]) -> str:
    return "\n".join(part["text"] for one in talk(line) for part in one["content"])


@pytest.mark.slow
def test_a_line_holds_no_private_script_but_its_own_seats(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        found = [name for name in NAMES if secret(name) in words(line)]
        assert found == [line["seat"]]
        assert "TRUTH" not in words(line)


def test_a_turn_is_the_call_with_its_reply(run: Path, tmp_path: Path) -> None:
    lines = export(run, tmp_path / "out", "turn")
    calls = [(match.id, call) for match in read_run(run)[0] for call in match.calls().values()]
    assert len(lines) == len(calls) > 300
    key = ("match", "request", "attempt", "kind", "step", "seat")
    by_id = {tuple(line[name] for name in key): line for line in lines}
    for match, call in calls:
        name, completion = call.request.call_id, call.completion
        assert completion is not None
        line = by_id[match, name.request, name.attempt, name.kind, name.chunk, name.seat]
        assert [one["role"] for one in line["prompt"]] == [m.role for m in call.request.messages]
        told = ["".join(part["text"] for part in one["content"]) for one in line["prompt"]]
        assert told == [message.text for message in call.request.messages]
        assert line["completion"][0]["content"][0]["text"] == completion.text
        parts = [part["type"] for one in line["prompt"] for part in one["content"]]
        assert parts.count("image") == len(line["images"])
        shown = [m.picture.sha256 for m in call.request.messages if m.picture]
        assert [Path(path).stem for path in line["images"]] == shown


def test_the_lines_of_seats_end_with_the_last_turn_of_each_log_and_hold_all_its_replies(
    run: Path, tmp_path: Path
) -> None:
    lines = export(run, tmp_path / "out", "seat")
    logs: dict[tuple[str, str], str] = defaultdict(str)
    for line in lines:
        logs[line["match"], line["seat"]] += words(line)
    for match in read_run(run)[0]:
        for name, call in match.calls().items():
            assert call.completion is not None
            if not name.off_path:
                assert call.completion.text in logs[match.id, name.seat]
    steps = [line for line in lines if line["kind"] == "step"]
    assert len(lines) - len(steps) == 2 * len(NAMES), "one log a seat, as nothing was reset"
    assert steps


def test_both_sides_share_one_point_and_nothing_above_chance(lines: list[dict[str, Any]]) -> None:
    found = {
        (line["match"], line["faction"]): (line["reward"], line["reward_above_chance"])
        for line in lines
        if not line["off_path"]
    }
    for match in {line["match"] for line in lines}:
        civilians, murderer = found[match, "civilians"], found[match, "murderer"]
        assert civilians[0] + murderer[0] == 1
        assert civilians[1] == -murderer[1] != 0


def test_an_answer_on_which_the_match_does_not_depend_has_no_reward(
    run: Path, tmp_path: Path
) -> None:
    lines = export(run, tmp_path / "out", "turn")
    silent = [line for line in lines if line["off_path"]]
    assert 0 < len(silent) < len(lines)
    for line in lines:
        is_bare = line["reward"] is None and line["reward_above_chance"] is None
        assert is_bare is line["off_path"]


def test_a_rejected_reply_is_told_as_such_with_its_error(run: Path, tmp_path: Path) -> None:
    lines = export(run, tmp_path / "out", "turn")
    verdicts = [line["legality"] for line in lines if line["kind"] == "reply"]
    assert verdicts.count("rejected") == 1
    assert {"accepted", "rejected", "unjudged"} == set(verdicts)
    assert [line["error"] for line in lines if line["legality"] == "rejected"] == ["empty"]
    assert {line["legality"] for line in lines if line["kind"] != "reply"} == {""}


def test_pictures_lie_beside_the_lines_under_the_hash_of_their_content(
    out: Path, lines: list[dict[str, Any]]
) -> None:
    named = {path for line in lines for path in line["images"]}
    assert len(named) == 2
    for path in named:
        assert hashlib.sha256((out / path).read_bytes()).hexdigest() == Path(path).stem


@pytest.mark.slow
def test_datasets_loads_the_lines_with_their_pictures(
    out: Path, lines: list[dict[str, Any]], tmp_path: Path, unit: str
) -> None:
    loaded = load_datasets().load_dataset(str(out), cache_dir=str(tmp_path))
    [rows] = loaded.values()
    assert len(rows) == len(lines)

    def placed(one: dict[str, Any]) -> dict[str, Any]:
        return {"images": [f"{out}/{path}" for path in one["images"]]}

    rows = rows.map(placed)
    rows = rows.cast_column("images", load_datasets().List(load_datasets().Image()))
    row = next(one for one in rows if one["images"])
    assert row["images"][0].size == (96, 64)
    talk = row["messages"] if unit == "seat" else row["prompt"] + row["completion"]
    assert {one["role"] for one in talk} == {"system", "user", "assistant"}
    keys = {key for one in talk for part in one["content"] for key in part}
    assert keys == {"type", "text"}, "a template takes a part with a key `image` for a picture"


def test_all_scripts_of_a_world_are_in_one_split_and_every_split_gets_some() -> None:
    assert {assign_split(f"world {number}") for number in range(60)} == set(SPLITS)
    assert [assign_split("harbours"), assign_split("harbours")] == [assign_split("harbours")] * 2


def test_the_lines_of_a_script_are_in_the_split_of_its_world(out: Path) -> None:
    wanted = assign_split("harbours")
    assert [path.stem for path in out.glob("*.jsonl") if path.stem in SPLITS] == [wanted]


@pytest.mark.parametrize(
    ("seed", "split"),
    [(89_999, "train"), (90_000, "validation"), (94_999, "validation"), (95_000, "test")],
)
def test_a_generated_case_is_in_the_split_of_its_seed(seed: int, split: str) -> None:
    for roles in range(4, 9):
        case = f"case-{seed}-{roles}"
        assert assign_split(case, f"generated seed={seed} roles={roles} hops=5") == split


def test_a_seed_beyond_all_splits_and_a_script_of_people_are_split_by_their_world() -> None:
    for number in range(40):
        world = f"world {number}"
        assert assign_split(world, f"generated seed={100_000 + number} roles=5") == assign_split(
            world
        )
        assert assign_split(world, "imported, not generated seed=95001") == assign_split(world)
