"""Prompts and pictures on which the plugin and the reference are compared."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from serving.yi_vl.layout import IMAGE, SYSTEM


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One prompt, whole, and the names of its pictures in their order."""

    prompt: str
    pictures: tuple[str, ...]


def make_cases(*, quick: bool = False) -> tuple[Case, ...]:
    """Return the twenty cases, or six of them: no picture, one, two; one turn and several."""
    cases = tuple(_case(*turns) for turns in _TURNS)
    return tuple(cases[number] for number in _QUICK) if quick else cases


def draw(name: str) -> Image.Image:
    """Return the picture of that name; the same one each time."""
    return _PICTURES[name](random.Random(name))


def picture_names() -> tuple[str, ...]:
    """Return the names of all pictures."""
    return tuple(_PICTURES)


def _case(*turns: str) -> Case:
    """Return the case of alternating turns, the asker's first; `{name}` is a picture's place."""
    said = ""
    names: list[str] = []
    for number, turn in enumerate(turns):
        text, own = _place(turn)
        names += own
        said += f"### Human: {text}\n" if number % 2 == 0 else f"### Assistant: {text}\n"
    return Case(prompt=f"{SYSTEM}\n\n{said}### Assistant:", pictures=tuple(names))


def _place(turn: str) -> tuple[str, list[str]]:
    names: list[str] = []
    text = ""
    for part in turn.split("{"):
        name, closed, rest = part.partition("}")
        if closed:
            names.append(name)
        text += f"{IMAGE}\n{rest}" if closed else part
    return text, names


def _wide(chance: random.Random) -> Image.Image:
    picture = _dotted("RGB", (900, 260), chance)
    ImageDraw.Draw(picture).text((30, 100), "RECEIPT No. 417: one oil lamp", fill=(250, 240, 90))
    return picture


def _tall(chance: random.Random) -> Image.Image:
    picture = _dotted("L", (190, 720), chance)
    ImageDraw.Draw(picture).text((15, 40), "second floor", fill=255)
    return picture


def _square(chance: random.Random) -> Image.Image:
    return _dotted("RGB", (448, 448), chance).quantize(32)


def _tiny(chance: random.Random) -> Image.Image:
    return _dotted("RGB", (9, 5), chance)


def _large(chance: random.Random) -> Image.Image:
    picture = _dotted("RGB", (2_000, 1_403), chance)
    ImageDraw.Draw(picture).rectangle((300, 250, 1_500, 1_000), outline=(255, 255, 255), width=40)
    return picture


def _glass(chance: random.Random) -> Image.Image:
    """Return a picture one part of which is transparent and another half so."""
    picture = _dotted("RGBA", (321, 240), chance)
    brush = ImageDraw.Draw(picture)
    brush.rectangle((0, 0, 120, 239), fill=(40, 180, 60, 0))
    brush.rectangle((121, 0, 200, 120), fill=(200, 20, 60, 128))
    return picture


def _strip(chance: random.Random) -> Image.Image:
    return _dotted("L", (1_400, 21), chance)


def _paper(chance: random.Random) -> Image.Image:
    picture = Image.new("RGB", (512, 640), (244, 238, 220))
    brush = ImageDraw.Draw(picture)
    for line in range(18):
        words = " ".join(chance.choice(("meet", "me", "at", "nine", "alone")) for _ in range(9))
        brush.text((40, 30 + 32 * line), words, fill=(20, 20, 60))
    return picture


def _dotted(mode: str, size: tuple[int, int], chance: random.Random) -> Image.Image:
    """Return a slope of colours with discs on it."""
    width, height = size
    low, high = (tuple(chance.randrange(256) for _ in range(3)) for _ in range(2))
    slope = Image.linear_gradient("L").rotate(90 * chance.randrange(4)).resize(size)
    picture = Image.composite(
        Image.new("RGB", size, (low[0], low[1], low[2])),
        Image.new("RGB", size, (high[0], high[1], high[2])),
        slope,
    ).convert(mode)
    brush = ImageDraw.Draw(picture)
    for _ in range(8):
        left, top = chance.randrange(width), chance.randrange(height)
        colour = tuple(chance.randrange(256) for _ in range(3))
        fill = colour[0] if mode == "L" else (colour[0], colour[1], colour[2])
        brush.ellipse((left, top, left + width // 6 + 1, top + height // 4 + 1), fill=fill)
    return picture


_PICTURES: Final[Mapping[str, Callable[[random.Random], Image.Image]]] = {
    "wide": _wide,
    "tall": _tall,
    "square": _square,
    "tiny": _tiny,
    "large": _large,
    "glass": _glass,
    "strip": _strip,
    "paper": _paper,
}

_TURNS: Final[tuple[tuple[str, ...], ...]] = (
    ("Who was in the library before the lamp went out?",),
    ("昨晚九点之后，谁去过灯塔？请说明理由。",),
    ("The captain says that he slept.", "He did not.", "How do you know?"),
    ("管家说他一直在厨房。", "我不相信他。", "那么他在哪里？", "在花园里。", "有谁看见了？"),
    ('Answer in JSON such as ["text"]:\n\n  two  spaces, a tab\tand 齉, <0x41> <|unused|>',),
    ("{wide}What does the receipt say?",),
    ("{tall}这张图里有什么？",),
    ("{square}Describe the picture in one sentence.",),
    ("{tiny}What colour is it?",),
    ("{large}你看到了什么线索？请简短回答。",),
    ("{glass}What is behind the glass?",),
    ("{strip}", "A strip of paper.", "What is written on it?"),
    ("Good evening.", "Good evening. How can I help?", "{paper}Who wrote this letter, and when?"),
    ("下面是一张图片：\n{wide}请问它和案件有什么关系？",),
    ("{paper}{tall}Compare the letter with the stairs.",),
    ("{glass}第一张。\n{square}第二张。它们有什么不同？",),
    ("{large}What is this?", "A map of the house.", "{tiny}And this?"),
    ("{tiny}{tiny}Are these two the same?",),
    ("{strip}先看这个。", "我看到了。", "{wide}再看这个。谁在说谎？"),
    ("Before {paper}between {large}after: whom do you accuse?",),
)
_QUICK: Final = (3, 4, 5, 10, 16, 19)
