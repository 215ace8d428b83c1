"""Seats of persons: which seats they take, who plays the others, and spoiler checks."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from arena.core.chance import generator
from arena.core.game import Game
from arena.core.seats import Faction, SeatId, SeatPart
from arena.errors import ArenaError, ConfigError
from arena.players.contestants import read_contestant
from arena.players.human import HUMAN_PLAYER, Desks
from arena.players.roster import check_player
from arena.records.run_config import HumanSeat, RunConfig, make_pairs
from arena.records.run_folder import MANIFEST_FILE
from arena.records.run_record import RunRecord
from scripts_mm.script import Script


def find_seat(script: Script, wanted: str) -> SeatId:
    """Return the seat of a role; raise `ConfigError` with the list of roles if it is unknown.

    Case and surrounding spaces are ignored.
    """
    names = [role.name for role in script.roles]
    same = [name for name in names if name.casefold() == wanted.strip().casefold()]
    if len(same) == 1:
        return SeatId(same[0])
    near = get_close_matches(wanted, names, n=1, cutoff=0.4)
    near = near or [name for name in names if wanted.strip().casefold() in name.casefold()][:1]
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise ConfigError(
        f"script {script.id!r} has no role {wanted!r}{hint}; there are: {', '.join(names)}"
    )


def choose_contestants(
    parts: Sequence[SeatPart], seats: Sequence[SeatId], *, allies: str | None, against: str | None
) -> tuple[str, str]:
    """Return the contestants of the civilians and of the murderer, where persons take `seats`.

    `allies` play the other seats of the persons' sides (None: same as `against`), `against` a side
    without persons. If persons take all seats of a side, that side needs no other contestant.
    """
    taken = {_part(parts, seat).faction for seat in seats}
    left = {part.faction for part in parts if part.seat not in seats}
    if allies is not None and not taken & left:
        raise ConfigError(
            f"persons already take every seat on the side of {_names(seats)}; leave out "
            f"--allies {allies!r}"
        )

    def choose(side: Faction) -> str:
        if side not in left:
            return HUMAN_PLAYER
        found = (allies if side in taken else None) or against
        if found is None:
            raise ConfigError(
                "persons take only some seats of this match; name with --allies the "
                "contestant for the others"
            )
        return found

    return choose("civilians"), choose("murderer")


def seat_humans(
    config: RunConfig,
    game: Game,
    scripts: Sequence[Script],
    *,
    wanted: Sequence[str] = (),
    allies: str | None = None,
) -> RunConfig:
    """Return a run in which persons take seats of its contestants `human`: the roles `wanted`.

    If no wanted role is on a person's side, the seed draws a seat of that side: listing its seats
    would reveal the murderer. `allies` play its other seats (None: same as the side without
    persons). Raises `ConfigError`, also if seats or allies are given but no side is `human`.
    """
    if not any(map(is_human, config.contestants)):
        if wanted or allies is not None:
            raise ConfigError(
                "--human-seat and --allies need a side that a person plays: --civ human or "
                "--murderer human"
            )
        return config
    config.check_for_humans()
    for who in map(read_contestant, config.contestants):
        check_player(who)
    [pair], [script] = config.pairs, scripts
    sides: dict[Faction, str] = {"civilians": pair.civilians, "murderer": pair.murderer}
    own = [side for side, name in sides.items() if is_human(name)]
    parts = game.start(script, config.options, config.seed)
    seats = [find_seat(script, name) for name in wanted]
    sides_of = [_part(parts, seat).faction for seat in seats]
    for seat, side in zip(seats, sides_of, strict=True):
        if side not in own:
            raise ConfigError(
                f"{seat!r} is not on the side of {HUMAN_PLAYER!r} in this match; leave out "
                "--human-seat to have a seat drawn, or take this one with `arena play`"
            )
    for side in own:
        if side not in sides_of:
            there = [part.seat for part in parts if part.faction == side]
            seats.append(generator(config.seed, "human", side).choice(there))
    against = next((name for side, name in sides.items() if side not in own), None)
    pairs = make_pairs(*choose_contestants(parts, seats, allies=allies, against=against))
    # In script order: any other order could reveal the sides.
    seats.sort(key=script.names.index)
    return replace(config, pairs=pairs, humans=tuple(HumanSeat(seat=seat) for seat in seats))


def check_humans(config: RunConfig, game: Game, scripts: Sequence[Script]) -> None:
    """Raise `ConfigError` unless the sides of `human` are those that persons play."""
    if not config.humans:
        if any(map(is_human, config.contestants)):
            raise ConfigError(
                f"contestant {HUMAN_PLAYER!r} is a person, who takes a seat of one match: "
                "`arena play SCRIPT --as ROLE`, or `arena match --civ human`"
            )
        return
    seats = [human.seat for human in config.humans]
    [pair] = config.pairs
    for script in scripts:
        parts = game.start(script, config.options, config.seed)
        for seat in seats:
            _part(parts, seat)
        left = {part.faction for part in parts if part.seat not in seats}
        for side, name in (("civilians", pair.civilians), ("murderer", pair.murderer)):
            if is_human(name) == (side in left):
                raise ConfigError(
                    f"persons play only {_names(seats)}; other seats need another contestant "
                    f"than {HUMAN_PLAYER!r}"
                )


def require_desks(config: RunConfig, desks: Desks) -> None:
    """Raise `ConfigError` if a person plays in the run but has no desk."""
    if lacking := [human.seat for human in config.humans if human.seat not in desks]:
        raise ConfigError(
            f"persons play {_names(lacking)} in this run; continue it at a terminal or, several "
            "persons, with --web"
        )


def is_human(contestant: str) -> bool:
    """Tell whether a contestant name denotes a person."""
    return read_contestant(contestant).player == HUMAN_PLAYER


def check_unspoiled(config: RunConfig, path: Path) -> None:
    """Raise `ConfigError` if a run next to `path` shows that a person knows the script.

    A person knows a case in any language in which they played it. A case that the game generates
    has nothing to spoil.
    """
    persons = {one.human_id for one in config.humans if one.human_id and not one.spoiled}
    if not persons:
        return
    cases = {ref.id for ref in config.scripts if ref.path}
    for run in _sibling_runs(path):
        if (past := _config_of(run)) is None:
            continue
        known = cases & {ref.id for ref in past.scripts}
        if known and (again := persons & {one.human_id for one in past.humans}):
            raise ConfigError(
                f"{min(again)!r} has already played script {min(known)!r}, in {str(run)!r}; "
                "choose another script, or add --spoiled to play it anyway"
            )


def _sibling_runs(path: Path) -> list[Path]:
    here = path.absolute()
    try:
        found = sorted(one.parent for one in here.parent.glob(f"*/{MANIFEST_FILE}"))
    except OSError:
        return []
    return [one for one in found if one.name != here.name]


def _config_of(run: Path) -> RunConfig | None:
    """Return the configuration of a run in which a person played; None: unreadable or no person."""
    try:
        if '"human_id"' not in (run / MANIFEST_FILE).read_text(encoding="utf-8"):
            return None
        return RunRecord(path=run).config
    except (OSError, ValueError, ArenaError):
        return None


def _names(seats: Sequence[SeatId]) -> str:
    return ", ".join(map(repr, seats))


def _part(parts: Sequence[SeatPart], seat: SeatId) -> SeatPart:
    found = next((part for part in parts if part.seat == seat), None)
    if found is None:
        names = ", ".join(part.seat for part in parts)
        raise ConfigError(f"no player is called {seat!r} in this match; there are: {names}")
    return found
