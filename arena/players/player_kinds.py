"""Registry of players: the project's own, and those of installed packages."""

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from arena.errors import ConfigError
from arena.models.chat import ChatModel
from arena.players.model_limits import ModelLimits
from arena.players.model_player import ModelPlayer
from arena.players.naive import NaiveDataPlayer, NaivePlayer
from arena.players.player import Player
from arena.players.prompting import PromptingOptions
from arena.players.simple import FirstPlayer, RandomPlayer

GROUP = "murder_arena.players"
"""The entry-point group under which a package registers a kind of player, by its name."""


class PlayerOptions(Protocol):
    """The options of a player: an instance of some frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Options = TypeVar("Options", bound=PlayerOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainKind(Generic[Options]):
    """A strategy without a model: what it is, its options, and how a seat's player is made."""

    about: str
    options: Options
    """A frozen dataclass: the value holds the defaults, its fields are the options."""
    make: Callable[[Options], Player]
    hidden: tuple[str, ...] = ()
    """Fields that a user cannot set."""
    never_votes: Callable[[Options], bool] = lambda _: False
    """Whether a murderer's seat of this player is left out of the electorate."""
    needs_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelKind(Generic[Options]):
    """A strategy that asks a model."""

    about: str
    options: Options
    make: Callable[[Options, ChatModel, ModelLimits], Player]
    """Limits include what `prompting` asks of pictures and context."""
    prompting: Callable[[Options], PromptingOptions]
    """Prompting options of the player, from which prompt lengths and memory are estimated."""
    hidden: tuple[str, ...] = ()
    never_votes: Callable[[Options], bool] = lambda _: False
    needs_model: bool = True


PlayerKind = PlainKind[Any] | ModelKind[Any]
"""Each kind has its own type of options, which its functions take."""


def cap_replies(options: PromptingOptions, limits: ModelLimits) -> PromptingOptions:
    """Return `options` with replies that are no longer than `limits` allow."""
    return replace(options, reply_tokens=min(options.reply_tokens, limits.reply_tokens))


def _make_model_player(
    options: PromptingOptions, model: ChatModel, limits: ModelLimits
) -> ModelPlayer:
    return ModelPlayer(model, cap_replies(options, limits), limits)


def _keep(options: PromptingOptions) -> PromptingOptions:
    return options


def _keep_player(player: Player) -> Player:
    return player


_OWN: Mapping[str, PlayerKind] = MappingProxyType(
    {
        "direct": ModelKind(
            about="a model as it is: one call a request",
            options=PromptingOptions(),
            make=_make_model_player,
            prompting=_keep,
            hidden=("cot", "keep_thought"),
        ),
        "cot": ModelKind(
            about="a model that thinks first, in a call of its own",
            options=PromptingOptions(cot=True),
            make=_make_model_player,
            prompting=_keep,
            hidden=("cot",),
        ),
        "naive": PlainKind(
            about="looks up its own script and says what it finds; a murderer confesses",
            options=NaivePlayer(),
            make=_keep_player,
            never_votes=lambda options: options.votes == "never",
        ),
        "naive-data": PlainKind(
            about="the fixed introduction and denial that the script gives",
            options=NaiveDataPlayer(),
            make=_keep_player,
            never_votes=lambda _: True,
        ),
        "random": PlainKind(
            about="any legal option, a neutral sentence", options=RandomPlayer(), make=_keep_player
        ),
        "first": PlainKind(
            about="always the first option", options=FirstPlayer(), make=_keep_player
        ),
    }
)


@cache
def all_players() -> Mapping[str, PlayerKind]:
    """Return every kind of player by its name, or raise `ConfigError` for a package at fault."""
    kinds = dict(_OWN)
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name in kinds:
            raise ConfigError(
                f"entry point {point.value!r} registers a second player named {point.name!r}; "
                "rename it or uninstall its package"
            )
        kinds[point.name] = _load(point)
    return MappingProxyType(kinds)


def option_names(kind: PlayerKind) -> tuple[str, ...]:
    """Return the options of a player that a user may set."""
    return tuple(field.name for field in fields(kind.options) if field.name not in kind.hidden)


def _load(point: EntryPoint) -> PlayerKind:
    try:
        kind: object = point.load()
    except Exception as error:
        raise ConfigError(
            f"entry point {point.value!r} of group {GROUP!r} cannot be loaded: {error!r}; "
            "fix or uninstall its package"
        ) from error
    if not isinstance(kind, PlainKind | ModelKind):
        raise ConfigError(
            f"entry point {point.value!r} of group {GROUP!r} must be a PlainKind or a ModelKind, "
            f"got {type(kind).__name__}"
        )
    return cast("PlayerKind", kind)
