"""Importing invented WellPlay folders: whatever is in them, it is told and play goes on."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.importers.wellplay import import_wellplay
from scripts_mm.linting import lint
from scripts_mm.script import Killing, Script, ScriptError
from scripts_mm.script_folder import load_script, save_script
from scripts_mm.script_schema import MAX_ROLES
from tests.scripts_mm.publishing import (
    ACTS,
    ROLES,
    table,
    wellplay,
    wellplay_info,
    wellplay_role,
    wellplay_rows,
)


def came(tmp_path: Path, name: str = "湖心灯（5人封闭）", **parts: Any) -> ImportedScript:
    """Publish a folder in a language's folder, import it, save it and load it again."""
    found = import_wellplay(wellplay(tmp_path / "chinese" / name, **parts))
    save_script(found.script, found.pictures, tmp_path / "out")
    assert load_script(tmp_path / "out").script == found.script
    return found


def codes(found: ImportedScript, *leave: str) -> dict[str, str]:
    """Return the severity of each code found, without those of `leave`."""
    usual = {"id-changed", *leave}
    return {one.code: one.severity for one in found.findings if one.code not in usual}


def at(found: ImportedScript, code: str) -> list[str]:
    return [one.place for one in found.findings if one.code == code]


def with_kills(**kills: list[Any]) -> dict[str, Any]:
    """Return roles who killed by index; all others nobody."""
    return {
        name: wellplay_role(
            name,
            kill_by_me=kills.get(name, [0, 0]),
            is_murderer=int(any(one in (1, "1") for one in kills.get(name, [0]))),
        )
        for name in ROLES
    }


def test_a_folder_without_irregularities_has_next_to_no_findings(tmp_path: Path) -> None:
    found = came(tmp_path)
    script = found.script
    assert codes(found) == {}
    assert (script.id, script.title) == ("湖心灯-5人封闭", "湖心灯")
    assert (script.language, script.source, script.ending) == ("zh", "wellplay", "closed")
    assert script.names == ROLES
    assert script.victims == ("温庄主", "沈账房")
    assert script.truth.killings == (
        Killing(victim="温庄主", culprits=("许墨言",)),
        Killing(victim="沈账房", culprits=("秦守夜",)),
    )
    assert script.truth.culprits == ("许墨言", "秦守夜")
    role = script.role("林阿桥")
    assert role.script.startswith("你是林阿桥")
    assert role.mission == "1、找出凶手。（10分）"
    assert [(part.name, part.stage, part.text) for part in role.parts] == [
        ("script", 1, role.script),
        ("purpose", 1, role.mission),
    ]


def test_questions_have_weights_ways_to_be_answered_and_ids_that_stay(tmp_path: Path) -> None:
    asked = {question.id: question for question in came(tmp_path).script.questions}
    assert list(asked)[:5] == [
        *("OBJ-林阿桥-1", "REA-林阿桥-2", "REA-林阿桥-3", "REA-林阿桥-4", "REL-林阿桥-5")
    ]
    assert len(asked) == 25
    own = [one for one in asked.values() if one.role == "周小满"]
    assert [(one.kind, one.points, one.answer, one.keys) for one in own] == [
        ("obj", 10, "one", (1,)),
        ("rea", 5, "one", (2,)),
        ("rea", 5, "two", (1,)),
        ("rea", 5, "set", (0, 2)),
        ("rel", 2, "one", (0,)),
    ]
    assert own[2].options == ("林阿桥", "许墨言", "秦守夜", "方绣娘")


@pytest.mark.parametrize(
    ("name", "ending", "code"),
    [
        ("湖心灯（5人开放）", "open", None),
        ("Lake Light (open to 5 people)", "open", None),
        ("Lake Light (5 people closed)", "closed", None),
        ("湖心灯（5人)", "closed", None),
        ("湖心灯（封闭或开放）", "closed", "ending-unclear"),
    ],
)
def test_the_ending_is_told_by_the_folder(
    tmp_path: Path, name: str, ending: str, code: str | None
) -> None:
    found = came(tmp_path, name)
    assert found.script.ending == ending
    assert code is None or code in codes(found)


