"""Match a paraphrasing sentence to a fact of the table, and decide whether they agree."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import fsum, log
from typing import Protocol

from arena.games.shared.word_matching import plain
from eval.claims.audit_case import AuditCase
from eval.claims.name_mentions import SPEAKER, CaseNames
from eval.claims.sentences import clause_spans
from eval.claims.times_of_day import DAY, TimeSpan, find_times
from eval.metrics.match_cache import cache_last_match
from scripts_mm.script import Language

_LEAST_RECALL = 0.62
"""The weighted share of a fact's words that a sentence must have. Set by hand; docs/scores.md has
the precision and recall that the audit reaches with it."""
_LEAST_WORDS = 3
_LEAST_PIECE = 4
"""The least number of words of a part that identifies its fact."""
_LEAST_PAIR = 2
"""The least number of words of a matchable fact."""
_STOP = frozenset(
    word
    for line in (
        "a an the of to in on at by for from with and or but so as that this these",
        "those it its is was were are be been being am do did does have has had not",
        "never no nor i me my we us our you your he him his she her they them their",
        "there then than who whom which what when where while one any all some only",
        "also very just still",
    )
    for word in line.split()
)
_SUFFIX = re.compile(r"(?:ing|edly|ed|ly|es|s)$")
_IRREGULAR = {
    "stood": "stand",
    "sat": "sit",
    "wrote": "write",
    "written": "write",
    "killed": "kill",
    "told": "tell",
    "took": "take",
    "taken": "take",
    "left": "left",
    "rang": "ring",
    "knew": "know",
    "known": "know",
    "found": "find",
    "heard": "hear",
    "came": "come",
    "went": "go",
    "gone": "go",
    "ran": "run",
    "lay": "lie",
    "cut": "cut",
    "held": "hold",
}
_NOT: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:not|never|no|nobody|nothing|without)\b|n't\b|\bcannot\b"),
    "zh": re.compile(r"不|没|无|未|别"),
}
_OPPOSED: tuple[tuple[str, str], ...] = (
    ("left", "right"),
    ("fast", "right"),
    ("fast", "slow"),
    ("alive", "dead"),
    ("open", "shut"),
    ("forgery", "genuine"),
    ("forged", "genuine"),
    ("full", "empty"),
    ("dark", "lit"),
    ("左", "右"),
    ("快", "慢"),
    ("真", "假"),
    ("开", "关"),
    ("满", "空"),
)
_HALF_DAY = DAY // 2
_DAYS = (-DAY, 0, DAY)
_JOINED: Mapping[str, str] = {word: pair[0] for pair in reversed(_OPPOSED) for word in pair}
"""Opposites map to one word: a sentence with the opposite word is about the same fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactMatch:
    """A fact, or a lie in the table, that a sentence states."""

    fact: str
    agrees: bool
    is_lie: bool = False


