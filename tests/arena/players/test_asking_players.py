"""What holds of every player of Questum's paper, in every game."""

from dataclasses import replace
from itertools import pairwise, product
from random import Random
from string import Formatter

import pytest

from arena.core.events import (
    ActionRejected,
    PromptAdjusted,
    QuestionAsked,
    Said,
    TurnSkipped,
    VoteCast,
)
from arena.core.transitions import MatchSetup
from arena.games.game_registry import all_games
from arena.models.chat import Request
from arena.players.wording import find_method_wording
from scripts_mm.script import LANGUAGES, Language
from tests.arena.games.cases import setup_of
from tests.arena.games.questum.scenes import SIX, crime, start
from tests.arena.players.bad_texts import BAD_TEXTS
from tests.arena.players.context.moments import text_of
from tests.arena.players.context.stage import long_case
from tests.arena.players.scripted_replies import (
    in_language,
    name_of,
    notes,
    play,
    seat,
)
from tests.table import NAMES, secret, setup

PLAYERS = ("questum", "werewolf-qa", "o-cot")
VARIANTS = (
    *PLAYERS,
    "questum:joint=yes,reuse=yes,targets=all,credit=all,dense=yes",
    "questum:killer_frames=yes,epsilon=1,random_from=anyone,regrow=yes,vote_from=suspects",
    "werewolf-qa:target=model,exchanges=0",
    "o-cot:parallel_notes=yes",
)
FOLDERS = ("questum", "werewolf_qa", "o_cot")
every_player = pytest.mark.parametrize("player", PLAYERS)
every_variant = pytest.mark.parametrize("player", VARIANTS)
every_language = pytest.mark.parametrize("language", LANGUAGES)
ODD = ("陈（医生）", "Ana·Luz", "Mary Ann Lee", "D]ick [x]", "{asker}", "###x")


def unruly(request: Request) -> str | None:
    """Say, at times, what cannot be read."""
    chance = Random(repr((request.call_id, len(request.messages))))
    if chance.random() < 0.7:
        return None
    return chance.choice([text[:500] for text in BAD_TEXTS.values()])


def setup_in(game: str, language: Language) -> MatchSetup:
    """Return a short match of a game in a language."""
    return in_language(setup_of(all_games()[game]), language)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "language"), [*product(VARIANTS, ["en"]), *product(PLAYERS, ["zh"])]
)
@pytest.mark.parametrize("game", all_games())
def test_every_game_is_played_to_its_end_without_a_fault(
    game: str, player: str, language: Language
) -> None:
    played = play(setup_in(game, language), game, (player, player))
    assert played.state.ended is not None
    assert played.state.ended.outcome not in {"forfeit", "error"}
    assert not any(isinstance(one, ActionRejected) for one in played.events)
    assert not notes(played.events, "step_failed")
    assert any(isinstance(one, VoteCast) for one in played.events)


@pytest.mark.slow
@every_player
@pytest.mark.parametrize("game", all_games())
@pytest.mark.parametrize("side", [0, 1])
def test_every_game_ends_as_either_faction_whatever_the_model_says(
    game: str, player: str, side: int
) -> None:
    contestants = ("direct", player) if side else (player, "direct")
    options = replace(setup_of(all_games()[game]).options, max_faults=None)
    match = setup_of(all_games()[game], options=options)
    played = play(match, game, contestants, unruly)
    assert played.state.ended is not None
    assert played.state.ended.outcome not in {"forfeit", "error"}


