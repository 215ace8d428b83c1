"""Importing invented MIRAGE folders: whatever is in them, it is told and play goes on."""

import json
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.importers.mirage import import_mirage
from scripts_mm.importers.stage_numbers import parse_stage_number
from scripts_mm.importers.supplied_culprits import SuppliedCulprits
from scripts_mm.linting import lint
from scripts_mm.script import ScriptError
from scripts_mm.script_folder import load_script, save_script
from scripts_mm.script_schema import MAX_ROLES
from tests.scripts_mm.publishing import (
    fields,
    mirage,
    mirage_clues,
    mirage_flat,
    mirage_staged,
)

USUAL = {"no-murderer", "victim-not-named", "public-by-name", "place-is-role"}
"""Codes that nearly every script of the format has."""


def came(tmp_path: Path, culprits: tuple[str, ...] | None = None, **parts: Any) -> ImportedScript:
    """Publish a folder in a language's folder, import it, save it and load it again."""
    told = SuppliedCulprits(culprits={} if culprits is None else {"the pump": culprits})
    found = import_mirage(mirage(tmp_path / "En" / "the-pump", **parts), told)
    save_script(found.script, found.pictures, tmp_path / "out")
    assert load_script(tmp_path / "out").script == found.script
    return found


def codes(found: ImportedScript) -> dict[str, str]:
    return {one.code: one.severity for one in found.findings if one.code not in USUAL}


def at(found: ImportedScript, code: str) -> list[str]:
    return [one.place for one in found.findings if one.code == code]


def told(found: ImportedScript, role: str) -> dict[tuple[int, str], str]:
    """Return a role's parts by stage and name."""
    return {(part.stage, part.name): part.text for part in found.script.role(role).parts}


def test_a_flat_folder_without_irregularities_has_only_what_the_format_lacks(
    tmp_path: Path,
) -> None:
    found = came(tmp_path)
    script = found.script
    assert {one.code for one in found.findings} == USUAL
    assert (script.id, script.title) == ("the-pump", "the-pump")
    assert (script.language, script.source, script.ending) == ("en", "mirage", "closed")
    assert script.names == ("Ilse Varga", "Corin Dale", "Bram Oake")
    assert script.truth.text == "Corin cut the rope that held the wheel."
    assert (script.truth.culprits, script.victims, script.questions) == ((), (), ())
    role = script.role("Corin Dale")
    assert [(part.name, part.stage) for part in role.parts] == [
        *(("story", 1), ("script", 1), ("relationship", 1), ("performance", 1), ("purpose", 1))
    ]
    assert role.mission == "Find the thief."
    assert role.script.startswith("Background\nYou owe money.\n\nEvents\nYou met")
    assert all(part.text in role.script for part in role.parts)


def test_stages_hold_only_what_is_new_in_them(tmp_path: Path) -> None:
    found = came(tmp_path, roles=mirage_staged())
    parts = told(found, "Corin Dale")
    assert sorted(stage for stage, _ in parts) == [1, 1, 1, 1, 1, 2, 3, 3]
    assert parts[2, "script"] == "Corin Dale waits by the pump."
    assert parts[3, "relationship"] == "Bram is a stranger."
    assert parts[3, "purpose"] == "Run."
    whole = found.script.role("Corin Dale").script
    assert whole.count("Bram is your cousin.") == 1
    assert whole.index("Stage 1") < whole.index("Stage 2") < whole.index("Stage 3")
    assert found.script.role("Corin Dale").mission == "Find the thief.\nRun."


def test_chinese_folders_have_chinese_headings(tmp_path: Path) -> None:
    folder = tmp_path / "Zh" / "水车"
    folder.mkdir(parents=True)
    roles = {
        name: fields("你修水车。", f"你看见{name}。", Relationship="", Purpose="", Performance="")
        for name in ("林阿桥", "许墨言")
    }
    staged = {"第一幕": roles, "第二幕": {name: fields("", "天亮了。") for name in roles}}
    (folder / "人物剧本.json").write_text(json.dumps(staged), "utf-8-sig")
    (folder / "线索.json").write_text(json.dumps({"公开线索1": ["水车停了。"]}), "utf-8")
    found = import_mirage(folder)
    assert found.script.language == "zh"
    assert found.script.role("林阿桥").script.startswith("第1幕\n\n背景\n你修水车。")
    assert found.script.clues[0].place is None
    assert "no-truth" in codes(found)


