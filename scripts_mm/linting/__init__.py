"""Is a script playable, fair and solvable; what leaks, what is unused, what misleads a measure."""

from collections.abc import Callable

from scripts_mm.files import LoadedScript
from scripts_mm.findings import Finding, Notebook, ranked
from scripts_mm.linting.biases import check_lengths, check_positions
from scripts_mm.linting.chains import check_chains, check_key_clues
from scripts_mm.linting.clues import check_clues, check_files, check_reach
from scripts_mm.linting.facts import check_facts
from scripts_mm.linting.factual import check_factual
from scripts_mm.linting.giveaways import check_stems, check_strays
from scripts_mm.linting.leaks import check_confessions, check_private, check_truth
from scripts_mm.linting.naming import check_aliases, check_names
from scripts_mm.linting.pictures import check_pictures, check_same, check_taken_up
from scripts_mm.linting.questions import (
    check_answers,
    check_kinds,
    check_measures,
    check_owned,
)
from scripts_mm.linting.siblings import check_languages
from scripts_mm.linting.structure import (
    check_instigators,
    check_killings,
    check_roles,
    check_structure,
)
from scripts_mm.linting.texts import (
    check_language,
    check_parts,
    check_repeated,
    check_sizes,
)
from scripts_mm.question_checks import check_questions
from scripts_mm.script import Script

Check = Callable[[Script, Notebook], None]


def lint(loaded: LoadedScript) -> tuple[Finding, ...]:
    """Return what is doubtful about a script, the gravest first.

    An `error` keeps a match from being played or decided, or a fact table from proving its case; a
    `warning` makes a match unfair or a score wrong; an `info` is worth knowing.
    """
    notes = Notebook()
    for check in CHECKS:
        check(loaded.script, notes)
    for look in FOLDER_CHECKS:
        look(loaded, notes)
    return ranked(notes.found)


CHECKS: tuple[Check, ...] = (
    check_structure,
    check_killings,
    check_instigators,
    check_roles,
    check_clues,
    check_reach,
    check_key_clues,
    check_chains,
    check_names,
    check_aliases,
    check_truth,
    check_private,
    check_confessions,
    check_sizes,
    check_parts,
    check_repeated,
    check_language,
    check_questions,
    check_kinds,
    check_measures,
    check_answers,
    check_owned,
    check_stems,
    check_strays,
    check_factual,
    check_positions,
    check_lengths,
    check_pictures,
    check_same,
    check_taken_up,
)
"""Every check that needs the script alone. To add one, write it and name it here."""
FOLDER_CHECKS: tuple[Callable[[LoadedScript, Notebook], None], ...] = (
    check_files,
    check_facts,
    check_languages,
)
"""Every check that needs what lies beside the script."""
