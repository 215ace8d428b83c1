"""Players by name: the words that `--civ` and `--murderer` take, and the options of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from types import MappingProxyType, NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from arena.errors import ConfigError
from arena.models.chat import ChatModel
from arena.players.contestants import Contestant
from arena.players.means import Means, reply_within
from arena.players.model_player import ModelPlayer
from arena.players.naive import NaiveDataPlayer, NaivePlayer
from arena.players.player import Player
from arena.players.simple import FirstPlayer, RandomPlayer
from arena.players.style import Asking, Style

_COT = Style(cot=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerKind:
    """A strategy: what it is, its options with their defaults, and how a seat's player is made."""

    about: str
    options: Any
    """A frozen dataclass; the value holds the defaults, its fields are the options."""
    hidden: tuple[str, ...] = ()
    """Fields that are not the user's to set."""
    needs_model: bool = False
    never_votes: Callable[[Any], bool] = lambda _: False
    """Whether a murderer's seat of this player is left out of the electorate."""


PLAYERS: Mapping[str, PlayerKind] = MappingProxyType(
    {
        "direct": PlayerKind(
            about="a model as it is: one call an ask",
            options=Style(),
            hidden=("cot", "cot_calls", "keep_thought"),
            needs_model=True,
        ),
        "cot": PlayerKind(
            about="a model that thinks first; only its response is heard",
            options=_COT,
            hidden=("cot",),
            needs_model=True,
        ),
        "naive": PlayerKind(
            about="looks up its own script and says what it finds; a murderer confesses",
            options=NaivePlayer(),
            never_votes=lambda options: options.votes == "never",
        ),
        "naive-data": PlayerKind(
            about="the fixed introduction and denial that the script gives",
            options=NaiveDataPlayer(),
            never_votes=lambda _: True,
        ),
        "random": PlayerKind(about="any legal option, a neutral sentence", options=RandomPlayer()),
        "first": PlayerKind(about="always the first option", options=FirstPlayer()),
    }
)
"""To add a player, write it beside the others and name it here."""


def check_player(contestant: Contestant) -> Any:
    """Return the options of `contestant`'s player, or raise `ConfigError` for what is not there."""
    kind = PLAYERS.get(contestant.player)
    if kind is None:
        near = get_close_matches(contestant.player, PLAYERS, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ConfigError(
            f"no player {contestant.player!r} in contestant {contestant.name!r}{hint}; "
            f"there are: {', '.join(sorted(PLAYERS))}"
        )
    if contestant.model is not None and not kind.needs_model:
        raise ConfigError(
            f"player {contestant.player!r} needs no model and stands alone; "
            f"got {contestant.name!r}, write {contestant.player!r}"
        )
    if contestant.model is None and kind.needs_model:
        raise ConfigError(
            f"player {contestant.player!r} needs a model; write 'MODEL+{contestant.player}'"
        )
    return _with_options(contestant, kind)


def make_player(contestant: Contestant, model: ChatModel | None, means: Means | None) -> Player:
    """Return a new player for one seat; `means` are those of its model, if it needs one.

    Raises `ConfigError` as `means_of`.
    """
    options = check_player(contestant)
    if not isinstance(options, Style):
        return options
    assert model is not None, f"{contestant.name} needs a model"
    assert means is not None, f"{contestant.name} needs what its model can take"
    asking = asking_of(options, means_of(contestant, means))
    return ModelPlayer(model, asking.style, asking.means)


def asking_of(style: Style, means: Means) -> Asking:
    """Return how a model with `means` is asked in `style`: no reply is longer than it may be."""
    tokens = min(style.reply_tokens, means.reply_tokens)
    return Asking(style=replace(style, reply_tokens=tokens), means=means)


def means_of(contestant: Contestant, means: Means) -> Means:
    """Return what `contestant` makes of what its model can take.

    Raises `ConfigError` for more context than there is, and for boards that nobody can make.
    """
    style = check_player(contestant)
    if not isinstance(style, Style):
        return means
    context, budget = means.context_tokens, style.context_budget
    if context is not None and budget > context:
        raise ConfigError(
            f"contestant {contestant.name!r} wants a context_budget of {budget} tokens, but its "
            f"model's server has a context of {context}; choose {context} or less"
        )
    mode = style.picture_mode or means.picture_mode
    if mode == "board" and means.compose is None:
        raise ConfigError(
            f"contestant {contestant.name!r} wants picture_mode=board, but nothing here can "
            "compose pictures; choose picture_mode=notes"
        )
    budget = budget or means.context_budget
    return replace(
        means,
        reply_tokens=reply_within(means.reply_tokens, budget, context),
        picture_mode=mode,
        overflow=style.overflow or means.overflow or "drop_oldest",
        context_budget=budget,
    )


def never_votes(contestant: Contestant) -> bool:
    """Tell whether a murderer's seat played by `contestant` is left out of the electorate."""
    return PLAYERS[contestant.player].never_votes(check_player(contestant))


def option_names(kind: PlayerKind) -> tuple[str, ...]:
    """Return the options of a player that a user may set."""
    return tuple(f.name for f in fields(kind.options) if f.name not in kind.hidden)


def _with_options(contestant: Contestant, kind: PlayerKind) -> Any:
    legal = option_names(kind)
    values: dict[str, object] = {}
    defaults: object = kind.options
    hints = get_type_hints(type(defaults))
    for name, written in contestant.options.items():
        if name not in legal:
            raise ConfigError(
                f"player {contestant.player!r} has no option {name!r} (in {contestant.name!r}); "
                f"there are: {', '.join(legal) or 'none'}"
            )
        values[name] = _value(contestant, name, written, _given(hints[name]))
    try:
        return replace(kind.options, **values)
    except ValueError as error:
        raise ConfigError(f"contestant {contestant.name!r}: {error}") from error


def _given(hint: Any) -> Any:
    """Return what an option that may be left open is where it is given."""
    found = [one for one in get_args(hint) if one is not NoneType]
    return found[0] if NoneType in get_args(hint) else hint


def _value(contestant: Contestant, name: str, written: str, hint: Any) -> object:
    if get_origin(hint) is Literal:
        legal = {str(value): value for value in get_args(hint)}
    elif hint is bool:
        legal = {"yes": True, "no": False}
    else:
        try:
            return hint(written)
        except ValueError as error:
            raise ConfigError(
                f"option {name!r} of {contestant.name!r} wants a number, got {written!r}"
            ) from error
    if written not in legal:
        raise ConfigError(
            f"option {name!r} of {contestant.name!r} is one of {', '.join(legal)}; got {written!r}"
        )
    return legal[written]
