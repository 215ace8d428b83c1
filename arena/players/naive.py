"""The players without a model and without a will to deceive (PLAYERS 2 and 3)."""

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

from arena.core.actions import (
    ABSTAIN,
    Action,
    Ask,
    Choose,
    Decline,
    SeatId,
    ShareAndAsk,
    Speak,
)
from arena.core.views import View
from arena.players.player import Answer
from arena.players.retrieval import Bm25, sentences
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    dont_know: str
    confession: str
    denial: str
    name: str
    faction: str
    murderer: str
    civilian: str
    question: str
    cue: re.Pattern[str]
    self_word: re.Pattern[str]
    """First person; and second, in which scripts address the role that they speak of."""


_WORDS: dict[Language, _Words] = {
    "en": _Words(
        dont_know="I don't know.",
        confession="Yes. I am the murderer.",
        denial="I do not know. I am not the murderer.",
        name="I am {name}.",
        faction="My faction is {faction}.",
        murderer="murderer",
        civilian="civilian",
        question="What do you know about the case?",
        cue=re.compile(
            r"\b(murderer|killer|kill|kills|killed|culprit)\b|you did it", re.IGNORECASE
        ),
        self_word=re.compile(r"\b(i|me|my|mine|you|your)\b", re.IGNORECASE),
    ),
    "zh": _Words(
        dont_know="我不知道。",
        confession="是的，我就是凶手。",
        denial="我不知道。我不是凶手。",
        name="我是{name}。",
        faction="我的阵营是{faction}。",
        murderer="凶手",
        civilian="平民",
        question="关于这起案件，你知道些什么？",
        cue=re.compile(r"凶手|杀了|杀害|是你干的|嫌疑"),
        self_word=re.compile(r"[我你您]"),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NaivePlayer:
    """Looks up its own script and says what it finds; a murderer confesses once it is found out.

    Section 4.1 of the WhodunitBench paper; retriever and test of suspicion are our choice.
    """

    top_k: int = 3
    min_score: float = 2.0
    """BM25."""
    confess: Literal["on", "off", "always"] = "on"
    votes: Literal["never", "random"] = "never"
    """Of a murderer; a civilian always votes, at random."""
    asks: bool = False

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return the answer that its script gives."""
        return Answer(action=self._act(view, ask, chance))

    def _act(  # noqa: PLR0911 - one case a verb
        self, view: View, ask: Ask, chance: Random
    ) -> Action:
        match ask.verb:
            case "introduce":
                return Speak(text=_introduction(view))
            case "answer":
                return Speak(text=self._answer(view, ask.question))
            case "speak":
                share = _share(view)
                return Speak(text=share) if share else Decline()
            case "share_and_ask":
                return self._share_and_ask(view, ask, chance)
            case "ask" | "conclude":
                return Decline()
            case "vote" | "ballot":
                return self._vote(view, ask, chance)
            case "quiz":
                return Choose(option=chance.choice(ask.options))

    def _answer(self, view: View, question: str) -> str:
        words = _WORDS[view.language]
        units = _units(view)
        index = _index(units)
        if view.is_murderer and self._found_out(view, index, units, question):
            return words.confession
        identity = len(units) - 1
        hits = [
            hit.index
            for hit in index.best(question, self.top_k + 1)
            if hit.score >= self.min_score and hit.index != identity
        ]
        found = sorted(hits[: self.top_k])
        return _joined(view, [units[i] for i in found]) if found else words.dont_know

    def _found_out(self, view: View, index: Bm25, units: tuple[str, ...], question: str) -> bool:
        words = _WORDS[view.language]
        if self.confess == "off" or not words.cue.search(question):
            return False
        if self.confess == "always":
            return True
        return any(
            hit.index == len(units) - 1
            or (words.cue.search(units[hit.index]) and words.self_word.search(units[hit.index]))
            for hit in index.best(question, 5)
        )

    def _share_and_ask(self, view: View, ask: Ask, chance: Random) -> Action:
        share = _share(view)
        if self.asks and share:
            target = SeatId(chance.choice(ask.options))
            question = _WORDS[view.language].question
            return ShareAndAsk(share=share, target=target, question=question)
        return ShareAndAsk(share=share, target=None, question="") if share else Decline()

    def _vote(self, view: View, ask: Ask, chance: Random) -> Action:
        others = [o for o in ask.options if o not in {ABSTAIN, view.seat}]
        if (view.is_murderer and self.votes == "never") or not others:
            return Choose(option=ABSTAIN) if ABSTAIN in ask.options else Decline()
        return Choose(option=chance.choice(others))


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveDataPlayer:
    """The murderer of the released data: a fixed introduction, one fixed reply, nothing else."""

    async def act(self, view: View, ask: Ask, chance: Random) -> Answer:
        """Return the sentence that the script gives, or its default in the script's language."""
        del chance
        words = _WORDS[view.language]
        match ask.verb:
            case "introduce":
                return Answer(action=Speak(text=view.introduction or _named(view)))
            case "answer":
                return Answer(action=Speak(text=view.reply or words.denial))
            case "vote" | "ballot" if ABSTAIN in ask.options:
                return Answer(action=Choose(option=ABSTAIN))
            case _:
                return Answer(action=Decline())


@lru_cache(maxsize=64)
def _index(units: tuple[str, ...]) -> Bm25:
    return Bm25(units)


def _units(view: View) -> tuple[str, ...]:
    words = _WORDS[view.language]
    faction = words.murderer if view.is_murderer else words.civilian
    return (*sentences(view.script), words.faction.format(faction=faction))


def _introduction(view: View) -> str:
    words = _WORDS[view.language]
    units = sentences(view.script)
    own = [u for u in units[:12] if view.seat in u or words.self_word.search(u)]
    return _joined(view, own[:3] or list(units[:2])) or _named(view)


def _named(view: View) -> str:
    return _WORDS[view.language].name.format(name=view.seat)


def _share(view: View) -> str:
    units = sentences(view.script)
    hits = _index(units).best(" ".join(view.victims), 1)
    return units[hits[0].index] if hits else ""


def _joined(view: View, units: list[str]) -> str:
    return ("" if view.language == "zh" else " ").join(units)
