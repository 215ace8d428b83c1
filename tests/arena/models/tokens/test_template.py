import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.models.tokens.chat_template import ChatTemplate, load_template
from arena.models.tokens.model_files import TemplateError
from tests.arena.models.tokens.models import (
    CHAT,
    DATED,
    GOOD,
    KNIFE,
    LETTER,
    PICTURES_FIRST,
    STRINGS,
    TRIMMED,
    make_folder,
    reply,
    system,
    user,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TALK = (system("Rules."), user("Look:", LETTER), reply("A letter."), user("", KNIFE), user(" So? "))


def compiled(source: str, **words: str) -> ChatTemplate:
    return ChatTemplate(source, folder="here", special_tokens=words, now=NOON)


def test_messages_stand_in_the_text_as_the_template_puts_them(tmp_path: Path) -> None:
    template = load_template(make_folder(tmp_path))
    assert template.render(TALK, opened=True) == (
        "<|from|>system\nRules.<|over|>\n"
        "<|from|>user\nLook:<|look|><|picture|><|looked|><|over|>\n"
        "<|from|>assistant\nA letter.<|over|>\n"
        "<|from|>user\n<|look|><|picture|><|looked|><|over|>\n"
        "<|from|>user\n So? <|over|>\n"
        "<|from|>assistant\n"
    )
    closed = template.render((user("Hm"),), opened=False)
    assert closed == "<|from|>system\nYou help.<|over|>\n<|from|>user\nHm<|over|>\n"


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("opened", [True, False])
def test_the_text_is_that_of_transformers(name: str, opened: bool) -> None:
    library = pytest.importorskip("transformers.utils.chat_template_utils")
    parts = name not in STRINGS
    talk = [message for message in TALK if parts or message.picture is None]
    spoken: list[dict[str, object]] = []
    for message in talk:
        content: list[dict[str, str]] = []
        if message.text or not message.picture:
            content.append({"type": "text", "text": message.text})
        if message.picture:
            content.append({"type": "image"})
        spoken.append({"role": message.role, "content": content if parts else message.text})
    theirs, _ = library.render_jinja_template(
        conversations=[spoken],
        chat_template=GOOD[name].replace("strftime_now('%d %B %Y')", "'01 March 2026'"),
        add_generation_prompt=opened,
        bos_token="<|begin|>",
    )
    ours = compiled(GOOD[name], bos_token="<|begin|>").render(talk, opened=opened)
    assert ours == theirs[0]


def test_a_template_runs_as_transformers_runs_it() -> None:
    source = (
        "{% for word in ['a', 'b', 'c'] %}\n"
        "    {% if word == 'c' %}\n"
        "{% break %}\n"
        "    {% endif %}\n"
        "{{ word }}\n"
        "{% endfor %}\n"
        "{{ {'b': '<é>', 'a': 1} | tojson }}"
        "{{ tools is none and documents is none }}{{ sep_token is defined }}"
    )
    text = compiled(source).render((user("x"),), opened=False)
    assert text == 'a\nb\n{"b": "<é>", "a": 1}TrueFalse'


def test_a_picture_without_words_is_the_only_part_and_empty_words_are_one() -> None:
    template = compiled(
        "{% for part in messages[0].content %}{{ part.type }}={{ part.text }};{% endfor %}"
    )
    assert template.render((user("", LETTER),), opened=True) == "image=;"
    assert template.render((user(""),), opened=True) == "text=;"
    assert template.render((user("a", LETTER),), opened=True) == "text=a;image=;"


def test_a_date_is_that_of_the_reading_in_every_prompt() -> None:
    text = compiled(DATED).render((user("x"),), opened=False)
    assert text.startswith("<|from|>system\nToday is 01 March 2026<|over|>\n")


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ messages.append(1) }}",
        "{{ raise_exception('no\\nway') }}",
        "{{ 1 / 0 }}",
        "{{ messages[0].role + 1 }}",
        "{{ nothing.at.all }}",
    ],
)
def test_what_a_template_does_wrong_is_one_line_that_names_the_folder(source: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compiled(source).render((user("x"),), opened=True)
    assert str(caught.value).startswith("the chat template in 'here' should render messages")
    assert "\n" not in str(caught.value)


def test_a_template_that_is_none_is_refused_when_it_is_read() -> None:
    with pytest.raises(TemplateError, match="'here' should have a chat template, but it cannot be"):
        compiled("{% for %}")


def test_an_empty_conversation_has_no_text() -> None:
    with pytest.raises(TemplateError, match="must contain messages"):
        compiled(CHAT).render((), opened=True)


def test_a_template_of_strings_takes_no_picture() -> None:
    with pytest.raises(TemplateError, match="it takes no pictures"):
        compiled(TRIMMED).render((user("x", LETTER),), opened=True)


def test_of_several_templates_that_one_is_read_that_vllm_reads(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, "{{ 'first' }}")
    named = [{"name": "tools", "template": "no"}, {"name": "default", "template": "third"}]
    config: dict[str, object] = {"chat_template": named, "eos_token": None}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    older = folder / "chat_template.json"
    older.write_text(json.dumps({"chat_template": "second"}), encoding="utf-8")

    def seen() -> str:
        return load_template(folder).render((user("x"),), opened=False)

    assert seen() == "first"
    (folder / "chat_template.jinja").unlink()
    assert seen() == "second"
    older.unlink()
    assert seen() == "third"
    config["chat_template"] = "fourth"
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    assert seen() == "fourth"
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(TemplateError, match="but has none"):
        seen()


def test_a_template_knows_the_special_tokens_of_every_file(tmp_path: Path) -> None:
    source = "{{ bos_token }}{{ eos_token }}{{ audio_token }}{{ face_token }}{{ pad_token }}"
    extra = {"extra_special_tokens": {"face_token": ":-)"}, "audio_token": "la"}
    folder = make_folder(tmp_path, source, config={**extra, "pad_token": None})
    older = folder / "special_tokens_map.json"
    older.write_text(json.dumps({"bos_token": "old", "pad_token": {"content": "."}}))
    assert load_template(folder).render((user("x"),), opened=False) == "old<|over|>la:-)."
    # transformers looks into the older file only where the newer one lists no tokens.
    added = {"added_tokens_decoder": {"2": {"content": "<|over|>"}}}
    make_folder(tmp_path, source, config={**extra, **added})
    assert load_template(folder).render((user("x"),), opened=False) == "<|begin|><|over|>la:-)"


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("tokenizer_config.json", "{", "cannot be read: the whole: Invalid JSON"),
        ("tokenizer_config.json", '{"bos_token": 3}', "cannot be read: bos_token"),
        ("special_tokens_map.json", "[]", "cannot be read: the whole"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, file: str, text: str, said: str) -> None:
    folder = make_folder(tmp_path)
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(TemplateError, match=f"{file}' {said}"):
        load_template(folder)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    (folder / "chat_template.jinja").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TemplateError, match=r"chat_template\.jinja' should be a text file, but"):
        load_template(folder)


def test_pictures_may_stand_before_their_text() -> None:
    text = compiled(PICTURES_FIRST, bos_token="").render(TALK[1:2], opened=False)
    assert text == "<|from|>user <|picture|>\nLook:<|over|>"
