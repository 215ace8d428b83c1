"""Checks of questions that apply to every script."""

import re
import string
from collections import defaultdict
from collections.abc import Iterable, Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.name_similarity import find_equal_name
from scripts_mm.names import text_form
from scripts_mm.script import Question, Script

_ASKS_ZH = re.compile(
    r"谁(?:才|就)?是[^,，。？?]{0,10}(?:凶手|真凶|凶犯|杀人犯)"
    r"|(?:凶手|真凶|凶犯|杀人犯)(?:到底|究竟|其实)?是(?:谁|哪)"
    r"|被(?:谁|哪(?:个|位|名)?[^,，。？?]{0,4})[^,，。？?]{0,6}(?:杀|毒死|毒害|勒死|害死)"
    r"|谁[^,，。？?怀]{0,8}(?:杀害|杀死|杀了|谋杀|毒死|勒死|害死)"
)
_DOUBTS_ZH = re.compile(
    r"怀疑|认为|觉得|可能|指控|指责|误|猜|嫌|不是|以为|想要|企图|试图|准备|如果"
)
_ASKS_EN = re.compile(
    r"\bwho(?:m)?\s+(?:is|was|are|were)\s+(?:\w+\s+){0,3}(?:murderer|killer|culprit)"
    r"|\bwho\s+(?:\w+\s+){0,2}(?:killed|murdered|poisoned|strangled|stabbed|shot)\b"
    r"|\bwhich\s+(?:\w+\s+){1,3}(?:is|was)\s+(?:\w+\s+){0,2}(?:murderer|killer|culprit)"
    r"|\bby whom\b[^?]{0,40}\b(?:killed|murdered)",
    re.IGNORECASE,
)
_DOUBTS_EN = re.compile(
    r"\b(?:suspects?|suspected|believes?|thinks?|thought|may|might|could|accused?s?|not|claims?|"
    r"seems?|tried|wanted|if)\b",
    re.IGNORECASE,
)

_THE_MURDERER = re.compile(
    r"凶手|真凶|死者|被害|受害|\bthe\s+(?!serial\b)(?:\w+\s+){0,2}(?:murderer|killer|culprit)\b"
    r"|\bthe\s+(?:victim|deceased|dead)\b|\b(?:committed|did)\s+(?:it|the\s+murder)\b",
    re.IGNORECASE,
)
"""Words for the crime of the case in a stem without a victim's name."""
_ANY_MURDERER = re.compile(
    r"连环|\b(?:an?|another|serial|hired)\s+(?:\w+\s+){0,2}(?:murderer|killer|culprit)\b",
    re.IGNORECASE,
)
"""Words for a killer of another crime or by profession."""


def check_questions(script: Script, notes: FindingLog) -> None:
    """Note equal options, duplicates, and questions that contradict each other or the truth."""
    for question in script.questions:
        _note_options(question, notes)
    _note_same_text(script.questions, notes)
    _note_same_stem(script.questions, notes)
    _note_against_truth(script, notes)


def asks_for_murderer(stem: str) -> bool:
    """Return whether a question asks who the culprit is, not whom a person suspects."""
    asks = _ASKS_ZH.search(stem) is not None and _DOUBTS_ZH.search(stem) is None
    return asks or (_ASKS_EN.search(stem) is not None and _DOUBTS_EN.search(stem) is None)


def _note_options(question: Question, notes: FindingLog) -> None:
    forms = [text_form(option) for option in question.options]
    if "" in forms:
        notes.warn("empty-option", question.id, "an option has no text")
    equal = [
        string.ascii_lowercase[at % 26] for at, form in enumerate(forms) if forms.count(form) > 1
    ]
    if equal:
        notes.warn("equal-options", question.id, f"options {', '.join(equal)} have the same text")


def _note_same_text(questions: Sequence[Question], notes: FindingLog) -> None:
    """Note duplicate questions, and questions with the same text but different keys.

    A question from a role's view can be repeated for every role, with different keys.
    """
    texts = (
        (f"{_viewpoint(question)}\n{_full_text(question)}", question) for question in questions
    )
    for group in _group_duplicates(texts):
        first, *others = group
        for other in others:
            notes.info("duplicate-question", other.id, f"the same text as {first.id}")
        keys = {_right_options(question) for question in group if question.keys}
        if len(keys) > 1:
            ids = ", ".join(question.id for question in group)
            notes.warn("same-text-two-keys", first.id, f"the same text has different keys in {ids}")


def _note_same_stem(questions: Sequence[Question], notes: FindingLog) -> None:
    """Note stems whose correct options have different texts; most only differ in wording."""
    scored = [question for question in questions if question.keys and text_form(question.stem)]
    stems = (
        (f"{_viewpoint(question)}\n{text_form(question.stem)}", question) for question in scored
    )
    for group in _group_duplicates(stems):
        if len({_right_options(question) for question in group}) > 1:
            ids = ", ".join(question.id for question in group)
            detail = f"the same stem has different correct options in {ids}"
            notes.info("same-stem-two-answers", group[0].id, detail)


def _note_against_truth(script: Script, notes: FindingLog) -> None:
    """Note keys of questions for the culprit that name an innocent role."""
    for question in script.questions:
        if not asks_for_murderer(question.stem) or _ANY_MURDERER.search(question.stem):
            continue
        named = {_role_of_option(question.options[key], script) for key in question.keys}
        guilty = _culprits_for(question.stem, script)
        wrong = sorted(name for name in named if name and name not in guilty)
        if wrong:
            culprits = ", ".join(guilty) or "nobody"
            detail = f"the key names {', '.join(wrong)} as the culprit; the truth: {culprits}"
            if _is_of_this_crime(question.stem, script):
                notes.warn("key-against-murderer", question.id, detail)
            else:
                detail = f"{detail}; the question names no victim: perhaps another crime"
                notes.info("key-against-murderer", question.id, detail)


def _is_of_this_crime(stem: str, script: Script) -> bool:
    """Return whether a stem is about this crime: it names a victim or asks for the murderer."""
    killed = (*script.victims, *(one.victim for one in script.truth.killings))
    return any(one and one in stem for one in killed) or _THE_MURDERER.search(stem) is not None


def _role_of_option(option: str, script: Script) -> str | None:
    """Return the role that an option names, by its name or by an alias that only it has."""
    found = find_equal_name(option, script.names)
    others = [one.name for one in script.roles if find_equal_name(option, one.aliases)]
    return found or (others[0] if len(others) == 1 else None)


def _culprits_for(stem: str, script: Script) -> tuple[str, ...]:
    """Return the stated killers of the victims in the stem, else all culprits."""
    named = [one for one in script.truth.killings if one.victim in stem and one.culprits]
    killers = tuple(dict.fromkeys(name for one in named for name in one.culprits))
    return killers or script.truth.culprits


def _group_duplicates(pairs: Iterable[tuple[str, Question]]) -> list[list[Question]]:
    """Return the groups of two or more questions with equal keys of `pairs`."""
    groups: defaultdict[str, list[Question]] = defaultdict(list)
    for form, question in pairs:
        groups[form].append(question)
    return [group for group in groups.values() if len(group) > 1]


def _viewpoint(question: Question) -> str:
    """Return the role from whose view a question is asked, if that can change its answer."""
    return question.role or "" if question.kind in ("obj", "rea", "rel") else ""


def _full_text(question: Question) -> str:
    return "\n".join(text_form(part) for part in (question.stem, *question.options))


def _right_options(question: Question) -> frozenset[str]:
    return frozenset(text_form(question.options[key]) for key in question.keys)
