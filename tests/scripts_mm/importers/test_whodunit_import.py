"""Importing invented WhodunitBench folders: whatever is in them, it is told and play goes on."""

import json
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scripts_mm.importers.imported_script import ImportedScript, script_id
from scripts_mm.importers.whodunit import import_whodunit
from scripts_mm.safe_pictures import MAX_PICTURES
from scripts_mm.script import ScriptError
from scripts_mm.script_folder import load_script, save_script
from scripts_mm.script_schema import MAX_ROLES
from tests.scripts_mm.making import (
    a_case,
    png,
    png_claiming,
    published,
)


def came(
    tmp_path: Path, case: Any = None, pictures: dict[str, bytes] | None = None
) -> ImportedScript:
    """Publish a case, import it, save it and load it again."""
    found = import_whodunit(published(tmp_path / "lake", case, pictures))
    save_script(found.script, found.pictures, tmp_path / "out")
    assert load_script(tmp_path / "out").script == found.script
    return found


def codes(found: ImportedScript, *leave: str) -> dict[str, str]:
    """Return the severity of each code found, without those of `leave`."""
    return {one.code: one.severity for one in found.findings if one.code not in leave}


def at(found: ImportedScript, code: str) -> list[str]:
    """Return the places of one code."""
    return [one.place for one in found.findings if one.code == code]


def test_a_folder_without_irregularities_has_no_findings(tmp_path: Path) -> None:
    found = came(tmp_path)
    script = found.script
    assert found.findings == ()
    assert (script.id, script.title, script.language, script.source) == (
        "lake",
        "lake",
        "zh",
        "whodunit",
    )
    assert script.names == ("林阿桥", "许墨言", "周小满")
    assert script.truth.culprits == ("许墨言",)
    assert script.victims == ("温庄主",)
    assert (script.truth.motive, script.truth.method) == ("还不起钱", "把药换成颜料")
    assert script.role("许墨言").introduction == "我是画师。"
    assert script.role("许墨言").reply == "我什么都不知道。"
    assert script.role("林阿桥").introduction is None
    assert script.role("林阿桥").script.startswith("你是摆渡人")
    assert [clue.id for clue in script.clues] == ["public-1", "public-2", "picture-1"]
    assert script.clues[1].text == "药瓶里是颜料。"
    assert script.civilian_mission.startswith("死者是温庄主")


def test_questions_have_ids_that_stay_and_keys_by_option(tmp_path: Path) -> None:
    asked = {question.id: question for question in came(tmp_path).script.questions}
    assert list(asked)[:2] == ["LSU-林阿桥-1", "LSU-林阿桥-2"]
    assert list(asked)[-4:] == ["TIU-1", "MIU-1", "MMR-1", "MMR-2"]
    assert asked["LSU-周小满-2"].role == "周小满"
    assert (asked["MMR-2"].keys, asked["MMR-2"].hops, asked["MMR-2"].source) == ((2,), 2, "z-p-2")
    assert asked["MMR-1"].hops == 0
    assert asked["TIU-1"].hops is None


def test_key_clues_keep_their_bucket_hops_and_holder(tmp_path: Path) -> None:
    keys = came(tmp_path).script.truth.key_clues
    assert [(key.id, key.hops, key.holders, key.source) for key in keys] == [
        ("p-1", 0, (), "p"),
        ("1-step-1", 1, (), "1-step"),
        ("周小满-1", 0, ("周小满",), "周小满"),
    ]


def _flag(case: dict[str, Any], *flags: Any) -> dict[str, Any]:
    for role, flag in zip(case["role"], flags, strict=True):
        role["m"] = flag
    return case


