"""The manifest of a bundle, and the ledger of its files."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serving.bundle.check import file_digest
from serving.errors import ServingError

MANIFEST_NAME: Final = "manifest.json"
PARTIAL_PREFIX: Final = ".fetching-"
"""The name prefix of incomplete files and folders."""

_HEXADECIMAL: Final = r"^[0-9a-f]{64}$"


class BundledFile(BaseModel):
    """A file of a bundle: its path under the bundle with `/`, its SHA-256 and size in bytes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    sha256: Annotated[str, Field(pattern=_HEXADECIMAL)]
    bytes: Annotated[int, Field(ge=0)]


class BundledModel(BaseModel):
    """A model of the bundle; `folder` is empty if the bundle has no weights of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    profile: str
    hub_id: str
    folder: str


class Manifest(BaseModel):
    """The contents of a bundle. `whole` is false while it is incomplete."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    arena: str
    engine: Literal["cpu", "cuda"]
    python: str
    machine: str
    whole: bool
    models: tuple[BundledModel, ...] = ()
    files: tuple[BundledFile, ...] = ()


@dataclass(slots=True)
class FileLedger:
    """The hashed files of a bundle in progress, by path."""

    folder: Path
    files: dict[str, BundledFile] = field(default_factory=dict[str, BundledFile])

    def add(self, path: Path, sha256: str = "") -> BundledFile:
        """Add an existing file; it is hashed if `sha256` is empty."""
        name = path.relative_to(self.folder).as_posix()
        made = BundledFile(path=name, sha256=sha256 or file_digest(path), bytes=path.stat().st_size)
        self.files[name] = made
        return made


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a folder, or None if it has none.

    Raises `ServingError` if the manifest cannot be read.
    """
    try:
        return Manifest.model_validate_json((folder / MANIFEST_NAME).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        why = str(error).partition("\n")[0]
        raise ServingError(f"{folder / MANIFEST_NAME} cannot be read: {why}") from error


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest atomically."""
    scratch = folder / f".{MANIFEST_NAME}"
    text = json.dumps(manifest.model_dump(), indent=1, ensure_ascii=False)
    scratch.write_text(f"{text}\n", encoding="utf-8")
    scratch.replace(folder / MANIFEST_NAME)
