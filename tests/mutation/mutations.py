"""Mutations: small changes of the source, each of which a test is to notice.

Not mutated: docstrings, annotations, decorators, assertions, what an error says, and texts for
readers (strings that are no identifier).
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_OPTIONAL_ARGUMENTS = {"replace", "sorted", "min", "max", "sort"}
"""Functions whose arguments by name may all be left out."""
_KEPT_FIELDS = {"annotation", "returns", "decorator_list", "bases"}
_KEPT = (ast.Assert, ast.Import, ast.ImportFrom)
_TYPE_FORMS = {"Literal", "cast", "TypeVar", "Annotated"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of one file. The lines are those of the statement or expression it changes."""

    path: Path
    index: int
    line: int
    last_line: int
    before: str
    after: str
    at_import: bool
    """The changed code runs when the module is imported, not when a function is called."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """A child of a node and what replaces it."""

    parent: ast.AST
    field: str
    position: int | None
    new: ast.AST | None
    at_import: bool

    @property
    def old(self) -> Any:
        value = getattr(self.parent, self.field)
        return value if self.position is None else value[self.position]

    def put(self, value: object) -> None:
        if self.position is None:
            setattr(self.parent, self.field, value)
        else:
            getattr(self.parent, self.field)[self.position] = value


def find_mutants(path: Path) -> tuple[Mutant, ...]:
    """Return all mutants of a file, in the order of its lines."""
    return tuple(
        Mutant(
            path=path,
            index=index,
            line=edit.old.lineno,
            last_line=edit.old.end_lineno,
            before=_shorten(ast.unparse(edit.old)),
            after=_shorten(ast.unparse(edit.new)) if edit.new else "",
            at_import=edit.at_import,
        )
        for index, edit in enumerate(_edits(_parse(path), at_import=True))
    )


def compile_mutant(mutant: Mutant) -> CodeType:
    """Return the code of the mutant's module."""
    tree = _parse(mutant.path)
    edit = list(_edits(tree, at_import=True))[mutant.index]
    if edit.new is None:
        getattr(edit.parent, edit.field).pop(edit.position)
    else:
        edit.put(ast.copy_location(edit.new, edit.old))
    return compile(ast.fix_missing_locations(tree), str(mutant.path.absolute()), "exec")


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _shorten(text: str, most: int = 100) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


def _edits(node: ast.AST, *, at_import: bool) -> Iterator[_Edit]:
    for field, position, child in _children(node):
        inside = at_import and not (
            field == "body" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )
        for new in _replacements(node, field, child):
            yield _Edit(node, field, position, new, inside)
        if not isinstance(child, ast.Raise):
            yield from _edits(child, at_import=inside)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """Yield the children that may change: their field, their position in it, themselves."""
    for field, value in ast.iter_fields(node):
        if field in _KEPT_FIELDS or (field == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        if isinstance(value, list):
            found = [(field, position, one) for position, one in enumerate(value)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        else:
            found = [(field, None, value)]
        for one in found:  # pyright: ignore[reportUnknownVariableType]
            if isinstance(one[2], ast.AST) and not _is_kept(node, one[2]):
                yield one  # pyright: ignore[reportReturnType]


def _is_kept(parent: ast.AST, child: ast.AST) -> bool:
    match child:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Constant(value=str()) if isinstance(parent, ast.JoinedStr):
            return True
        case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Name(id=name)):
            return name in _TYPE_FORMS
        case ast.Assign(value=ast.BinOp(op=ast.BitOr()) | ast.Subscript()):
            return isinstance(parent, ast.Module)
        case _:
            return isinstance(child, _KEPT)


def _replacements(parent: ast.AST, field: str, node: ast.AST) -> Iterator[ast.AST | None]:
    """Yield what `node` becomes; None where it is taken out of a list."""
    if isinstance(node, ast.stmt):
        yield from _statements(node)
    elif isinstance(node, ast.expr):
        if field == "ifs":
            yield None
        elif field == "guard":
            yield ast.Constant(value=True)
        elif field == "test" and isinstance(parent, ast.If | ast.IfExp):
            yield ast.UnaryOp(op=ast.Not(), operand=node)
        yield from _expressions(node)
    elif (
        isinstance(node, ast.keyword)
        and isinstance(parent, ast.Call)
        and _name_of(parent) in _OPTIONAL_ARGUMENTS
    ):
        yield None


def _name_of(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Delete() | ast.Raise():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.AugAssign(op=op):
            yield ast.Pass()
            if (other := _ARITHMETIC.get(type(op))) is not None:
                yield ast.AugAssign(target=node.target, op=other(), value=node.value)
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case _:
            pass


def _expressions(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[op]):
            for other in _COMPARISONS[type(op)]:
                yield ast.Compare(left=node.left, ops=[other()], comparators=node.comparators)
        case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
            yield ast.BinOp(left=node.left, op=_ARITHMETIC[type(op)](), right=node.right)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(op=ast.Or() if isinstance(op, ast.And) else ast.And(), values=values)
            for position in range(len(values)):
                rest = [*values[:position], *values[position + 1 :]]
                yield ast.BoolOp(op=op, values=rest) if len(rest) > 1 else rest[0]
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            func = ast.Name(id=_CALLS[name], ctx=ast.Load())
            yield ast.Call(func=func, args=node.args, keywords=node.keywords)
        case ast.Constant(value=value):
            yield from _constants(value)
        case _:
            pass


def _constants(value: object) -> Iterator[ast.AST]:
    match value:
        case bool():
            yield ast.Constant(value=not value)
        case int():
            yield ast.Constant(value=value + 1)
        case float():
            yield ast.Constant(value=2 * value or 1.0)
        case str() if value.isidentifier() and value.isascii():
            yield ast.Constant(value=value + "_")
        case _:
            pass
