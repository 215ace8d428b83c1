"""Parity check: the plugin on the real engine against the reference, and what the check detects."""

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module, util
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from serving.errors import EngineError
from serving.yi_vl.parity import cli
from serving.yi_vl.parity.parity_spec import ParitySpec, parse_spec
from serving.yi_vl.parity.prompt_cases import draw_picture, make_cases, picture_names

ENGINE = pytest.mark.skipif(
    not all(find_spec(name) for name in ("torch", "transformers", "vllm")),
    reason="no vLLM in this environment",
)
PICTURE = [8192] * 1024
WIDTH, STEPS = 50, 4


@ENGINE
@pytest.mark.engine
def test_the_plugin_gives_the_tokens_of_the_reference_in_both_layouts() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "serving.yi_vl.parity", "--quick", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout + done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    for layout in ("published", "converted"):
        own = {row["what"]: row for row in rows if row["layout"] == layout}
        assert own["plugin"]["same"] == own["plugin"]["prompts"] == len(make_cases(quick=True))
        assert own["plugin"]["largest"] <= 2e-2
        assert own["no LayerNorms"]["largest"] > 1
        assert own["no LayerNorms"]["same"] == 0
        assert own["prompt tokens"]["same"] == own["prompt tokens"]["prompts"]
        assert own["warm prefix cache"]["same"] == own["warm prefix cache"]["prompts"]
    assert done.stderr == ""


def test_there_are_twenty_prompts_with_no_picture_one_and_two() -> None:
    cases = make_cases()
    counts = [len(case.pictures) for case in cases]
    assert (counts.count(0), counts.count(1), counts.count(2)) == (5, 9, 6)
    for case in cases:
        assert case.prompt.count("<image_placeholder>") == len(case.pictures)
        assert case.prompt.endswith("### Assistant:")
    assert {name for case in cases for name in case.pictures} == set(picture_names())
    assert {len(case.pictures) for case in make_cases(quick=True)} == {0, 1, 2}


def test_pictures_are_of_all_kinds_and_the_same_each_time() -> None:
    drawn = {name: draw_picture(name) for name in picture_names()}
    assert {picture.mode for picture in drawn.values()} == {"RGB", "L", "P", "RGBA"}
    assert all(draw_picture(name).tobytes() == picture.tobytes() for name, picture in drawn.items())
    shapes = [picture.width / picture.height for picture in drawn.values()]
    assert min(shapes) < 0.3
    assert max(shapes) > 3


def test_a_spec_comes_back_from_its_json() -> None:
    spec = ParitySpec(folder="a b", layout="converted", dtype="bfloat16", quick=True, parallel=2)
    assert parse_spec(spec.to_json()) == spec


def reference_results(torch: Any, **changed: Any) -> dict[str, Any]:
    """Return the reference's results for one prompt with one picture."""
    logits = torch.randn(STEPS, WIDTH, generator=torch.Generator().manual_seed(1)) * 3
    rows = logits.log_softmax(1)
    usual = {
        "tokens": rows.argmax(1).tolist(),
        "rows": rows,
        "exact": rows + 0.01,
        "control": logits.flip(1).log_softmax(1),
        "prompt": [5, *PICTURE, 6],
    }
    return {**usual, **changed}


