"""Players that need no model: the floor of every table, and players for tests (PLAYERS 4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from arena.core.actions import (
    ABSTAIN,
    Action,
    Ask,
    Choose,
    Conclude,
    Question,
    SeatId,
    ShareAndAsk,
    Speak,
)
from arena.core.views import View
from arena.players.player import Answer

_NEUTRAL = {
    "en": ("I have nothing special to say.", "Where were you that evening?"),
    "zh": ("我没有什么特别要说的。", "那天晚上你在哪里？"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomPlayer:
    """Plays a legal option, each as likely as any other; says a fixed neutral sentence.

    Its vote is the chance model of METRICS 8.1: it never abstains while it can vote. `guilty`:
    never for itself.
    """

    guilty: bool = False

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return a legal answer, drawn from `chance`."""
        options = [option for option in ask.options if option != ABSTAIN]
        if self.guilty and ask.verb in {"vote", "ballot"}:
            options = [option for option in options if option != view.seat]
        return Answer(action=neutral(view, ask, chance.choice(options or [ABSTAIN])))


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPlayer:
    """Plays the first option: shows the effects of order and position."""

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return the first legal answer."""
        del chance
        return Answer(action=neutral(view, ask, ask.options[0] if ask.options else ABSTAIN))


class ScriptedPlayer:
    """Plays what it was given for (seat, verb), in turn; for tests. A missing entry raises."""

    def __init__(self, lines: Mapping[tuple[str, str], Iterator[Action | BaseException]]) -> None:
        self._lines = lines

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return the next line of this seat for this verb, or raise it."""
        del chance
        line = next(self._lines[view.seat, ask.verb])
        if isinstance(line, BaseException):
            raise line
        return Answer(action=line)


def neutral(view: View, ask: Ask, option: str) -> Action:
    """Return an answer to `ask` that chooses `option` and says nothing of the case."""
    statement, question = _NEUTRAL[view.language]
    match ask.verb:
        case "introduce" | "speak" | "answer":
            return Speak(text=statement)
        case "share_and_ask":
            return ShareAndAsk(share=statement, target=SeatId(option), question=question)
        case "ask":
            return Question(target=SeatId(option), text=question)
        case "conclude":
            return Conclude(method=statement, motive=statement)
        case "vote" | "ballot" | "quiz":
            return Choose(option=option, reason=statement)
