"""Prompts: an observation and a request as messages. Pure, so tests compare prompts as text.

The order is always rules, role, log, instruction. All seats and scripts have the same rules, the
role message begins with the part that all seats of the script share, and text that differs between
matches comes after the private script, so that prompts of many matches share their prefixes.
"""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final, Literal

from arena.core.events import Event, QuestionAsked, Said, VoteCast
from arena.core.game import Texts
from arena.core.observation import Observation
from arena.core.option_labels import list_options, option_label
from arena.core.options import speech_limit
from arena.core.quoting import defuse, quote
from arena.core.requests import DecisionRequest
from arena.core.specs import CHOICE, TEXT, Choice, spec_fields, variants
from arena.games.game_registry import find_game
from arena.games.wording import Wording
from arena.models.chat import Message
from arena.players.event_lines import ClueRenderer, event_messages
from arena.players.wording import find_wording
from scripts_mm.script import Language

HEADER_LENGTH: Final = 2
"""Messages of a header: rules, role. No later text is merged into them: the tokenizer, the record
and the prediction of cache hits share prefixes of whole messages, and all matches of a script have
the same header, while the first lines of the log differ."""

ScriptForm = Literal["you", "you_summary", "you_parts"]
"""Form of the private script in a prompt: whole, a summary, or parts."""


def header(
    observation: Observation, script: str | None = None, form: ScriptForm = "you_summary"
) -> tuple[Message, ...]:
    """Return the header of every prompt of this seat: rules and role.

    `script` replaces the whole private script, in this `form`.
    """
    if observation.is_onlooker:
        return _onlooker_header(observation)
    say, texts = find_wording(observation.language), _find_texts(observation)
    words = speech_limit(observation.options, observation.language)
    private = say(
        "role.you" if script is None else f"role.{form}",
        seat=observation.seat,
        script=defuse(observation.own.script if script is None else script),
        gap=say("line.gap"),
    )
    opening = defuse(observation.opening)
    parts = (
        say("role.opening", opening=opening) if opening else "",
        say("role.seats", seats=list_options(observation.seats, observation.language)),
        texts.case(),
        private,
        texts.role(),
    )
    return (
        Message(role="system", text=f"{texts.rules()}\n\n{say('conduct.text', words=words)}"),
        Message(role="user", text="\n\n".join(part for part in parts if part)),
    )


def _onlooker_header(observation: Observation) -> tuple[Message, ...]:
    """Return the header of an onlooker: rules, and the public facts of the case."""
    say, texts = find_wording(observation.language), _find_texts(observation)
    opening = defuse(observation.opening)
    parts = (
        say("role.opening", opening=opening) if opening else "",
        say("role.seats", seats=list_options(observation.seats, observation.language)),
        texts.case(),
    )
    return (
        Message(role="system", text=f"{say('conduct.onlooker')}\n\n{texts.rules()}"),
        Message(role="user", text="\n\n".join(part for part in parts if part)),
    )


def lines(
    observation: Observation,
    start: int,
    stop: int,
    *,
    show: ClueRenderer | None = None,
    replied: Collection[str] | None = None,
) -> tuple[Message, ...]:
    """Return the lines of the events from `start` to before `stop`; one picture per message.

    The seat's own words are omitted if the log has them as a reply: those of the requests
    `replied`, or all of them without `replied`. `show` renders a clue; without it pictures stay
    pictures.
    """
    found: list[Message] = []
    for number, event in enumerate(observation.events[start:stop], start=start):
        if not _is_reply(observation, event, replied):
            found += event_messages(observation, number, show)
        elif isinstance(event, Said | QuestionAsked) and event.truncated:
            text = find_wording(observation.language)("line.truncated")
            found.append(Message(role="user", text=text))
    return merge_text(found)


def merge_text(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Merge consecutive user texts to one message each; a picture stays a separate message."""
    merged: list[Message] = []
    for is_text, group in groupby(messages, key=_is_text):
        row = list(group)
        if is_text and len(row) > 1:
            row = [Message(role="user", text="\n".join(message.text for message in row))]
        merged += row
    return tuple(merged)


def add_instruction(messages: Sequence[Message], instruction: Message) -> tuple[Message, ...]:
    """Return a prompt that ends with `instruction`, merged into the last text after the header."""
    if len(messages) <= HEADER_LENGTH or not _is_text(messages[-1]):
        return (*messages, instruction)
    text = f"{messages[-1].text}\n\n{instruction.text}"
    return (*messages[:-1], Message(role="user", text=text))


def instruction(
    observation: Observation, request: DecisionRequest, demand: str | None = None
) -> str:
    """Return the instruction; after a rejected answer, with the error and the options.

    `demand` replaces the text of `write_demand`.
    """
    demand = write_demand(observation, request) if demand is None else demand
    if request.last_error is None:
        return demand
    say = find_wording(observation.language)
    error = _write_error(say, observation, request)
    return say("error.correction", error=error, demand=demand).strip()


def write_demand(observation: Observation, request: DecisionRequest) -> str:
    """Return the game's instruction, or the question of the platform's probe."""
    if request.is_probe:
        return _write_probe(find_wording(observation.language), observation, request)
    return _find_texts(observation).instruction(request)


def thought(observation: Observation, request: DecisionRequest) -> str:
    """Return the instruction to think first, in a separate call."""
    say = find_wording(observation.language)
    game_hint = "" if request.is_probe else _find_texts(observation).thought(request)
    return say("cot.thought", hint=game_hint or say("cot.hint")).strip()


def ask_reply(language: Language) -> Message:
    """Return the message that asks for the reply after a thought."""
    return Message(role="user", text=find_wording(language)("cot.now"))


def _find_texts(observation: Observation) -> Texts:
    return find_game(observation.game).texts(observation)


def _is_reply(observation: Observation, event: Event, replied: Collection[str] | None) -> bool:
    """Return whether the log has `event` as the seat's own reply."""
    if not isinstance(event, Said | QuestionAsked | VoteCast) or event.seat != observation.seat:
        return False
    return replied is None or event.request in replied


def _is_text(message: Message) -> bool:
    return message.role == "user" and message.picture is None


def _write_probe(say: Wording, observation: Observation, request: DecisionRequest) -> str:
    choices = (
        option
        for variant in variants(request.spec)
        for field in spec_fields(variant.spec)
        if isinstance(field.spec, Choice)
        for option in field.spec.options
    )
    options = list_options(choices, observation.language)
    if question := defuse(request.context_value("question")):
        return say("probe.question", question=question, options=options).strip()
    culprit = _find_texts(observation).culprit()
    return say("probe.ballot", culprit=culprit, options=options).strip()


def _write_error(say: Wording, observation: Observation, request: DecisionRequest) -> str:
    """Return why the last answer was rejected, with the field of a form and its options."""
    error, language = request.last_error, observation.language
    assert error is not None, "no answer was rejected"
    options = {
        field.name: field.spec.options
        for variant in variants(request.spec)
        for field in spec_fields(variant.spec)
        if isinstance(field.spec, Choice)
    }
    names = options.get(error.field) or tuple(one.name for one in variants(request.spec))
    alone = error.field in {"", TEXT, CHOICE}
    return say(
        f"error.{error.code}{'' if alone else '_field'}",
        field=quote(error.field),
        text=quote(option_label(error.text, language)),
        options=list_options(names, language),
    )
