"""Copies of scripts in a run, so that it stays readable without the original folders."""

import re
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from arena.errors import RecordError
from arena.records.record_files import atomic_write, check_dir, ensure_dir, read_file
from arena.records.run_folder import SCRIPTS
from scripts_mm.script import Script, ScriptError
from scripts_mm.script_folder import content_hash

_SCRIPT: Final = TypeAdapter(Script)
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def write_script(run: Path, sha256: str, script: Script) -> None:
    """Store `script` under its content hash."""
    ensure_dir(run / SCRIPTS)
    atomic_write(_path(run, sha256), _SCRIPT.dump_json(script))


def read_script(run: Path, sha256: str) -> Script:
    """Return a script of the run, or raise `RecordError` if it was changed."""
    path = _path(run, sha256)
    data = read_file(path)
    if data is None:
        raise RecordError(f"the run's script {str(path)!r} is missing; restore it")
    try:
        script = _SCRIPT.validate_json(data)
    except (ValidationError, ScriptError) as error:
        raise RecordError(
            f"{str(path)!r} is not a script; restore it or start a new run"
        ) from error
    if content_hash(script) != sha256:
        raise RecordError(
            f"script {script.id!r} in run {str(run)!r} has changed since the start of the run; "
            "restore it or start a new run"
        )
    return script


def write_facts(run: Path, sha256: str, facts: str) -> None:
    """Store the text of a fact table under the content hash of its script."""
    ensure_dir(run / SCRIPTS)
    atomic_write(_facts_path(run, sha256), facts)


def read_facts(run: Path, sha256: str) -> bytes | None:
    """Return the fact table of a script of the run; None: it has none, like all older runs."""
    return read_file(_facts_path(run, sha256))


def require_hash(text: str) -> str:
    """Return a content hash that is safe as a file name, or raise `RecordError`."""
    if not _SHA256.fullmatch(text):
        raise RecordError(f"wanted a SHA-256 in hexadecimal, got {text[:80]!r}")
    return text


def _path(run: Path, sha256: str) -> Path:
    return check_dir(run / SCRIPTS) / f"{require_hash(sha256)}.json"


def _facts_path(run: Path, sha256: str) -> Path:
    return check_dir(run / SCRIPTS) / f"{require_hash(sha256)}.facts.json"
