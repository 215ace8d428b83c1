"""What shows only when several scripts come in together, and writing them."""

import json
from pathlib import Path

import pytest

from scripts_mm.importers.across import check_across
from scripts_mm.importers.batch import read_batch, write_batch
from scripts_mm.script import Role, Script, ScriptError, Truth
from tests.scripts.making import a_script, published

FIRST = (
    "The rope was wound around the mill wheel, and the wheel drew it tight when the sluice opened."
)
SECOND = "The soup was clean, but the spoon had lain all day in the juice of yellow water hemlock."


def case(name: str, deed: str, told: str, roles: tuple[str, str] = ("Ilse", "Corin")) -> Script:
    """Return a case whose culprit did `deed` and whose truth tells `told`."""
    people = (Role(name=roles[0], script="You slept."), Role(name=roles[1], script=deed))
    truth = Truth(culprits=(roles[1],), text=told)
    return a_script(id=name, roles=people, clues=(), questions=(), truth=truth)


def found(*scripts: Script) -> list[set[str]]:
    return [{one.code for one in notes.found} for _, notes in check_across(scripts)]


def test_truths_that_were_swapped_between_cases_of_one_work_are_told() -> None:
    swapped = found(case("one", FIRST, SECOND), case("two", SECOND, FIRST))
    assert swapped == [{"truth-of-another-script"}] * 2


def test_truths_in_their_place_and_cases_of_other_works_are_no_fault() -> None:
    assert found(case("one", FIRST, FIRST), case("two", SECOND, SECOND)) == [set(), set()]
    others = case("two", SECOND, FIRST, ("Bram", "Tamsin"))
    assert found(case("one", FIRST, SECOND), others) == [set(), set()]


def test_nothing_is_written_if_one_of_the_scripts_is_there_already(tmp_path: Path) -> None:
    published(tmp_path / "data" / "lake_1")
    published(tmp_path / "data" / "lake_2")
    write_batch(read_batch(tmp_path / "data" / "lake_2"), tmp_path / "out")
    with pytest.raises(ScriptError, match="lake_2"):
        write_batch(read_batch(tmp_path / "data"), tmp_path / "out")
    assert not (tmp_path / "out" / "lake_1").exists()


def test_two_folders_that_would_be_one_script_are_refused(tmp_path: Path) -> None:
    published(tmp_path / "data" / "lake 1")
    published(tmp_path / "data" / "lake-1")
    with pytest.raises(ScriptError, match="two of the scripts would be"):
        write_batch(read_batch(tmp_path / "data"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_report_keeps_what_it_says_of_other_scripts(tmp_path: Path) -> None:
    for name in ("lake_1", "lake_2"):
        write_batch(read_batch(published(tmp_path / name)), tmp_path / "out")
    report = json.loads((tmp_path / "out" / "findings.json").read_text("utf-8"))
    assert sorted(report) == ["lake_1/zh", "lake_2/zh"]
