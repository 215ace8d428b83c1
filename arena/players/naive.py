"""Naive players: they need no model and never deceive on purpose."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from arena.core.actions import Action, Reply, Skip, choose, say
from arena.core.events import Said
from arena.core.observation import Observation
from arena.core.purposes import QUESTION, TARGET, Purpose
from arena.core.requests import DecisionRequest
from arena.core.specs import ABSTAIN, Choice, Form, FreeText, OneOf, Variant
from arena.players.baselines import draw_option, fill_variant
from arena.players.player import Answer
from arena.players.script_text.accusation import accuses, speaks_of_role
from arena.players.script_text.own_script import OwnScript, read_own_script
from scripts_mm.script import Language

_LOOKED_UP = 5
"""Sentences about the murder in which the player looks for its own guilt."""
_BEGINNING = 12
"""Sentences at the start of the script from which the introduction is chosen."""
_INTRODUCED = 3
"""Sentences of the introduction, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    dont_know: str
    confession: str
    denial: str
    name: str
    question: str


_WORDS: Mapping[Language, _Words] = {
    "en": _Words(
        dont_know="I don't know.",
        confession="Yes. I am the murderer.",
        denial="I do not know. I am not the murderer.",
        name="I am {name}.",
        question="What do you know about the case?",
    ),
    "zh": _Words(
        dont_know="我不知道。",
        confession="是的，我就是凶手。",
        denial="我不知道。我不是凶手。",
        name="我是{name}。",
        question="关于这起案件，你知道些什么？",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NaivePlayer:
    """Answers with sentences of its own script; a murderer confesses when accused.

    The retrieval agent of the WhodunitBench paper, which only answers questions. The retriever and
    the test of an accusation are our choice. If all must accuse a seat in public, it accuses a
    random one: a seat without an accusation would stand out as the murderer.
    """

    top_k: int = 3
    min_score: float = 2.0
    """BM25 score of a sentence, at least."""
    confess: Literal["on", "off", "always"] = "on"
    """When accused: confess if the seat's own script confirms it, never, or always."""
    votes: Literal["never", "random"] = "never"
    """Votes of a murderer; a civilian always votes, at random."""
    share: bool = False
    """Say a sentence of its script about the victims when it can speak unasked."""
    asks: bool = False
    """Ask a fixed question when it can ask."""

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the answer from the seat's script."""
        return Answer(action=self._act(observation, request, chance))

    def _act(self, observation: Observation, request: DecisionRequest, chance: Random) -> Action:
        match request.spec:
            case FreeText():
                return self._speak(observation, request)
            case Choice() as choice:
                return self._choose(observation, request, choice, chance)
            case Form() as form:
                return self._fill(observation, request, form, chance)
            case OneOf():
                return Skip()

    def _speak(self, observation: Observation, request: DecisionRequest) -> Action:
        if is_introduction(observation, request):
            return say(_introduce(observation))
        if request.is_question:
            return say(self._answer(observation, request.context_value(QUESTION)))
        shared = self._share(observation)
        return say(shared) if shared else Skip()

    def _answer(self, observation: Observation, question: str) -> str:
        words, script = _WORDS[observation.language], read_own_script(observation)
        if observation.is_murderer and self._confesses(script, question):
            return words.confession
        found = script.search(question, most=self.top_k, least_score=self.min_score)
        return found or words.dont_know

    def _confesses(self, script: OwnScript, question: str) -> bool:
        if self.confess == "off" or not accuses(question, script.language):
            return False
        return self.confess == "always" or script.confirms_murder(_LOOKED_UP)

    def _share(self, observation: Observation) -> str:
        if not self.share:
            return ""
        victims = " ".join(observation.victims)
        return read_own_script(observation).search(victims, most=1, least_score=0)

    def _choose(
        self, observation: Observation, request: DecisionRequest, choice: Choice, chance: Random
    ) -> Action:
        if request.purpose is Purpose.ACCUSE:
            return choose(_draw_other(observation, choice, chance))
        if ABSTAIN in choice.options:
            return choose(self._vote(observation, choice, chance))
        if request.off_path:
            return choose(draw_option(choice, chance, {observation.seat}))
        return Skip()

    def _vote(self, observation: Observation, choice: Choice, chance: Random) -> str:
        if observation.is_murderer and self.votes == "never":
            return ABSTAIN
        return _draw_other(observation, choice, chance)

    def _fill(
        self, observation: Observation, request: DecisionRequest, form: Form, chance: Random
    ) -> Action:
        words, target = _WORDS[observation.language], find_target(form)
        if target is not None and request.purpose is Purpose.ACCUSE:
            accused = _draw_other(observation, target, chance)
            return fill_form(form, words.dont_know, accused)
        if target is not None and ABSTAIN in target.options:
            vote = self._vote(observation, target, chance)
            return fill_form(form, words.dont_know, vote)
        if request.is_question:
            spoken = self._answer(observation, request.context_value(QUESTION))
        else:
            spoken = self._share(observation) if target else ""
        if self.asks and target is not None:
            chosen = draw_option(target, chance, {observation.seat})
            return _put_question(form, spoken or words.dont_know, chosen, words.question)
        names = [one.name for one in form.fields[:1] if isinstance(one.spec, FreeText)]
        return Skip(partial=tuple((name, spoken) for name in names if spoken))


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveDataPlayer:
    """The murderer of the released data: a fixed introduction and one fixed reply.

    If all must accuse a seat in public, it accuses a random one, as `NaivePlayer` does.
    """

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the fixed sentence of the script, or a default in the script's language."""
        return Answer(action=_act_by_data(observation, request, chance))


def is_introduction(observation: Observation, request: DecisionRequest) -> bool:
    """Return whether the answer is an introduction: on request, or unasked as the first speech."""
    if request.purpose is not Purpose.OTHER:
        return request.purpose is Purpose.INTRODUCE
    seat = observation.seat
    has_spoken = any(isinstance(one, Said) and one.seat == seat for one in observation.events)
    return not (request.is_question or has_spoken)


def find_target(form: Form) -> Choice | None:
    """Return the required choice of a form, such as the seat to ask; None: it requires none."""
    needed = {
        field.name: field.spec
        for field in form.fields
        if not field.optional and isinstance(field.spec, Choice)
    }
    return needed.get(TARGET) or next(iter(needed.values()), None)


def fill_form(form: Form, text: str, option: str) -> Reply:
    """Return a reply with `text` in every text and `option` in every choice that has it."""

    def pick(choice: Choice) -> str:
        return option if option in choice.options else choice.options[0]

    return fill_variant(Variant(name="", spec=form), text, pick)


def _draw_other(observation: Observation, choice: Choice, chance: Random) -> str:
    """Return another seat at random, or an abstention if there is none."""
    others = [one for one in choice.options if one not in {ABSTAIN, observation.seat}]
    return chance.choice(others) if others else ABSTAIN


def _put_question(form: Form, spoken: str, target: str, question: str) -> Reply:
    """Return a reply with `spoken` before the choice and `question` after it."""
    filled = fill_form(form, question, target)
    first = next(name for name, value in filled.values if value == question)
    is_spoken = isinstance(form.fields[0].spec, FreeText)
    return Reply(
        values=tuple(
            (name, spoken) if is_spoken and name == first else (name, value)
            for name, value in filled.values
        )
    )


def _introduce(observation: Observation) -> str:
    words, script = _WORDS[observation.language], read_own_script(observation)
    sentences = script.beginning(_BEGINNING)
    own = [
        one
        for one in sentences
        if observation.seat in one or speaks_of_role(one, observation.language)
    ]
    said = script.say(iter(own[:_INTRODUCED] or sentences[:2]))
    return said or words.name.format(name=observation.seat)


def _act_by_data(observation: Observation, request: DecisionRequest, chance: Random) -> Action:
    words, own = _WORDS[observation.language], observation.own
    match request.spec:
        case Choice() as choice if request.purpose is Purpose.ACCUSE:
            return choose(_draw_other(observation, choice, chance))
        case FreeText() if is_introduction(observation, request):
            return say(own.introduction or words.name.format(name=observation.seat))
        case FreeText() if request.is_question:
            return say(own.reply or words.denial)
        case Choice(options=options) if ABSTAIN in options:
            return choose(ABSTAIN)
        case Form() as form if (vote := find_target(form)) and ABSTAIN in vote.options:
            return fill_form(form, words.denial, ABSTAIN)
        case _:
            return Skip()
