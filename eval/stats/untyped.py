"""scipy has no types: what is used of it stands here under names of type Any."""

from importlib import import_module
from typing import Any, Final

stats: Final[Any] = import_module("scipy.stats")
sparse: Final[Any] = import_module("scipy.sparse")
csgraph: Final[Any] = import_module("scipy.sparse.csgraph")
