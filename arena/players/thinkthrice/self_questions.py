"""Questions of a seat to itself: lists and judgements, and parsing of the replies."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.core.actions import Reply
from arena.core.observation import Observation
from arena.core.quoting import defuse
from arena.core.specs import CHOICE, ActionSpec, Choice, Field, Form, FreeText
from arena.players.methods.method_steps import MethodStep, Turn
from arena.players.methods.recall import keep_events
from arena.players.thinkthrice.method_texts import find_texts

_BULLET: Final = re.compile(r"^(?:[-*•·]+|[(（]?\d{1,3}(?:[)）、]|\.(?!\d)))\s*")
"""Marks of models before a line of a list; `12.30` is a time, not the number of a line."""
_TOKENS_A_VERDICT: Final = 10
_TOKENS_BESIDES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictWords:
    """Two words for judgements: texts `word.NAME`."""

    good: str
    bad: str


YES_NO: Final = VerdictWords(good="yes", bad="no")
RIGHT_WRONG: Final = VerdictWords(good="correct", bad="incorrect")


class SelfQuestions:
    """Makes the steps of one turn. Those without memories see only rules and own script."""

    def __init__(self, turn: Turn, temperature: float, tokens: int) -> None:
        """Make steps of `turn`; speeches have this `temperature` and at most `tokens` tokens."""
        self.turn = turn
        self.say = find_texts(turn.observation.language)
        self._own = keep_events(turn.observation, ())
        self._temperature, self._tokens = temperature, tokens

    def step(
        self, name: str, key: str, spec: ActionSpec | None = None, **values: object
    ) -> MethodStep:
        """Return a silent step with the text `key.demand`; temperature 0."""
        demand = self.say(f"{key}.demand", aside=self.say("note.aside"), **values)
        return MethodStep(
            name=name, instruction=demand.strip(), spec=spec or FreeText(), seen=self._own
        )

    def list_step(self, name: str, key: str, **values: object) -> MethodStep:
        """Return a step whose reply can be as long as a speech, such as a list."""
        demand = self.say(f"{key}.demand", aside=self.say("note.aside"), **values)
        return MethodStep(
            name=name, instruction=demand.strip(), tokens=self._tokens, seen=self._own
        )

    def judge_step(
        self, name: str, key: str, count: int, words: VerdictWords = YES_NO, **values: object
    ) -> MethodStep:
        """Return a step that gives a verdict on each of `count` lines."""
        good, bad = self.say(f"word.{words.good}"), self.say(f"word.{words.bad}")
        verdict = Choice(options=(good, bad))
        fields = tuple(Field(name=str(number), spec=verdict) for number in range(1, count + 1))
        demand = self.say(
            f"{key}.demand",
            aside=self.say("note.aside"),
            **{words.good: good, words.bad: bad},
            **values,
        )
        return MethodStep(
            name=name,
            instruction=demand.strip(),
            spec=Form(fields=fields),
            tokens=judge_tokens(count),
            seen=self._own,
        )

    def yes_no_step(self, name: str, key: str, **values: object) -> MethodStep:
        """Return a step with the answers yes and no."""
        yes, no = self.say("word.yes"), self.say("word.no")
        return self.step(name, key, Choice(options=(yes, no)), yes=yes, no=no, **values)

    def speech_step(
        self,
        name: str,
        instruction: str,
        spec: ActionSpec | None = None,
        seen: Observation | None = None,
    ) -> MethodStep:
        """Return a step for words that can become speech."""
        return MethodStep(
            name=name,
            instruction=instruction.strip(),
            spec=spec or FreeText(),
            tokens=self._tokens,
            temperature=self._temperature,
            seen=seen or self._own,
            may_be_heard=True,
        )

    def choice_step(
        self, name: str, instruction: str, spec: ActionSpec, seen: Observation
    ) -> MethodStep:
        """Return a step for a decision; temperature 0."""
        return MethodStep(
            name=name,
            instruction=instruction.strip(),
            spec=spec,
            tokens=self._tokens,
            seen=seen,
        )

    def is_yes(self, reply: Reply | None) -> bool:
        """Return whether a reply to `yes_no_step` is yes; an unparsed one is not."""
        return reply is not None and reply[CHOICE] == self.say("word.yes")

    def select(self, lines: Iterable[str], verdicts: Reply | None, word: str) -> tuple[str, ...]:
        """Return the lines whose verdict is the text `word.WORD`; none without verdicts."""
        if verdicts is None:
            return ()
        wanted = self.say(f"word.{word}")
        return tuple(
            line for number, line in enumerate(lines, start=1) if verdicts[str(number)] == wanted
        )


def judge_tokens(count: int) -> int:
    """Return the maximal tokens of verdicts on `count` lines."""
    return _TOKENS_BESIDES + _TOKENS_A_VERDICT * count


def read_lines(text: str, most: int, *, none: str = "") -> tuple[str, ...]:
    """Return the distinct lines of a list, at most `most`; `none` is a word for an empty list."""
    lines = (_BULLET.sub("", defuse(" ".join(line.split()))) for line in text.splitlines())
    told = (line for line in lines if any(map(str.isalnum, line)) and not _is_word(line, none))
    return tuple(dict.fromkeys(told))[:most]


def _is_word(line: str, word: str) -> bool:
    return line.strip("“”\"'.。!！ ").casefold() == word