def test_the_language_is_the_folders_else_the_texts(tmp_path: Path) -> None:
    english = wellplay(tmp_path / "english" / "a", info=wellplay_info(script_name="Lake"))
    found = import_wellplay(english)
    assert found.script.language == "en"
    assert {"language-disagreement", "text-in-other-language"} <= codes(found).keys()
    assert import_wellplay(wellplay(tmp_path / "x" / "b")).script.language == "zh"
    roles = {
        name: wellplay_role(name, script=[f"You are the ferryman of {name}. You slept all night."])
        for name in ROLES
    }
    assert import_wellplay(wellplay(tmp_path / "x" / "c", roles=roles)).script.language == "en"


def test_acts_in_one_text_are_cut_at_their_headings(tmp_path: Path) -> None:
    roles = {"林阿桥": wellplay_role(script=[ACTS])}
    found = came(tmp_path, info=wellplay_info(acts_num=3), roles=roles)
    parts = [part for part in found.script.role("林阿桥").parts if part.name == "script"]
    assert [part.stage for part in parts] == [1, 2, 3]
    assert parts[1].text == "第二幕：\n你们上了岛。"
    assert all(part.text in found.script.role("林阿桥").script for part in parts)
    assert at(found, "acts-not-marked") == [*ROLES[1:]]


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("开头\n第一幕\n甲\n第二幕\n乙", 2),
        ("甲\nAct 2:\nb\nAct 3:\nc", 3),
        ("甲\nAct II\nb", 2),
        ("甲\n第三幕\n乙", 1),
        ("他想起第二幕的戏。\n乙", 1),
        ("甲\n第二幕\n乙\n第二幕\n丙", 2),
    ],
)
def test_only_headings_that_count_on_are_acts(tmp_path: Path, text: str, acts: int) -> None:
    found = came(tmp_path, roles={"林阿桥": wellplay_role(script=[text])})
    role = found.script.role("林阿桥")
    assert sum(1 for part in role.parts if part.name == "script") == acts
    assert role.script.replace("\n", "") == text.replace("\n", "")


def test_what_is_asked_act_by_act_stands_in_parts_and_mission(tmp_path: Path) -> None:
    role = wellplay_role(
        questions=[["谁偷了灯？"], ["谁偷了灯？", "船去了哪里？"]],
        acts_performance=["少说话。", "", "装睡。"],
        final_goal="1、谁偷了灯？",
        secrets="你欠了钱。",
    )
    found = came(tmp_path, roles={"林阿桥": role}).script.role("林阿桥")
    told = {(part.name, part.stage): part.text for part in found.parts}
    assert told["performance", 3] == "装睡。"
    assert ("performance", 2) not in told
    assert told["purpose", 2] == "谁偷了灯？\n船去了哪里？"
    assert told["purpose", 3] == "1、谁偷了灯？"
    purposes = [told["purpose", stage] for stage in (1, 2, 3)]
    assert found.mission == "\n".join(purposes)
    assert found.script.endswith("你欠了钱。\n\n少说话。\n\n装睡。")


def test_every_part_of_a_role_stands_in_its_script_or_mission(tmp_path: Path) -> None:
    role = wellplay_role(
        script=["你上了船。", "你下了船。"],
        acts_goal=["找灯。", "找船。"],
        questions=[["谁偷了灯？"], ["谁偷了船？"]],
        secrets="你欠了钱。",
        final_goal="找灯。",
    )
    came(tmp_path, roles={"林阿桥": role})
    codes_found = {one.code for one in lint(load_script(tmp_path / "out"))}
    assert "part-not-in-script" not in codes_found


def test_a_role_called_as_the_table_of_everybody_has_its_own_questions(tmp_path: Path) -> None:
    info = wellplay_info(character_name=["GM", *ROLES[1:]])
    folder = wellplay(tmp_path / "chinese" / "a", info=info, tables={"FSA.csv": table([])})
    (folder / "json" / "林阿桥.json").rename(folder / "json" / "GM.json")
    (folder / "final_result" / "林阿桥.csv").replace(folder / "final_result" / "GM.csv")
    found = import_wellplay(folder)
    assert sum(question.role == "GM" for question in found.script.questions) == 5
    assert "no-questions" not in codes(found)


