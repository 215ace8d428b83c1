"""Texts of the game: the host's question, rules under the options, instructions, headings."""

from collections.abc import Sequence
from pathlib import Path

from arena.core.events import Announced, Event, PhaseStarted, VotesTallied
from arena.core.observation import Observation
from arena.core.purposes import QUESTION
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import FreeText, OneOf
from arena.core.state import MatchState
from arena.games.shared.texts import GameTexts, find_wording
from arena.games.shared.vote_texts import join_sentences, write_voters, write_voting, write_winning
from arena.games.thinkthrice.options import ThinkThriceOptions
from scripts_mm.script import Language

HOST_QUESTION = "host_question"
"""The topic of the announcement of the host's question."""
REFUSED = "refused"
"""The topic of the announcement that a seat refuses to answer."""
_WORDING = Path(__file__).parent / "wording"


def host_label(language: Language) -> str:
    """Return the name of the host."""
    return find_wording(_WORDING, language)("host.label")


def host_question(language: Language) -> str:
    """Return the question that the host puts to every seat."""
    return find_wording(_WORDING, language)("host.question").strip()


class ThinkThriceTexts(GameTexts):
    """The texts of one observer. Rules and case are the same for all seats of a match."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        super().__init__(observation, _WORDING)
        options = observation.options
        assert isinstance(options, ThinkThriceOptions), f"{type(options).__name__} of another game"
        self._options = options

    def rules(self) -> str:
        """Return the rules: phases, vote, outcome, conduct. They are the same for all scripts."""
        say, options, language = self.say, self._options, self.observation.language
        phases = (
            say("rules.introduction"),
            say(f"rules.first_questions_{options.first_questions}"),
            self._discussion(options.rounds_before, again=False),
            say(f"rules.cards_{options.cards}"),
            self._discussion(options.rounds_after, again=options.rounds_before > 0),
            self._voting(),
        )
        told = (phase for phase in phases if phase)
        numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(told, start=1))
        parts = (
            say("rules.head"),
            f"{say('rules.phases')}\n{numbered}",
            say("rules.stages") if options.stages == "apart" else "",
            write_winning(say, options, language, several=False),
            say("rules.conduct") + (say("rules.refuse") if options.refuse else ""),
        )
        return "\n\n".join(part.strip() for part in parts if part)

    def line(self, event: Event) -> str:
        """Return the line for an announcement of the host, or the common line."""
        match event:
            case Announced(topic=topic, values=values):
                told = {name: quote(text) for name, text in values}
                return self.say.get(f"line.{topic}", **told)
            case VotesTallied(ballot=ballot) if self._options.elections > 1:
                votes = self.names([f"{name} {count}" for name, count in event.votes])
                key = "line.election" if votes else "line.election_empty"
                return self.say(key, number=ballot, count=self._options.elections, votes=votes)
            case _:
                return super().line(event)

    def phase_line(self, event: PhaseStarted) -> str:
        """Return the host's line at the start of a phase."""
        if event.candidates:
            return super().phase_line(event)
        key = event.phase
        if event.step:
            key = f"{event.phase}_{event.step}"
        elif event.phase == "clues":
            key = f"clues_{self._options.cards}"
        return self.say.get(f"line.{key}", round=event.round, rounds=self._rounds(event))

    def instruction(self, request: DecisionRequest) -> str:
        """Return the instruction for `request`."""
        key = request.kind
        if isinstance(request.spec, OneOf):
            key = "answer_or_refuse"
        elif _is_written_vote(request):
            key = "vote_free_text"
        return self.say(f"action.{key}", **self.values(request)).strip()

    def values(self, request: DecisionRequest) -> dict[str, object]:
        """Return the values for the placeholders of an instruction."""
        values = super().values(request)
        values["question"] = quote(request.context_value(QUESTION))
        if _is_written_vote(request):
            values["options"] = self.names(self._candidates())
        return values

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase, with its mode."""
        if phase.candidates:
            return super().title(phase)
        title = self.say(f"title.{phase.phase}", round=phase.round, rounds=self._rounds(phase))
        if not phase.step:
            return title
        return f"{title} ({self.say(f'title.step_{phase.step}')}, {self.say('title.together')})"

    def result(self, state: MatchState) -> Sequence[str]:
        """Return the line of the outcome, and how many of several elections the civilians won."""
        lines = tuple(super().result(state))
        results = state.ended.results if state.ended else ()
        if not results:
            return lines
        won = sum(one.outcome == "civ_win" for one in results)
        return (*lines, self.say("result.elections", won=won, count=len(results)))

    def _rounds(self, phase: PhaseStarted) -> int:
        """Return the number of rounds of a phase."""
        if phase.phase == "discussion":
            return self._options.rounds_before + self._options.rounds_after
        return len(self.observation.seats)

    def _discussion(self, rounds: int, *, again: bool) -> str:
        """Return the rule of a block of open rounds; empty without rounds."""
        if not rounds:
            return ""
        count = self.say("rules.round" if rounds == 1 else "rules.rounds", rounds=rounds)
        return self.say("rules.discussion_again" if again else "rules.discussion", count=count)

    def _voting(self) -> str:
        say, options = self.say, self._options
        vote = write_voting(
            say,
            options,
            voters=write_voters(say, self.observation.never_vote),
            secrecy="secret",
            announced="announce_votes" if options.tell_count else "",
        )
        written = self._free_text_vote() if options.vote == "free_text" else ""
        several = options.ballots > 1
        ballots = say(f"rules.ballots_{options.count}", ballots=options.ballots) if several else ""
        return join_sentences(self.observation.language, vote, written, ballots)

    def _free_text_vote(self) -> str:
        """Return the rule for the names in a written vote."""
        say, options = self.say, self._options
        again = say("rules.free_text_again") if options.tie == "revote" else ""
        whom = say("rules.free_text_all" if options.self_vote else "rules.free_text_others")
        return say("rules.free_text", whom=whom, again=again)

    def _candidates(self) -> tuple[SeatId, ...]:
        """Return the candidates of a written vote."""
        seen = self.observation
        phases = [event for event in seen.events if isinstance(event, PhaseStarted)]
        named = (phases[-1].candidates if phases else ()) or seen.seats
        return self._options.candidates(named, seen.seat)


def _is_written_vote(request: DecisionRequest) -> bool:
    return request.kind == "vote" and isinstance(request.spec, FreeText)
