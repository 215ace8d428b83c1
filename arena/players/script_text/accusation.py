"""Patterns that find accusations of the seat that must answer, and proofs of guilt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from arena.memory.lexical import split_sentences
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class _Patterns:
    cue: re.Pattern[str]
    """The deed or the doer; all words are equal."""
    second_person: re.Pattern[str]
    own: re.Pattern[str]
    """First person; and second, in which scripts address their role."""
    third_person: re.Pattern[str]
    """Words that make a clause ask for, or speak of, an unknown person."""
    denial: re.Pattern[str]
    """A denial of the guilt of the speaker or the addressed seat."""
    enquiry: re.Pattern[str]
    """A question or request, which can name the deed without accusing."""
    linked: re.Pattern[str]
    """The second person is the doer."""
    deed: re.Pattern[str]
    """Further words for a murder, in a script."""
    clause: re.Pattern[str]


_EN_LINK = (
    r"(?:(?:are|were|is|be|been|have|has|had|did|do|must|may|might|could|can|would|not|the|a|our|"
    r"this|real|true|actual|very|also|only|really|surely|clearly|probably|likely|definitely|"
    r"actually|indeed|then|who|that|one|person|in|fact|it|just|even|cold-blooded) ){0,6}"
)
_EN_CUE = (
    r"(?:murderers?|killers?|culprit|kill(?:ed|s|ing)?|murder(?:ed|s|ing)?|did it|done it|guilty|"
    r"(?:prime|main|chief|first|top) suspect|poison(?:ed|s|ing)?|stab(?:bed|s|bing)?|"
    r"strangl(?:ed?|es|ing))\b"
)
# Each text splits into these words in only one way, so that a failing search does not backtrack.
_ZH_LINK = (
    r"(?:就|才|一定|肯定|绝对|应该|可能|会|难道|亲手|真的|为什么|为何|怎么|干吗|竟然|居然|要|想|到底|的|"
    r"那个|这个|最|是不是|是)*"
)
_ZH_CUE = (
    r"(?:凶手|真凶|行凶|(?<!自)杀(?:了|害|人|的|死|掉|他|她|过)|"
    r"你干的|是你做的|下(?:的|了)?毒手|嫌疑最大|[害毒刺勒]死)"
)
_PATTERNS: Mapping[Language, _Patterns] = {
    "en": _Patterns(
        cue=re.compile(rf"\b{_EN_CUE}", re.IGNORECASE),
        second_person=re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE),
        own=re.compile(r"\b(?:i|me|my|mine|you|your|yours)\b", re.IGNORECASE),
        third_person=re.compile(
            r"(?<!you )\b(?:who|whom|whose|who's|anyone|anybody|someone|somebody|everyone|"
            r"everybody|which of (?:us|you))\b",
            re.IGNORECASE,
        ),
        denial=re.compile(
            r"\b(?:i am not|i'm not|i was not|i wasn't|i did not|i didn't|i never|not me|"
            r"you(?: are|'re| were) not|(?<!that )you did not|you never|innocent|"
            r"(?:don't|do not|cannot|can't|never) "
            r"(?:think|believe|suspect|suppose|say|mean))\b",
            re.IGNORECASE,
        ),
        enquiry=re.compile(
            r"\?|\b(?:where|when|while|what|which|how|why|whether|tell (?:me|us)|explain|"
            r"describe)\b",
            re.IGNORECASE,
        ),
        linked=re.compile(
            rf"\byou(?:'re|'ve)? {_EN_LINK}{_EN_CUE}|"
            r"\b(?:murderer|killer|culprit) (?:it )?(?:is|was|must be|can only be) "
            r"(?:\w+ly )?you\b|"
            r"\b(?:it (?:is|was|must be|must have been)|(?:is|was) it|it's) you\b"
            rf".{{0,60}}{_EN_CUE}",
            re.IGNORECASE,
        ),
        deed=re.compile(
            r"\b(?:strangl\w*|stab(?:s|bed|bing)?|poison\w*|smother\w*|drown\w*|throttl\w*|struck|"
            r"strikes?|blow|corpse|bloody|blood|(?:his|her) body|shot (?:him|her))\b",
            re.IGNORECASE,
        ),
        clause=re.compile(r"[,;:—]"),
    ),
    "zh": _Patterns(
        cue=re.compile(_ZH_CUE),
        second_person=re.compile(r"[你您]"),
        own=re.compile(r"[我你您]"),
        third_person=re.compile(r"谁|有没有人|有人|哪个人|哪一位|哪位|任何人|别人"),
        denial=re.compile(
            r"不是我|我(?:绝|可|才|并)?(?:不是|没有|没)|[你您](?:肯定|绝对|应该|并)?(?:不是|不会是|没有?)|"
            r"无辜|清白|不(?:认为|觉得|相信|怀疑)"
        ),
        enquiry=re.compile(r"[?？吗呢]|什么|哪|怎么|为何|何时|几点|多少|是否|说说|请问|的时候"),
        linked=re.compile(
            rf"[你您]{_ZH_LINK}(?:用.{{1,6}}{_ZH_LINK})?{_ZH_CUE}|"
            r"(?:凶手|真凶)(?:就|一定|肯定|应该|难道)?(?:是不是|不是|是)[你您]|"
            r"是[你您].{0,4}(?:(?<!自)杀|害死|[干做]的)"
        ),
        deed=re.compile(r"毒|砸|捅|勒|掐|刺|血|尸|闷死|淹死"),
        clause=re.compile(r"[，；：、,;:]|——"),
    ),
}
_NAMED_DOER = re.compile(
    r"\b(you(?:'re|'ve been| (?:are|were|must be|must have been)))( \w+ly)? the "
    r"(?:one|person|man|woman) (?:who|that)\b",
    re.IGNORECASE,
)
"""“You are the one who”: this “who” is not an unknown person."""
CUE_CLASS: Mapping[Language, str] = {
    "en": "murderer killer culprit kill kills killed murder murdered guilty "
    "poisoned stabbed strangled",
    "zh": "凶手 真凶 杀了 杀害 杀人 嫌疑最大 毒死 刺死 勒死",
}
"""Query of a script when the seat is accused, regardless of the words of the accusation."""


def accuses(question: str, language: Language) -> bool:
    """Return whether a sentence of `question` accuses the answering seat of the murder.

    The sentence has a word of the deed and one of the second person. A question about an unknown
    person and a denial do not count, nor does one that names the deed for another reason, such as
    “Where were you when he was killed?”.
    """
    text = _NAMED_DOER.sub(r"\1", question.replace("’", "'"))
    return any(_is_accusation(one, _PATTERNS[language]) for one in split_sentences(text))


def confirms_guilt(sentence: str, language: Language) -> bool:
    """Return whether a script's sentence names the deed and the addressed role."""
    patterns = _PATTERNS[language]
    return bool(patterns.cue.search(sentence) and patterns.own.search(sentence))


def speaks_of_role(sentence: str, language: Language) -> bool:
    """Return whether a script's sentence is about the addressed role."""
    return _PATTERNS[language].own.search(sentence) is not None


def tells_of_deed(sentence: str, language: Language) -> bool:
    """Return whether a script's sentence names the deed at all."""
    patterns = _PATTERNS[language]
    return bool(confirms_guilt(sentence, language) or patterns.deed.search(sentence))


def _is_accusation(sentence: str, patterns: _Patterns) -> bool:
    clauses = patterns.clause.split(sentence)
    said = " ".join(
        clause.strip()
        for clause in clauses
        if not patterns.third_person.search(clause) and not patterns.denial.search(clause)
    )
    if not (patterns.cue.search(said) and patterns.second_person.search(said)):
        return False
    return not patterns.enquiry.search(sentence) or bool(patterns.linked.search(said))
