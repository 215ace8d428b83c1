"""Registry of players: those of the project and those of installed packages."""

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from arena.errors import ConfigError
from arena.models.chat import ChatModel
from arena.players.baselines import FirstPlayer, RandomPlayer
from arena.players.human import HUMAN_PLAYER, HumanOptions, HumanPlayer, NoDesk
from arena.players.hybrid.options import HybridOptions
from arena.players.hybrid.player import HybridPlayer
from arena.players.hybrid.player import count_cost as count_hybrid
from arena.players.methods.search_options import HIDDEN, SearchOptions, add_shares
from arena.players.methods.turn_cost import ONE, TurnCost
from arena.players.mirage.options import MiragePlayerOptions
from arena.players.mirage.player import MiragePlayer
from arena.players.mirage.player import count_cost as count_mirage
from arena.players.model_limits import ModelLimits
from arena.players.model_player import ModelPlayer
from arena.players.naive import NaiveDataPlayer, NaivePlayer
from arena.players.o_cot.options import OCotOptions
from arena.players.o_cot.player import OCotPlayer
from arena.players.o_cot.player import count_cost as count_o_cot
from arena.players.omniscient import OmniscientOptions, OmniscientPlayer
from arena.players.player import Player
from arena.players.prompting import PromptingOptions
from arena.players.questum.options import QuestumPlayerOptions
from arena.players.questum.player import QuestumPlayer
from arena.players.questum.player import count_cost as count_questum
from arena.players.thinkthrice.cost import count_cost as count_thinkthrice
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from arena.players.thinkthrice.player import ThinkThricePlayer
from arena.players.werewolf_qa.options import WerewolfQaOptions
from arena.players.werewolf_qa.player import WerewolfQaPlayer
from arena.players.werewolf_qa.player import count_cost as count_werewolf_qa

GROUP = "murder_arena.players"
"""The entry-point group in which a package registers a kind of player by name."""


class PlayerOptions(Protocol):
    """The options of a player: an instance of some frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Options = TypeVar("Options", bound=PlayerOptions)
Searching = TypeVar("Searching", bound=SearchOptions)
Prompts = TypeVar("Prompts", bound=PromptingOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainKind(Generic[Options]):
    """A strategy without a model: its description, its options, and the factory of players."""

    about: str
    options: Options
    """An instance of a frozen dataclass: its fields are the options, with their defaults."""
    make: Callable[[Options], Player]
    hidden: tuple[str, ...] = ()
    """Fields that a user cannot set."""
    never_votes: Callable[[Options], bool] = lambda _: False
    """Whether the electorate excludes a murderer's seat of this player."""
    reads_case: bool = False
    """It repeats its private script, so it needs a game with a written case."""
    needs_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelKind(Generic[Options]):
    """A strategy that calls a model."""

    about: str
    options: Options
    make: Callable[[Options, ChatModel, ModelLimits], Player]
    """The limits already reflect the options of `prompting` for pictures and context."""
    prompting: Callable[[Options], PromptingOptions]
    """Prompting options of the player; estimates of prompt lengths and memory use them."""
    cost: Callable[[Options], TurnCost] = lambda _: ONE
    """Cost of a turn without notes and thoughts, which `PromptingOptions` add."""
    hidden: tuple[str, ...] = ()
    never_votes: Callable[[Options], bool] = lambda _: False
    plays_talk: bool = True
    """False: a reference reader, without a method for games with talk."""
    reads_whole: bool = False
    """Its prompts must contain everything that the game shows, or its results mean nothing."""
    needs_model: bool = True


PlayerKind = PlainKind[Any] | ModelKind[Any]
"""Each kind has a different type of options, which its functions take."""


def cap_replies(options: PromptingOptions, limits: ModelLimits) -> PromptingOptions:
    """Return `options` with `reply_tokens` capped at that of `limits`."""
    return replace(options, reply_tokens=min(options.reply_tokens, limits.reply_tokens))


def _with_reply_cap(
    player: Callable[[ChatModel, Prompts, ModelLimits], Player],
) -> Callable[[Prompts, ChatModel, ModelLimits], Player]:
    """Return a factory of players whose replies are capped at the limits of the model."""

    def make(options: Prompts, model: ChatModel, limits: ModelLimits) -> Player:
        tokens = cap_replies(options, limits).reply_tokens
        return player(model, replace(options, reply_tokens=tokens), limits)

    return make


def _with_shares(
    player: Callable[[ChatModel, Searching, ModelLimits], Player],
) -> Callable[[Searching, ChatModel, ModelLimits], Player]:
    """Return a factory of players whose prompts have limited shares of script and talk."""
    make_capped = _with_reply_cap(player)

    def make(options: Searching, model: ChatModel, limits: ModelLimits) -> Player:
        return make_capped(options, model, add_shares(options, limits))

    return make


def _same_options(options: PromptingOptions) -> PromptingOptions:
    return options


def _same_player(player: Player) -> Player:
    return player


