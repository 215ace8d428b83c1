"""Record of a run, in one folder: run.json, scripts, matches, and the pictures shown in them."""

import os
import shlex
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256 as hash_bytes
from pathlib import Path

from arena.errors import ConfigError, RecordError
from arena.records.match_record import EVENTS, MatchRecord
from arena.records.match_summary import MatchSummary
from arena.records.record_files import atomic_write, check_dir, ensure_dir, read_file, read_text
from arena.records.run_config import MatchSpec, RunConfig, ScriptRef, match_specs
from arena.records.run_folder import (
    MANIFEST_FILE,
    MATCHES,
    PICTURES,
    check_new,
    hold_folder,
    is_unstarted,
)
from arena.records.run_manifest import MANIFEST, RunManifest, read_manifest
from arena.records.script_copies import read_script, require_hash, write_facts, write_script
from scripts_mm.safe_io import error_reason, safe_check
from scripts_mm.script import Script


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """Record of a run. Use `create_run` or `open_run` to get one."""

    path: Path

    @cached_property
    def manifest(self) -> RunManifest:
        """Return the contents of run.json; `RecordError` if it cannot be read."""
        path = self.path / MANIFEST_FILE
        text = read_text(path)
        if text is None:
            raise RecordError(f"no run at {str(self.path)!r}: {self._missing()}")
        try:
            return read_manifest(text)
        except (RecordError, ConfigError) as error:
            raise RecordError(f"{str(path)!r}: {error}") from error

    @property
    def config(self) -> RunConfig:
        """Return the configuration of the run."""
        return self.manifest.config

    def write_manifest(self, manifest: RunManifest) -> None:
        """Write run.json, once, when the run is started."""
        atomic_write(self.path / MANIFEST_FILE, MANIFEST.encode_file(manifest))

    @contextmanager
    def lock(self) -> Generator[None]:
        """Lock the run for this process; `RecordError` if another process is playing it."""
        with hold_folder(self.path):
            yield

    def match(self, match_id: str) -> MatchRecord:
        """Return the record of one match, which need not exist yet."""
        if match_id in {"", ".", ".."} or Path(match_id).name != match_id or "\0" in match_id:
            raise RecordError(f"{match_id[:80]!r} is not a match id")
        return MatchRecord(path=self.path / MATCHES / match_id, run=self.path)

    def matches(self) -> tuple[MatchRecord, ...]:
        """Return the records of all matches that have started, by name."""
        folder = check_dir(self.path / MATCHES)
        names = sorted(path.name for path in folder.glob("*") if os.path.lexists(path / EVENTS))
        return tuple(map(self.match, names))

    def find_results(self) -> tuple[MatchSummary, ...] | None:
        """Return the summaries of all matches of the plan; None if one must still be played.

        Raises `RecordError` if the others are finished but the record of one is damaged.
        """
        found: list[MatchSummary] = []
        damage: RecordError | None = None
        for spec in match_specs(self.config):
            try:
                summary = self.match(spec.id).find_result(spec, self.config.options)
            except RecordError as error:
                damage = damage or error
                continue
            if summary is None:
                return None
            found.append(summary)
        if damage is not None:
            raise damage
        return tuple(found)

    def spec(self, match_id: str) -> MatchSpec:
        """Return the plan of one match, or raise `RecordError` if the run has no such match."""
        found = next((spec for spec in match_specs(self.config) if spec.id == match_id), None)
        if found is None:
            raise RecordError(f"match {match_id!r} is not in the plan of run {str(self.path)!r}")
        return found

    def script(self, ref: ScriptRef) -> Script:
        """Return a script that the run stores; `RecordError` if it has changed."""
        return read_script(self.path, ref.sha256)

    def save_script(self, sha256: str, script: Script) -> None:
        """Store a script, so that the run can be read without the original folder."""
        write_script(self.path, sha256, script)

    def save_facts(self, sha256: str, facts: str) -> None:
        """Store the text of a script's fact table, against which scores check claims."""
        write_facts(self.path, sha256, facts)

    def save_picture(self, sha256: str, data: bytes) -> None:
        """Store a picture under its content hash, once."""
        path = self.picture_path(sha256)
        if not path.exists():
            ensure_dir(path.parent)
            atomic_write(path, data)

    def read_picture(self, sha256: str) -> bytes:
        """Return a picture of this run, or raise `RecordError`."""
        data = read_file(self.picture_path(sha256))
        if data is None:
            raise RecordError(f"run {self.path.name!r} has no picture {sha256!r}")
        if hash_bytes(data).hexdigest() != sha256:
            raise RecordError(f"picture {sha256!r} of run {self.path.name!r} has changed")
        return data

    def picture_path(self, sha256: str) -> Path:
        """Return the path of a picture, which need not exist yet."""
        return check_dir(self.path / PICTURES) / require_hash(sha256)

    def _missing(self) -> str:
        """Describe what is missing if there is no run.json, with a remedy."""
        if safe_check(lambda: self.path.is_dir() and is_unstarted(self.path)):
            command = shlex.join(["arena", "match", "--out", str(self.path)])
            return f"it was never started; start it with `{command}` and its options"
        return f"wanted a folder with {MANIFEST_FILE!r}"


@contextmanager
def create_run(path: Path, *, parents: bool = True) -> Generator[RunRecord]:
    """Create and lock the folder of a new run, or reuse one whose start was interrupted.

    `parents`: create its parent folders too.

    A new folder is removed again if the block ends before run.json is written. Raises `RecordError`
    if the folder has other contents, or another process holds it.
    """
    check_new(path)
    is_new = not path.exists()
    try:
        path.mkdir(parents=parents, exist_ok=True)
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot create {str(path)!r}: {error_reason(error)}") from error
    with hold_folder(path):
        # Another process may have started and even finished its run since.
        check_new(path)
        try:
            yield RunRecord(path=path)
        finally:
            if is_new and safe_check(lambda: is_unstarted(path)):
                shutil.rmtree(path, ignore_errors=True)


def open_run(path: Path) -> RunRecord:
    """Return an existing, readable run, or raise `RecordError`."""
    run = RunRecord(path=path)
    _ = run.manifest
    return run
