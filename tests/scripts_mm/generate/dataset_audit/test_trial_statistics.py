"""The trial's measures: even counts, sure shares, and a word counter that finds what leaks."""

import json
from pathlib import Path
from random import Random

import pytest
import typer
from typer.testing import CliRunner

from scripts_mm.generate.dataset_audit.__main__ import run_audit
from scripts_mm.generate.dataset_audit.leak_probe import (
    CaseFeatures,
    FeatureVocabulary,
    count_hits,
    train_probe,
)
from scripts_mm.generate.dataset_audit.statistics import (
    chi_square_tail,
    measure_evenness,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("square", "free", "chance"),
    [
        (3.841459, 1, 0.05),
        (5.991465, 2, 0.05),
        (7.814728, 3, 0.05),
        (18.475307, 7, 0.01),
        (0, 4, 1),
    ],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(
    square: float, free: int, chance: float
) -> None:
    assert chi_square_tail(square, free) == pytest.approx(chance, abs=1e-6)


def test_even_counts_are_told_from_uneven_ones() -> None:
    assert measure_evenness([100, 100, 100, 100]).p == pytest.approx(1)
    assert measure_evenness([100, 140, 80, 80]).p < 0.001


def test_a_share_has_the_interval_of_wilson() -> None:
    half = wilson_interval(50, 100)
    assert (half.low, half.high) == (
        pytest.approx(0.40383, abs=1e-5),
        pytest.approx(0.59617, abs=1e-5),
    )
    assert wilson_interval(0, 20).low == pytest.approx(0)
    assert wilson_interval(20, 20).high == pytest.approx(1)


def bags(count: int, leak: float, words: FeatureVocabulary) -> list[CaseFeatures]:
    """Make cases of five candidates; the right one has a telltale in a share `leak` of them."""
    rng = Random(7)
    all_words = [f"word{at}" for at in range(600)]
    found: list[CaseFeatures] = []
    for _ in range(count):
        right = rng.randrange(5)
        rows = [rng.sample(all_words, 80) for _ in range(5)]
        if rng.random() < leak:
            rows[right].append("telltale")
        found.append(CaseFeatures(rows=tuple(map(words.row, rows)), right=right, candidates=5))
    return found


@pytest.mark.slow
def test_a_leak_in_some_cases_is_found() -> None:
    words = FeatureVocabulary()
    cases = bags(1200, 0.4, words)
    model = train_probe(cases[:600])
    share = wilson_interval(count_hits(model, cases[600:]), 600)

    assert share.low > 0.2
    assert [abs(model.weights).argmax()] == words.row(["telltale"])


@pytest.mark.slow
def test_where_nothing_leaks_a_guess_is_chance() -> None:
    cases = bags(1200, 0, FeatureVocabulary())
    share = wilson_interval(count_hits(train_probe(cases[:600]), cases[600:]), 600)

    assert share.low <= 0.2 <= share.high


@pytest.mark.slow
def test_words_of_a_whole_text_can_tell_a_place() -> None:
    rng, words = Random(3), FeatureVocabulary()
    cases: list[CaseFeatures] = []
    for _ in range(800):
        right = rng.randrange(4)
        found = rng.sample([f"word{at}" for at in range(200)], 40)
        if rng.random() < 0.5:
            found.append(f"hint{right}")
        cases.append(CaseFeatures(rows=(words.row(found),), right=right, candidates=4))

    assert wilson_interval(count_hits(train_probe(cases[:400]), cases[400:]), 400).low > 0.35


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cases", "read", "told"),
    [
        ("0", "0", []),
        ("4", "0", ["4 cases", "repeated: none"]),
        ("0", "40", ["reader, en", "reader, zh"]),
    ],
)
def test_a_part_of_the_trial_runs_alone(
    tmp_path: Path, cases: str, read: str, told: list[str]
) -> None:
    out = tmp_path / "figures.json"
    words = ["--cases", cases, "--drawn", "0", "--read", read, "--out", str(out)]
    app = typer.Typer()
    app.command()(run_audit)
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.exception
    assert all(one in result.stdout for one in told)
    assert json.loads(out.read_text())["cases"] == int(cases)


def test_an_unknown_plot_is_refused_in_one_line() -> None:
    app = typer.Typer()
    app.command()(run_audit)
    result = CliRunner().invoke(app, ["--cases", "4", "--plot", "nonsense"])
    assert result.exit_code == 2
    assert "no plot 'nonsense'" in result.stderr
    assert result.stderr.count("\n") == 1