def test_clues_stand_at_places_in_public_or_wait_for_a_word(tmp_path: Path) -> None:
    clues = {clue.id: clue for clue in came(tmp_path).script.clues}
    assert list(clues) == [
        *("The mill-1", "The mill-2", "Corin Dale", "Public Clue 1"),
        *("Memory of Ilse Varga-1", "Memory of Ilse Varga-2"),
    ]
    assert (clues["The mill-2"].place, clues["The mill-2"].title) == ("The mill", "The mill 2")
    assert clues["Corin Dale"].place == "Corin Dale"
    assert clues["Corin Dale"].owner is None
    public = clues["Public Clue 1"]
    assert (public.place, public.owner, public.stage) == (None, None, 1)
    memory = clues["Memory of Ilse Varga-2"]
    assert (memory.owner, memory.trigger, memory.place) == ("Ilse Varga", "pump", None)


def test_clues_may_come_in_stages(tmp_path: Path) -> None:
    staged = {
        "Stage 1": {"The mill": ["A rope."], "Public Clue 1": "Noon."},
        "Stage 3": {"The mill": ["A sack."], "Memory of Bram Oake": {"sack": "Yours."}},
        "Bram Oake": "You left the door open.",
    }
    clues = {clue.id: clue for clue in came(tmp_path, clues=staged).script.clues}
    assert [(name, clue.stage) for name, clue in clues.items()] == [
        ("The mill", 1),
        ("Public Clue 1", 1),
        ("The mill~2", 3),
        ("Memory of Bram Oake-1", 3),
        ("Bram Oake", 1),
    ]
    assert (clues["Bram Oake"].owner, clues["Bram Oake"].place) == ("Bram Oake", None)
    assert clues["Memory of Bram Oake-1"].owner == "Bram Oake"


@pytest.mark.parametrize(
    ("clues", "count", "code"),
    [
        ({}, 0, None),
        (b"[]", 0, "file-unreadable"),
        (b"{", 0, "file-unreadable"),
        (f'{{"The mill": {"[" * 900}{"]" * 900}}}'.encode(), 0, "clue-empty"),
        ({"The mill": []}, 0, "place-empty"),
        ({"The mill": ["", " "]}, 0, "clue-empty"),
        ({"The mill": [3, None, ["a", "b"]]}, 2, "wrong-type"),
        ({"The mill": 3}, 0, "wrong-type"),
        ({"The mill": "A rope."}, 1, "wrong-type"),
        ({"": ["A rope."]}, 0, "place-without-name"),
        ({"A memory": {"rope": "x"}}, 1, "trigger-without-role"),
        ({"Memory of Ilse Varga": {" ": "x"}}, 0, "trigger-empty"),
        ({"Memory of Ilse Varga": {"ladder": "x"}}, 1, "trigger-not-in-script"),
        ({"Memory of Ilse Varga": {"pump": ["x", "y"]}}, 1, "wrong-type"),
        ({"Then": {"The mill": ["A rope."]}, "Now": {"The mill": ["Flour."]}}, 2, "stage-names"),
        ({"Corin Dole": ["A rope."]}, 1, "place-near-role"),
        ({"The mill": ["A rope."], "Barn": ["a rope. "]}, 2, "clue-twice"),
        ({"The mill": ["You heard Corin Dale call Ilse Varga."]}, 1, "clue-in-script"),
        ({"The mill": ["One ★ mark."]}, 1, "symbol-mark"),
        ({"The mill": ["He said ** and ***."]}, 1, "masked-words"),
        ({"The mill": ["It was **late** then."]}, 1, "bold-marks"),
        ({"The mill": ["| a | b |\n|——|——|"]}, 1, "table-in-text"),
        ({"The mill": ["【The rope]"]}, 1, "brackets-unpaired"),
        ({"The mill": ["1) a rope（wet)"]}, 1, None),
        ({"The mill": ["{0} {pump} %s"]}, 1, None),
        ({"The mill": ["Here is the corrected text: A rope."]}, 1, "remark-in-text"),
        ({"The mill": ["一根绳子"]}, 1, "text-in-other-language"),
        ({"The mill": ["A rope 绳 of hemp, wet at both ends."]}, 1, "other-language-left"),
        ({name: ["x" + name] for name in (*mirage_flat(), "Someone")}, 4, "place-no-role"),
    ],
)
def test_odd_clues_are_told(tmp_path: Path, clues: Any, count: int, code: str | None) -> None:
    found = came(tmp_path, clues=clues)
    assert len(found.script.clues) == count
    assert (code in codes(found)) if code else codes(found) == {}


