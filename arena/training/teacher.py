"""Teacher: it knows the case, and gives in a match the answers that the mini model learns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from arena.core.actions import Action, Reply
from arena.core.events import Said
from arena.core.observation import Observation
from arena.core.purposes import ASK_VARIANT, QUESTION, STATEMENT, TALK_VARIANT, TARGET, Purpose
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, Field, OneOf, spec_fields, variants
from arena.models.chat import Message
from arena.training.questions import AskedSeat, TrainingQuestion, draw_question, sentence, wordings
from arena.training.testimony import Statement, statements_of
from arena.training.thinking import Thought, think
from scripts_mm.generate.case import GeneratedCase
from scripts_mm.generate.text.fact_sentences import describe_trace
from scripts_mm.script import Language

_WRONG = 0.35
"""Share of the civilians' conclusions that name a wrong culprit, so that votes have to weigh them.
"""
_MOST_CHARS = {"en": 330, "zh": 110}
"""Maximum characters of a speech: fits in 80 words."""


def seat_of(case: GeneratedCase, language: Language, name: str) -> AskedSeat:
    """Return a seat as one that gets questions."""
    cast = case.rendered[language].cast
    victim = cast.aliases["victim"][-1] if language == "en" else cast.names["victim"]
    seats = [cast.names[one.id] for one in case.sampled.world.frame.suspects]
    return AskedSeat(
        language=language,
        name=name,
        victim=victim,
        others=tuple(one for one in seats if one != name),
    )


@dataclass(slots=True)
class Teacher:
    """Teacher for every request of one match; it remembers the questions that it put."""

    case: GeneratedCase
    language: Language
    rng: Random
    asked: dict[str, TrainingQuestion] = field(default_factory=dict[str, TrainingQuestion])
    """By text of the question."""
    named: str = ""
    """Suspect of the acting seat."""
    thoughts: dict[str, Thought] = field(default_factory=dict[str, Thought])
    """By request."""

    def act(self, observation: Observation, request: DecisionRequest) -> Action:
        """Return the answer to `request`."""
        variant = next(
            (one for one in variants(request.spec) if one.name in (ASK_VARIANT, TALK_VARIANT)),
            variants(request.spec)[0],
        )
        self.named = self._suspect(observation, request)
        named: dict[str, str] = {}
        for one in spec_fields(variant.spec):
            named[one.name] = self._value(observation, request, one, named)
        if isinstance(request.spec, OneOf):
            return Reply(values=tuple(named.items()), variant=variant.name)
        return Reply(values=tuple(named.items()))

    def think(
        self, observation: Observation, request: DecisionRequest, prompt: Sequence[Message]
    ) -> Thought:
        """Return the thought before the reply to `prompt`; the reply will follow it."""
        found = think(self.case, observation, request, prompt, self.rng)
        self.thoughts[request.id] = found
        return found

    def answers(self, request: DecisionRequest) -> tuple[str, ...]:
        """Return the answers to the question that a request quotes; empty if it quotes none."""
        found = self.asked.get(request.context_value(QUESTION))
        return () if found is None else found.answers

    def statements(self, seat: str) -> tuple[Statement, ...]:
        """Return the statements that a seat can make."""
        return statements_of(self.case, self.language, self._ids()[seat])

    def seat(self, name: str) -> AskedSeat:
        """Return a seat as one that gets questions."""
        return seat_of(self.case, self.language, name)

    def _value(
        self,
        observation: Observation,
        request: DecisionRequest,
        one: Field,
        named: dict[str, str],
    ) -> str:
        if isinstance(one.spec, Choice):
            return self._choose(observation, request, one.spec)
        match one.name:
            case "question":
                return self._ask(named.get(TARGET, ""))
            case "method":
                return self._method(observation)
            case "motive" | "reason":
                thought = self.thoughts.get(request.id)
                is_led = thought is not None and thought.suspect == self.named
                return thought.reason if thought and is_led else self._motive(observation)
            case _:
                return self._speak(observation, request, one.name)

    def _speak(self, observation: Observation, request: DecisionRequest, name: str) -> str:
        if request.is_question and name != STATEMENT:
            return self._answer(observation, request.context_value(QUESTION))
        if request.purpose is Purpose.INTRODUCE:
            return self._introduce(observation)
        return self._share(observation)

    def _introduce(self, observation: Observation) -> str:
        known = self.statements(observation.seat)
        post, motive = (
            next(one for one in known if one.topic == key) for key in ("post", "motive")
        )
        window = self.rng.choice([one for one in known if one.topic == "window"])
        return self._join_sentences(observation, [post.text, motive.text, window.text])

    def _share(self, observation: Observation) -> str:
        said = " ".join(
            one.text
            for one in observation.events
            if isinstance(one, Said) and one.seat == observation.seat
        )
        left = [
            one.text
            for one in self.statements(observation.seat)
            if one.topic not in ("post", "background", "feeling") and one.text not in said
        ]
        left = left or [one.text for one in self.statements(observation.seat)]
        at = self.rng.randrange(len(left))
        return self._join_sentences(observation, left[at : at + self.rng.randint(1, 3)])

    def _join_sentences(self, observation: Observation, sentences: Sequence[str]) -> str:
        most = _MOST_CHARS[observation.language]
        text, between = sentences[0], " " if observation.language == "en" else ""
        for one in sentences[1:]:
            if len(text) + len(one) + 1 <= most:
                text = f"{text}{between}{one}"
        return text

    def _ask(self, target: str) -> str:
        found = draw_question(self.seat(target), self.statements(target), self.rng)
        self.asked[found.text] = found
        return found.text

    def _answer(self, observation: Observation, question: str) -> str:
        found = self.asked.get(question)
        if found is None:
            return self._share(observation)
        return found.answers[0]

    def _choose(self, observation: Observation, request: DecisionRequest, choice: Choice) -> str:
        others = [one for one in choice.options if one in observation.seats]
        if request.purpose is Purpose.ASK:
            return self.rng.choice([one for one in others if one != observation.seat])
        return self.named if self.named in choice.options else choice.options[0]

    def _culprit(self) -> str:
        names = self.case.rendered[self.language].cast.names
        return names[self.case.sampled.world.crime.culprit]

    def _suspect(self, observation: Observation, request: DecisionRequest) -> str:
        """Return the suspect that a seat names: the culprit, or another in some conclusions."""
        thought = self.thoughts.get(request.id)
        if thought is not None and thought.suspect:
            return thought.suspect
        culprit = self._culprit()
        others = [one for one in observation.seats if one not in (observation.seat, culprit)]
        is_wrong = request.purpose is Purpose.CONCLUDE and self.rng.random() < _WRONG
        if culprit == observation.seat or is_wrong:
            return self.rng.choice(others)
        return culprit

    def _method(self, observation: Observation) -> str:
        """Return the method that a trace shows, or that the opening mentions."""
        for mark in marks_of(self.case, self.language, observation):
            return mark
        cast = self.case.rendered[self.language].cast
        end = "。" if self.language == "zh" else "."
        for one in observation.opening.replace("\n", end).split(end):
            if cast.weapon in one:
                return f"{one.strip()}{end}"
        return sentence(self.language, "no_motive", name=self.named)

    def _motive(self, observation: Observation) -> str:
        """Return what the seat knows or heard of the suspect: a trait before a motive."""
        heard = "\n".join(one.text for one in observation.events if isinstance(one, Said))
        for topic in ("other_trait", "other_motive"):
            for seat in observation.seats:
                for one in self.statements(seat):
                    is_known = seat == observation.seat or one.text in heard
                    if one.topic == topic and one.other == self.named and is_known:
                        return one.text
        return sentence(self.language, "no_motive", name=self.named)

    def _ids(self) -> dict[str, str]:
        """Return the suspects' ids by name."""
        names = self.case.rendered[self.language].cast.names
        return {names[one.id]: one.id for one in self.case.sampled.world.frame.suspects}


def marks_of(case: GeneratedCase, language: Language, observation: Observation) -> Iterator[str]:
    """Yield the findings of the traces among the clues, one sentence each."""
    shown_clues = {one.key for one in observation.clues if one.text or one.pictures}
    facts = {one.id: one for one in case.sampled.world.facts}
    say = wordings(language, "picture-answers")["trace"][0]
    for clue in case.sampled.world.frame.clues:
        fact = facts[clue.facts[0]]
        if clue.id in shown_clues and fact.form == "mark":
            mark = describe_trace(fact.trait, fact.value, case.rendered[language].cast, language)
            yield say.format(mark=mark)
