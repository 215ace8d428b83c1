"""Names: a class has one meaning in the whole source, so that its name says which it is."""

from functools import cache
from pathlib import Path

import pytest

from tests.architecture.names import ROOMS, Names, list_functions, sources

BY_CONTRACT = {"Step", "_Strict"}
"""The phase of a game, one in each game's package; the strict base of a file's schema."""


ALLOWED_PARTICIPLES = {
    "_left",
    "ended",
    "evicted",
    "known",
    "left",
    "reserved",
    "solved",
    "started",
    "thought",
    "uncounted",
    "unsupported",
}
"""States and amounts of the object that the name is read from; a thought is also a noun."""


@cache
def of_this_tree() -> tuple[Names, Names]:
    """Return the participle functions and the classes of the source."""
    return list_functions(sources(None))[:2]


@pytest.mark.slow
def test_no_two_classes_have_the_same_name() -> None:
    _, classes = of_this_tree()
    twice = {name: files for name, files in classes.items() if len(files) > 1}
    assert twice.keys() <= BY_CONTRACT, {k: v for k, v in twice.items() if k not in BY_CONTRACT}


@pytest.mark.parametrize("room", ROOMS)
def test_a_second_class_of_a_name_would_be_found(tmp_path: Path, room: str) -> None:
    for name in ("arena", room):
        (tmp_path / name).mkdir(exist_ok=True)
    (tmp_path / "arena" / "one.py").write_text("class Seat:\n    pass\n")
    (tmp_path / room / "other.py").write_text("class Seat:\n    pass\n")
    _, classes, _, _ = list_functions(sources(None, tmp_path))
    assert classes["Seat"] == ["arena/one.py", f"{room}/other.py"]


@pytest.mark.slow
def test_a_function_is_not_named_by_a_past_participle() -> None:
    participles, _ = of_this_tree()
    assert participles.keys() <= ALLOWED_PARTICIPLES, {
        name: places for name, places in participles.items() if name not in ALLOWED_PARTICIPLES
    }


def test_a_function_is_found_in_every_block(tmp_path: Path) -> None:
    (tmp_path / "arena").mkdir()
    code = """
if 1:
    def a(): pass
else:
    async def b(): pass
try:
    def c(): pass
except OSError:
    def d(): pass
else:
    def e(): pass
finally:
    with open("x"):
        def f(): pass
for one in ():
    while 1:
        class G:
            def g(self):
                def h(): pass
match 1:
    case 1:
        def i(): pass
"""
    (tmp_path / "arena" / "seat.py").write_text(code)
    assert list_functions(sources(None, tmp_path))[3] == len("abcdefghi")


def test_a_participle_is_found_in_a_method_and_a_verb_is_not(tmp_path: Path) -> None:
    (tmp_path / "arena").mkdir()
    code = "class Seat:\n    def _told(self):\n        pass\n\n\ndef read():\n    pass\n"
    (tmp_path / "arena" / "seat.py").write_text(code)
    participles, _, _, count = list_functions(sources(None, tmp_path))
    assert dict(participles) == {"_told": ["arena/seat.py:2"]}
    assert count == 2
