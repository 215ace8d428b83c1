"""Running text of a script holds no control character and no half of a pair."""

import unicodedata

from scripts_mm.names import text_error


def test_text_holds_any_character_but_controls_and_lone_surrogates() -> None:
    refused = {number for number in range(0x1_1000) if text_error(f"a{chr(number)}b")}
    categories = {number: unicodedata.category(chr(number)) for number in range(0x1_1000)}
    controls = {number for number, kind in categories.items() if kind in ("Cc", "Cs")}
    assert refused == controls - {ord("\n"), ord("\t")}


def test_the_first_wrong_character_is_named() -> None:
    assert text_error("a\tb\nc\x85\x00") == "text without control characters (U+0085)"
    assert text_error("\U0010ffff and \U00020000 are text") is None
