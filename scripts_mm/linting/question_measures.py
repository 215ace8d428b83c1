"""Checks of questions for the measures: requirements of each kind, and answer modes."""

from scripts_mm.findings import FindingLog
from scripts_mm.script import Question, QuestionKind, Script
from scripts_mm.script_texts import join_some

_POINTS: dict[QuestionKind, int] = {"obj": 10, "rea": 5, "rel": 2}
"""Weights of the published questions (WellPlay)."""
_TWO = 2


def check_question_kinds(script: Script, notes: FindingLog) -> None:
    """Note questions that are unscored, lack a role, or lack a picture that they need."""
    pictured = {clue.id for clue in script.clues if clue.pictures}
    for question in script.questions:
        if not question.keys:
            notes.warn("unscored-question", question.id, "no key, so it is never scored")
        if question.kind == "lsu" and question.role is None:
            notes.info("no-role", question.id, "an LSU question without a role")
        on_picture = question.kind in ("tiu", "miu")
        if on_picture and question.clues and not pictured.intersection(question.clues):
            detail = f"depends on {', '.join(question.clues)}, none of which has a picture"
            notes.warn("no-picture", question.id, detail)
    asked = [one.id for one in script.questions if one.kind in ("tiu", "miu")]
    if asked and not pictured:
        detail = f"{len(asked)} questions on pictures, but the script has no picture"
        notes.error("no-pictures", "questions", detail)
    loose = sum(1 for one in script.questions if one.kind in ("tiu", "miu") and not one.clues)
    if loose:
        notes.info("clue-not-named", "questions", f"{loose} questions do not name their picture")


def check_measure_needs(script: Script, notes: FindingLog) -> None:
    """Note requirements of single measures: points, rationales, questions for every role."""
    for question in script.questions:
        _note_points(question, notes)
        if question.kind == "inf":
            _note_inference(question, script, notes)
        elif question.kind in ("tiu", "miu"):
            _note_kind_of_picture(question, script, notes)
    for kind in ("lsu", "obj", "rea", "rel"):
        asked = {one.role for one in script.questions if one.kind == kind}
        lacking = [name for name in script.names if name not in asked | {*script.murderers}]
        if asked - {None} and lacking:
            detail = f"no {kind.upper()} question for {join_some(lacking)}"
            notes.info("role-not-asked", "questions", detail)


def check_answer_modes(script: Script, notes: FindingLog) -> None:
    """Note questions whose answer mode does not fit their options and keys."""
    for question in script.questions:
        options, keys = len(question.options), len({*question.keys})
        if options < _TWO:
            notes.warn("few-options", question.id, f"{options} options; there is no choice")
        elif keys == options:
            notes.warn("no-wrong-option", question.id, "every option is correct")
        if question.answer == "two" and options <= _TWO:
            notes.warn("two-of-few", question.id, f"two of {options} options: always correct")
        if question.answer == "set" and keys == 1:
            notes.info("set-of-one", question.id, "several can be chosen, but only one is correct")
        if len(question.keys) != keys:
            notes.warn("key-twice", question.id, f"keys {question.keys} name an option twice")


def check_culprit_only(script: Script, notes: FindingLog) -> None:
    """Note questions that depend only on clues of culprits."""
    owners = {clue.id: clue.owner for clue in script.clues}
    for question in script.questions:
        holders = {owners[clue] for clue in question.clues}
        if holders and holders <= {*script.murderers} and question.role not in holders:
            detail = f"depends on {join_some(question.clues)}, which only a culprit holds"
            notes.warn("question-of-culprit", question.id, detail)


def _note_points(question: Question, notes: FindingLog) -> None:
    usual = _POINTS.get(question.kind)
    if usual is None:
        return
    if not question.points:
        notes.warn("no-points", question.id, f"a question of kind {question.kind!r} without points")
    elif question.points != usual:
        detail = f"{question.points} points; published questions of its kind have {usual}"
        notes.info("unusual-points", question.id, detail)
    if question.role is None:
        detail = f"a question of kind {question.kind!r} without a role"
        notes.info("no-role", question.id, detail)


def _note_inference(question: Question, script: Script, notes: FindingLog) -> None:
    if not question.rationale.strip():
        notes.warn("no-rationale", question.id, "an inferential question without a rationale")
    owners = {clue.owner for clue in script.clues if clue.id in question.clues}
    named = {
        role.name
        for role in script.roles
        if any(name in question.source for name in (role.name, *role.aliases))
    }
    if len(named | owners - {None}) < _TWO:
        detail = "its source names fewer than two scripts"
        notes.info("inference-of-one", question.id, detail)


def _note_kind_of_picture(question: Question, script: Script, notes: FindingLog) -> None:
    wanted = "text" if question.kind == "tiu" else "media"
    kinds = {
        picture.kind
        for clue in script.clues
        if clue.id in question.clues
        for picture in clue.pictures
    }
    if kinds and wanted not in kinds | ({wanted} if None in kinds else set()):
        detail = f"a {question.kind.upper()} question, but its picture is not a {wanted!r} picture"
        notes.info("kind-of-picture", question.id, detail)
