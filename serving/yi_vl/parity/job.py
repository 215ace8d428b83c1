"""What the parts of a parity check hand each other: orders as JSON, results as tensors in files."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

LAYOUTS = ("published", "converted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One checkpoint in one precision; every file of it lies in `folder`."""

    folder: str
    layout: Literal["published", "converted"]
    dtype: Literal["float32", "bfloat16"]
    quick: bool = False
    new_tokens: int = 16
    parallel: int = 1
    """Processes that share the engine's model."""

    @property
    def model(self) -> Path:
        """The checkpoint."""
        return Path(self.folder) / self.layout

    def results(self, whose: Literal["reference", "engine"]) -> Path:
        """Return the file of what one side found."""
        return Path(self.folder) / f"{whose}-{self.layout}-{self.dtype}.pt"

    def to_json(self) -> str:
        """Return it as a child process takes it."""
        return json.dumps(asdict(self))


def parse_job(text: str) -> Job:
    """Return the job that `Job.to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    return Job(**fields)