def test_what_is_lost_of_a_list_or_object_where_a_text_is_wanted_is_told(tmp_path: Path) -> None:
    role = wellplay_role(secrets=["你欠了钱。", 7, {"a": "b"}], final_goal={"goal": "逃走"})
    found = came(tmp_path, roles={"林阿桥": role})
    details = [one.detail for one in found.findings if one.code == "wrong-type"]
    assert any("not 7, an object" in one for one in details)
    assert any("14 characters not read" in one for one in details)


def test_labels_that_depend_on_who_looks_are_one_neutral_name(tmp_path: Path) -> None:
    labels = {
        "林阿桥": ["父亲(温庄主)", "沈账房"],
        "许墨言": ["温庄主", "姐夫(沈账房)"],
        "周小满": ["老爷（温庄主）", "沈账房(沈二)"],
    }
    roles = {name: wellplay_role(name, victims=own) for name, own in labels.items()}
    found = came(tmp_path, roles=roles)
    assert found.script.victims == ("温庄主", "沈账房")
    assert at(found, "victim-labels") == ["温庄主", "沈账房"]


def test_the_name_that_most_viewers_know_wins_over_one_viewers_word(tmp_path: Path) -> None:
    words = ["父亲", "老爷(温庄主)", "庄主(温庄主)", "掌柜(温庄主)", "舅舅(温庄主)"]
    roles = {
        name: wellplay_role(name, victims=[word, "沈账房"])
        for name, word in zip(ROLES, words, strict=True)
    }
    assert came(tmp_path, roles=roles).script.victims[0] == "温庄主"


def test_a_victim_may_be_called_as_other_roles_call_it(tmp_path: Path) -> None:
    role = wellplay_role(victims=["父亲", "沈账房"])
    row = ["a", "a", "温庄主被谁杀死的？", "许墨言", "周小满", "秦守夜", "方绣娘", "", "b"]
    found = came(tmp_path, roles={"林阿桥": role}, tables={"林阿桥.csv": table([row])})
    assert at(found, "key-against-killing") == ["OBJ-林阿桥-1"]


@pytest.mark.parametrize(
    ("labels", "victims", "code"),
    [
        ([["", ""]] * 3, ("死者 1", "死者 2"), "victim-blank"),
        ([["父亲", "父亲"]] * 3, ("父亲", "父亲~2"), None),
        ([["甲", "乙", "丙"], ["甲", "乙"], ["甲"]], ("甲", "乙", "丙"), "victims-differ"),
        ([list[str]()] * 3, ("死者 1", "死者 2"), "victims-differ"),
        (["甲", "甲", "甲"], ("甲", "死者 2"), "wrong-type"),
        ([[["甲"], 7]] * 3, ("甲", "7"), "wrong-type"),
        ([["周小满", "乙"]] * 3, ("周小满", "乙"), "victim-is-role"),
    ],
)
def test_victims_may_be_blank_too_many_or_of_another_type(
    tmp_path: Path, labels: list[Any], victims: tuple[str, ...], code: str | None
) -> None:
    every = [*labels, labels[-1], labels[-1]]
    roles = {name: wellplay_role(name, victims=own) for name, own in zip(ROLES, every, strict=True)}
    found = came(tmp_path, roles=roles)
    assert found.script.victims == victims
    assert code is None or code in codes(found)


def test_a_script_that_names_no_victim_says_so(tmp_path: Path) -> None:
    roles = {
        name: wellplay_role(name, victims=None, kill_by_me=None, is_murderer=int(name == "许墨言"))
        for name in ROLES
    }
    found = came(tmp_path, roles=roles)
    assert found.script.victims == ()
    assert found.script.truth.culprits == ("许墨言",)
    assert {"victim-not-named", "murderer-disagreement"} <= codes(found).keys()


