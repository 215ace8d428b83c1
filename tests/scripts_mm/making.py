"""Invented scripts, pictures and published folders for tests. All texts are written here."""

import json
import struct
import zlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from scripts_mm.safe_pictures import make_picture
from scripts_mm.script import Clue, KeyClue, Question, Role, Script, Truth
from scripts_mm.script_folder import LoadedScript, load_script, save_script


def png(width: int = 60, height: int = 48, form: str = "PNG", mode: str = "RGB") -> bytes:
    """Return a small picture whose pixels are not all one colour."""
    image = Image.new(mode, (width, height))
    for at in range(min(width, height)):
        image.putpixel((at, at), 255 if mode in ("P", "L") else (250, 20 + at % 200, 90))
    out = BytesIO()
    image.save(out, form)
    return out.getvalue()


def png_claiming(width: int, height: int) -> bytes:
    """Return a PNG whose header claims a size and whose data are those of one black line."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1 + 3 * 8))
    chunks = (chunk(b"IHDR", header), chunk(b"IDAT", pixels), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG with its length and checksum."""
    crc = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)


def a_script(**changes: Any) -> Script:
    """Return a small whole script with one picture clue; `changes` replace its fields."""
    letter = make_picture(png(), "letter.png", kind="text", transcript="Meet me at the pump house.")
    script = Script(
        id="the-pump-house",
        title="The Pump House",
        language="en",
        opening="Old Tamsin was found beside the pump at dawn.",
        roles=(
            Role(
                name="Ilse Varga",
                script="You mended the pump the evening before.",
                mission="Hide it.",
            ),
            Role(
                name="Corin Dale", script="You owed Tamsin forty crowns.", aliases=("The Carter",)
            ),
            Role(name="Bram Oake", script="You slept in the hay loft and heard the dog."),
        ),
        clues=(
            Clue(id="letter", title="A letter", pictures=(letter,)),
            Clue(
                id="dog", title="The dog", text="The dog did not bark.", owner="Bram Oake", stage=2
            ),
        ),
        truth=Truth(
            culprits=("Corin Dale",),
            text="Corin struck her with the handle because of the debt.",
            key_clues=(
                KeyClue(id="k1", text="Corin wrote the letter.", hops=1, clues=("letter",)),
            ),
            key_roles=("Bram Oake",),
        ),
        questions=(
            Question(
                id="TIU-1",
                kind="tiu",
                stem="Where does the letter ask her to go?",
                options=("the mill", "the pump house", "the chapel", "the bridge"),
                keys=(1,),
                clues=("letter",),
            ),
        ),
        victims=("Tamsin",),
        source="original",
    )
    return replace(script, **changes)


def saved(folder: Path, script: Script | None = None) -> LoadedScript:
    """Save a script with the picture `letter.png` to `folder` and load it."""
    save_script(script or a_script(), {"letter.png": png()}, folder)
    return load_script(folder)


def edited(folder: Path, *path: str | int, value: Any) -> Path:
    """Save a good script to `folder`, then set one place of its JSON to `value`."""
    saved(folder)
    file = folder / "script.json"
    whole = json.loads(file.read_text("utf-8"))
    at = whole
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    file.write_text(json.dumps(whole), "utf-8")
    return folder


def a_case(**changes: Any) -> dict[str, Any]:
    """Return the content of an invented `env_p_all.json` in Chinese, without irregularities."""
    roles = [
        _role("林阿桥", "你是摆渡人林阿桥。昨夜你在渡口修船，听见许墨言和周小满争吵。"),
        _role(
            "许墨言",
            "你是画师许墨言。你欠了庄主一大笔钱，于是把药换成了颜料，林阿桥没有看见。",
            guilty=True,
        ),
        _role("周小满", "你是厨娘周小满。你看见画师半夜从后门进来，鞋上都是泥。"),
    ]
    case: dict[str, Any] = {
        "ju_name": "lake",
        "role": roles,
        "task_nm": "死者是温庄主\n1.找出凶手\n",
        "task_m": "1.不要被发现\n",
        "public_clue": "(1)后门的锁没有坏。\n(2)药瓶里是颜料。\n",
        "key_clues_pool": {"p": ["锁没有坏"], "1-step": ["有人从里面开门"], "周小满": ["鞋上有泥"]},
        "role-q": {"p": [1, 2]},
        "key_clues_questions": [
            {"q": "药瓶里是什么？a. 水 b. 颜料 c. 酒 d. 油", "ans": "b", "source": "p"},
            {"q": "谁从后门进来？a. 渔夫 b. 猎人 c. 画师 d. 船夫", "ans": "c", "source": "z-p-2"},
        ],
        "key_clue_q": {
            "key_q": [
                "药瓶里是什么？a. 水 b. 颜料 c. 酒 d. 油",
                "谁从后门进来？a. 渔夫 b. 猎人 c. 画师 d. 船夫",
            ],
            "key_ans": ["b", "c"],
            "key_sc": ["p", "z-p-2"],
        },
        "ei_q": {"key_q": ["信上写了几点？a. 一点 b. 两点 c. 三点 d. 四点"], "key_ans": ["d"]},
        "cxi_q": {"key_q": ["后门在哪一边？a. 东 b. 西 c. 南 d. 北"], "key_ans": ["a"]},
        "key_role": ["周小满"],
        "murder": "许墨言",
        "reason": "作案动机：\n还不起钱\n\n作案手法：\n把药换成颜料\n",
    }
    return case | changes


def _role(name: str, back: str, *, guilty: bool = False) -> dict[str, Any]:
    questions = [
        {"q": f"{name}昨夜在哪里？a. 渡口 b. 庄园 c. 后门 d. 厨房", "ans": "a"},
        {"q": f"{name}听见了什么？a. 狗叫 b. 争吵 c. 钟声 d. 雨声", "ans": "b"},
    ]
    role: dict[str, Any] = {
        "name": name,
        "back": f"\n{back}\n",
        "m": int(guilty),
        "r_q": questions,
        "q": [question["q"] for question in questions],
        "a": [question["ans"] for question in questions],
    }
    return role | ({"self": "\n我是画师。\n", "answer": "\n我什么都不知道。\n"} if guilty else {})


def published(
    folder: Path,
    case: Any = None,
    pictures: dict[str, bytes] | None = None,
    raw: bytes | None = None,
) -> Path:
    """Write a published folder: `env_p_all.json` (or its bytes `raw`) and pictures in `img`."""
    (folder / "img").mkdir(parents=True)
    data = json.dumps(a_case() if case is None else case).encode() if raw is None else raw
    (folder / "env_p_all.json").write_bytes(data)
    for name, content in ({"1.png": png()} if pictures is None else pictures).items():
        (folder / "img" / name).write_bytes(content)
    return folder
