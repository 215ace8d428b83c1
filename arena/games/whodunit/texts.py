"""Texts of the game: rules under the options, instructions, headings."""

from pathlib import Path

from arena.core.events import PhaseStarted
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.games.shared.texts import GameTexts
from arena.games.shared.vote_texts import join_sentences, write_voters, write_voting, write_winning
from arena.games.whodunit.options import WhodunitOptions
from arena.games.whodunit.phases import list_steps

_WORDING = Path(__file__).parent / "wording"


class WhodunitTexts(GameTexts):
    """The texts of one observer. Rules and case are the same for all seats of a match."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        super().__init__(observation, _WORDING)
        options = observation.options
        assert isinstance(options, WhodunitOptions), f"{type(options).__name__} of another game"
        self._options = options

    def rules(self) -> str:
        """Return the rules: phases, vote, outcome, conduct. They are the same for all scripts."""
        say, options = self.say, self._options
        clues = say(f"rules.clues_{options.clues}")
        dealt = options.clues in {"at_deal", "owner"}
        phases = [
            say(f"rules.introduction_{options.introductions}"),
            *(() if dealt else (clues,)),
            self._discussion(),
            say(f"rules.reasoning_{options.reasoning}"),
            self._voting(),
        ]
        numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(phases, start=1))
        language = self.observation.language
        parts = (
            say("rules.head"),
            clues if dealt else "",
            f"{say('rules.phases')}\n{numbered}",
            say("rules.stages") if options.stages == "apart" else "",
            write_winning(say, options, language, several=not options.strict_one),
            say("rules.conduct"),
        )
        return "\n\n".join(part for part in parts if part)

    def instruction(self, request: DecisionRequest) -> str:
        """Return the instruction for `request`."""
        kind, values = request.kind, self.values(request)
        if kind == "vote" and self._options.vote_with_reason:
            return self.say("action.vote_with_reason", **values).strip()
        if kind in {"speak", "share_and_ask", "conclude"}:
            values["side"] = self.say(f"action.speak_{self.faction}")
        return self.say(f"action.{kind}", **values).strip()

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase, with its mode."""
        say, options = self.say, self._options
        if phase.candidates:
            return super().title(phase)
        many = phase.phase == "discussion" and options.rounds > 1
        key = "discussion_round" if many else phase.phase
        title = say(f"title.{key}", round=self._round(phase), rounds=options.rounds)
        remarks = [say(f"title.step_{phase.step}")] if phase.step else []
        if phase.phase == "reasoning" and options.reasoning == "secret":
            remarks.append(say("title.secret"))
        elif self._is_together(phase):
            remarks.append(say("title.together"))
        return f"{title} ({', '.join(remarks)})" if remarks else title

    def phase_line(self, event: PhaseStarted) -> str:
        """Return the host's line at the start of a phase."""
        options = self._options
        if event.candidates:
            return super().phase_line(event)
        if event.phase == "clues" and options.clues == "civilians" and self.is_murderer_seat:
            return self.say("line.clues_hidden")
        key = event.phase
        if event.step in {"ask", "answer"}:
            key = f"{event.phase}_{event.step}"
        return self.say(f"line.{key}", round=self._round(event), rounds=options.rounds)

    def _round(self, phase: PhaseStarted) -> int:
        """Return the number of a round in its stage."""
        return (phase.round - 1) % self._options.rounds + 1

    @property
    def _open_vote(self) -> bool:
        return self._options.vote == "open" and not self.observation.never_vote

    def _discussion(self) -> str:
        options = self._options
        count = "one" if options.rounds == 1 else "many"
        return self.say(f"rules.discussion_{count}", rounds=options.rounds) + self.say(
            f"rules.discussion_{options.answers}"
        )

    def _voting(self) -> str:
        options = self._options
        tells = options.tells_ballots(all_vote=not self.observation.never_vote)
        announced = "announce_ballots" if tells else "announce_votes"
        vote = write_voting(
            self.say,
            options,
            voters=self._voters(),
            secrecy="open" if self._open_vote else "secret",
            announced="" if self._open_vote else announced,
        )
        reason = self.say("rules.reason") if options.vote_with_reason else ""
        return join_sentences(self.observation.language, vote, reason)

    def _voters(self) -> str:
        if self._options.electorate == "civilians":
            return self.say("rules.voters_civilians")
        return write_voters(self.say, self.observation.never_vote)

    def _is_together(self, phase: PhaseStarted) -> bool:
        if phase.phase == "voting":
            return False
        steps = list_steps(self._options, 1, open_vote=self._open_vote)
        return any(
            step.mode == "simultaneous"
            for step in steps
            if (step.phase, step.round, step.step) == (phase.phase, phase.round, phase.step)
        )
