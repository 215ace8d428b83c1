"""The native format: what is written comes back, and whatever is wrong is one line."""

import json
import os
import string
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scripts_mm import script, script_schema
from scripts_mm.names import is_reserved
from scripts_mm.safe_pictures import MAX_PICTURES, make_picture
from scripts_mm.script import (
    Clue,
    FactualQuestion,
    KeyClue,
    Killing,
    Part,
    Picture,
    Question,
    Role,
    Script,
    ScriptError,
    Truth,
)
from scripts_mm.script_folder import content_hash, load_script, save_script
from tests.scripts_mm.making import (
    a_script,
    edited,
    png,
    png_claiming,
    saved,
)

SCHEMA = Path(script_schema.__file__).with_name("script.schema.json")

words = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), max_size=40
)
names = st.text(string.ascii_letters + "墨言·小满 ", min_size=1, max_size=12).filter(
    lambda name: name == name.strip()
)
distinct = st.lists(
    names.filter(lambda name: not is_reserved(name)), min_size=2, max_size=5, unique_by=str.casefold
)


@st.composite
def questions(draw: st.DrawFn, number: int, roles: list[str], clues: list[str]) -> Question:
    options = tuple(draw(st.lists(words, max_size=5)))
    indexes = st.integers(0, max(len(options) - 1, 0))
    return Question(
        id=f"Q-{number}",
        kind=draw(st.sampled_from(script.QUESTION_KINDS)),
        stem=draw(words),
        options=options,
        keys=tuple(draw(st.lists(indexes, unique=True, max_size=3))) if options else (),
        role=draw(st.none() | st.sampled_from(roles)),
        clues=tuple(draw(st.lists(st.sampled_from(clues), unique=True))),
        hops=draw(st.none() | st.integers(0, 99)),
        source=draw(words),
        pinned=draw(st.booleans()),
    )


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    people = draw(distinct)
    letter = make_picture(png(), "letter.png", kind="text", transcript=draw(words))
    clues = (
        Clue(id="c1", title=draw(names), text=draw(words), owner=draw(st.sampled_from(people))),
        Clue(id="c2", title=draw(names), pictures=(letter,), stage=draw(st.integers(1, 9))),
    )
    count = draw(st.integers(0, 3))
    return Script(
        id=draw(st.sampled_from(["case", "case-2", "案子_3"])),
        title=draw(names),
        language=draw(st.sampled_from(script.LANGUAGES)),
        roles=tuple(
            Role(name=name, script=draw(words), reply=draw(st.none() | words)) for name in people
        ),
        truth=Truth(
            culprits=(people[0], "A Stranger 9"),
            not_playable=("A Stranger 9",),
            key_clues=(
                KeyClue(id="k", text=draw(words), hops=draw(st.none() | st.integers(0, 9))),
            ),
            text=draw(words),
        ),
        clues=clues,
        opening=draw(words),
        innocents_truthful=draw(st.booleans()),
        questions=tuple(draw(questions(nth, people, ["c1", "c2"])) for nth in range(count)),
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(whole=scripts())
def test_what_was_saved_is_what_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, whole: Script
) -> None:
    folder = tmp_path_factory.mktemp("round") / "en"
    save_script(whole, {"letter.png": png()}, folder)
    loaded = load_script(folder)
    assert loaded.script == whole
    assert loaded.read_picture(whole.pictures[0]) == png()
    written = json.loads((folder / "script.json").read_text("utf-8"))
    published = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    assert list(cast("Any", published).iter_errors(written)) == []


def test_the_same_script_gives_the_same_bytes_and_the_same_hash(tmp_path: Path) -> None:
    one, other = saved(tmp_path / "one"), saved(tmp_path / "other")
    assert one.sha256 == other.sha256 == content_hash(a_script())
    files = [(tmp_path / name / "script.json").read_bytes() for name in ("one", "other")]
    assert files[0] == files[1]


def test_every_change_changes_the_hash() -> None:
    script_ = a_script()
    other = make_picture(
        png(61), "letter.png", kind="text", transcript="Meet me at the pump house."
    )
    hashes = {
        content_hash(script_),
        content_hash(replace(script_, opening="Another morning.")),
        content_hash(replace(script_, language="zh")),
        content_hash(
            replace(
                script_, clues=(replace(script_.clues[0], pictures=(other,)), *script_.clues[1:])
            )
        ),
    }
    assert len(hashes) == 4


def test_the_published_schema_is_that_of_the_code() -> None:
    how = "from scripts_mm.script_schema import schema_text; print(schema_text(), end='')"
    assert SCHEMA.read_text("utf-8") == script_schema.schema_text(), (
        f"write it anew: python -c {how!r}"
    )


