"""Prefix groups: questions that share a prompt prefix, which the server caches.

A prompt is rules, public background, public clues with their pictures, private scripts and private
clues, and last the question. So all seats of a script share the public part, and all questions of a
seat share everything except the question.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from arena.core.option_labels import list_options
from arena.core.quoting import defuse, quote
from arena.models.chat import Message
from eval.questions.answer_options import letters_of, render_options
from eval.questions.quiz_items import (
    OWN_SCRIPT_KINDS,
    QuizItem,
    make_items,
    visible_clues,
    visible_scripts,
)
from eval.questions.quiz_settings import PictureForm, QuizSettings
from eval.questions.wording import find_wording
from scripts_mm.script import Clue, Picture, Script

Compose = Callable[[Sequence[Picture]], Picture]
"""A function that combines several pictures into one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixGroup:
    """Questions with a common prompt prefix."""

    prefix: tuple[Message, ...]
    items: tuple[QuizItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLimits:
    """The form of pictures in a prompt."""

    texts: Mapping[str, str]
    """The OCR text of each picture, by its hash; needed only for `ocr`."""
    most: int | None = None
    """The most pictures per prompt; None: no known limit."""
    compose: Compose | None = None
    """Combines pictures if there are more than `most`."""


def make_prefix_groups(
    script: Script, settings: QuizSettings, limits: PictureLimits
) -> tuple[PrefixGroup, ...]:
    """Return all questions of a script in prefix groups."""
    items = make_items(script, settings)
    return tuple(
        PrefixGroup(prefix=prefix, items=tuple(group))
        for prefix, group in groupby(items, lambda item: make_prefix(item, settings, limits))
    )


def make_prefix(
    item: QuizItem, settings: QuizSettings, limits: PictureLimits
) -> tuple[Message, ...]:
    """Return the prompt of an item up to its question."""
    script, say = item.script, find_wording(item.script.language)
    clues = visible_clues(script, item.question, item.reader, settings)
    public = [clue for clue in clues if clue.owner is None]
    private = [clue for clue in clues if clue.owner is not None]
    names = list_options(script.names, script.language)
    opening = defuse(script.opening)
    known = (
        say("part.opening", opening=opening) if opening else "",
        say("part.roles", names=names),
    )
    scripts = [
        say("part.script", name=name, script=defuse(script.role(name).script))
        for name in visible_scripts(script, item.question, item.reader, settings)
    ]
    if settings.clues == "given" and scripts and item.question.kind not in OWN_SCRIPT_KINDS:
        scripts.append(_key_clue_text(script))
    messages = (
        Message(role="system", text=say("rules.text")),
        Message(role="user", text="\n\n".join(filter(None, known))),
        *_clue_messages(script, public, settings.pictures, limits),
        *(Message(role="user", text=text) for text in scripts if text),
        *_clue_messages(script, private, settings.pictures, limits),
    )
    return _on_grid(messages, script, limits)


def render_question(item: QuizItem) -> str:
    """Return the question with its options."""
    say = find_wording(item.script.language)
    eyes = say("question.eyes", name=item.reader) if item.reader else ""
    text = f"{eyes}\n{item.question.stem}\n{render_options(item.question, item.shown)}"
    return defuse(text.strip())


def render_demand(item: QuizItem) -> str:
    """Return the instruction on the form of the reply."""
    letters = letters_of(len(item.shown))
    language = item.script.language
    return find_wording(language)(
        f"question.{item.question.answer}",
        letters=list_options(letters, language),
        example=letters[0] + letters[-1],
    )


def _key_clue_text(script: Script) -> str:
    """Return the key clues as text; empty if the script has none."""
    say = find_wording(script.language)
    facts = dict.fromkeys(say("part.fact", fact=key.text) for key in script.truth.key_clues)
    return say("part.found", facts=defuse("\n".join(facts))) if facts else ""


def _clue_messages(
    script: Script, clues: Iterable[Clue], form: PictureForm, limits: PictureLimits
) -> Iterator[Message]:
    say = find_wording(script.language)
    for clue in clues:
        title, text = quote(clue.title), defuse(clue.text)
        key = "part.clue" if text else "part.clue_only"
        yield Message(role="user", text=say(key, title=title, text=text))
        for number, picture in enumerate(clue.pictures, start=1):
            line = partial(say, title=title, number=number, count=len(clue.pictures))
            if form == "image":
                yield Message(role="user", text=line("picture.image"), picture=picture)
            else:
                key, words = _in_words(picture, form, limits)
                yield Message(role="user", text=line(key, text=words))


def _in_words(picture: Picture, form: PictureForm, limits: PictureLimits) -> tuple[str, str]:
    """Return the wording key and the text that replace a picture."""
    if form == "none":
        return "picture.none", ""
    if form == "caption":
        key, text = "caption", picture.description
    else:
        key = "text"
        text = picture.transcript if form == "transcript" else limits.texts[picture.sha256]
    return f"picture.{key}{'' if text else '_missing'}", defuse(text)


def _on_grid(
    messages: tuple[Message, ...], script: Script, limits: PictureLimits
) -> tuple[Message, ...]:
    """Return `messages` with one board instead of more pictures than the model accepts."""
    pictures = tuple(one.picture for one in messages if one.picture is not None)
    if limits.most is None or limits.compose is None or len(pictures) <= limits.most:
        return messages
    say = find_wording(script.language)
    board = limits.compose(pictures)
    place = 0
    found: list[Message] = []
    for message in messages:
        if message.picture is None:
            found.append(message)
            continue
        place += 1
        found.append(Message(role="user", text=f"{message.text} ({place})"))
    return (*found, Message(role="user", text=say("picture.board"), picture=board))
