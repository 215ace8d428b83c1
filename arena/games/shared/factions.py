"""Factions of a script: its culprits, and all other roles."""

from arena.core.seats import SeatId, SeatPart
from scripts_mm.script import Script, ScriptError


def find_murderers(script: Script, *, strict: bool = False) -> tuple[SeatId, ...]:
    """Return the seats of the culprits; raise `ScriptError` if a faction would be empty.

    With `strict`, also raise it for several culprits.
    """
    murderers = tuple(SeatId(name) for name in script.murderers)
    if not murderers or len(murderers) == len(script.roles):
        raise ScriptError(
            f"script {script.id!r} has {len(murderers)} murderers among {len(script.roles)} roles; "
            "a match of two factions needs a role on each side"
        )
    if strict and len(murderers) > 1:
        raise ScriptError(
            f"script {script.id!r} has {len(murderers)} murderers, and this game accepts one"
        )
    return murderers


def make_parts(
    script: Script, murderers: tuple[SeatId, ...], *, know_each_other: bool = False
) -> tuple[SeatPart, ...]:
    """Return the part of every seat, in the order of the script.

    Murderers in league know one another whatever `know_each_other` says: their scripts tell them.
    """
    known = know_each_other or script.truth.in_league
    return tuple(
        _part(script, SeatId(name), murderers, know_each_other=known) for name in script.names
    )


def require_seats(script: Script, game: str, least: int, most: int) -> None:
    """Raise `ScriptError` unless the script has `least` to `most` roles."""
    if not least <= len(script.roles) <= most:
        raise ScriptError(
            f"script {script.id!r} has {len(script.roles)} roles; {game} is played with "
            f"{least} to {most}"
        )


def _part(
    script: Script, seat: SeatId, murderers: tuple[SeatId, ...], *, know_each_other: bool
) -> SeatPart:
    if seat not in murderers:
        return SeatPart(seat=seat, faction="civilians")
    knowing = tuple(one for one in murderers if one in script.knowing_murderers)
    others = tuple(one for one in knowing if one != seat)
    return SeatPart(
        seat=seat,
        faction="murderer",
        guilty_of=_list_killed(script, seat),
        knows=others if know_each_other and seat in knowing else (),
    )


def _list_killed(script: Script, seat: SeatId) -> tuple[str, ...]:
    """Return the victims of a culprit; without a stated killing, those without a stated killer.

    A sole victim counts for every culprit. If other culprits killed all of several victims, a
    culprit without a stated killing gets none: the script does not say whom it killed.
    """
    killings = script.truth.killings
    killed = tuple(one.victim for one in killings if seat in one.culprits)
    explained = {one.victim for one in killings if one.culprits}
    left_over = tuple(one for one in script.victims if one not in explained)
    sole = script.victims if len({*script.victims}) == 1 else ()
    return killed or left_over or sole