@pytest.mark.slow
@pytest.mark.parametrize(
    ("murder", "flags", "culprits", "strangers", "code"),
    [
        ("许墨言", (0, 1, 0), ["许墨言"], [], None),
        ("许墨言", (1, 0, 0), ["许墨言"], [], "murderer-disagreement"),
        ("许墨言", (0, 0, 0), ["许墨言"], [], "murderer-disagreement"),
        ("许墨言", (0, 1, 1), ["许墨言"], [], "murderer-disagreement"),
        ("许 墨·言", (0, 1, 0), ["许墨言"], [], "name-matched"),
        ("许黑言", (0, 1, 0), ["许墨言"], [], "murderer-no-role"),
        ("许墨言、周小满", (0, 1, 1), ["许墨言", "周小满"], [], "name-matched"),
        ("", (0, 1, 0), ["许墨言"], [], "murderer-disagreement"),
        ("老管家", (0, 1, 0), ["许墨言"], [], "murderer-disagreement"),
        ("老管家", (0, 0, 0), ["老管家"], ["老管家"], "murderer-not-playable"),
        ("", (0, 0, 0), [], [], "no-murderer"),
        ("", (1, 0, 1), ["林阿桥", "周小满"], [], "murderer-flags"),
        (None, (0, "1", 0), ["许墨言"], [], "flag-form"),
        (["许墨言"], (0, 1, 0), ["许墨言"], [], "wrong-type"),
        ("许墨言", (0, 1, 2), ["许墨言"], [], "flag-form"),
    ],
)
def test_the_culprit_follows_a_rule_that_is_told(
    tmp_path: Path,
    murder: Any,
    flags: tuple[Any, ...],
    culprits: list[str],
    strangers: list[str],
    code: str | None,
) -> None:
    found = came(tmp_path, _flag(a_case(murder=murder), *flags))
    assert sorted(found.script.truth.culprits) == sorted(culprits)
    assert list(found.script.truth.not_playable) == strangers
    assert code in codes(found) if code else not codes(found)


@pytest.mark.parametrize(
    ("line", "victims", "code"),
    [
        ("死者是温庄主和柳先生\n1.查", ("温庄主", "柳先生"), None),
        ("死者是 温庄主。\n1.查", ("温庄主",), None),
        ("死者是\n1.查", (), "victim-blank"),
        ("1.查出死者是怎么死的", (), "victim-not-named"),
        ("死者是周小满", ("周小满",), "victim-is-role"),
    ],
)
def test_victims_come_only_from_the_line_that_names_them(
    tmp_path: Path, line: str, victims: tuple[str, ...], code: str | None
) -> None:
    found = came(tmp_path, a_case(task_nm=line))
    assert found.script.victims == victims
    assert code in codes(found) if code else not codes(found)


@pytest.mark.parametrize(
    ("public", "items"),
    [
        ("\n", []),
        ("没有编号的一段话。", [("public-0", "没有编号的一段话。")]),
        ('1."甲",\n2."乙 "\n', [("public-1", "甲"), ("public-2", "乙")]),
        ("1. 甲\n2. 乙\n5.丙", [("public-1", "甲"), ("public-2", "乙"), ("public-5", "丙")]),
        ("前言\n1.5米高的墙\n1. 甲", [("public-0", "前言\n1.5米高的墙"), ("public-1", "甲")]),
        ("1.甲\n95\n“嗯。”", [("public-1", "甲\n95\n“嗯。”")]),
        ("1.甲\n1. 不是新的一条", [("public-1", "甲\n1. 不是新的一条")]),
    ],
)
def test_public_text_is_split_where_it_is_numbered(
    tmp_path: Path, public: str, items: list[tuple[str, str]]
) -> None:
    found = came(tmp_path, a_case(public_clue=public), {})
    assert [(clue.id, clue.text) for clue in found.script.clues] == items


def test_pictures_are_sorted_as_a_person_would_and_broken_ones_are_told(tmp_path: Path) -> None:
    pictures = {
        "image_10.png": png(40),
        "image_2.png": b"",
        "image_2(1).png": png(42),
        "image_1.jpg": png(41),
        "image11.png": png(form="JPEG"),
        "image_3.png": png_claiming(20000, 20000),
        "image_4.gif": b"GIF89a" + bytes(20),
        "image_5.png": png()[:-30],
        "image_12.png": png(40),
        ".DS_Store": b"x",
        "prompt.txt": b"look",
    }
    found = came(tmp_path, None, pictures)
    assert [(clue.id, clue.pictures[0].file) for clue in found.script.clues[2:]] == [
        ("picture-1", "image_1.jpg"),
        ("picture-3", "image_2(1).png"),
        ("picture-7", "image_10.png"),
        ("picture-8", "image11.png"),
        ("picture-9", "image_12.png"),
    ]
    assert at(found, "picture-unusable") == [
        "img/image_2.png",
        "img/image_3.png",
        "img/image_4.gif",
        "img/image_5.png",
    ]
    assert at(found, "picture-type") == ["img/image_1.jpg", "img/image11.png"]
    assert at(found, "picture-twice") == ["img/image_12.png"]
    assert at(found, "stray-file") == ["img/.DS_Store", "img/prompt.txt"]


