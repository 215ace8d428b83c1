"""The script, a written case: frozen values, checked on construction, standard library only.

A script has three levels of secrecy. `Script.opening`, the roles' names and clues without an
owner are for every seat; `Role` and clues with an owner are for one seat; `Truth` and
`Script.questions` are for no seat before the end.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Language = Literal["en", "zh"]
QuestionKind = Literal["lsu", "tiu", "miu", "mmr", "obj", "rea", "rel", "inf"]
"""WhodunitBench's long-script, text-rich image, media-rich image and multi-step questions;
WellPlay's objective, reasoning and relation questions; ThinkThrice's inferential questions."""
AnswerMode = Literal["one", "two", "set"]
"""`one`: one option, correct if it is a key; `two`: at most two options, correct if a key is among
them; `set`: correct if exactly the keys are given."""
PartName = Literal["story", "script", "relationship", "performance", "purpose", "ability"]
"""The six parts of a private script in MIRAGE."""
Ending = Literal["closed", "open"]
"""`open`: the players decide what happens to the culprit."""
PictureKind = Literal["text", "media"]
"""Text-rich (letter, receipt, chat) or media-rich (plan, scene, photograph)."""

LANGUAGES: tuple[Language, ...] = get_args(Language)
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
PART_NAMES: tuple[PartName, ...] = get_args(PartName)


class ScriptError(Exception):
    """A script that cannot be played, imported or found: what was wanted, what was got, where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture, identified by its hash. `file` is its name inside the script's `pictures/`."""

    sha256: str
    file: str
    mime: Literal["image/png", "image/jpeg", "image/webp"]
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    kind: PictureKind | None = None
    transcript: str = ""
    """The text in the picture; `pictures=transcript` shows it instead of the picture."""
    description: str = ""
    """A caption of the picture; `pictures=caption` shows it instead of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clue:
    """A piece of evidence: text, pictures or both."""

    id: str
    title: str
    text: str = ""
    pictures: tuple[Picture, ...] = ()
    owner: str | None = None
    """The role that receives it at the deal; None: every seat, when the game reveals it."""
    stage: int = 1
    place: str | None = None
    trigger: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A field of a private script in one stage; a later stage has only its new text."""

    name: PartName
    text: str
    stage: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A character of the script, with a unique name."""

    name: str
    script: str
    """The whole private script: background, events, and knowledge that only this role has."""
    mission: str = ""
    """Goals of this role beyond those of its faction."""
    introduction: str | None = None
    """The fixed self-introduction of the player `naive-data`."""
    reply: str | None = None
    """The fixed reply to every question of the player `naive-data`."""
    aliases: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    """The same script by field and stage, if the format separates them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyClue:
    """A statement that a good investigation deduces, `hops` deductions deep."""

    id: str
    text: str
    hops: int | None = None
    """0: literally in a clue or script; None: not stated."""
    holders: tuple[str, ...] = ()
    """Roles on whose scripts or clues it depends."""
    clues: tuple[str, ...] = ()
    """Ids of the clues on which it depends."""
    premises: tuple[str, ...] = ()
    """Ids of the key clues from which it follows: one link of the reasoning chain."""
    source: str = ""
    """The source code as published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A multiple-choice question. `keys` are indexes of correct options; empty: not scored."""

    id: str
    kind: QuestionKind
    stem: str
    options: tuple[str, ...]
    keys: tuple[int, ...]
    role: str | None = None
    """The role to ask, about its own script or from its view; None: every civilian seat."""
    clues: tuple[str, ...] = ()
    """Ids of the clues, also those with pictures, on which the answer depends."""
    hops: int | None = None
    source: str = ""
    pinned: bool = False
    """Options refer to letters or to each other, so their order must not change."""
    answer: AnswerMode = "one"
    points: int | None = None
    """Weight of a correct answer; None: not stated."""
    rationale: str = ""
    """Why the key is correct; an informed answer is compared with it."""

    def __post_init__(self) -> None:
        """Raise ScriptError for a key that is not the index of an option."""
        if any(not 0 <= key < len(self.options) for key in self.keys):
            raise ScriptError(
                f"question {self.id!r} has keys {self.keys}, but {len(self.options)} options"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FactualQuestion:
    """A question on one private script with a free-text answer."""

    id: str
    role: str
    """The role whose script answers it; every seat is asked."""
    about: Literal["story", "timeline"]
    question: str
    answer: str
    source: str
    """The sentence of the script that answers it, word for word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Killing:
    """Who killed a victim; no culprits: not stated, or no person did it."""

    victim: str
    culprits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The solution. No seat sees any of it before the end."""

    culprits: tuple[str, ...]
    not_playable: tuple[str, ...] = ()
    """Those of `culprits` and `instigators` who are not roles, as the script's author states."""
    killings: tuple[Killing, ...] = ()
    """One per victim, if the script separates them."""
    instigators: tuple[str, ...] = ()
    """Who made another person do it; a vote for them does not count as a culprit."""
    unaware: tuple[str, ...] = ()
    """Those of `culprits` whose act seemed harmless: their seats are told what the innocent are."""
    in_league: bool = False
    """Whether the private scripts of several culprits name one another."""
    text: str = ""
    method: str = ""
    motive: str = ""
    key_clues: tuple[KeyClue, ...] = ()
    key_roles: tuple[str, ...] = ()
    misleading: tuple[str, ...] = ()
    """Ids of clues that point at an innocent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A playable case. Its languages share `id`; cases of one world share `work`."""

    id: str
    title: str
    language: Language
    roles: tuple[Role, ...]
    truth: Truth
    opening: str = ""
    """Public text that every seat reads before the first speech."""
    clues: tuple[Clue, ...] = ()
    questions: tuple[Question, ...] = ()
    factual: tuple[FactualQuestion, ...] = ()
    victims: tuple[str, ...] = ()
    civilian_mission: str = ""
    murderer_mission: str = ""
    ending: Ending = "closed"
    innocents_truthful: bool = False
    """The private scripts of the innocent are true; prompts can say so to every seat."""
    work: str = ""
    source: str = ""
    """`original`, `generated`, or the published format that it was imported from."""

    def __post_init__(self) -> None:
        """Raise ScriptError if a match cannot be played with this script."""
        if len(self.roles) < 2:  # noqa: PLR2004 - the minimum number of seats
            raise ScriptError(f"script {self.id!r} has {len(self.roles)} roles; wanted at least 2")
        names = [role.name for role in self.roles]
        self._check_unique("role", names)
        self._check_unique("clue", [clue.id for clue in self.clues])
        asked = [question.id for question in (*self.questions, *self.factual)]
        self._check_unique("question", asked)
        people = {*names, *self.truth.not_playable}
        self._check_known("culprit", self.truth.culprits, people)
        self._check_known("instigator", self.truth.instigators, people)
        self._check_known("unaware culprit", self.truth.unaware, {*self.truth.culprits})
        self._check_known(
            "victim of a killing", (k.victim for k in self.truth.killings), {*self.victims}
        )
        killers = (name for killing in self.truth.killings for name in killing.culprits)
        self._check_known("culprit of a killing", killers, {*self.truth.culprits})
        self._check_known(
            "clue owner", (c.owner for c in self.clues if c.owner is not None), set(names)
        )
        self._check_known("question role", (q.role for q in self.questions if q.role), set(names))
        self._check_known("factual question's role", (one.role for one in self.factual), set(names))
        keys = {key.id for key in self.truth.key_clues}
        self._check_known("premise", (p for k in self.truth.key_clues for p in k.premises), keys)
        clues = {clue.id for clue in self.clues}
        self._check_known("clue of a question", (c for q in self.questions for c in q.clues), clues)
        self._check_known(
            "clue of a key clue", (c for k in self.truth.key_clues for c in k.clues), clues
        )
        self._check_known("misleading clue", self.truth.misleading, clues)

    @property
    def names(self) -> tuple[str, ...]:
        """The roles' names, in the order of the script."""
        return tuple(role.name for role in self.roles)

    @property
    def murderers(self) -> tuple[str, ...]:
        """The culprits who are roles, in the order of the script."""
        return tuple(name for name in self.names if name in self.truth.culprits)

    @property
    def knowing_murderers(self) -> tuple[str, ...]:
        """The murderers who know that they are murderers, in the order of the script."""
        return tuple(name for name in self.murderers if name not in self.truth.unaware)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Every picture, in the order of the clues."""
        return tuple(picture for clue in self.clues for picture in clue.pictures)

    def role(self, name: str) -> Role:
        """Return the role called `name`."""
        return next(role for role in self.roles if role.name == name)

    def _check_unique(self, what: str, ids: list[str]) -> None:
        twice = [name for name, count in Counter(ids).items() if count > 1]
        if twice:
            raise ScriptError(f"script {self.id!r} has {what} {twice[0]!r} more than once")
        if "" in ids:
            raise ScriptError(f"script {self.id!r} has a {what} without a name")

    def _check_known(self, what: str, found: Iterable[str], known: set[str]) -> None:
        strange = [name for name in found if name not in known]
        if strange:
            there = ", ".join(sorted(known)) or "none"
            raise ScriptError(
                f"script {self.id!r} names unknown {what} {strange[0]!r}; known: {there}"
            )