class FactMatcher(Protocol):
    """Maps a sentence to the fact that it is about."""

    def match(self, sentence: str, speaker: str, case: AuditCase) -> FactMatch | None:
        """Return the fact that `sentence` states or contradicts, or None."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMatcher:
    """Matches by words, without a model."""

    def match(self, sentence: str, speaker: str, case: AuditCase) -> FactMatch | None:
        """Return the fact whose rare words the sentence, or a part of it, covers best."""
        index = _build_index(case)
        text = plain(sentence)
        parts = [text, *(text[start:stop] for start, stop in clause_spans(text, case.language))]
        best: tuple[float, FactMatch] | None = None
        for part in dict.fromkeys(parts):
            found = index.find(part, speaker)
            if found is not None and (best is None or found[0] > best[0] + 0.01):
                best = found
        return best[1] if best else None


@dataclass(frozen=True, kw_only=True)
class _FactLine:
    id: str
    who: str
    """The liar; empty: a fact."""
    words: frozenset[str]
    people: frozenset[str]
    text: str


@dataclass(frozen=True, kw_only=True)
class _FactIndex:
    lines: tuple[_FactLine, ...]
    names: CaseNames

    @cached_property
    def weights(self) -> Mapping[str, float]:
        count = Counter(word for line in self.lines for word in line.words)
        return {word: log(1 + len(self.lines) / found) for word, found in count.items()}

    def find(self, part: str, speaker: str) -> tuple[float, FactMatch] | None:
        language = self.names.language
        people = _people(part, self.names, speaker)
        words = _words(part, self.names, speaker)
        scored = [(self._score(line, words, people, speaker), line) for line in self.lines]
        score, line = max(
            scored,
            key=lambda one: (one[0], bool(one[1].who), len(one[1].words)),
            default=(0.0, None),
        )
        if line is None or score < _LEAST_RECALL:
            return None
        agrees = _agree(part, line.text, language)
        if line.who and not agrees:
            return None
        return score, FactMatch(fact=line.id, agrees=agrees and not line.who, is_lie=bool(line.who))

    def _score(
        self, line: _FactLine, words: frozenset[str], people: frozenset[str], speaker: str
    ) -> float:
        if line.who and line.who != speaker:
            return 0.0
        if not line.people <= people or len(line.words) < _LEAST_PAIR:
            return 0.0
        common = line.words & words
        if len(common) < min(_LEAST_WORDS, len(line.words)):
            return 0.0
        total = fsum(self.weights[word] for word in line.words if word in common or word[0] != "@")
        return fsum(self.weights[word] for word in common) / total if total else 0.0


@cache_last_match
def _build_index(case: AuditCase) -> _FactIndex:
    language, names = case.language, case.names
    lines: list[_FactLine] = []
    for fact in case.table.facts:
        text = plain(fact.says.get(language, ""))
        lines.append(_build_line(fact.id, text, "", names))
        pieces = [
            _build_line(fact.id, text[at:end], "", names)
            for at, end in clause_spans(text, language)
        ]
        lines += [one for one in pieces if len(one.words) >= _LEAST_PIECE and one.text != text]
    for lie in case.table.lies:
        if lie.against:
            text = plain(lie.says.get(language, ""))
            lines.append(_build_line(lie.against[0], text, lie.who, names))
    return _FactIndex(lines=tuple(one for one in lines if one.words), names=names)


def _build_line(name: str, text: str, who: str, names: CaseNames) -> _FactLine:
    words = _words(text, names, who)
    return _FactLine(
        id=name,
        who=who,
        words=words,
        people=_people(text, names, who) - (names.victims if len(words) > _LEAST_PAIR else set()),
        text=text,
    )


def _people(text: str, names: CaseNames, speaker: str) -> frozenset[str]:
    found = {one.id for one in names.find_people(text)}
    named = {speaker if one == SPEAKER else one for one in found}
    return frozenset(one for one in named if not one.startswith("@"))


def _words(text: str, names: CaseNames, speaker: str) -> frozenset[str]:
    """Return the content words of a plain text: stems, or pairs of Chinese characters."""
    kept = list(text)
    spans = [(one.at, one.stop) for one in find_times(text, names.language)]
    spans += [(one.at, one.stop) for one in names.find_people(text)]
    for start, stop in spans:
        kept[start:stop] = " " * (stop - start)
    rest = "".join(kept)
    times = find_times(text, names.language)
    clocks = frozenset(f"@{span.start % _HALF_DAY}" for time in times for span in time.spans)
    if names.language == "en":
        found = re.findall(r"[a-z0-9]+", rest)
        return clocks | {_stem(word) for word in found if word not in _STOP}
    pieces = re.findall(r"[\u3400-\u9fff0-9a-z]+", re.sub("[的了着过就也都是在]", " ", rest))
    return clocks | frozenset(
        piece[at : at + 2] for piece in pieces for at in range(max(1, len(piece) - 1))
    )


def _stem(word: str) -> str:
    if word in _JOINED:
        return _JOINED[word]
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    short = _SUFFIX.sub("", word)
    return short if len(short) >= 3 else word  # noqa: PLR2004 - shorter stems are ambiguous


def _agree(part: str, fact: str, language: Language) -> bool:
    """Return whether sentence and fact agree: equal negation, times and numbers."""
    own, other = (len(_NOT[language].findall(text)) % 2 for text in (part, fact))
    turned = any(_has_opposites(part, fact, pair) for pair in _OPPOSED)
    if (own != other) != turned:
        return False
    said, told = find_times(part, language), find_times(fact, language)
    if said and told:
        pairs = (
            (one, other)
            for mine in said
            for one in mine.spans
            for its in told
            for other in its.spans
        )
        return any(_overlaps(one, other) for one, other in pairs)
    return True


def _overlaps(one: TimeSpan, other: TimeSpan) -> bool:
    return any(one.start <= other.end + day and other.start + day <= one.end for day in _DAYS)


def _has_opposites(part: str, fact: str, pair: tuple[str, str]) -> bool:
    one, other = pair
    return (one in fact and other in part and one not in part) or (
        other in fact and one in part and other not in part
    )
