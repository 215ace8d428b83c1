"""How many tokens a seat's prompt takes: its beginning counted, its growth projected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.core.actions import SeatId
from arena.core.options import Options
from arena.core.rules import Setup, open_match
from arena.core.state import MatchState, fold
from arena.core.views import shown, view
from arena.models.chat import Message
from arena.players import prompts
from arena.players.contestants import Contestant
from arena.players.model_player import THOUGHT_TOKENS, Style
from arena.players.roster import check_player
from arena.players.wording import wording
from arena.run.open_model import OpenModel
from arena.schedule.projection import Speeches, clue_tokens, peak, speeches, usual_sizes
from scripts_mm.script import Clue, Script

_SPEECH_TOKENS = 220
"""What a seat says at a time, before anything is known of the model."""


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

    def peak(self, seat: SeatId, who: Contestant, model: OpenModel) -> int:
        """Return the tokens that the seat's log is expected to grow by."""
        counter = _clue_counter(self, model.count)
        clues = clue_tokens(self.script, self.options, seat, counter)
        speech = min(_SPEECH_TOKENS, model.reply_tokens)
        sizes = usual_sizes(
            speech=speech, thought=_thought(who, model), reason=self.options.vote_with_reason
        )
        return peak(self.talk[seat], sizes, clues=clues)


def outline(script: Script, options: Options) -> Outline:
    """Return the outline of a script's matches under `options`."""
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
    opened = state.opening
    return Outline(
        script=script,
        options=options,
        heads={seat: prompts.header(view(state, seat)) for seat in opened.seats},
        talk=speeches(options, opened.seats, tuple(opened.murderers)),
    )


def _clue_counter(
    known: Outline, count: Callable[[Sequence[Message]], int]
) -> Callable[[Clue], int]:
    say = wording(known.script.language)
    return lambda clue: count(prompts.clue_messages(say, shown(clue, known.options)))


def _thought(who: Contestant, model: OpenModel) -> int:
    style = check_player(who)
    thinks = isinstance(style, Style) and style.cot and style.keep_thought
    return min(THOUGHT_TOKENS, model.reply_tokens) // 2 if thinks else 0