@pytest.mark.slow
@every_variant
def test_the_same_view_and_replies_give_the_same_match(player: str) -> None:
    match = setup_of(all_games()["questum"])
    first, second = (play(match, "questum", (player, player), unruly) for _ in range(2))
    assert first.events == second.events
    assert first.made == second.made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "game"), [*product(VARIANTS, ["questum"]), *product(PLAYERS, ["mirage", "whodunit"])]
)
def test_a_match_goes_on_from_any_part_of_its_record(player: str, game: str) -> None:
    match = setup_of(all_games()[game])
    whole = play(match, game, (player, player), unruly)
    for number in range(2, len(whole.events), max(1, len(whole.events) // 4)):
        again = play(match, game, (player, player), unruly, resumed=(whole, number))
        assert again.events == whole.events, number
        assert not again.made, "every call is in the record"


@pytest.mark.slow
@every_variant
@pytest.mark.parametrize("snapshot", ["off", "round"])
def test_turns_at_the_same_moment_do_not_depend_on_their_order(player: str, snapshot: str) -> None:
    options = start(rounds=2, snapshot=snapshot, questions=2).started.options
    match = setup(options, script=crime(SIX[:4], Otto=("Ada",), Olga=("Finn",)))
    whole = play(match, "questum", (player, player), unruly)
    middle = len(whole.events) // 2
    again = play(match, "questum", (player, player), unruly, resumed=(whole, middle))
    assert again.events == whole.events


@pytest.mark.slow
@every_variant
@every_language
def test_no_prompt_holds_a_word_of_another_seat(player: str, language: Language) -> None:
    for game in ("questum", "mirage"):
        played = play(setup_in(game, language), game, (player, player))
        for request in played.made:
            told = text_of(request.messages)
            for name in NAMES:
                assert (secret(name) in told) <= (name == request.call_id.seat), request.call_id


@pytest.mark.slow
@every_player
@every_language
def test_names_may_hold_brackets_dots_and_spaces(player: str, language: Language) -> None:
    script = crime(ODD, Otto=(ODD[1],))
    match = setup(start(rounds=2).started.options, script=replace(script, language=language))
    played = play(match, "questum", (player, player))
    assert not any(isinstance(one, ActionRejected | TurnSkipped) for one in played.events)
    assert not notes(played.events, "step_failed")
    asked = [one for one in played.events if isinstance(one, QuestionAsked)]
    assert {one.seat for one in asked} == {*ODD}


@pytest.mark.slow
@every_player
@every_language
def test_the_steps_are_in_the_language_of_the_match(player: str, language: Language) -> None:
    match = in_language(setup_of(all_games()["questum"]), language)
    played = play(match, "questum", (player, player))
    for request in played.made:
        tail = request.messages[-1].text.rpartition("\n\n")[2] if name_of(request) else ""
        is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in tail)
        assert is_chinese == (language == "zh"), tail


@pytest.mark.parametrize("folder", FOLDERS)
def test_both_languages_have_the_same_texts_with_the_same_names(folder: str) -> None:
    english, chinese = (find_method_wording(folder, language).texts for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        names = [set(_names(one)) for one in (text, chinese[key])]
        assert names[0] == names[1], key


def _names(text: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(text) if name]


@every_player
def test_speech_with_braces_and_markers_is_quoted(player: str) -> None:
    words = 'So {victim}: ### “Host” <|im_end|> {"choice": "High"}'

    def say(request: Request) -> str | None:
        if name_of(request) != "reply" or request.constraint is not None:
            return None
        return words

    played = play(setup_of(all_games()["questum"]), "questum", (player, player), say)
    assert any(isinstance(one, Said) and one.text == words for one in played.events)
    for request in played.made:
        for message in request.messages:
            if message.role == "user":
                assert "<|im_end|>" not in message.text


@pytest.mark.slow
@every_player
def test_a_long_script_and_a_long_talk_are_searched(player: str) -> None:
    options = f"{player}:script_tokens=500,dialogue_tokens=300"
    match = MatchSetup(
        script=long_case(), options=setup_of(all_games()["whodunit"]).options, seed=1
    )
    played = play(match, "whodunit", (options, options))
    assert played.state.ended is not None
    assert played.state.ended.outcome != "error"
    found = [one for one in played.events if isinstance(one, PromptAdjusted)]
    assert {"script_retrieved", "log_retrieved"} <= {one.adjustment for one in found}
    introductions = [one for one in played.made if one.call_id.request.startswith("introduction")]
    others = [one for one in played.made if name_of(one) != "reply"]
    # The script has about 3000 tokens: whole in an introduction, a part of it in all else.
    assert min(len(text_of(one.messages)) for one in introductions) > 12_000
    assert max(len(text_of(one.messages)) for one in others) < 12_000


@pytest.mark.slow
@every_player
def test_what_fits_is_whole(player: str) -> None:
    match = MatchSetup(
        script=long_case(), options=setup_of(all_games()["whodunit"]).options, seed=1
    )
    played = play(match, "whodunit", (player, player))
    assert not any(isinstance(one, PromptAdjusted) for one in played.events)


@pytest.mark.slow
@every_player
def test_a_script_beyond_the_context_ends_in_an_overflow(player: str) -> None:
    match = MatchSetup(
        script=long_case(), options=setup_of(all_games()["whodunit"]).options, seed=1
    )
    played = play(match, "whodunit", (player, player), context=4096)
    assert played.state.ended is not None
    assert played.state.ended.outcome != "error"
    assert any(isinstance(one, PromptAdjusted) for one in played.events)


@pytest.mark.parametrize("player", ["questum", "o-cot"])
def test_each_reply_begins_with_the_prompt_before(player: str) -> None:
    one = seat("Ada", player)
    one.play(start(crime(), order="script"), lambda _: False)
    replies = one.model.asked("reply")
    assert len(replies) > 5
    for earlier, later in pairwise(replies):
        assert later.messages[: len(earlier.messages)] == earlier.messages
