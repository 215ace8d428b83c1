"""Whole matches of long scripts on a model that is a function, with a context that it keeps to."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from arena.core.events import Event, PromptAdjusted
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.errors import ContextLengthError
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.memory.search_log import RecordedSearches
from arena.models.chat import CallId, ChoiceConstraint, Completion, JsonConstraint, Message, Request
from arena.models.recording import RecordedCall, RecordedCalls, RecordingModel, ReplayingModel
from arena.players.context.prompt_builder import PromptBuilder, PromptRequest
from arena.players.model_limits import ModelLimits
from arena.players.model_player import ModelPlayer
from arena.players.prompt_log import Prompt
from arena.players.prompting import PromptingOptions
from arena.records.match_replay import Replayed, replay_match
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop
from arena.run.match.restore import restore_players
from scripts_mm.script import Clue, Picture, Script
from tests.table import (
    NAMES,
    begin,
    case,
    picture,
    secret,
    setup,
)

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


def count_text(text: str) -> int:
    """Return the tokens of a text by itself."""
    return -(-len(text) // _CHARS)


def make_limits(context: int | None = CONTEXT, **more: Any) -> ModelLimits:
    """Return what the model of these tests can take."""
    reply = max(1, (context or CONTEXT) // 8)
    values: dict[str, Any] = {"reply_tokens": reply, "count": count, "exact": True}
    return ModelLimits(context_tokens=context, **(values | more))


def make_builder(
    limits: ModelLimits | None = None, model: "SmallModel | None" = None
) -> PromptBuilder:
    """Return what makes the prompts of a seat; without `limits`, of a model that takes all."""
    return PromptBuilder(model or SmallModel(), limits or make_limits(None))


def build(
    builder: PromptBuilder,
    observation: Observation,
    request: DecisionRequest,
    instruction: str = "now",
    **more: Any,
) -> Prompt:
    """Return the prompt that puts `instruction` to a seat; `more` are fields of its request."""
    values: dict[str, Any] = {"reply": 64, "usual_reply": 64, **more}
    wanted = PromptRequest(instruction=instruction, **values)
    return asyncio.run(builder.build(observation, request, wanted))


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
        """Return the reply, or raise `ContextLengthError`."""
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
            raise ContextLengthError(f"{tokens} + {request.max_tokens} > {self.context}")
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
            values = {
                f.name: f.options[seed[0] % len(f.options)] if f.options else talk[: f.max_chars]
                for f in fields
            }
            return json.dumps(values)
        case _:
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
    def outcome(self) -> str:
        """How the match ended."""
        assert self.state.ended is not None
        return self.state.ended.outcome

    @property
    def cause(self) -> str:
        """Why the match ended as an error."""
        assert self.state.ended is not None
        return self.state.ended.cause

    def adjustments(self, *kinds: str) -> list[PromptAdjusted]:
        """Return what the record holds of prompts, of these kinds; without any, of all."""
        found = [event for event in self.events if isinstance(event, PromptAdjusted)]
        return [one for one in found if not kinds or one.adjustment in kinds]

    def answered(self, kind: str) -> list[Request]:
        """Return the calls of one kind that were answered."""
        return [c.request for c in self.order if c.request.call_id.kind == kind and c.completion]


def play(
    options: PromptingOptions,
    limits: ModelLimits,
    *,
    script: Script | None = None,
    rules: GameOptions | None = None,
    model: SmallModel | None = None,
) -> Played:
    """Play a match to its end."""
    state = begin(setup(rules or WhodunitOptions(rounds=2), script=script or long_case()))
    return asyncio.run(_play_on(state, Prompter(options, limits, model or SmallModel())))


def resume(
    whole: Played, events: int, options: PromptingOptions, limits: ModelLimits, **more: Any
) -> Played:
    """Play on from the first events of a match; `more`: the model, and the calls still recorded."""
    model: SmallModel = more.get("model") or SmallModel()
    calls: dict[CallId, RecordedCall] = more.get("calls", whole.calls)
    script, started = whole.state.script, whole.state.started
    replayed = replay_match(WHODUNIT, script, (started, *whole.events)[:events])
    prompter = Prompter(options, limits, model, calls)
    return asyncio.run(_play_on(replayed.state, prompter, replayed))


class Prompter:
    """Makes the players of a match, which share a model and a record of calls."""

    def __init__(
        self,
        options: PromptingOptions,
        limits: ModelLimits,
        model: SmallModel,
        calls: Mapping[CallId, RecordedCall] | None = None,
    ) -> None:
        self.model, self.recorded = model, RecordedCalls(calls or {})
        self.kept: dict[CallId, RecordedCall] = dict(calls or {})
        self.order: list[RecordedCall] = []
        chat = ReplayingModel(RecordingModel(model, save=self._save), calls=self.recorded)
        searches = RecordedSearches(self.recorded, save=self._save, model="searches")
        limits = replace(limits, searches=searches)
        self.players = {SeatId(name): ModelPlayer(chat, options, limits) for name in NAMES}

    def _save(self, call: RecordedCall) -> None:
        assert call.request.call_id not in self.kept, f"asked twice: {call.request.call_id}"
        self.kept[call.request.call_id] = call
        self.order.append(call)


async def _play_on(
    state: MatchState, prompter: Prompter, replayed: Replayed | None = None
) -> Played:
    events: list[Event] = list(state.history[1:])
    if replayed is not None:
        await restore_players(replayed, prompter.players, prompter.recorded)
    loop = MatchLoop(
        game=WHODUNIT,
        seats={
            seat: SeatBinding(player=player, health=None)
            for seat, player in prompter.players.items()
        },
        control=TurnControl(deadline=60.0),
        sink=lambda steps: events.extend(event for event, _ in steps),
        recorded=list(replayed.unanswered) if replayed else [],
    )
    state = await loop.run(state)
    return Played(
        events=events,
        calls=prompter.kept,
        order=prompter.order,
        model=prompter.model,
        state=state,
    )
