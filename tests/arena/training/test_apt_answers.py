"""Which sentences of a private script answer a training question."""

import re
from dataclasses import replace

import pytest

from arena.core.purposes import QUESTION
from arena.memory.lexical import split_sentences
from arena.players.script_text.first_person import speak_as_role
from arena.training.apt_answers import list_apt_answers
from arena.training.episodes import Episode, MatchSettings, play_match
from arena.training.teacher import seat_of
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.options import make_options
from scripts_mm.script import LANGUAGES, Language

SEED = 95_007
QUESTIONS = {
    "en": {
        "guilt": "Are you the murderer, {name}?",
        "hidden": "What are you hiding from us?",
        "other": "What do you know of {other}?",
        "window": "Where were you from {start} to {end}?",
        "lore": "Did you learn anything else, {name}?",
        "trait": "What do you know of {other}, as to nothing in particular?",
    },
    "zh": {
        "guilt": "{name}，你是凶手吗？",
        "hidden": "你在瞒着我们什么？",
        "other": "关于{other}，你知道些什么？",
        "window": "{start}到{end}你在哪里？",
        "lore": "{name}，你还听说了什么？",
        "trait": "说到没有的事，你知道{other}是哪一种？",
    },
}


def a_turn(language: Language) -> tuple[GeneratedCase, Episode]:
    case = make_case(SEED, make_options("medium", 5), (language,))
    script = case.rendered[language].bare
    played = play_match(case, language, script, MatchSettings(preset="short", seed=3))
    return case, next(
        one
        for one in played
        if one.asked.is_question and one.observation.seat not in script.murderers
    )


def ask(case: GeneratedCase, language: Language, turn: Episode, topic: str) -> tuple[str, ...]:
    """Return what the script of the seat answers, without the teacher's own statement."""
    seat = turn.observation.seat
    start, end = re.findall(r"\d+:\d\d", last_paragraph(turn, language)[0])
    found = {
        "name": seat, "other": seat_of(case, language, seat).others[0], "start": start, "end": end,
    }  # fmt: skip
    asked = replace(turn.asked, context=((QUESTION, QUESTIONS[language][topic].format_map(found)),))
    return (*list_apt_answers(case, language, replace(turn, asked=asked, answers=())),)


def last_paragraph(turn: Episode, language: Language) -> list[str]:
    """Return what the seat hides, what it saw from there, and its denial."""
    told = split_sentences(turn.observation.own.script.rsplit("\n\n", maxsplit=1)[-1])
    spoken = [speak_as_role(one, language) for one in told]
    return [one for one in spoken if re.search(r"\d:\d\d|kill|杀的", one)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_denial_in_the_words_of_the_script_answers_a_question_about_guilt(
    language: Language,
) -> None:
    case, turn = a_turn(language)
    *hidden, denial = last_paragraph(turn, language)
    found = ask(case, language, turn, "guilt")
    assert denial in found
    assert set(found).isdisjoint(hidden)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_seat_hides_answers_what_it_hides_and_where_it_was_then(
    language: Language,
) -> None:
    case, turn = a_turn(language)
    *hidden, denial = last_paragraph(turn, language)
    assert ask(case, language, turn, "hidden") == (*hidden,)
    where = ask(case, language, turn, "window")
    assert hidden[0] in where
    assert denial not in where


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_that_names_another_seat_answers_a_question_about_it_and_no_other_does(
    language: Language,
) -> None:
    case, turn = a_turn(language)
    other = seat_of(case, language, turn.observation.seat).others[0]
    told = [speak_as_role(one, language) for one in split_sentences(turn.observation.own.script)]
    found = ask(case, language, turn, "other")
    assert found == tuple(one for one in told if other in one)
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_thing_that_it_knows_of_others_is_one_more_thing_that_it_knows(
    language: Language,
) -> None:
    case, turn = a_turn(language)
    found = ask(case, language, turn, "lore")
    assert found
    assert set(found).isdisjoint(last_paragraph(turn, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_statement_of_the_teacher_answers_a_question_about_one_trait(
    language: Language,
) -> None:
    case, turn = a_turn(language)
    assert ask(case, language, turn, "trait") == ()
