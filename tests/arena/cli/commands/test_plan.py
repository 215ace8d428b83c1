"""`arena plan` at the command line: a table, one object, or one line of what is wrong."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bench.planner.capacity_plan import (
    MAX_TURNS,
    CapacityForecast,
    PlanRequest,
    forecast_capacity,
)
from arena.cli import main
from arena.cli.commands import plan
from tests.arena.run.stage import save_case

pytestmark = pytest.mark.slow

Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    """Run `arena plan`; return exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["arena", "plan", *words])
        with pytest.raises(SystemExit) as ended:
            main.run()
        assert isinstance(ended.value.code, int)
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


def test_a_plan_is_told_in_a_table_with_how_far_to_trust_it(arena: Arena) -> None:
    status, out, err = arena("qwen2.5-vl-72b", "4xh200", "first-night", "-n", "3")
    assert (status, err) == (0, "simulating the matches or a sample of them\n")
    assert "2 engines of 2 GPUs each on 4 x h200" in out
    for word in ("KV cache", "live matches", "hit rate", "turns/s", "matches/h", "3 matches"):
        assert word in out
    assert "roofline, not measured" in out


def test_json_is_one_object_and_nothing_else(arena: Arena) -> None:
    status, out, err = arena(
        "QWEN2.5-VL-3B", "2xrtx-4090", "first-night", "--matches", "2", "--swap", "-o", "rounds=2",
        "--concurrency", "1", "--json",
    )  # fmt: skip
    assert (status, err) == (0, "simulating the matches or a sample of them\n")
    [line] = out.splitlines()
    found = json.loads(line)
    assert (found["model"], found["gpu"], found["gpus"]) == ("qwen2.5-vl-3b", "rtx-4090", 2)
    assert (found["matches"], found["options"]["rounds"], found["live_most"]) == (4, 2, 1)
    assert found["turns_per_match"] == 35
    assert found["hours"] * found["matches_per_h"] == pytest.approx(4, rel=0.01)


def test_options_change_what_is_played(arena: Arena) -> None:
    words = ("qwen2.5-vl-7b", "h200", "first-night", "-n", "1", "--json")
    _, plain, _ = arena(*words)
    _, without, _ = arena(*words, "-o", "pictures=none")
    _, long, _ = arena(*words, "--reply", "400")
    tokens = [json.loads(out)["own_tokens"] for out in (without, plain, long)]
    assert tokens == sorted(set(tokens))


def test_a_small_context_is_planned_with_what_is_done_to_fit_it(arena: Arena) -> None:
    status, out, err = arena("yi-vl-6b", "h200", "first-night", "-n", "2", "--json")
    assert (status, err) == (0, "simulating the matches or a sample of them\n")
    found = json.loads(out)
    assert found["longest_prompt"] <= 4096
    assert 0 < found["cut_turns_per_match"] < found["turns_per_match"]
    assert "do not fit 4,096 tokens and are summarised" in str(found["remarks"])
    assert f"{found['readings_per_match']:.0f} readings per match" in str(found["remarks"])
    assert not found["extrapolated"]


def test_a_folder_of_scripts_is_all_of_them(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    first = save_case(folder / "one").folder
    shutil.copytree(first, folder / "two")
    text = (folder / "two" / "script.json").read_text("utf-8")
    other = {**json.loads(text), "id": "another"}
    (folder / "two" / "script.json").write_text(json.dumps(other), "utf-8")
    status, out, err = arena("qwen2.5-vl-7b", "h200", str(folder), "-n", "2", "--json")
    assert (status, err) == (0, "simulating the matches or a sample of them\n")
    assert json.loads(out)["matches"] == 4
    _, one, _ = arena("qwen2.5-vl-7b", "h200", str(first), "-n", "2", "--json")
    assert json.loads(one)["matches"] == 2


def test_ten_thousand_matches_are_planned_from_a_sample_of_their_turns(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 1_000
    """Fewer turns than a user's sample, which takes 20 s."""

    def forecast(asked: PlanRequest) -> CapacityForecast:
        assert asked.most_turns == MAX_TURNS
        return forecast_capacity(replace(asked, most_turns=most))

    monkeypatch.setattr(plan, "forecast_capacity", forecast)
    status, out, _ = arena("qwen2.5-vl-7b", "h200", "first-night", "-n", "10000", "--json")
    found = json.loads(out)
    assert (status, found["extrapolated"], found["matches"]) == (0, True, 10_000)
    assert found["sample_turns"] <= most
    assert "of the matches were simulated" in str(found["remarks"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("gwen2.5-vl-7b", "1", "first-night"), "did you mean", id="model"),
        pytest.param(("qwen2.5-vl-7b", "1xh2000", "first-night"), "h200", id="kind"),
        pytest.param(("qwen2.5-vl-7b", "0", "first-night"), "1 to 4096", id="no-gpu"),
        pytest.param(("qwen2.5-vl-72b", "1xh200", "first-night"), "does not fit", id="misfit"),
        pytest.param(("qwen2.5-vl-7b", "h200", "first-nihgt"), "first-nihgt", id="script"),
        pytest.param(("qwen2.5-vl-7b", "h200", "empty"), "is not a script", id="empty-folder"),
        pytest.param(("qwen2.5-vl-7b", "h200", "\0"), "", id="path-that-cannot-be"),
        pytest.param(("qwen2.5-vl-7b", "h200"), "Missing argument", id="no-script"),
        pytest.param(("qwen2.5-vl-7b", "h200", "first-night", "-n", "0"), ">= 1", id="matches"),
        pytest.param(("qwen2.5-vl-7b", "h200", "first-night", "-c", "0"), ">= 1", id="concurrency"),
        pytest.param(("qwen2.5-vl-7b", "h200", "first-night", "-o", "vote"), "NAME=V", id="option"),
        pytest.param(
            ("qwen2.5-vl-7b", "h200", "first-night", "-o", "rounds=0"), "'rounds'", id="rounds"
        ),
        pytest.param(
            ("qwen2.5-vl-7b", "h200", "first-night", "--language", "fr"), "en, zh", id="language"
        ),
        pytest.param(
            ("qwen2.5-vl-7b", "h200", "first-night", "first-night"), "named twice", id="twice"
        ),
    ],
)
def test_a_wrong_word_is_answered_in_one_line(
    arena: Arena, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "empty").mkdir()
    status, out, err = arena(*words)
    assert (status, out) == (2, "")
    [line] = err.splitlines()
    assert line.startswith("error: ")
    assert said in line
