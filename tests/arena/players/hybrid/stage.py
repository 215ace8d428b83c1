"""One seat of `hybrid` on a model whose steps are scripted, and the seats around it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from arena.core.actions import Action, Reply, choose, say
from arena.core.events import PhaseStarted
from arena.core.observation import observe_request
from arena.core.playouts.playout import start_state
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, Choice
from arena.core.state import MatchState, pending
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Request
from arena.players.hybrid.hybrid_phrases import HybridPhrases
from arena.players.player import Answer, Player
from arena.run.match.decisions import decision_chance
from scripts_mm.script import Clue, Language, Role, Script, Truth
from tests.arena.games.werewolf5.scenes import seat as seat_of
from tests.arena.games.werewolf5.scenes import start as start_village
from tests.arena.games.werewolf5.scenes import talk
from tests.arena.players.scripted_replies import (
    Model,
    form,
    name_of,
    notes,
    player_of,
)
from tests.table import act, legal, setup

Steps = Mapping[str, str | Callable[[Request], str]]
"""What the model says to each step, by its name; all else is legal."""
NAMES: Mapping[Language, tuple[str, ...]] = {
    "en": ("Ada Quill", "Bram (the Elder)", "Cleo·Marsh", "Dirk 【Vane】"),
    "zh": ("沈·青", "陆 明", "顾（二爷）", "白【薇】"),
}
SPOKEN = "MAIN TEXT"
BACKUP = "BACKUP TEXT"


def voice_of(steps: Steps) -> Callable[[Request], str | None]:
    """Return the voice of a model."""

    def speak(request: Request) -> str | None:
        found = steps.get(name_of(request))
        return found(request) if callable(found) else found

    return speak


@dataclass(slots=True)
class Seat:
    """A seat that `hybrid` plays."""

    name: SeatId
    model: Model
    player: Player
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])

    def answer(self, state: MatchState, request: DecisionRequest) -> Action:
        """Return the answer of the player; the calls of earlier ones are forgotten."""
        self.model.requests.clear()
        self.model.waves.clear()
        seen, chance = observe_request(state, request), decision_chance(state, request)
        self.answers[request.id] = asyncio.run(self.player.act(seen, request, chance))
        return self.answers[request.id].action

    def take(self, state: MatchState) -> tuple[MatchState, "Taken"]:
        """Return the state after the pending request, and how it was answered."""
        request = pending(state)[0]
        assert request.seat == self.name
        action = self.answer(state, request)
        after = act(state, request, action)
        return after, Taken(request, action, self.answers[request.id], list(self.model.requests))


@dataclass(slots=True)
class Taken:
    """A turn that was taken."""

    request: DecisionRequest
    action: Action
    answer: Answer
    calls: list[Request]

    @property
    def rule(self) -> tuple[str, str, str]:
        """The situation, its family, and who wrote the words."""
        [note] = notes(self.answer.reports, "rule")
        return note["situation"], note["family"], note["by"]

    @property
    def table(self) -> dict[str, str]:
        """What was noted of the table."""
        found = notes(self.answer.reports, "table")
        return found[0] if found else {}

    def __getitem__(self, name: str) -> str:
        """Return one value of the answer."""
        values = self.action.partial if not isinstance(self.action, Reply) else self.action.values
        return dict(values).get(name, "")

    @property
    def text(self) -> str:
        """All texts of the answer."""
        values = self.action.partial if not isinstance(self.action, Reply) else self.action.values
        return " / ".join(value for _, value in values if value)


def new_seat(name: str, steps: Steps, options: str = "") -> Seat:
    """Return a seat of `hybrid` with these steps and options."""
    model = Model(voice_of(steps))
    return Seat(SeatId(name), model, player_of(f"hybrid:{options}" if options else "hybrid", model))


class Village:
    """A match of werewolf5 around one seat with a power; the first of its order."""

    def __init__(
        self, power: str, language: Language = "en", seed: int = 0, **options: Any
    ) -> None:
        """Find a match, from a seed on, in which the first seat of the script has `power`."""
        values: dict[str, Any] = {"order": "script", **options}
        found = (start_village(number, language, **values) for number in range(seed, seed + 100))
        state = next(one for one in found if one.started.parts[0].power == power)
        self.state, self.me = state, state.started.seats[0]
        self.others = state.started.seats[1:]
        self.first_out = next(
            seat for seat in self.others if state.started.part(seat).power == "villager"
        )

    def seat(self, power: str) -> str:
        """Return the seat with a power."""
        return seat_of(self.state, power)

    def go(self, seat: Seat, *, day: int = 1, turn: int = 1, says: str | Action = "Hm.") -> None:
        """Play on until the seat's turn of the talk of a day; it takes its earlier turns itself."""
        while True:
            request = pending(self.state)[0]
            mine = request.seat == self.me
            if mine and request.purpose == Purpose.SPEAK:
                if (day_of(self.state), request.round) == (day, turn):
                    return
                self.state = act(self.state, request, seat.answer(self.state, request))
            else:
                self.state = act(self.state, request, self._quiet(request, says))

    def until(self, seat: Seat, purpose: Purpose, says: str = "Hm.") -> None:
        """Play on until the seat is asked for something of a purpose."""
        while True:
            request = pending(self.state)[0]
            if request.seat == self.me and request.purpose == purpose:
                return
            mine = request.seat == self.me
            action = seat.answer(self.state, request) if mine else self._quiet(request, says)
            self.state = act(self.state, request, action)

    def _quiet(self, request: DecisionRequest, says: str | Action) -> Action:
        """Return what the others do: talk, and send the same seats away whatever happens."""
        if isinstance(request.spec, Choice):
            kept = {self.first_out, self.seat("werewolf"), self.seat("possessed"), self.me}
            is_night = request.purpose == Purpose.POWER
            wanted = [one for one in self.others if is_night != (one == self.first_out)]
            wanted = [one for one in wanted if not is_night or one not in kept] + [*self.others]
            return choose(next(one for one in wanted if one in request.spec.options))
        if request.purpose == Purpose.INTRODUCE:
            return say("Hello.")
        return talk(says) if isinstance(says, str) else says


