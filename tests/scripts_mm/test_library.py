"""Every bundled script, whoever wrote it: playable, fair, solvable, whole in both languages."""

import hashlib
from collections import Counter
from functools import cache
from io import BytesIO
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFont

from scripts_mm.catalog import LIBRARY, find_script, list_bundled
from scripts_mm.contact_sheet import draw_contact_sheet
from scripts_mm.drawing.cases import list_script_ids, load_drawings
from scripts_mm.drawing.primitives.fonts import Font, Fonts, Hand, find_fonts
from scripts_mm.drawing.primitives.paper import encode_png
from scripts_mm.drawing.rendered.photograph import blank_exposure, take_photograph
from scripts_mm.drawing.rendered.scene_files import list_scenes
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.facts.proof import prove
from scripts_mm.facts.solver import solve
from scripts_mm.findings import FindingLog
from scripts_mm.linting import lint
from scripts_mm.linting.length_bias import check_option_lengths, guess_by_length
from scripts_mm.names import text_form
from scripts_mm.script import LANGUAGES, Language, Picture, Role, Script, ScriptError
from scripts_mm.script_folder import LoadedScript
from tests.table import (
    begin,
    legal,
    play,
    setup,
)

IDS = tuple(entry.id for entry in list_bundled())
MOST_BYTES = 250_000
every_script = pytest.mark.parametrize("name", IDS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def loaded(name: str, language: Language) -> LoadedScript:
    return find_script(name, language)


def script(name: str, language: Language) -> Script:
    return loaded(name, language).script


def test_the_library_has_its_scripts_in_both_languages_and_drawings_of_each() -> None:
    assert IDS
    assert all({*entry.languages} == {*LANGUAGES} for entry in list_bundled())
    assert list_script_ids() == tuple(sorted(IDS))


@pytest.mark.slow
def test_the_library_has_a_script_of_every_kind_that_games_treat_apart() -> None:
    scripts = [script(name, "en") for name in IDS]
    assert len({len(one.roles) for one in scripts}) > 1
    assert {one.ending for one in scripts} == {"closed", "open"}
    assert all(one.innocents_truthful for one in scripts)
    assert max(len(one.victims) for one in scripts) >= 2
    assert any(one.truth.instigators for one in scripts)
    assert any(len(killing.culprits) > 1 for one in scripts for killing in one.truth.killings)
    assert any(one.truth.unaware for one in scripts)
    assert any(part.stage == 2 for one in scripts for role in one.roles for part in role.parts)


@pytest.mark.slow
@every_script
@every_language
def test_lint_finds_nothing_that_would_spoil_a_match(name: str, language: Language) -> None:
    assert [one for one in lint(loaded(name, language)) if one.severity != "info"] == []


@every_script
@every_language
def test_the_longest_option_is_no_better_a_guess_than_chance(name: str, language: Language) -> None:
    asked = [one for one in script(name, language).questions if len(one.keys) == 1]
    assert not guess_by_length(asked, max).is_telling
    assert not guess_by_length(asked, min).is_telling
    notes = FindingLog()
    check_option_lengths(script(name, language), notes)
    assert notes.found == []


@pytest.mark.slow
@every_script
@every_language
def test_a_script_has_roles_and_pictures_enough(name: str, language: Language) -> None:
    one = script(name, language)
    assert one.id == name
    assert one.source == "original"
    assert 4 <= len(one.roles) <= 7
    assert one.murderers == tuple(n for n in one.names if n in one.truth.culprits)
    assert one.murderers
    assert all(role.mission and role.aliases for role in one.roles)
    assert all(one.role(n).introduction and one.role(n).reply for n in one.murderers)
    kinds = Counter(picture.kind for picture in one.pictures)
    assert 6 <= len(one.pictures) <= 15
    assert min(kinds["text"], kinds["media"]) >= 2


@every_script
@every_language
def test_every_picture_is_small_and_told_in_words(name: str, language: Language) -> None:
    for picture in script(name, language).pictures:
        assert picture.description, picture.file
        assert picture.transcript or picture.kind == "media", picture.file
        assert picture.width * picture.height <= 1_003_520, picture.file
        assert len(loaded(name, language).read_picture(picture)) <= MOST_BYTES, picture.file


@every_script
@every_language
def test_every_measure_has_its_questions(name: str, language: Language) -> None:
    one = script(name, language)
    kinds = Counter(question.kind for question in one.questions)
    least = {"tiu": 4, "miu": 4, "mmr": 8, "inf": 5, "obj": 2, "rea": 8, "rel": 4}
    assert {kind: kinds[kind] for kind in least if kinds[kind] < least[kind]} == {}
    for role in one.roles:
        own = Counter(question.kind for question in one.questions if question.role == role.name)
        told = Counter(fact.about for fact in one.factual if fact.role == role.name)
        assert own["lsu"] >= 4, role.name
        assert min(told["story"], told["timeline"]) >= 2, role.name
    assert all(question.keys for question in one.questions)
    assert all(question.rationale for question in one.questions if question.kind == "inf")
    wellplay = [question for question in one.questions if question.kind in {"obj", "rea", "rel"}]
    points = {"obj": 10, "rea": 5, "rel": 2}
    assert all(question.role for question in wellplay)
    assert all(question.points == points[question.kind] for question in wellplay)


@every_script
@every_language
def test_the_right_letters_are_spread(name: str, language: Language) -> None:
    keys = Counter(
        question.keys[0]
        for question in script(name, language).questions
        if len(question.options) == 4 and len(question.keys) == 1
    )
    whole = sum(keys.values())
    assert all(0.15 * whole <= keys[at] <= 0.35 * whole for at in range(4)), keys


@every_script
@every_language
def test_the_truth_is_told_and_reached_by_a_chain(name: str, language: Language) -> None:
    truth = script(name, language).truth
    assert truth.text
    assert truth.method
    assert truth.motive
    assert truth.key_roles
    assert truth.misleading
    assert len(truth.key_clues) >= 10
    assert {killing.victim for killing in truth.killings} == {*script(name, language).victims}
    hops = {key.id: key.hops for key in truth.key_clues}
    assert max(hop or 0 for hop in hops.values()) >= 3
    for key in truth.key_clues:
        assert key.hops is not None
        assert all((hops[premise] or 0) < key.hops for premise in key.premises), key.id


def shape(one: Script) -> dict[str, Any]:
    """Return everything that must not depend on the language."""
    at = {name: nth for nth, name in enumerate(one.names)}

    def seats(names: tuple[str, ...]) -> list[int | None]:
        return [at.get(name) for name in names]

    def role(one: Role) -> list[Any]:
        return [len(one.aliases) > 0, [(part.name, part.stage) for part in one.parts]]

    return {
        "id": one.id,
        "ending": one.ending,
        "innocents_truthful": one.innocents_truthful,
        "roles": [role(each) for each in one.roles],
        "clues": [
            (c.id, c.stage, at.get(c.owner or ""), bool(c.text), bool(c.place)) for c in one.clues
        ],
        "pictures": [(picture.file, picture.kind) for picture in one.pictures],
        "questions": [
            (q.id, q.kind, q.keys, len(q.options), q.clues, q.hops, q.answer, at.get(q.role or ""))
            for q in one.questions
        ],
        "factual": [(fact.id, fact.about, at[fact.role]) for fact in one.factual],
        "key clues": [
            (key.id, key.hops, key.clues, key.premises, seats(key.holders))
            for key in one.truth.key_clues
        ],
        "guilty": seats(one.truth.culprits),
        "instigators": seats(one.truth.instigators),
        "unaware": seats(one.truth.unaware),
        "killings": [seats(killing.culprits) for killing in one.truth.killings],
        "key roles": seats(one.truth.key_roles),
        "misleading": one.truth.misleading,
    }


@every_script
def test_both_languages_have_one_structure(name: str) -> None:
    one, other = shape(script(name, "en")), shape(script(name, "zh"))
    for part, value in one.items():
        assert other[part] == value, part


@every_script
def test_the_facts_prove_the_culprit_and_only_together_with_the_pictures(name: str) -> None:
    table = load_facts(LIBRARY / name)
    assert table is not None
    proof = prove(table)
    assert proof.solved, proof.problems
    assert table.k >= 1
    blind = solve(table, pictures=False)
    assert any(len(left) > 1 for left in blind.values())


@every_script
def test_a_table_names_the_people_as_the_scripts_do(name: str) -> None:
    table = load_facts(LIBRARY / name)
    assert table is not None
    names = {person.id: person.names for person in table.people}
    for language in LANGUAGES:
        told = tuple(names[person][language] for person in table.suspects)
        assert told == script(name, language).names


@pytest.mark.slow
@every_script
@every_language
def test_redrawing_gives_the_committed_pictures_with_the_words_of_their_transcripts(
    name: str, language: Language
) -> None:
    """Another FreeType may move an edge by a shade.

    The mean difference of the worst block of 8 by 8 pixels is at most 6 of 255 for the few colours
    of the file, 13 for a shift of 0.2 pixels and 35 for one changed letter. To choose the colours
    takes longer than to draw, so one picture alone is made a file.
    Without the fonts of the committed pictures only the words are compared.
    """
    fonts = _Listening(language)
    told = {picture.file: picture for picture in script(name, language).pictures}
    photographs = {f"{scene}.jpg": scene for scene in list_scenes(name)}
    drawings = load_drawings(name, language)
    assert {*drawings} == {*told} - {*photographs}
    folder = LIBRARY / name / language / "pictures"
    smallest = min(drawings, key=lambda file: (folder / file).stat().st_size)
    heard = 0
    for file, draw in drawings.items():
        fonts.heard.clear()
        drawn = draw(fonts, Random(f"{name}/{file}"))
        assert _unsaid(fonts.heard, told[file]) == [], file
        heard += len(fonts.heard)
        if fonts.files:
            _compare(drawn, folder / file)
        if fonts.files and file == smallest:
            _compare(Image.open(BytesIO(encode_png(drawn))), folder / file)
    for file, scene in photographs.items():
        fonts.heard.clear()
        take_photograph(name, scene, fonts, blank_exposure)
        assert _unsaid(fonts.heard, told[file]) == [], scene
    assert heard > 50


def test_no_picture_stands_twice_in_the_library() -> None:
    hashes = [
        (hashlib.sha256(loaded(name, language).read_picture(picture)).hexdigest(), name, language)
        for name in IDS
        for language in LANGUAGES
        for picture in script(name, language).pictures
    ]
    groups = groupby(sorted(hashes), key=lambda one: one[0])
    assert [group for group in (list(many) for _, many in groups) if len(group) > 1] == []


@pytest.mark.slow
@every_script
@every_language
def test_a_match_is_played_to_its_end(name: str, language: Language) -> None:
    chance = Random(7)
    started = begin(setup(script=script(name, language)))
    assert play(started, lambda request: legal(request, chance)).ended


@pytest.mark.slow
@every_script
def test_a_contact_sheet_shows_every_picture(name: str) -> None:
    sheet = draw_contact_sheet(loaded(name, "en"))
    assert sheet.width > 1_000
    assert len(sheet.getcolors(1 << 24) or ()) > 1_000


class _Heard(ImageFont.FreeTypeFont):
    """A typeface that notes down what is written with it, and writes it."""

    heard: list[str]

    def getmask2(self, text: str | bytes, *words: Any, **named: Any) -> Any:
        self.heard.append(str(text))
        return super().getmask2(text, *words, **named)


class _Listening(Fonts):
    """The committed pictures' fonts, else Pillow's own; `heard` is every text that was written."""

    heard: list[str]

    def __init__(self, language: Language) -> None:
        try:
            super().__init__(language, find_fonts(language).files)
        except ScriptError:
            super().__init__(language)
        object.__setattr__(self, "heard", [])

    def get(self, hand: Hand, size: int) -> Font:
        font = super().get(hand, size)
        for name, value in (("__class__", _Heard), ("heard", self.heard)):
            setattr(font, name, value)
        return font


def _compare(drawn: Image.Image, path: Path) -> None:
    with Image.open(path) as kept:
        one, other = drawn.convert("RGB"), kept.convert("RGB")
    assert one.size == other.size, path.name
    blocks = ImageChops.difference(one, other).convert("L").reduce(8)
    assert max(blocks.tobytes()) < 20, path.name


def _unsaid(heard: list[str], picture: Picture) -> list[str]:
    said = text_form(picture.transcript)
    return [text for text in heard if text_form(text) not in said]
