"""Checks of key clues: their holders, and the reasoning chains between them."""

from collections.abc import Mapping

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import KeyClue, Script
from scripts_mm.script_texts import join_some


def check_key_clues(script: Script, notes: FindingLog) -> None:
    """Note key clues without a holder, and those that only a culprit holds."""
    owners = {clue.id: clue.owner for clue in script.clues}
    unheld: list[str] = []
    for key in script.truth.key_clues:
        strangers = [name for name in key.holders if name not in script.names]
        if strangers:
            detail = f"held by {', '.join(strangers)}, who are not roles"
            notes.warn("key-clue-holder", key.id, detail)
        if not key.holders and not key.clues and not key.premises:
            unheld.append(key.id)
        elif _is_hidden(key, owners, script):
            detail = "only a culprit can reveal it: the civilians depend on the murderer"
            notes.warn("key-clue-of-culprit", key.id, detail)
    if unheld:
        detail = f"depend on no role, clue or other key clue: {join_some(unheld)}"
        notes.warn("key-clue-unheld", "truth.key_clues", detail)
    for name in script.truth.key_roles:
        if name not in script.names:
            notes.warn("key-role-no-role", name, "a key role that is not a role")


def check_chains(script: Script, notes: FindingLog) -> None:
    """Note cycles of reasoning, inconsistent hops and duplicate key clues."""
    keys = {key.id: key for key in script.truth.key_clues}
    in_circles = _keys_in_circles(keys)
    for name in in_circles:
        notes.warn("chain-circle", name, "follows from itself through its premises")
    for key in (one for one in keys.values() if one.premises and one.id not in in_circles):
        _note_hops(key, keys, notes)
    seen: dict[str, str] = {}
    for key in keys.values():
        form = text_form(key.text)
        if not form:
            notes.warn("key-clue-empty", key.id, "says nothing")
        elif seen.setdefault(form, key.id) != key.id:
            notes.warn("key-clue-twice", key.id, f"the same text as {seen[form]!r}")
    if any(key.premises for key in keys.values()):
        loose = [key.id for key in keys.values() if (key.hops or 0) > 1 and not key.premises]
        if loose:
            detail = f"deeper than one hop, but without premises: {join_some(loose)}"
            notes.info("chain-loose", "truth.key_clues", detail)


def _note_hops(key: KeyClue, keys: Mapping[str, KeyClue], notes: FindingLog) -> None:
    depths = [(depth, name) for name in key.premises if (depth := keys[name].hops) is not None]
    if key.hops is None or not depths:
        return
    deepest, name = max(depths)
    if key.hops <= deepest:
        detail = f"{key.hops} hops deep, but follows from {name!r}, which is {deepest} deep"
        notes.warn("chain-hops", key.id, detail)


def _keys_in_circles(keys: Mapping[str, KeyClue]) -> list[str]:
    """Return the key clues in a cycle of premises."""
    return [name for name in keys if name in _ancestors(name, keys)]


def _ancestors(name: str, keys: Mapping[str, KeyClue]) -> set[str]:
    """Return every key clue from which `name` follows, directly or indirectly."""
    found: set[str] = set()
    coming = [*keys[name].premises]
    while coming:
        one = coming.pop()
        if one not in found:
            found.add(one)
            coming += keys[one].premises
    return found


def _is_hidden(key: KeyClue, owners: dict[str, str | None], script: Script) -> bool:
    """Return whether only culprits hold the sources of a key clue."""
    holders = {*key.holders, *(owners[clue] for clue in key.clues)}
    return bool(holders) and not key.premises and holders <= {*script.truth.culprits}
