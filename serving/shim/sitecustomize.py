"""Lets `import torchvision` succeed where its compiled operators do not load.

A torchvision built for CUDA beside a torch built for the CPU fails at import with "operator
torchvision::nms does not exist". Declaring the schemas of two operators first is enough for
everything that a model server uses. This folder goes on the PYTHONPATH of the engine that we
start, so that each of its processes runs this file; a process that never imports torchvision
notices nothing, and where the operators load nothing is declared.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

_HERE = Path(__file__).resolve().parent
_declared: list[object] = []


class TorchvisionFinder(importlib.abc.MetaPathFinder):
    """Finds no module: it only acts when torchvision is about to be imported for the first time."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Declare the missing operators before the first import of torchvision."""
        if fullname == "torchvision":
            sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
            declare_missing_operators()
        return None


def declare_missing_operators() -> None:
    """Declare `nms` and `qnms` unless torchvision's own compiled operators can be loaded."""
    spec = importlib.util.find_spec("torchvision")
    if spec is None or not spec.submodule_search_locations:
        return
    import torch

    for folder in spec.submodule_search_locations:
        for library in Path(folder).glob("_C*.so"):
            try:
                torch.ops.load_library(library)
            except (ImportError, OSError):
                continue
            return
    definitions = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        definitions.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _declared.append(definitions)


def _run_the_next_sitecustomize() -> None:
    """Run the sitecustomize that this one hides, if the machine has one."""
    elsewhere = [entry for entry in sys.path if Path(entry or ".").resolve() != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


sys.meta_path.insert(0, TorchvisionFinder())
_run_the_next_sitecustomize()
