"""Prompt cases of the parity check: prompts and pictures that both sides get."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER, SYSTEM_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCase:
    """Complete prompt and the names of its pictures in their order."""

    prompt: str
    pictures: tuple[str, ...]


def make_cases(*, quick: bool = False) -> tuple[PromptCase, ...]:
    """Return the twenty cases, or six of them: no picture, one, two; one turn and several."""
    cases = tuple(_make_case(*turns) for turns in _TURNS)
    return tuple(cases[number] for number in _QUICK) if quick else cases


def draw_picture(name: str) -> Image.Image:
    """Draw the picture with this name; each call gives the same pixels."""
    return _PICTURES[name](random.Random(name))


def picture_names() -> tuple[str, ...]:
    """Return the names of all pictures."""
    return tuple(_PICTURES)


def _make_case(*turns: str) -> PromptCase:
    """Return the case of alternating turns, the human's first; `{name}` marks a picture."""
    dialogue = ""
    names: list[str] = []
    for number, turn in enumerate(turns):
        text, own = _replace_pictures(turn)
        names += own
        dialogue += f"### Human: {text}\n" if number % 2 == 0 else f"### Assistant: {text}\n"
    return PromptCase(prompt=f"{SYSTEM_TEXT}\n\n{dialogue}### Assistant:", pictures=tuple(names))


def _replace_pictures(turn: str) -> tuple[str, list[str]]:
    names: list[str] = []
    text = ""
    for part in turn.split("{"):
        name, closed, rest = part.partition("}")
        if closed:
            names.append(name)
        text += f"{IMAGE_PLACEHOLDER}\n{rest}" if closed else part
    return text, names


def _draw_wide(rng: random.Random) -> Image.Image:
    picture = _draw_discs("RGB", (900, 260), rng)
    ImageDraw.Draw(picture).text((30, 100), "RECEIPT No. 417: one oil lamp", fill=(250, 240, 90))
    return picture


def _draw_tall(rng: random.Random) -> Image.Image:
    picture = _draw_discs("L", (190, 720), rng)
    ImageDraw.Draw(picture).text((15, 40), "second floor", fill=255)
    return picture


def _draw_square(rng: random.Random) -> Image.Image:
    return _draw_discs("RGB", (448, 448), rng).quantize(32)


def _draw_tiny(rng: random.Random) -> Image.Image:
    return _draw_discs("RGB", (9, 5), rng)


def _draw_large(rng: random.Random) -> Image.Image:
    picture = _draw_discs("RGB", (2_000, 1_403), rng)
    ImageDraw.Draw(picture).rectangle((300, 250, 1_500, 1_000), outline=(255, 255, 255), width=40)
    return picture


def _draw_glass(rng: random.Random) -> Image.Image:
    """Draw a picture with a transparent and a half-transparent part."""
    picture = _draw_discs("RGBA", (321, 240), rng)
    brush = ImageDraw.Draw(picture)
    brush.rectangle((0, 0, 120, 239), fill=(40, 180, 60, 0))
    brush.rectangle((121, 0, 200, 120), fill=(200, 20, 60, 128))
    return picture


def _draw_strip(rng: random.Random) -> Image.Image:
    return _draw_discs("L", (1_400, 21), rng)


def _draw_paper(rng: random.Random) -> Image.Image:
    picture = Image.new("RGB", (512, 640), (244, 238, 220))
    brush = ImageDraw.Draw(picture)
    for line in range(18):
        words = " ".join(rng.choice(("meet", "me", "at", "nine", "alone")) for _ in range(9))
        brush.text((40, 30 + 32 * line), words, fill=(20, 20, 60))
    return picture


def _draw_discs(mode: str, size: tuple[int, int], rng: random.Random) -> Image.Image:
    """Draw a gradient of two colours with discs on it."""
    width, height = size
    low, high = (tuple(rng.randrange(256) for _ in range(3)) for _ in range(2))
    gradient = Image.linear_gradient("L").rotate(90 * rng.randrange(4)).resize(size)
    picture = Image.composite(
        Image.new("RGB", size, (low[0], low[1], low[2])),
        Image.new("RGB", size, (high[0], high[1], high[2])),
        gradient,
    ).convert(mode)
    brush = ImageDraw.Draw(picture)
    for _ in range(8):
        left, top = rng.randrange(width), rng.randrange(height)
        colour = tuple(rng.randrange(256) for _ in range(3))
        fill = colour[0] if mode == "L" else (colour[0], colour[1], colour[2])
        brush.ellipse((left, top, left + width // 6 + 1, top + height // 4 + 1), fill=fill)
    return picture


_PICTURES: Final[Mapping[str, Callable[[random.Random], Image.Image]]] = {
    "wide": _draw_wide,
    "tall": _draw_tall,
    "square": _draw_square,
    "tiny": _draw_tiny,
    "large": _draw_large,
    "glass": _draw_glass,
    "strip": _draw_strip,
    "paper": _draw_paper,
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
