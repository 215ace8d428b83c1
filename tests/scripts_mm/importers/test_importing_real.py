"""The real scripts of all formats, where this machine has them: counts and cross-references only.

Scripts stand in natural order of their folders and are not named here.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from scripts_mm.catalog import find_script, list_entries
from scripts_mm.findings import count_by_severity
from scripts_mm.importers.format_registry import select_formats
from scripts_mm.importers.import_batch import ImportBatch, read_batch, write_batch
from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.importers.supplied_culprits import SuppliedCulprits
from scripts_mm.linting import lint
from scripts_mm.names import normal_form, text_form
from scripts_mm.script_folder import load_script, save_script
from scripts_mm.script_info import last_stage
from scripts_mm.script_tables import batch_table

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def batch(samples: Path) -> ImportBatch:
    found = read_batch(samples)
    assert found.refused == ()
    return found


@pytest.fixture(scope="module")
def wellplay(batch: ImportBatch) -> tuple[ImportedScript, ...]:
    """WellPlay's scripts: seven in Chinese, then seven in English."""
    return tuple(one for one in batch.imported if one.script.source == "wellplay")


@pytest.fixture(scope="module")
def mirage(batch: ImportBatch) -> tuple[ImportedScript, ...]:
    """MIRAGE's scripts: five in English, then five in Chinese."""
    return tuple(one for one in batch.imported if one.script.source == "mirage")


def per_script(imported: Iterable[ImportedScript], code: str) -> list[int]:
    return [sum(1 for one in came.findings if one.code == code) for came in imported]


def total(imported: Iterable[ImportedScript], code: str) -> int:
    return sum(per_script(imported, code))


def details(came: ImportedScript, code: str) -> list[str]:
    return [one.detail for one in came.findings if one.code == code]


def asked(rows: Iterable[ImportedScript]) -> Counter[str]:
    return Counter(one.kind for came in rows for one in came.script.questions)


