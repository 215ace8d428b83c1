"""The victims and the truth of a WellPlay script, by the role files."""

from collections import Counter
from collections.abc import Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.importers.aliases import split_label
from scripts_mm.importers.lenient_reader import make_unique
from scripts_mm.importers.wellplay.role_file import RawWellPlayRole
from scripts_mm.script import Killing, Language, Truth

_NAMELESS: dict[Language, str] = {"zh": "死者", "en": "Victim"}


def find_victims(
    roles: Sequence[RawWellPlayRole], language: Language, notes: FindingLog
) -> tuple[str, ...]:
    """Return one neutral label per victim; equal indexes in the roles' lists are one victim."""
    lengths = [max(len(role.victims), len(role.kills)) for role in roles]
    if len(set(lengths)) > 1 or any(len(role.victims) != len(role.kills) for role in roles):
        told = ", ".join(f"{role.name} {len(role.victims)}/{len(role.kills)}" for role in roles)
        detail = f"the roles' victims and kill_by_me have different lengths: {told}"
        notes.warn("victims-differ", "victims", detail)
    if not any(lengths):
        notes.warn("victim-not-named", "victims", "no role's file names a victim")
    taken: set[str] = set()
    found: list[str] = []
    for at in range(max(lengths, default=0)):
        labels = [role.victims[at] for role in roles if at < len(role.victims)]
        name = _neutral_label([label for label in labels if label])
        if not name:
            name = f"{_NAMELESS[language]} {at + 1}"
            notes.warn("victim-blank", f"victims[{at}]", f"no role names this victim: {name!r}")
        elif len(set(labels)) > 1:
            called = ", ".join(dict.fromkeys(filter(None, labels)))
            notes.info("victim-labels", name, f"the roles call this victim {called}")
        found.append(make_unique(name, taken))
    return tuple(found)


def build_truth(
    roles: Sequence[RawWellPlayRole], victims: Sequence[str], notes: FindingLog
) -> Truth:
    """Return the culprits by `kill_by_me`, or by `is_murderer` if there are no killings."""
    killings = tuple(
        Killing(
            victim=victim,
            culprits=tuple(role.name for role in roles if at < len(role.kills) and role.kills[at]),
        )
        for at, victim in enumerate(victims)
    )
    killers = {name for killing in killings for name in killing.culprits}
    flagged = {role.name for role in roles if role.flagged}
    _note_disagreement(killers, flagged, notes)
    for killing in killings:
        if not killing.culprits:
            notes.info("victim-without-killer", killing.victim, "no role killed this victim")
        if killing.victim in (role.name for role in roles):
            notes.warn("victim-is-role", killing.victim, "a victim is a role that is played")
    guilty = killers or flagged
    if not guilty:
        detail = "no role is a killer or flagged; the script has no culprit"
        notes.error("no-murderer", "kill_by_me", detail)
    return Truth(
        culprits=tuple(role.name for role in roles if role.name in guilty), killings=killings
    )


def _neutral_label(labels: Sequence[str]) -> str:
    """Return the name in most of the labels, which excludes kinship to one role.

    Of equally common names, prefer a whole label, then one outside the brackets.
    """
    if len(set(labels)) < 2:  # noqa: PLR2004 - one label is neutral
        return next(iter(labels), "")
    held = Counter(part for label in labels for part in set(split_label(label)))
    outside = Counter(split_label(label)[0] for label in labels)
    return max(held, key=lambda part: (held[part], labels.count(part) > 0, outside[part]))


def _note_disagreement(killers: set[str], flagged: set[str], notes: FindingLog) -> None:
    if killers == flagged:
        return
    said, told = (", ".join(sorted(names)) or "nobody" for names in (killers, flagged))
    taken = "kill_by_me" if killers else "is_murderer"
    detail = f"kill_by_me says {said}, is_murderer {told}; used: {taken}"
    notes.error("murderer-disagreement", "is_murderer", detail)
