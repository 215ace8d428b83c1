"""Detectors of passages, cuts and choices, and the rates that they make."""

import pytest

from arena.core.events import ActionRejected, ClueRevealed
from arena.core.requests import ActionError, ErrorCode
from arena.core.seats import SeatId
from arena.models.chat import CallId
from eval.metrics.guards.detectors import DETECTORS, FATAL, METRICS, find_hits
from eval.metrics.text_tokens import word_tokens
from scripts_mm.script import Language
from tests.eval.made import made
from tests.eval.metrics.guards.guard_cases import (
    CLUES,
    LANGUAGES,
    NAMES,
    OPENING,
    STORIES,
    TRUTH,
    faults,
    heard,
)
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    call_of,
    said,
    values_of,
    with_calls,
)

both = pytest.mark.parametrize("language", LANGUAGES)
LONG = {"verbatim_own", FATAL}
RUN: dict[Language, int] = {"en": 30, "zh": 40}
"""Words, and Chinese characters, of a long passage."""


def run_of(text: str, size: int, language: Language) -> str:
    """Return the first tokens of a text, without its punctuation."""
    return ("" if language == "zh" else " ").join(word_tokens(text)[:size])


@both
def test_a_long_passage_of_the_own_script_is_read_aloud(language: Language) -> None:
    size, story = RUN[language], STORIES[language][0]
    assert faults(language, run_of(story, size, language)) & LONG == {"verbatim_own"}
    assert not faults(language, run_of(story, size - 1, language)) & LONG


@both
def test_a_long_passage_of_another_script_is_a_hole_in_the_wall(language: Language) -> None:
    size, story = RUN[language], STORIES[language][1]
    assert faults(language, run_of(story, size, language)) & LONG == {FATAL}
    assert not faults(language, run_of(story, size - 1, language)) & LONG


@both
def test_the_truth_and_the_quiz_are_secret_and_what_all_know_is_not(language: Language) -> None:
    assert FATAL in faults(language, TRUTH[language])
    assert not faults(language, OPENING[language]) & LONG


@both
def test_what_was_said_before_may_be_repeated(language: Language) -> None:
    story = STORIES[language][1]
    before = said(NAMES[language][1], story)
    assert FATAL not in faults(language, story, 0, before)
    hidden = said(NAMES[language][1], story, audience=(SeatId(NAMES[language][1]),))
    assert FATAL in faults(language, story, 0, hidden)


@both
def test_a_clue_may_be_quoted_by_who_saw_it(language: Language) -> None:
    clue = CLUES[language][0]
    shown = ClueRevealed(clue=clue.id, audience="all")
    assert not faults(language, clue.text, 0, shown) & LONG
    truth = TRUTH[language]
    assert FATAL in faults(language, f"{clue.text} {truth}", 0, shown)
    note, bram = CLUES[language][1], SeatId(NAMES[language][1])
    dealt = ClueRevealed(clue=note.id, audience=(bram,))
    assert FATAL in faults(language, note.text, 0, dealt)
    assert faults(language, note.text, 1, dealt) & LONG == {"verbatim_own"}
    assert FATAL not in faults(language, note.text, 0, ClueRevealed(clue=note.id, audience="all"))


@both
def test_rules_and_instructions_are_not_for_the_table(language: Language) -> None:
    rule = {
        "en": "The player with most votes is accused. If the accused is the murderer, we win.",
        "zh": "得票最多者被指认。指认对了凶手，平民获胜。",
    }
    instruction = {
        "en": "Say what you know and analyse it. Turn attention to others and hide it.",
        "zh": "他把注意力引向别人，隐藏一切指向你的东西。",
    }
    assert "prompt_leak" in faults(language, rule[language])
    assert "prompt_leak" in faults(language, instruction[language])
    heard_before = said(NAMES[language][1], rule[language])
    assert "prompt_leak" not in faults(language, rule[language], 0, heard_before)


@both
def test_a_list_of_all_seats_is_no_leak_of_an_instruction(language: Language) -> None:
    names = ("、" if language == "zh" else ", ").join(NAMES[language])
    text = {"en": f"There are four of us: {names}.", "zh": f"我们一共四个人：{names}。"}
    assert "prompt_leak" not in faults(language, text[language])


