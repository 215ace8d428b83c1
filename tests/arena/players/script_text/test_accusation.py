"""An accusation names the deed and the seat it is put to; a question about others does not."""

import asyncio
from random import Random

import pytest

from arena.core.actions import Reply
from arena.core.observation import Observation, observe
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.specs import FreeText
from arena.core.transitions import MatchSetup
from arena.games.game_registry import DEFAULT, find_game
from arena.players.naive import NaivePlayer
from arena.players.script_text.accusation import accuses, confirms_guilt
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.script import Language
from tests.long_texts import PIECES, slow_pieces

SENTENCES: dict[Language, tuple[tuple[str, bool], ...]] = {
    "en": (
        ("Who do you think is the murderer?", False),
        ("I accuse you: you killed him, did you not?", True),
        ("I am not the murderer. Where were you at nine?", False),
        ("I think you are the culprit.", True),
        ("Did anybody see the killer?", False),
        ("You did it, admit it.", True),
    ),
    "zh": (
        ("你认为谁是凶手？", False),
        ("我指控你：人是你杀的，对不对？", True),
        ("我不是凶手。九点你在哪里？", False),
        ("我认为你就是凶手。", True),
        ("有没有人看见过凶手？", False),
        ("就是你干的，承认吧。", True),
    ),
}
MORE: dict[Language, tuple[tuple[str, bool], ...]] = {
    "en": (
        ("Are you the murderer?", True),
        ("Did you kill him?", True),
        ("Why did you kill Otto?", True),
        ("It was you who murdered him.", True),
        ("The killer is you!", True),
        ("You're guilty.", True),
        ("You killed Otto, who owed you money.", True),
        ("I am not the murderer, you killed him.", True),
        ("Somebody saw it all, you murdered him.", True),
        ("Where were you when he was killed?", False),
        ("Tell us where you were at the time of the murder.", False),
        ("What do you know about the murder?", False),
        ("Do you think Ada is the murderer?", False),
        ("In your opinion, who is the killer?", False),
        ("You are not the murderer.", False),
        ("What helps us to find the murderer? You saw him last.", False),
        ("The murderer is among us.", False),
        ("We all think you're the one who killed him.", True),
        ("Admit it: you poisoned her.", True),
        ("Did you stab him?", True),
        ("You strangled Otto.", True),
        ("I don't think you are the murderer, but who do you think is?", False),
        ("Did you see who poisoned her?", False),
        ("", False),
    ),
    "zh": (
        ("你是不是凶手？", True),
        ("凶手就是你！", True),
        ("你为什么要杀他？你就是真凶。", True),
        ("你用提灯杀了他，对吗？", True),
        ("你的嫌疑最大。", True),
        ("你为什么要杀他？", True),
        ("你毒死了她！", True),
        ("是你勒死他的，对吗？", True),
        ("他被毒死的时候你在哪里？", False),
        ("我不认为你是凶手。", False),
        ("他被杀的时候你在哪里？", False),
        ("你觉得克莱奥是凶手吗？", False),
        ("你觉得他是自杀吗？", False),
        ("你不是凶手。", False),
        ("凶手就在我们中间。", False),
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_only_an_accusation_of_the_seat_accuses(language: Language) -> None:
    for question, expected in (*SENTENCES[language], *MORE[language]):
        assert accuses(question, language) == expected, question


def test_a_sentence_of_the_script_confirms_guilt_where_it_names_deed_and_role() -> None:
    assert confirms_guilt("You killed Otto Lamm.", "en")
    assert confirms_guilt("你用提灯杀了奥托。", "zh")
    assert not confirms_guilt("Otto Lamm was killed at nine.", "en")
    assert not confirms_guilt("You came home at nine.", "en")


def murderers(name: str, language: Language) -> list[Observation]:
    game = find_game(DEFAULT)
    script = find_script(name, language).script
    state = start_state(game, MatchSetup(script=script, options=game.options(), seed=1))
    return [observe(state, seat) for seat in state.knowing_murderers]


def answer(observation: Observation, question: str) -> str:
    request = DecisionRequest(
        id="x",
        seat=observation.seat,
        kind="k",
        phase="p",
        spec=FreeText(),
        context=(("asker", "Eve"), ("question", question)) if question else (),
    )
    action = asyncio.run(NaivePlayer().act(observation, request, Random(1))).action
    assert isinstance(action, Reply)
    return action["text"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", [entry.id for entry in list_bundled()])
def test_every_bundled_murderer_confesses_to_accusations_and_to_nothing_else(
    name: str, language: Language
) -> None:
    confession = {"en": "Yes. I am the murderer.", "zh": "是的，我就是凶手。"}[language]
    for observation in murderers(name, language):
        for question, expected in SENTENCES[language]:
            assert (answer(observation, question) == confession) == expected, question


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.id for entry in list_bundled()])
def test_every_bundled_murderer_introduces_itself_in_the_first_person(name: str) -> None:
    for observation in murderers(name, "en"):
        said = answer(observation, "")
        assert " you " not in f" {said.lower()} "
        assert said.startswith("I ")
    for observation in murderers(name, "zh"):
        said = answer(observation, "")
        assert "你" not in said
        assert "我" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "start", "pieces"),
    [
        ("en", "You killed him, ", ("you ", "you are not the ", "it is you ", "you was the a ")),
        ("zh", "凶手你", ("用是是是是是是", "用是不是用的", "你用", "是不是", "用", "你是不是")),
    ],
)
def test_the_longest_question_is_read_in_linear_time(
    language: Language, start: str, pieces: tuple[str, ...]
) -> None:
    found = slow_pieces(
        lambda text: accuses(f"{text}?", language), (*PIECES, *pieces), start=start, length=4000
    )
    assert found == []
