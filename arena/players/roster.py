"""Roster: makes the player of a contestant from its options and the limits of its model."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from types import NoneType
from typing import Literal, get_args, get_origin, get_type_hints

from arena.core.game import Game, ReferenceGame, SelfContained
from arena.errors import ConfigError
from arena.games.game_registry import all_games
from arena.models.chat import ChatModel
from arena.players.contestants import Contestant
from arena.players.methods.turn_cost import NOTES, THOUGHT, TurnCost
from arena.players.model_limits import ModelLimits, cap_reply_tokens
from arena.players.player import Player
from arena.players.player_registry import (
    ModelKind,
    PlainKind,
    PlayerKind,
    PlayerOptions,
    all_players,
    cap_replies,
    option_names,
)
from arena.players.prompting import Prompting, PromptingOptions


def check_player(contestant: Contestant) -> PlayerOptions:
    """Return the options of `contestant`'s player.

    Raises `ConfigError` for an unknown player or option, and for a missing or needless model.
    """
    kind = _find_kind(contestant)
    if contestant.model is not None and not kind.needs_model:
        raise ConfigError(
            f"player {contestant.player!r} needs no model; "
            f"got {contestant.name!r}, write {contestant.player!r}"
        )
    if contestant.model is None and kind.needs_model:
        raise ConfigError(
            f"player {contestant.player!r} needs a model; write 'MODEL+{contestant.player}'"
        )
    return _read_options(contestant, kind)


def check_suits(contestant: Contestant, game: Game) -> None:
    """Raise `ConfigError` if the player needs a written case that `game` lacks, or cannot talk."""
    kind = _find_kind(contestant)
    if isinstance(kind, PlainKind) and kind.reads_case and isinstance(game, SelfContained):
        raise ConfigError(
            f"player {contestant.player!r} only repeats what its script says of a case, and game "
            f"{game.name!r} has no written case; choose another player, such as 'random'"
        )
    is_reader = isinstance(kind, ModelKind) and not kind.plays_talk
    if is_reader and not isinstance(game, ReferenceGame):
        names = [one.name for one in all_games().values() if isinstance(one, ReferenceGame)]
        raise ConfigError(
            f"player {contestant.player!r} reads and votes, and has no method for the talk of game "
            f"{game.name!r}; play it with --game {names[0] if names else 'of reading'}"
        )


def make_player(
    contestant: Contestant, model: ChatModel | None, limits: ModelLimits | None
) -> Player:
    """Return a new player for one seat; `limits` are those of its model, if it needs one.

    Raises `ConfigError` like `limits_of`.
    """
    options, kind = check_player(contestant), _find_kind(contestant)
    if isinstance(kind, PlainKind):
        return kind.make(options)
    assert model is not None, f"{contestant.name} needs a model"
    assert limits is not None, f"{contestant.name} needs the limits of its model"
    return kind.make(options, model, limits_of(contestant, limits))


def prompting_options(contestant: Contestant) -> PromptingOptions | None:
    """Return the prompting options of `contestant`; None: it needs no model."""
    options, kind = check_player(contestant), _find_kind(contestant)
    return None if isinstance(kind, PlainKind) else kind.prompting(options)


def prompting_of(contestant: Contestant, limits: ModelLimits) -> Prompting:
    """Bind the prompting options of `contestant` to the result of `limits_of`."""
    options = prompting_options(contestant)
    assert options is not None, f"{contestant.name} needs no model"
    return Prompting(options=cap_replies(options, limits), limits=limits)


def limits_of(contestant: Contestant, limits: ModelLimits) -> ModelLimits:
    """Return the limits of a model, narrowed by the options of `contestant`.

    Raises `ConfigError` for a larger context than the model's, and for unavailable boards.
    """
    options = prompting_options(contestant)
    if options is None:
        return limits
    context, budget = limits.context_tokens, options.context_budget
    if context is not None and budget > context:
        raise ConfigError(
            f"contestant {contestant.name!r} wants a context_budget of {budget} tokens, but its "
            f"model's server has a context of {context}; choose {context} or less"
        )
    mode = options.picture_mode or limits.picture_mode
    if mode == "board" and limits.compose is None:
        raise ConfigError(
            f"contestant {contestant.name!r} wants picture_mode=board, but nothing here can "
            "compose pictures; choose picture_mode=notes"
        )
    budget = budget or limits.context_budget
    kind = _find_kind(contestant)
    reads_whole = isinstance(kind, ModelKind) and kind.reads_whole
    return replace(
        limits,
        reply_tokens=cap_reply_tokens(limits.reply_tokens, budget, context),
        picture_mode=mode,
        overflow=options.overflow or limits.overflow or "drop_oldest",
        replies=options.replies or limits.replies,
        context_budget=budget,
        keeps_whole=reads_whole and options.overflow != "retrieve",
    )


def turn_cost(contestant: Contestant) -> TurnCost | None:
    """Return the cost of a turn of `contestant`; None: it needs no model."""
    kind, options = _find_kind(contestant), check_player(contestant)
    if isinstance(kind, PlainKind):
        return None
    prompting = kind.prompting(options)
    notes = (NOTES,) if prompting.notes else ()
    thought = (THOUGHT,) if prompting.thought else ()
    cost = kind.cost(options).after(*notes, *thought)
    return cost if prompting.together else cost.one_by_one()


def never_votes(contestant: Contestant) -> bool:
    """Return whether a murderer's seat of `contestant` never votes."""
    return _find_kind(contestant).never_votes(check_player(contestant))


