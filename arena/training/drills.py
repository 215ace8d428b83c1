"""Drills: short sequences that train one ability each, with sentences that occur in no case."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

from tokenizers import Tokenizer

from arena.models.chat import Message
from arena.players.script_text.first_person import speak_as_role
from arena.training.encode import TrainingSample
from arena.training.lookup import Repeat, find_targets
from scripts_mm.script import Language
from serving.standin import bpe_tokenizer as standin

_WORDS = Path(standin.__file__).with_name("words.json")
_SPECIAL = 8
"""Number of tokens at the beginning of the vocabulary that never occur in texts."""


def copy_drill(tokenizer: Tokenizer, rng: Random) -> TrainingSample:
    """Return random tokens with repeated parts, which are learned."""
    size = tokenizer.get_vocab_size()
    first = [rng.randrange(_SPECIAL, size) for _ in range(rng.randint(60, 300))]
    ids, learned = list(first), [False] * len(first)
    repeats: list[Repeat] = []
    for _ in range(rng.randint(2, 5)):
        start = rng.randrange(len(first) - 20)
        part = first[start : start + rng.randint(20, 60)]
        ids += [rng.randrange(_SPECIAL, size), *part]
        learned += [False, False, *[True] * (len(part) - 1)]
        # Its first token cannot be predicted.
        repeats.append(
            Repeat((len(ids) - len(part) + 1, len(ids)), (start + 1, start + len(part)), None)
        )
    goals = tuple(find_targets(ids, [], repeats))
    return TrainingSample(kind="copy", ids=tuple(ids), learned=tuple(learned), goals=goals)


def prose(language: Language, rng: Random, sentences: int) -> tuple[str, ...]:
    """Return sentences of random words in the second person, like private scripts."""
    return tuple(_sentence(language, rng) for _ in range(sentences))


def prose_script(sentences: Sequence[str], language: Language, rng: Random) -> str:
    """Return sentences in paragraphs."""
    paragraphs: list[str] = []
    left = list(sentences)
    while left:
        count = rng.randint(2, 6)
        paragraphs.append(("" if language == "zh" else " ").join(left[:count]))
        del left[:count]
    return "\n\n".join(paragraphs)


def prose_question(sentence: str, language: Language, rng: Random) -> tuple[str, str]:
    """Return a question with words of a sentence, and the sentence in the first person."""
    words = _content(sentence, language)
    count = min(len(words), rng.randint(1, 3))
    start = rng.randrange(len(words) - count + 1)
    about = (" " if language == "en" else "").join(words[start : start + count])
    return rng.choice(_FRAMES[language]).format(about=about), speak_as_role(sentence, language)


_FRAMES: Mapping[Language, tuple[str, ...]] = {
    "en": (
        "What do you know of {about}?",
        "What about {about}?",
        "Tell us of {about}.",
        "What can you say about {about}?",
        "And {about}: what was it?",
        "Where was {about}?",
        "When was it, with {about}?",
        "Why {about}?",
    ),
    "zh": (
        "关于{about}，你知道些什么？",
        "{about}是怎么回事？",
        "请说说{about}。",
        "{about}呢，你怎么说？",
        "{about}在哪里？",
        "{about}是什么时候的事？",
        "为什么{about}？",
    ),
}
_OPENINGS: Mapping[Language, tuple[str, ...]] = {
    "en": ("You", "You were", "Your", "At {n}:{m} you", "From {n}:{m} you", "In the {w} you",
           "The {w}", "When you", "It was you who", "{W} and you", "Then you", "You have",
           "You know that the {w}"),
    "zh": ("你", "你在", "你的", "{n}:{m}，你", "从{n}:{m}起，你", "在{w}，你", "那{w}", "后来你",
           "{w}和你", "你知道{w}", "你看见"),
}  # fmt: skip


def _sentence(language: Language, rng: Random) -> str:
    words = _words()[language]
    found = {
        "n": str(rng.randint(6, 23)),
        "m": f"{rng.randrange(60):02}",
        "w": rng.choice(words),
        "W": rng.choice(words).capitalize(),
    }
    opening = rng.choice(_OPENINGS[language]).format_map(found)
    body = [rng.choice(words) for _ in range(rng.randint(4, 14))]
    if language == "zh":
        return f"{opening}{_with_pauses(''.join(body), '，', rng)}。"
    return f"{opening} {_with_pauses(' '.join(body), ',', rng)}."


def _with_pauses(text: str, pause: str, rng: Random) -> str:
    if pause == "," and rng.random() < 1 / 3:
        words = text.split(" ")
        at = rng.randrange(len(words))
        words[at] = f"{words[at]},"
        return " ".join(words).rstrip(",")
    if pause != "," and rng.random() < 1 / 3:
        at = rng.randrange(1, len(text))
        return f"{text[:at]}{pause}{text[at:]}"
    return text


def _content(sentence: str, language: Language) -> list[str]:
    if language == "en":
        words = sentence.rstrip(".").replace(",", "").split(" ")
        return [one for one in words if "ou" not in one][1:] or ["it"]
    text = sentence.rstrip("。").replace("，", "").replace("你", "")
    return [text[at : at + 2] for at in range(0, len(text) - 1, 2)] or [text]


@cache
def _words() -> Mapping[Language, tuple[str, ...]]:
    book = json.loads(_WORDS.read_text(encoding="utf-8"))
    characters = standin.common_characters()
    rng = Random(0)
    pairs = ["".join(rng.sample(characters, rng.randint(1, 3))) for _ in range(1500)]
    english = [word for line in book["en"] for word in line.split()]
    syllables = [
        "ba",
        "dor",
        "len",
        "mi",
        "ra",
        "ston",
        "ver",
        "wick",
        "ten",
        "hol",
        "gar",
        "bri",
        "sel",
        "ka",
        "nor",
    ]
    made = ["".join(rng.sample(syllables, rng.randint(2, 3))) for _ in range(1500)]
    chinese = [word for line in book["zh"] for word in line.split()]
    return {
        "en": (*english, *made, *[one.capitalize() for one in made[:500]]),
        "zh": (*chinese, *pairs),
    }


def as_messages(header: Sequence[Message], turns: Sequence[tuple[Message, str]]) -> list[Message]:
    """Return a conversation of questions and replies."""
    messages = list(header)
    for asked, reply in turns:
        messages += [asked, Message(role="assistant", text=reply)]
    return messages