@pytest.mark.parametrize(
    ("kills", "culprits", "killed", "code"),
    [
        ({"许墨言": [1, 0], "周小满": [0, 1]}, ("许墨言", "周小满"), (1, 1), None),
        ({"许墨言": [1, 1], "周小满": [0, 1]}, ("许墨言", "周小满"), (1, 2), None),
        ({}, (), (0, 0), "no-murderer"),
        ({"许墨言": ["1", "no"]}, ("许墨言",), (1, 0), "flag-form"),
        ({"许墨言": [1]}, ("许墨言",), (1, 0), "victims-differ"),
    ],
)
def test_every_victim_has_killers_of_its_own(
    tmp_path: Path,
    kills: dict[str, list[Any]],
    culprits: tuple[str, ...],
    killed: tuple[int, ...],
    code: str | None,
) -> None:
    found = came(tmp_path, roles=with_kills(**kills))
    assert found.script.truth.culprits == culprits
    assert tuple(len(one.culprits) for one in found.script.truth.killings) == killed
    assert code is None or code in codes(found)


def test_flags_that_contradict_the_killings_are_told_and_not_taken(tmp_path: Path) -> None:
    roles = {"周小满": wellplay_role("周小满", is_murderer=1)}
    found = came(tmp_path, roles=roles)
    assert found.script.truth.culprits == ("许墨言", "秦守夜")
    assert codes(found)["murderer-disagreement"] == "error"


def first_key(options: list[str], key: str) -> dict[str, bytes]:
    """Return tables whose first question has these options and this key."""
    row = [*wellplay_rows()[0][:3], *options, *[""] * (5 - len(options)), key]
    return {f"{name}.csv": table([row, *wellplay_rows()[1:]]) for name in ROLES}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "key", "wanted"),
    [
        (["林阿桥", "许墨言", "周小满"], "c", {"key-against-killing"}),
        (["林阿桥", "画师【许墨言】", "周小满"], "b", {"killer-named-otherwise"}),
        (["林阿桥", "老管家", "周小满"], "b", {"killer-no-role", "key-against-killing"}),
        (["林阿桥", "【周小漫】指使【许墨言】", "老王"], "b", {"killer-named-otherwise"}),
        (["许墨言", "许墨言", "周小满"], "b", {"equal-options", "equal-right-options"}),
        (["林阿桥", "许墨言", "周小满"], "", {"no-key"}),
        (["林阿桥", "许墨言", "周小满"], "e", {"key-out-of-range"}),
        (["林阿桥", "许墨言", "周小满"], "许墨言", {"key-is-text"}),
        (["林阿桥", "许墨言", "周小满"], "bc", {"several-keys", "key-against-killing"}),
        (["林阿桥", "许墨言", "周小满"], "bb", {"key-repeated"}),
        (["林阿桥", "许墨言", "周小满"], "B", {"key-form"}),
        (["林阿桥", "", "许墨言", "周小满"], "b", {"hole-in-options", "key-at-empty-option"}),
        (["林阿桥", "", "许墨言", "周小满"], "c", {"hole-in-options"}),
        (["温庄主", "许墨言", "周小满"], "b", {"suspect-is-victim"}),
        ([], "b", {"no-options"}),
    ],
)
def test_keys_and_suspects_that_are_odd_are_told(
    tmp_path: Path, options: list[str], key: str, wanted: set[str]
) -> None:
    found = came(tmp_path, tables=first_key(options, key))
    assert wanted <= codes(found).keys()


def test_equal_right_options_are_right_together_and_holes_move_no_key(tmp_path: Path) -> None:
    equal = came(tmp_path / "1", tables=first_key(["许墨言", "许墨言", "周小满"], "b"))
    assert equal.script.questions[0].keys == (0, 1)
    holes = came(tmp_path / "2", tables=first_key(["林阿桥", "", "许墨言"], "c"))
    assert holes.script.questions[0].options == ("林阿桥", "许墨言")
    assert holes.script.questions[0].keys == (1,)


