"""The naive murderer looks things up, denies nothing, and confesses when it is found out."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from arena.core.actions import Action, Ask, Choose, Decline, SeatId, ShareAndAsk, Speak, Verb
from arena.core.views import View, view
from arena.players.naive import NaiveDataPlayer, NaivePlayer
from arena.players.player import Player
from arena.players.retrieval import Bm25, sentences, tokens
from arena.players.simple import FirstPlayer, RandomPlayer
from scripts_mm.script import Language
from tests.table import MURDERER, NAMES, begin, setup

ENGLISH = (
    "You are Cleo Marsh, the harbour pilot. You came home at nine. "
    "At ten you saw Otto Lamm on the stairs. You quarrelled with Otto Lamm about the debt. "
    "You killed him with the lantern. The storm broke the window."
)
CHINESE = (
    "你是克莱奥，港口的引水员。你九点回到家。十点你在楼梯上看见奥托。"
    "你为了欠款和奥托争吵。你用提灯杀了他。暴风雨打破了窗户。"
)


def seen(language: Language = "en", *, guilty: bool = True) -> View:
    state = begin(setup())
    name = MURDERER if guilty else NAMES[0]
    base = view(state, SeatId(name))
    text = ENGLISH if language == "en" else CHINESE
    victims = ("Otto Lamm",) if language == "en" else ("奥托",)
    return replace(base, language=language, script=text, victims=victims)


def does(player: Player, shown: View, verb: Verb, question: str = "") -> Action:
    ask = Ask(
        id="x",
        seat=shown.seat,
        verb=verb,
        phase="discussion",
        options=(*NAMES[:2], "abstain") if verb == "vote" else NAMES[:2],
        question=question,
        asker=SeatId(NAMES[0]),
    )
    return asyncio.run(player.act(shown, ask, Random(1))).action


def says(player: Player, shown: View, question: str) -> str:
    action = does(player, shown, "answer", question)
    assert isinstance(action, Speak)
    return action.text


def test_a_question_is_answered_with_what_stands_in_the_script() -> None:
    answer = says(NaivePlayer(), seen(), "Did you see Otto Lamm on the stairs?")
    assert "At ten you saw Otto Lamm on the stairs." in answer
    assert "window" not in answer
    assert "十点你在楼梯上看见奥托。" in says(NaivePlayer(), seen("zh"), "你在楼梯上看见了谁？")


def test_what_the_script_does_not_say_is_not_known() -> None:
    assert says(NaivePlayer(), seen(), "Whose violin is this?") == "I don't know."
    assert says(NaivePlayer(), seen("zh"), "谁演奏钢琴？") == "我不知道。"
    empty = replace(seen(), script="")
    assert says(NaivePlayer(), empty, "Where were you?") == "I don't know."


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "Are you the murderer, Cleo? You killed him!"), ("zh", "你就是凶手，是你干的吧？")],
)
def test_a_murderer_that_is_found_out_confesses_at_once(language: Language, question: str) -> None:
    confession = {"en": "Yes. I am the murderer.", "zh": "是的，我就是凶手。"}[language]
    assert says(NaivePlayer(), seen(language), question) == confession
    assert says(NaivePlayer(confess="off"), seen(language), question) != confession


def test_an_innocent_never_confesses() -> None:
    for confess in ("on", "always"):
        answer = says(NaivePlayer(confess=confess), seen(guilty=False), "You are the murderer!")
        assert "I am the murderer" not in answer


def test_a_question_that_accuses_nobody_brings_no_confession() -> None:
    assert says(NaivePlayer(), seen(), "You came home at nine?") == "You came home at nine."


def test_the_identity_line_is_never_said() -> None:
    for question in ("What is your faction?", "Which faction is yours?"):
        assert "faction" not in says(NaivePlayer(), seen(), question)


def test_a_murderer_abstains_and_shares_what_it_knows_of_the_victim() -> None:
    assert does(NaivePlayer(), seen(), "vote") == Choose(option="abstain")
    assert does(NaivePlayer(votes="random"), seen(), "vote") != Choose(option="abstain")
    assert does(NaivePlayer(), seen(guilty=False), "vote") != Choose(option="abstain")
    shared = does(NaivePlayer(), seen(), "share_and_ask")
    assert isinstance(shared, ShareAndAsk)
    assert "Otto Lamm" in shared.share
    assert shared.target is None
    assert does(NaivePlayer(), seen(), "conclude") == Decline()


def test_naive_data_says_its_fixed_sentences_or_their_defaults() -> None:
    fixed = replace(seen(), introduction="Good day.", reply="Not me.")
    assert does(NaiveDataPlayer(), fixed, "introduce") == Speak(text="Good day.")
    assert says(NaiveDataPlayer(), fixed, "Was it you?") == "Not me."
    assert does(NaiveDataPlayer(), seen(), "introduce") == Speak(text=f"I am {MURDERER}.")
    assert says(NaiveDataPlayer(), seen("zh"), "?") == "我不知道。我不是凶手。"
    for verb in ("share_and_ask", "conclude"):
        assert does(NaiveDataPlayer(), seen(), verb) == Decline()


def test_random_votes_for_anybody_and_first_for_the_first() -> None:
    ask = Ask(
        id="v", seat=SeatId("Eve"), verb="vote", phase="voting", options=("a", "b", "abstain")
    )
    drawn = {
        asyncio.run(RandomPlayer().act(seen(), ask, Random(n))).action.kind + str(n % 2)
        for n in range(4)
    }
    assert drawn == {"choose0", "choose1"}
    votes = {
        action.option
        for n in range(40)
        if isinstance(
            action := asyncio.run(RandomPlayer().act(seen(), ask, Random(n))).action, Choose
        )
    }
    assert votes == {"a", "b"}
    first = asyncio.run(FirstPlayer().act(seen(), ask, Random(0))).action
    assert isinstance(first, Choose)
    assert first.option == "a"


def test_bm25_gives_the_published_score() -> None:
    index = Bm25(["red lamp", "red door", "blue sky at night"])
    # idf(lamp) = ln(1 + 2.5 / 1.5); |d| = 2, average (2 + 2 + 3) / 3; f = 1
    [hit] = index.best("lamp", 3)
    idf, norm = 0.9808292530117262, 1.2 * (1 - 0.75 + 0.75 * 2 / (7 / 3))
    assert (hit.index, round(hit.score, 9)) == (0, round(idf * 2.2 / (1 + norm), 9))
    assert [found.index for found in index.best("red", 3)] == [0, 1]
    assert index.best("violin", 3) == ()


def test_text_is_cut_into_sentences_and_tokens_in_both_languages() -> None:
    assert sentences("One. Two!\nThree") == ("One.", "Two!", "Three")
    assert sentences("一。“二！”三") == ("一。", "“二！”", "三")
    assert tokens("The Lamp is red") == ["lamp", "red"]
    assert tokens("红灯亮") == ["红", "灯", "亮", "红灯", "灯亮"]
