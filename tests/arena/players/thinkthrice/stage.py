"""One seat on a model whose replies are given by the name of each step."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from arena.core.actions import fill, say
from arena.core.events import TurnNoted
from arena.core.observation import observe_request
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState, pending
from arena.memory.embedding import Embedder
from arena.models.chat import Completion, Request
from arena.models.legal_replies import legal_reply
from arena.players.player import Answer
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from arena.players.thinkthrice.player import ThinkThricePlayer
from scripts_mm.script import Language, Script
from tests.arena.games.thinkthrice.scenes import start
from tests.arena.players.context.stage import make_limits
from tests.table import act, case

Replies = Mapping[str, str | Sequence[str]]
"""By step: `reply-1/gate`, or `gate` for that of every attempt; several are given in turn."""

DRAFT = "I am Ada. At 21:00 I saw Otto Lamm."
TIMELINE = "20:00 supper with Bram Stone in the hall\n21:00 saw Otto Lamm at the pier"
REWRITTEN = "I am Ada. At 20:00 I had supper with Bram Stone; at 21:00 I saw Otto Lamm."
FACTS = "Ada Quill had supper at 20:00\nAda Quill saw Otto Lamm at 21:00"
FULL: Replies = {
    "relation": "He is my neighbour.",
    "gate": "yes",
    "pieces": "1. Who are you?\n2. Who was the victim?\n3. Give your timeline of the day.",
    "draft": DRAFT,
    "gate-1": "no",
    "gate-2": "no",
    "gate-3": "yes",
    "timeline": TIMELINE,
    "useful": '{"1": "yes", "2": "yes"}',
    "contained": '{"1": "no", "2": "yes"}',
    "rewrite": REWRITTEN,
    "facts": FACTS,
    "judged": '{"1": "correct", "2": "correct"}',
}
"""A question of three parts, one of which asks for the timeline."""


@dataclass(slots=True)
class StepModel:
    """Gives the replies of `replies`; any legal one to all else."""

    replies: Replies
    requests: list[Request] = field(default_factory=list[Request])
    waves: list[list[str]] = field(default_factory=list[list[str]])
    """The steps that went out together."""
    given: dict[str, int] = field(default_factory=dict[str, int])
    now: int = 0

    async def complete(self, request: Request) -> Completion:
        """Return the reply to the step of `request`."""
        if not self.now:
            self.waves.append([])
        self.waves[-1].append(request.call_id.chunk)
        self.now += 1
        await asyncio.sleep(0)
        self.now -= 1
        self.requests.append(request)
        return Completion(
            text=self._reply(request),
            finish="stop",
            prompt_tokens=1,
            output_tokens=1,
            cached_tokens=0,
            seconds=0,
        )

    def asked(self, step: str) -> list[Request]:
        """Return the calls of a step, in any attempt."""
        return [one for one in self.requests if step in _names(one.call_id.chunk)]

    def prompt(self, step: str) -> str:
        """Return the whole prompt of the first call of a step."""
        return "\n".join(message.text for message in self.asked(step)[0].messages)

    def demand(self, step: str) -> str:
        """Return the end of the prompt of the first call of a step."""
        return self.asked(step)[0].messages[-1].text

    def _reply(self, request: Request) -> str:
        known = [one for one in _names(request.call_id.chunk) if one in self.replies]
        if not known:
            return legal_reply(request)
        found = self.replies[known[0]]
        if isinstance(found, str):
            return found
        number = self.given.get(known[0], 0)
        self.given[known[0]] = number + 1
        return found[min(number, len(found) - 1)]


def _names(chunk: str) -> list[str]:
    last = chunk.rpartition("/")[2]
    return [chunk, last, re.sub(r"-\d+$", "", last)]


@dataclass(slots=True)
class Seat:
    """A player with its model."""

    model: StepModel
    player: ThinkThricePlayer

    def answer(self, state: MatchState, request: DecisionRequest | None = None) -> Answer:
        """Return the answer to `request`, or to the first pending one."""
        one = request or pending(state)[0]
        seen = observe_request(state, one)
        return asyncio.run(self.player.act(seen, one, Random(one.id)))

    def text(self, state: MatchState, request: DecisionRequest | None = None) -> str:
        """Return what the answer says."""
        return dict(self.answer(state, request).action.values)["text"]  # pyright: ignore


def seat(replies: Replies = FULL, *, embedder: Embedder | None = None, **options: Any) -> Seat:
    """Return a player with these options."""
    model = StepModel(replies)
    limits = make_limits(None, **({"embedder": embedder} if embedder else {}))
    return Seat(model, ThinkThricePlayer(model, ThinkThricePlayerOptions(**options), limits))


def host_question(*, script: Script | None = None, **options: Any) -> MatchState:
    """Return a match in which the host asks the first seat for its introduction."""
    return start(script=script, order="script", **options)


def seat_question(text: str = "Where were you at nine?", **options: Any) -> MatchState:
    """Return a match in which the second seat has asked the first one."""
    state = host_question(**options)
    state = act(state, pending(state)[0], say("I am Ada Quill, the clerk."))
    request = pending(state)[0]
    return act(state, request, fill(target=state.started.seats[0], question=text))


def murderer_script() -> Script:
    """Return the small case, its first role the murderer."""
    truth = replace(case().truth, culprits=case().names[:1])
    return replace(case(), truth=truth)


def murderer_question() -> MatchState:
    """Return a match in which the murderer must introduce itself."""
    return host_question(script=murderer_script())


def in_language(language: Language) -> Script:
    """Return the small case in a language."""
    return replace(case(), language=language)


def notes(answer: Answer, topic: str) -> list[dict[str, str]]:
    """Return what the player noted of a topic."""
    found = [one for one in answer.reports if isinstance(one, TurnNoted) and one.topic == topic]
    return [dict(one.values) for one in found]
