"""Pairs of scripts that are probably one script in two languages, by their counts."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.script import Question, Script

_Signature = tuple[object, ...]


def check_language_pairs(books: Sequence[tuple[Script, FindingLog]]) -> None:
    """Note different truths in two scripts of equal counts, one in each language.

    They are only compared, not joined: a script has a separate id in each language.
    """
    groups: defaultdict[_Signature, list[tuple[Script, FindingLog]]] = defaultdict(list)
    for script, notes in books:
        groups[_signature(script)].append((script, notes))
    for group in groups.values():
        languages = {script.language for script, _ in group}
        if len(group) == len(languages) == 2:  # noqa: PLR2004 - one script, two languages
            (one, first), (other, second) = group
            for told in _differences(one, other):
                first.warn("languages-disagree", told, _detail(other))
                second.warn("languages-disagree", told, _detail(one))


def _signature(script: Script) -> _Signature:
    """Return the counts of a script that do not depend on its language."""
    asked = Counter((question.role, question.kind) for question in script.questions)
    stages = [sorted({part.stage for part in role.parts}) for role in script.roles]
    return (
        script.source,
        len(script.victims),
        tuple(
            tuple(sorted((kind, count) for (role, kind), count in asked.items() if role == name))
            for name in script.names
        ),
        tuple(map(tuple, stages)),
        tuple(Counter(clue.place for clue in script.clues).values()),
    )


def _differences(one: Script, other: Script) -> list[str]:
    """Return the differences: of the culprits, then of each killing and question."""
    found = ["culprits"] if _culprit_indexes(one) != _culprit_indexes(other) else []
    for at, (ours, theirs) in enumerate(zip(one.truth.killings, other.truth.killings, strict=True)):
        if _indexes(one, ours.culprits) != _indexes(other, theirs.culprits):
            found.append(f"killings[{at}]")
    pairs = list(zip(one.questions, other.questions, strict=True))
    found += [mine.id for mine, yours in pairs if _question_shape(mine) != _question_shape(yours)]
    return found


def _detail(other: Script) -> str:
    return f"{other.id!r}, with equal counts in the other language, states it differently"


def _culprit_indexes(script: Script) -> frozenset[int]:
    return _indexes(script, script.truth.culprits)


def _indexes(script: Script, names: Sequence[str]) -> frozenset[int]:
    return frozenset(at for at, name in enumerate(script.names) if name in names)


def _question_shape(question: Question) -> tuple[object, ...]:
    return question.kind, question.answer, len(question.options), question.keys
