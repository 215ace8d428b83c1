"""Counting where prompts cannot be spelt message by message."""

from pathlib import Path

import pytest

from arena.models.tokens.chat_template import load_template
from arena.models.tokens.model_files import TemplateError
from arena.models.tokens.token_counter import (
    PromptTokenCounter,
    detect_image_marker,
    detect_reply_prefix,
    load_token_counter,
)
from arena.models.tokens.tokenizer import load_tokenizer
from scripts_mm.script import Picture
from tests.arena.models.tokens.models import (
    CHAT,
    IMAGE,
    KNIFE,
    LETTER,
    PLAIN_WORDS,
    make_folder,
    reply,
    system,
    user,
)

PLAIN_PICTURES = """\
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{ 'Rules\\n\\n' }}
{%- elif message.role == 'user' -%}{{ '### Human: ' }}
{%- if message.content is string -%}{{ message.content }}
{%- else -%}
{%- for part in message.content -%}
{{ '<looked_at>\\n' if part.type == 'image' else part.text }}
{%- endfor -%}{%- endif -%}{{ '\\n' }}
{%- else -%}{{ '### Assistant: ok\\n' }}{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '### Assistant:' }}{%- endif -%}
"""


def seen(picture: Picture) -> int:
    return {LETTER: 1024, KNIFE: 5}[picture]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "model", PLAIN_PICTURES)


def test_a_conversation_without_special_tokens_is_counted_as_a_whole(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, PLAIN_WORDS)
    talk = (system("Rules."), user("Who was in the garden?"), reply("No."), user("谁？\n\n"))
    whole = "Rules.\n\n### Human: Who was in the garden?\n### Assistant: No.\n### Human: 谁？\n\n\n"
    expected = load_tokenizer(folder).encode(f"{whole}### Assistant: ")
    assert load_token_counter(folder).encode(talk) == expected
    assert load_token_counter(folder).count(talk, seen) == len(expected)


def test_a_picture_divides_the_text_and_counts_what_it_counts(folder: Path) -> None:
    counter, ids = load_token_counter(folder), load_tokenizer(folder).encode
    chunks = ("### Human: Look", "\n\n### Human: again", "\n\n### Assistant:")
    talk = (user("Look", LETTER), user("again", KNIFE))
    assert counter.count(talk, seen) == sum(len(ids(chunk)) for chunk in chunks) + 1029


def test_the_template_of_the_server_is_taken_where_it_is_another(
    folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jinja"
    other.write_text("{{ messages[0].content }}", encoding="utf-8")
    counter = load_token_counter(folder, template=other)
    assert counter.encode((user("garden"),)) == load_tokenizer(folder).encode("garden")


def test_what_the_template_does_not_take_is_not_counted(tmp_path: Path) -> None:
    counter = load_token_counter(make_folder(tmp_path, PLAIN_WORDS))
    with pytest.raises(TemplateError):
        counter.count((user("Look", LETTER),), seen)
    with pytest.raises(TemplateError):
        counter.count((), seen)


def test_several_marks_round_a_picture_are_counted_beside_it(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, CHAT)
    plain = load_token_counter(folder).count((user("Look"),), seen)
    assert load_token_counter(folder).count((user("Look", KNIFE),), seen) == plain + 3 + 5
    assert IMAGE in CHAT
    assert isinstance(load_token_counter(folder), PromptTokenCounter)


def test_replies_begin_with_a_space_where_the_template_ends_with_a_colon(tmp_path: Path) -> None:
    plain = PLAIN_WORDS.replace("'### Assistant: ' }}{%- endif", "'### Assistant:' }}{%- endif")
    assert plain != PLAIN_WORDS
    assert detect_reply_prefix(load_template(make_folder(tmp_path / "colon", plain))) == " "
    assert detect_reply_prefix(load_template(make_folder(tmp_path / "space", PLAIN_WORDS))) == ""
    assert detect_reply_prefix(load_template(make_folder(tmp_path / "token", CHAT))) == ""


def test_a_picture_s_mark_is_told_by_the_template(tmp_path: Path) -> None:
    assert (
        detect_image_marker(load_template(make_folder(tmp_path / "marks", PLAIN_PICTURES)))
        == "<looked_at>"
    )
    assert detect_image_marker(load_template(make_folder(tmp_path / "words", PLAIN_WORDS))) == ""