@pytest.mark.parametrize(
    ("value", "file"),
    [
        (Script, script_schema.ScriptFile),
        (Role, script_schema.RoleFile),
        (Clue, script_schema.ClueFile),
        (KeyClue, script_schema.KeyClueFile),
        (Killing, script_schema.KillingFile),
        (Part, script_schema.PartFile),
        (FactualQuestion, script_schema.FactualQuestionFile),
        (Question, script_schema.QuestionFile),
        (Truth, script_schema.TruthFile),
        (Picture, script_schema.PictureFile),
    ],
)
def test_the_file_has_the_fields_of_the_value(value: Any, file: Any) -> None:
    wanted = {field.name for field in fields(value)} - {"sha256", "mime", "width", "height"}
    assert set(file.model_fields) - {"format"} == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "value", "parts"),
    [
        (("title",), 7, ["title: wanted a valid string", "7"]),
        (("titel",), "x", ["titel: unknown key"]),
        (("language",), "fr", ["language: wanted 'en' or 'zh'", "'fr'"]),
        (("roles", 1, "name"), "Ilse Varga", ["roles[1].name", "again", "roles[0].name"]),
        (("roles", 1, "name"), "Ｉlse VARGA", ["roles[1].name", "equals 'Ilse Varga'"]),
        (("roles", 1, "aliases"), ["Bram Oake"], ["roles[1].aliases[0]", "'Bram Oake'"]),
        (("roles", 0, "name"), "Il\x07se", ["roles[0].name", "U+0007"]),
        (("roles", 0, "name"), "Il\u202ese", ["roles[0].name", "U+202E"]),
        (("roles", 0, "name"), " Ilse", ["roles[0].name", "without outer space"]),
        (("roles", 0, "name"), "", ["roles[0].name", "wanted string should have at least 1"]),
        (("roles", 0, "name"), "x" * 201, ["roles[0].name", "200"]),
        (("roles", 0, "script"), "a\x1b[2Jb", ["roles[0].script", "U+001B"]),
        (("roles",), [], ["roles"]),
        (("roles", 0), "Ilse", ["roles[0]", "'Ilse'"]),
        (("truth", "culprits"), ["Nobody"], ["culprit 'Nobody'", "known: Bram Oake"]),
        (("clues", 1, "owner"), "Nobody", ["clue owner 'Nobody'"]),
        (("clues", 1, "id"), "letter", ["clues[1].id", "again"]),
        (("questions", 0, "keys"), [4], ["TIU-1", "4 options"]),
        (("questions", 0, "keys"), [True], ["questions[0].keys[0]"]),
        (("questions", 0, "keys"), ["1"], ["questions[0].keys[0]", "integer"]),
        (("questions", 0, "clues"), ["lost"], ["clue of a question 'lost'"]),
        (("id",), "../up", ["id: wanted", "'../up'"]),
        (("roles", 0, "name"), "### Human", ["without '###'"]),
        (("roles", 0, "name"), "A <image_placeholder>", ["without '<image_placeholder>'"]),
        (("title",), "<|im_end|>", ["without '<|im_end|>'"]),
        (("clues", 0, "title"), "</s>", ["without '</s>'"]),
        (("id",), ".hidden", ["id: wanted", "'.hidden'"]),
        (("format",), 2, ["format"]),
        (("roles", 0, "name"), "Ilse: Varga", ["roles[0].name", "separators (:, U+003A)"]),
        (("roles", 0, "aliases"), ["The Baker", "HOST"], ["roles[0].aliases[1]", "'HOST'"]),
        (("innocents_truthful",), "yes", ["innocents_truthful", "boolean", "'yes'"]),
        (("clues", 0, "pictures", 0, "sha256"), "00", ["clues[0].pictures[0].sha256: unknown key"]),
        (
            ("clues", 0, "pictures", 0, "file"),
            "../letter.png",
            ["plain file name", "'../letter.png'"],
        ),
        (("clues", 0, "pictures", 0, "file"), "/etc/passwd", ["plain file name"]),
        (("clues", 0, "pictures", 0, "file"), "..", ["does not begin with '.'"]),
        (("clues", 0, "pictures", 0, "file"), "a\\b.png", ["plain file name"]),
        (("clues", 0, "pictures", 0, "file"), "lost.png", ["clues[0].pictures[0]", "no such file"]),
    ],
)
def test_a_wrong_place_is_named_in_one_line(
    tmp_path: Path, path: tuple[str | int, ...], value: Any, parts: list[str]
) -> None:
    line = refused(edited(tmp_path / "en", *path, value=value))
    assert "script.json" in line
    assert all(part in line for part in parts), line


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    saved(tmp_path / "en")
    file = tmp_path / "en" / "script.json"
    file.write_text('{"id": "x", "title": "X"}')
    line = refused(tmp_path / "en")
    assert "language: wanted this key, got nothing (and 2 more)" in line