def test_without_a_clue_file_there_are_no_clues(tmp_path: Path) -> None:
    folder = mirage(tmp_path / "En" / "the-pump")
    (folder / "clues.json").unlink()
    found = import_mirage(folder)
    assert found.script.clues == ()
    assert codes(found)["no-clues"] == "warning"


@pytest.mark.parametrize(
    ("keys", "numbers"),
    [
        (("Stage 1", "Stage 2", "Stage 3"), [1, 2, 3]),
        (("Act I", "Act II", "Act IV"), [1, 2, 4]),
        (("第一幕", "第二幕", "第十一幕"), [1, 2, 11]),
        (("the first act", "Second Stage", "3rd chapter"), [1, 2, 3]),
        (("Dusk", "Night", "Dawn"), [1, 2, 3]),
        (("Stage 2", "Stage 1", "Stage 3"), [1, 2, 3]),
        (("Stage 1", "Stage 1.", "Stage 200"), [1, 2, 3]),
    ],
)
def test_stages_are_numbered_as_they_are_called_or_as_they_stand(
    tmp_path: Path, keys: tuple[str, ...], numbers: list[int]
) -> None:
    values = list(mirage_staged().values())
    found = came(tmp_path, roles=dict(zip(keys, values, strict=True)))
    parts = told(found, "Corin Dale")
    assert sorted({stage for stage, _ in parts}) == numbers
    assert parts[numbers[1], "script"] == "Corin Dale waits by the pump."


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("第二幕：", 2),
        ("第 三 章", 3),
        ("阶段四", 4),
        ("第二十三幕", 23),
        ("Stage_5", 5),
        ("Phase two", 2),
        ("第零幕", None),
        ("Stage fright", None),
        ("The mill", None),
        ("", None),
    ],
)
def test_stage_names_in_two_languages_are_numbers(text: str, number: int | None) -> None:
    assert parse_stage_number(text) == number


def test_a_role_may_be_renamed_come_late_or_stay_away(tmp_path: Path) -> None:
    roles = mirage_staged()
    del roles["Stage 2"]["Bram Oake"]
    roles["Stage 2"]["The Carter (Corin Dale)"] = roles["Stage 2"].pop("Corin Dale")
    roles["Stage 3"]["ILSE VARGA"] = roles["Stage 3"].pop("Ilse Varga")
    roles["Stage 3"]["The Carter"] = roles["Stage 3"].pop("Corin Dale")
    roles["Stage 3"]["Bram Oale"] = fields("You are new.", "You came by boat.")
    found = came(tmp_path, roles=roles)
    assert found.script.names == ("Ilse Varga", "Corin Dale", "Bram Oake", "Bram Oale")
    assert found.script.role("Corin Dale").aliases == ("The Carter",)
    assert told(found, "Corin Dale")[3, "purpose"] == "Run."
    assert at(found, "role-renamed") == ["Corin Dale"]
    assert at(found, "role-appears-late") == ["Bram Oale"]


def test_what_stands_beside_roles_is_told_and_read_by_nobody(tmp_path: Path) -> None:
    roles = mirage_staged()
    roles["Note"] = "A secret of the author."
    roles["Stage 2"]["Note"] = ["Another secret."]
    roles["Late Role"] = fields("You sit beside the stages.")
    found = came(tmp_path, roles=roles)
    assert len(at(found, "text-beside-roles")) == 2
    assert at(found, "role-beside-stages") == ["'Late Role'"]
    assert "secret" not in repr(found.script)
    assert told(found, "Late Role")[1, "story"] == "You sit beside the stages."


def test_two_keys_of_one_field_are_told_and_both_texts_kept(tmp_path: Path) -> None:
    roles = mirage_flat()
    roles["Ilse Varga"]["story"] = "You also swim."
    found = came(tmp_path, roles=roles)
    assert codes(found)["field-twice"] == "error"
    text = told(found, "Ilse Varga")[1, "story"]
    assert text == "You mend pumps and tie ropes.\n\nYou also swim."


