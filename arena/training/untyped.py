"""torch and transformers are only partly typed: names used here have the type Any."""

from importlib import import_module
from typing import Any, Final

torch: Final[Any] = import_module("torch")
functional: Final[Any] = import_module("torch.nn.functional")
data: Final[Any] = import_module("torch.utils.data")
distributed: Final[Any] = import_module("torch.distributed")
multiprocessing: Final[Any] = import_module("torch.multiprocessing")
qwen: Final[Any] = import_module("transformers.models.qwen2_5_vl")
Tensor = Any
