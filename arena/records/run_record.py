"""Record of a run, in one folder: run.json, scripts, matches, and pictures that they showed."""

import fcntl
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256 as hash_bytes
from pathlib import Path

from arena.errors import ConfigError, RecordError
from arena.records.config import MatchSpec, RunConfig, ScriptRef, match_specs
from arena.records.files import atomic_write, ensure_dir, read_file, read_text
from arena.records.manifest import MANIFEST, RunManifest
from arena.records.match_record import EVENTS, MatchRecord
from arena.records.scripts import read_script, require_hash, write_script
from scripts_mm.script import Script

MANIFEST_FILE = "run.json"


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """The record of a run. Use `create_run` or `open_run` to get one."""

    path: Path

    @cached_property
    def manifest(self) -> RunManifest:
        """What run.json says; `RecordError` where it cannot be read."""
        path = self.path / MANIFEST_FILE
        text = read_text(path)
        if text is None:
            raise RecordError(
                f"no run at {str(self.path)!r}: a folder with {MANIFEST_FILE!r} is wanted"
            )
        try:
            return MANIFEST.decode(text)
        except (RecordError, ConfigError) as error:
            raise RecordError(f"{str(path)!r}: {error}") from error

    @property
    def config(self) -> RunConfig:
        """The configuration of the run."""
        return self.manifest.config

    def write_manifest(self, manifest: RunManifest) -> None:
        """Write run.json, once, when the run is started."""
        atomic_write(self.path / MANIFEST_FILE, MANIFEST.encode_file(manifest))

    @contextmanager
    def lock(self) -> Generator[None]:
        """Hold the run for this process; `RecordError` where another one is playing it."""
        try:
            lock = (self.path / ".lock").open("w")
        except OSError as error:
            raise RecordError(f"cannot write in {str(self.path)!r}: {error.strerror}") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RecordError(
                    f"another process is playing the run {str(self.path)!r}; wait for it or stop it"
                ) from error
            yield

    def match(self, match_id: str) -> MatchRecord:
        """Return the record of one match, which need not exist yet."""
        if match_id in {"", ".", ".."} or Path(match_id).name != match_id or "\0" in match_id:
            raise RecordError(f"{match_id[:80]!r} is no id of a match")
        return MatchRecord(path=self.path / "matches" / match_id, run=self.path)

    def matches(self) -> tuple[MatchRecord, ...]:
        """Return the records of all matches that have started, by name."""
        folders = sorted((self.path / "matches").glob(f"*/{EVENTS}"))
        return tuple(self.match(path.parent.name) for path in folders)

    def spec(self, match_id: str) -> MatchSpec:
        """Return the plan of one match, or raise `RecordError` where the run has no such match."""
        found = next((spec for spec in match_specs(self.config) if spec.id == match_id), None)
        if found is None:
            raise RecordError(f"match {match_id!r} is not in the plan of run {str(self.path)!r}")
        return found

    def script(self, ref: ScriptRef) -> Script:
        """Return a script as the run keeps it; `RecordError` where it was changed since."""
        return read_script(self.path, ref.sha256)

    def save_script(self, sha256: str, script: Script) -> None:
        """Keep a script, so that the run can be read without the folder that it came from."""
        write_script(self.path, sha256, script)

    def save_picture(self, sha256: str, data: bytes) -> None:
        """Keep a picture under the hash of its content, once."""
        path = self._picture(sha256)
        if not path.exists():
            ensure_dir(path.parent)
            atomic_write(path, data)

    def read_picture(self, sha256: str) -> bytes:
        """Return a picture that a match of this run showed, or raise `RecordError`."""
        data = read_file(self._picture(sha256))
        if data is None:
            raise RecordError(f"run {self.path.name!r} has no picture {sha256!r}")
        if hash_bytes(data).hexdigest() != sha256:
            raise RecordError(f"picture {sha256!r} of run {self.path.name!r} was changed since")
        return data

    def _picture(self, sha256: str) -> Path:
        return self.path / "pictures" / require_hash(sha256)


def check_new(path: Path) -> None:
    """Raise `RecordError` where no new run may be made at `path`; nothing is made yet."""
    if path.is_dir() and any(path.iterdir()):
        raise RecordError(
            f"{str(path)!r} is not empty; choose another folder with --out, or "
            f"continue that run with `arena resume {path}`"
        )
    blocking = next((p for p in (path, *path.parents) if p.exists() and not p.is_dir()), None)
    if blocking is not None:
        raise RecordError(f"a folder for the run is wanted, but {str(blocking)!r} is a file")


def create_run(path: Path) -> RunRecord:
    """Make the folder of a new run, or raise `RecordError`."""
    check_new(path)
    ensure_dir(path)
    return RunRecord(path=path)


def open_run(path: Path) -> RunRecord:
    """Return a run that is there and can be read, or raise `RecordError`."""
    run = RunRecord(path=path)
    _ = run.manifest
    return run
