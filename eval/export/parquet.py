"""Export to Parquet: one file per table, and a card with which `datasets` loads each table."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from arena.records.event_codec import dump_options
from arena.records.run_config import match_specs
from eval.export.card_facts import CardFacts, card_lines, model_and_player
from eval.export.export_folder import ExportResult
from eval.export.parquet_rows import TableRow, match_rows
from eval.export.parquet_tables import RUNS, TABLES, ParquetTable
from eval.export.parquet_writer import open_tables, table_file_name
from eval.export.run_source import NamedRun, visit_matches
from eval.played_match import PlayedMatch

TARGET = "parquet"


def export_parquet(runs: Sequence[NamedRun], folder: Path, *, with_texts: bool) -> ExportResult:
    """Write the tables of all finished matches to `folder`."""
    facts = CardFacts()
    by_run: Counter[str] = Counter()
    judged = {run.name: run.judgements_of for run in runs}
    with open_tables(folder, TABLES) as writers:

        def use(match: PlayedMatch) -> None:
            rows = match_rows(match, judged[match.run](match), with_texts=with_texts)
            for table, found in rows.items():
                writers[table].add(found)
            facts.add(match)
            by_run[match.run] += 1

        left_out = visit_matches(runs, use)
        writers[RUNS.name].add([_run_row(run, by_run[run.name]) for run in runs])
    exported = ExportResult(
        target=TARGET,
        matches=facts.matches,
        rows={name: writer.rows for name, writer in writers.items()},
        left_out=left_out,
    )
    card = _card(facts, exported, with_texts=with_texts)
    (folder / "README.md").write_text(card, encoding="utf-8")
    return exported


def _run_row(run: NamedRun, exported: int) -> TableRow:
    manifest = run.record.manifest
    config, versions = manifest.config, manifest.versions
    parts = {name: model_and_player(manifest, name) for name in config.contestants}
    return {
        "run": run.name,
        "game": config.game,
        "game_options": dump_options(config.options),
        "contestants": list(config.contestants),
        "models": json.dumps({name: part[0] for name, part in parts.items()}),
        "players": json.dumps({name: part[1] for name, part in parts.items()}),
        "pairs": len(config.pairs),
        "scripts": [script.id for script in config.scripts],
        "seed": config.seed,
        "rotations": config.rotations,
        "quiz": config.quiz,
        "silent_ballots": config.ballots,
        "matches_planned": len(match_specs(config)),
        "matches_exported": exported,
        "started": versions.started,
        "arena_version": versions.packages.get("murder-arena"),
        "git_commit": versions.git_commit,
        "packages": json.dumps(versions.packages),
        "wordings": json.dumps(versions.wordings),
    }


def _card(facts: CardFacts, exported: ExportResult, *, with_texts: bool) -> str:
    lines = [
        "---",
        "pretty_name: Murder-mystery matches",
        "license: other",
        "license_name: see-the-card",
        "language:",
        *(f"- {language}" for language in sorted(facts.languages)),
        "tags:",
        "- murder-arena",
        *(["- untrained-stand-in"] if facts.n_untrained else []),
        *(["- mini-model"] if facts.n_bundled else []),
        "configs:",
        *(line for table in TABLES for line in _config(table)),
        "---",
        "",
        "# Murder-mystery matches",
        "",
        'One Parquet file per table; `datasets.load_dataset(FOLDER, "turns")` loads one, and '
        f"without a name `{TABLES[0].name}`. Every row identifies its match by `run` and "
        "`match`.",
        "",
        *([] if with_texts else ["Texts of scripts, speeches and answers are left out.", ""]),
        *card_lines(facts, exported.left_out),
        "",
        *(line for table in TABLES for line in _description(table, exported.rows[table.name])),
    ]
    return "\n".join(lines)


def _config(table: ParquetTable) -> list[str]:
    lines = [f"- config_name: {table.name}", f"  data_files: {table_file_name(table)}"]
    return [*lines, "  default: true"] if table is TABLES[0] else lines


def _description(table: ParquetTable, rows: int) -> list[str]:
    return [
        f"## {table.name}",
        "",
        f"{table.meaning} {rows} rows.",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
        *(f"| `{one.name}` | {one.kind} | {one.meaning} |" for one in table.columns),
        "",
    ]
