"""`arena judge` at the command line, on a fake server: judged, kept, compared, or one line."""

import json
import subprocess
import sys
from collections.abc import Callable, Generator
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from arena.cli.judging import execute_judging, execute_labels
from eval.judges.labelling.judge_agreement import measure_agreement, measure_people
from tests.arena.cli.conftest import Told
from tests.arena.run.stage import save_case
from tests.eval.judges.made import judged_case

Program = Callable[..., Told]


@pytest.fixture(scope="module")
def server() -> Generator[str]:
    """Keep a fake server alive; yield a model there."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.openai_server"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"{process.stdout.readline().strip()}/v1#fake-vl"
        process.terminate()


@pytest.fixture
def run(program: Program, tmp_path: Path) -> str:
    """Play two matches of random players in the folder `r`."""
    folder = save_case(tmp_path / "harbour", judged_case()).folder
    words = ("--civ", "random", "--murderer", "random", "-n", "2", "-o", "rounds=1")
    told = program("match", "--script", str(folder), *words, "--out", "r", "--quiet")
    assert told.status == 0, told.err
    return "r"


def rows(told: Told) -> list[dict[str, object]]:
    assert told.status == 0, told.err
    return [json.loads(line) for line in told.out.splitlines()]


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_run_is_judged_beside_its_record_which_stays_as_it_was(
    program: Program, server: str, run: str
) -> None:
    before = contents(Path(run))
    told = program("judge", "run", run, "--judge", server, "--json")
    assert contents(Path(run)) == before
    found = rows(told)
    assert [row.get("metric", row["row"]) for row in found] == ["RP", "SPC", "CMD", "cost"]
    assert all(row["nulls"] == 0 and row["repeated"] for row in found[:-1])
    lines = Path("r.judgements/judgements.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    assert str(first["judge"]).startswith("fake-vl ")
    assert len(first["samples"]) == 3
    assert all(one["reason"] and one["raw"] for one in first["samples"])


@pytest.mark.slow
def test_judging_again_costs_no_call_and_gives_the_same(
    program: Program, server: str, run: str
) -> None:
    first = rows(program("judge", "run", run, "--judge", server, "--json"))
    kept = Path("r.judgements/judgements.jsonl").read_text(encoding="utf-8")
    again = rows(program("judge", "run", run, "--judge", server, "--json"))
    assert first[-1]["calls"]
    assert again[-1]["calls"] == 0
    assert first[:-1] == again[:-1]
    now = Path("r.judgements/judgements.jsonl").read_text(encoding="utf-8")
    values = [[json.loads(line)["value"] for line in text.splitlines()] for text in (kept, now)]
    assert values[0] == values[1]


@pytest.mark.slow
def test_figures_read_the_judgements_beside_the_run(
    program: Program, server: str, run: str
) -> None:
    assert program("judge", "run", run, "--judge", server, "--metrics", "RP").status == 0
    found = rows(program("eval", run, "--metric", "RP", "--json"))
    assert found
    assert all("fake-vl" in json.dumps(row) for row in found)


@pytest.mark.slow
def test_a_contestants_own_model_as_judge_is_said(
    program: Program, server: str, tmp_path: Path
) -> None:
    folder = save_case(tmp_path / "harbour", judged_case()).folder
    words = ("--civ", server, "--murderer", "random", "-o", "rounds=1", "--out", "o", "--quiet")
    assert program("match", "--script", str(folder), *words).status == 0
    [row, _] = rows(program("judge", "run", "o", "--judge", server, "--metrics", "CMD", "--json"))
    assert row["own_model"] == row["judgements"] == 4


@pytest.mark.slow
def test_the_labelled_examples_give_agreement_and_cost(
    program: Program, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = partial(measure_agreement, resamples=50)
    for commands in (execute_judging, execute_labels):
        monkeypatch.setattr(commands, "measure_agreement", few)
    monkeypatch.setattr(execute_judging, "measure_people", partial(measure_people, resamples=50))
    found = rows(program("judge", "examples", "--judge", server, "--json", "--labels", "l.csv"))
    groups = {row["metric"]: row for row in found if row["row"] == "agreement"}
    assert list(groups) == ["fact", "rationale", "rationale >= 4", "CMD", "SPC"]
    assert found[-1]["calls"] == 63
    fact = [line for line in Path("l.csv").read_text().splitlines() if ",fact," in line]
    header = "item,metric,kind,human,judge"
    Path("fact.csv").write_text("\n".join([header, *fact]) + "\n")
    again = rows(program("judge", "agree", "fact.csv", "--json"))
    assert again[0]["rows"] == groups["fact"]["rows"]
    words = program("judge", "examples", "--judge", "words", "--no-color")
    assert "Cohen's kappa" in words.out
    assert "63 calls" in words.out


@pytest.mark.slow
def test_a_rate_is_corrected_by_the_labels(program: Program) -> None:
    rows_ = [f"a{n},1,{int(n < 8)},binary" for n in range(10)]
    rows_ += [f"b{n},0,{int(n < 1)},binary" for n in range(10)]
    Path("l.csv").write_text("\n".join(["item,human,judge,kind", *rows_]) + "\n")
    rate = rows(program("judge", "agree", "l.csv", "--rate", "38/100", "--json"))[-1]
    assert (rate["measured"], round(float(str(rate["corrected"])), 6)) == (0.38, 0.4)
    told = program("judge", "agree", "l.csv", "--rate", "38/100", "--no-color")
    assert "measured 0.380, corrected 0.400" in told.out


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "html"])
def test_a_blind_sheet_is_written_once_and_comes_back_as_labels(
    program: Program, run: str, ending: str
) -> None:
    told = program("judge", "sheet", run, "--out", f"s.{ending}", "--metrics", "RP", "--items", "4")
    assert (told.status, "4 items" in told.out) == (0, True), told.err
    assert "contestant" in Path("s.key.csv").read_text()
    assert "random" not in Path(f"s.{ending}").read_text(encoding="utf-8")
    again = program("judge", "sheet", run, "--out", f"s.{ending}")
    assert (again.status, "already exists" in again.err) == (2, True)
    assert program("judge", "run", run, "--judge", "words", "--metrics", "RP").status == 0
    Path("filled.csv").write_text("item,human,annotator\n0001,3,x\n0002,0,x\n0003,9,x\n0004,,x\n")
    words = ("--key", "s.key.csv", "--judgements", "r.judgements", "--json")
    [found] = rows(program("judge", "agree", "filled.csv", *words))
    assert (found["metric"], found["kind"], found["items"]) == ("RP", "ordinal", 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "r", "--judge", " "), "a judge must be a model"),
        (("run", "r", "--judge", "naive"), "but 'naive' is a player without one"),
        (("run", "r", "--judge", "words", "--metrics", "rp"), "no judged metric 'rp'"),
        (("run", "r", "--judge", "words", "--metrics", "free_answers"), "is for the metric"),
        (("run", "r", "--judge", "words", "--answers", "x.jsonl"), "is for the metric"),
        (
            ("run", "r", "--judge", "words", "--answers", "x", "--metrics", "free_answers"),
            "no file 'x'",
        ),
        (("run", "r", "--judge", "words", "--samples", "0"), "--samples must be >= 1"),
        (
            ("run", "r", "--judge", "words", "--temperature", "3"),
            "the temperature must be between 0 and 2",
        ),
        (
            ("run", "r", "--judge", "words", "--temperature", "nan"),
            "the temperature must be between 0 and 2",
        ),
        (("run", "r", "--judge", "words", "--repeats", "-1"), "--repeats must be >= 0"),
        (("run", "r", "--judge", "words", "-c", "0"), "must be >= 1"),
        (("run", "r", "--judge", "words", "--out", "r/j"), "never change a record"),
        (("run", "r", "--judge", "words", "--metrics", "preference"), "nothing to judge"),
        (("run", "none", "--judge", "words"), "none"),
        (("run", "r"), "Missing option"),
        (("run", "r", "--judge", "http://127.0.0.1:9/v1"), "127.0.0.1:9"),
        (("agree", "none.csv"), "there is no file"),
        (("agree", "none.csv", "--rate", "3"), "a rate must be YES/ALL"),
        (("agree", "none.csv", "--rate", "5/4"), "a rate must be YES/ALL"),
        (("agree", "none.csv", "--rate", "1/0"), "a rate must be YES/ALL"),
        (("agree", "none.csv", "--key", "k.csv"), "must be given together"),
        (("agree", "none.csv", "--key", "k", "--judgements", "j"), "there is no folder"),
        (("agree", "none.csv", "--cut", "nan"), "the cut must be a number"),
        (("agree", "none.csv", "--seed", "-1"), "--seed must be >= 0"),
        (("sheet", "r", "--out", "s.txt"), "a file .csv or .html"),
        (("sheet", "r", "--out", "s.csv", "--metrics", "RL"), "none of these metrics has a scale"),
        (("sheet", "r", "--out", "s.csv", "--items", "0"), "must be >= 1"),
        (("examples", "--judge", "words", "--samples", "99"), "must be <= 25"),
    ],
)
def test_a_wrong_word_is_one_line_and_status_2(
    program: Program, run: str, words: tuple[str, ...], said: str
) -> None:
    told = program("judge", *words)
    assert told.status == 2, told.err
    assert said in told.err
    assert len(told.err.strip().splitlines()) == 1, told.err
    assert not Path("r.judgements/judgements.jsonl").exists()
