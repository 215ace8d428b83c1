"""Questions to the civilians of the bundled scripts, for the evaluation of a model.

Each civilian gets the standing questions of extractive players, and what naive players ask, at the
moment of a short match when the seats have introduced themselves and seen the clues.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from arena.core.actions import Action
from arena.core.events import QuestionAsked
from arena.core.observation import Observation, observe, observe_request
from arena.core.playouts.playout import reduce_all
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import FreeText
from arena.core.state import MatchState, pending
from arena.core.transitions import apply
from arena.games.game_registry import find_game
from arena.models.chat import Request
from arena.models.function_model import FunctionModel
from arena.models.legal_replies import legal_reply
from arena.players.contestants import read_contestant
from arena.players.replies.extraction import QUESTIONS
from arena.players.roster import make_player
from arena.players.wording import find_wording
from arena.training.addressing import Asked, AskedCase, judge_addressing
from arena.training.episodes import Episode, MatchSettings, PromptLimits, model_limits, start
from arena.training.judging import Judge
from scripts_mm.catalog import LIBRARY, find_script, list_bundled
from scripts_mm.script import Language, Script

_RULES: Final = MatchSettings(preset="short", seed=1)
_CASE: Final = {"en": "What do you know about the case?", "zh": "关于这起案件，你知道些什么？"}
_EPITHETS: Final = {
    "glass-loft": ("uncle",),
    "two-tides": ("uncle",),
    "mill-meadow": ("馆长",),
    "drowned-bell": ("brother-in-law", "姐夫"),
    "osmanthus-feast": ("uncle", "father", "Master Cheng", "伯父", "父亲", "老爷", "东家"),
    "six-bowls": ("Master Gong", "Nipper", "龚师傅", "细娃"),
}
"""How roles of a script call its victim, apart from the name."""
_DIED: Final = {
    "drowned-bell": 36 * 60 + 10,
    "osmanthus-feast": 20 * 60 + 50,
    "six-bowls": 24 * 60,
}
"""Moment of the death where the facts are about the act that led to it, in minutes since the first
day's midnight."""
_OTHERS: Final = 2
"""Questions about another seat to each civilian."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PosedQuestion:
    """A question to a seat of a bundled script, and the judge of its answers."""

    asked: Asked
    episode: Episode
    judge: Judge


def pose_questions(
    language: Language, files: dict[str, bytes], room: PromptLimits
) -> Iterator[PosedQuestion]:
    """Yield the questions of all bundled scripts; the pictures are added to `files` by hash."""
    for entry in list_bundled():
        loaded = find_script(entry.id, language)
        for clue in loaded.script.clues:
            files |= {one.sha256: loaded.read_picture(one) for one in clue.pictures}
        state = _play_introductions(loaded.script, room)
        civilians = [one for one in state.started.seats if one not in state.started.murderers]
        for number, seat in enumerate(civilians):
            for case in _list_cases(loaded.script, seat, number):
                yield _pose(state, case, room)


def _list_cases(script: Script, seat: str, number: int) -> Iterator[AskedCase]:
    epithets = _EPITHETS.get(script.id, ())
    deaths = read_deaths(script)
    for asked in (*QUESTIONS, "case"):
        is_wide = asked in ("known", "hidden", "case")
        for victim in script.victims[:1] if is_wide else script.victims:
            yield AskedCase(
                script=script, seat=seat, asked=asked, about=victim, death=deaths[victim],
                epithets=epithets,
            )  # fmt: skip
    others = [one.name for one in script.roles if one.name != seat]
    for step in range(_OTHERS):
        other = others[(number + 2 * step) % len(others)]
        yield AskedCase(script=script, seat=seat, asked="of_other", about=other)


def read_deaths(script: Script) -> dict[str, tuple[int, int]]:
    """Return the first and last possible minute of each victim's death, by the case's facts."""
    facts = json.loads((LIBRARY / script.id / "facts.json").read_text(encoding="utf-8"))
    names = {one["id"]: one["names"][script.language] for one in facts["people"]}
    found: dict[str, tuple[int, int]] = {}
    for crime in facts["crimes"]:
        bounds = {
            kind: [
                _minutes(one["time"])
                for one in facts["facts"]
                if one["kind"] == kind and one["crime"] == crime["id"]
            ]
            for kind in ("after", "before")
        }
        last = _DIED.get(script.id, min(bounds["before"]))
        found.setdefault(names[crime["victim"]], (max(bounds["after"]), last))
    return found


def _minutes(time: str) -> int:
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


@dataclass(slots=True)
class _Listener:
    """A model that keeps its requests and replies at random."""

    heard: list[Request] = field(default_factory=list[Request])

    def reply(self, request: Request) -> str:
        self.heard.append(request)
        return legal_reply(request)


def _play_introductions(script: Script, room: PromptLimits) -> MatchState:
    """Return a match of random replies when the first question is due."""
    state, rules = start(script, _RULES), find_game(_RULES.game)
    while (request := pending(state)[0]).purpose is not Purpose.ASK:
        observation = observe_request(state, request)
        action, _ = _ask_player(observation, request, room)
        state = reduce_all(state, apply(rules, state, request, action))
    return state


def _ask_player(
    observation: Observation, request: DecisionRequest, room: PromptLimits
) -> tuple[Action, Request]:
    """Return a random action, and the request to the model."""
    model = _Listener()
    player = make_player(read_contestant("mini"), FunctionModel(model.reply), model_limits(room))
    answer = asyncio.run(player.act(observation, request, Random(0)))
    return answer.action, model.heard[-1]


def _pose(state: MatchState, case: AskedCase, room: PromptLimits) -> PosedQuestion:
    seat = SeatId(case.seat)
    seen, say = observe(state, seat), find_wording(case.script.language)
    asker = next(one for one in state.started.seats if one not in (seat, case.about))
    match case.asked:
        case "case":
            text = _CASE[case.script.language]
        case "of_other":
            text = say("extract.of_other", other=case.about)
        case key:
            text = say(f"extract.{key}", victim=case.about)
    asked = QuestionAsked(seat=asker, request=f"{seat}/{text}", to=seat, text=text)
    heard = replace(seen, events=(*seen.events, asked))
    request = DecisionRequest(
        id=asked.request,
        seat=seat,
        kind=Purpose.ANSWER.value,
        purpose=Purpose.ANSWER,
        phase="interview",
        spec=FreeText(),
        context=((ASKER, asker), (QUESTION, text)),
    )
    _, sent = _ask_player(heard, request, room)
    episode = Episode(request=sent, reply="", observation=heard, asked=request)
    return PosedQuestion(asked=case.asked, episode=episode, judge=judge_addressing(case))
