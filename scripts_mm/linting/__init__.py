"""The linter: whether a script is playable, fair and solvable, and fit for the measures."""

from collections.abc import Callable, Sequence

from scripts_mm.findings import Finding, FindingLog, sort_by_severity
from scripts_mm.linting.answer_bias import check_key_positions
from scripts_mm.linting.clue_checks import check_clues, check_reachability, check_unused_files
from scripts_mm.linting.confusable_names import check_aliases, check_names
from scripts_mm.linting.fact_table_checks import check_fact_table
from scripts_mm.linting.factual_questions import check_factual_questions
from scripts_mm.linting.key_clues import check_chains, check_key_clues
from scripts_mm.linting.leaks import check_confessions, check_private_leaks, check_truth_leaks
from scripts_mm.linting.length_bias import check_library_lengths, check_option_lengths
from scripts_mm.linting.mission_answers import check_missions
from scripts_mm.linting.picture_answers import check_picture_answers
from scripts_mm.linting.picture_checks import (
    check_duplicate_pictures,
    check_pictures,
    check_unreferenced_pictures,
)
from scripts_mm.linting.question_checks import check_questions
from scripts_mm.linting.question_measures import (
    check_answer_modes,
    check_culprit_only,
    check_measure_needs,
    check_question_kinds,
)
from scripts_mm.linting.script_text_checks import (
    check_duplicate_scripts,
    check_language,
    check_parts,
    check_script_lengths,
)
from scripts_mm.linting.self_answering import check_answer_in_stem, check_odd_options
from scripts_mm.linting.structure import (
    check_instigators,
    check_killings,
    check_roles,
    check_structure,
)
from scripts_mm.linting.translations import check_translations
from scripts_mm.linting.travel_times import check_travel_times
from scripts_mm.script import Script
from scripts_mm.script_folder import LoadedScript

ScriptCheck = Callable[[Script, FindingLog], None]


def lint(loaded: LoadedScript) -> tuple[Finding, ...]:
    """Return the problems of a script, most severe first.

    An `error` makes a match unplayable or undecidable, or the proof of a fact table incomplete; a
    `warning` makes a match unfair or a score wrong; an `info` is worth knowing.
    """
    notes = FindingLog()
    for check in CHECKS:
        check(loaded.script, notes)
    for look in FOLDER_CHECKS:
        look(loaded, notes)
    return sort_by_severity(notes.found)


def lint_library(scripts: Sequence[Script]) -> tuple[Finding, ...]:
    """Return the problems that only many scripts together show, most severe first."""
    notes = FindingLog()
    check_library_lengths(scripts, notes)
    return sort_by_severity(notes.found)


CHECKS: tuple[ScriptCheck, ...] = (
    check_structure,
    check_killings,
    check_instigators,
    check_roles,
    check_clues,
    check_reachability,
    check_key_clues,
    check_chains,
    check_names,
    check_aliases,
    check_truth_leaks,
    check_private_leaks,
    check_confessions,
    check_script_lengths,
    check_parts,
    check_duplicate_scripts,
    check_language,
    check_questions,
    check_question_kinds,
    check_measure_needs,
    check_answer_modes,
    check_culprit_only,
    check_answer_in_stem,
    check_odd_options,
    check_factual_questions,
    check_key_positions,
    check_option_lengths,
    check_pictures,
    check_duplicate_pictures,
    check_unreferenced_pictures,
)
"""The checks that need only the script. To add one, write it and list it here."""
FOLDER_CHECKS: tuple[Callable[[LoadedScript, FindingLog], None], ...] = (
    check_unused_files,
    check_fact_table,
    check_translations,
    check_travel_times,
    check_missions,
    check_picture_answers,
)
"""The checks that also need the script's folder."""
