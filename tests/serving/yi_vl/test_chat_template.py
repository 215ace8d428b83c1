"""Chat template: the published prompt format, and prompts that only grow."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

import serving.yi_vl
from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER, STOP_STRING, SYSTEM_TEXT

SOURCE = Path(serving.yi_vl.__file__).with_name("chat_template.jinja").read_text(encoding="utf-8")
PICTURE = {"type": "image"}


def render(*messages: dict[str, Any], ask: bool = True) -> str:
    # Settings with which transformers, and so the engine, renders chat templates.
    environment = Environment(trim_blocks=True, lstrip_blocks=True, autoescape=False)
    return environment.from_string(SOURCE).render(messages=messages, add_generation_prompt=ask)


def text_part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def user(*content: dict[str, str]) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def message(role: str, content: str | list[dict[str, str]]) -> dict[str, Any]:
    return {"role": role, "content": content}


def test_a_question_about_a_picture_is_the_published_prompt() -> None:
    assert render(user(PICTURE, text_part("What is it?"))) == (
        f"{SYSTEM_TEXT}\n\n### Human: {IMAGE_PLACEHOLDER}\nWhat is it?\n### Assistant:"
    )


def test_further_turns_repeat_the_pattern() -> None:
    turns = (
        message("user", "Who are you?"),
        message("assistant", " Ann."),
        message("user", "Why?"),
    )
    assert render(*turns) == (
        f"{SYSTEM_TEXT}\n\n### Human: Who are you?\n### Assistant: Ann.\n"
        "### Human: Why?\n### Assistant:"
    )
    assert render(*turns, ask=False).endswith("### Human: Why?")


def test_a_reply_cut_before_the_stop_string_is_followed_by_one_line_end() -> None:
    cut = render(message("user", "Who?"), message("assistant", " Ann.\n"), message("user", "Why?"))
    assert "### Assistant: Ann.\n### Human: Why?" in cut


def test_what_is_said_before_a_reply_is_one_turn_with_the_system_message_first() -> None:
    shown = render(
        message("system", "You are Ann."),
        user(text_part("Look."), PICTURE),
        message("user", "Who was it?"),
        user(PICTURE),
    )
    assert shown == (
        f"{SYSTEM_TEXT}\n\n### Human: You are Ann.\nLook.\n{IMAGE_PLACEHOLDER}\n"
        f"Who was it?\n{IMAGE_PLACEHOLDER}\n### Assistant:"
    )


def test_a_text_and_a_list_of_one_text_are_the_same() -> None:
    for role in ("system", "user", "assistant"):
        assert render(message(role, "It.")) == render(message(role, [text_part("It.")]))


def test_an_empty_message_adds_no_line() -> None:
    assert render(message("user", ""), message("user", "It.")) == render(message("user", "It."))
    assert render(user(), message("user", "It.")) == render(message("user", "It."))
    assert render(user()) == f"{SYSTEM_TEXT}\n\n### Human:\n### Assistant:"
    empty = render(message("user", "It."), message("assistant", ""), message("user", "Why?"))
    assert empty.endswith("### Assistant:\n### Human: Why?\n### Assistant:")


@pytest.mark.parametrize("reply", ["Ann.", "安。", "#1"])
def test_a_reply_without_white_space_before_it_gets_the_published_space(reply: str) -> None:
    turns = message("user", "Who?"), message("user", "Why?")
    for content in (reply, [text_part(reply)]):
        prompt = render(turns[0], message("assistant", content), turns[1])
        assert f"\n### Assistant: {reply}\n### Human: Why?" in prompt
    for space in (" ", "\n", "\t"):
        prompt = render(turns[0], message("assistant", space + reply), turns[1])
        assert f"\n### Assistant:{space}{reply}\n### Human: Why?" in prompt


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_a_placeholder_in_a_text_is_not_the_position_of_a_picture(role: str) -> None:
    text = f"Type {IMAGE_PLACEHOLDER} or <image_{IMAGE_PLACEHOLDER}placeholder>."
    shown = render(user(PICTURE), message(role, [text_part(text)]), user(PICTURE))
    assert shown.count(IMAGE_PLACEHOLDER) == 2
    assert shown.count(f"{IMAGE_PLACEHOLDER}\n") == 2
    assert "Type <image placeholder> or <image_<image placeholder>placeholder>." in shown
    assert IMAGE_PLACEHOLDER not in render(user(text_part(text)))
    assert IMAGE_PLACEHOLDER not in render(message("assistant", text))


def test_a_string_keeps_the_placeholders_that_vllm_writes_into_it() -> None:
    placed = render(message("user", f"{IMAGE_PLACEHOLDER}\nWhat is it?"))
    assert placed == render(user(PICTURE, text_part("What is it?")))


def test_pictures_by_address_are_shown_like_others() -> None:
    by_address: dict[str, Any] = {"type": "image_url", "image_url": {"url": "data:,"}}
    assert render(user(by_address)) == render(user(PICTURE))


WORDS = st.text(st.characters(exclude_characters="#<"), min_size=1, max_size=9)
PARTS = st.lists(st.builds(text_part, WORDS) | st.just(PICTURE), max_size=4)
ASKED = st.builds(message, st.sampled_from(["system", "user"]), WORDS | PARTS)


@pytest.mark.slow
@given(st.lists(ASKED, min_size=1, max_size=4), WORDS, st.lists(ASKED, max_size=3))
def test_a_prompt_begins_with_the_earlier_prompt_and_its_reply(
    before: list[dict[str, Any]], reply: str, after: list[dict[str, Any]]
) -> None:
    later = render(*before, message("assistant", f" {reply}"), *after)
    assert later.startswith(f"{render(*before)} {reply}")


@pytest.mark.slow
@given(st.lists(ASKED | st.builds(message, st.just("assistant"), WORDS), max_size=6))
def test_every_picture_and_every_turn_is_shown_once(messages: list[dict[str, Any]]) -> None:
    shown = render(*messages)
    parts = [part for one in messages for part in one["content"] if not isinstance(part, str)]
    assert shown.count(f"{IMAGE_PLACEHOLDER}\n") == parts.count(PICTURE)
    assert shown.startswith(f"{SYSTEM_TEXT}\n\n{STOP_STRING} ")
    assert shown.count(f"\n{STOP_STRING} ") == shown.count(STOP_STRING)
    assert shown.endswith("\n### Assistant:")
    replies = sum(one["role"] == "assistant" for one in messages)
    assert shown.count("### Assistant:") == replies + 1
    starts = [
        one for one, last in zip(messages, [None, *messages], strict=False) if opens(one, last)
    ]
    assert shown.count("### Human:") == len(starts)


def opens(one: dict[str, Any], last: dict[str, Any] | None) -> bool:
    return one["role"] != "assistant" and (last is None or last["role"] == "assistant")
