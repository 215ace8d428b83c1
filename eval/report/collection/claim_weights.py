"""Weights of false claims: their order in reports."""

from typing import Final

from eval.claims.audited_claim import AuditedClaim, ClaimKind

_OF_CRIME: Final[frozenset[ClaimKind]] = frozenset({"guilt", "denial", "deed"})


def weigh_claim(claim: AuditedClaim, person: str, *, is_murderer: bool) -> int:
    """Return the weight of a false claim by the player of `person`.

    The criteria, each outweighing all later ones: it is a lie; it is about the culprit, the crime
    or the speaker's own alibi; it was caught; the speaker is the murderer; it is not hedged.
    """
    is_alibi = claim.kind == "stay" and bool(person) and claim.about == person
    marks = (
        claim.category == "lie",
        claim.kind in _OF_CRIME or is_alibi,
        claim.caught,
        is_murderer,
        not claim.hedged,
    )
    return sum(mark << place for place, mark in enumerate(reversed(marks)))
