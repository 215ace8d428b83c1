"""Folders of invented models: our own small templates that behave as the families' do."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tokenizers
from tokenizers import AddedToken, Regex, decoders, normalizers, pre_tokenizers, trainers
from tokenizers.models import BPE

from arena.models.chat import Message
from scripts_mm.script import Picture

START, END, STOP, BEGIN = "<|from|>", "<|over|>", "<|stop|>", "<|begin|>"
IMAGE, BEFORE, AFTER = "<|picture|>", "<|look|>", "<|looked|>"
SPECIAL = (STOP, START, END, BEFORE, AFTER, IMAGE, BEGIN)

LETTER = Picture(sha256="a" * 64, file="letter.png", mime="image/png", width=56, height=28)
KNIFE = Picture(sha256="b" * 64, file="knife.png", mime="image/png", width=28, height=28)

_PARTS = """\
{%- macro told(content) -%}
{%- if content is string -%}{{ content }}
{%- else -%}
{%- for part in content -%}
{%- if part.type == 'image' -%}<|look|><|picture|><|looked|>{%- else -%}{{ part.text }}{%- endif -%}
{%- endfor -%}
{%- endif -%}
{%- endmacro -%}
"""

CHAT = (
    _PARTS
    + """\
{%- for message in messages -%}
{%- if loop.first and message.role != 'system' -%}
{{ '<|from|>system\\nYou help.<|over|>\\n' }}
{%- endif -%}
{{ '<|from|>' + message.role + '\\n' }}{{ told(message.content) }}{{ '<|over|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|from|>assistant\\n' }}{%- endif -%}
"""
)
"""A default system text, and parts in their order."""

PICTURES_FIRST = """\
{{ bos_token }}
{%- for message in messages -%}
{{ '<|from|>' + message.role + ' ' }}
{%- for part in message.content | selectattr('type', 'equalto', 'image') -%}
{{ '<|picture|>\\n' }}
{%- endfor -%}
{%- for part in message.content | selectattr('type', 'equalto', 'text') -%}
{%- if message.role == 'assistant' -%}
{% generation %}{{ part.text }}{% endgeneration %}
{%- else -%}{{ part.text }}{%- endif -%}
{%- endfor -%}
{{ '<|over|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|from|>assistant ' }}{%- endif -%}
"""

TRIMMED = """\
{{ bos_token }}
{%- for message in messages -%}
{{ '<|from|>' + message['role'] + '<|begin|>\\n\\n' + message['content'] | trim + '<|over|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|from|>assistant<|begin|>\\n\\n' }}{%- endif -%}
"""
"""Strings only, trimmed, no pictures."""

DATED = "{{ '<|from|>system\\nToday is ' + strftime_now('%d %B %Y') + '<|over|>\\n' }}" + CHAT

ANSWERS = """\
{%- for message in messages -%}
{%- set to = ' to user' if message.role == 'assistant' and loop.previtem.role == 'user' else '' -%}
{{ '<|from|>' + message.role + to + '\\n' + message.content + '<|over|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|from|>assistant' + (' to user' if messages[-1].role == 'user' else '') + '\\n' }}
{%- endif -%}
"""
"""What opens a reply depends on who spoke before."""

GOOD = {
    "answers": ANSWERS,
    "chat": CHAT,
    "pictures first": PICTURES_FIRST,
    "trimmed": TRIMMED,
    "dated": DATED,
}

STRINGS = ("answers", "trimmed")
"""Of these, those that take no pictures."""

FORGETS_THOUGHTS = (
    _PARTS
    + """\
{%- set last = namespace(at=0) -%}
{%- for message in messages if message.role == 'user' -%}{% set last.at = loop.index %}
{%- endfor -%}
{%- set seen = namespace(users=0) -%}
{%- for message in messages -%}
{%- if message.role == 'user' -%}{% set seen.users = seen.users + 1 %}{%- endif -%}
{%- set text = told(message.content) -%}
{%- if message.role == 'assistant' and seen.users < last.at and '</think>' in text -%}
{%- set text = text.split('</think>')[-1].lstrip('\\n') -%}
{%- endif -%}
{{ '<|from|>' + message.role + '\\n' + text + '<|over|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|from|>assistant\\n' }}{%- endif -%}
"""
)
OPENS_A_THOUGHT = CHAT.replace(
    "add_generation_prompt -%}{{ '<|from|>assistant\\n'",
    "add_generation_prompt -%}{{ '<|from|>assistant\\n<think>\\n'",
)
PLAIN_WORDS = """\
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{ message.content + '\\n\\n' }}
{%- elif message.role == 'user' -%}{{ '### Human: ' + message.content + '\\n' }}
{%- else -%}{{ '### Assistant: ' + message.content + '\\n' }}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '### Assistant: ' }}{%- endif -%}
"""
UPPER_ROLES = """\
{%- for message in messages -%}
{{ message.role | upper + ': ' }}
{%- for part in message.content if part.type == 'image' -%}{{ '<|picture|>\\n' }}{%- endfor -%}
{%- for part in message.content if part.type == 'text' -%}{{ part.text + ' ' }}{%- endfor -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ 'ASSISTANT: ' }}{%- endif -%}
"""
ENDLESS = """\
{%- for message in messages -%}
{{ '<|from|>' + message.role + '\\n' + message.content }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|from|>assistant\\n' }}{%- endif -%}
"""
TURN_BY_TURN = """\
{%- for message in messages -%}
{%- if not loop.first and message.role == loop.previtem.role -%}
{{ raise_exception('speak in\\nturns') }}
{%- endif -%}
{{ '<|from|>' + message.role + '\\n' + message.content + '<|over|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|from|>assistant\\n' }}{%- endif -%}
"""
NUMBERED = CHAT.replace(
    "{{ told(message.content) }}",
    "{%- if message.role == 'user' -%}{{ loop.index }}{%- endif -%}{{ told(message.content) }}",
)
HINTS_ONCE = CHAT + "{%- if messages | length == 7 -%}{{ 'Be brief: ' }}{%- endif -%}"
USERS_WITHOUT_TOKEN = CHAT.replace(
    "{{ '<|from|>' + message.role + '\\n' }}",
    "{%- if message.role != 'user' -%}{{ '<|from|>' }}{%- endif -%}{{ message.role + '\\n' }}",
)
LAST_IS_MARKED = CHAT.replace(
    "{{ '<|over|>\\n' }}\n", "{%- if loop.last -%}!{%- endif -%}{{ '<|over|>\\n' }}\n"
)
NUMBERED_PICTURES = (
    "{%- set shown = namespace(count=0) -%}"
    "{%- for message in messages -%}{{ '<|from|>' + message.role + '\\n' }}"
    "{%- for part in message.content -%}"
    "{%- if part.type == 'image' -%}{% set shown.count = shown.count + 1 %}"
    "{{ 'Picture %d: <|picture|>' % shown.count }}"
    "{%- else -%}{{ part.text }}{%- endif -%}{%- endfor -%}"
    "{{ '<|over|>\\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|from|>assistant\\n' }}{%- endif -%}"
)

_TEXT = (
    "Who was in the garden at night?\nThe gardener was in the garden.\n\n\nNo, he lied.",
    "谁在花园里？\n他在花园里。\n\n",
    "system\n\nuser\n\nassistant\n\n\n  I was   in the tower \n",
)


def train(*, metaspace: str = "") -> tokenizers.Tokenizer:
    """Return a tokenizer of bytes in which newlines melt; or one of words with a space before."""
    library = tokenizers.Tokenizer(BPE(unk_token=STOP if metaspace else None))
    special = [AddedToken(word, special=True, normalized=False) for word in SPECIAL]
    alphabet: list[str] = []
    if metaspace:
        library.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=metaspace)  # type: ignore[arg-type]
        library.decoder = decoders.Metaspace(prepend_scheme=metaspace)  # type: ignore[arg-type]
    else:
        split = Regex(r" ?\p{L}+|\d| ?[^\s\p{L}\d]+[\r\n]*|\s*[\r\n]+|\s+")
        library.normalizer = normalizers.NFC()
        library.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(split, behavior="isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        library.decoder = decoders.ByteLevel()
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=600, show_progress=False, initial_alphabet=alphabet, special_tokens=special
    )
    library.train_from_iterator([text for text in _TEXT for _ in range(8)], trainer)
    return library


def with_tokens(*tokens: AddedToken | str) -> tokenizers.Tokenizer:
    """Return the tokenizer of bytes with further tokens: special ones, but plain AddedTokens."""
    library: Any = train()
    for token in tokens:
        special = isinstance(token, str) or token.special
        (library.add_special_tokens if special else library.add_tokens)([token])
    return library


def make_folder(
    folder: Path,
    template: str = CHAT,
    *,
    library: tokenizers.Tokenizer | None = None,
    config: Mapping[str, Any] | None = None,
) -> Path:
    """Write a model's folder, without its weights."""
    folder.mkdir(parents=True, exist_ok=True)
    (library or train()).save(str(folder / "tokenizer.json"))
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    (folder / "config.json").write_text(json.dumps({"image_token_id": SPECIAL.index(IMAGE)}))
    settings = {"bos_token": BEGIN, "eos_token": {"content": END}, **(config or {})}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def system(text: str) -> Message:
    return Message(role="system", text=text)


def user(text: str, picture: Picture | None = None) -> Message:
    return Message(role="user", text=text, picture=picture)


def reply(text: str, *ids: int) -> Message:
    return Message(role="assistant", text=text, ids=ids)