def test_one_table_holds_all_formats_and_languages_with_their_totals(batch: ImportBatch) -> None:
    console = Console(width=400, record=True, file=StringIO())
    console.print(batch_table(batch))
    lines = [" ".join(line.split()) for line in console.export_text().splitlines()]
    kinds = "LSU TIU MIU MMR OBJ REA REL all points err warn info"
    assert f"script roles pics clues stages victims {kinds}" in lines
    totals = {line.split(":")[0]: line.split(": ")[1].split() for line in lines if ": " in line}
    figures = {name: list(map(int, row))[1:15] for name, row in totals.items()}
    assert figures == {
        "whodunit zh": [55, 85, 97, 10, 2, 1941, 289, 140, 374, 0, 0, 0, 2744, 0],
        "wellplay zh": [37, 0, 0, 9, 13, 0, 0, 0, 0, 64, 472, 300, 836, 3600],
        "wellplay en": [37, 0, 0, 9, 13, 0, 0, 0, 0, 64, 472, 300, 836, 3600],
        "mirage en": [31, 0, 135, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        "mirage zh": [31, 0, 135, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    }
    last = [*map(int, next(line for line in lines if line.startswith("34 scripts")).split()[2:])]
    assert last[:14] == [sum(row[at] for row in figures.values()) for at in range(14)]
    assert sum(last[14:]) == sum(len(came.findings) for came in batch.imported)


def test_every_script_is_saved_loaded_again_and_found_by_its_id(
    batch: ImportBatch, tmp_path: Path
) -> None:
    write_batch(batch, tmp_path)
    for came in batch.imported:
        folder = tmp_path / came.script.id / came.script.language
        assert load_script(folder).script == came.script
        assert find_script(came.script.id, extra=(tmp_path,)).script == came.script
    assert len(list_entries(tmp_path)) == len(batch.imported) == 34


def test_a_script_comes_in_alone_as_in_its_data_set(
    samples: Path, wellplay: tuple[ImportedScript, ...], mirage: tuple[ImportedScript, ...]
) -> None:
    for pattern, group in (("wellplay/*/*", wellplay), ("mirage/dataset/*/*", mirage)):
        alone = [
            read_batch(path).imported[0].script
            for path in sorted(samples.glob(pattern))
            if path.is_dir()
        ]
        assert {one.id: one for one in alone} == {one.script.id: one.script for one in group}


def test_every_row_of_the_roles_tables_is_a_question(
    wellplay: tuple[ImportedScript, ...], wellplay_data: Path
) -> None:
    rows: dict[str, Counter[str]] = {"zh": Counter(), "en": Counter()}
    for path in wellplay_data.glob("*/*/final_result/*.csv"):
        if path.stem not in ("GM", "FSA"):
            text = path.read_text("utf-8-sig")
            kinds = [row[0].strip() for row in csv.reader(text.splitlines()[1:]) if any(row)]
            rows["zh" if path.parts[-4] == "chinese" else "en"].update(kinds)
    for language, counts in rows.items():
        found = asked(one for one in wellplay if one.script.language == language)
        assert found == {"obj": 64, "rea": 472, "rel": 300}
        assert counts == {"a": found["obj"], "b": found["rea"], "c": found["rel"]}
    questions = [one for came in wellplay for one in came.script.questions]
    assert all(question.keys for question in questions)
    assert Counter(one.answer for one in questions) == {"one": 2 * 768, "two": 2 * 64, "set": 2 * 4}
    assert Counter(len(one.options) for one in questions) == {4: 2 * 799, 5: 2 * 26, 3: 2 * 11}
    scores = [sum(one.points or 0 for one in came.script.questions) for came in wellplay[:7]]
    assert sum(scores) == 3600


def test_questions_belong_to_the_role_whose_table_they_stand_in(
    wellplay: tuple[ImportedScript, ...],
) -> None:
    counts = [
        [sum(1 for one in came.script.questions if one.role == name) for name in came.script.names]
        for came in wellplay
    ]
    assert sorted(counts[:7]) == sorted(counts[7:])
    assert [13, 19, 10, 3, 13] in counts
    assert [39, 32, 26, 31, 39, 41, 32] in counts


def test_keys_are_the_letters_of_the_tables(
    wellplay: tuple[ImportedScript, ...], wellplay_data: Path
) -> None:
    by_language = {"chinese": wellplay[:7], "english": wellplay[7:]}
    compared = 0
    for language, group in by_language.items():
        for came, path in zip(group, _in_order(wellplay_data / language, group), strict=True):
            published = _published(path, came)
            for question in came.script.questions:
                table = path / "final_result" / f"{published[question.role or '']}.csv"
                lines = table.read_text("utf-8-sig").splitlines()[1:]
                row = list(csv.reader(lines))[int(question.id.rsplit("-", 1)[1]) - 1]
                cells = [cell.strip() for cell in row]
                letters = [cell for cell in cells[3:] if cell][-1]
                told = {question.options["abcde".index(letter)] for letter in letters}
                assert told == {question.options[key] for key in question.keys}
                compared += 1
    assert compared == 2 * 836


def _in_order(root: Path, group: Iterable[ImportedScript]) -> list[Path]:
    """Return the folder of each script, found by its id."""
    paths = [path for path in root.iterdir() if (path / "json").is_dir()]
    letters = {"".join(filter(str.isalnum, path.name)): path for path in paths}
    return [letters["".join(filter(str.isalnum, came.script.id))] for came in group]


def _published(path: Path, came: ImportedScript) -> dict[str, str]:
    """Return what the files call each role; names with brackets come in without them."""
    info = json.loads((path / "json" / "script_info.json").read_text("utf-8"))
    return dict(zip(came.script.names, info["character_name"], strict=True))


def test_scripts_victims_and_killers_are_those_of_the_role_files(
    wellplay: tuple[ImportedScript, ...], wellplay_data: Path
) -> None:
    for language, group in (("chinese", wellplay[:7]), ("english", wellplay[7:])):
        for came, path in zip(group, _in_order(wellplay_data / language, group), strict=True):
            script = came.script
            published = _published(path, came)
            cleaned = [name for name, other in published.items() if name != other]
            assert [item.place for item in came.findings if item.code == "name-cleaned"] == cleaned
            assert all("(" in published[name] for name in cleaned)
            files: dict[str, Any] = {
                name: json.loads((path / "json" / f"{other}.json").read_text("utf-8"))
                for name, other in published.items()
            }
            for at, killing in enumerate(script.truth.killings):
                killers = [name for name, one in files.items() if one["kill_by_me"][at]]
                assert list(killing.culprits) == killers
            flagged = [name for name, one in files.items() if one["is_murderer"]]
            assert list(script.truth.culprits) == flagged
            for role in script.roles:
                told = "".join(part.text for part in role.parts if part.name == "script")
                raw = "".join(files[role.name]["script"])
                broken = raw.count("\\n")
                assert len(normal_form(told)) == len(normal_form(raw)) - broken
                assert len(files[role.name]["victims"]) == len(script.victims)


def test_every_irregularity_of_wellplay_is_found(wellplay: tuple[ImportedScript, ...]) -> None:
    chinese, english = wellplay[:7], wellplay[7:]
    assert (total(chinese, "row-short"), total(english, "row-short")) == (1, 0)
    assert (total(chinese, "row-long"), total(english, "row-long")) == (0, 1)
    assert (total(chinese, "key-moved"), total(english, "key-moved")) == (1, 0)
    assert (total(chinese, "key-repeated"), total(english, "key-repeated")) == (1, 0)
    assert (total(chinese, "several-keys"), total(english, "several-keys")) == (1, 1)
    assert (total(chinese, "row-empty"), total(english, "row-empty")) == (1, 0)
    assert (total(chinese, "no-question"), total(english, "no-question")) == (0, 3)
    assert (total(chinese, "equal-options"), total(english, "equal-options")) == (4, 4)
    assert total(chinese, "killer-no-role") == total(english, "killer-no-role") == 7
    assert total(chinese, "killer-named-otherwise") >= 6 + 2
    assert (total(chinese, "asked-about-own-victim"), total(english, "asked-about-own-victim")) == (
        *(1, 0),
    )
    assert total(chinese, "victim-without-killer") == total(english, "victim-without-killer") == 1
    assert total(chinese, "missing-key") == total(english, "missing-key") == 1
    assert total(chinese, "victim-labels") == total(english, "victim-labels") == 3
    assert (total(chinese, "invisible-characters"), total(english, "invisible-characters")) == (
        *(0, 2),
    )
    assert total(english, "text-in-other-language") >= 17
    assert total(english, "other-language-left") >= 7
    assert total(chinese, "suspect-is-asker") > 0
    assert total(chinese, "suspect-is-victim") > 0
    assert total(chinese, "name-variant") > 0
    assert all(per_script(wellplay, "key-positions"))
    assert len([one for one in per_script(chinese, "literal-line-break") if one]) == 5


def test_counted_irregularities_of_wellplay_have_their_counts(
    wellplay: tuple[ImportedScript, ...],
) -> None:
    for group in (wellplay[:7], wellplay[7:]):
        left = [int(one.split()[0]) for came in group for one in details(came, "placeholder-left")]
        assert sum(left) == 59
    english = [
        int(one.split()[0]) for came in wellplay[:7] for one in details(came, "options-in-english")
    ]
    assert sum(english) == 300
    reworded = [int(one.split()[0]) for came in wellplay for one in details(came, "union-reworded")]
    assert sorted(reworded) == [64, 66, 69, 69, 78, 78]
    assert total(wellplay, "union-size") == 0
    disagreeing = [one for one in per_script(wellplay, "languages-disagree") if one]
    assert len(disagreeing) == 4


def test_every_clue_of_mirage_comes_in_where_it_is_found(
    mirage: tuple[ImportedScript, ...], mirage_data: Path
) -> None:
    files = _read(_clue_files(mirage_data))
    for came in mirage:
        script = came.script
        lists: dict[str, list[str]] = {
            place: found for place, found in files[script.title].items() if isinstance(found, list)
        }
        words: list[dict[str, str]] = [
            found for found in files[script.title].values() if isinstance(found, dict)
        ]
        texts = [
            text for found in (*lists.values(), *(one.values() for one in words)) for text in found
        ]
        assert sorted(text_form(clue.text) for clue in script.clues) == sorted(
            map(text_form, texts)
        )
        placed = Counter(clue.place for clue in script.clues if clue.place)
        assert {place: len(lists[place]) for place in placed} == placed
        triggers = [clue for clue in script.clues if clue.trigger]
        assert len(triggers) == sum(map(len, words))
        assert all(clue.owner for clue in triggers)
        assert all(clue.owner is None for clue in script.clues if not clue.trigger)
    for group in (mirage[:5], mirage[5:]):
        counts = [
            (
                len(one.script.clues),
                sum(1 for clue in one.script.clues if clue.trigger),
                sum(1 for clue in one.script.clues if not clue.place and not clue.trigger),
            )
            for one in group
        ]
        assert sorted(counts) == [(14, 0, 0), (17, 0, 0), (17, 0, 3), (42, 0, 0), (45, 6, 0)]


def _read(paths: list[Path]) -> dict[str, Any]:
    """Return the content of JSON files by the names of their folders."""
    return {path.parent.name: json.loads(path.read_text("utf-8")) for path in paths}


def _clue_files(root: Path) -> list[Path]:
    return [*root.glob("Zh/*/线索.json"), *root.glob("En/*/clues.json")]


def test_stages_hold_every_text_of_mirage_once(
    mirage: tuple[ImportedScript, ...], mirage_data: Path
) -> None:
    files = [*mirage_data.glob("Zh/*/人物剧本.json"), *mirage_data.glob("En/*/script.json")]
    raw = _read(files)
    for group in (mirage[:5], mirage[5:]):
        assert sorted(last_stage(came.script) for came in group) == [1, 1, 1, 5, 7]
    for came in mirage:
        top = raw[came.script.title]
        staged = "Story" not in next(iter(top.values()))
        acts: list[dict[str, Any]] = list(top.values()) if staged else [top]
        assert last_stage(came.script) == len(acts)
        for role in came.script.roles:
            told = [text_form(part.text) for part in role.parts]
            every = [text_form(text) for act in acts for text in act[role.name].values() if text]
            assert set(told) == set(every)
            assert len(told) <= len(every)
            assert all(part.text in role.script for part in role.parts)


def test_truths_are_found_and_culprits_come_from_outside(
    mirage: tuple[ImportedScript, ...], mirage_data: Path
) -> None:
    truths = _read([mirage_data / one / "Truth.json" for one in ("En", "Zh")])
    sizes = [len(text.strip()) for one in truths.values() for text in one.values()]
    assert sorted(len(came.script.truth.text) for came in mirage) == sorted(sizes)
    assert per_script(mirage, "no-murderer") == [1] * 10
    assert total(mirage, "truth-title-near") == 1
    assert all(came.script.truth.culprits == () for came in mirage)
    told = {came.script.title: (came.script.names[0], "A Stranger") for came in mirage}
    again = read_batch(mirage_data, select_formats("mirage"), SuppliedCulprits(culprits=told))
    assert again.unused == ()
    assert all(len(came.script.truth.culprits) == 2 for came in again.imported)
    assert all(came.script.truth.not_playable == ("A Stranger",) for came in again.imported)


def test_every_irregularity_of_mirage_is_found(mirage: tuple[ImportedScript, ...]) -> None:
    english, chinese = mirage[:5], mirage[5:]
    assert (total(english, "place-near-role"), total(chinese, "place-near-role")) == (1, 0)
    assert total(english, "place-no-role") == total(chinese, "place-no-role") == 1
    assert total(english, "place-is-role") == total(chinese, "place-is-role") == 2
    assert total(english, "trigger-not-in-script") == 1
    assert total(english, "clue-twice") == total(chinese, "clue-twice") == 1
    assert total(english, "table-in-text") == total(chinese, "table-in-text") == 2
    assert total(english, "public-by-name") == total(chinese, "public-by-name") == 3
    assert total(chinese, "symbol-mark") == total(english, "symbol-mark") == 5
    assert total(chinese, "masked-words") > 0
    assert total(english, "bold-marks") > 0
    assert total(english, "brackets-unpaired") > 0
    assert total(english, "other-language-left") > 0
    assert total(chinese, "name-variant") > 0
    assert not any(count_by_severity(came.findings)["error"] for came in mirage)


def test_a_script_without_culprit_is_told_by_lint_and_none_breaks_it(
    batch: ImportBatch, tmp_path: Path
) -> None:
    for came in (one for one in batch.imported if not one.pictures):
        save_script(came.script, came.pictures, tmp_path / came.script.id)
        codes = {one.code for one in lint(load_script(tmp_path / came.script.id))}
        assert ("no-culprit" in codes) == (came.script.source == "mirage")
