"""Class defaults that a config.json omits, read from transformers in a child process."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from serving.standin.standin_cache import SHIM

_OBJECT: Final[TypeAdapter[dict[str, Any]]] = TypeAdapter(dict[str, Any])
_PROGRAM: Final = """
import json, sys
from transformers import AutoConfig
config = AutoConfig.from_pretrained(sys.argv[1], trust_remote_code=False)
text = config.get_text_config()
print(json.dumps({k: v for k, v in text.to_dict().items() if isinstance(v, (int, str))}))
"""
_SECONDS: Final = 60.0


def class_defaults(folder: Path) -> Mapping[str, Any]:
    """Return the language model's shape including class defaults; empty if unknown.

    This never runs the model's own code.
    """
    others = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(SHIM), *([others] if others else [])])
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "PYTHONPATH": path}
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", _PROGRAM, str(folder)],
            env={**os.environ, **offline},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
        return _OBJECT.validate_json(done.stdout)
    except (subprocess.TimeoutExpired, ValidationError):
        return {}