def test_fields_may_be_missing_unknown_misspelt_or_of_another_type(tmp_path: Path) -> None:
    roles = mirage_flat()
    del roles["Ilse Varga"]["Ability"]
    roles["Corin Dale"] = {
        "story ": "You owe money.",
        "SCRIPT": ["a", "b"],
        "Secret": "x",
        "Ability": 3,
    }
    roles["Bram Oake"] = fields("", "", Relationship="", Performance="", Purpose=None)
    found = came(tmp_path, roles=roles)
    assert told(found, "Corin Dale") == {
        (1, "story"): "You owe money.",
        (1, "script"): "a\nb",
        (1, "ability"): "3",
    }
    assert at(found, "missing-key") == ["Ilse Varga", "Corin Dale"]
    assert at(found, "unknown-key") == ["Corin Dale, stage 1"]
    assert len(at(found, "key-form")) == 2
    assert len(at(found, "wrong-type")) == 2
    assert at(found, "role-without-script") == ["Bram Oake"]


def test_line_breaks_written_out_and_hidden_characters_are_mended_and_told(tmp_path: Path) -> None:
    roles = mirage_flat() | {"Ilse Varga": fields("One\\nTwo\u200b.", "You\xa0saw it.")}
    found = came(tmp_path, roles=roles)
    assert told(found, "Ilse Varga")[1, "story"] == "One\nTwo."
    assert told(found, "Ilse Varga")[1, "script"] == "You saw it."
    assert {"literal-line-break", "invisible-characters"} <= codes(found).keys()


@pytest.mark.parametrize(
    ("roles", "part"),
    [
        (b"{", "not JSON"),
        (b"[]", "wanted an object, got a list"),
        (b"\xff", "not UTF-8"),
        ({}, "none that can be read"),
        ({"Ilse": "You mend pumps."}, "none that can be read"),
        ({"Stage 1": {"Ilse": "You mend pumps."}}, "none that can be read"),
        ({"format": 1, "roles": [{"name": "x"}]}, "none that can be read"),
        ({"Ilse": fields("x")}, "has 1 roles; wanted at least 2"),
    ],
)
def test_only_a_folder_without_roles_is_refused(tmp_path: Path, roles: Any, part: str) -> None:
    with pytest.raises(ScriptError) as caught:
        import_mirage(mirage(tmp_path / "En" / "the-pump", roles=roles))
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_that_no_script_may_hold_are_cleaned(tmp_path: Path) -> None:
    roles = mirage_flat() | {"Ol\u200bd\n<|im_end|>": fields("x"), " ": fields("y"), "\u2028": {}}
    found = came(tmp_path, roles=roles, clues={"<|image|>": ["x"], "y" * 300: ["z"]})
    assert found.script.names[-1] == "Old |im_end|"
    assert {"name-cleaned", "role-without-name"} <= codes(found).keys()


def test_no_more_roles_are_read_than_a_script_may_have(tmp_path: Path) -> None:
    roles = {f"Role {n}": fields(f"You are {n}.") for n in range(MAX_ROLES + 2)}
    found = came(tmp_path, roles=roles)
    assert len(found.script.roles) == MAX_ROLES
    assert len(at(found, "too-many-roles")) == 2


@pytest.mark.parametrize(
    ("truth", "text", "code"),
    [
        ({"the-pump": " It was Corin. "}, "It was Corin.", None),
        ({"The Pump!": "It was Corin."}, "It was Corin.", "name-matched"),
        ({"the-pumps": "It was Corin."}, "It was Corin.", "truth-title-near"),
        ({"the-pumps": "a", "the-pumpe": "b"}, "", "no-truth"),
        ({"The Mill": "It was Ilse."}, "", "no-truth"),
        ({"the-pump": ""}, "", "no-truth"),
        ({"the-pump": {"a": 1}}, "", "wrong-type"),
        ({"the-pump": ["It was", "Corin."]}, "It was\nCorin.", "wrong-type"),
        (b"[]", "", "file-unreadable"),
        (b"", "", "file-unreadable"),
        ("", "", "file-unreadable"),
    ],
)
def test_the_truth_is_found_by_its_title(
    tmp_path: Path, truth: Any, text: str, code: str | None
) -> None:
    found = came(tmp_path, truth=truth)
    assert found.script.truth.text == text
    assert (code in codes(found)) if code else codes(found) == {}


