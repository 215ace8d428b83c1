"""Run an export from its options: the exporter of the target, into an atomic folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from arena.errors import ConfigError, RecordError
from eval.export.export_folder import ExportResult, open_draft, write_export_report
from eval.export.extras import load_extra
from eval.export.parquet import export_parquet
from eval.export.run_source import NamedRun, open_runs
from eval.export.training_lines import UNITS, TrainingUnit
from eval.export.trajectories import export_trajectories


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """The options of an export."""

    target: str
    """`parquet`, `inspect` or `trajectories`."""
    overwrite: bool = False
    with_texts: bool = True
    """For Parquet."""
    trusted: bool = False
    """For Inspect."""
    unit: str = "turn"
    """For trajectories: `turn` or `seat`."""


def export_runs(paths: Sequence[Path], out: Path, options: ExportOptions) -> ExportResult:
    """Export the finished matches of runs to the folder `out`.

    Raises `ConfigError` or `RecordError` if that fails; then `out` is unchanged.
    """
    if options.unit not in UNITS:
        raise ConfigError(f"a line is a {' or a '.join(UNITS)}, got {options.unit!r}")
    runs = open_runs(paths)
    with open_draft(out, paths, overwrite=options.overwrite) as draft:
        exported = _export(runs, draft, options)
        if not exported.matches:
            lost = exported.left_out_line() if exported.left_out else "the runs have no match"
            raise RecordError(f"there is no finished match to export; {lost}")
        write_export_report(draft, exported)
    return exported


def export_object(exported: ExportResult) -> dict[str, object]:
    """Return the result of an export as a JSON object."""
    return {
        "target": exported.target,
        "matches": exported.matches,
        "rows": dict(exported.rows),
        "left_out": [
            {"run": one.run, "match": one.match, "reason": one.reason} for one in exported.left_out
        ],
    }


def _export(runs: Sequence[NamedRun], folder: Path, options: ExportOptions) -> ExportResult:
    if options.target == "parquet":
        return export_parquet(runs, folder, with_texts=options.with_texts)
    if options.target == "trajectories":
        return export_trajectories(runs, folder, cast("TrainingUnit", options.unit))
    load_extra("inspect_ai")
    # The module imports inspect-ai, which is an extra.
    from eval.export.inspect_log import export_inspect  # noqa: PLC0415

    return export_inspect(runs, folder, trusted=options.trusted)
