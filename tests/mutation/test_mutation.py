"""The mutation run: what it changes, and that a change is noticed or survives as it should."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.mutations import compile_mutant, find_mutants

ROOT = Path(__file__).parents[2]
SOURCE = '''"""A module."""

from typing import Literal

LEAST = 18
Kind = Literal["adult", "child"]


def kind_of(age: int) -> Kind:
    """Return "adult" or "child"."""
    if age < 0:
        raise ValueError("an age is at least 0")
    return "adult" if age >= LEAST else "child"


def unused() -> bool:
    return True
'''
TEST = """
import pytest
from people import kind_of

@pytest.mark.parametrize(("age", "kind"), [(18, "adult"), (17, "child"), (0, "child")])
def test_kind(age, kind):
    assert kind_of(age) == kind
"""

ENDLESS = """
def count(most):
    n = 0
    while n < most:
        n += 1
    return n
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("people.py").write_text(SOURCE)
    Path("test_people.py").write_text(TEST)
    return Path("people.py")


def test_comparisons_numbers_words_and_refusals_change_and_texts_and_types_do_not(
    project: Path,
) -> None:
    changes = {(one.before, one.after) for one in find_mutants(project)}
    assert ("age >= LEAST", "age > LEAST") in changes
    assert ("18", "19") in changes
    assert ("'adult'", "'adult_'") in changes
    assert ("raise ValueError('an age is at least 0')", "pass") in changes
    assert not any("Literal" in before or "Return" in before for before, _ in changes)
    assert not any(before == "'an age is at least 0'" for before, _ in changes)


def test_every_mutant_is_one_change_that_leaves_the_file_as_it_is(project: Path) -> None:
    original = compile(ast.parse(SOURCE), str(project.absolute()), "exec")
    mutants = find_mutants(project)
    assert len({compile_mutant(one) for one in mutants} | {original}) == len(mutants) + 1
    assert project.read_text() == SOURCE


PROGRAM = """
import json, sys
from pathlib import Path
from tests.mutation import room
from tests.mutation.mutations import find_mutants
room.LEAST_LIMIT = 2
mutants = find_mutants(Path("people.py"))
verdicts = room.try_room(["test_people.py"], mutants, 2, Path.cwd())
print(json.dumps([(one.before, one.after, verdicts[n]) for n, one in enumerate(mutants)]))
"""


def verdicts_of(project: Path) -> dict[tuple[str, str], str]:
    """Return the verdict on each change of a project, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=project.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {(before, after): verdict for before, after, verdict in json.loads(done.stdout)}


@pytest.mark.slow
def test_tests_notice_what_they_check_and_nothing_else(project: Path) -> None:
    verdicts = verdicts_of(project.absolute())
    assert {change for change, verdict in verdicts.items() if verdict != "killed"} == {
        ("raise ValueError('an age is at least 0')", "pass"),
        ("True", "False"),
    }
    assert project.read_text() == SOURCE


@pytest.mark.slow
def test_a_mutant_that_never_ends_is_timed_out(project: Path) -> None:
    project.write_text(ENDLESS)
    Path("test_people.py").write_text(TEST.replace("kind_of", "count").replace('"adult"', "18"))
    assert verdicts_of(project.absolute())[("n += 1", "pass")] == "timed out"