def day_of(state: MatchState) -> int:
    """Return the number of the talk."""
    return sum(isinstance(one, PhaseStarted) and one.phase == "day" for one in state.history)


def spoken(text: str = SPOKEN, to: str = "") -> str:
    """Return what a model writes to say `text` in a talk."""
    values = {"action": "talk", "text": text}
    return form(**values, **({"target": to} if to else {}))


def village_steps(**more: str) -> dict[str, str]:
    """Return steps of a talk in which nothing is found, with `more` of them."""
    none = {"votes": "None", "claims": "None", "main": spoken(), "backup": spoken(BACKUP)}
    return {**none, **more}


_PRIVATE: Mapping[Language, tuple[str, ...]] = {
    "en": (
        "You are {0}, the clerk. At 20:00 you had supper with {1}. At 21:00 you were in the study "
        "and saw {2} leave with the ledger. At 22:00 you found Otto Lamm dead.",
        "You are {1}, the cook. At 20:00 you had supper with {0}. At 21:00 you were at home.",
        "You are {2}, the nephew. At 21:00 you strangled Otto Lamm in the cellar. At 22:00 you "
        "played cards with {3}.",
        "You are {3}, the doctor. At 21:00 you were in the garden. At 22:00 you played cards with "
        "{2}.",
    ),
    "zh": (
        "你是{0}，管账先生。20:00你和{1}一起吃晚饭。21:00你在书房，看见{2}拿着账本离开。22:00你发现奥托死了。",
        "你是{1}，厨师。20:00你和{0}一起吃晚饭。21:00你在厨房。",
        "你是{2}，侄子。21:00你在地窖勒死了奥托。22:00你和{3}打牌。",
        "你是{3}，大夫。21:00你在花园。22:00你和{2}打牌。",
    ),
}
_VICTIM: Mapping[Language, str] = {"en": "Otto Lamm", "zh": "奥托"}
_CLUES: Mapping[Language, tuple[str, str, str, str]] = {
    "en": ("Ledger", "A page is torn out. {3} has signed below.", "Letter", "{2} owed him money."),
    "zh": ("账本", "撕掉了一页。{3}在下面签了名。", "信", "{2}欠他的钱。"),
}


