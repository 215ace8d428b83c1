"""What a model thinks between tags is never heard."""

import pytest

from arena.players.reply_text import strip_thinking

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
