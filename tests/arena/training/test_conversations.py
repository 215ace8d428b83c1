"""What the mini model learns from: generated matches through the production prompts."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from arena.core.purposes import Purpose
from arena.core.specs import CHOICE
from arena.models.chat import ChoiceConstraint, Request
from arena.models.function_model import FunctionModel
from arena.players.contestants import read_contestant
from arena.players.script_text.first_person import speak_as_role
from arena.training.cards import draw_pictures
from arena.training.episodes import (
    WHOLE,
    Episode,
    InterviewSettings,
    MatchSettings,
    PromptLimits,
    estimate,
    hold_interview,
    last_of_seats,
    play_match,
)
from arena.training.evaluate import EvaluationSpec, answer_all, evaluate_player, render_table
from arena.training.evaluation_items import items_of
from arena.training.judging import judge_speech
from arena.training.reading import list_picture_questions, small_script
from arena.training.testimony import statements_of
from scripts_mm.generate.case import GeneratedCase, make_case, script_without_pictures
from scripts_mm.generate.options import make_options
from scripts_mm.script import LANGUAGES, Language
from tests.scripts_mm.generate.making import faces

SEED = 95_007


def a_case(language: Language) -> GeneratedCase:
    return make_case(SEED, make_options("medium", 5), (language,))


def play(language: Language) -> dict[str, Episode]:
    case = a_case(language)
    how = MatchSettings(preset="short", seed=3)
    return dict(
        last_of_seats(
            play_match(case, language, script_without_pictures(case.rendered[language]), how)
        )
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_statement_is_a_passage_of_the_private_script_in_the_first_person(
    language: Language,
) -> None:
    case = a_case(language)
    scripts = {role.name: role.script for role in case.rendered[language].bare.roles}
    names = case.rendered[language].cast.names
    for one in case.sampled.world.frame.suspects:
        found = statements_of(case, language, one.id)
        assert {"post", "motive", "window", "alive"} <= {each.topic for each in found}
        for each in found:
            assert each.told in scripts[names[one.id]]
            assert each.text == speak_as_role(each.told, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_statement_of_the_culprit_tells_its_confession(language: Language) -> None:
    case = a_case(language)
    culprit = case.sampled.world.crime.culprit
    name = case.rendered[language].cast.names[culprit]
    role = next(role for role in case.rendered[language].bare.roles if role.name == name)
    confession = role.script.removeprefix(case.rendered[language].testimonies[culprit]).strip()
    said = " ".join(one.told for one in statements_of(case, language, culprit))
    assert confession
    assert not any(part in said for part in confession.split("\n"))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_teacher_plays_a_match_to_its_vote_for_every_seat(language: Language) -> None:
    episodes = play(language)
    names = {role.name for role in a_case(language).rendered[language].bare.roles}
    assert set(episodes) == names
    for one in episodes.values():
        assert isinstance(one.request.constraint, ChoiceConstraint)
        assert one.reply in one.request.constraint.options


@pytest.mark.slow
def test_civilians_of_the_teacher_vote_for_the_culprit() -> None:
    case = a_case("en")
    culprit = case.rendered["en"].cast.names[case.sampled.world.crime.culprit]
    for seat, one in play("en").items():
        assert (one.reply == culprit) == (seat != culprit), CHOICE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answers_of_an_interview_hold_what_was_asked(language: Language) -> None:
    case = a_case(language)
    script = case.rendered[language].bare
    talk = hold_interview(
        case, language, script, InterviewSettings(seat_number=1, questions=12, seed=5)
    )
    known = {one.text for one in statements_of(case, language, "r2")}
    for asked, question in talk.questions:
        assert question.text.split("“")[0][:10] in asked.text
        assert question.answers
        best = question.answers[0]
        assert best in known or best.count(".") + best.count("。") == 1


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_small_picture_is_made_of_whole_squares_and_asked_about(language: Language) -> None:
    faces(language)
    case = a_case(language)
    script, files = small_script(case, language, draw_pictures(case, language, 0))
    shown = [picture for clue in script.clues for picture in clue.pictures]
    assert shown
    for picture in shown:
        assert files[picture.sha256]
        assert picture.width % 28 == 0
        assert picture.height % 28 == 0
        assert picture.width * picture.height <= 96 * 28 * 28
    found = list_picture_questions(case, language, Random(1))
    assert len(found) == len(shown)
    for one in found:
        assert one.exact in one.answer
        assert len(one.exact) == 1 or one.exact not in one.question


@pytest.mark.slow
def test_evaluation_tells_right_from_wrong_replies() -> None:
    files: dict[str, bytes] = {}
    items = [
        one for one in items_of(SEED, "en", files, WHOLE) if not one.table.startswith("ballot")
    ]

    def wrong(request: Request) -> str:
        del request
        return "I was at the opera."

    rows = asyncio.run(answer_all(FunctionModel(wrong), items))
    assert {row.reply for row in rows} == {"I was at the opera."}
    lines = [*render_table(rows)]
    assert {line.split()[0] for line in lines} >= {"answer", "speech", "verdict", "reading"}
    # Whether a chain of evidence is possible depends on the prompt alone.
    judged = [line for line in lines if " possible " not in line]
    assert len(judged) < len(lines)
    assert all(" 0.00 [0.00," in line for line in judged)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_that_an_extractive_reply_may_be_count_as_true(language: Language) -> None:
    room = replace(WHOLE, replies="extractive")
    tables = ("answer", "speech")
    items = [one for one in items_of(SEED, language, {}, room) if one.table in tables]
    apt = 0
    for one in items:
        if not isinstance(one.constraint, ChoiceConstraint):
            continue
        judged = [one.judge(option) for option in one.constraint.options]
        assert all(all(found["true"]) for found in judged), one.constraint.options
        apt += one.table == "answer" and any(all(found["apt"]) for found in judged)
    assert apt >= 0.6 * sum(one.table == "answer" for one in items), "most questions have one"


@pytest.mark.slow
def test_a_player_without_a_model_is_measured_on_the_same_turns() -> None:
    rows = evaluate_player(read_contestant("naive:share,asks"), EvaluationSpec(cases=range(1)))
    assert {row.table for row in rows} >= {"answer", "ballot"}
    assert all(row.judged["true"] for row in rows if row.table == "answer")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_teacher_itself_speaks_truly_and_asks_well(language: Language) -> None:
    case = a_case(language)
    culprit = case.rendered[language].cast.names[case.sampled.world.crime.culprit]
    measured: set[str] = set()
    for one in play_match(
        case,
        language,
        script_without_pictures(case.rendered[language]),
        MatchSettings(preset="short"),
    ):
        if one.observation.seat == culprit or one.asked.purpose is Purpose.VOTE:
            continue
        judge = judge_speech(case, language, one.observation, one.asked.purpose)
        for measure, found in judge(one.reply).items():
            measured.add(measure)
            assert measure == "right" or all(found), (measure, one.reply)
    assert measured == {"true", "well asked", "right"}


@pytest.mark.slow
def test_a_prompt_of_an_episode_holds_what_a_search_finds_where_the_room_is_small() -> None:
    case = a_case("en")
    script, how = (
        script_without_pictures(case.rendered["en"]),
        MatchSettings(preset="short", seed=3),
    )
    whole = play_match(case, "en", script, how)
    small = play_match(case, "en", script, how, PromptLimits(budget=1_600))
    assert [one.reply for one in small] == [one.reply for one in whole]
    assert max(estimate(one.request.messages) for one in whole) > 1_600
    assert max(estimate(one.request.messages) for one in small) <= 1_600