def test_a_folder_called_like_a_picture_is_no_picture(tmp_path: Path) -> None:
    folder = published(tmp_path / "lake")
    (folder / "img" / "2.png").mkdir()
    assert codes(import_whodunit(folder)) == {"stray-file": "info"}


def test_pictures_above_the_limit_are_left_out_and_told(tmp_path: Path) -> None:
    found = came(tmp_path, None, {f"{at}.png": png(60 + at) for at in range(MAX_PICTURES + 2)})
    assert len(found.pictures) == MAX_PICTURES
    assert at(found, "too-many-pictures") == ["img/64.png", "img/65.png"]


def test_half_a_character_is_replaced_by_its_mark(tmp_path: Path) -> None:
    found = came(tmp_path, _question("谁？a. 水\ud800 b. 酒 c. 茶 d. 油", "b"))
    assert found.script.questions[-2].options[0] == "水\ufffd"


def test_a_folder_without_pictures_comes_in(tmp_path: Path) -> None:
    folder = published(tmp_path / "lake", None, {})
    (folder / "img").rmdir()
    assert codes(import_whodunit(folder)) == {"no-pictures": "warning"}


def test_a_link_in_the_folder_of_pictures_is_not_followed(tmp_path: Path) -> None:
    folder = published(tmp_path / "lake", None, {})
    (tmp_path / "secret.png").write_bytes(png())
    (folder / "img" / "1.png").symlink_to(tmp_path / "secret.png")
    assert codes(import_whodunit(folder)) == {"picture-unusable": "error"}


def test_file_names_that_a_terminal_would_obey_are_told_as_codes(tmp_path: Path) -> None:
    folder = published(tmp_path / "lake", None, {"\x1b[2J.png": png(), "\udcff.txt": b"x"})
    found = import_whodunit(folder)
    assert found.script.pictures[0].file == "picture-1.png"
    assert at(found, "file-renamed") == ["img/\\x1b[2J.png"]
    assert at(found, "stray-file") == ["img/\\udcff.txt"]


def test_the_folder_one_stands_in_gives_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(published(tmp_path / "lake"))
    assert import_whodunit(Path()).script.id == "lake"


def test_older_snapshots_and_stray_files_are_not_read(tmp_path: Path) -> None:
    folder = published(tmp_path / "lake")
    (folder / "env_p_update.json").write_text("{broken")
    (folder / "env_p.json").write_text(json.dumps(_flag(a_case(murder="林阿桥"), 1, 0, 0)))
    (folder / "notes.txt").write_text("x")
    found = import_whodunit(folder)
    assert found.script.truth.culprits == ("许墨言",)
    assert codes(found) == {"older-snapshot": "info", "stray-file": "info"}


def _question(text: str, answer: Any) -> dict[str, Any]:
    case = a_case()
    case["key_clues_questions"][0] = {"q": text, "ans": answer, "source": "p"}
    return case