def small_case(language: Language = "en") -> Script:
    """Return a case of four seats, the third of which did it; the first holds a private clue."""
    names = NAMES[language]
    public, text, private, secret = (one.format(*names) for one in _CLUES[language])
    return Script(
        id="lamm",
        title="Lamm",
        language=language,
        opening=_VICTIM[language],
        victims=(_VICTIM[language],),
        roles=tuple(
            Role(name=name, script=told.format(*names))
            for name, told in zip(names, _PRIVATE[language], strict=True)
        ),
        truth=Truth(culprits=(names[2],)),
        clues=(
            Clue(id="c1", title=public, text=text),
            Clue(id="c2", title=private, text=secret, owner=names[0]),
        ),
    )


class Case:
    """A match of `whodunit` around one seat; all others say little."""

    def __init__(
        self,
        number: int,
        language: Language = "en",
        script: Script | None = None,
        **options: Any,
    ) -> None:
        """Start a match around the seat with this number in the script."""
        values: dict[str, Any] = {"rounds": 3, **options}
        match = setup(WhodunitOptions(**values), script=script or small_case(language))
        self.state = start_state(WHODUNIT, match)
        self.names, self.language = NAMES[language], language
        self.me = self.names[number]
        self._chance = Random(1)

    def go(self, seat: Seat, purpose: Purpose = Purpose.ASK, round: int = 1) -> None:  # noqa: A002
        """Play on until the seat's turn of a purpose, in this round or later."""
        while True:
            request = pending(self.state)[0]
            mine = request.seat == self.me
            if mine and request.purpose == purpose and request.round >= round:
                return
            action = seat.answer(self.state, request) if mine else self._quiet(request)
            self.state = act(self.state, request, action)

    def _quiet(self, request: DecisionRequest) -> Action:
        if isinstance(request.spec, Choice):
            return choose(ABSTAIN)
        found = legal(request, self._chance)
        values = dict(found.values)
        if "target" in values:
            values["target"] = next(one for one in self.names if one not in {request.seat, self.me})
        return replace(found, values=tuple(values.items()))


def asking(target: str, share: str = SPOKEN, question: str = "Why?") -> str:
    """Return what a model writes to say something and ask a seat."""
    return form(share=share, target=target, question=question)


def case_steps(analysis: str = "None", target: str = "", **more: str) -> dict[str, str]:
    """Return steps in which the analysis says this, with `more` of them."""
    steps = {"analysis": analysis, "main": asking(target), "backup": asking(target, BACKUP)}
    return {**steps, **more}


def phrases(state: MatchState, seat: str, persona: Any = "none") -> HybridPhrases:
    """Return the templates of a seat."""
    request = replace(pending(state)[0], seat=SeatId(seat))
    return HybridPhrases(observe_request(state, request), persona)


TAGS: Mapping[Language, tuple[str, ...]] = {
    "en": ("suspect", "statement", "open", "clash", "known", "key", "last", "yes"),
    "zh": ("怀疑", "陈述", "未答", "矛盾", "已知", "关键", "最后", "是"),
}


class Lines:
    """Lines of an analysis in one language."""

    def __init__(self, language: Language) -> None:
        """Write with the tags of `language`."""
        self.tags = dict(zip(TAGS["en"], TAGS[language], strict=True))

    def suspect(self, seat: str, whom: str, reason: str = "saw a shadow", sure: int = 1) -> str:
        """Return the line of a suspicion."""
        return f"{self.tags['suspect']}: {seat} -> {whom}, {sure}, {reason}"

    def statement(self, seat: str, time: str, place: str) -> str:
        """Return the line of what a seat said of itself."""
        return f"{self.tags['statement']}: {seat} | {time} | {place} | read | -"

    def __call__(self, tag: str, rest: str) -> str:
        """Return the line with a tag."""
        return f"{self.tags[tag]}: {rest}"


def joined(*lines: str) -> str:
    """Return lines as one text."""
    return "\n".join(lines)
