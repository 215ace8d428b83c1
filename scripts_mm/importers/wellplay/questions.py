"""Questions with weights, keys and answer modes from the rows of a WellPlay table."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.importers.lenient_reader import guess_language
from scripts_mm.importers.question_options import AnswerKey, is_pinned, parse_key
from scripts_mm.importers.wellplay.question_tables import QuestionTable
from scripts_mm.importers.wellplay.table_rows import QuestionRow
from scripts_mm.script import AnswerMode, Language, Question, QuestionKind

KINDS: dict[str, tuple[QuestionKind, int]] = {"a": ("obj", 10), "b": ("rea", 5), "c": ("rel", 2)}
"""Kind and points of a row by its `value` (WellPlay)."""

_TWO = re.compile(
    r"[两二2]\s*(?:个|名|位)?\s*人|\btwo\s+(?:\w+\s+)?(?:people|persons|suspects)\b", re.I
)
_SUSPECT = re.compile(r"怀疑|嫌疑|\bsuspect", re.IGNORECASE)
_USUAL_OPTIONS = 4
_WRONG_KEYS = frozenset({"several-keys", "key-repeated"})


def build_questions(
    asked: Sequence[QuestionTable], language: Language, notes: FindingLog
) -> tuple[Question, ...]:
    """Return all questions with stable ids: OBJ-role-n, REA-role-n, REL-role-n, n the row."""
    found: list[Question] = []
    for one in asked:
        maker = _RowQuestionBuilder(one.role, language, notes)
        found += [maker.build(row) for row in one.rows]
        maker.note_common()
    return tuple(found)


class _RowQuestionBuilder:
    """Builder of the questions of one role; it collects findings common to many of them."""

    def __init__(self, role: str, language: Language, notes: FindingLog) -> None:
        self._role = role
        self._language = language
        self._notes = notes
        self._common: defaultdict[tuple[str, str], int] = defaultdict(int)

    def build(self, row: QuestionRow) -> Question:
        """Return the question of a row."""
        kind, points = self._kind(row)
        name = f"{kind.upper()}-{self._role}-{row.number}"
        options, key = self._options(name, row)
        answer = self._answer(name, row)
        self._note_text(name, row.stem, options)
        self._note_key(name, key, answer)
        fixed = is_pinned(options)
        if fixed:
            self._notes.info("pinned-options", name, "options refer to others; fixed order")
        return Question(
            id=name,
            kind=kind,
            stem=row.stem,
            options=options,
            keys=key.keys,
            role=self._role,
            pinned=fixed,
            answer=answer,
            points=points,
        )

    def note_common(self) -> None:
        """Note common irregularities with one finding per role."""
        for (code, what), count in self._common.items():
            self._notes.info(code, self._role, f"{count} questions: {what}")

    def _kind(self, row: QuestionRow) -> tuple[QuestionKind, int | None]:
        found = KINDS.get(_letter(row.value))
        if found is None:
            detail = f"value is {row.value!r}, not a, b or c; read as reasoning without points"
            self._notes.error("unknown-value", f"{self._role} row {row.number}", detail)
            return "rea", None
        return found

    def _options(self, name: str, row: QuestionRow) -> tuple[tuple[str, ...], AnswerKey]:
        """Return the non-empty options, and the key, whose letters are columns."""
        filled = [at for at, text in enumerate(row.options) if text]
        columns = row.options[: filled[-1] + 1] if filled else ()
        if len(filled) < len(columns):
            letters = ", ".join("abcde"[at] for at in range(len(columns)) if not columns[at])
            detail = f"column {letters} is empty between options"
            self._notes.warn("hole-in-options", name, detail)
        holes = [text or f"\0{at}" for at, text in enumerate(columns)]
        key = parse_key(row.key, holes)
        keys = tuple(filled.index(at) for at in key.keys if at in filled)
        options = tuple(columns[at] for at in filled)
        if key.keys and not keys:
            detail = f"the key {row.key!r} names an empty column"
            return options, AnswerKey(code="key-at-empty-option", detail=detail)
        return options, AnswerKey(keys=keys, code=key.code, detail=key.detail)

    def _answer(self, name: str, row: QuestionRow) -> AnswerMode:
        two = _TWO.search(row.stem) is not None and _SUSPECT.search(row.stem) is not None
        match _letter(row.sort):
            case "b":
                return "two" if two else "set"
            case "a":
                if two:
                    detail = "type a, one answer, though the question asks for two people"
                    self._notes.warn("type-doubtful", name, detail)
                return "one"
            case _:
                detail = f"type is {row.sort!r}, not a or b; read as a, one answer"
                self._notes.warn("unknown-type", name, detail)
                return "one"

    def _note_text(self, name: str, stem: str, options: tuple[str, ...]) -> None:
        if not stem:
            self._notes.error("no-question", name, "the question has no text; its key is kept")
        elif guess_language([stem]) != self._language:
            self._notes.info("other-language", name, "the question is in another language")
        if not options:
            detail = "the row has no options; the text is kept and not scored"
            self._notes.error("no-options", name, detail)
        elif len(options) != _USUAL_OPTIONS:
            self._common["option-count", f"{len(options)} options, not {_USUAL_OPTIONS}"] += 1
        if self._language == "zh" and options and all(map(_is_english, options)):
            self._common["options-in-english", "the options are English phrases"] += 1

    def _note_key(self, name: str, key: AnswerKey, answer: AnswerMode) -> None:
        wanted = answer == "set" and key.code == "several-keys"
        if key.code is None or key.code == "key-without-options" or wanted:
            return
        if not key.keys:
            self._notes.error(key.code, name, f"{key.detail}; the question is not scored")
        elif key.code in _WRONG_KEYS:
            self._notes.warn(key.code, name, f"{key.detail}; each letter counts as right")
        else:
            self._notes.info(key.code, name, key.detail)


def _is_english(option: str) -> bool:
    """Return whether an option is a phrase with at least two English words, whoever it names."""
    return len(re.findall(r"[a-z]{2,}", option)) > 1


def _letter(cell: str) -> str:
    return unicodedata.normalize("NFKC", cell).strip().casefold()
