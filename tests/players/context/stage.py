"""Whole matches of long scripts on a model that is a function, with a context that it keeps to."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from arena.core.actions import Ask, SeatId
from arena.core.events import Event, Noted
from arena.core.options import Options
from arena.core.state import MatchState
from arena.core.views import View
from arena.errors import ContextError
from arena.models.chat import CallId, ChoiceConstraint, Completion, JsonConstraint, Message, Request
from arena.models.recording import RecordedCall, RecordingModel, ReplayingModel
from arena.players.fitting.fitter import Fitter, Wanted
from arena.players.means import Means
from arena.players.model_player import ModelPlayer
from arena.players.player import Player
from arena.players.prompt_log import Prompt
from arena.players.style import Style
from arena.run.match import Pace, Seat, play
from scripts_mm.script import Clue, Picture, Script
from tests.table import NAMES, case, picture, secret, setup

CONTEXT = 4096
PICTURE_TOKENS = 600
_CHARS = 4
_FRAME = 5

_PLACES = ("the lamp room", "the boat house", "the kitchen", "the pier", "the cellar", "the stairs")
_THINGS = ("a torn letter", "the brass key", "a wet coat", "the ledger", "a bottle", "an oil can")


def count(messages: Sequence[Message]) -> int:
    """Return tokens: four characters each, some for each message, many for a picture."""
    return _FRAME + sum(
        _FRAME + -(-len(m.text) // _CHARS) + (PICTURE_TOKENS if m.picture else 0) for m in messages
    )


def words(text: str) -> int:
    """Return the tokens of a text by itself."""
    return -(-len(text) // _CHARS)


def means(context: int | None = CONTEXT, **more: Any) -> Means:
    """Return what the model of these tests can take."""
    reply = max(1, (context or CONTEXT) // 8)
    values: dict[str, Any] = {"reply_tokens": reply, "count": count, "exact": True}
    return Means(context_tokens=context, **(values | more))


def fitter(wanted: Means | None = None, model: "SmallModel | None" = None) -> Fitter:
    """Return what makes the prompts of a seat; without `wanted`, of a model that takes all."""
    return Fitter(model or SmallModel(), wanted or means(None))


def compose(fitting: Fitter, view: View, ask: Ask, action: str = "now", **more: Any) -> Prompt:
    """Return the prompt that puts `action` to a seat; `more` are fields of `Wanted`."""
    values: dict[str, Any] = {"reply": 64, "usual_reply": 64, **more}
    return asyncio.run(fitting.compose(view, ask, Wanted(action=action, **values)))


def board(pictures: Sequence[Picture]) -> Picture:
    """Return a picture that is named after those that it shows."""
    named = sha256("".join(one.sha256 for one in pictures).encode()).hexdigest()
    return replace(picture(), sha256=named, file="board.png")


def long_case(characters: int = 12_000, clues: int = 3) -> Script:
    """Return a case whose roles have long scripts, each line of them with something of its own."""
    script = case()
    return replace(
        script,
        roles=tuple(
            replace(role, script=f"{role.script}\n{_story(role.name, characters)}")
            for role in script.roles
        ),
        clues=(
            *script.clues,
            *(
                Clue(id=f"c{n}", title=f"Clue {n}", text=f"Found: {_THINGS[n]}. " * 6,
                     pictures=(picture(10 + n),))
                for n in range(clues)
            ),
        ),
    )  # fmt: skip


def _story(name: str, characters: int) -> str:
    lines: list[str] = []
    while sum(map(len, lines)) < characters:
        n = len(lines)
        lines.append(
            f"At {8 + n % 12}:{n % 60:02} you went to {_PLACES[n % 6]} and hid {_THINGS[n % 5]} "
            f"there ({secret(name)}, line {n})."
        )
    return "\n".join(lines)


@dataclass(slots=True)
class SmallModel:
    """Answers by the prompt alone, as long as it may; refuses what is too long for it."""

    context: int = CONTEXT
    pictures: int | None = None
    requests: list[Request] = field(default_factory=list[Request])
    refused: int = 0
    most_at_once: int = 0
    now: int = 0

    async def complete(self, request: Request) -> Completion:
        """Return the reply, or raise `ContextError`."""
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        self.requests.append(request)
        tokens = count(request.messages)
        shown = sum(m.picture is not None for m in request.messages)
        assert self.pictures is None or shown <= self.pictures, "too many pictures"
        if tokens + request.max_tokens > self.context:
            self.refused += 1
            raise ContextError(f"{tokens} + {request.max_tokens} > {self.context}")
        text = _reply(request)
        most = request.max_tokens * _CHARS
        return Completion(
            text=text[:most],
            finish="stop" if len(text) <= most else "length",
            prompt_tokens=tokens,
            output_tokens=-(-len(text[:most]) // _CHARS),
            cached_tokens=None,
            seconds=0.0,
        )


def _reply(request: Request) -> str:
    last = request.messages[-1]
    seed = sha256(repr([(m.text, m.picture) for m in request.messages]).encode()).digest()

    def sentence(n: int) -> str:
        return (
            f"I saw {_THINGS[seed[n] % 6]} in {_PLACES[seed[n + 1] % 6]} at {seed[n + 2] % 24}:00."
        )

    talk = " ".join(sentence(n) for n in range(0, 24, 3))
    match request.constraint:
        case ChoiceConstraint(options=options):
            return options[seed[0] % len(options)]
        case JsonConstraint(fields=fields):
            told = {
                f.name: f.options[seed[0] % len(f.options)] if f.options else talk[: f.max_chars]
                for f in fields
            }
            return json.dumps(told)
        case None:
            pass
    if request.call_id.kind == "reading":
        return f"A picture {last.picture.sha256[-2:] if last.picture else '?'}. " + talk
    if request.call_id.kind == "summary":
        return f"Summary {seed.hex()[:6]}. " + talk * 4
    return talk


@dataclass(slots=True, kw_only=True)
class Played:
    """A match that was played."""

    events: list[Event]
    calls: dict[CallId, RecordedCall]
    order: list[RecordedCall]
    model: SmallModel
    state: MatchState

    @property
    def notes(self) -> list[str]:
        """What the record was told of prompts."""
        return [event.note for event in self.events if isinstance(event, Noted)]

    def parts(self, part: str) -> list[Request]:
        """Return the calls of one kind that were answered."""
        return [c.request for c in self.order if c.request.call_id.kind == part and c.completion]


def played(
    style: Style,
    wanted: Means,
    *,
    script: Script | None = None,
    options: Options | None = None,
    model: SmallModel | None = None,
    calls: Mapping[CallId, RecordedCall] | None = None,
) -> Played:
    """Play a match to its end; `calls` are answered from the record."""
    model = model or SmallModel()
    kept: dict[CallId, RecordedCall] = dict(calls or {})
    order: list[RecordedCall] = []

    def keep(call: RecordedCall) -> None:
        assert call.request.call_id not in kept, f"asked twice: {call.request.call_id}"
        kept[call.request.call_id] = call
        order.append(call)

    def player() -> Player:
        return ModelPlayer(
            ReplayingModel(RecordingModel(model, save=keep), calls=calls or {}), style, wanted
        )

    events: list[Event] = []
    seats = {SeatId(name): Seat(player=player(), health=None) for name in NAMES}
    opened = setup(options or Options(rounds=2), script=script or long_case())
    state = asyncio.run(
        play(
            opened,
            seats,
            pace=Pace(deadline=60.0),
            happened=lambda state, event: events.append(event),
        )
    )
    return Played(events=events, calls=kept, order=order, model=model, state=state)