def _find_kind(contestant: Contestant) -> PlayerKind:
    kinds = all_players()
    if (kind := kinds.get(contestant.player)) is not None:
        return kind
    near = get_close_matches(contestant.player, kinds, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise ConfigError(
        f"no player {contestant.player!r} in contestant {contestant.name!r}{hint}; "
        f"there are: {', '.join(sorted(kinds))}"
    )


def _read_options(contestant: Contestant, kind: PlayerKind) -> PlayerOptions:
    if not contestant.options:
        return kind.options
    legal = option_names(kind)
    defaults: PlayerOptions = kind.options
    hints: Mapping[str, object] = get_type_hints(type(defaults))
    values: dict[str, object] = {}
    for name, written in contestant.options.items():
        if name not in legal:
            raise ConfigError(
                f"player {contestant.player!r} has no option {name!r} (in {contestant.name!r}); "
                f"there are: {', '.join(legal) or 'none'}"
            )
        values[name] = _read_value(contestant, name, written, _strip_optional(hints[name]))
    try:
        return replace(defaults, **values)
    except ValueError as error:
        raise ConfigError(f"contestant {contestant.name!r}: {error}") from error


def _strip_optional(hint: object) -> object:
    """Return the type of an optional option without None."""
    given = [one for one in get_args(hint) if one is not NoneType]
    return given[0] if NoneType in get_args(hint) else hint


def _read_value(contestant: Contestant, name: str, written: str, hint: object) -> object:
    legal: dict[str, object] = {}
    if get_origin(hint) is Literal:
        legal = {str(value): value for value in get_args(hint)}
    elif hint is bool:
        legal = {"yes": True, "no": False}
    elif hint is int or hint is float:
        return _read_number(contestant, name, written, hint)
    else:
        return written
    if written not in legal:
        raise ConfigError(
            f"option {name!r} of {contestant.name!r} is one of {', '.join(legal)}; got {written!r}"
        )
    return legal[written]


def _read_number(
    contestant: Contestant, name: str, written: str, kind: type[int] | type[float]
) -> float:
    try:
        return kind(written)
    except ValueError as error:
        raise ConfigError(
            f"option {name!r} of {contestant.name!r} wants a number, got {written!r}"
        ) from error
