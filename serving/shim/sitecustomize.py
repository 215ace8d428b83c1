"""Let an engine import torchvision, torchaudio and torchcodec even if their libraries fail.

CUDA builds of them fail at import with a CPU build of torch: "operator torchvision::nms does not
exist", "Could not load this library: ...". For torchvision it is enough to declare the schemas of
two operators first; the two audio packages, which no vision model needs, become empty modules,
which importers treat as absent. This folder is on the PYTHONPATH of the processes that we start, so
each of them runs this file. It changes nothing if the libraries load or are not imported.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

_HERE = Path(__file__).resolve().parent
_kept: list[object] = []


class BrokenBuildFinder(importlib.abc.MetaPathFinder):
    """Finds the three packages as Python does, and wraps their loaders to tolerate failures."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Prepare torchvision, wrap the audio packages, leave other modules to the next finders."""
        if fullname not in {"torchvision", "torchaudio", "torchcodec"}:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return None
        wrap = PreparingLoader if fullname == "torchvision" else ForgivingLoader
        spec.loader = wrap(spec.loader)
        return spec


class ForgivingLoader(importlib.abc.Loader):
    """Loads an empty module if the real one cannot load its libraries."""

    def __init__(self, real: importlib.abc.Loader) -> None:
        self._real = real

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """Create the module as the real loader does."""
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the real module; if a library fails to load, empty it."""
        try:
            self._real.exec_module(module)
        except (ImportError, OSError, RuntimeError):
            for name in [name for name in sys.modules if name.startswith(f"{module.__name__}.")]:
                del sys.modules[name]
            for name in [name for name in vars(module) if not name.startswith("__")]:
                delattr(module, name)
            module.__path__ = []


class PreparingLoader(ForgivingLoader):
    """Declares torchvision's operators to torch if its library does not load."""

    def exec_module(self, module: ModuleType) -> None:
        """Declare the operators, then run the real torchvision."""
        if not operators_load(module):
            declare_operators()
        self._real.exec_module(module)


def operators_load(package: ModuleType) -> bool:
    """Return whether torchvision's compiled operators load with the installed torch."""
    torch: Any = importlib.import_module("torch")
    for library in (path for folder in package.__path__ for path in Path(folder).glob("_C*.so")):
        try:
            torch.ops.load_library(library)
        except (ImportError, OSError):
            return False
    return True


def declare_operators() -> None:
    """Declare the schemas of `nms` and `qnms`, once per process."""
    if _kept:
        return
    torch: Any = importlib.import_module("torch")
    library = torch.library.Library("torchvision", "DEF")
    _kept.append(library)
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


def _run_the_next_sitecustomize() -> None:
    """Run the machine's sitecustomize, which this one hides, if there is one."""
    elsewhere = [entry for entry in sys.path if Path(entry or ".").resolve() != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


sys.meta_path.insert(0, BrokenBuildFinder())
_run_the_next_sitecustomize()
