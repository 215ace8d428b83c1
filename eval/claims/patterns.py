"""Patterns of statements about a stay, a death, the culprit and the time."""

import re
from collections.abc import Mapping

from scripts_mm.script import Language

THERE: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:\b(?:in|into|inside|at|on|near|by|behind|to|outside|entered|reached"
        r"|of|was|it was|took|from)\b)"
        r"(?: (?:the|my|his|her|our|a|your))?(?: [\w'-]+){0,2}? ?$"
    ),
    "zh": re.compile(r"(?:在|到|去|进|守|待|坐|站|回|从|过|上了|躲|睡)[^,。]{0,4}$"),
}
NOT: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:not|never|nowhere near|no longer|nobody but)\b|n't\b"),
    "zh": re.compile(
        r"不在|没在|没有在|没有?去|没有?到|没有?进|不是在|从未|从没|未曾|没来|不曾|并未"
    ),
}
LEAVE: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:leave|left|leaving|stir(?:red)? from|quit)\b"),
    "zh": re.compile("离开|出"),
}
ALWAYS: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:all (?:evening|night|the time|along|through)|the whole (?:evening"
        r"|night|time|way)|nowhere else|never left|throughout)\b"
    ),
    "zh": re.compile("整晚|一整夜|一直|始终|从头到尾|全程|哪儿也没去"),
}
DIED: Mapping[Language, str] = {
    "en": (
        r"(?:(?:was|were|been|got|is|being) (?:(?:\w+ly|already|long|still) )?"
        r"(?:killed|murdered|struck|stabbed|strangled|poisoned|shot|done in|dead|found dead)|died"
        r"|dies|met (?:his|her) (?:death|end)|fell dead|be(?:en)? dead)"
    ),
    "zh": r"(?:死|遇害|被杀|被害|遇刺|丧命|咽气|断气|没命)",
}
DEED_TIME: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"\b(?:when|while|as|the moment|at the moment|by the time)\b"
        rf"[^,.;]{{0,40}}?{DIED['en']}(?: down)?"
        rf"|\b(?:at|during) the (?:time|moment|hour) of the (?:murder|killing|crime"
        rf"|death|deed)"
    ),
    "zh": re.compile(
        r"[^,。]{0,8}(?:死|遇害|被杀|被害|出事|案发|咽气)的?(?:时候|那时|那会儿|那一刻|当时|时(?=[,我]))"
    ),
}
DIED_RE = {language: re.compile(words) for language, words in DIED.items()}
ALIVE: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:alive|living)\b"),
    "zh": re.compile("还活着|活着|还在世|还没死"),
}
DID: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:kill(?:ed|s)?|murder(?:ed)?|poisoned|strangled|stabbed|slew|finished .{1,40} off"
        r"|done away with|did away with)\b"
        r"|\b(?:did|done|do) (?:it|this|the deed)\b|\b(?:murderer|killer|culprit"
        r"|guilty|assassin)\b|\bsuspect\b|\baccuse\b"
        r"|\bcommitted the (?:murder|crime)\b|\bbehind (?:the|this) (?:murder|killing|crime)\b"
    ),
    "zh": re.compile(
        r"凶手|真凶|元凶|杀了|杀的|杀死|杀害|害死|毒死|打死|勒死|下的?手|下得了.{0,4}手|干的|动的手|怀疑|行凶|嫌疑最大"
    ),
}
PASSIVE = re.compile(
    r"\b(?:was|were|been|being|got) (?:\w+ly )?(?:killed|murdered|struck|poisoned"
    r"|strangled|stabbed)\b(?! by)"
)
NOT_DID: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:not|never|innocent)\b|n't\b"),
    "zh": re.compile(r"不是|没(?!有?(?:别|第二|其他|人))|不可能|绝非|并非"),
}
ONLY: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:nobody|no one|none) (?:but|except|other than)\b|\bif not\b"),
    "zh": re.compile(r"除了|非.{1,6}莫属"),
}
AFTER_DEED = re.compile(r"\b(?:after|later than)\b|以后|之后|后才")
DEAD = re.compile(r"\bdead\b|死了")
BEFORE_DEED = re.compile(r"\b(?:by|before|earlier than)\b|以前|之前|已经?死|前就")
MINUTES = re.compile(r"\b(?P<en>[a-z-]+|\d+) minutes?|(?P<zh>[零一二两三四五六七八九十\d]+)分钟")
GROUP = re.compile(r"\band\b|\bwith\b|和|与|跟|同|陪")