@pytest.mark.parametrize(
    ("text", "answer", "keys", "code"),
    [
        ("药瓶里是什么？", "b", (), "no-options"),
        ("药瓶里是什么？a. 水 b. 酒", "b", (1,), "option-count"),
        ("药瓶里是什么？a. 水 b. 酒 c. 水 d. 油", "a", (0, 2), "equal-options"),
        ("药瓶里是什么？a. 水 b. 酒 c. 茶 d. 油", ["a", "c"], (0, 2), "several-keys"),
        ("药瓶里是什么？a. 水 b. 酒 c. 茶 d. 油", None, (), "no-key"),
        ("药瓶里是什么？a. 水 b. 酒 c. 茶 d. 油", 2, (), "wrong-type"),
        ("药瓶里是什么？a. 水 b. 酒 c. 茶 d. 油", "f", (), "key-out-of-range"),
        ("药瓶里是什么？a. 水 b. 酒 c. 茶 d. 都不是", "d", (3,), "pinned-options"),
        ("What is in the bottle? a. tea b. ink c. oil d. rum", "b", (1,), "other-language"),
        (
            "谁是真正的凶手？a. 林阿桥 b. 许墨言 c. 周小满 d. 无人",
            "a",
            (0,),
            "key-against-murderer",
        ),
        (
            "到底是谁杀害了庄主？a. 林阿桥 b. 许墨言 c. 周小满 d. 无人",
            "c",
            (2,),
            "key-against-murderer",
        ),
        (" 药瓶里是什么？a. 水 b. 酒 c. 茶 d. 油\n", "b", (1,), "outer-space"),
        ("药瓶里是什么？a.水 b. 酒 c. 茶 d. 油", "b", (1,), "no-space-after-marker"),
        ("药瓶里是什么？a. 水b. 酒 c. 茶 d. 油", "b", (1,), "no-space-before-marker"),
        ("后门在哪一边？a. 东 b. 西 c. 南 d. 北", "a", (0,), "duplicate-question"),
        ("后门在哪一边？a. 东 b. 西 c. 南 d. 北", "b", (1,), "same-text-two-keys"),
        ("后门在哪一边？a. 墙 b. 西 c. 南 d. 湖", "d", (3,), "same-stem-two-answers"),
        ("", "b", (), "no-question"),
        ("谁？a. \ud800 b. 酒 c. 茶 d. 油", "b", (1,), "control-characters"),
        ("谁？a. {name} b. [red]酒[/red] c. %s d. **油**", "b", (1,), None),
    ],
)
def test_each_irregular_question_is_kept_and_told(
    tmp_path: Path, text: str, answer: Any, keys: tuple[int, ...], code: str | None
) -> None:
    found = came(tmp_path, _question(text, answer))
    kept = next(question for question in found.script.questions if question.id == "MMR-1")
    assert kept.keys == keys
    told = codes(found, "copy-differs")
    assert code in told if code else not told


@pytest.mark.parametrize(
    "stem",
    [
        "谁不是凶手？",
        "林阿桥认为谁是凶手？",
        "凶手可能是谁？",
        "谁被指控为凶手？",
        "凶手用了什么？",
    ],
)
def test_a_question_about_suspicion_is_no_contradiction(tmp_path: Path, stem: str) -> None:
    found = came(tmp_path, _question(f"{stem}a. 林阿桥 b. 许墨言 c. 周小满 d. 无人", "a"))
    assert codes(found, "copy-differs") == {}


def test_numbers_of_a_numbered_list_are_no_part_of_the_stems(tmp_path: Path) -> None:
    texts = ["1. 几点？a. 一 b. 二 c. 三 d. 四", "2.601是谁的房间？a. 甲 b. 乙 c. 丙 d. 丁"]
    found = came(tmp_path, a_case(ei_q={"key_q": texts, "key_ans": ["a", "b"]}))
    stems = [question.stem for question in found.script.questions if question.kind == "tiu"]
    assert stems == ["几点？", "601是谁的房间？"]
    assert at(found, "numbered-list") == ["TIU"]


def test_lists_of_different_length_lose_no_question(tmp_path: Path) -> None:
    texts = ["几点？a. 一 b. 二", "几月？a. 一 b. 二"]
    found = came(tmp_path, a_case(ei_q={"key_q": texts, "key_ans": ["a"]}))
    assert [q.keys for q in found.script.questions if q.kind == "tiu"] == [(0,), ()]
    assert {"lists-differ", "no-key"} <= codes(found).keys()


def test_copies_are_read_where_the_list_itself_is_missing(tmp_path: Path) -> None:
    case = a_case()
    del case["key_clues_questions"], case["role"][0]["r_q"]
    found = came(tmp_path, case)
    asked = {question.id: question for question in found.script.questions}
    assert asked["MMR-2"].hops == 2
    assert asked["LSU-林阿桥-2"].keys == (1,)
    assert codes(found) == {"copy-read": "warning"}


