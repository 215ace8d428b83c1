"""torch and transformers are typed in part only: what is used has names of type Any here."""

from importlib import import_module
from typing import Any, Final

torch: Final[Any] = import_module("torch")
functional: Final[Any] = import_module("torch.nn.functional")
data: Final[Any] = import_module("torch.utils.data")
distributed: Final[Any] = import_module("torch.distributed")
multiprocessing: Final[Any] = import_module("torch.multiprocessing")
qwen: Final[Any] = import_module("transformers.models.qwen2_5_vl")
Tensor = Any
