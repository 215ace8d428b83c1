"""Specification of one comparison, which the parity check hands to its child processes as JSON."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

LAYOUTS = ("published", "converted")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParitySpec:
    """Specification of a comparison: one checkpoint in one precision."""

    folder: str
    """Holds the checkpoints and the results."""
    layout: Literal["published", "converted"]
    dtype: Literal["float32", "bfloat16"]
    quick: bool = False
    new_tokens: int = 16
    parallel: int = 1
    """Processes that share the engine's model (tensor parallelism)."""

    @property
    def model(self) -> Path:
        """Folder of the checkpoint."""
        return Path(self.folder) / self.layout

    def results_file(self, side: Literal["reference", "engine"]) -> Path:
        """Return the file with the tensors of one side."""
        return Path(self.folder) / f"{side}-{self.layout}-{self.dtype}.pt"

    def to_json(self) -> str:
        """Encode for the command line of a child process."""
        return json.dumps(asdict(self))


def parse_spec(text: str) -> ParitySpec:
    """Decode what `ParitySpec.to_json` returned."""
    fields: dict[str, Any] = json.loads(text)
    return ParitySpec(**fields)