def test_who_is_asked_about_the_own_victim_is_told(tmp_path: Path) -> None:
    found = came(tmp_path)
    assert at(found, "asked-about-own-victim") == []
    tables = first_key(["林阿桥", "许墨言", "周小满", "无人"], "b")
    own = came(tmp_path / "own", roles=with_kills(许墨言=[1, 0], 周小满=[1, 0]), tables=tables)
    assert at(own, "asked-about-own-victim") == ["OBJ-许墨言-1", "OBJ-周小满-1"]
    assert "suspect-is-asker" in codes(own)
    assert at(own, "key-against-killing") == []


def test_a_victim_called_by_kinship_alone_is_told_and_no_key_judged(tmp_path: Path) -> None:
    row = ["a", "a", "你的妻子是被谁杀死的？", "林阿桥", "许墨言", "周小满", "", "", "c"]
    found = came(tmp_path, tables={"林阿桥.csv": table([row])})
    assert at(found, "victim-not-known") == ["OBJ-林阿桥-1"]
    assert at(found, "key-against-killing") == []


def test_keys_that_always_stand_in_one_place_are_told(tmp_path: Path) -> None:
    rows = [["c", "a", f"第{n}问？", "甲", "乙", "丙", "丁", "", "a"] for n in range(8)]
    assert at(came(tmp_path, tables={"林阿桥.csv": table(rows)}), "key-positions") == ["REL"]


def test_templates_in_english_and_names_left_out_are_counted(tmp_path: Path) -> None:
    row = ["c", "a", "关系？", "林阿桥 is helped by x of 温庄主", "林阿桥 is son of 温庄主"]
    tables = {"林阿桥.csv": table([[*row, "", "", "", "a"]])}
    found = codes(came(tmp_path, tables=tables))
    assert {"placeholder-left", "options-in-english"} <= found.keys()


@pytest.mark.parametrize(
    ("value", "sort", "kind", "points", "code"),
    [
        ("A", "A", "obj", 10, None),
        ("d", "a", "rea", None, "unknown-value"),
        ("", "a", "rea", None, "unknown-value"),
        ("b", "c", "rea", 5, "unknown-type"),
        ("b", "", "rea", 5, "unknown-type"),
    ],
)
def test_unknown_values_and_types_are_told(
    tmp_path: Path, value: str, sort: str, kind: str, points: int | None, code: str | None
) -> None:
    row = [value, sort, "灯在哪里？", "船上", "岸上", "井里", "屋里", "", "b"]
    found = came(tmp_path, tables={"林阿桥.csv": table([row])})
    question = found.script.questions[0]
    assert (question.kind, question.points, question.answer) == (kind, points, "one")
    assert code is None or codes(found)[code] in ("error", "warning")


def test_two_suspects_on_a_row_of_one_answer_are_told(tmp_path: Path) -> None:
    row = [*wellplay_rows()[2]]
    row[1] = "a"
    found = came(tmp_path, tables={"林阿桥.csv": table([row])})
    assert found.script.questions[0].answer == "one"
    assert "type-doubtful" in codes(found)


def test_line_breaks_written_out_and_hidden_characters_are_mended_and_told(tmp_path: Path) -> None:
    role = wellplay_role(
        script=["你是林阿桥。\\n你在渡\u200b口。\\N2. 记住\xa0灯。\\ n完。\\Find 它。\\Now 走。"],
        acts_goal=['1、找灯。"'],
    )
    found = came(tmp_path, roles={"林阿桥": role})
    assert found.script.role("林阿桥").script == (
        "你是林阿桥。\n你在渡口。\n2. 记住 灯。\n完。\\Find 它。\\Now 走。"
    )
    assert at(found, "literal-line-break") == ["林阿桥.script"]
    assert at(found, "invisible-characters") == ["林阿桥.script"]
    assert at(found, "stray-backslash") == ["林阿桥.script"]
    assert at(found, "stray-quote") == ["林阿桥.acts_goal"]


