"""Prompt estimates: the expected tokens of a seat's prompts.

The estimate plays the game with dummy players whose speeches have a given length, so it needs no
second copy of the rules. Headers, lines, clues and instructions are real; only speeches are
assumed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.core.events import QuestionAsked, RequestsOpened, Said
from arena.core.game import Game
from arena.core.observation import Observation, observe
from arena.core.options import GameOptions, speech_limit
from arena.core.playouts.dummy_players import DummyPlayers
from arena.core.playouts.playout import play_out, start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ActionSpec, Choice, FreeText, spec_fields, variants
from arena.core.transitions import MatchSetup
from arena.models.chat import Message
from arena.players import prompts
from arena.players.contestants import Contestant
from arena.players.context.picture_policy import NOTE_TOKENS
from arena.players.model_limits import ModelLimits
from arena.players.prompting import THOUGHT_TOKENS
from arena.players.roster import prompting_options, turn_cost
from arena.schedule.footprint import PlannedTokens, PlannedTurn
from scripts_mm.script import Language, Script

_TOKENS_PER_WORD: Mapping[Language, float] = {"en": 1.47, "zh": 1.1}
"""Tokens of a full-length speech per English word or Chinese character, with Qwen2.5's tokenizer.
"""
_CHOICE_TOKENS = 6
_FORM_TOKENS = 24
"""Tokens of the braces and names of a JSON object."""
_FRAME_TOKENS = 8
"""Tokens that a chat template puts around a message."""
_SEEDS = 8
"""Number of matches whose parts are compared; random parts are very unlikely to be equal in all."""
_REWRITES = ("retrieve", "summarise")
"""Policies that rewrite a prompt from its beginning once it does not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEstimate:
    """Tokens of the prompts of one seat."""

    header: int
    """Tokens of the rules and private script with which all its prompts begin; 0: some prompts do
    not.
    """
    turns: tuple[PlannedTurn, ...]
    """Its requests in order."""

    @property
    def rest(self) -> int:
        """Return the maximum of the tokens other than the header."""
        return max((turn.tokens.total for turn in self.turns), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequests:
    """Requests to one seat in the expected match, and its observations."""

    observation: Observation
    requests: tuple[DecisionRequest, ...]
    observations: tuple[Observation, ...]
    """At each request."""
    numbers: tuple[int, ...]
    """Position of each request among those of all seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEstimate:
    """Estimate of the matches of one script."""

    script: Script
    options: GameOptions
    requests: int
    """Decision requests of the whole match."""
    headers: Mapping[SeatId, tuple[Message, ...]]
    """Rules and private script: the prefix of every prompt of the seat."""
    murderers: tuple[SeatId, ...]
    has_fixed_parts: bool
    """Every match has the same headers. False: the match's seed decides each seat's role."""
    seat_requests: Mapping[SeatId, SeatRequests]
    specs: Mapping[str, ActionSpec]
    """By request."""
    kinds: Mapping[str, str]
    """By request."""

    def seats(self, *, murderer: bool) -> tuple[SeatId, ...]:
        """Return the seats of one side."""
        return tuple(seat for seat in self.headers if (seat in self.murderers) == murderer)

    def seat(self, seat: SeatId, who: Contestant, limits: ModelLimits) -> SeatEstimate:
        """Return the tokens of the seat's prompts, at most the context of a model with `limits`."""
        header = prompt_tokens(limits, self.headers[seat])
        turns = tuple(self._turns(seat, who, limits))
        whole = SeatEstimate(header=header, turns=turns)
        most = limits.context_budget or limits.context_tokens
        if most is None or header + whole.rest <= most:
            return whole
        if limits.overflow in _REWRITES or header + limits.reply_tokens > most:
            # No two prompts share a prefix, so nothing is shared.
            return SeatEstimate(header=0, turns=tuple(turn.cut(most, header) for turn in turns))
        return SeatEstimate(header=header, turns=tuple(turn.cut(most - header) for turn in turns))

    def _turns(self, seat: SeatId, who: Contestant, limits: ModelLimits) -> Iterator[PlannedTurn]:
        """Yield the requests of a seat with the tokens of its log after each."""
        if seat not in self.seat_requests:
            return
        asked, speech = self.seat_requests[seat], self._speech_tokens(limits)
        aside = self._step_tokens(who, limits)
        log, seen, counted = PlannedTokens(), 0, set[str]()
        for request, number, known in zip(
            asked.requests, asked.numbers, asked.observations, strict=True
        ):
            lines = prompts.lines(known, seen, len(known.events))
            told = Message(role="user", text=prompts.instruction(known, request))
            heard = {
                event.request
                for event in known.events[seen:]
                if isinstance(event, Said | QuestionAsked) and event.seat != seat
            } - counted
            counted |= heard
            plain = [replace(line, picture=None) for line in lines]
            text = prompt_tokens(limits, plain)
            reply = _reply_tokens(request.spec, speech) + _thought_tokens(who, limits)
            log += PlannedTokens(
                text=text + prompt_tokens(limits, (told,)) + _FRAME_TOKENS,
                pictures=prompt_tokens(limits, lines) - text,
                speech={request.kind: reply},
            )
            for one in heard:
                log += PlannedTokens(
                    speech={self.kinds[one]: _text_tokens(self.specs[one], speech)}
                )
            seen = len(known.events)
            reading = _reading_tokens(limits, lines)
            yield PlannedTurn(
                number=number,
                request=request.id,
                kind=request.kind,
                reply=reply,
                tokens=log + PlannedTokens(text=max(aside, reading - log.total)),
            )

    def _step_tokens(self, who: Contestant, limits: ModelLimits) -> int:
        """Return the tokens of a turn's concurrent steps, without the log."""
        cost = turn_cost(who)
        return 0 if cost is None else cost.step_tokens(len(self.headers), limits.reply_tokens)

    def _speech_tokens(self, limits: ModelLimits) -> int:
        language = self.script.language
        limit = speech_limit(self.options, language)
        return min(round(limit * _TOKENS_PER_WORD[language]), limits.reply_tokens)


def estimate_match(game: Game, script: Script, options: GameOptions) -> MatchEstimate:
    """Return the expected requests of a script's matches under `options`."""
    setup = MatchSetup(script=script, options=options, seed=0)
    started = start_state(game, setup)
    dummies = DummyPlayers()
    ended = play_out(game, setup, dummies.decide)
    opened = [
        request
        for event in ended.history
        if isinstance(event, RequestsOpened)
        for request in event.requests
    ]
    seats = started.started.seats
    numbers = {one.request.id: number for number, one in enumerate(dummies.decisions)}
    return MatchEstimate(
        script=script,
        options=options,
        requests=len(opened),
        headers={seat: prompts.header(observe(started, seat)) for seat in seats},
        murderers=started.started.murderers,
        has_fixed_parts=len({game.start(script, options, seed) for seed in range(_SEEDS)}) == 1,
        seat_requests={
            seat: SeatRequests(
                observation=asked[-1].observation,
                requests=tuple(one.request for one in asked),
                observations=tuple(one.observation for one in asked),
                numbers=tuple(numbers[one.request.id] for one in asked),
            )
            for seat in seats
            if (asked := dummies.decisions_of(seat))
        },
        specs={request.id: request.spec for request in opened},
        kinds={request.id: request.kind for request in opened},
    )


def prompt_tokens(limits: ModelLimits, messages: Sequence[Message]) -> int:
    """Return the tokens of messages in a prompt, where notes may replace pictures."""
    if limits.picture_mode == "inline":
        return limits.count(messages)
    pictures = sum(message.picture is not None for message in messages)
    plain = [replace(message, picture=None) for message in messages]
    note = min(NOTE_TOKENS, limits.reply_tokens) if limits.picture_mode == "notes" else 0
    return limits.count(plain) + pictures * note


def _reading_tokens(limits: ModelLimits, lines: Sequence[Message]) -> int:
    """Return the tokens of the call that describes the largest picture in a note."""
    if limits.picture_mode == "inline":
        return 0
    seen = (replace(line, text="") for line in lines if line.picture is not None)
    return max((limits.count((one,)) + limits.reply_tokens for one in seen), default=0)


def _text_tokens(spec: ActionSpec, speech: int) -> int:
    """Return the tokens of a reply's texts, which share one speech by weight."""
    texts = [
        one.spec.weight
        for one in spec_fields(variants(spec)[0].spec)
        if isinstance(one.spec, FreeText)
    ]
    if not texts:
        return 0
    unit = speech / (max(texts) * texts.count(max(texts)))
    return round(sum(weight * unit for weight in texts))


def _reply_tokens(spec: ActionSpec, speech: int) -> int:
    fields = spec_fields(variants(spec)[0].spec)
    choices = sum(isinstance(one.spec, Choice) for one in fields)
    form = _FORM_TOKENS if len(fields) > 1 else 0
    return _text_tokens(spec, speech) + choices * _CHOICE_TOKENS + form


def _thought_tokens(who: Contestant, limits: ModelLimits) -> int:
    options = prompting_options(who)
    thinks = options is not None and options.thought and options.keep_thought
    return min(THOUGHT_TOKENS, limits.reply_tokens) // 2 if thinks else 0
