"""The drawing of clue pictures: repeatable, true to the transcripts, plain about missing fonts."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageDraw

from scripts_mm.catalog import find_script
from scripts_mm.drawing.__main__ import main
from scripts_mm.drawing.cases.first_night import drawings
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec
from scripts_mm.drawing.primitives.fonts import FACES, Fonts, Hand, find_fonts
from scripts_mm.drawing.primitives.ink import split_strokes, wrap_text
from scripts_mm.drawing.primitives.paper import MAX_COLOURS, encode_png
from scripts_mm.drawing.rendered.scene_data import Scene
from scripts_mm.drawing.rendered.scene_files import list_scenes, load_scene
from scripts_mm.names import text_form
from scripts_mm.script import LANGUAGES, Language, ScriptError

LOOKS = frozenset(
    {"hand", "remark_hand", "pen_hand", "holes", "table_kind", "mark_frame", "printed", "held"}
    | {"logo", "scrawl", "crack"}
)
"""Fields of a specification that say how a picture looks; the others are what stands in it."""


class FirstNight:
    """The specifications of the pictures of "The First Night" in one language."""

    def __init__(self, language: Language) -> None:
        data = PictureData("first-night", language)
        self.plan = data.read("plan", FloorPlanSpec)
        self.scene = load_scene("first-night", "scene", language)
        self.photo = load_scene("first-night", "photo", language)
        self.log = data.read("log", PrintedLogSpec)
        self.chat = data.read("chat", ChatScreenSpec)
        self.report = data.read("report", ReportFormSpec)
        self.invoice = data.read("invoice", InvoiceSpec)
        self.letter = data.read("letter", LetterSpec)
        self.checklist = data.read("running-list", ChecklistSpec)


SPECS: dict[Language, FirstNight] = {language: FirstNight(language) for language in LANGUAGES}


def fonts(language: Language) -> Fonts:
    """Return the real typefaces; without them the test is left out."""
    try:
        return find_fonts(language)
    except ScriptError as error:
        pytest.skip(str(error))


def words(value: Any) -> Iterator[str]:
    """Yield every text inside a drawing's specification."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:  # pyright: ignore[reportUnknownVariableType]
            yield from words(part)
    elif isinstance(value, dict):
        yield from words(tuple(value.values()))  # pyright: ignore[reportUnknownArgumentType]
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in LOOKS:
                yield from words(getattr(value, field.name))


def scene_words(scene: Scene) -> Iterator[str]:
    """Yield what stands on the things of a photographed scene and on the photograph."""
    yield from (text for label in scene.labels.values() for text in label.text)
    yield from (thing.label for thing in scene.things if thing.kind == "marker")
    yield from (stamp.text for stamp in scene.stamps)


