"""Samples of ballots and readings: what their replies are and where their targets point."""

import json
from pathlib import Path
from random import Random

import pytest
from tokenizers import Tokenizer

import serving
from arena.memory.lexical import split_sentences
from arena.players.script_text.first_person import speak_as_role
from arena.training import match_samples
from arena.training.cards import draw_pictures
from arena.training.encode import TrainingSample
from arena.training.lookup import CHOOSE, TALLY
from arena.training.match_samples import draw_ballots, draw_episodes, draw_thoughts
from arena.training.samples import draw_case, draw_reading, draw_short_thought
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.options import make_options
from scripts_mm.script import LANGUAGES, Language
from tests.scripts_mm.generate.making import faces


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(Path(serving.__file__).with_name("mini") / "tokenizer.json"))


def reply(tokenizer: Tokenizer, sample: TrainingSample) -> str:
    """Return the learned text of a sample."""
    pairs = zip(sample.ids, sample.learned, strict=True)
    return tokenizer.decode([one for one, learned in pairs if learned])


@pytest.mark.slow
@pytest.mark.parametrize("match", ["a", "b", "c"])
def test_a_ballot_attends_to_every_name_that_a_conclusion_accuses(
    tokenizer: Tokenizer, match: str
) -> None:
    faces("en")
    faces("zh")
    ballots = [*draw_ballots(tokenizer, match)]
    assert len(ballots) >= 4, "one of each seat"
    for one in ballots:
        targets = [goal for goal in one.goals if goal.head == TALLY]
        prompt = tokenizer.decode([*one.ids[: one.learned.index(True)]])
        accused = prompt.count("Culprit: “") + prompt.count("凶手：“")
        assert len(targets) == accused > 1
        assert {goal.at for goal in targets} == {one.learned.index(True) - 1}
        for goal in targets:
            ((start, stop),) = goal.goals
            assert stop == start + 1
            assert tokenizer.decode([*one.ids[start - 1 : start]]).endswith("“")


@pytest.mark.slow
def test_most_ballots_name_whom_most_conclusions_accuse(tokenizer: Tokenizer) -> None:
    faces("en")
    faces("zh")
    agree: list[bool] = []
    for match in range(6):
        for one in draw_ballots(tokenizer, f"agree/{match}"):
            heads = [one.ids[goal.goals[0][0]] for goal in one.goals if goal.head == TALLY]
            first = one.ids[one.learned.index(True)]
            agree.append(heads.count(first) == max(map(heads.count, heads)))
    assert sum(agree) > len(agree) / 2


@pytest.mark.slow
def test_a_list_answers_for_several_people_in_one_conversation(tokenizer: Tokenizer) -> None:
    rng, several = Random(5), False
    for _ in range(12):
        case, language = draw_case(rng)
        faces(language)
        drawn = draw_pictures(case, language, 0)
        sample = draw_reading(tokenizer, case, language, drawn, rng)
        said = reply(tokenizer, sample)
        several = several or max(said.count("On the list, "), said.count("名单上，")) > 1
    assert several


@pytest.mark.slow
def test_a_case_of_two_murderers_is_played_in_a_game_that_accepts_it(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    faces("en")
    case = make_case(7, make_options("medium", 5, plot="pair"), ("en",))
    assert len(case.rendered["en"].bare.murderers) == 2

    def draw(rng: Random) -> tuple[GeneratedCase, Language]:
        del rng
        return case, "en"

    monkeypatch.setattr(match_samples, "draw_case", draw)
    monkeypatch.setattr(match_samples, "_GAME_WEIGHTS", (1, 0, 0, 0, 99))
    assert [*draw_episodes(tokenizer, "two", Random(1))]


@pytest.mark.slow
def test_a_thought_of_the_teacher_tells_a_trait_and_a_seat_that_has_it(
    tokenizer: Tokenizer,
) -> None:
    faces("en")
    faces("zh")
    samples = [one for match in range(3) for one in draw_thoughts(tokenizer, f"thought/{match}")]
    assert len(samples) > 3
    for one in samples:
        said = reply(tokenizer, one)
        thought, answer = said[said.rindex('{"evidence"') :].split("}", 1)
        prompt = tokenizer.decode([*one.ids[: one.learned.index(True)]])
        language: Language = "en" if "murder" in prompt else "zh"
        own = " ".join(speak_as_role(text, language) for text in split_sentences(prompt))
        chain = json.loads(thought + "}")
        assert all(text in prompt or text in own for text in chain.values())
        named = json.loads(answer)["culprit"] if answer.startswith("{") else answer
        assert named in chain["suspect"]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_thought_finds_its_suspect_by_the_words_of_its_evidence(
    tokenizer: Tokenizer, language: Language
) -> None:
    faces(language)
    case = make_case(11, make_options("medium", 5), (language,))
    sample = draw_short_thought(tokenizer, case, language, Random(2))
    thoughts = [json.loads(one + "}") for one in reply(tokenizer, sample).split("}") if one]
    assert thoughts
    prompt = tokenizer.decode([*sample.ids[: sample.learned.index(True)]])
    for one in thoughts:
        assert one.keys() == {"evidence", "suspect"}
        assert one["evidence"] != one["suspect"]
    chosen = [goal for goal in sample.goals if goal.head == CHOOSE]
    assert len(chosen) == len(thoughts), "the suspect of each thought, and not its evidence"
    for goal in chosen:
        ((_, stop),) = goal.goals
        assert stop <= len(tokenizer.encode(prompt, add_special_tokens=False).ids)
        assert tokenizer.decode([*sample.ids[: goal.at + 1]]).endswith('"suspect": "')
