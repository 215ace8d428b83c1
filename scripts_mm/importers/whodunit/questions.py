"""Questions with options, keys and hops from the published ones."""

import re
import unicodedata
from collections.abc import Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.importers.lenient_reader import guess_language
from scripts_mm.importers.question_options import (
    AnswerKey,
    is_numbered,
    is_pinned,
    parse_key,
    split_options,
    strip_number,
)
from scripts_mm.importers.whodunit.question_lists import RawQuestion
from scripts_mm.importers.whodunit.source import RawWhodunitScript
from scripts_mm.script import Language, Question, QuestionKind

MAX_HOPS = 99
_HOPS = re.compile(r"-\s*(\d+|n)$", re.IGNORECASE)
_USUAL_OPTIONS = 4
_WRONG_KEYS = frozenset({"several-keys", "key-repeated"})


def build_questions(
    case: RawWhodunitScript, language: Language, notes: FindingLog
) -> tuple[Question, ...]:
    """Return all questions of a script with stable ids: LSU-role-n, TIU-n, MIU-n, MMR-n."""
    found: list[Question] = []
    for role in case.roles:
        _note_few(role.name, role.questions, notes)
        prefix = f"LSU-{role.name}"
        found += _QuestionListBuilder("lsu", prefix, role.name, language, notes).build_all(
            role.questions
        )
    found += _QuestionListBuilder("tiu", "TIU", None, language, notes).build_all(case.tiu)
    found += _QuestionListBuilder("miu", "MIU", None, language, notes).build_all(case.miu)
    found += _QuestionListBuilder("mmr", "MMR", None, language, notes).build_all(case.mmr)
    return tuple(found)


def parse_hops(source: str) -> int | None:
    """Return the hops in a source code: its trailing number, or 0 without one.

    None: the code states that they are unknown (`-n`), or is empty.
    """
    code = unicodedata.normalize("NFKC", source).strip()
    if not code:
        return None
    found = _HOPS.search(code)
    if found is None:
        return 0
    return None if found[1] in "nN" or int(found[1]) > MAX_HOPS else int(found[1])


class _QuestionListBuilder:
    """Builder of the questions of one list."""

    def __init__(
        self,
        kind: QuestionKind,
        prefix: str,
        role: str | None,
        language: Language,
        notes: FindingLog,
    ) -> None:
        self._kind: QuestionKind = kind
        self._prefix = prefix
        self._role = role
        self._language = language
        self._notes = notes

    def build_all(self, raw: Sequence[RawQuestion]) -> list[Question]:
        """Return the questions in their order."""
        in_stem = is_numbered([question.text for question in raw])
        if in_stem:
            detail = f"the list is numbered 1 to {len(raw)}; the numbers are removed from the stems"
            self._notes.info("numbered-list", self._prefix, detail)
        return [self._build(number, question, in_stem) for number, question in enumerate(raw, 1)]

    def _build(self, number: int, raw: RawQuestion, in_stem: bool) -> Question:
        name = f"{self._prefix}-{number}"
        split = split_options(strip_number(raw.text) if in_stem else raw.text)
        key = parse_key(raw.answer, split.options)
        fixed = is_pinned(split.options)
        self._note_text(name, split.stem, len(split.options))
        self._note_marks(name, split.glued, split.tight)
        self._note_key(name, key)
        if fixed:
            self._notes.info("pinned-options", name, "options refer to others; fixed order")
        if self._kind == "mmr" and not raw.source:
            self._notes.info("no-source", name, "its source is not stated")
        return Question(
            id=name,
            kind=self._kind,
            stem=split.stem,
            options=split.options,
            keys=key.keys,
            role=self._role,
            hops=parse_hops(raw.source),
            source=raw.source,
            pinned=fixed,
        )

    def _note_text(self, name: str, stem: str, options: int) -> None:
        if not stem:
            self._notes.error("no-question", name, "the question has no text")
        elif guess_language([stem]) != self._language:
            self._notes.info("other-language", name, "the question is in another language")
        if options == 0:
            detail = "no options can be found; the text is kept and not scored"
            self._notes.error("no-options", name, detail)
        elif options != _USUAL_OPTIONS:
            self._notes.info("option-count", name, f"{options} options, not {_USUAL_OPTIONS}")

    def _note_marks(self, name: str, glued: tuple[str, ...], tight: tuple[str, ...]) -> None:
        if glued:
            detail = f"no space before the marker of option {', '.join(glued)}"
            self._notes.info("no-space-before-marker", name, detail)
        if tight:
            detail = f"no space after the marker of option {', '.join(tight)}"
            self._notes.info("no-space-after-marker", name, detail)

    def _note_key(self, name: str, key: AnswerKey) -> None:
        if key.code is None or key.code == "key-without-options":
            return
        if not key.keys:
            self._notes.error(key.code, name, f"{key.detail}; the question is not scored")
        elif key.code in _WRONG_KEYS:
            self._notes.warn(key.code, name, key.detail)
        else:
            self._notes.info(key.code, name, key.detail)


def _note_few(role: str, raw: Sequence[RawQuestion], notes: FindingLog) -> None:
    if not raw:
        notes.warn("no-questions", role, "no questions about this role's script")
    elif len(raw) == 1:
        notes.warn("placeholder-questions", role, "one question about this role's script")
