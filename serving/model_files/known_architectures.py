"""Architectures of the installed vLLM, read from the source of its tables.

vLLM and transformers are not imported: that takes seconds, and some builds need a GPU for it.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_ARCHITECTURES: Final = (("vllm", "model_executor/models/registry.py", "_MULTIMODAL_MODELS"),)
_CONFIGS: Final = (
    ("vllm", "transformers_utils/config.py", "_CONFIG_REGISTRY"),
    ("transformers", "models/auto/auto_mappings.py", "CONFIG_MAPPING_NAMES"),
    ("transformers", "models/auto/configuration_auto.py", "CONFIG_MAPPING_NAMES"),
)
"""(package, file, table) triples; the third is for transformers before version 5."""


@cache
def multimodal_architectures() -> frozenset[str]:
    """Return vLLM's multimodal architectures; empty without vLLM."""
    return frozenset(key for table in _ARCHITECTURES for key in _read_table_keys(*table))


@cache
def config_types() -> frozenset[str]:
    """Return every `model_type` that can be read without the model's own code."""
    return frozenset(key for table in _CONFIGS for key in _read_table_keys(*table))


def _read_table_keys(package: str, file: str, table: str) -> Iterator[str]:
    """Yield the keys of a table in a package's source; none if it does not exist."""
    spec = find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        try:
            text = (Path(place) / file).read_text(encoding="utf-8")
        except OSError:
            continue
        for node in ast.parse(text).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", 0)]
            if any(isinstance(one, ast.Name) and one.id == table for one in targets):
                yield from _table_keys(getattr(node, "value", None))


def _table_keys(value: object) -> Iterator[str]:
    """Yield the keys of a table in the form of a dictionary, pairs or keywords."""
    match value:
        case ast.Dict(keys=keys):
            yield from _string_constants(keys)
        case ast.List(elts=pairs):
            yield from _string_constants(
                pair.elts[0] for pair in pairs if isinstance(pair, ast.Tuple)
            )
        case ast.Call(args=args, keywords=keywords):
            for part in (*args, *(one.value for one in keywords if one.arg is None)):
                yield from _table_keys(part)
            yield from (one.arg for one in keywords if one.arg is not None)
        case _:
            pass


def _string_constants(found: Iterable[ast.expr | None]) -> Iterator[str]:
    for one in found:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
