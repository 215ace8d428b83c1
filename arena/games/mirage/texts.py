"""Texts of the game: rules under the options, instructions, lines and headings."""

from collections.abc import Iterator, Sequence

from arena.core.events import (
    Announced,
    Event,
    PhaseStarted,
    Said,
    StageStarted,
    VotesTallied,
)
from arena.core.observation import Observation
from arena.core.option_labels import option_label
from arena.core.purposes import PLACE, STATEMENT, TARGET
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.specs import ABSTAIN, Choice, Field, spec_fields, variants
from arena.core.state import MatchState
from arena.games.mirage.options import MirageOptions
from arena.games.mirage.ratings import UTTERANCE
from arena.games.mirage.requests import EXPOSED
from arena.games.mirage.speeches import WORDING
from arena.games.shared.texts import GameTexts, choices_of
from arena.games.shared.vote_texts import join_sentences, write_voters, write_voting, write_winning


class MirageTexts(GameTexts):
    """The texts of one observer. Rules and case are the same for all seats of a match."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        super().__init__(observation, WORDING)
        options = observation.options
        assert isinstance(options, MirageOptions), f"{type(options).__name__} of another game"
        self._options = options
        self._staged = any(isinstance(event, StageStarted) for event in observation.events)

    def rules(self) -> str:
        """Return the rules: phases, vote, outcome, conduct."""
        say, options = self.say, self._options
        phases = filter(None, (*self._talk(), *self._decision()))
        numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(phases, start=1))
        parts = (
            say("rules.head"),
            f"{say('rules.phases')}\n{numbered}",
            say("rules.stages") if self._staged else "",
            say("rules.private_clues"),
            write_winning(say, options, self.observation.language),
            say("rules.conduct"),
        )
        return "\n\n".join(part for part in parts if part)

    def role(self) -> str:
        """Return the seat's faction and goals, and the confession before its speeches."""
        expose = self._options.expose
        if expose == "none" or not self.is_murderer_seat:
            return super().role()
        sentence = self.say("expose.sentence")
        told = self.say(f"role.exposed_{expose}", sentence=sentence)
        return "\n\n".join((super().role(), told))

    def line(self, event: Event) -> str:
        """Return the line for an event of this game."""
        match event:
            case Announced(topic="accusations", values=values):
                return "\n".join(self._accusations(dict(values)))
            case Announced(topic=topic, values=values):
                quoted = {name: quote(value) for name, value in values}
                return self.say.get(f"line.{topic}", **quoted)
            case Said(parts=((name, sentence), *rest)) if name == EXPOSED:
                spoken = (sentence, *(text for _, text in rest))
                return self._confession_line(
                    event, join_sentences(self.observation.language, *spoken)
                )
            case _:
                return super().line(event)

    def phase_line(self, event: PhaseStarted) -> str:
        """Return the host's line at the start of a phase."""
        if event.candidates:
            return super().phase_line(event)
        key = f"{event.phase}_{event.step}" if event.step == "act" else event.phase
        return self.say.get(f"line.{key}", **self._number(event))

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase, with its mode."""
        if phase.candidates:
            return super().title(phase)
        title = self.say(f"title.{phase.phase}", **self._number(phase))
        together = phase.phase in {"introduction", "accusation"}
        remark = self.say("title.together") if together else ""
        if phase.step:
            remark = self.say(f"title.step_{phase.step}")
        return self.say("title.remark", title=title, remark=remark) if remark else title

    def instruction(self, request: DecisionRequest) -> str:
        """Return the instruction for `request`."""
        kind, values = request.kind, self.values(request)
        match kind:
            case "act":
                return self._act(request)
            case "speak":
                return self.say("action.speak", side=self.say(f"action.speak_{self.faction}"))
            case "rate_suspicion" | "rate_trust":
                by = "observer" if request.onlooker else "seat"
                spoken = quote(request.context_value(UTTERANCE))
                demand = self.say(f"action.{kind}_{by}", utterance=spoken, **values)
                return f"{demand}\n{self.say('action.rate_reply')}".strip()
            case "vote" if choices_of(request) == (ABSTAIN,):
                return self.say("action.vote_nobody", **values).strip()
            case _:
                return super().instruction(request)

    def thought(self, request: DecisionRequest) -> str:
        """Return a hint on what to think about before the answer."""
        if request.onlooker:
            return self.say("thought.observer").strip()
        return super().thought(request)

    def result(self, state: MatchState) -> Sequence[str]:
        """Return the line of the outcome, or that no seat was accused."""
        if state.ended is None or any(isinstance(event, VotesTallied) for event in state.history):
            return super().result(state)
        line = self.say.get(f"result.unaccused_{state.ended.outcome}")
        return (line,) if line else ()

    def _talk(self) -> Iterator[str]:
        """Yield the rules of introductions, conversation and searches."""
        say, options = self.say, self._options
        again = self._staged and options.introductions == "each_stage"
        yield say(f"rules.introduction_{'each_stage' if again else 'first'}")
        yield join_sentences(
            self.observation.language,
            say(f"rules.conversation_{self._scope()}", rounds=options.rounds)
            + say(f"rules.duties_{options.duties}"),
            say(f"rules.clue_draw_{options.clue_draw}"),
            "" if options.own_place else say("rules.own_place"),
            say("rules.empty_place"),
        )
        if count := options.forced_investigations:
            when = say("rules.search_stage" if self._staged else "rules.search_end")
            key = "rules.search_one" if count == 1 else "rules.search_many"
            yield say(key, when=when, count=count)

    def _decision(self) -> Iterator[str]:
        """Yield the rules of accusations and of the vote."""
        say, options = self.say, self._options
        accuses = options.vote == "accuse_then_vote"
        if accuses:
            yield say("rules.accusation")
        tells = options.tie != "revote" or not self.observation.never_vote
        vote = write_voting(
            say,
            options,
            voters=write_voters(say, self.observation.never_vote),
            secrecy="secret",
            announced="announce_ballots" if tells else "announce_votes",
        )
        yield join_sentences(
            self.observation.language,
            vote,
            say("rules.vote_accused") if accuses else "",
            "" if options.accusers_vote else say("rules.not_accusers"),
        )

    def _scope(self) -> str:
        """Return the suffix of the key for the distribution of the rounds."""
        options, is_one = self._options, self._options.rounds == 1
        if self._staged and options.rounds_in == "stage":
            return "stage_one" if is_one else "stage"
        if is_one:
            return "one"
        return "match" if self._staged else "many"

    def _number(self, phase: PhaseStarted) -> dict[str, object]:
        """Return the number of a round (within its stage if rounds are per stage) and the total."""
        options, number = self._options, phase.round
        if phase.phase == "conversation" and options.rounds_in == "stage":
            number = (number - 1) % options.rounds + 1
        return {"round": number, "rounds": options.rounds}

    def _act(self, request: DecisionRequest) -> str:
        """Return the instruction of a turn, with one line for each variant."""
        ways = variants(request.spec)
        fields = {one.name: spec_fields(one.spec) for one in ways}
        speaks = any(field.name == STATEMENT for way in fields.values() for field in way)
        head = self.say(
            "action.act" if speaks else "action.act_only",
            side=self.say(f"action.speak_{self.faction}") if speaks else "",
        )
        lines = (
            self.say(
                f"action.way_{name}{'' if speaks else '_only'}",
                aim=self.say(f"action.aim_{self.faction}"),
                targets=self.names(_options(way, TARGET)),
                places=self.names(_options(way, PLACE)),
            ).strip()
            for name, way in fields.items()
        )
        return "\n".join((head.strip(), *lines))

    def _accusations(self, chosen: dict[str, str]) -> Iterator[str]:
        yield self.say("line.accusations")
        for seat, choice in chosen.items():
            key = "line.accuses_nobody" if choice == ABSTAIN else "line.accuses"
            yield self.say(key, seat=seat, choice=option_label(choice, self.observation.language))
        if set(chosen.values()) == {ABSTAIN}:
            yield self.say("line.nobody_accused")

    def _confession_line(self, event: Said, text: str) -> str:
        key = "line.exposed" if event.to is None else "line.exposed_answer"
        return self.say(key, seat=event.seat, to=event.to, text=quote(text))


def _options(fields: tuple[Field, ...], name: str) -> tuple[str, ...]:
    """Return the options of the choice `name`; empty if there is none."""
    found = (one.spec for one in fields if one.name == name)
    return next((spec.options for spec in found if isinstance(spec, Choice)), ())
