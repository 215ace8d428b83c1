"""Questions to a seat: the words, the asker, and the form of the answer."""

from dataclasses import dataclass
from typing import Final

from arena.core.actions import Reply
from arena.core.observation import Observation
from arena.core.option_labels import list_options
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.specs import ActionSpec, FreeText, OneOf, spec_fields, variant_spec
from arena.players import prompts
from arena.players.methods.memory_units import find_open_question
from arena.players.thinkthrice.memories import find_last_speech
from arena.players.thinkthrice.method_texts import find_texts
from arena.players.thinkthrice.self_questions import SelfQuestions

_OWN_WORDS: Final = FreeText()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatQuestion:
    """One question to the seat."""

    name: str
    """Unique in its turn."""
    text: str
    asker: str = ""
    """A seat; empty: the host."""
    spec: ActionSpec = _OWN_WORDS
    demand: str = ""
    """The game's instruction, if the answer has the game's form or no seat asked."""
    is_heard: bool = False
    """The words are a speech to all, not a question."""
    events: tuple[int, ...] = ()
    """Events of the question itself, which are not memories."""


def make_reply_question(observation: Observation, request: DecisionRequest) -> SeatQuestion:
    """Return the question of a request for an answer or an introduction.

    An introduction without a question of the host uses the method's question.
    """
    asker, text = request.context_value(ASKER), request.context_value(QUESTION)
    if not text and request.purpose is Purpose.INTRODUCE:
        text = _opening(observation)
    has_own_form = not isinstance(request.spec, FreeText)
    demand = prompts.write_demand(observation, request) if has_own_form or not text else ""
    return SeatQuestion(
        name="reply",
        text=text or demand,
        asker=asker if asker in observation.seats else "",
        spec=request.spec,
        demand=demand,
        events=find_open_question(observation, asker, text),
    )


def make_sharing_question(observation: Observation) -> SeatQuestion:
    """Return the host's request to share knowledge."""
    return SeatQuestion(name="sharing", text=find_texts(observation.language)("sharing.demand"))


def make_speech_question(observation: Observation, request: DecisionRequest) -> SeatQuestion:
    """Return the question of a speech: in a free talk the last speech, else the game's demand."""
    demand = prompts.write_demand(observation, request)
    last = find_last_speech(observation) if isinstance(request.spec, OneOf) else None
    if last is None:
        return SeatQuestion(name="reply", text=demand, spec=request.spec, demand=demand)
    number, event = last
    return SeatQuestion(
        name="reply",
        text=event.text,
        asker=event.seat,
        spec=request.spec,
        demand=demand,
        is_heard=True,
        events=(number,),
    )


def draft_demand(
    inner: SelfQuestions, question: SeatQuestion, relation: str, recalled: Observation
) -> str:
    """Return the instruction of a draft: the question, and the material for its answer."""
    say, side = inner.say, "murderer" if recalled.is_murderer else "civilian"
    parts = [
        _describe(inner, question),
        say("relation.known", seat=question.asker, relation=quote(relation)) if relation else "",
        say("reply.remembered") if recalled.events else "",
        question.demand or f"{say(f'reply.{side}').strip()}\n{say('reply.only')}",
    ]
    return "\n".join(part.strip() for part in parts if part)


def find_text(question: SeatQuestion, reply: Reply) -> str:
    """Return the name of the text in a reply to `question`; empty if there is none."""
    spec = variant_spec(question.spec, reply.variant)
    fields = () if spec is None else spec_fields(spec)
    texts = (one.name for one in fields if isinstance(one.spec, FreeText) and reply[one.name])
    return next(texts, "")


def _describe(inner: SelfQuestions, question: SeatQuestion) -> str:
    if question.text == question.demand:
        return ""
    key = "host"
    if question.asker:
        key = "heard" if question.is_heard else "seat"
    return inner.say(f"reply.{key}", asker=question.asker, question=quote(question.text))


def _opening(observation: Observation) -> str:
    say = find_texts(observation.language)
    if not observation.victims:
        return say("opening.plain")
    victims = list_options(observation.victims, observation.language)
    return say("opening.case", victims=victims).strip()
