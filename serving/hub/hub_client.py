"""`python -m serving.hub.hub_client look|fetch HUB-ID [--pickle] [--code]`: query or download.

It runs as a child process, so that it ends with its parent. `look` downloads a model's small files
into the hub's cache and writes the hub's information as a JSON object; `fetch` downloads all files
that an engine needs and writes the folder's path. The hub's own client restarts an interrupted file
from its beginning, so large files are downloaded here and resumed.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import huggingface_hub
from huggingface_hub import constants, file_download, utils
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
)

from serving.hub.hub_files import select_files, select_metadata
from serving.model_files.weights import describe_silent_hub

_HUB: Final[Any] = huggingface_hub
_FILES: Final[Any] = file_download
_UTILS: Final[Any] = utils
_LARGE: Final = 8 * 2**20
_BLOCK: Final = 2**22
_SHA256: Final = 64
"""Hexadecimal digits of a large file's etag, the SHA-256 of its content."""


def main() -> None:
    """Run the command line; a failure is one line on standard error and status 1."""
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=("look", "fetch"))
    parser.add_argument("hub_id")
    parser.add_argument("--pickle", action="store_true")
    parser.add_argument("--code", action="store_true")
    words = parser.parse_args()
    try:
        if words.task == "look":
            said = json.dumps(_fetch_info(words.hub_id))
        else:
            said = _fetch(words.hub_id, pickled=words.pickle, code=words.code)
    except GatedRepoError:
        sys.exit("its licence must be accepted first; do so on its page and set HF_TOKEN")
    except (RepositoryNotFoundError, EntryNotFoundError):
        sys.exit("the hub has no such model, or it is private (HF_TOKEN)")
    except Exception as error:  # noqa: BLE001 - the client also raises its libraries' errors
        told = str(error).strip().splitlines() or [""]
        if isinstance(error, _UnusableFilesError):
            sys.exit(told[0])
        if isinstance(error, HfHubHTTPError):
            sys.exit(f"{type(error).__name__}: {told[0]}")
        sys.exit(f"{describe_silent_hub()} ({told[0] or type(error).__name__})")
    sys.stdout.write(f"{said}\n")


class _UnusableFilesError(Exception):
    """The model's files on the hub cannot be used."""


def _fetch_info(hub_id: str) -> dict[str, Any]:
    info = _info(hub_id)
    card: Any = info.card_data or {}
    sizes = _sizes(info)
    for name in select_metadata(sizes):
        _HUB.hf_hub_download(hub_id, name, revision=info.sha)
    licence = card.get("license_name") or card.get("license") or ""
    return {"licence": str(licence), "files": sizes}


def _fetch(hub_id: str, *, pickled: bool, code: bool) -> str:
    info = _info(hub_id)
    sizes = _sizes(info)
    names = select_files(sizes, pickled=pickled, code=code)
    if not any(name.endswith((".safetensors", ".bin")) for name in names):
        raise _UnusableFilesError(
            "the hub has no safetensors of it; --allow-pickle allows pickled weights"
        )
    for name in names:
        if sizes[name] > _LARGE:
            _fetch_large(hub_id, name, str(info.sha))
    return _HUB.snapshot_download(hub_id, revision=info.sha, allow_patterns=list(names))


def _info(hub_id: str) -> Any:
    return _HUB.HfApi().model_info(hub_id, files_metadata=True)


def _sizes(info: Any) -> dict[str, int]:
    siblings: list[Any] = info.siblings or []
    return {one.rfilename: one.size or 0 for one in siblings}


def _fetch_large(hub_id: str, name: str, revision: str) -> None:
    """Download a large file into the cache under its content's hash; resume a partial one.

    It uses the client's lock, so that concurrent processes download a file once.
    """
    url: str = _HUB.hf_hub_url(hub_id, name, revision=revision)
    headers: dict[str, Any] = _UTILS.build_hf_headers()
    found: Any = _HUB.get_hf_file_metadata(url, headers=headers)
    assert found.etag is not None, "the hub names the content of every file"
    if urlsplit(str(found.location)).netloc != urlsplit(url).netloc:
        headers.pop("authorization", None)  # send the token only to the hub
    cache = Path(constants.HF_HUB_CACHE)
    folder: str = _FILES.repo_folder_name(repo_id=hub_id, repo_type="model")
    blob = cache / folder / "blobs" / found.etag
    lock = cache / ".locks" / folder / f"{found.etag}.lock"
    for path in (blob, lock):
        path.parent.mkdir(parents=True, exist_ok=True)
    with _UTILS.WeakFileLock(lock):
        if not blob.exists():
            _resume_download(name, blob, found, headers)


def _resume_download(name: str, blob: Path, found: Any, headers: Mapping[str, Any]) -> None:
    """Download the missing bytes of a file, and rename it once it is complete."""
    part = blob.with_name(f"{blob.name}.incomplete")
    with part.open("ab") as file:
        here = file.tell()
        if here < found.size:  # else only the rename is missing
            _FILES.http_get(
                *(found.location, file),
                resume_size=here,
                headers=headers,
                expected_size=found.size,
            )
    named_by_content = len(found.etag) == _SHA256
    if part.stat().st_size != found.size or (named_by_content and _digest(part) != found.etag):
        part.unlink()
        raise _UnusableFilesError(f"{name} does not match the hub's hash; fetch it again")
    part.replace(blob)


def _digest(path: Path) -> str:
    made = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            made.update(block)
    return made.hexdigest()


if __name__ == "__main__":
    main()
