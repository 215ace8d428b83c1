"""Start vLLM's server on the CPU such that the libraries are imported once, not three times.

    python -m forked_engine ARGUMENTS OF VLLM'S SERVER

vLLM's CPU build spawns the engine and the engine spawns its worker: three processes in sequence
that each import torch, transformers and vLLM, which takes most of the start of a small model. Here
the engine is a fork of the server and also does the worker's job. vLLM spawns because OpenMP
threads neither survive a fork nor change their cores later: the server has one thread, so none is
lost, and the engine sets its own number. Its threads are not bound to cores, which matters only to
models larger than a stand-in. This folder is on the PYTHONPATH of an engine.
"""

import gc
import importlib
import multiprocessing
import os
import signal
import socket
import sys
from functools import partial
from types import ModuleType
from typing import Any, Final, cast

_UNUSED: Final = ("scipy", "sklearn")
"""Optional imports of transformers, for training and assisted generation."""

_VARIABLES: Final = {
    "OMP_NUM_THREADS": "1",
    # The engine runs its worker in-process. It stays a separate process: only vLLM's synchronous
    # interface can run without one.
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
}


def serve() -> None:
    """Run vLLM's server with the arguments of this process."""
    os.environ.update(_VARIABLES)
    modules = cast("dict[str, ModuleType | None]", sys.modules)
    modules.update(dict.fromkeys(_UNUSED))
    # Imported objects live as long as the process: collections would find no garbage and take a
    # fifth of the time. Frozen objects are not visited later and stay shared with the fork.
    gc.disable()
    server: Any = importlib.import_module("vllm.entrypoints.launchers.api_server.entry")
    launching: Any = importlib.import_module("vllm.v1.engine.utils")
    importlib.import_module("vllm.v1.engine.async_llm")
    gc.freeze()
    gc.enable()
    launching.get_mp_context = partial(multiprocessing.get_context, "fork")
    server.setup_server = partial(_open, server.setup_server)
    os.register_at_fork(after_in_child=_become_engine)
    server.main()


def _open(setup_server: Any, *args: Any, **options: Any) -> tuple[str, socket.socket]:
    """Open the server's socket as vLLM does, but close it in the fork.

    Otherwise the engine would still accept connections, without answering, after the server ends.
    """
    address, listener = setup_server(*args, **options)
    os.register_at_fork(after_in_child=listener.close)
    return address, listener


def _become_engine() -> None:
    """In the fork, reset the server's signals and number of threads."""
    # Otherwise a signal for the engine would wake the server's event loop.
    signal.set_wakeup_fd(-1)
    torch: Any = importlib.import_module("torch")
    torch.set_num_threads(max(1, len(os.sched_getaffinity(0)) - 1))


if __name__ == "__main__":
    serve()
