"""Checks across several imported scripts: shared pictures, the truth of another case."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scripts_mm.findings import FindingLog
from scripts_mm.names import normal_form
from scripts_mm.script import Script

_SISTERS = 2
"""Minimum number of shared role names of two cases of one work."""
_LONG = 40
"""Minimum number of distinct character pairs in a paragraph to compare."""
_FITS = 0.25
"""Minimum share of a paragraph's character pairs that are also in the text it retells."""
_BETTER = 1.4


@dataclass(frozen=True, slots=True, kw_only=True)
class _CulpritPairs:
    """The character pairs of the private scripts of a script's culprits."""

    script: Script
    pairs: frozenset[str]


def cross_check(scripts: Sequence[Script]) -> tuple[tuple[Script, FindingLog], ...]:
    """Return each script with the findings from comparing it with the others."""
    books = tuple((script, FindingLog()) for script in scripts)
    _note_shared_pictures(books)
    told = [_CulpritPairs(script=script, pairs=_culprit_pairs(script)) for script in scripts]
    for (script, notes), own in zip(books, told, strict=True):
        _note_foreign_truth(own, [one for one in told if one.script is not script], notes)
    return books


def _note_shared_pictures(books: Sequence[tuple[Script, FindingLog]]) -> None:
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for script, _ in books:
        for name in {picture.sha256 for picture in script.pictures}:
            owners[name].append(script.id)
    for script, notes in books:
        shared: defaultdict[str, int] = defaultdict(int)
        for name in {picture.sha256 for picture in script.pictures}:
            for other in owners[name]:
                shared[other] += other != script.id
        for other, count in sorted(shared.items()):
            if count:
                detail = f"{count} of {len(script.pictures)} pictures are also in {other!r}"
                notes.warn("pictures-of-another-script", "pictures", detail)


def _note_foreign_truth(
    own: _CulpritPairs, others: Sequence[_CulpritPairs], notes: FindingLog
) -> None:
    """Note paragraphs of the truth that retell the crime of another case of the same work."""
    sisters = [
        other for other in others if _count_shared_roles(own.script, other.script) >= _SISTERS
    ]
    if not own.pairs:
        return
    for paragraph in own.script.truth.text.splitlines():
        pairs = _character_pairs(paragraph)
        if len(pairs) < _LONG:
            continue
        here = len(pairs & own.pairs) / len(pairs)
        fits = [(len(pairs & other.pairs) / len(pairs), other.script.id) for other in sisters]
        there, name = max(fits, default=(0.0, ""))
        if there >= _FITS and there > here * _BETTER:
            detail = (
                f"fits the culprit's script of {name!r} ({there:.0%}) better than that of this "
                f"case ({here:.0%}): {paragraph[:30]}..."
            )
            notes.warn("truth-of-another-script", "truth", detail)


def _count_shared_roles(one: Script, other: Script) -> int:
    """Count the role names that two scripts of one format share."""
    if one.source != other.source:
        return 0
    return len({*map(normal_form, one.names)} & {*map(normal_form, other.names)})


def _culprit_pairs(script: Script) -> frozenset[str]:
    return _character_pairs("\n".join(script.role(name).script for name in script.murderers))


def _character_pairs(text: str) -> frozenset[str]:
    letters = re.sub(r"[\W_]", "", text)
    return frozenset(letters[at : at + 2] for at in range(len(letters) - 1))
