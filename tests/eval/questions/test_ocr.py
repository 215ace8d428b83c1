"""Text in pictures: read by a real program, kept by the picture's hash, or refused in one line."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from arena.errors import ConfigError
from eval.questions import ocr
from scripts_mm.catalog import find_script
from scripts_mm.script import Picture


@pytest.mark.slow
def test_the_text_of_a_drawn_picture_is_read_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("rapidocr_onnxruntime")
    loaded = find_script("first-night", "en")
    [picture, *_] = [one for one in loaded.script.pictures if one.kind == "text"]
    texts = ocr.read_texts([picture, picture], loaded.read_picture, tmp_path)
    said = texts[picture.sha256].casefold()
    words = {word for word in picture.transcript.casefold().split() if word.isalpha()}
    assert words
    assert sum(word in said for word in words) / len(words) > 0.5

    def refuse() -> ocr.ReadText:
        raise AssertionError("it was read before")

    monkeypatch.setattr(ocr, "open_reader", refuse)
    assert ocr.read_texts([picture], loaded.read_picture, tmp_path) == texts


def test_without_the_extra_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(ocr, "version", missing)
    nothing: list[Picture] = []
    with pytest.raises(ConfigError, match=r"\[ocr\]'") as error:
        ocr.read_texts(nothing, lambda picture: b"", tmp_path)
    assert "\n" not in str(error.value)
