"""Directory of the runs in a folder, with the progress of their matches."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ArenaError, RecordError
from arena.records.match_summary import MatchSummary
from arena.records.run_config import match_specs
from arena.records.run_folder import MANIFEST_FILE
from arena.records.run_record import RunRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A run in a table."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    """Contestants of the civilians and of the murderer."""
    game: str
    planned: int
    started: int
    finished: int
    outcomes: Mapping[str, int]
    fault: str = ""
    """Why it cannot be read; empty: it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match in a table."""

    name: str
    script: str
    civilians: str
    murderer: str
    summary: MatchSummary | None
    """None: it is in progress, or was interrupted."""
    is_started: bool
    language: str


class RunDirectory:
    """The runs in a folder, or the one run that the folder is."""

    def __init__(self, folder: Path) -> None:
        """Read `folder`; raises `RecordError` if it is not a folder."""
        if not folder.is_dir():
            raise RecordError(f"{str(folder)!r} is not a folder; wanted a folder of runs, or a run")
        self._folder = folder
        self._summaries: dict[Path, MatchSummary] = {}
        """Summaries of finished matches, which do not change."""

    @property
    def is_one(self) -> bool:
        """Return whether the folder itself is a run."""
        return (self._folder / MANIFEST_FILE).is_file()

    def names(self) -> tuple[str, ...]:
        """Return the names of the runs, the newest first."""
        if self.is_one:
            return (self._folder.resolve().name,)
        found = [one.parent for one in self._folder.glob(f"*/{MANIFEST_FILE}")]
        found.sort(key=lambda one: (one / MANIFEST_FILE).stat().st_mtime, reverse=True)
        return tuple(one.name for one in found)

    def open(self, name: str) -> RunRecord:
        """Return a run by its name, or raise `RecordError`; a name is never a path."""
        if self.is_one:
            path = self._folder if name == self.name_of(self._folder) else None
        else:
            path = next((one for one in self._folder.iterdir() if one.name == name), None)
        if path is None or not (path / MANIFEST_FILE).is_file():
            raise RecordError(f"there is no run {name[:80]!r}")
        return RunRecord(path=path)

    def name_of(self, run: Path) -> str:
        """Return the name of a run that `open` returned."""
        return (run.resolve() if self.is_one else run).name

    def row(self, name: str) -> RunRow:
        """Return the table row of a run."""
        try:
            run = self.open(name)
            config, rows = run.config, self.matches(name)
        except ArenaError as error:
            return RunRow(
                name=name, pairs=(), game="", planned=0, started=0, finished=0, outcomes={},
                fault=str(error),
            )  # fmt: skip
        done = [one.summary for one in rows if one.summary is not None]
        return RunRow(
            name=name,
            pairs=tuple((pair.civilians, pair.murderer) for pair in config.pairs),
            game=config.game,
            planned=len(rows),
            started=sum(one.is_started for one in rows),
            finished=len(done),
            outcomes=Counter(one.outcome for one in done),
        )

    def matches(self, name: str) -> tuple[MatchRow, ...]:
        """Return the matches of a run, in the order of its plan."""
        run = self.open(name)
        started = {record.path.name: record for record in run.matches()}
        return tuple(
            MatchRow(
                name=spec.id,
                script=spec.script.id,
                civilians=spec.civilians,
                murderer=spec.murderer,
                summary=self._summary(run, spec.id) if spec.id in started else None,
                is_started=spec.id in started,
                language=spec.script.language,
            )
            for spec in match_specs(run.config)
        )

    def _summary(self, run: RunRecord, match: str) -> MatchSummary | None:
        record = run.match(match)
        if record.path not in self._summaries:
            try:
                found = record.summary()
            except RecordError:
                return None
            if found is None:
                return None
            self._summaries[record.path] = found
        return self._summaries[record.path]
