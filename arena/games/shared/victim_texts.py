"""Texts of games that vote on each victim: sides, instructions, rules of the vote, results."""

from collections.abc import Sequence
from pathlib import Path

from arena.core.events import PhaseStarted, VictimResult
from arena.core.observation import Observation
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState
from arena.games.shared.options import VictimOptions
from arena.games.shared.texts import GameTexts
from arena.games.shared.vote_texts import join_sentences, write_voters, write_voting, write_winning

_WORDING = Path(__file__).parent / "victim_wording"


class VictimTexts(GameTexts):
    """Texts for one observer. The killer of one victim is an ordinary seat for the others."""

    def __init__(self, observation: Observation, wording: Path) -> None:
        """Load the texts of votes on victims, overridden by the game's in the folder `wording`."""
        super().__init__(observation, _WORDING, wording)

    def case(self) -> str:
        """Return the victims, and whether the innocent seats' scripts are true."""
        say, seen = self.say, self.observation
        key = "case.victims" if self.has_several else "case.victim"
        lines = (
            say(key, victims=self.names(seen.victims)) if seen.victims else "",
            say("case.truthful") if seen.innocents_truthful else "",
        )
        return "\n".join(line for line in lines if line)

    def side(self) -> str:
        """Return the victims of the seat, and its knowledge of other murderers."""
        own, say, victims = self.observation.own, self.say, self.observation.victims
        if own.part.faction != "murderer" or not self.has_several:
            return super().side()
        killed = [one for one in victims if one in own.part.guilty_of]
        others = [one for one in victims if one not in own.part.guilty_of]
        if own.is_sole_murderer:
            company = say("role.alone")
        elif own.part.knows:
            company = say("role.not_alone_with", names=self.names(own.part.knows))
        else:
            company = say("role.not_alone")
        return join_sentences(
            self.observation.language,
            say("role.killer", victims=self.names(killed)),
            say("role.ordinary", victims=self.names(others)) if others else "",
            company,
        )

    def values(self, request: DecisionRequest) -> dict[str, object]:
        """Return the values for an instruction, by the seat's stance to the victim."""
        stance, say = self.stance(request.about), self.say
        about = quote(request.about)
        return {
            **super().values(request),
            "about": say("action.matter", about=about) if about else say("action.matter_unnamed"),
            "side": say.get(f"action.{request.kind}_{stance}"),
            "aim": say(f"action.aim_{stance}"),
        }

    def phase_line(self, event: PhaseStarted) -> str:
        """Return the host's line at the start of a phase."""
        if event.candidates and self.has_several:
            return self.say("line.revote_several")
        return super().phase_line(event)

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase."""
        if phase.candidates and self.has_several:
            return self.say("title.revote_several")
        return super().title(phase)

    def result(self, state: MatchState) -> Sequence[str]:
        """Return the result of each vote, then that of the match."""
        ended = state.ended
        if ended is None or not self.has_several:
            return super().result(state)
        lines = tuple(self._victim_result(one) for one in ended.results)
        return (*lines, self.say.get(f"result.several_{ended.outcome}"))

    def voting(self) -> str:
        """Return the rules of the votes."""
        options, seen = self.options, self.observation
        voters = write_voters(self.say, seen.never_vote)
        return write_voting(
            self.say, options, voters=voters, secrecy="secret", announced="announce_votes"
        )

    def winning(self) -> str:
        """Return the rules for a solved murder and for winning the match."""
        say, options, language = self.say, self.options, self.observation.language
        return join_sentences(
            language,
            write_winning(say, options, language),
            say(f"rules.match_{options.match_rule}"),
            say("rules.match_undecided") if options.last_tie == "draw" else "",
            say("rules.not_counted"),
        )

    def stance(self, about: str) -> str:
        """Return the seat's stance to a victim, in the keys of texts; empty `about`: to all."""
        if not self.observation.is_murderer:
            return "civilian"
        guilty_of = self.observation.own.part.guilty_of
        return "murderer" if not about or about in guilty_of else "ordinary"

    @property
    def options(self) -> VictimOptions:
        """The options of the match."""
        options = self.observation.options
        assert isinstance(options, VictimOptions), f"{type(options).__name__} of another game"
        return options

    @property
    def has_several(self) -> bool:
        """Whether there are votes on several victims."""
        return len(set(self.observation.victims)) > 1

    def _victim_result(self, result: VictimResult) -> str:
        named = self.names(result.named) or self.say("result.nobody")
        how = result.outcome or "uncounted"
        if how == "murderer_win" and len(result.named) > 1:
            how = "tied"
        return self.say(f"result.victim_{how}", about=result.about, named=named)