_OWN: Mapping[str, PlayerKind] = MappingProxyType(
    {
        "direct": ModelKind(
            about="a model as it is: one call a request",
            options=PromptingOptions(),
            make=_with_reply_cap(ModelPlayer),
            prompting=_same_options,
            hidden=("thought", "keep_thought"),
        ),
        "cot": ModelKind(
            about="a model that thinks first, in a call of its own",
            options=PromptingOptions(thought=True),
            make=_with_reply_cap(ModelPlayer),
            prompting=_same_options,
            cost=lambda _: TurnCost(calls=MappingProxyType({"any": "2"})),
            hidden=("thought",),
        ),
        "thinkthrice": ModelKind(
            about="answers from what it remembers, completes and checks its answers",
            options=ThinkThricePlayerOptions(),
            make=_with_reply_cap(ThinkThricePlayer),
            prompting=_same_options,
            cost=count_thinkthrice,
            hidden=("thought", "keep_thought", "memory", "notes"),
        ),
        "questum": ModelKind(
            about="asks whom it can learn most from, and shortens its list of suspects",
            options=QuestumPlayerOptions(),
            make=_with_shares(QuestumPlayer),
            prompting=_same_options,
            cost=count_questum,
            hidden=HIDDEN,
        ),
        "werewolf-qa": ModelKind(
            about="puts ten predefined questions in its own words, and drafts its answers first",
            options=WerewolfQaOptions(),
            make=_with_shares(WerewolfQaPlayer),
            prompting=_same_options,
            cost=count_werewolf_qa,
            hidden=HIDDEN,
        ),
        "o-cot": ModelKind(
            about="writes a note on each of its objectives before it asks",
            options=OCotOptions(),
            make=_with_shares(OCotPlayer),
            prompting=_same_options,
            cost=count_o_cot,
            hidden=HIDDEN,
        ),
        "mirage": ModelKind(
            about="thinks and replies in one call, with its last turn before its eyes",
            options=MiragePlayerOptions(),
            make=_with_reply_cap(MiragePlayer),
            prompting=_same_options,
            cost=count_mirage,
            hidden=("thought", "keep_thought", "memory", "notes"),
        ),
        "hybrid": ModelKind(
            about="keeps a table of the talk, by which rules take over from the model",
            options=HybridOptions(),
            make=_with_reply_cap(HybridPlayer),
            prompting=_same_options,
            cost=count_hybrid,
            hidden=("thought", "keep_thought", "memory", "notes"),
        ),
        "personal": ModelKind(
            about="reads its own script, looked up; plays no talk (the start of Questum's search)",
            options=SearchOptions(script_tokens=5000, dialogue_tokens=5000),
            make=_with_shares(ModelPlayer),
            prompting=_same_options,
            hidden=HIDDEN,
            plays_talk=False,
        ),
        "omniscient": ModelKind(
            about="reads every role's script, looked up; plays no talk (the end of its search)",
            options=OmniscientOptions(),
            make=_with_reply_cap(OmniscientPlayer),
            prompting=_same_options,
            hidden=HIDDEN,
            plays_talk=False,
        ),
        "full-script": ModelKind(
            about="reads all that the game shows, whole; plays no talk (as ThinkThrice's FSA)",
            options=PromptingOptions(),
            make=_with_reply_cap(ModelPlayer),
            prompting=_same_options,
            hidden=HIDDEN,
            plays_talk=False,
            reads_whole=True,
        ),
        "naive": PlainKind(
            about="looks up its own script and says what it finds; a murderer confesses",
            options=NaivePlayer(),
            make=_same_player,
            never_votes=lambda options: options.votes == "never",
            reads_case=True,
        ),
        "naive-data": PlainKind(
            about="the fixed introduction and denial that the script gives",
            options=NaiveDataPlayer(),
            make=_same_player,
            never_votes=lambda _: True,
            reads_case=True,
        ),
        "random": PlainKind(
            about="any legal option, a neutral sentence", options=RandomPlayer(), make=_same_player
        ),
        "first": PlainKind(
            about="always the first option", options=FirstPlayer(), make=_same_player
        ),
        HUMAN_PLAYER: PlainKind(
            about="a person, who takes a seat with `arena play SCRIPT --as ROLE`",
            options=HumanOptions(),
            make=lambda _: HumanPlayer(NoDesk()),
        ),
    }
)


@cache
def all_players() -> Mapping[str, PlayerKind]:
    """Return every kind of player by name; raise `ConfigError` for a faulty package."""
    kinds = dict(_OWN)
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name in kinds:
            raise ConfigError(
                f"entry point {point.value!r} registers a second player named {point.name!r}; "
                "rename it or uninstall its package"
            )
        kinds[point.name] = _load(point)
    return MappingProxyType(kinds)


def players_without_model() -> tuple[str, ...]:
    """Return the names of the players that need no model, and so stand alone."""
    return tuple(name for name, kind in all_players().items() if not kind.needs_model)


def option_names(kind: PlayerKind) -> tuple[str, ...]:
    """Return the options of a player that a user can set."""
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
