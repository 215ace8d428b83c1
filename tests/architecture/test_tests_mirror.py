"""The tests of a package are in the folder of the same path below `tests`."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture.names import walk_statements
from tests.architecture.test_layers import PACKAGES, ROOT


def folders_without_source(root: Path) -> list[str]:
    """Return the folders of test files whose path below `tests` is no folder of the source."""
    files = [path for room in PACKAGES for path in (root / "tests" / room).rglob("test_*.py")]
    folders = {path.parent.relative_to(root).as_posix() for path in files}
    return sorted(f for f in folders if not (root / f.removeprefix("tests/")).is_dir())


def misplaced_files(root: Path) -> list[str]:
    """Return the test files that import most from one folder below the source of their own."""
    found = list[str]()
    for room in PACKAGES:
        for path in sorted((root / "tests" / room).rglob("test_*.py")):
            place = path.parent.relative_to(root / "tests")
            if len(place.parts) == 1:
                continue
            imports = Counter(_imported_folders(path, root))
            most, count = max(imports.items(), key=lambda one: one[1], default=(place, 0))
            if place in most.parents and count > imports.total() / 2:
                found.append(f"{path.relative_to(root)}: {most}")
    return found


def _imported_folders(path: Path, root: Path) -> list[Path]:
    nodes = walk_statements(ast.parse(path.read_text(encoding="utf-8")))
    names = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    modules = [Path(*name.removeprefix("tests.").split(".")) for name in names]
    places = [one for one in modules if one.parts[0] in PACKAGES]
    return [one if (root / one).is_dir() else one.parent for one in places]


def test_each_folder_of_tests_has_its_folder_of_source() -> None:
    assert not folders_without_source(ROOT)


@pytest.mark.slow
def test_each_test_file_is_in_the_folder_that_it_imports_most_from() -> None:
    assert not misplaced_files(ROOT)


def test_a_misplaced_folder_and_a_misplaced_file_are_found(tmp_path: Path) -> None:
    (tmp_path / "arena" / "run" / "match").mkdir(parents=True)
    for place in ("tests/arena/run", "tests/arena/runs"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "test_one.py").write_text("from arena.run.match import loop\n")
    assert folders_without_source(tmp_path) == ["tests/arena/runs"]
    assert misplaced_files(tmp_path) == ["tests/arena/run/test_one.py: arena/run/match"]
