"""Checks of factual questions: whether the role's script answers them."""

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import Script
from scripts_mm.script_texts import join_some


def check_factual_questions(script: Script, notes: FindingLog) -> None:
    """Note factual questions that have no answer or no source sentence, or are duplicates."""
    seen: dict[tuple[str, str], str] = {}
    for one in script.factual:
        if not one.question.strip() or not one.answer.strip():
            notes.warn("factual-empty", one.id, "has no question or no answer")
        source = text_form(one.source)
        if not source or source not in text_form(script.role(one.role).script):
            detail = f"its source is not in the script of {one.role!r}: {one.source[:60]!r}"
            notes.warn("factual-source", one.id, detail)
        asked = (one.role, text_form(one.question))
        if seen.setdefault(asked, one.id) != one.id:
            notes.warn("factual-twice", one.id, f"the same question as {seen[asked]!r}")
    for about in ("story", "timeline"):
        roles = {one.role for one in script.factual if one.about == about}
        lacking = [name for name in script.names if name not in roles]
        if script.factual and lacking:
            detail = f"no factual question on the {about} of {join_some(lacking)}"
            notes.info("factual-role", "factual", detail)
