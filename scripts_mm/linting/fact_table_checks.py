"""Checks of the fact table next to a script."""

from scripts_mm.facts.consistency import (
    check_against_script,
    check_consistency,
    check_proof,
    check_secrecy,
)
from scripts_mm.facts.facts_file import FACTS_FILE, load_facts
from scripts_mm.findings import FindingLog
from scripts_mm.script import ScriptError
from scripts_mm.script_folder import LoadedScript
from scripts_mm.script_texts import public_texts


def check_fact_table(loaded: LoadedScript, notes: FindingLog) -> None:
    """Note a fact table that is unreadable, does not fit the script or proves nothing."""
    try:
        table = load_facts(loaded.folder)
    except ScriptError as error:
        notes.error("facts-unreadable", FACTS_FILE, str(error))
        return
    if table is None:
        return
    check_against_script(loaded.script, table, notes)
    check_consistency(table, notes)
    check_proof(table, notes)
    check_secrecy(loaded.script, table, public_texts(loaded.script), notes)
