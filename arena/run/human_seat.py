"""The seat of a person: which it is, who plays the others, and whether the script is new to it."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from arena.core.game import Game
from arena.core.seats import Faction, Part, SeatId
from arena.errors import ArenaError, ConfigError
from arena.players.contestants import read_contestant
from arena.players.human import HUMAN_PLAYER, Desk
from arena.records.config import RunConfig
from arena.records.run_folder import MANIFEST_FILE
from arena.records.run_record import RunRecord
from scripts_mm.script import Script


def find_seat(script: Script, wanted: str) -> SeatId:
    """Return the seat of a role, or raise `ConfigError` with the roles that there are.

    Capital letters and spaces around the name do not matter.
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


def contestants_beside(
    parts: Sequence[Part], seat: SeatId, *, allies: str | None, against: str
) -> tuple[str, str]:
    """Return the contestants of the civilians and of the murderer, where a person takes `seat`.

    `allies` play the other seats of its side (None: the same as `against`); where there are none,
    the side is the person's alone.
    """
    side = _part(parts, seat).faction
    is_alone = sum(part.faction == side for part in parts) == 1
    if is_alone and allies is not None:
        raise ConfigError(f"nobody else is on the side of {seat!r}; leave out --allies {allies!r}")
    own = HUMAN_PLAYER if is_alone else allies or against
    return (own, against) if side == "civilians" else (against, own)


def check_human(config: RunConfig, game: Game, scripts: Sequence[Script]) -> None:
    """Raise `ConfigError` for a contestant `human` without a seat, or with more than that seat."""
    human = config.human
    if human is None:
        if any(map(is_human, config.contestants)):
            raise ConfigError(
                f"contestant {HUMAN_PLAYER!r} is a person, who takes one seat: "
                "`arena play SCRIPT --as ROLE`"
            )
        return
    [pair] = config.pairs
    sides: dict[Faction, str] = {"civilians": pair.civilians, "murderer": pair.murderer}
    claimed = [side for side, name in sides.items() if is_human(name)]
    for script in scripts:
        parts = game.start(script, config.options, config.seed)
        side = _part(parts, human.seat).faction
        is_alone = sum(part.faction == side for part in parts) == 1
        if claimed != ([side] if is_alone else []):
            raise ConfigError(
                f"a person plays {human.seat!r} alone; other seats need another contestant than "
                f"{HUMAN_PLAYER!r}"
            )


def require_desk(config: RunConfig, desk: Desk | None) -> None:
    """Raise `ConfigError` where a person plays in the run, and there is no desk to ask it at."""
    if config.human is not None and desk is None:
        raise ConfigError(
            f"a person plays {config.human.seat!r} in this run; continue it at a terminal"
        )


def is_human(contestant: str) -> bool:
    """Tell whether a contestant, as written, is a person."""
    return read_contestant(contestant).player == HUMAN_PLAYER


def check_unspoiled(config: RunConfig, path: Path) -> None:
    """Raise `ConfigError` where a run beside `path` shows that the person knows the script.

    A person knows a case in whatever language it was played. A case that the game makes itself
    holds nothing that a first match could spoil.
    """
    human = config.human
    if human is None or human.spoiled or not human.human_id:
        return
    cases = {ref.id for ref in config.scripts if ref.path}
    for run in _runs_beside(path):
        past = _config_of(run)
        if past is None or past.human is None or past.human.human_id != human.human_id:
            continue
        if known := cases & {ref.id for ref in past.scripts}:
            raise ConfigError(
                f"{human.human_id!r} has played script {min(known)!r} before, in {str(run)!r}; "
                "choose another script, or add --spoiled to play it all the same"
            )


def _runs_beside(path: Path) -> list[Path]:
    here = path.absolute()
    try:
        found = sorted(one.parent for one in here.parent.glob(f"*/{MANIFEST_FILE}"))
    except OSError:
        return []
    return [one for one in found if one.name != here.name]


def _config_of(run: Path) -> RunConfig | None:
    """Return the configuration of a run in which a person played; None: it has none to show."""
    try:
        if '"human_id"' not in (run / MANIFEST_FILE).read_text(encoding="utf-8"):
            return None
        return RunRecord(path=run).config
    except (OSError, ValueError, ArenaError):
        return None


def _part(parts: Sequence[Part], seat: SeatId) -> Part:
    found = next((part for part in parts if part.seat == seat), None)
    if found is None:
        names = ", ".join(part.seat for part in parts)
        raise ConfigError(f"nobody is called {seat!r} in this match; there are: {names}")
    return found
