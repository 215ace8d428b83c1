"""Names: a class has one meaning in the whole source, so that its name says which it is."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.architecture.test_layers import ROOT

ROOMS = ("arena", "eval", "scripts_mm", "serving")
BY_CONTRACT = {"Step", "_Strict"}
"""The phase of a game, one in each game's package; the strict base of a file's schema."""


def classes(root: Path) -> dict[str, list[str]]:
    """Return the files of each class that stands at the top of a module, by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(path.relative_to(root).as_posix())
    return found


def test_no_two_classes_have_the_same_name() -> None:
    twice = {name: files for name, files in classes(ROOT).items() if len(files) > 1}
    assert twice.keys() <= BY_CONTRACT, {k: v for k, v in twice.items() if k not in BY_CONTRACT}


@pytest.mark.parametrize("room", ROOMS)
def test_a_second_class_of_a_name_would_be_found(tmp_path: Path, room: str) -> None:
    for name in ("arena", room):
        (tmp_path / name).mkdir(exist_ok=True)
    (tmp_path / "arena" / "one.py").write_text("class Seat:\n    pass\n")
    (tmp_path / room / "other.py").write_text("class Seat:\n    pass\n")
    assert classes(tmp_path)["Seat"] == ["arena/one.py", f"{room}/other.py"]
