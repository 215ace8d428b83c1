"""One folder a run: its configuration, its matches and the pictures that they showed."""

import fcntl
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from arena.errors import StoreError
from arena.store.lines import make_folder, write_whole
from arena.store.match_folder import MatchFolder
from scripts_mm.script import Script, ScriptError

CONFIG = "run.json"
_SCRIPT = TypeAdapter(Script)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """A run as it lies on disk (DESIGN section 5)."""

    path: Path

    @contextmanager
    def alone(self) -> Generator[None]:
        """Hold the run for this process; `StoreError` where another one is playing it."""
        try:
            lock = (self.path / ".lock").open("w")
        except OSError as error:
            raise StoreError(f"cannot write in {str(self.path)!r}: {error.strerror}") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(
                    f"another process is playing the run {str(self.path)!r}; wait for it or stop it"
                ) from error
            yield

    def match(self, match_id: str) -> MatchFolder:
        """Return the folder of one match, which need not exist yet."""
        return MatchFolder(path=self.path / "matches" / match_id, run=self.path.name)

    def matches(self) -> tuple[MatchFolder, ...]:
        """Return the folders of all matches that have begun, by name."""
        folders = sorted((self.path / "matches").glob("*/events.jsonl"))
        return tuple(self.match(path.parent.name) for path in folders)

    def read_config(self) -> dict[str, Any]:
        """Return what run.json says, or raise `StoreError`."""
        path = self.path / CONFIG
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise StoreError(
                f"no run at {str(self.path)!r}: a folder with {CONFIG!r} is wanted"
            ) from error
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot read {str(path)!r}: {error}") from error

    def write_config(self, config: Mapping[str, Any]) -> None:
        """Write run.json."""
        write_whole(
            self.path / CONFIG, json.dumps(config, ensure_ascii=False, indent=1, sort_keys=True)
        )

    def keep_script(self, sha256: str, script: Script) -> None:
        """Keep a script, so that the run can be read without the folder that it came from."""
        make_folder(self.path / "scripts")
        write_whole(self._script(sha256), _SCRIPT.dump_json(script))

    def read_script(self, sha256: str) -> Script:
        """Return a script of this run, or raise `StoreError`."""
        path = self._script(sha256)
        try:
            return _SCRIPT.validate_json(path.read_bytes())
        except (OSError, ValidationError, ScriptError) as error:
            raise StoreError(f"cannot read the run's script {str(path)!r}: {error}") from error

    def keep_picture(self, sha256: str, data: bytes) -> None:
        """Keep a picture under the name of its content, once."""
        path = self.path / "pictures" / sha256
        if not path.exists():
            make_folder(path.parent)
            write_whole(path, data)

    def read_picture(self, sha256: str) -> bytes:
        """Return a picture that a match of this run showed, or raise `StoreError`."""
        try:
            return (self.path / "pictures" / sha256).read_bytes()
        except OSError as error:
            raise StoreError(f"run {self.path.name!r} has no picture {sha256!r}") from error

    def _script(self, sha256: str) -> Path:
        return self.path / "scripts" / f"{sha256}.json"


def check_new(path: Path) -> None:
    """Raise `StoreError` where no new run may lie at `path`; nothing is made yet."""
    if path.is_dir() and any(path.iterdir()):
        raise StoreError(
            f"{str(path)!r} is not empty; choose another folder with --out, or "
            f"continue that run with `arena resume {path}`"
        )
    blocking = next((p for p in (path, *path.parents) if p.exists() and not p.is_dir()), None)
    if blocking is not None:
        raise StoreError(f"a folder for the run is wanted, but {str(blocking)!r} is a file")


def create_run(path: Path) -> RunFolder:
    """Make the folder of a new run, or raise `StoreError`."""
    check_new(path)
    make_folder(path)
    return RunFolder(path=path)


def open_run(path: Path) -> RunFolder:
    """Return a run that is there, or raise `StoreError`."""
    run = RunFolder(path=path)
    run.read_config()
    return run
