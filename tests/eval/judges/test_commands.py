"""`arena judge` as a user meets it where something is missing, left out or wrong."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from arena.cli.judging import execute_judging
from eval.judges.labelling.judge_agreement import measure_agreement, measure_people
from tests.arena.cli.conftest import Told
from tests.arena.cli.conftest import program as program  # noqa: PLC0414 - a fixture of another folder
from tests.arena.run.stage import save_case
from tests.eval.judges.made import judged_case

Program = Callable[..., Told]
HEAD = "item,human,judge,kind"


@pytest.fixture
def run(program: Program, tmp_path: Path) -> str:
    """Play a match of random players on a script without parts in the folder `r`."""
    script = judged_case()
    bare = replace(script, roles=tuple(replace(role, parts=()) for role in script.roles))
    folder = save_case(tmp_path / "harbour", bare).folder
    words = ("--civ", "random", "--murderer", "random", "-n", "2", "-o", "rounds=1")
    told = program("match", "--script", str(folder), *words, "--out", "r", "--quiet")
    assert told.status == 0, told.err
    return "r"


def test_a_task_that_the_script_has_not_is_told_once_and_the_others_are_judged(
    program: Program, run: str
) -> None:
    told = program("judge", "run", run, "--judge", "words", "--metrics", "RP,RL", "--json")
    assert told.status == 0, told.err
    assert [json.loads(line)["row"] for line in told.out.splitlines()] == ["judged", "cost"]
    said = "RL: 2 of 2 matches not judged: the private scripts have no parts"
    assert told.err.splitlines().count(said) == 1


def test_a_task_that_no_match_has_is_one_line_with_the_reason(program: Program, run: str) -> None:
    told = program("judge", "run", run, "--judge", "words", "--metrics", "RL")
    assert told.status == 2
    [line] = told.err.splitlines()
    assert "2 of 2 matches not judged: the private scripts have no parts" in line


@pytest.mark.slow
@pytest.mark.parametrize("words", [("words",), ("words", "--temperature", "0")])
def test_repeats_that_cannot_differ_are_not_made_and_the_reason_is_told(
    program: Program, run: str, words: tuple[str, ...]
) -> None:
    told = program("judge", "run", run, "--judge", *words, "--metrics", "RP", "--json")
    [row, cost] = map(json.loads, told.out.splitlines())
    assert (row["repeat_sd"], row["repeated"], cost["calls"]) == (None, 0, 3 * 10)
    assert "so there are none and repeat sd is -" in told.err


def test_questionnaires_of_a_judge_are_shown_by_contestant(program: Program, run: str) -> None:
    words = ("judge", "run", run, "--judge", "words", "--metrics", "human")
    found = [json.loads(line) for line in program(*words, "--json").out.splitlines()]
    [form] = [one for one in found if one["row"] == "questionnaire"]
    assert form["contestant"] == "random"
    assert 1 <= form["overall"] <= 5
    shown = program(*words, "--no-color").out
    assert "questionnaires answered by the judge" in shown
    other = program("judge", "run", run, "--judge", "words", "--metrics", "RP", "--json").out
    assert "questionnaire" not in other


@pytest.mark.slow
def test_the_agreement_of_the_annotators_stands_beside_that_of_the_judge(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for measure in (measure_agreement, measure_people):
        few = partial(measure, resamples=50)
        monkeypatch.setattr(execute_judging, measure.__name__, few)
    told = program("judge", "examples", "--judge", "words", "--json")
    found = [json.loads(line) for line in told.out.splitlines()]
    rows = [one for one in found if one["row"] == "annotators"]
    assert {one["metric"] for one in rows} == {"fact", "rationale", "CMD", "SPC"}
    assert (
        "two annotators, both language models"
        in program("judge", "examples", "--judge", "words").out
    )


@pytest.mark.slow
def test_two_annotators_of_a_file_have_their_kappa_even_without_a_judge(program: Program) -> None:
    rows = [f"i{n},{int(n < 4)},,binary,{who}" for n in range(8) for who in "xy"]
    Path("l.csv").write_text("\n".join([f"{HEAD},annotator", *rows]) + "\n")
    [group] = map(json.loads, program("judge", "agree", "l.csv", "--json").out.splitlines())
    values = {one["statistic"]: one["value"] for one in group["rows"]}
    assert values["kappa of two people"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,human,kind\na,1,binary\n", "no column 'judge'"),
        (f"{HEAD}\na,1,1,likert\n", "line 2: kind is one of binary, ordinal, score"),
        (f"{HEAD}\na,good,1,ordinal\n", "line 2: human should be a number, got 'good'"),
        ("", "no column 'item'"),
        (f"{HEAD}\na,,1,binary\n", "has no labels yet"),
        (f"{HEAD}\na,1,,binary\n", "has a value of the judge"),
    ],
)
def test_labels_that_cannot_be_compared_are_one_line(
    program: Program, text: str, said: str
) -> None:
    Path("l.csv").write_text(text)
    told = program("judge", "agree", "l.csv", "--rate", "1/2")
    assert (told.status, told.out) == (2, "")
    [line] = told.err.splitlines()
    assert said in line


def test_a_file_for_labels_that_cannot_be_written_is_told_before_the_judge_is_asked(
    program: Program,
) -> None:
    told = program("judge", "examples", "--judge", "http://127.0.0.1:9/v1", "--labels", "no/l.csv")
    assert told.status == 2
    assert "cannot write" in told.err
    assert "127.0.0.1" not in told.err
