"""Names of roles: what the loader refuses, and what importers make of such a name."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts_mm.findings import FindingLog
from scripts_mm.importers.imported_script import ImportedScript
from scripts_mm.importers.mirage import import_mirage
from scripts_mm.importers.role_names import clean_role_names
from scripts_mm.importers.whodunit import import_whodunit
from scripts_mm.names import role_name_error, strip_separators
from scripts_mm.script import (
    FactualQuestion,
    KeyClue,
    Killing,
    Language,
    Question,
    Role,
    Script,
    ScriptError,
    Truth,
)
from scripts_mm.script_folder import load_script, save_script
from tests.scripts_mm.making import (
    a_case,
    a_script,
    edited,
    png,
    published,
)

GOOD = [
    *("Ilse Varga", "Mary O'Neil", "Mary O’Neil", "Jean-Luc d'Arc", "Dr. Oake", "Rua~2"),
    *("Hostess Ann", "Allan", "Nobody Jones", "Overton", "J. R. Skipper", "É’tienne Vant"),
    *("Mrs. X", "J. Quill", "J.R. Skipper", "Jean-L. Vant", "Rua Ox Jr.", "St. Ives"),
    *("You Jin", "Unknown Man", "Basks", "Judge Oake", "无名", "我闻", "法官老张", "投手"),
    *("沈若棠", "让·吕克", "阿尔-3", "主持人老张", "无人机驾驶员", "小満"),
]
PARTING = [
    *("Rua “Ox” Vant", "Rua ‘Ox’ Vant", 'Rua "Ox" Vant', "Rua 'Ox' Vant", "Rua ＂Ox＂ Vant"),
    *("Rua „Ox‟ Vant", "Rua «Ox» Vant", "Rua ‹Ox› Vant", "Rua `Ox` Vant", "Rua Vants'"),
    *("Rua [Ox]", "Rua (Ox)", "Rua <Ox", "Rua Ox>", "Rua {Ox}", "Rua ＜Ox＞", "Rua ㈱"),
    *("Rua/Ox", "Rua／Ox", "Rua: Ox", "Rua： Ox", "Rua, Ox", "Rua; Ox", "Rua； Ox"),
    *("Rua -> Ox", "Rua → Ox", "Rua⟦Ox⟧"),
    *("「小」刀", "『小』刀", "《小》刀", "〈小〉刀", "“小”刀", "‘小’刀", "小’刀", "＂小＂刀"),
    *("小刀【管家】", "小刀（管家）", "小刀［管家］", "小刀〔管家〕", "小刀｛管家｝"),
    *("小刀／老王", "小刀：老王", "小刀，老王", "小刀、老王", "小刀；老王", "小刀→老王"),
    *("小刀､老王", "小刀。老王", "小刀｡", "小刀！", "小刀？老王", "小刀. 老王", "小刀…"),
    *(
        "Oake. The vote is over",
        "Who?",
        "Rua!",
        "Rua Vant.",
        "Rua．Ox",
        "Rua 3. Ox",
        "Rua‼",
        "Rua…",
    ),
    *(
        "Ada asks Bram",
        "Ada votes for Bram",
        "Ada VOTES FOR",
        "Rua vo“tes for” Ox",
        "小刀投票给老王",
    ),
]
RESERVED = [
    *("abstain", "Abstain", "ABSTAIN", "ａｂｓｔａｉｎ", "nobody", "No one", "no-one", "NO  ONE"),
    *("host", "Ｈｏｓｔ", "Host.", "Everybody", "all", "All!", "SKIP", "skip", "Over", "𝐎𝐕𝐄𝐑"),
    *("You", "I", "ｙｏｕ", "The Host", "the-host", "none", "Unknown", "你", "您", "我", "你。"),
    *("主持", "法官", "无", "未知", "没有人", "没有 人"),
    *("主持人", "弃权", "弃 权", "无人", "所有人", "所有人。"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", GOOD)
def test_a_plain_name_is_let_through(tmp_path: Path, name: str) -> None:
    assert role_name_error(name) is None
    assert strip_separators(name) == name
    changed = edited(tmp_path / "en", "roles", 2, "aliases", value=[f"{name} Junior"])
    assert load_script(changed).script.roles[2].aliases == (f"{name} Junior",)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PARTING, *RESERVED])
@pytest.mark.parametrize("place", ["name", "aliases"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(
    tmp_path: Path, place: str, name: str
) -> None:
    value = name if place == "name" else [name]
    with pytest.raises(ScriptError, match=rf"roles\[2\]\.{place}.*a role's name") as caught:
        load_script(edited(tmp_path / "en", "roles", 2, place, value=value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", PARTING)
def test_what_parts_a_name_is_taken_out(name: str) -> None:
    assert role_name_error(strip_separators(name)) is None
    assert strip_separators(strip_separators(name)) == strip_separators(name)


@pytest.mark.parametrize("title", ["“The Pump”: a play, in two acts", "【一】井：开端"])
def test_titles_and_clues_may_hold_what_names_of_roles_may_not(tmp_path: Path, title: str) -> None:
    folder = edited(tmp_path / "en", "title", value=title)
    assert load_script(folder).script.title == title


def renamed(*names: str, language: Language = "en") -> tuple[str, ...]:
    roles = tuple(Role(name=name, script=f"You are {name}.") for name in names)
    truth = Truth(culprits=names[:1])
    bare = Script(id="x", title="X", language=language, roles=roles, truth=truth)
    return clean_role_names(bare, FindingLog()).names


@pytest.mark.parametrize(
    ("language", "names", "wanted"),
    [
        ("en", ["Rua (the cook)", "Ilse"], ["Rua", "Ilse"]),
        ("en", ["Rua (mother)", "Rua (son)"], ["Rua mother", "Rua son"]),
        ("en", ["Rua (cook)", "Rua"], ["Rua cook", "Rua"]),
        ("en", ["Rua [cook]", "Rua (cook)", "rua cook"], ["Rua cook~2", "Rua cook~3", "rua cook"]),
        ("en", ["Rua “Ox” Vant", "Ilse/Corin"], ["Rua Ox Vant", "Ilse Corin"]),
        ("en", ["Host", "(all)", "“”", "Ilse"], ["Role Host", "Role all", "Role 3", "Ilse"]),
        ("zh", ["【管家】", "小刀（厨师）"], ["管家", "小刀"]),
        ("zh", ["小刀（父）", "小刀（子）", "「老」王"], ["小刀 父", "小刀 子", "老王"]),
        ("zh", ["主持人", "、"], ["角色主持人", "角色2"]),
        ("zh", ["我", "法官", "小刀。投票给老王"], ["角色我", "角色法官", "小刀 老王"]),
        (
            "en",
            ["You", "Oake. The vote is over!", "Dr. Who"],
            ["Role You", "Oake The vote is over", "Dr. Who"],
        ),
    ],
)
def test_new_names_are_short_and_differ(
    language: Language, names: list[str], wanted: list[str]
) -> None:
    assert renamed(*names, language=language) == (*wanted,)


def test_all_that_names_a_role_follows_its_new_name(tmp_path: Path) -> None:
    old, new = "Corin “Ox” Dale", "Corin Ox Dale"
    whole = a_script()
    question = replace(whole.questions[0], role=old)
    other = Question(id="Q", kind="lsu", stem="?", options=("a",), keys=(0,), role="Bram Oake")
    told = FactualQuestion(id="f", role=old, about="story", question="?", answer="!", source="You")
    corin = replace(whole.roles[1], name=old, aliases=("The Carter (Ox)", "all", "Ilse Varga"))
    changed = replace(
        whole,
        roles=(whole.roles[0], corin, whole.roles[2]),
        clues=(replace(whole.clues[0], owner=old), whole.clues[1]),
        questions=(question, other),
        factual=(told,),
        victims=("Tamsin", old),
        truth=replace(
            whole.truth,
            culprits=(old, "A [Stranger]"),
            not_playable=("A [Stranger]",),
            instigators=(old,),
            unaware=(old,),
            killings=(Killing(victim=old, culprits=(old,)),),
            key_roles=("Bram Oake", old),
            key_clues=(KeyClue(id="k", text="x", holders=(old, "Bram Oake")),),
        ),
    )
    with pytest.raises(ScriptError, match="a role's name"):
        save_script(changed, {"letter.png": png()}, tmp_path / "old")
    notes = FindingLog()
    found = clean_role_names(changed, notes)
    assert found.names == ("Ilse Varga", new, "Bram Oake")
    assert found.roles[1].aliases == ("The Carter", "Ox")
    assert [(one.code, one.severity, one.place) for one in notes.found] == [
        ("name-cleaned", "warning", new)
    ] * 3
    assert (found.clues[0].owner, found.clues[1].owner) == (new, "Bram Oake")
    assert [one.role for one in found.questions] == [new, "Bram Oake"]
    assert found.factual[0].role == new
    assert found.victims == ("Tamsin", new)
    truth = found.truth
    assert truth.culprits == (new, "A [Stranger]")
    assert truth.instigators == (new,)
    assert truth.unaware == (new,)
    assert truth.killings == (Killing(victim=new, culprits=(new,)),)
    assert truth.key_roles == ("Bram Oake", new)
    assert truth.key_clues[0].holders == (new, "Bram Oake")
    save_script(found, {"letter.png": png()}, tmp_path / "new")
    assert load_script(tmp_path / "new").script == found


def test_a_script_of_good_names_stays_as_it_is() -> None:
    notes = FindingLog()
    assert clean_role_names(a_script(), notes) == a_script()
    assert notes.found == []


def loads(found: ImportedScript, folder: Path) -> None:
    save_script(found.script, found.pictures, folder)
    assert load_script(folder).script == found.script
    assert not found.script.innocents_truthful


def test_a_whodunit_case_comes_in_with_new_names(tmp_path: Path) -> None:
    old = "许墨言（画师、租客）"
    text = json.dumps(a_case(), ensure_ascii=False).replace('"许墨言"', json.dumps(old))
    case: Any = json.loads(text.replace('"周小满"', '"主持人"'))
    found = import_whodunit(published(tmp_path / "lake", case))
    assert found.script.names == ("林阿桥", "许墨言", "角色主持人")
    assert found.script.truth.culprits == ("许墨言",)
    assert found.script.truth.key_roles == ("角色主持人",)
    asked = {one.role for one in found.script.questions if one.role}
    assert asked == {"林阿桥", "许墨言", "角色主持人"}
    cleaned = [one.place for one in found.findings if one.code == "name-cleaned"]
    assert sorted(cleaned) == sorted(["许墨言", "角色主持人"])
    loads(found, tmp_path / "out")


def test_a_mirage_case_comes_in_with_new_names(tmp_path: Path) -> None:
    folder = tmp_path / "En" / "the-pump"
    folder.mkdir(parents=True)
    roles = {
        'Ilse "Pump" Varga': {"Story": "You mend pumps.", "Script": "You slept."},
        "Nobody": {"Story": "You own nothing.", "Script": "You walked."},
    }
    clues = {"Mill": ["A lamp."], 'Memory of Ilse "Pump" Varga': {"pump": "It was wet."}}
    (folder / "script.json").write_text(json.dumps(roles), "utf-8")
    (folder / "clues.json").write_text(json.dumps(clues), "utf-8")
    found = import_mirage(folder)
    assert found.script.names == ("Ilse Pump Varga", "Role Nobody")
    assert found.script.clues[-1].owner == "Ilse Pump Varga"
    loads(found, tmp_path / "out")
