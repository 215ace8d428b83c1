"""Matching of options in a model's text: alone, after `#Answer#:`, or in a sentence."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from arena.core.option_labels import option_label
from scripts_mm.script import Language

_MOST_CHARS = 4000
"""Characters of a text that can name an option; a longer one is no choice."""

_LETTER = re.compile(r"(?<![A-Za-z])([A-H])(?![A-Za-z'])(?! (?!or\b|and\b)[a-z])")
_NUMBER = re.compile(r"(?<![\w.,:/-])-?\d+(?![\w/%]|[.,:]\d)", re.ASCII)
_LETTERS = re.compile(r"A?B?C?D?E?F?G?H?")
_ANSWER = re.compile(r"#[ \t]{0,4}answer[ \t]{0,4}#?[ \t]{0,4}[:：]([^\n]+)", re.IGNORECASE)

_CLAUSE_END = re.compile(
    r"[,;:!?\n，。；：！？]|\.(?=\s|$)|"
    r"\b(?:but|however|so|because|since|therefore|hence|instead|although|though|while|"
    r"and(?= (?:i|it|he|she|we|my|therefore|so)\b))\b|"
    r"但|而是|所以|因为|因此|反而|不过|而(?=我|应)",
    re.IGNORECASE,
)
_DOUBTLESS = re.compile(
    r"(?:no|without(?: a| any)?|beyond(?: a| any| all)?) doubt|not only|毫不怀疑|不得不|不由得",
    re.IGNORECASE,
)
_NEGATED_BEFORE = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|none|except|exclude|excluding|doubt|unlikely|"
    r"rule out|ruled out|anyone but|[a-z]{1,12}n't)\b|"
    r"不(?:是|会|可能|能|觉得|认为|相信|怀疑|信|投|选|想|应|该|像|要|同意)|"
    r"并非|绝非|没有|没|未必|排除|除了|除",
    re.IGNORECASE,
)
_NEGATED_AFTER = re.compile(
    r"\s{0,3}(?:(?:really|certainly|probably|surely|also) )?"
    r"(?:(?:is|was|did|does|has|had|could|can|would|will|should) (?:[a-z]{1,12}ly )?"
    r"(?:not|never|innocent)\b|[a-z]{1,12}n't\b|cannot\b|never\b)|"
    r"\s{0,3}(?:并|绝|应该|肯定|也|都|可能|看来)?"
    r"(?:不是|不会|不可能|不像|并非|绝非|没有?杀|是?(?:无辜|清白))",
    re.IGNORECASE,
)


def match_option(text: str, options: Sequence[str], language: Language) -> str | None:
    """Return the one of `options` that `text` names; None: none of them, or several.

    An option is written as its label. A mention that is governed by a negation does not count:
    “I think it is not Ada” names no option. Nor does a text of more than 4000 characters without a
    marked answer.
    """
    if marked := _ANSWER.findall(text):
        text = marked[-1]
    if len(text) > _MOST_CHARS:
        return None
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    if all(_LETTERS.fullmatch(option) for option in options):
        return _match_letters(text, options)
    if all(option.isdecimal() for option in options):
        return _match_numbers(text, options)
    names = _names(tuple(options), language)
    if (alone := names.get(_plain(text))) is not None:
        return alone
    found = {names[_plain(mention[0])] for mention in _find_affirmed(text, _pattern(names))}
    return found.pop() if len(found) == 1 else None


def find_options(text: str, options: Sequence[str], language: Language) -> tuple[str, ...]:
    """Return all of the `options` that `text` names, in the order of the options."""
    text = unicodedata.normalize("NFKC", text[:_MOST_CHARS]).replace("’", "'")
    names = _names(tuple(options), language)
    found = {names[_plain(mention[0])] for mention in _find_affirmed(text, _pattern(names))}
    return tuple(option for option in options if option in found)


@lru_cache(maxsize=256)
def _names(options: tuple[str, ...], language: Language) -> Mapping[str, str]:
    """Return each option by its spellings."""
    named = {_plain(option): option for option in options}
    return named | {_plain(option_label(option, language)): option for option in options}


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for `names`; of two that match at one position, the longer wins."""
    longest = sorted(filter(None, names), key=len, reverse=True)
    return re.compile("|".join(map(_spelling, longest)) or r"(?!)", re.IGNORECASE)


def _spelling(name: str) -> str:
    apart = r"[\W_]{1,4}" if name.isascii() else r"[\W_]{0,4}"
    found = apart.join(re.escape(word) for word in name.split())
    return rf"(?<![A-Za-z0-9]){found}(?![A-Za-z0-9])" if name.isascii() else found


def _find_affirmed(text: str, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Return the matches of `pattern` that no negation of their clause governs."""
    sure = _DOUBTLESS.sub(lambda found: " " * len(found[0]), text)
    ends = [0, *(found.end() for found in _CLAUSE_END.finditer(sure))]
    negations = [found.end() for found in _NEGATED_BEFORE.finditer(sure)]
    kept: list[re.Match[str]] = []
    for mention in pattern.finditer(text):
        clause = ends[bisect_right(ends, mention.start()) - 1]
        before = bisect_right(negations, mention.start())
        is_negated = before > 0 and negations[before - 1] > clause
        if not is_negated and not _NEGATED_AFTER.match(sure, mention.end()):
            kept.append(mention)
    return kept


def _match_numbers(text: str, options: Sequence[str]) -> str | None:
    """Return the whole number in `text`; parts of times, fractions and dates do not count."""
    found = {mention[0] for mention in _find_affirmed(text, _NUMBER)}
    return found.pop() if len(found) == 1 and found <= set(options) else None


def _match_letters(text: str, options: Sequence[str]) -> str | None:
    """Return the letters in `text`, together or apart; the article “a” does not count."""
    together = "".join(sorted(_plain(text).upper().replace(" ", "")))
    if together in options:
        return together
    known = "".join(options)
    found = {mention[1] for mention in _find_affirmed(text, _LETTER) if mention[1] in known}
    apart = "".join(sorted(found))
    return apart if apart in options else None


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())
