"""A sentence that addresses a role, said by that role: “You are Ada” becomes “I am Ada”."""

import re
from collections.abc import Mapping

from scripts_mm.script import Language

_NEAR = 40
"""Characters before and after a “you” that decide its form."""
_QUOTED = re.compile(r"(“[^”]*”|\"[^\"]*\"|「[^」]*」)")
_CHINESE: Mapping[str, str] = {"你们": "我们", "您": "我", "你": "我"}
_YOU_ZH = re.compile("|".join(_CHINESE))

_AGREEING = re.compile(
    r"\b(you)((?: (?:[a-z]+ly|never|always|also|still|only|just|alone|both|all))?) (are|were)\b"
    r"|\b(are|were) (you)\b",
    re.IGNORECASE,
)
_SECOND_VERB = re.compile(
    r"(?<!and )\b(you\b(?! and\b)([^.!?]{0,160}?) and (?:[a-z]+ly )?)(are|were)\b", re.IGNORECASE
)
"""A verb that has its subject before the “and”: “you laughed and were angry”."""
_OTHERS = re.compile(r"\b(?:they|we|who|[A-Z]\w* and [A-Z]\w*)\b[^,]*$")
"""Several others in the same part of a sentence, who are then the subject."""
_BE = {"are": "am", "were": "was"}
_JOINED = re.compile(r"[A-Z][\w']* and $")
"""A name before “and you”: the verb stays plural."""
_SUPPOSED = re.compile(r"\bas (?:if|though) $")
"""Before “you were”: “were” stays."""
_PLURAL = re.compile(
    r"\b(both|all|each|one|none|neither|either|some|(?:the )?(?:two|three|four|five|six)) of you\b",
    re.IGNORECASE,
)
_AMONG = re.compile(r"\b(among|amongst|between) you\b", re.IGNORECASE)
_ALL = re.compile(r"(?:\b(\w+) )?\b(you) all\b", re.IGNORECASE)
_EACH_OTHER = re.compile(
    r"\byou(?= (?:(?:can|could|will|would|must) )?[a-z]+ (?:[a-z]+ )?each other\b)", re.IGNORECASE
)
_TOGETHER = re.compile(
    r"\byou(?= (?:[a-z]+ )?(?:are|were|stay(?:ed)?|sat|sit|stood|remain(?:ed)?|walked|went|came|"
    r"waited|worked|lived|played|drank|ate) together\b(?! with\b))",
    re.IGNORECASE,
)
_SIMPLE = {
    "you're": "I'm",
    "you've": "I've",
    "you'd": "I'd",
    "you'll": "I'll",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
}
_YOU_EN = re.compile(r"\byou\b", re.IGNORECASE)
_SIMPLE_EN = re.compile(r"\b(you're|you've|you'd|you'll|yours|yourself|your)\b", re.IGNORECASE)
_BEFORE_OBJECT_WORDS = (
    "to for with of by from about at on behind between against near beside toward towards without "
    "like around upon past over under off into except let letting saw see seen sees tell told "
    "tells ask asks give gave gives given make made makes lets heard hear watch watches found find "
    "left sent send owes pay paid brought bring shown show caught catch helps thanks thank took "
    "take takes met meet knew know knows blames trusts loves hates wants put kept keep held hold "
    "struck hit drew taught teach understood read led lent cost bought sold brings gets got get "
    "leaves likes suit suits in received call calls called forbidden forbade forbids asked warned "
    "begged greeted invited offered watched trusted reported poured"
)
_BEFORE_OBJECT = frozenset(_BEFORE_OBJECT_WORDS.split())
"""Prepositions, and verbs that take an object."""
_FUNCTION_WORD_LIST = (
    "the a an to at in on for with and or that when while if but by from of as than then until "
    "till before after because since so this these those my his her its their him them it what "
    "where how who which there here again either too all both yesterday today tonight tomorrow "
    "out up down back off away into over under about through alone whether why"
)
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_LIST.split())


def speak_as_role(sentence: str, language: Language) -> str:
    """Return `sentence` in the first person; words in quotation marks stay unchanged."""
    parts = _QUOTED.split(sentence)
    turn = _turn_chinese if language == "zh" else _turn_english
    return "".join(part if number % 2 else turn(part) for number, part in enumerate(parts))


def _turn_chinese(text: str) -> str:
    return _YOU_ZH.sub(lambda found: _CHINESE[found[0]], text)


def _turn_english(text: str) -> str:
    text = _AMONG.sub(r"\1 us", _PLURAL.sub(r"\1 of us", text))
    text = _ALL.sub(_whole_company, text)
    for plural in (_EACH_OTHER, _TOGETHER):
        text = plural.sub(lambda found: _like(found[0], "we"), text)
    text = _SECOND_VERB.sub(_agree_again, text)
    text = _AGREEING.sub(_agree, text)
    text = _SIMPLE_EN.sub(lambda found: _like(found[0], _SIMPLE[found[0].lower()]), text)
    return _YOU_EN.sub(lambda found: _person(text, found), text)


def _whole_company(found: re.Match[str]) -> str:
    """Return “we all” or, after a word that takes an object, “us all”."""
    before = f"{found[1]} " if found[1] else ""
    person = "us" if (found[1] or "").lower() in _BEFORE_OBJECT else "we"
    return f"{before}{_like(found[2], person)} all"


def _agree(found: re.Match[str]) -> str:
    before = found.string[max(found.start() - _NEAR, 0) : found.start()]
    if found[1] and (_JOINED.search(before) or _SUPPOSED.search(before)):
        return f"I{found[2]} {found[3]}"
    if found[1]:
        return f"I{found[2]} {_BE[found[3].lower()]}"
    return f"{_like(found[4], _BE[found[4].lower()])} I"


def _agree_again(found: re.Match[str]) -> str:
    if _OTHERS.search(found[2]):
        return found[0]
    return f"{found[1]}{_BE[found[3].lower()]}"


def _person(text: str, found: re.Match[str]) -> str:
    """Return the first person for a “you” of `text`: as a subject or an object."""
    start, end = found.span()
    before, after = text[max(start - _NEAR, 0) : start].rstrip(" "), text[end : end + _NEAR]
    last = re.search(r"([\w']+)$", before)
    follows = re.match(r" ([\w']+)", after)
    if last is None:
        return "I"
    word = last[1].lower()
    is_followed_by_verb = (
        follows is not None
        and not follows[1][0].isdigit()
        and follows[1].lower() not in _FUNCTION_WORDS
    )
    if re.search(r"\b(?:then|now) on$", before, re.IGNORECASE):
        return "I"
    if word == "for" and before.endswith(", for") and is_followed_by_verb:
        return "I"
    if word in _BEFORE_OBJECT or (word in {"before", "after"} and not is_followed_by_verb):
        return "me"
    if word.endswith("ed") and not is_followed_by_verb:
        return "me"
    return "I" if is_followed_by_verb or word in _FUNCTION_WORDS - {"and", "or"} else "me"


def _like(model: str, word: str) -> str:
    return word[0].upper() + word[1:] if model[0].isupper() else word
