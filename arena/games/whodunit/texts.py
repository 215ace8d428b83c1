"""Texts of the game: rules under the options, roles, lines, instructions, headings."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from arena.core.events import Event, PhaseStarted, TurnSkipped
from arena.core.labels import ABSTAIN_LABELS, list_options
from arena.core.observation import Observation
from arena.core.options import speech_limit
from arena.core.quoting import defuse, quote
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, spec_fields, variants
from arena.core.state import MatchState
from arena.games.whodunit.options import WhodunitOptions
from arena.games.whodunit.phases import course
from arena.games.wording import Wording, load_wording
from scripts_mm.script import Language

_WORDING = Path(__file__).parent / "wording"


class WhodunitTexts:
    """The texts of one observer. Rules and case are the same for all seats of a match."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        options = observation.options
        assert isinstance(options, WhodunitOptions), f"{type(options).__name__} of another game"
        self._observation, self._options = observation, options
        self._say = _find_wording(observation.language)

    def rules(self) -> str:
        """Return the rules: phases, vote, how it is decided, conduct. The same for every script."""
        say, options = self._say, self._options
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
        parts = (
            say("rules.head"),
            clues if dealt else "",
            f"{say('rules.phases')}\n{numbered}",
            self._winning(),
            say("rules.conduct"),
        )
        return "\n\n".join(part for part in parts if part)

    def case(self) -> str:
        """Return what every seat knows of the case besides its opening."""
        say, seen = self._say, self._observation
        lines = (
            say("case.victims", victims=list_options(seen.victims, seen.language))
            if len(seen.victims) > 1
            else "",
            say("case.truthful") if seen.innocents_truthful else "",
        )
        return "\n".join(line for line in lines if line)

    def role(self) -> str:
        """Return the seat's side and goals."""
        say, own = self._say, self._observation.own
        mission = say("role.mission", mission=defuse(own.mission)) if own.mission else ""
        return "\n\n".join(filter(None, (self._side(), mission)))

    def line(self, event: Event) -> str:
        """Return the line for a phase that starts, or for a skipped turn."""
        match event:
            case PhaseStarted():
                return self._phase_line(event)
            case TurnSkipped(seat=seat, act=act):
                return self._say.get(f"line.skip_{act}", seat=seat)
            case _:
                return ""

    def instruction(self, request: DecisionRequest) -> str:
        """Return what the seat must do now."""
        say, language = self._say, self._observation.language
        kind = request.kind
        key = "vote_with_reason" if kind == "vote" and self._options.vote_with_reason else kind
        shared = kind in {"speak", "share_and_ask", "conclude"}
        values = {
            "options": list_options(_choices(request), language),
            "abstain": ABSTAIN_LABELS[language],
            "side": self._say.get(f"action.{'speak' if shared else kind}_{self._faction}"),
            "aim": say(f"action.aim_{self._faction}"),
            "asker": quote(request.quoted("asker")),
            "half": speech_limit(self._options, language) // 2,
        }
        return say(f"action.{key}", **values).strip()

    def thought(self, request: DecisionRequest) -> str:
        """Return what the seat should think about."""
        del request
        return self._say(f"thought.{self._faction}").strip()

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase, with how it is played."""
        say, options = self._say, self._options
        if phase.candidates:
            names = list_options(phase.candidates, self._observation.language)
            return say("title.revote", names=names)
        many = phase.phase == "discussion" and options.rounds > 1
        key = "discussion_round" if many else phase.phase
        title = say(f"title.{key}", round=phase.round, rounds=options.rounds)
        remarks = [say(f"title.step_{phase.step}")] if phase.step else []
        if phase.phase == "reasoning" and options.reasoning == "secret":
            remarks.append(say("title.secret"))
        elif self._is_together(phase):
            remarks.append(say("title.together"))
        return f"{title} ({', '.join(remarks)})" if remarks else title

    def action_name(self, act: str) -> str:
        """Return the name of a kind of request."""
        return self._say.get(f"act.{act}") or act

    def part_name(self, name: str) -> str:
        """Return the name of one value of a form."""
        return self._say.get(f"part.{name}") or name

    def result(self, state: MatchState) -> Sequence[str]:
        """Return how the vote decided the match."""
        outcome = state.ended.outcome if state.ended else ""
        line = self._say.get(f"result.{outcome}")
        return (line,) if line else ()

    @property
    def _faction(self) -> str:
        return "murderer" if self._observation.is_murderer else "civilian"

    @property
    def _open_vote(self) -> bool:
        return self._options.vote == "open" and not self._observation.never_vote

    def _side(self) -> str:
        say, own = self._say, self._observation.own
        if own.part.faction != "murderer":
            return say("role.civilian")
        if own.is_sole_murderer:
            return say("role.murderer")
        if own.part.knows:
            names = list_options(own.part.knows, self._observation.language)
            return say("role.murderer_with", names=names)
        return say("role.murderer_of_several")

    def _discussion(self) -> str:
        options = self._options
        count = "one" if options.rounds == 1 else "many"
        return self._say(f"rules.discussion_{count}", rounds=options.rounds) + self._say(
            f"rules.discussion_{options.answers}"
        )

    def _voting(self) -> str:
        say, options = self._say, self._options
        secrecy = "open" if self._open_vote else "secret"
        tells = options.tells_ballots(all_vote=not self._observation.never_vote)
        counted = "ballots" if tells else "votes"
        in_base = options.quorum != "plurality" and options.base == "eligible"
        vote = say(
            "rules.voting",
            voters=self._voters(),
            secrecy=say(f"rules.{secrecy}"),
            announced="" if self._open_vote else say(f"rules.announce_{counted}"),
            self_vote=say("rules.self_vote") if options.self_vote else "",
            abstain=say("rules.abstain_in_base" if in_base else "rules.abstain"),
        )
        reason = say("rules.reason") if options.vote_with_reason else ""
        return self._join(vote, reason)

    def _voters(self) -> str:
        silent = self._observation.never_vote
        if self._options.electorate == "civilians" or not silent:
            return self._say(f"rules.voters_{self._options.electorate}")
        return self._say(
            "rules.voters_one_silent" if silent == 1 else "rules.voters_silent", silent=silent
        )

    def _winning(self) -> str:
        say, options = self._say, self._options
        quorum = options.quorum
        accused = "plurality" if quorum == "plurality" else f"{quorum}_{options.base}"
        return self._join(say(f"rules.{accused}"), say("rules.result"), self._tie())

    def _tie(self) -> str:
        say, options = self._say, self._options
        last = options.last_tie
        nobody = say("rules.nobody_draw" if last == "draw" else "rules.nobody_loss")
        if options.quorum == "majority":
            return nobody
        several = "" if options.strict_one or last not in {"draw", "none"} else say("rules.guilty")
        if options.tie != "revote":
            return self._join(say(f"rules.tie_{options.tie}"), several, nobody)
        times = say("rules.times", revotes=options.revotes)
        revotes = say("rules.once") if options.revotes == 1 else times
        held = say("rules.tie_revote", revotes=revotes)
        return self._join(held, say(f"rules.then_{last}"), several, nobody)

    def _join(self, *sentences: str) -> str:
        between = "" if self._observation.language == "zh" else " "
        return between.join(sentence for sentence in sentences if sentence)

    def _phase_line(self, event: PhaseStarted) -> str:
        say, options = self._say, self._options
        if event.candidates:
            names = list_options(event.candidates, self._observation.language)
            return say("line.revote", names=names)
        if event.phase == "clues" and options.clues == "civilians" and self._is_murderer_seat:
            return say("line.clues_hidden")
        key = event.phase
        if event.step in {"ask", "answer"}:
            key = f"{event.phase}_{event.step}"
        return say(f"line.{key}", round=event.round, rounds=options.rounds)

    @property
    def _is_murderer_seat(self) -> bool:
        role = self._observation.role
        return role is not None and role.part.faction == "murderer"

    def _is_together(self, phase: PhaseStarted) -> bool:
        if phase.phase == "voting":
            return False
        steps = course(self._options, open_vote=self._open_vote)
        return any(
            step.mode == "simultaneous"
            for step in steps
            if (step.phase, step.round, step.step) == (phase.phase, phase.round, phase.step)
        )


@cache
def _find_wording(language: Language) -> Wording:
    return load_wording(_WORDING / f"{language}.toml")


def _choices(request: DecisionRequest) -> tuple[str, ...]:
    """Return the options of the request's first choice."""
    fields = (field for one in variants(request.spec) for field in spec_fields(one.spec))
    found = (field.spec.options for field in fields if isinstance(field.spec, Choice))
    return next(found, ())
