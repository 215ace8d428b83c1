"""The real scripts, where this machine has them: counts, types and cross-references only.

Scripts stand in natural order of their folders and are not named here.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scripts_mm.importers.import_batch import read_batch
from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.importers.lenient_reader import natural_sort_key
from scripts_mm.importers.whodunit import import_whodunit
from scripts_mm.script import ScriptError
from scripts_mm.script_folder import load_script, save_script
from tests.scripts_mm.making import published

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def imported(dataset: Path) -> tuple[ImportedScript, ...]:
    batch = read_batch(dataset)
    assert batch.refused == ()
    return batch.imported


@pytest.fixture(scope="module")
def raw(dataset: Path) -> list[dict[str, Any]]:
    paths = sorted(
        dataset.glob("*/env_p_all.json"), key=lambda path: natural_sort_key(path.parent.name)
    )
    return [json.loads(path.read_text("utf-8")) for path in paths]


def per_script(imported: tuple[ImportedScript, ...], code: str) -> list[int]:
    return [sum(1 for one in came.findings if one.code == code) for came in imported]


def total(imported: tuple[ImportedScript, ...], code: str) -> int:
    return sum(per_script(imported, code))


def test_every_script_comes_in_with_all_that_it_holds(imported: tuple[ImportedScript, ...]) -> None:
    counts = Counter(question.kind for came in imported for question in came.script.questions)
    assert counts == {"lsu": 1941, "tiu": 289, "miu": 140, "mmr": 374}
    assert len(imported) == 10
    assert [len(came.script.roles) for came in imported] == [5, 6, 6, 6, 6, 5, 6, 6, 4, 5]
    assert [len(came.script.questions) for came in imported] == [
        *(369, 368, 404, 376, 352, 142, 27, 51, 301, 354)
    ]
    assert [len(came.pictures) for came in imported] == [11, 9, 5, 9, 9, 17, 2, 3, 9, 11]
    assert len({one.sha256 for came in imported for one in came.script.pictures}) == 76
    assert {came.script.language for came in imported} == {"zh"}


def test_each_question_is_found_where_the_file_has_it(
    imported: tuple[ImportedScript, ...], raw: list[dict[str, Any]]
) -> None:
    for came, case in zip(imported, raw, strict=True):
        asked = {question.id: question for question in came.script.questions}
        listed = [
            (f"LSU-{role['name']}-{number}", entry["q"], entry["ans"])
            for role in case["role"]
            for number, entry in enumerate(role["r_q"], 1)
        ]
        listed += [
            (f"MMR-{number}", entry["q"], entry["ans"])
            for number, entry in enumerate(case["key_clues_questions"], 1)
        ]
        for name, key in (("TIU", "ei_q"), ("MIU", "cxi_q")):
            pairs = zip(case[key]["key_q"], case[key]["key_ans"], strict=True)
            listed += [(f"{name}-{n}", text, answer) for n, (text, answer) in enumerate(pairs, 1)]
        assert sorted(name for name, _, _ in listed) == sorted(asked)
        for name, text, answer in listed:
            question = asked[name]
            assert question.stem in text
            assert all(option in text for option in question.options)
            assert question.keys == ("abcd".index(answer),)


def test_roles_truth_and_missions_are_those_of_the_file(
    imported: tuple[ImportedScript, ...], raw: list[dict[str, Any]]
) -> None:
    for came, case in zip(imported, raw, strict=True):
        script = came.script
        assert [role.script for role in script.roles] == [
            role["back"].strip() for role in case["role"]
        ]
        assert script.truth.culprits == (case["murder"],)
        assert script.truth.text == case["reason"].strip()
        assert script.civilian_mission == case["task_nm"].strip()
        for role, entry in zip(script.roles, case["role"], strict=True):
            assert role.reply == (entry["answer"].strip() if "answer" in entry else None)
        pool = case["key_clues_pool"]
        texts = [text.strip() for bucket in pool.values() for text in bucket]
        assert [key.text for key in script.truth.key_clues] == texts
        assert len(script.truth.key_roles) == len(case["key_role"])


def test_every_irregularity_of_the_questions_is_found(imported: tuple[ImportedScript, ...]) -> None:
    sizes = Counter(len(one.options) for came in imported for one in came.script.questions)
    assert sizes == {4: 2724, 2: 20}
    assert total(imported, "option-count") == 20
    assert total(imported, "equal-options") == 1
    assert total(imported, "no-space-before-marker") == 2
    assert total(imported, "no-space-after-marker") == 86
    assert per_script(imported, "outer-space") == [0, 0, 0, 0, 0, 12, 0, 0, 4, 0]
    assert total(imported, "other-language") == 1
    assert per_script(imported, "same-text-two-keys") == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert per_script(imported, "same-stem-two-answers") == [2, 6, 3, 4, 2, 0, 0, 0, 1, 2]
    assert per_script(imported, "duplicate-question") == [22, 48, 14, 99, 70, 4, 0, 0, 11, 27]
    assert per_script(imported, "placeholder-questions") == [0, 0, 0, 0, 0, 5, 6, 6, 0, 0]
    assert per_script(imported, "numbered-list") == [0] * 8 + [2, 2]
    assert per_script(imported, "copy-differs") == [0] * 8 + [1, 1]
    assert not any(one.severity == "error" for came in imported for one in came.findings[1:])


def test_hops_are_those_of_the_sources(imported: tuple[ImportedScript, ...]) -> None:
    hops = [
        Counter(one.hops for one in came.script.questions if one.kind == "mmr") for came in imported
    ]
    assert hops[0] == {1: 25, 2: 9, 3: 5}
    assert hops[1] == {0: 10, 1: 16, 2: 2, 3: 1, 4: 1, 5: 1}
    assert hops[5] == {0: 20, 1: 36, 2: 18, 3: 5, 4: 2, 5: 2, 6: 1, 7: 1}
    assert hops[8] == {0: 21, 1: 20, 2: 7, 3: 6, 4: 2, 5: 1, 6: 1, 7: 1, None: 7}
    assert hops[9] == {0: 25, 1: 12, 2: 9, 3: 6, 4: 5, 5: 4, 6: 5}


def test_key_clues_clues_and_victims_are_counted(imported: tuple[ImportedScript, ...]) -> None:
    buckets = [Counter(key.hops for key in came.script.truth.key_clues) for came in imported]
    assert buckets[0] == {1: 15, 2: 8, 3: 5, 0: 15}
    assert buckets[9] == {0: 15, 1: 13, 2: 4, 3: 5, 4: 3, 5: 1, 6: 1}
    public = [sum(1 for one in came.script.clues if not one.pictures) for came in imported]
    assert public == [2, 0, 2, 0, 0, 4, 1, 0, 3, 0]
    assert [len(came.script.victims) for came in imported] == [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert per_script(imported, "key-clue-repeated") == [3, 0, 0, 0, 0, 1, 0, 0, 4, 2]
    assert per_script(imported, "key-clue-owner") == [2] + [0] * 9
    assert per_script(imported, "name-matched") == [0] * 8 + [2, 0]
    assert per_script(imported, "key-role-is-murderer") == [1, 1, 1, 1, 1, 0, 1, 1, 0, 0]
    assert per_script(imported, "public-clue-numbers") == [0] * 5 + [1] + [0] * 4
    assert total(imported, "id-differs") == 5
    assert total(imported, "truth-without-headings") == 2


def test_every_contradiction_of_the_truth_is_found(imported: tuple[ImportedScript, ...]) -> None:
    assert per_script(imported, "key-against-murderer") == [0, 0, 0, 0, 0, 1, 0, 0, 3, 0]
    assert per_script(imported, "confession-of-innocent") == [0] * 6 + [1, 0, 0, 0]
    assert per_script(imported, "crime-of-innocent") == [0] * 6 + [2, 1, 0, 0]
    assert [min(n, 1) for n in per_script(imported, "truth-of-another-script")] == [
        *(0, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    ]
    assert per_script(imported, "murderer-disagreement") == [0] * 10


def test_misspelt_names_misread_texts_and_absent_persons_are_found(
    imported: tuple[ImportedScript, ...],
) -> None:
    assert per_script(imported, "option-near-role") == [1, 0, 0, 0, 0, 1, 0, 0, 1, 1]
    assert per_script(imported, "absent-character")[1:5] == [1, 5, 1, 2]
    assert per_script(imported, "corrupt-text") == [0, 0, 0, 0, 0, 1, 3, 4, 0, 0]
    assert per_script(imported, "omitted-passage") == [0] * 6 + [3, 1, 0, 0]
    assert all(count for count in per_script(imported, "name-variant")[:8])


def test_every_wrong_picture_is_found(imported: tuple[ImportedScript, ...]) -> None:
    assert per_script(imported, "picture-unusable") == [1] + [0] * 9
    assert per_script(imported, "picture-type") == [0, 9, 0, 9, 9, 17, 2, 3, 9, 0]
    assert per_script(imported, "pictures-of-another-script") == [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    for came in imported:
        numbers = [int(clue.id.split("-")[1]) for clue in came.script.clues if clue.pictures]
        assert numbers == sorted(numbers)


def test_options_that_point_at_others_are_pinned(imported: tuple[ImportedScript, ...]) -> None:
    pinned = [sum(one.pinned for one in came.script.questions) for came in imported]
    assert pinned == [3, 2, 2, 0, 0, 0, 0, 0, 8, 0]


def test_what_came_in_can_be_saved_and_loaded(
    imported: tuple[ImportedScript, ...], tmp_path: Path
) -> None:
    for came in imported[:3]:
        save_script(came.script, came.pictures, tmp_path / came.script.id)
        assert load_script(tmp_path / came.script.id).script == came.script


def test_older_snapshots_come_in_or_are_refused_in_one_line(dataset: Path, tmp_path: Path) -> None:
    older = sorted(dataset.glob("*/env_p*.json"))
    snapshots = [path for path in older if re.fullmatch(r"env_p(_update)?\.json", path.name)]
    assert len(snapshots) == 8
    roles: list[int] = []
    for number, path in enumerate(snapshots):
        folder = published(tmp_path / str(number), raw=path.read_bytes())
        try:
            found = import_whodunit(folder)
        except ScriptError:
            roles.append(0)
            continue
        save_script(found.script, found.pictures, tmp_path / "out" / str(number))
        roles.append(len(found.script.roles))
    assert min(roles) >= 4