def test_a_culprit_who_is_marked_as_not_playable_is_let_through(tmp_path: Path) -> None:
    truth = Truth(culprits=("The Ferryman",), not_playable=("The Ferryman",))
    assert saved(tmp_path / "en", a_script(truth=truth)).script.murderers == ()


def test_an_unaware_culprit_is_a_culprit(tmp_path: Path) -> None:
    truth = replace(a_script().truth, culprits=("Ilse Varga",), unaware=("Ilse Varga",))
    found = saved(tmp_path / "en", a_script(truth=truth)).script
    assert (found.murderers, found.knowing_murderers) == (("Ilse Varga",), ())
    with pytest.raises(ScriptError, match="unknown unaware culprit 'Bram Oake'"):
        a_script(truth=replace(truth, unaware=("Bram Oake",)))


def test_records_of_scripts_without_an_unaware_culprit_keep_their_hash() -> None:
    whole = a_script()
    fields = asdict(whole)
    del fields["truth"]["unaware"], fields["truth"]["in_league"]
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert content_hash(whole) == sha256(text.encode()).hexdigest()
    known = replace(whole.truth, unaware=whole.truth.culprits)
    assert content_hash(replace(whole, truth=known)) != content_hash(whole)


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b'{"id": "x",\n  "title" 3}', ["not JSON", "line 2, column 11"]),
        (b"", ["not JSON", "line 1, column 1"]),
        (b'{"id": "\xff"}', ["not UTF-8", "byte 0xff at offset 8"]),
        (b'{"id": "x", "id": "y"}', ["'id' is in one object twice"]),
        (b'{"id": NaN}', ["NaN"]),
        (b'{"id": "\\ud800"}', ["lone surrogate U+D800"]),
        (b"[" * 100_000, ["nested too deep"]),
        (b"[1, 2]", ["the whole file", "a list"]),
        (b'{"format": ' + b"9" * 5000 + b"}", ["not strict JSON"]),
    ],
)
def test_broken_json_is_placed(tmp_path: Path, data: bytes, parts: list[str]) -> None:
    (tmp_path / "script.json").write_bytes(data)
    line = refused(tmp_path)
    assert all(part in line for part in parts), line


def test_a_byte_order_mark_is_let_through(tmp_path: Path) -> None:
    folder = saved(tmp_path / "en").folder
    file = folder / "script.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert load_script(folder).script == a_script()


def test_a_file_that_is_too_large_is_not_parsed(tmp_path: Path) -> None:
    (tmp_path / "script.json").write_bytes(b" " * (16 * 1024 * 1024 + 1))
    assert "too large: at most 16777216 bytes" in refused(tmp_path)


def _nothing(folder: Path) -> None:
    (folder / "script.json").unlink()


def _folder_for_file(folder: Path) -> None:
    (folder / "script.json").unlink()
    (folder / "script.json").mkdir()


def _pipe(folder: Path) -> None:
    (folder / "pictures" / "letter.png").unlink()
    os.mkfifo(folder / "pictures" / "letter.png")


def _link_out(folder: Path) -> None:
    outside = folder.parent / "outside.png"
    outside.write_bytes(png())
    (folder / "pictures" / "letter.png").unlink()
    (folder / "pictures" / "letter.png").symlink_to(outside)


def _linked_folder(folder: Path) -> None:
    (folder / "pictures").rename(folder.parent / "elsewhere")
    (folder / "pictures").symlink_to(folder.parent / "elsewhere")


def _picture(data: bytes) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        (folder / "pictures" / "letter.png").write_bytes(data)

    return put


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (_nothing, "no such file"),
        (_folder_for_file, "is a folder; a file is wanted"),
        (_pipe, "not a regular file"),
        (_link_out, "is a link"),
        (_linked_folder, "is a link"),
        (_picture(b""), "'letter.png' is empty (0 bytes)"),
        (_picture(png()[:-20]), "'letter.png' is truncated"),
        (_picture(png()[:60]), "'letter.png' is truncated"),
        (_picture(b"GIF89a" + bytes(40)), "'letter.png' is neither PNG, JPEG nor WebP"),
        (_picture(png_claiming(20000, 20000)), "20000x20000 = 400 megapixels"),
        (_picture(png_claiming(10000, 10000)), "100 megapixels"),
        (_picture(png_claiming(9000, 100)), "the limit is 8192 per side"),
    ],
)
def test_a_spoilt_folder_is_refused_in_one_line(
    tmp_path: Path, spoil: Callable[[Path], None], part: str
) -> None:
    folder = saved(tmp_path / "en").folder
    spoil(folder)
    assert part in refused(folder)


