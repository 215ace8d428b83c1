"""Under `cot` only what follows the RESPONSE marker is heard; a thought never is."""

import pytest

from arena.players.reply_text import spoken_part, strip_thinking

SAID = "I was at home."
SECRET = "I killed him; hide it."


@pytest.mark.parametrize(
    ("reply", "spoken"),
    [
        (f"### THOUGHT: {SECRET}\n### RESPONSE: {SAID}", SAID),
        (f"### THOUGHT\n{SECRET}\n### RESPONSE\n{SAID}", SAID),
        (f"**Thought**\n{SECRET}\n\n**Response**\n{SAID}", SAID),
        (f"**THOUGHT:** {SECRET}\n**RESPONSE:** {SAID}\nGood night.", f"{SAID}\nGood night."),
        (f"**Response** {SAID}", SAID),
        (f"### THOUGHT:\n{SECRET}\n### RESPONSE (to the table):\n{SAID}", SAID),
        (f"Thought: {SECRET}\nFinal answer: {SAID}", SAID),
        ("思考过程：我杀了他。\n最终回答：我在家。", "我在家。"),
        ("【思考】我杀了他。【发言】我在家。", "我在家。"),
        ("【思考】\n我杀了他。\n【发言】\n我在家。", "我在家。"),
        ("### 思考：想一想\n### 回答：晚上好。", "晚上好。"),
        ("THOUGHT：想一想\nRESPONSE：晚上好。", "晚上好。"),
        (f"<thought>{SECRET}</thought>\n<response>{SAID}</response>", SAID),
        (f"### RESPONSE: {SAID}\n### THOUGHT: {SECRET}", SAID),
        (f"### RESPONSE: {SAID} ### THOUGHT: {SECRET}", SAID),
        (f"RESPONSE: a first try\nTHOUGHT: no, {SECRET}\nRESPONSE: {SAID}", SAID),
        (f"<think>{SECRET}</think>\n### RESPONSE: {SAID}", SAID),
        # No marker: nothing tells the thought from the speech.
        (SAID, None),
        (f"Let me think step by step. {SECRET}", None),
        (f"### THOUGHT: {SECRET}", None),
        (f"{SECRET}</think>{SAID}", None),
        (f"<think>### RESPONSE: {SECRET}", None),
        (f"I must deny it. My response to Ada: {SECRET}", None),
        (f"- Response: deny everything, {SECRET}", None),
        (f"* Response: deny everything, {SECRET}", None),
        (f"Responses to expect. {SECRET}", None),
        (f"I plan it. ### RESPONSE must not show that {SECRET}", None),
        ("思考：在【发言】中我不能承认我杀了他。", None),
        ("发言人是我，我杀了他。", None),
    ],
)
def test_only_what_follows_the_response_marker_is_spoken(reply: str, spoken: str | None) -> None:
    assert spoken_part(reply) == spoken


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
