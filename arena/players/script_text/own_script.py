"""A seat's own script as searchable sentences, without headings and instructions."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from arena.core.observation import Observation
from arena.memory.lexical import Bm25, split_sentences
from arena.players.script_text.accusation import CUE_CLASS, confirms_guilt
from arena.players.script_text.first_person import speak_as_role
from arena.players.script_text.safe_sentences import Paragraph, find_safe_sentences
from scripts_mm.script import Language

_IDENTITY: Mapping[Language, tuple[str, str, str]] = {
    "en": ("My faction is {faction}.", "murderer", "civilian"),
    "zh": ("我的阵营是{faction}。", "凶手", "平民"),
}
_HEADING = re.compile(r"【[^】]*】[^。！？]{0,20}|[^.!?。！？:：,，]{1,40}(?:, \d{1,2} \w+)?")
_INSTRUCTIVE_HEADING = re.compile(
    r"\b(?:how to|goals?|missions?|tasks?|objectives?|you want|tips|advice|your story|strategy|"
    r"second meeting|to lie|to play|abilities)\b|"
    r"怎么(?:圆|说|演|玩|做)|目标|任务|你要|想要|本事|技能|说法|提示|建议|玩法|策略|第二次",
    re.IGNORECASE,
)
_ALIBI = re.compile(
    r"your (?:story|version|alibi|account)\s?[:：]|你的(?:说法|口径|故事)[:：]", re.I
)
_INSTRUCTION: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:insist|never|do not|don't|keep|hide|say|tell|try|make sure|remember|be|let|avoid|"
        r"deny|claim|pretend|admit|push|stay|wonder|find out|protect|convince|vote|choose|ask|"
        r"listen|clear yourself|give up|hold fast|"
        r"if (?:they|anybody|anyone|somebody|someone|he|she|the|it|you)\b[^.]{0,200}?"
        r"\b(?:asks?|comes? up|say|tell))\b|"
        r"\byou (?:must|should|have to|need to|ought to|may not|are not to|want to)\b|"
        r"\byour (?:goal|task|mission|aim|objective)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"咬定|务必|切勿|不要|(?<![区分特个差级])别(?![人的处扭致名墅离的])|必须|你要|你得|你应该|记住|尽量|"
        r"就说|目标|任务|^(?:请|找出|隐瞒|保护|说服)"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnScript:
    """Searchable script of a seat; a murderer says only sentences that do not reveal the deed."""

    language: Language
    is_murderer: bool
    sentences: tuple[str, ...]
    """All of the script, then the line with the faction."""
    spoken: tuple[bool, ...]
    """For each sentence, whether the role may say it."""
    headings: tuple[str, ...]
    """For each sentence, the heading of its section; empty if there is none."""
    paragraphs: tuple[int, ...]
    """For each sentence, the number of its paragraph."""
    index: Bm25

    def search(self, query: str, *, most: int, least_score: float) -> str:
        """Return the best sayable sentences for `query`, in the order of the script."""
        hits = [
            hit.index
            for hit in self.index.best(query, len(self.sentences))
            if hit.score >= least_score and self.spoken[hit.index]
        ]
        return self.say(self.sentences[number] for number in sorted(hits[:most]))

    def beginning(self, most: int) -> tuple[str, ...]:
        """Return the first sayable sentences."""
        found = [one for one, may in zip(self.sentences, self.spoken, strict=True) if may]
        return tuple(found[:most])

    def confirms_murder(self, most: int) -> bool:
        """Return whether one of the `most` best sentences on the deed names this seat as doer."""
        hits = self.index.best(CUE_CLASS[self.language], most)
        last = len(self.sentences) - 1
        return self.is_murderer and any(
            hit.index == last or confirms_guilt(self.sentences[hit.index], self.language)
            for hit in hits
        )

    def say(self, sentences: Iterator[str]) -> str:
        """Return sentences in the first person, as one text."""
        between = "" if self.language == "zh" else " "
        return between.join(speak_as_role(one, self.language) for one in sentences)


def read_own_script(observation: Observation) -> OwnScript:
    """Return the searchable script of the observing seat."""
    public = "\n".join((observation.opening, *observation.seats, *observation.victims))
    return _read(
        observation.private_script,
        observation.language,
        observation.is_murderer,
        observation.seat,
        public,
    )


@lru_cache(maxsize=64)
def _read(script: str, language: Language, is_murderer: bool, name: str, public: str) -> OwnScript:
    paragraphs = tuple(_read_paragraphs(script, language))
    found = [sentence for one in paragraphs for sentence in one.sentences]
    facts = [is_fact for one in paragraphs for is_fact in _mark_facts(one, language)]
    safe = find_safe_sentences(paragraphs, name, language, public) if is_murderer else set(found)
    line, guilty, innocent = _IDENTITY[language]
    sentences = (*found, line.format(faction=guilty if is_murderer else innocent))
    return OwnScript(
        language=language,
        is_murderer=is_murderer,
        sentences=sentences,
        spoken=(
            *(is_fact and one in safe for one, is_fact in zip(found, facts, strict=True)),
            False,
        ),
        headings=(*(one.heading for one in paragraphs for _ in one.sentences), ""),
        paragraphs=(*(at for at, one in enumerate(paragraphs) for _ in one.sentences), -1),
        index=Bm25(sentences),
    )


def _read_paragraphs(script: str, language: Language) -> Iterator[Paragraph]:
    heading = ""
    for line in filter(None, map(str.strip, script.splitlines())):
        if _HEADING.fullmatch(line):
            heading = line
        else:
            sentences = tuple(_with_quotations(split_sentences(line), language))
            yield Paragraph(heading=heading, text=line, sentences=sentences)


def _mark_facts(paragraph: Paragraph, language: Language) -> Iterator[bool]:
    """Yield for each sentence whether it is a fact, not an instruction to the player."""
    is_instructive = _INSTRUCTIVE_HEADING.search(paragraph.heading) or _ALIBI.match(paragraph.text)
    for sentence in paragraph.sentences:
        yield not (is_instructive or _INSTRUCTION[language].search(sentence))


def _with_quotations(parts: tuple[str, ...], language: Language) -> Iterator[str]:
    """Join the sentences of a quotation: parts of it do not show who says “I” and “you”."""
    between, held = "" if language == "zh" else " ", ""
    for part in parts:
        held = f"{held}{between}{part}" if held else part
        if held.count("“") <= held.count("”") and held.count('"') % 2 == 0:
            yield held
            held = ""
    if held:
        yield held
