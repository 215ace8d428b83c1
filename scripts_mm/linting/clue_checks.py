"""Checks of clues: reachable, used, and not duplicated."""

from collections.abc import Iterable

from scripts_mm.findings import FindingLog
from scripts_mm.name_similarity import confusable_pairs
from scripts_mm.names import text_form
from scripts_mm.script import Clue, Script
from scripts_mm.script_folder import PICTURES_FOLDER, LoadedScript
from scripts_mm.script_texts import clue_text, join_some


def check_clues(script: Script, notes: FindingLog) -> None:
    """Note clues that are empty, duplicated or unused."""
    used = _relevant_clues(script)
    for clue in script.clues:
        if not clue.text and not clue.pictures:
            notes.error("empty-clue", clue.id, "neither text nor pictures")
        if used and clue.id not in used:
            notes.info("unused-clue", clue.id, "no question, key clue or false trail uses it")
    seen: dict[str, str] = {}
    for clue in script.clues:
        form = text_form(clue.text)
        if form and not clue.pictures and seen.setdefault(form, clue.id) != clue.id:
            notes.warn("clue-twice", clue.id, f"the same text as clue {seen[form]!r}")


def check_reachability(script: Script, notes: FindingLog) -> None:
    """Note clues that no match reaches: skipped stages, unmentioned triggers and places."""
    _note_stages(script, notes)
    reached = _reachable_clues(script)
    for clue in script.clues:
        if clue.trigger is not None and clue.id not in reached:
            detail = f"its trigger {clue.trigger!r} is in no text that a player reads before"
            notes.warn("unreachable-clue", clue.id, detail)
        if clue.owner is not None and clue.place:
            detail = f"it belongs to {clue.owner!r}, so no search of its place finds it"
            notes.info("owned-and-searched", clue.id, detail)
    _note_places(script, notes)


def check_unused_files(loaded: LoadedScript, notes: FindingLog) -> None:
    """Note picture files that no clue shows."""
    known = {picture.file for picture in loaded.script.pictures}
    folder = loaded.folder / PICTURES_FOLDER
    there = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    for name in there:
        if name not in known:
            notes.info("unused-file", f"{PICTURES_FOLDER}/{name}", "no clue shows it")


def _note_stages(script: Script, notes: FindingLog) -> None:
    """Note a skipped stage, and clues in stages after the last part of a script."""
    of_clues = {clue.stage for clue in script.clues}
    of_parts = {part.stage for role in script.roles for part in role.parts}
    stages = sorted(of_clues | of_parts)
    if stages and stages != [*range(1, stages[-1] + 1)]:
        detail = f"clues and scripts have stages {stages}; one is skipped"
        notes.warn("stage-gap", "clues", detail)
    if of_parts and of_clues and max(of_clues) > max(of_parts) > 1:
        detail = f"clues end with stage {max(of_clues)}, scripts with stage {max(of_parts)}"
        notes.info("stages-differ", "clues", detail)


def _note_places(script: Script, notes: FindingLog) -> None:
    places = sorted({clue.place for clue in script.clues if clue.place is not None})
    for one, other in confusable_pairs(places):
        notes.warn("places-alike", one, f"one character or less from the place {other!r}")
    running = [text_form(text) for text in _initial_texts(script)]
    running += [text_form(clue_text(clue)) for clue in script.clues]
    unnamed = [one for one in places if not any(text_form(one) in text for text in running)]
    if unnamed:
        notes.info(
            "place-unnamed", "clues", f"no text names the place of a clue: {join_some(unnamed)}"
        )


def _reachable_clues(script: Script) -> set[str]:
    """Return the reachable clues: those without a condition, and those that they lead to."""
    texts = [text_form(text) for text in _initial_texts(script)]
    reached: set[str] = set()
    coming = [clue for clue in script.clues if clue.trigger is None]
    while coming:
        reached.update(clue.id for clue in coming)
        texts += [text_form(clue_text(clue)) for clue in coming]
        waiting = (clue for clue in script.clues if clue.id not in reached)
        coming = [clue for clue in waiting if _is_triggered(clue, texts)]
    return reached


def _is_triggered(clue: Clue, texts: Iterable[str]) -> bool:
    trigger = text_form(clue.trigger or "")
    return any(trigger in text for text in texts)


def _initial_texts(script: Script) -> list[str]:
    return [script.opening, script.civilian_mission, *(role.script for role in script.roles)]


def _relevant_clues(script: Script) -> set[str]:
    """Return the clues that are referred to; empty if the script has no such references."""
    by_questions = {clue for question in script.questions for clue in question.clues}
    by_keys = {clue for key in script.truth.key_clues for clue in key.clues}
    return by_questions | by_keys | {*script.truth.misleading}