def test_raw_model_output_in_place_of_questions_is_told(tmp_path: Path) -> None:
    case = a_case()
    del case["role"][0]["r_q"]
    case["role"][0]["q"] = "```json\nall_q=[{'question': '谁'},]\n```"
    found = came(tmp_path, case)
    assert "questions-unreadable" in codes(found)
    assert not [q for q in found.script.questions if q.role == "林阿桥"]


def test_a_second_role_of_one_name_is_left_out_and_told(tmp_path: Path) -> None:
    case = a_case()
    case["role"].append(dict(case["role"][0], back="另一个。"))
    case["role"].append(dict(case["role"][0], name="林阿桥 "))
    case["role"].append({"back": "没有名字。"})
    found = came(tmp_path, case)
    assert found.script.names == ("林阿桥", "许墨言", "周小满")
    assert at(found, "role-twice") == ["role[3]", "role[4]"]
    assert at(found, "role-without-name") == ["role[5]"]


def test_marks_in_names_are_written_in_other_letters_and_told(tmp_path: Path) -> None:
    case = a_case()
    case["role"].append(dict(case["role"][0], name="### Human: <image_placeholder>"))
    found = came(tmp_path, case)
    assert found.script.names[-1] == "＃＃＃ Human image_placeholder"
    assert at(found, "name-cleaned") == ["role[3].name", found.script.names[-1]]


def test_more_roles_than_a_script_may_have_are_left_out_and_told(tmp_path: Path) -> None:
    case = a_case()
    spare = dict(case["role"][0])
    case["role"] += [dict(spare, name=f"{chr(0x5000 + 40 * at)}{at}号客人") for at in range(31)]
    found = came(tmp_path, case)
    assert len(found.script.roles) == MAX_ROLES
    assert len(at(found, "too-many-roles")) == 2


def test_names_that_only_resemble_a_role_are_told_and_never_merged(tmp_path: Path) -> None:
    pool = {"周小漫": ["鞋上有泥"], "周 小·满": ["门开着"], "老管家": ["灯灭了"]}
    found = came(tmp_path, a_case(key_clues_pool=pool, key_role=["周·小满", "周小漫"]))
    assert [key.holders for key in found.script.truth.key_clues] == [(), ("周小满",), ()]
    assert found.script.truth.key_roles == ("周小满", "周小漫")
    told = codes(found, "key-clue-steps", "key-clues-not-visible")
    assert told == {
        "key-clue-owner": "warning",
        "name-matched": "info",
        "key-role-no-role": "warning",
    }


def test_misspelt_names_in_texts_and_options_are_told(tmp_path: Path) -> None:
    case = _question("谁来过？a. 林阿侨 b. 许墨言 c. 周小满 d. 无人", "a")
    case["role"][1]["back"] += "你记得许黑言这个假名，也记得许黑言的画。林阿侨不知道。"
    found = came(tmp_path, case)
    assert at(found, "option-near-role") == ["林阿侨"]
    assert set(at(found, "name-variant")) == {"许黑言", "林阿侨"}


def test_a_person_among_the_options_who_is_no_role_is_told(tmp_path: Path) -> None:
    case = a_case()
    text = "{}来过？a. 林阿桥 b. 许墨言 c. 老管家 d. 周小满"
    case["role"][0]["r_q"] = [{"q": text.format(when), "ans": "a"} for when in "甲乙丙丁"]
    assert at(came(tmp_path, case), "absent-character") == ["老管家"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("结局：你就是害死庄主的凶手，不要承认。", "confession-of-innocent"),
        ("（这里略去你行凶的一段）", "crime-of-innocent"),
        ("(以下省略三百字)", "omitted-passage"),
        ("他说你是凶手，可你没有。", None),
        ("如果你是凶手，你会逃走。", None),
        ("龘靐齉爩麤，后来的事你忘了。", "corrupt-text"),
        ("第一页\n12\n第二页", "stray-number"),
        ("你看见\u200b他。", "invisible-characters"),
        ("你看见\\n他。", "literal-line-break"),
        ("你看见\x07他。", "control-characters"),
    ],
)
def test_what_stands_oddly_in_a_private_script_is_told(
    tmp_path: Path, text: str, code: str | None
) -> None:
    case = a_case()
    case["role"][0]["back"] += text + "这一夜很长，你记得的都写在这里。" * 20
    told = codes(came(tmp_path, case))
    assert code in told if code else not told


