"""How many tokens a seat's prompt takes: its beginning counted, its growth projected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.core.actions import SeatId
from arena.core.options import Options
from arena.core.rules import Setup, open_match
from arena.core.state import MatchState, fold
from arena.core.views import shown, view
from arena.models.chat import Message
from arena.players import prompts
from arena.players.contestants import Contestant
from arena.players.fitting.pictures import NOTE_TOKENS
from arena.players.means import Means
from arena.players.roster import check_player
from arena.players.style import THOUGHT_TOKENS, Style
from arena.players.wording import wording
from arena.schedule.projection import Speeches, clue_tokens, peak, speeches, usual_sizes
from scripts_mm.script import Clue, Script

_SPEECH_TOKENS = 220
"""What a seat says at a time, before anything is known of the model."""
_REWRITES = ("retrieve", "summarise")
"""Policies that leave no beginning as it was, once prompt and context do not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What one seat's prompts take, in tokens."""

    head: int
    """Rules and private script, which all its prompts begin with; 0: not all do."""
    own: int
    """The rest at its greatest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What is known of a script's matches before they are played, by seat."""

    script: Script
    options: Options
    heads: Mapping[SeatId, tuple[Message, ...]]
    """Rules and private script: how every prompt of the seat begins."""
    talk: Mapping[SeatId, Speeches]

    def seats(self, *, murderer: bool) -> tuple[SeatId, ...]:
        """Return the seats of one side."""
        return tuple(s for s in self.heads if (s in self.script.murderers) == murderer)

    def need(self, seat: SeatId, who: Contestant, means: Means) -> Need:
        """Return what the seat's prompts take of a model with these means: never more than fits."""
        head, own = told_tokens(means, self.heads[seat]), self._own(seat, who, means)
        most = means.context_budget or means.context_tokens
        if most is None or head + own <= most:
            return Need(head=head, own=own)
        if means.overflow in _REWRITES or head + means.reply_tokens > most:
            return Need(head=0, own=most)
        return Need(head=head, own=most - head)

    def _own(self, seat: SeatId, who: Contestant, means: Means) -> int:
        """Return the tokens that the seat's log is expected to grow by; or a picture's reading."""
        counter = _clue_counter(self, lambda messages: told_tokens(means, messages))
        clues = clue_tokens(self.script, self.options, seat, counter)
        speech = min(_SPEECH_TOKENS, means.reply_tokens)
        sizes = usual_sizes(
            speech=speech, thought=_thought(who, means), reason=self.options.vote_with_reason
        )
        log = peak(self.talk[seat], sizes, clues=clues)
        return max(log, self._reading(means))

    def _reading(self, means: Means) -> int:
        """Return the tokens of the largest picture that is looked at outside of the prompt."""
        if means.picture_mode == "inline" or self.options.pictures != "image":
            return 0
        seen = (Message(role="user", text="", picture=one) for one in self.script.pictures)
        return max((means.count((one,)) for one in seen), default=0) + means.reply_tokens


def outline(script: Script, options: Options) -> Outline:
    """Return the outline of a script's matches under `options`."""
    opened = opening(script, options)
    seats = opened.opening.seats
    return Outline(
        script=script,
        options=options,
        heads={seat: prompts.header(view(opened, seat)) for seat in seats},
        talk=speeches(options, seats, tuple(opened.opening.murderers)),
    )


def opening(script: Script, options: Options) -> MatchState:
    """Return a match of a script as it stands before anything is said."""
    state = MatchState(script=script)
    setup = Setup(
        script=script,
        script_sha256="",
        options=options,
        seed=0,
        civilian_player="",
        murderer_player="",
    )
    for event in open_match(setup):
        state = fold(state, event)
    return state


def _clue_counter(
    known: Outline, count: Callable[[Sequence[Message]], int]
) -> Callable[[Clue], int]:
    say = wording(known.script.language)
    return lambda clue: count(prompts.clue_messages(say, shown(clue, known.options)))


def told_tokens(means: Means, messages: Sequence[Message]) -> int:
    """Return the tokens of messages as a prompt holds them, where pictures may be told in words."""
    if means.picture_mode == "inline":
        return means.count(messages)
    pictures = sum(message.picture is not None for message in messages)
    plain = [replace(message, picture=None) for message in messages]
    notes = pictures * min(NOTE_TOKENS, means.reply_tokens) if means.picture_mode == "notes" else 0
    return means.count(plain) + notes


def _thought(who: Contestant, means: Means) -> int:
    style = check_player(who)
    thinks = isinstance(style, Style) and style.cot and style.keep_thought
    return min(THOUGHT_TOKENS, means.reply_tokens) // 2 if thinks else 0
