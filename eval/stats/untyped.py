"""The used parts of scipy, which has no types, as names of type Any."""

from importlib import import_module
from typing import Any, Final

stats: Final[Any] = import_module("scipy.stats")
sparse: Final[Any] = import_module("scipy.sparse")
csgraph: Final[Any] = import_module("scipy.sparse.csgraph")
