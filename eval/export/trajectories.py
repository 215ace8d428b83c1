"""Export to training data: `messages` as JSON lines, with pictures and a reward per seat."""

import json
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from arena.records.run_record import RunRecord
from eval.export.card_facts import CardFacts
from eval.export.export_folder import ExportResult
from eval.export.run_source import NamedRun, visit_matches
from eval.export.training_lines import (
    TrainingLine,
    TrainingUnit,
    count_skipped_calls,
    episode_lines,
)
from eval.export.trajectory_card import trajectory_card
from eval.export.world_splits import SPLITS, assign_split
from eval.played_match import PlayedMatch
from scripts_mm.image_headers import detect_mime

TARGET = "trajectories"
PICTURES = "pictures"
"""The folder of pictures, each named by its content hash."""
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


def export_trajectories(runs: Sequence[NamedRun], folder: Path, unit: TrainingUnit) -> ExportResult:
    """Write the lines of all finished matches to `folder`, split by the worlds of scripts."""
    facts = CardFacts()
    rows: Counter[str] = Counter()
    by_name = {run.name: run.record for run in runs}
    (folder / PICTURES).mkdir()
    with _open_splits(folder) as files:

        def use(match: PlayedMatch) -> None:
            lines = list(episode_lines(match, unit))
            names = _write_pictures(folder, by_name[match.run], lines)
            split = assign_split(match.work, match.script.source)
            for line in lines:
                files[split].write(
                    json.dumps(_with_file_names(line, names), ensure_ascii=False) + "\n"
                )
            rows[split] += len(lines)
            rows["calls without a reply"] += count_skipped_calls(match.calls())
            facts.add(match)

        left_out = visit_matches(runs, use)
    for split in SPLITS:
        if not rows[split]:
            (folder / split_file_name(split)).unlink()
    rows[PICTURES] = sum(1 for _ in (folder / PICTURES).iterdir())
    exported = ExportResult(
        target=TARGET, matches=facts.matches, rows=dict(rows), left_out=left_out
    )
    card = trajectory_card(
        facts, exported, unit, {one: split_file_name(one) for one in SPLITS if rows[one]}
    )
    (folder / "README.md").write_text(card, encoding="utf-8")
    return exported


def split_file_name(split: str) -> str:
    """Return the name of the file of a split."""
    return f"{split}.jsonl"


@contextmanager
def _open_splits(folder: Path) -> Generator[Mapping[str, TextIO]]:
    with ExitStack() as stack:
        yield {
            split: stack.enter_context(
                (folder / split_file_name(split)).open("w", encoding="utf-8")
            )
            for split in SPLITS
        }


def _write_pictures(
    folder: Path, run: RunRecord, lines: Sequence[TrainingLine]
) -> Mapping[str, str]:
    """Write the pictures of `lines`, each once; return content hash -> path within the export."""
    names: dict[str, str] = {}
    for sha256 in dict.fromkeys(one for line in lines for one in line["images"]):
        data = run.read_picture(sha256)
        name = f"{PICTURES}/{sha256}.{_ENDINGS[detect_mime(data) or 'image/png']}"
        if not (folder / name).exists():
            (folder / name).write_bytes(data)
        names[sha256] = name
    return names


def _with_file_names(line: TrainingLine, names: Mapping[str, str]) -> TrainingLine:
    return {**line, "images": [names[one] for one in line["images"]]}
