"""The player `mirage`: thought and reply in one call, with its last turns in the prompt."""

from dataclasses import replace
from pathlib import Path
from random import Random

from arena.core.action_validation import validate
from arena.core.actions import Action, Reply
from arena.core.observation import Observation
from arena.core.option_labels import PART_LABELS
from arena.core.purposes import ASKER, INVESTIGATE_VARIANT, OVER_VARIANT, Purpose
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId, SeatPart
from arena.core.specs import ActionSpec, Choice, Form, FreeText, OneOf, variants
from arena.games.wording import Wording, load_wording
from arena.models.chat import ChatModel
from arena.players import prompts
from arena.players.methods.method_player import Method, MethodPlayer
from arena.players.methods.method_steps import Turn
from arena.players.methods.recall import keep_events
from arena.players.methods.turn_cost import ONE, TurnCost, Wave
from arena.players.mirage.options import MiragePlayerOptions
from arena.players.mirage.recent_turns import RecentTurn, write_recent_turns
from arena.players.mirage.script_parts import SLICE_TOKENS, SUMMARY_TOKENS, ScriptParts
from arena.players.mirage.thoughts import take_thought, with_thought
from arena.players.model_limits import ModelLimits
from arena.players.player import Answer
from scripts_mm.script import Language

_WORDING = Path(__file__).parents[1] / "wording" / "mirage"
_HINTS = {
    Purpose.INTRODUCE: "presentation",
    Purpose.SPEAK: "speech",
    Purpose.ASK: "turn",
    Purpose.ACT: "turn",
    Purpose.ANSWER: "reply",
    Purpose.CONCLUDE: "choice",
    Purpose.ACCUSE: "choice",
    Purpose.VOTE: "choice",
    Purpose.RATE: "scale",
}


def count_cost(options: MiragePlayerOptions) -> TurnCost:
    """Return the cost of a turn; the first one includes the summary of all script parts."""
    parts = Wave(calls=len(PART_LABELS["en"]), prompt=SLICE_TOKENS, reply=SUMMARY_TOKENS)
    return ONE.after(parts) if options.force_summary else ONE


class MiragePlayer(MethodPlayer):
    """Answers with a private thought, except in a talk with `over` and for powers.

    Its replies are attempts at the request itself, so each rerun is in the record as a rejected
    answer, with the usual corrections.
    """

    def __init__(self, model: ChatModel, options: MiragePlayerOptions, limits: ModelLimits) -> None:
        """Play with `model` under `options`."""
        super().__init__(model, options, limits)
        self._options = options
        self._turns: dict[str, RecentTurn] = {}
        self._script = ScriptParts(model, limits, options.script_limit)

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the method's answer, or raise `ModelError` if the model gives none."""
        if not self._options.force_summary or request.onlooker:
            return await super().act(observation, request, chance)
        say = find_texts(observation.language)
        seen, adjustments = await self._script.shorten(say, observation, request)
        answer = await super().act(seen, request, chance)
        return replace(answer, reports=(*adjustments, *answer.reports))

    def method(self, observation: Observation, request: DecisionRequest) -> Method | None:
        """Return the method for a request; None: answer it like `direct`."""
        del observation
        is_talk = any(one.name == OVER_VARIANT for one in variants(request.spec))
        if request.purpose not in _HINTS or is_talk:
            return None
        return self._answer

    async def _answer(self, turn: Turn) -> Action:
        request = turn.request
        if request.purpose == Purpose.RATE and not self._options.rater_role:
            return await self._rate_as_onlooker(turn)
        spec = with_thought(request.spec)
        thought, action = take_thought(await self.reply(turn, self._instruct(turn), spec))
        result = validate(request, action)
        is_own = not request.off_path and request.purpose != Purpose.ANSWER
        if isinstance(result, Reply) and is_own:
            self._turns[request.id] = RecentTurn(
                request=request.id,
                moment=len(turn.observation.events),
                thought=thought,
                reply=result,
            )
        return action

    async def _rate_as_onlooker(self, turn: Turn) -> Action:
        seen, request = as_onlooker(turn.observation), turn.request
        asked = replace(request, spec=with_thought(request.spec))
        answer = await self.direct.answer(seen, asked, self._demand(turn, seen), seen)
        turn.report(*answer.reports)
        return take_thought(answer.action)[1]

    def _instruct(self, turn: Turn) -> str:
        """Return the instruction: the last turns, the demand, a hint for the thought, the form."""
        observation = turn.observation
        last = ""
        if not turn.request.off_path:
            say, turns = find_texts(observation.language), tuple(self._turns.values())
            last = write_recent_turns(say, observation, turns, self._options.last)
        return "\n".join(filter(None, (last, self._demand(turn, observation))))

    def _demand(self, turn: Turn, observation: Observation) -> str:
        say, request = find_texts(observation.language), turn.request
        return "\n".join(
            (
                prompts.write_demand(observation, request),
                say(
                    f"think.{_hint_of(request)}", asker=quote(request.context_value(ASKER))
                ).strip(),
                say(f"turn.{_form_of(request.spec)}").strip(),
            )
        )


def find_texts(language: Language) -> Wording:
    """Return the texts of the player in `language`."""
    return load_wording(_WORDING / f"{language}.toml")


def as_onlooker(observation: Observation) -> Observation:
    """Return the public part of an observation, for a rater without a role."""
    public = {n for n, event in enumerate(observation.events) if event.audience == "all"}
    nobody = replace(
        observation.own,
        part=SeatPart(seat=SeatId(""), faction="civilians"),
        script="",
        mission="",
        stages=(),
        is_sole_murderer=False,
        introduction=None,
        reply=None,
    )
    return replace(keep_events(observation, public), role=nobody, is_onlooker=True)


def _hint_of(request: DecisionRequest) -> str:
    """Return the key of the thought's hint; missing clues matter only if the seat can search."""
    if any(one.name == INVESTIGATE_VARIANT for one in variants(request.spec)):
        return "search"
    return _HINTS[request.purpose]


def _form_of(spec: ActionSpec) -> str:
    match spec:
        case FreeText():
            return "form_text"
        case Choice():
            return "form_choice"
        case Form():
            return "form_fields"
        case OneOf():
            return "form_ways"
