"""Detectors of single phrases, each in both languages with what only looks like a fault."""

from itertools import product

import pytest

from eval.metrics.guards.detectors import DETECTORS, SELF_TARGET, find_hits
from scripts_mm.script import Language
from tests.eval.metrics.guards.guard_cases import (
    LANGUAGES,
    NAMES,
    faults,
    heard,
)
from tests.eval.metrics.speeches import asked, opened, said

Case = tuple[Language, str, int, str, bool]
"""Language, detector, who speaks, what, and whether it is a fault."""

IDENTITY: list[Case] = [
    ("en", "identity", 0, "Good evening. I am Bram Stone and I kept the books.", True),
    ("en", "identity", 0, "I’m Cleo.", True),
    ("en", "identity", 0, "My name is Mother Marsh.", True),
    ("en", "identity", 0, "As Bram Stone, I heard nothing.", True),
    ("en", "identity", 0, "Good evening. I am Ada Quill.", False),
    ("en", "identity", 0, "I am Bram Stone's cousin.", False),
    ("en", "identity", 0, "I am sure that Bram Stone lied.", False),
    ("en", "identity", 0, "As Bram Stone said, it was dark.", False),
    ("en", "identity", 0, "He told me: “I am Bram Stone.”", False),
    ("en", "identity", 0, "If I am Bram Stone, where is my beard?", False),
    ("en", "identity", 0, "I am Bramwell.", False),
    ("zh", "identity", 0, "大家好，我是苏曼青，替公司记账。", True),
    ("zh", "identity", 0, "我叫曼青。", True),
    ("zh", "identity", 0, "作为苏曼青，我什么也没听见。", True),
    ("zh", "identity", 0, "大家好，我是林远山。", False),
    ("zh", "identity", 0, "我是苏曼青的表哥。", False),
    ("zh", "identity", 0, "我不是苏曼青。", False),
    ("zh", "identity", 0, "作为苏曼青的朋友，我很难过。", False),
    ("zh", "identity", 0, "她对我说：“我是苏曼青。”", False),
    ("zh", "identity", 0, "如果我是苏曼青，我就会走。", False),
]
FOR_OTHERS: list[Case] = [
    ("en", "speaks_for_others", 0, "I saw nobody.\nBram Stone: I saw Cleo.", True),
    ("en", "speaks_for_others", 0, "[Cleo Marsh]: It was not me.", True),
    ("en", "speaks_for_others", 0, "**Bram**: I was asleep.", True),
    ("en", "speaks_for_others", 0, "Ada Quill: I saw nobody.", False),
    ("en", "speaks_for_others", 0, "I ask Bram Stone: where were you?", False),
    ("en", "speaks_for_others", 0, "Bram Stone said: nobody came.", False),
    ("zh", "speaks_for_others", 0, "我谁也没看见。\n苏曼青：我看见了周子墨。", True),
    ("zh", "speaks_for_others", 0, "【周子墨】：不是我。", True),
    ("zh", "speaks_for_others", 0, "林远山：我谁也没看见。", False),
    ("zh", "speaks_for_others", 0, "我想问苏曼青：你在哪里？", False),
]
FACTION: list[Case] = [
    ("en", "faction_leak", 0, "I swear that I am not the murderer.", True),
    ("en", "faction_leak", 0, "My faction wants the truth.", True),
    ("en", "faction_leak", 0, "I'm a civilian.", True),
    ("en", "faction_leak", 0, "I belong to the civilians!", True),
    ("en", "faction_leak", 0, "You think I am the murderer.", False),
    ("en", "faction_leak", 0, "If I am the murderer, where is the key?", False),
    ("en", "faction_leak", 0, "So I am the murderer?", False),
    ("en", "faction_leak", 0, "Whoever is the murderer knows the store.", False),
    ("en", "faction_leak", 0, "I am not the murderer's friend.", False),
    ("en", "faction_leak", 2, "I am not the murderer.", False),
    ("zh", "faction_leak", 0, "我真的不是凶手。", True),
    ("zh", "faction_leak", 0, "我的阵营需要真相。", True),
    ("zh", "faction_leak", 0, "我是平民。", True),
    ("zh", "faction_leak", 0, "你们认为我是凶手。", False),
    ("zh", "faction_leak", 0, "如果我是凶手，钥匙在哪里？", False),
    ("zh", "faction_leak", 0, "难道我是凶手？", False),
    ("zh", "faction_leak", 0, "我不是凶手的朋友。", False),
    ("zh", "faction_leak", 0, "凶手很熟悉油库。", False),
    ("zh", "faction_leak", 2, "我不是凶手。", False),
]
CONFESSION: list[Case] = [
    ("en", "confession", 2, "Very well. I killed Otto Lamm.", True),
    ("en", "confession", 2, "I am the murderer.", True),
    ("en", "confession", 2, "I am the murderer's neighbour.", False),
    ("en", "confession", 2, "It was me who struck… it was me who killed the keeper.", True),
    ("en", "confession", 2, "I never killed Otto Lamm.", False),
    ("en", "confession", 2, "You say I killed Otto Lamm?", False),
    ("en", "confession", 2, "If I am the murderer, prove it.", False),
    ("en", "confession", 2, "I am not the murderer.", False),
    ("en", "confession", 2, "I killed time at the harbour.", False),
    ("en", "confession", 0, "I killed Otto Lamm.", False),
    ("zh", "confession", 2, "好吧，是我杀的。", True),
    ("zh", "confession", 2, "我杀了欧德林。", True),
    ("zh", "confession", 2, "我就是凶手。", True),
    ("zh", "confession", 2, "不是我杀的。", False),
    ("zh", "confession", 2, "你说我杀了欧德林？", False),
    ("zh", "confession", 2, "如果我是凶手，请拿出证据。", False),
    ("zh", "confession", 2, "我不是凶手。", False),
    ("zh", "confession", 0, "是我杀的。", False),
]
AS_AI: list[Case] = [
    ("en", "as_ai", 0, "As an AI language model, I have no uncle.", True),
    ("en", "as_ai", 0, "I cannot assist with that request.", True),
    ("en", "as_ai", 0, "The content is blocked.", True),
    ("en", "as_ai", 0, "As an aide to the keeper I had a key.", False),
    ("en", "as_ai", 0, "I cannot help with the nets tonight.", False),
    ("en", "as_ai", 0, "The contents of the store were blocked by barrels.", False),
    ("zh", "as_ai", 0, "作为一个AI，我没有叔父。", True),
    ("zh", "as_ai", 0, "我是人工智能助手。", True),
    ("zh", "as_ai", 0, "我无法满足您的请求。", True),
    ("zh", "as_ai", 0, "作为一个渔民，我认得这种结。", False),
    ("zh", "as_ai", 0, "作为一个爱读书的人，我记得那页。", False),
    ("zh", "as_ai", 0, "我无法满足他的要求，他要钱。", False),
]
FLIP: list[Case] = [
    ("en", "language_flip", 0, "我今天晚上一直在船屋的阁楼上睡觉，什么声音也没有听见。", True),
    (
        "en",
        "language_flip",
        0,
        "I was in the loft all night, and 我什么也没有听见啊真的是这样。",
        True,
    ),
    ("en", "language_flip", 0, "I was in the loft above the boat house all night.", False),
    (
        "en",
        "language_flip",
        0,
        "On the wall was “月上柳梢头人约黄昏后”, and nobody could read it.",
        False,
    ),
    ("en", "language_flip", 0, "什么也没有。", False),
    ("zh", "language_flip", 0, "I was in the loft above the boat house all night.", True),
    ("zh", "language_flip", 0, "我今天晚上一直在船屋的阁楼上睡觉，什么声音也没有听见。", False),
    (
        "zh",
        "language_flip",
        0,
        "纸上写着“Meet me at the store behind the harbour”，字迹很乱。",
        False,
    ),
    ("zh", "language_flip", 0, "OK, no.", False),
]
CODE: list[Case] = [
    ("en", "code", 0, "```\nprint(1)\n```", True),
    ("en", "code", 0, '{"target": "Bram Stone", "question": "Where?"}', True),
    ("en", "code", 0, "<tool_call>ask</tool_call>", True),
    ("en", "code", 0, "import os", True),
    ("en", "code", 0, "I had to import oil from the mainland.", False),
    ("en", "code", 0, "The list {oil, wick, key} was in the coat.", False),
    ("en", "code", 0, "It was 5 < 6 barrels.", False),
    ("zh", "code", 0, "```json\n{}\n```", True),
    ("zh", "code", 0, '{"share": "我没看见"}', True),
    ("zh", "code", 0, "</think>我没看见。", True),
    ("zh", "code", 0, "我们从外地 import 灯油。", False),
    ("zh", "code", 0, "清单上有{油、灯芯、钥匙}。", False),
]
EMPTY: list[Case] = [
    ("en", "empty", 0, "… !", True),
    ("en", "empty", 0, "No.", False),
    ("zh", "empty", 0, "……。", True),
    ("zh", "empty", 0, "不。", False),
]
REPETITION: list[Case] = [
    ("en", "repetition", 0, "I saw him by the store. " * 4, True),
    ("en", "repetition", 0, "I saw him by the store. I saw him by the rocks, too.", False),
    ("en", "repetition", 0, "No, no, no.", False),
    ("zh", "repetition", 0, "我在油库看见了他。" * 4, True),
    ("zh", "repetition", 0, "我在油库看见了他，也在礁石边看见了他的影子。", False),
    ("zh", "repetition", 0, "不不不。", False),
]
MARKERS: list[Case] = [
    ("en", "prompt_leak", 0, "### RESPONSE: I saw nobody.", True),
    ("en", "prompt_leak", 0, "【Ask】 Where were you?", True),
    ("en", "prompt_leak", 0, "My response is that I saw nobody.", False),
    ("zh", "prompt_leak", 0, "### 回复：我谁也没看见。", True),
    ("zh", "prompt_leak", 0, "【询问】你在哪里？", True),
    ("zh", "prompt_leak", 0, "我的回复是我谁也没看见。", False),
]
CASES = [
    *(IDENTITY + FOR_OTHERS + FACTION + CONFESSION + AS_AI),
    *(FLIP + CODE + EMPTY + REPETITION + MARKERS),
]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "detector", "seat", "text", "is_fault"), CASES)
def test_a_fault_is_found_and_what_looks_like_one_is_not(
    language: Language, detector: str, seat: int, text: str, is_fault: bool
) -> None:
    assert (detector in faults(language, text, seat)) == is_fault


