"""What shows only when several scripts come in together, and writing them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts_mm.catalog import find_script
from scripts_mm.importers.cross_checks import cross_check
from scripts_mm.importers.import_batch import read_batch, write_batch
from scripts_mm.script import Role, Script, ScriptError, Truth
from tests.scripts_mm.making import a_script, published
from tests.scripts_mm.publishing import (
    mirage,
    table,
    wellplay,
    wellplay_role,
    wellplay_rows,
)

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
    return [{one.code for one in notes.found} for _, notes in cross_check(scripts)]


def test_truths_that_were_swapped_between_cases_of_one_work_are_told() -> None:
    swapped = found(case("one", FIRST, SECOND), case("two", SECOND, FIRST))
    assert swapped == [{"truth-of-another-script"}] * 2


def test_truths_in_their_place_and_cases_of_other_works_are_no_fault() -> None:
    assert found(case("one", FIRST, FIRST), case("two", SECOND, SECOND)) == [set(), set()]
    others = case("two", SECOND, FIRST, ("Bram", "Tamsin"))
    assert found(case("one", FIRST, SECOND), others) == [set(), set()]


def test_a_truth_is_compared_with_cases_of_its_own_format_only() -> None:
    other = replace(case("two", SECOND, FIRST), source="wellplay")
    assert found(case("one", FIRST, SECOND), other) == [set(), set()]


def two_languages(tmp_path: Path, **changes: Any) -> list[set[str]]:
    """Import one script in two languages, the second one changed; return the codes of each."""
    wellplay(tmp_path / "data" / "chinese" / "湖心灯")
    wellplay(tmp_path / "data" / "english" / "Lake Light", **changes)
    batch = read_batch(tmp_path / "data")
    return [{one.code for one in came.findings} for came in batch.imported]


def test_languages_of_one_script_that_state_different_truths_are_told(tmp_path: Path) -> None:
    guilty = wellplay_role("周小满", kill_by_me=[0, 1], is_murderer=1)
    codes = two_languages(tmp_path, roles={"周小满": guilty})
    assert all("languages-disagree" in one for one in codes)


def test_languages_of_one_script_whose_keys_differ_are_told(tmp_path: Path) -> None:
    rows = wellplay_rows("周小满")
    rows[1][-1] = "d"
    codes = two_languages(tmp_path, tables={"周小满.csv": table(rows)})
    assert all("languages-disagree" in one for one in codes)


def test_languages_that_agree_or_are_of_other_counts_are_not_compared(tmp_path: Path) -> None:
    same = two_languages(tmp_path / "same")
    fewer = two_languages(tmp_path / "fewer", tables={"周小满.csv": b""})
    assert not any("languages-disagree" in one for one in (*same, *fewer))


def test_scripts_of_one_name_have_ids_of_their_own_in_each_language(tmp_path: Path) -> None:
    for language in ("Zh", "En"):
        mirage(tmp_path / "data" / language / "pump")
    mirage(tmp_path / "data" / "En" / "mill")
    batch = read_batch(tmp_path / "data")
    assert [one.script.id for one in batch.imported] == ["mill", "pump-en", "pump-zh"]
    write_batch(batch, tmp_path / "out")
    assert find_script("pump-zh", extra=(tmp_path / "out",)).script.language == "zh"


def test_one_folder_that_holds_no_role_keeps_no_other_from_coming_in(tmp_path: Path) -> None:
    mirage(tmp_path / "data" / "En" / "mill")
    mirage(tmp_path / "data" / "En" / "pump", roles=b"{")
    (tmp_path / "data" / "En" / "empty").mkdir()
    batch = read_batch(tmp_path / "data")
    assert [one.script.id for one in batch.imported] == ["mill"]
    assert len(batch.refused) == 1
    assert batch.strangers == ("En/empty",)
    with pytest.raises(ScriptError, match="none that can be read"):
        read_batch(tmp_path / "data" / "En" / "pump")


def test_nothing_is_written_if_one_of_the_scripts_is_there_already(tmp_path: Path) -> None:
    published(tmp_path / "data" / "lake_1")
    published(tmp_path / "data" / "lake_2")
    write_batch(read_batch(tmp_path / "data" / "lake_2"), tmp_path / "out")
    with pytest.raises(ScriptError, match="lake_2"):
        write_batch(read_batch(tmp_path / "data"), tmp_path / "out")
    assert not (tmp_path / "out" / "lake_1").exists()


def test_the_later_of_two_folders_that_would_be_one_script_gets_a_number(tmp_path: Path) -> None:
    for name in ("lake 1", "lake-1", "lake-1-2", "Lake（1）"):
        published(tmp_path / "data" / name)
    batch = read_batch(tmp_path / "data")
    ids = [one.script.id for one in batch.imported]
    assert len({name.casefold() for name in ids}) == 4
    assert {"lake-1", "lake-1-2", "lake-1-3"} <= {name.casefold() for name in ids}
    numbered = next(one for one in batch.imported if one.script.id.casefold() == "lake-1-3")
    assert "id-changed" in {one.code for one in numbered.findings}
    write_batch(batch, tmp_path / "out")
    assert find_script(ids[-1], extra=(tmp_path / "out",)).script.id == ids[-1]


def test_the_report_keeps_what_it_says_of_other_scripts(tmp_path: Path) -> None:
    for name in ("lake_1", "lake_2"):
        write_batch(read_batch(published(tmp_path / name)), tmp_path / "out")
    report = json.loads((tmp_path / "out" / "findings.json").read_text("utf-8"))
    assert sorted(report) == ["lake_1/zh", "lake_2/zh"]
