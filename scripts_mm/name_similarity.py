"""Similarity of names to roles' names: typos, look-alike characters, OCR errors."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from rapidfuzz.distance import Levenshtein

from scripts_mm.names import normal_form

_LATIN_NAME = re.compile(r"\b[A-Z][a-z'’-]{3,}\b")
_LATIN_PHRASE = re.compile(r"\b[A-Z][A-Za-z'’-]+(?:[ ·][A-Z][A-Za-z'’-]+)+")
_COMMON_WORD = re.compile(r"\b[a-z'’-]{4,}\b")
"""Words also found in lower case are not names at the beginning of a sentence."""
_BEFORE_NAMES = frozenset("的个是")
"""Characters that are more often before a name than a typo of its first character."""
_OWNED = re.compile(r"['’]s?(?= |$)")
_DRIFT = 0.8
"""Minimum `SequenceMatcher` ratio of a misspelling to a name with the same first letter."""
_EDGE_VARIANTS = 4
"""Maximum variants of a name's first or last character; with more they are other words."""
_EDGE_COUNT = 2
_SHORT_NAME = 5
"""Up to this many letters, a word with another first letter is another word."""


def find_equal_name(name: str, roles: Sequence[str]) -> str | None:
    """Return the only role whose name equals `name` except for case, width and punctuation."""
    form = normal_form(name)
    found = [role for role in roles if normal_form(role) == form]
    return found[0] if form and len(found) == 1 else None


def find_similar_name(name: str, roles: Sequence[str]) -> str | None:
    """Return a role whose name differs from `name` by exactly one character."""
    form = normal_form(name)
    return next((role for role in roles if _is_one_edit_apart(form, normal_form(role))), None)


def confusable_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of names that differ by at most one character of their normal forms."""
    return [
        (one, other)
        for at, one in enumerate(names)
        for other in names[at + 1 :]
        if normal_form(one) == normal_form(other)
        or _is_one_edit_apart(normal_form(one), normal_form(other))
    ]


def find_misspellings(roles: Sequence[str], texts: Iterable[str]) -> list[tuple[str, str, int]]:
    """Return the likely misspellings of role names in running text: variant, role, count.

    A change inside a name always counts. At its edge it can be part of the next word, so it
    counts only if it is repeated and few other variants occur there.
    """
    running = list(texts)
    forms = [_form_with_spaces(text) for text in running]
    common = {word for text in running for word in _COMMON_WORD.findall(text)}
    words = Counter(word for text in running for word in _LATIN_NAME.findall(text))
    phrases = Counter(_latin_phrases(running))
    known = {normal_form(role) for role in roles}
    found: list[tuple[str, str, int]] = []
    for role in roles:
        form = normal_form(role)
        if form.isascii():
            near = _find_word_slips(role, words, roles)
            near = [(word, count) for word, count in near if word.casefold() not in common]
            near += _find_phrase_slips(role, phrases, roles)
        else:
            near = _find_window_slips(form, forms)
        found += [
            (variant, role, count) for variant, count in near if normal_form(variant) not in known
        ]
    return found


def _is_one_edit_apart(one: str, other: str) -> bool:
    """Return whether two normal forms of two or more characters differ by one character."""
    if one == other or min(len(one), len(other)) < 2:  # noqa: PLR2004 - too short to be alike
        return False
    if len(one) == len(other) == 2:  # noqa: PLR2004 - of two, the first must be the same
        return one[0] == other[0] and not one.isascii()
    return abs(len(one) - len(other)) <= 1 and Levenshtein.distance(one, other) == 1


def _form_with_spaces(text: str) -> str:
    """Return `text` as in `normal_form`, with a space for each run of other characters."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\W_]+", " ", re.sub(r"[·•・∙.\s]+", "", plain))


def _find_word_slips(role: str, words: Counter[str], roles: Sequence[str]) -> list[tuple[str, int]]:
    parts = {part for name in roles for part in _LATIN_NAME.findall(name)}
    own = _LATIN_NAME.findall(role)
    return [
        (word, count)
        for word, count in words.items()
        if word not in parts and any(_is_slip(word, part) for part in own)
    ]


def _latin_phrases(texts: Iterable[str]) -> Iterator[str]:
    """Yield the runs of two and more consecutive capitalised words."""
    for text in texts:
        for phrase in _LATIN_PHRASE.findall(text):
            words = re.split(r"[ ·]", _OWNED.sub("", phrase))
            for size in range(2, len(words) + 1):
                yield from (" ".join(words[at:][:size]) for at in range(len(words) - size + 1))


def _find_phrase_slips(
    role: str, phrases: Counter[str], roles: Sequence[str]
) -> list[tuple[str, int]]:
    """Return full names in which one word differs from the role's by more than a letter."""
    own, taken = role.split(), {part for name in roles for part in name.split()}
    found: list[tuple[str, int]] = []
    for phrase, count in phrases.items():
        words = phrase.split()
        if len(words) != len(own):
            continue
        pairs = [(one, other) for one, other in zip(words, own, strict=True) if one != other]
        if len(pairs) == 1 and pairs[0][0] not in taken and _is_drifted(*pairs[0]):
            found.append((phrase, count))
    return found


def _is_drifted(word: str, name: str) -> bool:
    """Return whether a word is a prefix of a name, or similar with the same first letter."""
    if word[0] != name[0] or _is_slip(word, name):
        return False
    return name.startswith(word) or SequenceMatcher(None, word, name).ratio() >= _DRIFT


def _is_slip(word: str, name: str) -> bool:
    """Return whether a Latin word is one edit from a name; short ones share the first letter."""
    long = min(len(word), len(name)) > _SHORT_NAME
    return (long or word[0] == name[0]) and _is_one_edit_apart(word.casefold(), name.casefold())


def _find_window_slips(form: str, texts: list[str]) -> list[tuple[str, int]]:
    size = len(form)
    if size < 3:  # noqa: PLR2004 - one of two characters proves nothing
        return []
    inside: Counter[str] = Counter()
    edges: dict[int, Counter[str]] = {0: Counter(), size - 1: Counter()}
    for at in range(size):
        before, after = re.escape(form[:at]), re.escape(form[at + 1 :])
        wrong = re.compile(rf"(?={before}([^\W_a-z0-9]){after})")
        for text in texts:
            for match in wrong.finditer(text):
                if match[1] != form[at] and not (at == 0 and match[1] in _BEFORE_NAMES):
                    edges.get(at, inside)[form[:at] + match[1] + form[at + 1 :]] += 1
    found = list(inside.items())
    for counts in edges.values():
        if len(counts) <= _EDGE_VARIANTS:
            found += [(word, count) for word, count in counts.items() if count >= _EDGE_COUNT]
    return found
