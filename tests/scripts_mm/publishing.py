"""Invented folders in the formats of WellPlay and MIRAGE. All texts are written here."""

import csv
import io
import json
from pathlib import Path
from typing import Any

HEADER = ["value", "type", "question", "a", "b", "c", "d", "e", "truth"]
ROLES = ("林阿桥", "许墨言", "周小满", "秦守夜", "方绣娘")
KILLS = {"许墨言": [1, 0], "秦守夜": [0, 1]}
ACTS = "你是摆渡人。\n第一幕的事。\n\n第二幕：\n你们上了岛。\n\n第三幕：\n天亮了。"


def wellplay_info(**changes: Any) -> dict[str, Any]:
    """Return the content of a `script_info.json`."""
    return {
        "agent_num": 5,
        "script_name": "湖心灯",
        "character_name": [*ROLES],
        "acts_num": 1,
        "stage": [""],
        "open_discuss_rounds": [2],
        "keep_asking": [2],
        "privacy_discuss_rounds": [0],
    } | changes


def wellplay_role(name: str = "林阿桥", **changes: Any) -> dict[str, Any]:
    """Return the content of a role's file; two roles killed one of two victims each."""
    kills = KILLS.get(name, [0, 0])
    return {
        "acts_num": 1,
        "script": [f"你是{name}。昨夜渡口还有{'、'.join(ROLES)}。"],
        "acts_goal": ["1、找出凶手。（10分）"],
        "victims": ["温庄主", "沈账房"],
        "kill_by_me": kills,
        "is_murderer": max(kills),
        "questions": [],
        "final_goal": "",
        "acts_performance": [],
        "secrets": "",
    } | changes


def wellplay_rows(asker: str = "林阿桥") -> list[list[str]]:
    """Return a table without irregularities: nobody is asked about an own victim."""
    victim, killer = ("沈账房", "秦守夜") if asker == "许墨言" else ("温庄主", "许墨言")
    suspects = [name for name in ROLES if name != asker]
    key = "abcd"[suspects.index(killer)]
    return [
        ["a", "a", f"{victim}被谁杀死的？", *suspects, "", key],
        ["b", "a", f"{victim}是怎么死的？", "溺水", "中毒", "坠楼", "失火", "", "c"],
        ["b", "b", f"请选出你最怀疑杀死{victim}的两个人", *suspects, "", key],
        ["b", "b", "哪些东西不见了？", "账本", "船桨", "灯油", "铜锁", "", "ac"],
        ["c", "a", "温庄主和周小满是什么关系？", "主仆", "父女", "师徒", "邻居", "", "a"],
    ]


def table(rows: list[list[str]], *, header: list[str] | None = None, bom: bool = False) -> bytes:
    """Return the bytes of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header or HEADER, *rows])
    return text.getvalue().encode("utf-8-sig" if bom else "utf-8")


def wellplay(
    folder: Path,
    *,
    info: Any = None,
    roles: dict[str, Any] | None = None,
    tables: dict[str, bytes] | None = None,
) -> Path:
    """Write a WellPlay folder; `roles` and `tables` replace those of a good one by their names."""
    (folder / "json").mkdir(parents=True)
    (folder / "final_result").mkdir()
    _write(folder / "json" / "script_info.json", wellplay_info() if info is None else info)
    for name, value in ({one: wellplay_role(one) for one in ROLES} | (roles or {})).items():
        _write(folder / "json" / f"{name}.json", value)
    usual = {f"{name}.csv": table(wellplay_rows(name)) for name in ROLES}
    usual["GM.csv"] = table([row for name in ROLES for row in wellplay_rows(name)])
    for name, data in (usual | (tables or {})).items():
        (folder / "final_result" / name).write_bytes(data)
    return folder


def fields(story: str = "", script: str = "", **changes: Any) -> dict[str, Any]:
    """Return the six fields of a MIRAGE role in one stage."""
    return {
        "Story": story,
        "Script": script,
        "Relationship": "Bram is your cousin.",
        "Performance": "Be brief.",
        "Purpose": "Find the thief.",
        "Ability": "",
    } | changes


def mirage_flat() -> dict[str, Any]:
    """Return a role file of one stage."""
    return {
        "Ilse Varga": fields(
            "You mend pumps and tie ropes.", "You saw Corin Dale at the mill with Bram Oake."
        ),
        "Corin Dale": fields("You owe money.", "You met Ilse Varga and Bram Oake at dusk."),
        "Bram Oake": fields("You sleep in the loft.", "You heard Corin Dale call Ilse Varga."),
    }


def mirage_staged() -> dict[str, Any]:
    """Return a role file of three stages: the relations change once, other texts repeat."""
    first = mirage_flat()
    second = {name: fields("", f"{name} waits by the pump.") for name in first}
    third = {
        name: fields("", "", Relationship="Bram is a stranger.", Purpose="Run.") for name in first
    }
    return {"Stage 1": first, "Stage 2": second, "Stage 3": third}


def mirage_clues() -> dict[str, Any]:
    """Return a clue file with places, public clues and a role's memory."""
    return {
        "The mill": ["A wet rope.", "A torn sack of flour."],
        "Corin Dale": ["A pawn ticket."],
        "Public Clue 1": ["The pump was dry at noon."],
        "Memory of Ilse Varga": {"rope": "You tied that rope.", "pump": "You oiled it."},
    }


def mirage(
    folder: Path,
    *,
    roles: Any = None,
    clues: Any = None,
    truth: Any = None,
) -> Path:
    """Write a MIRAGE folder in English, and `Truth.json` beside it; bytes are written as given."""
    folder.mkdir(parents=True)
    _write(folder / "script.json", mirage_flat() if roles is None else roles)
    _write(folder / "clues.json", mirage_clues() if clues is None else clues)
    told = {folder.name: "Corin cut the rope that held the wheel."} if truth is None else truth
    _write(folder.parent / "Truth.json", told)
    return folder


def _write(path: Path, value: Any) -> None:
    """Write JSON, or bytes as they are; None writes nothing."""
    if isinstance(value, bytes):
        path.write_bytes(value)
    elif value is not None:
        path.write_text(json.dumps(value, ensure_ascii=False, indent=4), "utf-8", newline="\r\n")
