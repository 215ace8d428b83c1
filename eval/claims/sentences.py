"""Split speech into sentences; detect non-claims: questions, orders, reported speech."""

import re
from collections.abc import Iterator, Mapping

from scripts_mm.script import Language

_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|《[^》]*》|‘[^’]*’(?!\w)")
_END: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bSt\.)(?<!\bMrs\.)(?<!\bNo\.)(?<=[.!?])[\s\"”’)]+(?=[A-Z“\"‘(\d])"
        r"|\n+|(?<=;)\s+"
    ),
    "zh": re.compile(r"(?<=[。！？!?；;])(?![”」』])|\n+"),
}
_TAG = re.compile(
    r"[,，]\s*(?:where else [^?？]*|isn't it|wasn't (?:it|he|she)|right|是不是|对吧|不是吗)[?？]$",
    re.IGNORECASE,
)
_QUESTION_ZH = re.compile(r"(?:吗|呢|吧)[。.]?$|^(?:请问|为什么|难道)")
_REPORTED: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?!i\b)(?:\w+) (?:said|says|told|tells|claimed|claims|swore|swears"
        r"|admitted|stated|insists?|insisted)\b"
        r"(?! (?:nothing|i\b))|\baccording to\b|\bi(?:'ve)? (?:heard|am told|was told"
        r"|hear)\b (?:that|from)\b"
        r"|\bi was told\b|\bthey say\b",
    ),
    "zh": re.compile(
        r"跟我说|告诉(?:过)?我|对我说|(?<![我说听据])(?<!我就)(?<!老实)说(?:过)?[,:“]|声称|自称|据说|听说"
        r"|据.{1,6}说|[^我实听据不这再要来]说(?:他|她|自己|那)"
    ),
}
_ORDER: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:let us|let's|please|tell (?:me|us)|explain|listen|look,|consider"
        r"|suppose|imagine|wait)\b"
    ),
    "zh": re.compile(r"^(?:请|让我们|咱们把|我们把|大家|你们?(?:先|来|说)|诸位|各位(?!.*我))"),
}
_TALK: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\bi(?:'d| would| will|'ll| shall| must| have to| want to| can(?:not"
        r"|'t)?)? (?:vote|mean|propose|suggest|wonder|agree|ask|add"
        r"|hope|thank|think (?:we|of)|don't know|do not know|can(?:not|'t) say)\b"
        r"|\bnothing (?:special )?to (?:say|add)\b|\b(?:should|ought to|had better) (?:speak"
        r"|say|talk|vote|ask|look)\b|\blet me\b"
        r"|\bdoes not let me rest\b"
    ),
    "zh": re.compile(
        r"我(?:投|说的是|想问|同意|建议|不知道|不清楚|希望|提议)|没有(?:什么|要|别的)?(?:可|要)?(?:补充|说)|不能不想到|放心不下|捋一遍|我们应该|大家应该"
    ),
}
_HEDGE: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:i (?:think|believe|guess|suppose|suspect|fancy)|perhaps|maybe|probably"
        r"|presumably|possibly|might|may have"
        r"|must have|in my opinion|as far as i know|i am not sure|it seems|seems to)\b"
    ),
    "zh": re.compile(
        "我觉得|我想|我猜|我认为|我看|依我看|也许|可能|大概|恐怕|好像|似乎|应该是|说不定|怀疑"
    ),
}
_SELF_NAME: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"^(?:i am|i'm|my name is|this is) [^,.;]{1,40}[.!]?$"),
    "zh": re.compile(r"^(?:我是|我叫|本人)[^,。;]{1,12}[。!]?$"),
}
_CHUNK: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"[,;:—]\s|\s[–—-]\s| but | while | although | because "),
    "zh": re.compile(r"(?<!\d)[,;:、—]|[,;、—](?!\d)"),
}


def split_sentences(text: str, language: Language) -> Iterator[str]:
    """Yield the sentences of a speech, unchanged."""
    for piece in _END[language].split(text):
        if piece and piece.strip():
            yield piece.strip()


def strip_quotes(text: str) -> str:
    """Return a sentence without quotations."""
    return _QUOTED.sub(" ", text)


def is_question(text: str, language: Language) -> bool:
    """Return whether a sentence is a question; a tag question is not."""
    if language == "zh" and _QUESTION_ZH.search(text):
        return True
    return _TAG.sub("", text).rstrip('"”’」)）').endswith(("?", "？"))


def is_reported(plain_text: str, language: Language) -> bool:
    """Return whether a sentence is reported speech."""
    return _REPORTED[language].search(plain_text) is not None


def is_talk(plain_text: str, language: Language) -> bool:
    """Return whether a sentence is about the discussion: an order, a vote, a plan, no answer."""
    return (
        _ORDER[language].search(plain_text) is not None
        or _TALK[language].search(plain_text) is not None
    )


def is_hedged(plain_text: str, language: Language) -> bool:
    """Return whether a sentence is hedged."""
    return _HEDGE[language].search(plain_text) is not None


def is_own_name(plain_text: str, language: Language) -> bool:
    """Return whether a sentence can be only the speaker's introduction."""
    return _SELF_NAME[language].search(plain_text) is not None


def clause_spans(plain_text: str, language: Language) -> tuple[tuple[int, int], ...]:
    """Return start and end of each clause of a sentence."""
    ends = [(one.start(), one.end()) for one in _CHUNK[language].finditer(plain_text)]
    starts = [0, *(stop for _, stop in ends)]
    return tuple(zip(starts, [*(start for start, _ in ends), len(plain_text)], strict=True))
