"""Safe sentences: a murderer's presentation of its role, without the deed.

A sentence seldom proves guilt by its own words, so no test of single sentences finds all that do.
So only the first paragraph stays, which presents the role, without its sentences that share a
distinctive word with the rest.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.players.script_text.accusation import tells_of_deed
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A line of a script, and the heading of its section; empty if there is none."""

    heading: str
    text: str
    sentences: tuple[str, ...]


_DAY_OF_DEED: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b\d{1,2}:\d{2}\b|\b(?:tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE
    ),
    "zh": re.compile(r"\d{1,2}[:：]\d{2}|[今当][晚天夜]|(?:凌晨|上午|下午|晚上).{1,3}点"),
}
"""A time of day, or a word that dates a sentence to the day of the crime."""
_SECTION_OF_DEED: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:evening|night|crime|murder|lie)\b", re.IGNORECASE),
    "zh": re.compile(r"晚|夜|案|凶|怎么[圆说演]"),
}
_SECRET: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:sells?|sold|stole|stolen|forge[ds]?|fake[ds]?|false|real|true|truth|"
        r"fail(?:s|ed)?|cheat\w*|fraud\w*|debts?|owe[ds]?|lie[ds]?|lying|secrets?|die[ds]?|dead|"
        r"blackmail\w*|embezzl\w*|steal\w*|not an?)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"卖|偷|骗|假|冒|伪|真正|真相|挪用|侵吞|欠|债|瞒|秘密|死|抢|夺|不是[。，；]"),
}
"""Fraud, debt, secrets and death: here the presentation turns to the motive."""
_WORD = re.compile(r"[a-z]{4,}|\d{2,}")
_ENDING = re.compile(r"(?:ies|ings?|ed|es|s|e|y|ly)$")
_CJK = re.compile(r"[\u3400-\u9fff]+")
_STEM = 8
"""Letters that tell words apart: “accountant” and “account” are two."""
_CHARACTERS = 4
"""Shared single characters that count as a shared word."""
_COMMON_WORDS = (
    "about above after again against alone along also always among another anybody anything around "
    "away back because been before began behind being below beside best better between both bring "
    "came come comes could days does done down each else even ever every everybody everything "
    "first five found four from full gave give gives goes gone good great half hand hands have "
    "having here herself himself hour hours however into itself just keep kept knew know known "
    "knows last least left less like little long look looked made make makes many mean meant men "
    "might mine more most much must myself name named nearly never next nine nobody none nothing "
    "once only other others ought over people perhaps place quite rather said same says second see "
    "seen seven several shall should since some somebody something soon still such take taken "
    "takes tell tells than that their them then there these they thing things think third this "
    "those though thought three through time times today told took toward twelve twenty twice two "
    "under until upon very want wanted wants well went were what when where whether which while "
    "whole whom whose will with within without women word words would year years yesterday your "
    "yours yourself"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_CHARACTERS = frozenset(
    "的了是在我你您他她它们不一二三四五六七八九十百千两半几个这那哪有就也都和与把被给到上下里外"
    "着过得地又还才却再要会能可来去出起为以于之而但或因所其从向对让叫说道问想看见年月日天时候点"
    "人大小多少好只自己么什没很最更每回些样谁吗呢吧啊前后中间头第岁今明昨"
)


def find_safe_sentences(
    paragraphs: Sequence[Paragraph], name: str, language: Language, public: str
) -> frozenset[str]:
    """Return the sentences with which role `name` presents itself without its deed.

    Words in `public`, which all seats know, are safe, as is a first sentence that names the role. A
    sentence about a secret ends the presentation.
    """
    if not paragraphs or _SECTION_OF_DEED[language].search(paragraphs[0].heading):
        return frozenset()
    rest = "\n".join(f"{one.heading}\n{one.text}" for one in paragraphs[1:])
    tainted = content_terms(rest, language) - content_terms(public, language)
    safe: list[str] = []
    for number, sentence in enumerate(paragraphs[0].sentences):
        if _ends_presentation(sentence, language):
            break
        is_identity = number == 0 and name in sentence
        if is_identity or not _touches(sentence, rest, tainted, language):
            safe.append(sentence)
    return frozenset(safe)


def _ends_presentation(sentence: str, language: Language) -> bool:
    patterns = (_DAY_OF_DEED[language], _SECRET[language])
    return any(one.search(sentence) for one in patterns) or tells_of_deed(sentence, language)


def _touches(sentence: str, rest: str, tainted: frozenset[str], language: Language) -> bool:
    """Return whether a sentence shares a word with `rest`; few Chinese verbs are whole pairs."""
    if tainted & content_terms(sentence, language):
        return True
    characters = set("".join(_CJK.findall(sentence))) - _COMMON_CHARACTERS
    return language == "zh" and len(characters & set(rest)) >= _CHARACTERS


def content_terms(text: str, language: Language) -> frozenset[str]:
    """Return the stems of the nouns and verbs of `text`; in Chinese pairs of characters."""
    if language == "zh":
        runs = _CJK.findall(text)
        pairs = (run[place : place + 2] for run in runs for place in range(len(run) - 1))
        numbers = re.findall(r"\d{2,}", text)
        return frozenset((*numbers, *(one for one in pairs if not _COMMON_CHARACTERS & set(one))))
    words = (word for word in _WORD.findall(text.lower()) if word not in _COMMON)
    return frozenset(_ENDING.sub("", word)[:_STEM] for word in words)
