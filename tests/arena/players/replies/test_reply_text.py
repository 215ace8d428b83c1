"""What a model thinks between tags is never heard, and any text is read in linear time."""

import pytest

from arena.players.replies.reply_text import extract_fields, strip_fence, strip_thinking
from tests.long_texts import slow_pieces

SAID = "I was at home."
SECRET = "I killed him; hide it."


@pytest.mark.parametrize(
    ("reply", "rest"),
    [
        (SAID, SAID),
        (f"<think>hm</think> {SAID}", SAID),
        (f"{SECRET}</think>{SAID}", SAID),
        (f"<THINKING>{SECRET}</THINKING>{SAID}", SAID),
        (f"<think>{SECRET}", None),
        (f"<think>a</think>{SAID}<think>{SECRET}", None),
    ],
)
def test_a_thought_between_tags_is_stripped_and_one_without_an_end_is_no_speech(
    reply: str, rest: str | None
) -> None:
    assert strip_thinking(reply) == rest


NAMES = ("action", "share", "target", "remark")


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", ["", "<think>", "```json\n", "```", '{"share": "x", ', "share: x\n"]
)
def test_a_long_text_of_anything_is_taken_apart_in_linear_time(start: str) -> None:
    assert slow_pieces(strip_thinking, start=start) == []
    assert slow_pieces(strip_fence, start=start) == []
    assert slow_pieces(lambda text: extract_fields(text, NAMES), start=start) == []