def test_a_script_names_no_more_pictures_than_the_limit(tmp_path: Path) -> None:
    pictures = [{"file": f"{at}.png"} for at in range(MAX_PICTURES + 1)]
    line = refused(edited(tmp_path / "en", "clues", 0, "pictures", value=pictures))
    assert f"names {MAX_PICTURES + 1} pictures; the limit is {MAX_PICTURES}" in line


def test_a_file_or_nothing_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "is a file; a script's folder is wanted" in refused(tmp_path / "file")
    assert "does not exist" in refused(tmp_path / "nowhere")


def test_a_picture_that_changed_after_loading_is_not_handed_out(tmp_path: Path) -> None:
    loaded = saved(tmp_path / "en")
    (loaded.folder / "pictures" / "letter.png").write_bytes(png(70))
    with pytest.raises(ScriptError, match="changed since it was loaded"):
        loaded.read_picture(loaded.script.pictures[0])


def test_one_picture_may_stand_in_two_clues(tmp_path: Path) -> None:
    script_ = a_script()
    again = replace(script_.clues[0], id="copy", title="A copy")
    assert (
        len(saved(tmp_path / "en", replace(script_, clues=(*script_.clues, again))).script.pictures)
        == 2
    )


def test_saving_refuses_what_is_there_and_leaves_it(tmp_path: Path) -> None:
    folder = saved(tmp_path / "en").folder
    before = (folder / "script.json").read_bytes()
    with pytest.raises(ScriptError, match="already contains a script"):
        saved(folder, a_script(opening="New."))
    assert (folder / "script.json").read_bytes() == before
    save_script(a_script(opening="New."), {"letter.png": png()}, folder, force=True)
    assert load_script(folder).script.opening == "New."
    assert [path.name for path in tmp_path.iterdir()] == ["en"]


def test_saving_never_replaces_a_folder_that_is_no_script(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "diary.txt").write_text("mine")
    with pytest.raises(ScriptError, match="is not empty and not a script"):
        save_script(a_script(), {"letter.png": png()}, tmp_path / "home", force=True)
    assert (tmp_path / "home" / "diary.txt").read_text() == "mine"


def test_saving_goes_into_an_empty_folder_and_makes_its_parents(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    saved(tmp_path / "en")
    saved(tmp_path / "a" / "b" / "en")


@pytest.mark.parametrize(
    ("changes", "pictures", "part"),
    [
        ({}, {}, "no bytes for picture 'letter.png'"),
        ({}, {"letter.png": png(70)}, "differ from the given ones"),
        ({"title": "two\nlines"}, {"letter.png": png()}, "title"),
        ({"opening": "\x00"}, {"letter.png": png()}, "U+0000"),
    ],
)
def test_saving_refuses_what_could_not_be_loaded(
    tmp_path: Path, changes: dict[str, Any], pictures: dict[str, bytes], part: str
) -> None:
    with pytest.raises(ScriptError) as caught:
        save_script(a_script(**changes), pictures, tmp_path / "en")
    assert part in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.suffix == ".png":
            raise OSError(28, "No space left on device")
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ScriptError, match="no space left on device"):
        saved(tmp_path / "en")
    assert not list(tmp_path.iterdir())


def test_a_script_that_cannot_be_replaced_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = saved(tmp_path / "en").folder
    real = Path.rename

    def refusing(path: Path, target: Path) -> Path:
        if path.name.endswith(".part"):
            raise OSError(13, "Permission denied")
        return real(path, target)

    monkeypatch.setattr(Path, "rename", refusing)
    with pytest.raises(ScriptError, match="permission denied"):
        save_script(a_script(opening="New."), {"letter.png": png()}, folder, force=True)
    monkeypatch.undo()
    assert load_script(folder).script == a_script()
    assert [path.name for path in tmp_path.iterdir()] == ["en"]


def test_saving_under_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ScriptError, match="cannot write"):
        save_script(a_script(), {"letter.png": png()}, tmp_path / "file" / "en")


def refused(folder: Path) -> str:
    """Load a script that must be refused and return the one line that says why."""
    with pytest.raises(ScriptError) as caught:
        load_script(folder)
    line = str(caught.value)
    assert "\n" not in line
    assert line.isprintable()
    return line
