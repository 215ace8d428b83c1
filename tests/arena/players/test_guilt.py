"""The players of Questum's paper tell a seat of those murders alone that it committed."""

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from arena.core.transitions import MatchSetup
from arena.games.game_registry import find_game
from arena.games.werewolf5.game import WEREWOLF5
from scripts_mm.script import LANGUAGES, Language, Truth
from tests.arena.games.cases import short_options
from tests.arena.games.questum.scenes import FOUR, crime
from tests.arena.players.scripted_replies import demand, in_language, play
from tests.table import case, setup

PLAYERS = ("questum", "questum:killer_frames=yes", "werewolf-qa", "o-cot")
KILLED = {"Ada": "Otto", "Bram": "Olga"}
DEED: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r"You (?:committed the murder|are guilty of the death) of ([^.,:]+?)[.,:]"),
    "zh": re.compile(r"([^。，：”\s不]+?)(?:是你杀的|之死是你造成的)"),
}
INNOCENCE: Mapping[Language, str] = {"en": "did not commit", "zh": "不是你杀的"}
NOBODY: Mapping[Language, str] = {"en": "the dead", "zh": "死者"}
every_player = pytest.mark.parametrize("player", PLAYERS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def tell(game: MatchSetup, name: str, player: str, language: Language) -> dict[str, set[str]]:
    """Return by seat of which murders its prompts call it guilty; "": and of which innocent."""
    played = play(in_language(game, language), name, (player, player))
    found: dict[str, set[str]] = {}
    for request in played.made:
        text = demand(request)
        told = {one.removesuffix(" yourself") for one in DEED[language].findall(text)}
        told |= {""} if INNOCENCE[language] in text else set()
        found.setdefault(request.call_id.seat, set()).update(told)
    return found


@pytest.mark.slow
@every_language
@every_player
@pytest.mark.parametrize("game", ["whodunit", "questum"])
def test_a_seat_is_called_guilty_of_its_own_victim_alone(
    game: str, player: str, language: Language
) -> None:
    # In `whodunit` every request is about both victims, in `questum` about one of them.
    script = crime(FOUR, **{victim: (killer,) for killer, victim in KILLED.items()})
    rules = short_options(find_game(game))
    found = tell(setup(rules, script=script), game, player, language)
    assert {seat: told - {""} for seat, told in found.items()} == {
        seat: {KILLED[seat]} if seat in KILLED else set() for seat in FOUR
    }


@pytest.mark.slow
@every_language
@every_player
def test_a_secret_role_without_a_deed_is_called_neither_guilty_nor_innocent(
    player: str, language: Language
) -> None:
    village = MatchSetup(
        script=WEREWOLF5.make_script(language), options=short_options(WEREWOLF5), seed=1
    )
    found = tell(village, "werewolf5", player, language)
    assert len(found) == 5
    assert not any(found.values())


@pytest.mark.slow
@every_language
@every_player
def test_of_a_case_that_names_no_victim_the_murderer_is_guilty(
    player: str, language: Language
) -> None:
    script = replace(case(FOUR, ("Ada",)), victims=(), truth=Truth(culprits=("Ada",)))
    found = tell(setup(script=script), "whodunit", player, language)
    assert {seat for seat, told in found.items() if told - {""}} == {"Ada"}
    assert found["Ada"] == {NOBODY[language]}