def written(language: Language) -> dict[str, list[str]]:
    """Return what is written in each picture, by its file."""
    said = SPECS[language]
    return {
        "plan.png": [said.plan.title, *said.plan.words.values(), *said.plan.notes],
        "scene.jpg": [*said.scene.caption, *scene_words(said.scene)],
        "photo.jpg": [*said.photo.caption, *scene_words(said.photo)],
        "log.png": [*words(said.log)],
        "chat.png": [*words(said.chat)],
        "report.png": [*words(said.report)],
        "invoice.png": [*words(said.invoice)],
        "letter.png": [*words(said.letter)],
        "running-list.png": [*words(said.checklist)],
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_drawn_stands_in_the_transcript(language: Language) -> None:
    script = find_script("first-night", language).script
    told = {picture.file: text_form(picture.transcript) for picture in script.pictures}
    drawn = written(language)
    photographs = {f"{name}.jpg" for name in list_scenes("first-night")}
    assert {*drawn} == {*told} == {*drawings(language)} | photographs
    for file, texts in drawn.items():
        missing = [text for text in texts if text_form(text) not in told[file]]
        assert missing == [], file


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_stand_whole_in_the_transcripts(language: Language) -> None:
    script = find_script("first-night", language).script
    told = {picture.file: picture.transcript for picture in script.pictures}
    said = SPECS[language]
    rows = (said.log.head, *said.log.rows)
    assert [row for row in rows if " | ".join(row) not in told["log.png"].splitlines()] == []
    rows = (said.invoice.head, *said.invoice.rows)
    assert [row for row in rows if " | ".join(row) not in told["invoice.png"]] == []
    lines = told["chat.png"].splitlines()[1:-1]
    assert len(lines) == len(said.chat.messages)
    for line, message in zip(lines, said.chat.messages, strict=True):
        speaker = {True: "Leopold 顾鹤年", False: "Agnes 马岚"}[message.own]
        assert line.split()[0] in speaker
        assert message.time in line
        assert message.text in line
    for line, entry in zip(
        told["running-list.png"].splitlines()[1:], said.checklist.entries, strict=True
    ):
        assert line.startswith(f"{entry.time} {entry.text}")
        assert (line[-1] == ")" or line[-1] == "）") == entry.done


def test_every_label_of_the_plan_has_words_in_every_language() -> None:
    for spec in (SPECS[language].plan for language in LANGUAGES):
        assert spec.doors
        labelled = (*spec.rooms, *spec.things, *spec.ways)
        assert {*spec.words} == {one.label for one in labelled if one.label}


def test_both_languages_draw_the_same_things_at_the_same_places() -> None:
    one, other = SPECS["en"], SPECS["zh"]
    assert one.plan.rooms == other.plan.rooms
    assert one.scene.things == other.scene.things
    assert one.photo.things == other.photo.things
    assert [row[:2] for row in one.log.rows] == [row[:2] for row in other.log.rows]
    assert [m.time for m in one.chat.messages] == [m.time for m in other.chat.messages]
    assert [m.own for m in one.chat.messages] == [m.own for m in other.chat.messages]
    assert [row[2:] for row in one.invoice.rows] == [row[2:] for row in other.invoice.rows]
    assert [(e.time, e.done) for e in one.checklist.entries] == [
        (e.time, e.done) for e in other.checklist.entries
    ]


def test_the_invoice_adds_up() -> None:
    for language in LANGUAGES:
        invoice = SPECS[language].invoice
        cells = [[int(cell.replace(",", "")) for cell in (r[0], *r[2:])] for r in invoice.rows]
        assert all(count * price == total for count, price, total in cells)
        assert sum(total for *_, total in cells) == int(invoice.total[1].replace(",", ""))


@pytest.mark.slow
def test_the_same_generator_draws_the_same_bytes() -> None:
    plain = Fonts("en")
    draw = drawings("en")["letter.png"]
    assert encode_png(draw(plain, Random("a"))) == encode_png(draw(plain, Random("a")))


@pytest.mark.slow
def test_another_generator_draws_other_paper() -> None:
    draw = drawings("en")["running-list.png"]
    assert encode_png(draw(Fonts("en"), Random("a"))) != encode_png(draw(Fonts("en"), Random("b")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_picture_lacks_a_sign_in_its_fonts(language: Language) -> None:
    have = fonts(language)
    for hand in FACES[language]:
        void = glyph(have, hand, "\uffff")
        seen = "".join(hand_words(language).get(hand, []))
        lacking = {s for s in seen if not s.isspace() and glyph(have, hand, s) == void}
        assert lacking == set(), hand


def glyph(have: Fonts, hand: Hand, sign: str) -> bytes:
    tile = Image.new("L", (80, 80))
    ImageDraw.Draw(tile).text((10, 60), sign, 255, have.get(hand, 40), anchor="ls")
    return tile.tobytes()


def hand_words(language: Language) -> dict[Hand, list[str]]:
    """Return what each kind of hand writes."""
    said = SPECS[language]
    return {
        "letter": [*said.letter.body, said.letter.greeting, said.letter.signature],
        "note": [*words(said.checklist)],
        "pencil": [*said.invoice.remark, said.letter.mark],
        "type": [*words(said.report.findings), *words(said.invoice.rows), *said.scene.caption],
        "print": [*said.photo.caption],
        "sans": [*said.plan.words.values(), *words(said.chat)],
        "mono": [*words(said.log)],
    }


def test_a_finished_picture_has_few_colours() -> None:
    with Image.open(BytesIO(encode_png(Image.effect_noise((64, 64), 60)))) as picture:
        assert picture.format == "PNG"
        colours = picture.convert("RGB").getcolors()
        assert colours is not None
        assert len(colours) <= MAX_COLOURS


def test_missing_fonts_are_named_with_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(
        ScriptError, match=r"apt-get install .*fonts-noto-cjk.*ARENA_FONTS"
    ) as error:
        find_fonts("zh", [tmp_path])
    assert "\n" not in str(error.value)


def test_the_command_names_an_unknown_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in LANGUAGES:
        fonts(language)
    assert main([str(tmp_path / "nothing")]) == 2
    told = capsys.readouterr().err
    assert "no drawings for script 'nothing'; known: drowned-bell, first-night" in told


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--help",), ("folder", "fr")])
def test_the_command_without_a_folder_says_how_it_is_used(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts_mm.drawing", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "usage: python -m scripts_mm.drawing FOLDER [en | zh]\n"


def test_lines_break_at_words_in_english_and_at_signs_in_chinese() -> None:
    assert split_strokes("old oak 灯灭。") == ["old ", "oak ", "灯", "灭", "。"]
    font = Fonts("en").get("print", 20)
    assert wrap_text("one two", font, font.getlength("one t")) == ["one", "two"]
    line = wrap_text("灯灭之时，便是你的死期。", font, font.getlength("灯灭之时"))
    assert not any(part.startswith(("，", "。")) for part in line)
    assert "".join(line) == "灯灭之时，便是你的死期。"