def test_names_with_brackets_hold_aliases(tmp_path: Path) -> None:
    long = "Rua Vant (the Clerk or Old Rua)"
    info = wellplay_info(character_name=[long, *ROLES[1:]])
    folder = wellplay(tmp_path / "chinese" / "a", info=info)
    (folder / "json" / "林阿桥.json").rename(folder / "json" / f"{long}.json")
    (folder / "final_result" / "林阿桥.csv").rename(folder / "final_result" / f"{long}.csv")
    found = import_wellplay(folder)
    assert found.script.roles[0].name == "Rua Vant"
    assert found.script.roles[0].aliases == ("the Clerk", "Old Rua")
    assert {one.role for one in found.script.questions} == {"Rua Vant", *ROLES[1:]}
    assert codes(found)["name-cleaned"] == "warning"
    assert codes(found)["aliases-in-name"] == "info"


def test_what_is_not_listed_not_there_or_there_twice_is_told(tmp_path: Path) -> None:
    info = wellplay_info(
        character_name=["林阿桥", "许 墨·言", "周小曼", *ROLES[3:], "林阿桥", "", 5]
    )
    copy = wellplay_role("林阿桥", script=wellplay_role("许墨言")["script"])
    found = came(tmp_path, info=info, roles={"林阿桥(1)": copy, "备注": {"note": "x"}})
    assert found.script.names == ("林阿桥", "许 墨·言", *ROLES[3:], "周小满")
    told = codes(found)
    assert told["name-matched"] == "info"
    assert told["role-file-missing"] == "error"
    assert told["role-not-listed"] == "warning"
    assert told["stray-file"] == "info"
    assert len(at(found, "role-twice")) == 2
    assert len(at(found, "role-without-name")) == 2


def test_declared_counts_are_compared_and_not_used(tmp_path: Path) -> None:
    found = came(
        tmp_path, "湖心灯（9人）", info=wellplay_info(agent_num=7, acts_num=2, script_name="灯")
    )
    assert len(at(found, "declared-count")) == 8
    assert "title-differs" in codes(found)


@pytest.mark.parametrize(
    "info", [b"{", b"[]", b"", None, {}, {"character_name": "林阿桥"}, {"script_name": 3}]
)
def test_without_a_usable_list_the_files_tell_the_roles(tmp_path: Path, info: Any) -> None:
    folder = wellplay(tmp_path / "chinese" / "湖心灯（5人）", info=info or b"{}")
    if info is None:
        (folder / "json" / "script_info.json").unlink()
    found = import_wellplay(folder)
    assert {*found.script.names} == {*ROLES}
    assert found.script.title
    assert "role-not-listed" in codes(found)


@pytest.mark.parametrize(
    "broken", [b"{", b"[]", b'"x"', b"\xff\xfe", b'{"a": 1}', b'{"script": NaN}']
)
def test_a_broken_role_file_leaves_out_that_role_only(tmp_path: Path, broken: bytes) -> None:
    found = came(tmp_path, roles={"周小满": broken})
    assert found.script.names == tuple(name for name in ROLES if name != "周小满")
    assert {"role-file-missing", "table-without-role"} <= codes(found).keys()


def test_only_a_folder_without_roles_is_refused(tmp_path: Path) -> None:
    folder = wellplay(tmp_path / "a", roles=dict.fromkeys(ROLES, b"{"))
    with pytest.raises(ScriptError, match="none that can be read"):
        import_wellplay(folder)
    (tmp_path / "b").mkdir()
    with pytest.raises(ScriptError, match="contains no role files"):
        import_wellplay(tmp_path / "b")


@pytest.mark.parametrize("key", sorted(wellplay_role()))
def test_a_missing_key_of_a_role_is_no_reason_to_stop(tmp_path: Path, key: str) -> None:
    role = wellplay_role("周小满")
    del role[key]
    found = came(tmp_path, roles={"周小满": role})
    assert found.script.names == ROLES
    silent = {"acts_performance", "secrets", "final_goal", "acts_num"}
    assert ("missing-key" in codes(found)) == (key not in silent)