def engine_results(one: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """Return the engine's results: the same except for `changed`."""
    tokens: list[int] = one["tokens"]
    usual = {"rows": one["rows"], "cold": tokens, "warm": tokens, "cached": 9}
    return {**usual, "prompt": one["prompt"], **changed}


def failures(folder: Path, dtype: Any, one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    torch: Any = import_module("torch")
    compare = import_module("serving.yi_vl.parity.comparison").compare_results
    spec = ParitySpec(folder=str(folder), layout="published", dtype=dtype)
    torch.save([one], spec.results_file("reference"))
    torch.save([other], spec.results_file("engine"))
    return [row.what for row in compare(spec) if not row.passed]


@ENGINE
def test_in_float32_no_other_token_and_no_difference_beyond_the_tolerance_passes(
    tmp_path: Path,
) -> None:
    torch: Any = import_module("torch")
    one = reference_results(torch)
    far = one["rows"].clone()
    far[2, 7] += 0.03
    cases: dict[str, tuple[dict[str, Any], list[str]]] = {
        "same": (engine_results(one), []),
        "near": (engine_results(one, rows=one["rows"] + 0.019), []),
        "far": (engine_results(one, rows=far), ["plugin"]),
        "ruled out": (engine_results(one, rows=far.fill_(float("-inf"))), ["plugin"]),
        "flipped": (engine_results(one, cold=[0] * STEPS), ["plugin", "warm prefix cache"]),
        "warm": (engine_results(one, warm=[0] * STEPS), ["warm prefix cache"]),
        "never warm": (engine_results(one, cached=0), ["warm prefix cache"]),
        "prompt": (engine_results(one, prompt=[5, *PICTURE[1:], 6]), ["prompt tokens"]),
    }
    for name, (other, expected) in cases.items():
        assert failures(tmp_path, "float32", one, other) == expected, name


@ENGINE
def test_a_control_that_passes_fails_the_check(tmp_path: Path) -> None:
    torch: Any = import_module("torch")
    one = reference_results(torch, control=reference_results(torch)["rows"])
    assert failures(tmp_path, "float32", one, engine_results(one)) == ["no LayerNorms"]
    assert failures(tmp_path, "bfloat16", one, engine_results(one)) == ["no LayerNorms"]
    # The control must both differ in its log-probabilities and reply with other tokens.
    far = reference_results(torch, control=one["rows"] * 2)
    assert failures(tmp_path, "float32", far, engine_results(far)) == ["no LayerNorms"]
    near = reference_results(torch, control=one["rows"] - 0.01 * torch.eye(WIDTH)[one["tokens"]])
    other = engine_results(near, cold=[0] * STEPS, warm=[0] * STEPS)
    assert "no LayerNorms" in failures(tmp_path, "float32", near, other)


@ENGINE
def test_in_bfloat16_the_bound_is_twice_the_rounding_of_the_reference(tmp_path: Path) -> None:
    torch: Any = import_module("torch")
    one = reference_results(torch)
    near, far = one["rows"] + 0.018, one["rows"] + 0.022
    assert failures(tmp_path, "bfloat16", one, engine_results(one, rows=near)) == []
    assert failures(tmp_path, "bfloat16", one, engine_results(one, rows=far)) == ["plugin"]


@ENGINE
def test_in_bfloat16_only_a_near_tie_may_flip(tmp_path: Path) -> None:
    torch: Any = import_module("torch")
    # The reference's own error is 0.01, so two tokens within 0.02 are a near tie.
    for gap, moved, expected in ((0.01, 0.008, []), (0.03, 0.018, ["plugin"])):
        rows = torch.full((1, WIDTH), -6.0)
        rows[0, :2] = torch.tensor([-1.0, -1.0 - gap])
        one = reference_results(
            torch, rows=rows, exact=rows + 0.01, tokens=[0], control=rows.flip(1)
        )
        flipped = rows + torch.eye(WIDTH)[1] * moved - torch.eye(WIDTH)[0] * moved
        other = engine_results(one, rows=flipped, cold=[1], warm=[1])
        assert failures(tmp_path, "bfloat16", one, other) == expected


def test_bad_use_is_one_line_and_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--dtype", "int8"], ["--parallel", "0"], ["more"]):
        with pytest.raises(SystemExit) as stopped:
            cli.main(words)
        assert stopped.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_an_absent_engine_is_one_line_and_exit_status_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> str | None:
        return None if name == "vllm" else "there"

    monkeypatch.setattr(util, "find_spec", absent)
    assert cli.main(["--quick"]) == 2
    assert capsys.readouterr().err == "vllm not installed; install the engine first\n"


@ENGINE
def test_a_side_that_fails_is_an_error_with_the_end_of_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "python"
    broken.write_text('#!/bin/sh\necho "OSError: the cause"; seq 20; echo "the end"; exit 3\n')
    broken.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(broken))
    last = "\n  ".join(("OSError: the cause", *map(str, range(7, 21)), "the end"))
    expected = f"reference_run ended with status 3; its log ends:\n  {last}"
    with pytest.raises(EngineError) as raised:
        cli.run_checks([ParitySpec(folder=str(tmp_path), layout="published", dtype="float32")])
    assert str(raised.value) == expected
    assert cli.main(["--quick", "--keep", str(tmp_path / "kept")]) == 1
    assert capsys.readouterr().err == f"{expected}\n"
    assert (tmp_path / "kept" / "reference.log").read_text().endswith("20\nthe end\n")
