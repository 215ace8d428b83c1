"""Which definitions of `eval/` the product reaches: from `arena/`, and from what runs on import."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

Place = tuple[str, str]
"""A module and a name of it; the empty name is what runs where the module is imported."""
ROOT = Path(__file__).parents[2]
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def read_modules(*folders: str) -> Mapping[str, ast.Module]:
    """Return the modules of some folders of the repository, by their names."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    return {
        name.removesuffix(".__init__"): ast.parse(path.read_text("utf-8"))
        for name, path in zip(names, paths, strict=True)
    }


def names_bound(tree: ast.Module) -> Mapping[str, Place]:
    """Return what each imported name of a module stands for, wherever it is imported."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def reachable(modules: Mapping[str, ast.Module], roots: Iterable[Place] = ()) -> frozenset[Place]:
    """Return what can be reached from `roots`, all of `arena` and from what runs on import."""
    needs: dict[Place, set[Place]] = defaultdict(set)
    for name, tree in modules.items():
        for at, node in _statements(tree):
            place = (name, "" if name.startswith("arena") else at)
            needs[place] |= set(_uses(node, name, tree, modules))
    found: set[Place] = set()
    left = [*roots, *((name, "") for name in modules)]
    while left:
        place = left.pop()
        if place not in found:
            found.add(place)
            left += needs[place]
    return frozenset(found)


def uses(name: str, modules: Mapping[str, ast.Module]) -> frozenset[Place]:
    """Return everything that a module names, of other modules and of its own."""
    tree = modules[name]
    return frozenset(place for node in tree.body for place in _uses(node, name, tree, modules))


def _statements(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    for node in tree.body:
        if isinstance(node, _DEFINITIONS):
            yield node.name, node
            yield from (("", one) for one in _decorators(node))
        elif not isinstance(node, _IMPORTS):
            yield "", node


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterable[ast.stmt]:
    return [ast.Expr(one) for one in node.decorator_list]


def _uses(
    node: ast.stmt, module: str, tree: ast.Module, modules: Mapping[str, ast.Module]
) -> Iterator[Place]:
    bound = names_bound(tree)
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield bound.get(one.id, (module, one.id))
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
            parent, name = bound.get(one.value.id, ("", ""))
            if f"{parent}.{name}" in modules:
                yield f"{parent}.{name}", one.attr
