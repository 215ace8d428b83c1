"""Is a script playable, fair and solvable; what leaks, what is unused, what misleads a measure."""

from collections.abc import Callable, Sequence

from scripts_mm.files import PICTURES, LoadedScript
from scripts_mm.findings import Finding, Notebook, ranked
from scripts_mm.lint_pictures import check_pictures
from scripts_mm.lint_questions import check_kinds, check_lengths, check_positions
from scripts_mm.lint_texts import check_leaks, check_names, check_sizes
from scripts_mm.names import text_form
from scripts_mm.question_checks import check_questions
from scripts_mm.script import Clue, KeyClue, Script

Check = Callable[[Script, Notebook], None]


def lint(loaded: LoadedScript) -> tuple[Finding, ...]:
    """Return what is doubtful about a script, the gravest first.

    An `error` keeps a match from being played or decided, a `warning` makes it unfair or a score
    wrong, an `info` is worth knowing.
    """
    notes = Notebook()
    for check in CHECKS:
        check(loaded.script, notes)
    _check_files(loaded, notes)
    return ranked(notes.found)


def check_structure(script: Script, notes: Notebook) -> None:
    """Note what a match needs and the script does not have."""
    if not script.truth.culprits:
        notes.error("no-culprit", "truth.culprits", "nobody did it, so no vote can be right")
    elif not script.murderers:
        named = ", ".join(script.truth.culprits)
        detail = f"{named}: no culprit is a role, so no seat plays the murderer"
        notes.error("culprit-not-playable", "truth.culprits", detail)
    if len(script.murderers) == len(script.roles):
        notes.error("no-civilians", "truth.culprits", "every role is a culprit")
    for name in sorted({*script.victims} & {*script.names}):
        notes.warn("victim-is-role", name, "a victim is a role that is played")
    for name in sorted({*script.truth.not_playable} & {*script.names}):
        notes.warn("playable-after-all", name, "marked as not playable, but a role")
    empty = {
        "opening": script.opening,
        "victims": script.victims,
        "clues": script.clues,
        "questions": script.questions,
        "truth.text": script.truth.text,
        "truth.key_clues": script.truth.key_clues,
        "truth.key_roles": script.truth.key_roles,
    }
    for field in (name for name, value in empty.items() if not value):
        notes.info("empty-field", field, "nothing stands here")


def check_clues(script: Script, notes: Notebook) -> None:
    """Note clues that are empty, cannot be reached, or that nothing rests on."""
    used = _used(script)
    stages = sorted({clue.stage for clue in script.clues})
    if stages and stages != [*range(1, stages[-1] + 1)]:
        notes.warn("stage-gap", "clues", f"clues stand in stages {stages}; one is skipped")
    for clue in script.clues:
        if not clue.text and not clue.pictures:
            notes.error("empty-clue", clue.id, "neither text nor pictures")
        if used and clue.id not in used:
            notes.info("unused-clue", clue.id, "no question, key clue or false trail rests on it")
        if clue.trigger is not None and not _is_spoken(clue, script):
            detail = f"its trigger {clue.trigger!r} stands in no text that a player sees"
            notes.warn("unreachable-clue", clue.id, detail)


def check_key_clues(script: Script, notes: Notebook) -> None:
    """Note key clues that nobody can hold, and those that only a culprit holds."""
    owners = {clue.id: clue.owner for clue in script.clues}
    unheld: list[str] = []
    for key in script.truth.key_clues:
        strangers = [name for name in key.holders if name not in script.names]
        if strangers:
            detail = f"held by {', '.join(strangers)}, who are no roles"
            notes.warn("key-clue-holder", key.id, detail)
        if not key.holders and not key.clues:
            unheld.append(key.id)
        elif _is_hidden(key, owners, script):
            detail = "only a culprit can bring it up: the civilians depend on the murderer"
            notes.warn("key-clue-of-culprit", key.id, detail)
    if unheld:
        detail = f"rest on no role and no clue: {_some(unheld)}"
        notes.warn("key-clue-unheld", "truth.key_clues", detail)
    for name in script.truth.key_roles:
        if name not in script.names:
            notes.warn("key-role-no-role", name, "a key role that is no role")


def _check_files(loaded: LoadedScript, notes: Notebook) -> None:
    known = {picture.file for picture in loaded.script.pictures}
    folder = loaded.folder / PICTURES
    there = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    for name in there:
        if name not in known:
            notes.info("unused-file", f"{PICTURES}/{name}", "no clue shows it")


def _used(script: Script) -> set[str]:
    """Return the clues that something rests on; empty where the script says nothing of that."""
    by_questions = {clue for question in script.questions for clue in question.clues}
    by_keys = {clue for key in script.truth.key_clues for clue in key.clues}
    return by_questions | by_keys | {*script.truth.misleading}


def _is_spoken(clue: Clue, script: Script) -> bool:
    trigger = text_form(clue.trigger or "")
    seen = [script.opening, *(role.script for role in script.roles)]
    seen += [other.text for other in script.clues if other is not clue]
    return any(trigger in text_form(text) for text in seen)


def _is_hidden(key: KeyClue, owners: dict[str, str | None], script: Script) -> bool:
    """Tell whether everything that a key clue rests on is with culprits."""
    holders = {*key.holders, *(owners[clue] for clue in key.clues)}
    return bool(holders) and holders <= {*script.truth.culprits}


def _some(names: Sequence[str], limit: int = 8) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


CHECKS: tuple[Check, ...] = (
    check_structure,
    check_clues,
    check_key_clues,
    check_names,
    check_leaks,
    check_sizes,
    check_questions,
    check_kinds,
    check_positions,
    check_lengths,
    check_pictures,
)
"""Every check that needs the script alone. To add one, write it and name it here."""