@both
def test_a_person_whom_the_case_does_not_know_is_invented(language: Language) -> None:
    unknown = {"en": "I saw Mr Hollis at the rocks.", "zh": "我看见王德发先生在礁石边。"}
    known = {"en": "I saw Mr Stone at the rocks.", "zh": "我看见欧德林先生在礁石边。"}
    assert "unknown_name" in faults(language, unknown[language])
    assert "unknown_name" not in faults(language, known[language])
    before = said(NAMES[language][1], unknown[language])
    assert "unknown_name" not in faults(language, unknown[language], 0, before)


def test_names_in_brackets_and_in_capitals_are_looked_up() -> None:
    assert "unknown_name" in faults("en", "It must have been Harriet Bloom.")
    assert "unknown_name" not in faults("en", "It must have been Bram Stone. Then I slept.")
    assert "unknown_name" in faults("zh", "我怀疑【王德发】。")
    assert "unknown_name" not in faults("zh", "我怀疑【苏曼青】，太太们也这么说。")


@both
def test_a_speech_is_cut_by_characters_or_by_tokens(language: Language) -> None:
    ada = NAMES[language][0]
    assert "cut" not in faults(language, "x.")
    long = heard(language, said(ada, "x.", truncated=True))
    assert [hit.detector for hit in find_hits(long)] == ["cut"]
    match = heard(language, said(ada, "x.", request="a"))

    def cut_by(*finishes: str, kind: str = "reply") -> bool:
        calls = {
            one: call_of(one, finish=finish)
            for attempt, finish in enumerate(finishes, start=1)
            for one in [CallId(seat=ada, request="a", attempt=attempt, kind=kind)]  # pyright: ignore[reportArgumentType]
        }
        return "cut" in {hit.detector for hit in find_hits(with_calls(match, calls))}

    assert cut_by("length")
    assert cut_by("stop", "length")
    assert not cut_by("length", "stop"), "the last attempt is what was said"
    assert not cut_by("length", kind="thought")


@pytest.mark.parametrize(
    ("text", "code", "is_hit"),
    [
        ("Ada Quill", "not_an_option", True),
        ("ada", "not_an_option", True),
        ("Bram Stone", "not_an_option", False),
        ("Ada Quill", "unparsed", False),
    ],
)
def test_a_seat_that_chose_itself_is_found_in_the_rejected_answer(
    text: str, code: ErrorCode, is_hit: bool
) -> None:
    error = ActionError(code=code, field="target", text=text)
    refused = ActionRejected(seat=SeatId("Ada Quill"), request="v", error=error)
    match = heard("en", said("Ada Quill", "Good evening."), refused)
    assert bool(find_hits(match)) == is_hit
    assert not is_hit or find_hits(match)[0].detector == "self_target"


def test_a_choice_of_the_own_seat_in_chinese() -> None:
    error = ActionError(code="not_an_option", field="choice", text="林远山")
    refused = ActionRejected(seat=SeatId("林远山"), request="v", error=error)
    assert [hit.detector for hit in find_hits(heard("zh", refused))] == ["self_target"]


def test_rates_are_of_the_utterances_of_each_seat() -> None:
    speeches = [said(ADA, "I saw nobody."), said(ADA, "…"), said(ADA, "A."), said(BRAM, "B.")]
    match = made(*speeches)
    by_metric = {metric.name: metric for metric in METRICS}
    found = {one.seat: one for one in by_metric["guard_empty"].measure(match)}
    assert (found[ADA].numerator, found[ADA].denominator) == (1, 3)
    assert found[ADA].value == pytest.approx(1 / 3)
    assert found[BRAM].value == 0.0
    assert found[match.started.seats[2]].value is None, "it said nothing"
    assert by_metric["guard_empty"].scale == 100


def test_a_match_without_words_has_no_rates() -> None:
    assert not [score for metric in METRICS for score in metric.measure(made())]


def test_every_detector_has_a_metric_with_a_meaning_in_both_languages() -> None:
    assert {metric.name for metric in METRICS} == {f"guard_{name}" for name in DETECTORS} | {
        "guard_self_target"
    }
    assert all(metric.meaning.keys() == {"en", "zh"} for metric in METRICS)
    assert values_of(METRICS[0], made(said(ADA, "I am Bram Stone.")))[ADA] == 1.0
