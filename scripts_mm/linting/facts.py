"""The fact table beside a script, if there is one."""

from scripts_mm.facts.check import check_agreement, check_fit, check_proof, check_secrecy
from scripts_mm.facts.files import FACTS, load_facts
from scripts_mm.files import LoadedScript
from scripts_mm.findings import Notebook
from scripts_mm.passages import public
from scripts_mm.script import ScriptError


def check_facts(loaded: LoadedScript, notes: Notebook) -> None:
    """Note a fact table that cannot be read, does not fit the script or proves nothing."""
    try:
        table = load_facts(loaded.folder)
    except ScriptError as error:
        notes.error("facts-unreadable", FACTS, str(error))
        return
    if table is None:
        return
    check_fit(loaded.script, table, notes)
    check_agreement(table, notes)
    check_proof(table, notes)
    check_secrecy(loaded.script, table, public(loaded.script), notes)