def test_a_culprit_may_confess(tmp_path: Path) -> None:
    case = a_case()
    case["role"][1]["back"] += "你就是凶手。你的作案经过：换药。"
    assert codes(came(tmp_path, case)) == {}


def test_repeated_key_clues_and_odd_steps_are_kept_and_told(tmp_path: Path) -> None:
    pool = {"2-step": ["甲", "乙", ""], "4-step": ["甲"], "all": ["丁"]}
    found = came(tmp_path, a_case(key_clues_pool=pool))
    assert [key.text for key in found.script.truth.key_clues] == ["甲", "乙", "甲", "丁"]
    assert {
        "key-clue-repeated",
        "key-clue-steps",
        "key-clues-not-visible",
        "key-clue-empty",
        "key-clue-owner",
    } == codes(found).keys()


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        (b"{", "not JSON"),
        (b"[]", "wanted an object, got a list"),
        (b"{}", "role: wanted a list of roles"),
        (b'{"role": "nobody"}', "role: wanted a list of roles"),
        (b'{"role": [{"back": "x"}]}', "role: wanted a list of roles"),
        (b'{"role": [{"name": "x", "back": "y"}]}', "has 1 roles; wanted at least 2"),
        ("{}".encode("utf-16"), "not UTF-8"),
    ],
)
def test_only_a_folder_without_roles_is_refused(tmp_path: Path, raw: bytes, part: str) -> None:
    with pytest.raises(ScriptError) as caught:
        import_whodunit(published(tmp_path / "lake", raw=raw))
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_and_crlf_are_let_through(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps(a_case(), indent=2).replace("\n", "\r\n").encode()
    assert import_whodunit(published(tmp_path / "lake", raw=raw)).findings == ()


def test_a_key_that_stands_twice_is_told(tmp_path: Path) -> None:
    raw = json.dumps(a_case())[:-1].encode() + b', "murder": "\\u8bb8\\u58a8\\u8a00"}'
    found = import_whodunit(published(tmp_path / "lake", raw=raw))
    assert codes(found) == {"key-twice": "error"}


@pytest.mark.parametrize("key", sorted(a_case()))
def test_a_missing_key_is_told_and_the_rest_comes_in(tmp_path: Path, key: str) -> None:
    case = a_case()
    del case[key]
    if key == "role":
        with pytest.raises(ScriptError, match="role"):
            came(tmp_path, case)
        return
    found = came(tmp_path, case)
    assert len(found.script.roles) == 3
    silent = {"role-q", "key_clue_q"}
    assert codes(found) or key in silent


def test_an_english_case_is_told_apart_by_its_texts(tmp_path: Path) -> None:
    case = a_case(public_clue="1. The lock was whole.", key_role=[], murder="Corin", reason="")
    for role, name in zip(case["role"], ("Ilse", "Corin", "Bram"), strict=True):
        role |= {"name": name, "back": f"You are {name}. You met 老温 once at the old mill."}
    found = came(tmp_path, case)
    assert found.script.language == "en"
    assert found.script.clues[0].title == "Public clue 1"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("lake", "lake"),
        ("DAM_1.b", "DAM_1.b"),
        ("湖边", "湖边"),
        ("湖边（3人)", "湖边-3人"),
        ("..", "script"),
        ("a b/c", "a-b-c"),
        ("-x.", "x"),
        ("?", "script"),
    ],
)
def test_a_folder_name_becomes_an_id(name: str, wanted: str) -> None:
    assert script_id(name) == wanted


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


PLACES = _places(a_case())[1:]


@pytest.mark.slow
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), anything), min_size=1, max_size=4))
def test_whatever_stands_in_the_file_the_script_comes_in_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[tuple[Any, ...], Any]]
) -> None:
    case: Any = deepcopy(a_case())
    for path, value in changes:
        spot = case
        try:
            for step in path[:-1]:
                spot = spot[step]
            spot[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue
    folder = tmp_path_factory.mktemp("any")
    published(folder / "lake", case, {})
    found = None
    with suppress(ScriptError):
        found = import_whodunit(folder / "lake")
    if found is None:
        return
    save_script(found.script, found.pictures, folder / "out")
    assert load_script(folder / "out").script == found.script