def test_unknown_keys_doubled_keys_and_stray_files_are_told(tmp_path: Path) -> None:
    twice = json.dumps(wellplay_role("周小满"), ensure_ascii=False)[:-1] + ', "secrets": "灯"}'
    folder = wellplay(
        tmp_path / "chinese" / "湖心灯",
        info=wellplay_info(version=2),
        roles={"林阿桥": wellplay_role(music="x"), "周小满": twice.encode()},
        tables={"notes.txt": b"x", "老王.csv": table(wellplay_rows())},
    )
    (folder / "README.md").write_text("x")
    (folder / "json" / ".DS_Store").write_text("x")
    (folder / "json" / "old").mkdir()
    found = import_wellplay(folder)
    assert len(at(found, "unknown-key")) == 2
    assert codes(found)["key-twice"] == "error"
    assert len(at(found, "stray-file")) == 4
    assert codes(found)["table-without-role"] == "error"
    assert len(found.script.questions) == 25


@pytest.mark.parametrize("depth", [900, 990, 5000])
def test_lists_in_lists_without_end_are_told_or_refused(tmp_path: Path, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    role = json.dumps(wellplay_role("周小满"))[:-1] + f', "more": {nested}, "secrets": {nested}}}'
    found = came(tmp_path, roles={"周小满": role.encode()})
    assert {"unknown-key", "file-unreadable"} & codes(found).keys()


def test_no_more_roles_are_read_than_a_script_may_have(tmp_path: Path) -> None:
    names = [f"角色{n}" for n in range(MAX_ROLES + 1)]
    roles = {name: wellplay_role(name, script=[f"你是{name}。"]) for name in names}
    found = came(tmp_path, info=wellplay_info(character_name=names), roles=roles)
    assert len(found.script.roles) == MAX_ROLES
    assert "too-many-roles" in codes(found)


def test_questions_of_everybody_are_compared_and_never_counted(tmp_path: Path) -> None:
    other = [["b", "a", "另问？", "甲", "乙", "丙", "丁", "", "a"], *wellplay_rows()]
    found = came(tmp_path, tables={"GM.csv": table(other), "FSA.csv": table([["a"] * 8])})
    assert len(found.script.questions) == 25
    assert at(found, "union-size") == ["FSA.csv", "GM.csv"]
    assert at(found, "union-reworded") == ["FSA.csv", "GM.csv"]
    assert at(found, "union-irregular") == ["FSA.csv", "FSA.csv"]


def test_a_script_without_tables_comes_in_without_questions(tmp_path: Path) -> None:
    folder = wellplay(tmp_path / "chinese" / "湖心灯")
    for path in (folder / "final_result").iterdir():
        path.unlink()
    (folder / "final_result").rmdir()
    found = import_wellplay(folder)
    assert found.script.questions == ()
    assert {"no-tables", "no-questions"} <= codes(found).keys()


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 120)
    | st.floats(allow_nan=False)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
lines = st.lists(
    st.sampled_from(['"', ",", "a", "b", "\n", "\r", "许墨言", " ", "\0", "【", "\u200b", "ab"]),
    max_size=60,
).map("".join)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    info=st.dictionaries(st.sampled_from(sorted(wellplay_info())), anything, max_size=3),
    role=st.dictionaries(st.sampled_from(sorted(wellplay_role())), anything, max_size=4),
    rows=lines,
)
def test_whatever_stands_in_the_files_the_script_comes_in_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory,
    info: dict[str, Any],
    role: dict[str, Any],
    rows: str,
) -> None:
    folder = tmp_path_factory.mktemp("any")
    wellplay(
        folder / "lake",
        info=wellplay_info(**info),
        roles={"周小满": wellplay_role("周小满", **role)},
        tables={"周小满.csv": rows.encode("utf-8", "replace")},
    )
    found: Script | None = None
    with suppress(ScriptError):
        found = import_wellplay(folder / "lake").script
    assert found is not None
    save_script(found, {}, folder / "out")
    assert load_script(folder / "out").script == found