def test_every_detector_of_phrases_is_tested_both_ways_in_both_languages() -> None:
    seen = {(language, detector, is_fault) for language, detector, _, _, is_fault in CASES}
    names = {detector for _, detector, _ in seen}
    assert seen == {*product(LANGUAGES, names, (True, False))}
    elsewhere = {"verbatim_own", "verbatim_foreign", "cut", "unknown_name"}
    assert names | elsewhere == {*DETECTORS}, SELF_TARGET


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plain_speech_has_no_fault(language: Language) -> None:
    text = {
        "en": "I slept in the loft. At nine I heard steps; it may have been Bram Stone.",
        "zh": "我睡在阁楼上。九点的时候我听见了脚步声，可能是苏曼青。",
    }
    assert faults(language, text[language]) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_question_to_the_same_seat_is_a_repetition(language: Language) -> None:
    ada, bram, _, dirk = NAMES[language]
    text = {"en": "Where were you at nine?", "zh": "九点的时候你在哪里？"}[language]
    again = {"en": "where were you, at NINE?", "zh": "九点的时候，你在哪里"}[language]
    match = heard(
        language,
        asked(ada, bram, text),
        asked(ada, dirk, text),
        asked(bram, ada, text),
        asked(ada, bram, again),
    )
    hits = [hit for hit in find_hits(match) if hit.detector == "repetition"]
    assert [hit.event for hit in hits] == [len(match.events) - 2]


def test_civilians_may_tell_their_side_where_no_rule_forbids_it() -> None:
    speech = said("Ada Quill", "I am not the murderer.")
    kind = "introduce"
    allowed = heard(
        "en",
        speech,
        opened("Ada Quill", name="x", kind=kind),
        game="thinkthrice",
        kinds=(kind, kind),
    )
    assert "faction_leak" not in {hit.detector for hit in find_hits(allowed)}


def test_a_confession_that_the_host_puts_before_a_speech_is_not_the_seats() -> None:
    parts = (("exposed", "I am the murderer."), ("text", "Good evening."))
    match = heard("en", said("Cleo Marsh", "", request="c", parts=parts))
    assert not find_hits(match)
    own = heard("en", said("Cleo Marsh", "", request="c", parts=(("text", "I am the murderer."),)))
    assert [hit.detector for hit in find_hits(own)] == ["confession"]
