"""How telling a false claim is: the order in which reports show them."""

from typing import Final

from eval.claims.audited_claim import AuditedClaim, ClaimKind

_OF_CRIME: Final[frozenset[ClaimKind]] = frozenset({"guilt", "denial", "deed"})


def weigh_claim(claim: AuditedClaim, person: str, *, is_murderer: bool) -> int:
    """Return the weight of a false claim of the speaker that plays `person`.

    Each mark outweighs all after it: a lie, about the culprit, the crime or the speaker's own
    alibi, caught, of the murderer, no guess.
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
