"""Lists the names that say too little, in this tree or in an older commit.

    python -m tests.architecture.names [--commit 3da3cee] [--all]

Printed are the numbers of functions whose name is a past participle ("told" says neither what goes
in nor what comes out), of class names with two meanings and of module names with two meanings;
`--all` lists them with their files.
"""

import argparse
import ast
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = ("arena", "eval", "scripts_mm", "serving")
_IRREGULAR: Final = """
begun born bound broken brought built caught chosen cut done drawn driven found given gone heard
held hidden kept known laid left lent lost made meant met paid put read said seen sent set shown
sold spelt spent split spoken stood stuck sworn taken taught thought told torn understood won worn
written
"""
_VERBS: Final = "cut embed feed need put read seed set shed speed split"
"""Words of the same form that are verbs in the present or nouns, so they name an action."""
IRREGULAR: Final = frozenset(_IRREGULAR.split()) - frozenset(_VERBS.split())

Names = Mapping[str, list[str]]
_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")


def walk_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement inside `node`, but no expression: a fifth of what `ast.walk` yields."""
    for block in _BLOCKS:
        for child in getattr(node, block, ()):
            yield child
            yield from walk_statements(child)


def sources(commit: str | None, root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Yield path and text of each Python file of the four packages."""
    if commit is None:
        for room in ROOMS:
            for path in sorted((root / room).rglob("*.py")):
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        return
    listed = _git(root, "ls-tree", "-r", "--name-only", commit, *ROOMS).splitlines()
    for name in listed:
        if name.endswith(".py"):
            yield name, _git(root, "show", f"{commit}:{name}")


def is_participle(name: str) -> bool:
    """Return whether the name of a function is one past participle, leading underscores aside."""
    word = name.strip("_")
    regular = word.endswith("ed") and word not in _VERBS.split()
    return "_" not in word and (word in IRREGULAR or regular)


def list_functions(files: Iterator[tuple[str, str]]) -> tuple[Names, Names, Names, int]:
    """Return participle functions, classes, modules by their names, and how many functions."""
    participles, classes, modules = (defaultdict[str, list[str]](list) for _ in range(3))
    count = 0
    for path, text in files:
        stem = Path(path).stem
        if not stem.startswith("__"):
            modules[stem].append(path)
        tree = ast.parse(text)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(path)
        for node in walk_statements(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count += 1
                if is_participle(node.name):
                    participles[node.name].append(f"{path}:{node.lineno}")
    return participles, classes, modules, count


def main() -> None:
    """Print the numbers, and the names where they are wanted."""
    parser = argparse.ArgumentParser(description="List names that say too little.")
    parser.add_argument("--commit", help="an older commit instead of this tree")
    parser.add_argument("--all", action="store_true", help="list the names with their files")
    options = parser.parse_args()
    participles, classes, modules, count = list_functions(sources(options.commit))
    repeated = [{k: v for k, v in some.items() if len(v) > 1} for some in (classes, modules)]
    used = sum(map(len, participles.values()))
    print(f"functions named by a past participle: {used} of {count}")  # noqa: T201 - the output
    print(f"class names in two modules or more: {len(repeated[0])}")  # noqa: T201
    print(f"module names in two folders or more: {len(repeated[1])}")  # noqa: T201
    if options.all:
        for some in (participles, *repeated):
            for name, places in sorted(some.items()):
                print(f"  {name}: {', '.join(places)}")  # noqa: T201


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    main()
