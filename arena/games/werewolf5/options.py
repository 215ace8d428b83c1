"""Options of the game: one field for each point that the paper leaves open."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from arena.core.options import GameOptions, Order, option, require_least
from arena.core.voting import VoteRule


@dataclass(frozen=True, slots=True, kw_only=True)
class WerewolfOptions(GameOptions):
    """The options of `werewolf5`."""

    order: Order = option(
        "shuffled",
        "who speaks first in a turn of the talk: drawn for each turn, script order, or rotated",
    )
    speech_words: int = option(
        60, "words of a speech that seats are asked not to exceed; Chinese characters: 1.6 times"
    )
    days: Literal["first_day", "whole"] = option(
        "first_day",
        "the vote of the first day decides, on which a game is usually decided anyway, or days and "
        "nights follow until a side has won",
    )
    greeting: bool = option(True, "the seats greet each other before the first night")
    talk_turns: int = option(10, "most turns of the talk of a day")
    utterances: Literal["sequential", "together"] = option(
        "sequential", "within a turn of the talk each seat hears those before it, or none another"
    )
    talk_chars: int = option(
        100, "characters that an utterance is asked not to exceed; max_chars=100 cuts it there"
    )
    tie: Literal["revote", "random", "none"] = option(
        "revote",
        "a tied vote is held once again between the tied and then drawn by lot, is drawn at once, "
        "or executes nobody",
    )
    possessed: Literal["murderer", "civ"] = option(
        "murderer",
        "whose contestant plays the possessed, who wins with the werewolf: a match has two sides, "
        "so it cannot be a third one",
    )

    def __post_init__(self) -> None:
        """Raise `ValueError` for unplayable values."""
        super(WerewolfOptions, self).__post_init__()
        require_least(self, "talk_turns", 1, most=100)
        require_least(self, "talk_chars", 1)

    @property
    def most_executions(self) -> int:
        """Maximal number of executions: a second one leaves two seats, which ends the match."""
        return 1 if self.days == "first_day" else 2

    def vote_rule(self, *, is_revote: bool) -> VoteRule:
        """Return the rule of a vote or revote."""
        if self.tie == "revote" and is_revote:
            return VoteRule(tie="random")
        return VoteRule(tie=self.tie)


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "default": {},
        "short": {"talk_turns": 2, "speech_words": 30},
        "paper": {"days": "whole"},
        "released": {"days": "whole"},
    }
)
"""Values that differ from the default, which ends with the vote of the first day: the day that the
paper studies, and on which the game is usually decided. `paper` plays the whole game, and
`released` the same, since the published code is a player without rules. `short` is for hosts
without a GPU."""
