"""Leaks: passages of private scripts or the truth in texts that others can read."""

import re
from collections.abc import Collection, Mapping

from scripts_mm.findings import FindingLog
from scripts_mm.script import Script
from scripts_mm.script_texts import (
    LEAK_LENGTH,
    clue_text,
    cut_pieces,
    longest_shared_run,
    public_texts,
)

_DID_IT = (
    r"\s*(?:才|就)?(?:是|is|was)\s*(?:the\s+)?(?:真正的\s*)?(?:凶手|真凶|murderer|killer|culprit)"
)


def check_truth_leaks(script: Script, notes: FindingLog) -> None:
    """Note passages of the truth in public texts or in an innocent role's texts."""
    truth, size = script.truth, LEAK_LENGTH[script.language]
    secrets = cut_pieces((truth.text, truth.method, truth.motive), size)
    for place, text in public_texts(script).items():
        if passage := longest_shared_run(text, secrets, size):
            notes.warn("truth-in-public", place, f"also in the truth: {passage!r}")
        _note_culprit_named(script, place, text, notes)
    for role in script.roles:
        innocent = role.name not in script.truth.culprits
        if innocent and (passage := longest_shared_run(role.script, secrets, size)):
            notes.info("truth-in-script", role.name, f"also in the truth: {passage!r}")


def check_private_leaks(script: Script, notes: FindingLog) -> None:
    """Note passages of one seat's texts that public texts also contain."""
    size = LEAK_LENGTH[script.language]
    private = {role.name: cut_pieces((role.script,), size) for role in script.roles}
    _note_private_in_opening(script.opening, private, size, notes)
    for clue in (one for one in script.clues if one.owner is None):
        for name, pieces in private.items():
            if passage := longest_shared_run(clue.text, pieces, size):
                notes.info("private-in-clue", clue.id, f"also in {name!r}: {passage!r}")
    texts = public_texts(script)
    for clue in (one for one in script.clues if one.owner is not None):
        told = (clue.text, *(picture.transcript for picture in clue.pictures))
        secrets = cut_pieces(told, size)
        for place, text in texts.items():
            if passage := longest_shared_run(text, secrets, size):
                detail = f"gives away clue {clue.id!r} of {clue.owner!r}: {passage!r}"
                notes.warn("owned-clue-in-public", place, detail)


def check_confessions(script: Script, notes: FindingLog) -> None:
    """Note an innocent role whose private script names the culprit."""
    for role in script.roles:
        if role.name not in script.truth.culprits:
            _note_culprit_named(script, role.name, role.script, notes, "culprit-in-script")
    for clue in (one for one in script.clues if one.owner is not None):
        _note_culprit_named(script, clue.id, clue_text(clue), notes, "culprit-in-script")


def _note_culprit_named(
    script: Script, place: str, text: str, notes: FindingLog, code: str = "culprit-in-public"
) -> None:
    for name in script.truth.culprits:
        if re.search(re.escape(name) + _DID_IT, text, re.IGNORECASE):
            notes.warn(code, place, f"states that {name!r} did it")


def _note_private_in_opening(
    opening: str, private: Mapping[str, Collection[str]], size: int, notes: FindingLog
) -> None:
    """Note a passage of the opening that few private scripts share: not common knowledge."""
    found = {
        name: passage
        for name, pieces in private.items()
        if (passage := longest_shared_run(opening, pieces, size))
    }
    if len(found) * 2 > len(private):
        return
    for name, passage in found.items():
        notes.warn("private-in-opening", name, f"the opening gives away: {passage!r}")
