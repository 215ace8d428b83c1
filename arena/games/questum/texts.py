"""Texts of the game: rules under the options, instructions, headings."""

from pathlib import Path

from arena.core.events import PhaseStarted
from arena.core.observation import Observation
from arena.core.option_labels import list_options
from arena.core.purposes import TARGET, VICTIM
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, Form
from arena.core.state import MatchState
from arena.games.questum.options import QuestumOptions
from arena.games.shared.victim_texts import VictimTexts

_WORDING = Path(__file__).parent / "wording"


class QuestumTexts(VictimTexts):
    """The texts of one observer. Rules are the same for all scripts."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        super().__init__(observation, _WORDING)
        options = observation.options
        assert isinstance(options, QuestumOptions), f"{type(options).__name__} of another game"
        self._options = options

    def rules(self) -> str:
        """Return the rules: phases, vote, outcome, conduct."""
        say, options = self.say, self._options
        votes = options.vote != "none"
        phases = (
            say("rules.introduction"),
            self._questioning(),
            self.voting() if votes else say("rules.no_vote"),
        )
        numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(phases, start=1))
        parts = (
            say("rules.head"),
            say("rules.victims"),
            say("rules.clues") if options.clues == "all" else "",
            f"{say('rules.phases')}\n{numbered}",
            say("rules.stages") if options.stages == "apart" else "",
            self.winning() if votes else "",
            say("rules.conduct"),
        )
        return "\n\n".join(part for part in parts if part)

    def instruction(self, request: DecisionRequest) -> str:
        """Return the instruction for `request`."""
        if request.kind != "ask":
            return super().instruction(request)
        form, values = request.spec, self.values(request)
        assert isinstance(form, Form), "a question is a form"
        chosen = {one.name: one.spec.options for one in form.fields if isinstance(one.spec, Choice)}
        values["options"] = list_options(chosen[TARGET], self.observation.language)
        values["victims"] = list_options(chosen.get(VICTIM, ()), self.observation.language)
        keys = ("ask_one_of_victims" if VICTIM in chosen else "ask", "ask_fixed")
        is_fixed = self._options.targets == "all" and VICTIM not in chosen
        return self.say(f"action.{keys[is_fixed]}", **values).strip()

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase, with its mode."""
        if phase.phase != "questioning":
            return super().title(phase)
        many = "questioning_round" if self._options.rounds > 1 else "questioning"
        rounds, number = self._options.rounds, self._round(phase)
        title = self.say(f"title.{many}", round=number, rounds=rounds)
        return f"{title} ({self.say(f'title.step_{phase.step}')})" if phase.step else title

    def phase_line(self, event: PhaseStarted) -> str:
        """Return the host's line at the start of a phase."""
        if event.phase != "questioning":
            return super().phase_line(event)
        key = "line.questioning_answer" if event.step == "answer" else "line.questioning"
        return self.say(key, round=self._round(event), rounds=self._options.rounds)

    def result(self, state: MatchState) -> tuple[str, ...]:
        """Return the results of the votes and of the match, or that there was no vote."""
        if self._options.vote == "none":
            return (self.say("result.no_vote"),)
        return tuple(super().result(state))

    def _round(self, phase: PhaseStarted) -> int:
        """Return the number of a round in its stage."""
        return (phase.round - 1) % self._options.rounds + 1

    def _questioning(self) -> str:
        say, options = self.say, self._options
        many = "many" if options.rounds > 1 else "one"
        per = "round" if options.per == "round" else "victim"
        several = "" if options.questions == 1 else "_several"
        asked = say(f"rules.ask_{options.targets}_{per}{several}", questions=options.questions)
        head = say(f"rules.questioning_{many}", rounds=options.rounds)
        return head + say(f"rules.snapshot_{options.snapshot}", asked=asked)