def test_a_near_title_that_is_another_scripts_is_not_taken(tmp_path: Path) -> None:
    mirage(tmp_path / "En" / "the-pumps", truth={"the-pumps": "Of the other."})
    found = import_mirage(
        mirage(tmp_path / "En" / "the-pump", truth={"the-pumps": "Of the other."})
    )
    assert found.script.truth.text == ""


def test_the_truth_may_lie_in_the_folder_itself(tmp_path: Path) -> None:
    folder = mirage(tmp_path / "En" / "the-pump")
    (folder / "truth.json").write_text('{"any title": "It was Bram."}')
    found = import_mirage(folder)
    assert found.script.truth.text == "It was Bram."
    assert "truth-title-near" in codes(found)


@pytest.mark.parametrize(
    ("culprits", "named", "strangers", "code"),
    [
        (None, (), (), "no-murderer"),
        ((), (), (), "no-murderer"),
        (("Corin Dale",), ("Corin Dale",), (), None),
        (("corin dale", "Bram Oake"), ("Corin Dale", "Bram Oake"), (), "name-matched"),
        (("The Miller",), ("The Miller",), ("The Miller",), "murderer-not-playable"),
        (("Corin Dole",), ("Corin Dole",), ("Corin Dole",), "murderer-not-playable"),
        (("Corin Dale", "The Miller"), ("Corin Dale", "The Miller"), ("The Miller",), None),
    ],
)
def test_culprits_come_from_outside_or_there_are_none(
    tmp_path: Path,
    culprits: tuple[str, ...] | None,
    named: tuple[str, ...],
    strangers: tuple[str, ...],
    code: str | None,
) -> None:
    found = came(tmp_path, culprits)
    assert found.script.truth.culprits == named
    assert found.script.truth.not_playable == strangers
    assert code is None or code in {one.code for one in found.findings}
    codes_of_lint = {one.code for one in lint(load_script(tmp_path / "out"))}
    assert ("no-culprit" in codes_of_lint) == (not named)


def test_roles_called_by_another_form_of_their_title_are_told(tmp_path: Path) -> None:
    roles = mirage_flat() | {"Doctor Fenn": fields("You bind wounds.")}
    found = came(tmp_path, roles=roles, truth={"the-pump": "It was Dr. Fenn. Dr Fenn fled."})
    assert at(found, "name-variant") == ["Doctor Fenn"]


def test_a_second_role_file_and_strays_are_told(tmp_path: Path) -> None:
    folder = mirage(tmp_path / "En" / "the-pump")
    (folder / "人物剧本.json").write_text("{")
    (folder / ".DS_Store").write_text("x")
    (folder / "prompts").mkdir()
    found = import_mirage(folder)
    assert at(found, "second-file") == ["人物剧本.json"]
    assert at(found, "stray-file") == [".DS_Store", "prompts"]


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.floats(allow_nan=False)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


def _places(value: Any) -> list[tuple[Any, ...]]:
    """Return the path to every place in a JSON value."""
    steps: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        steps = list(cast("dict[Any, Any]", value).items())
    elif isinstance(value, list):
        steps = list(enumerate(cast("list[Any]", value)))
    return [(), *((step, *rest) for step, inner in steps for rest in _places(inner))]


WHOLE: dict[str, Any] = {
    "roles": mirage_staged(),
    "clues": mirage_clues() | {"Stage 2": {"Barn": ["A lamp."]}},
    "truth": {"the-pump": "It was Corin."},
}
PLACES = [path for path in _places(WHOLE) if len(path) > 1]


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), anything), min_size=1, max_size=4))
def test_whatever_stands_in_the_files_the_script_comes_in_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[tuple[Any, ...], Any]]
) -> None:
    files: Any = deepcopy(WHOLE)
    for path, value in changes:
        spot = files
        try:
            for step in path[:-1]:
                spot = spot[step]
            spot[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue
    folder = tmp_path_factory.mktemp("any")
    found = None
    with suppress(ScriptError):
        found = import_mirage(mirage(folder / "En" / "the-pump", **files))
    if found is None:
        return
    save_script(found.script, {}, folder / "out")
    assert load_script(folder / "out").script == found.script
