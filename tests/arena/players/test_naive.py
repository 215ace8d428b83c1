"""The naive murderer looks things up, denies nothing, and confesses when it is accused."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from arena.core.actions import Action, Reply, Skip, choose, fill, say
from arena.core.events import Announced, Said
from arena.core.observation import Observation, observe
from arena.core.playouts.playout import play_out
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, ActionSpec, Choice, Field, Form, FreeText, OneOf, Variant
from arena.games.mirage.game import MIRAGE
from arena.players.naive import NaiveDataPlayer, NaivePlayer
from arena.players.player import Player
from scripts_mm.script import Language
from tests.arena.games.mirage import scenes as mirage
from tests.table import (
    MURDERER,
    NAMES,
    begin,
    setup,
)

ENGLISH = """You are Cleo Marsh, the harbour pilot. You came home at nine.
The evening
At ten you saw Otto Lamm on the stairs. You quarrelled with Otto Lamm about the debt. \
"You owe me," you told him. You killed Otto Lamm with the lantern. You must never say so. \
The storm broke the window.
How to lie
You were asleep when Otto Lamm came. Insist on it."""
CHINESE = """你是克莱奥，港口的引水员。你九点回到家。
【当晚】
十点你在楼梯上看见奥托。你为了欠款和奥托争吵：“你欠我的。”你用提灯杀了奥托。务必别说出去。暴风雨打破了窗户。
【怎么圆】
奥托来的时候你睡着了。咬定这句话。"""
TARGET = Choice(options=NAMES[:2])
VOTE = Choice(options=(*NAMES, ABSTAIN))
TALK = Form(
    fields=(
        Field(name="share", spec=FreeText(weight=3)),
        Field(name="target", spec=TARGET),
        Field(name="question", spec=FreeText()),
    )
)
REASONS = Form(
    fields=(
        Field(name="method", spec=FreeText()),
        Field(name="culprit", spec=TARGET, optional=True),
    )
)
ACT = OneOf(variants=(Variant(name="talk", spec=FreeText()), Variant(name="move", spec=TARGET)))


def seen(
    language: Language = "en", *, guilty: bool = True, script: str = "", spoken: bool = False
) -> Observation:
    base = observe(begin(setup()), SeatId(MURDERER if guilty else NAMES[0]))
    own = replace(base.own, script=script or {"en": ENGLISH, "zh": CHINESE}[language])
    words = Said(seat=base.seat, request="r", act="a", parts=(("text", "Hello."),))
    return replace(
        base,
        language=language,
        role=own,
        victims=("Otto Lamm",) if language == "en" else ("奥托",),
        events=(*base.events, words) if spoken else base.events,
    )


def does(
    player: Player,
    observation: Observation,
    spec: ActionSpec,
    *,
    question: str = "",
    off_path: bool = False,
    purpose: Purpose = Purpose.OTHER,
    chance: int = 1,
) -> Action:
    request = DecisionRequest(
        id="x",
        seat=observation.seat,
        kind="whatever",
        purpose=purpose,
        phase="whenever",
        spec=spec,
        context=(("asker", NAMES[0]), ("question", question)) if question else (),
        off_path=off_path,
    )
    return asyncio.run(player.act(observation, request, Random(chance))).action


def answers(player: Player, observation: Observation, question: str) -> str:
    action = does(player, observation, FreeText(), question=question)
    assert isinstance(action, Reply)
    return action["text"]


def test_a_question_is_answered_in_the_first_person_with_what_the_script_says() -> None:
    answer = answers(NaivePlayer(), seen(guilty=False), "Did you see Otto Lamm on the stairs?")
    assert "At ten I saw Otto Lamm on the stairs." in answer
    assert "window" not in answer
    assert "十点我在楼梯上看见奥托。" in answers(
        NaivePlayer(), seen("zh", guilty=False), "你在楼梯上看见了谁？"
    )


def test_a_quotation_is_said_whole_and_as_it_is() -> None:
    script = 'You met Otto at noon. He said: "You owe me. You pay tomorrow." You left. It rained.'
    answer = answers(
        NaivePlayer(), seen(guilty=False, script=script), "Why should you pay Otto tomorrow?"
    )
    assert answer == 'He said: "You owe me. You pay tomorrow."'


def test_what_the_script_does_not_say_is_not_known() -> None:
    assert answers(NaivePlayer(), seen(), "Whose violin is this?") == "I don't know."
    assert answers(NaivePlayer(), seen("zh"), "谁演奏钢琴？") == "我不知道。"
    empty = seen(script="-")
    assert answers(NaivePlayer(), empty, "Where were you?") == "I don't know."


def test_an_accused_murderer_confesses_at_once_unless_it_is_told_not_to() -> None:
    for language, question, confession in (
        ("en", "Are you the murderer, Cleo? You killed him!", "Yes. I am the murderer."),
        ("zh", "你就是凶手，是你干的吧？", "是的，我就是凶手。"),
    ):
        observation = seen("en" if language == "en" else "zh")
        assert answers(NaivePlayer(), observation, question) == confession
        assert answers(NaivePlayer(confess="always"), observation, question) == confession
        assert answers(NaivePlayer(confess="off"), observation, question) != confession


def test_an_innocent_never_confesses() -> None:
    for player in (NaivePlayer(), NaivePlayer(confess="always")):
        answer = answers(player, seen(guilty=False), "You are the murderer!")
        assert "I am the murderer" not in answer


@pytest.mark.parametrize("language", ["en", "zh"])
def test_neither_guilt_nor_an_instruction_is_spoken(language: Language) -> None:
    questions = {
        "en": ("What of Otto Lamm and the lantern?", "What must you never say?", "Who was asleep?",
               "What is your faction?", "Insist on what?"),
        "zh": ("奥托和提灯怎么了？", "你务必别说什么？", "谁睡着了？", "你的阵营是什么？",
               "咬定什么？"),
    }[language]  # fmt: skip
    player = NaivePlayer(share=True, top_k=20, min_score=0)
    said = [answers(player, seen(language), question) for question in questions]
    said += [
        str(does(player, seen(language, spoken=spoken), FreeText())) for spoken in (True, False)
    ]
    for secret in ("killed", "never say", "asleep", "faction", "Insist", "How to lie"):
        assert not any(secret in text for text in said)
    for secret in ("杀了", "务必", "睡着", "阵营", "咬定", "怎么圆"):
        assert not any(secret in text for text in said)


def test_the_first_speech_introduces_the_role() -> None:
    for guilty, more in ((False, " At ten I saw Otto Lamm on the stairs."), (True, "")):
        assert does(NaivePlayer(), seen(guilty=guilty), FreeText()) == say(
            "I am Cleo Marsh, the harbour pilot. I came home at nine." + more
        )
    for guilty, more in ((False, "十点我在楼梯上看见奥托。"), (True, "")):
        assert does(NaivePlayer(), seen("zh", guilty=guilty), FreeText()) == say(
            "我是克莱奥，港口的引水员。我九点回到家。" + more
        )
    assert does(NaivePlayer(), seen(script="-"), FreeText()) == say("I am Cleo Marsh.")


def test_it_only_answers_unless_its_options_say_more() -> None:
    innocent = ENGLISH.replace("You killed Otto Lamm with the lantern. ", "")
    later = seen(guilty=False, script=innocent, spoken=True)
    assert does(NaivePlayer(share=True), seen(spoken=True), FreeText()) == Skip()
    for spec in (FreeText(), TALK, REASONS, ACT, TARGET):
        assert does(NaivePlayer(), later, spec) == Skip()
    sharing = NaivePlayer(share=True)
    told = does(sharing, later, FreeText())
    assert isinstance(told, Reply)
    assert "Otto Lamm" in told["text"]
    assert does(sharing, later, TALK) == Skip(partial=(("share", told["text"]),))
    assert does(sharing, later, REASONS) == Skip()
    asked = does(NaivePlayer(share=True, asks=True), later, TALK)
    assert isinstance(asked, Reply)
    assert (asked["share"], asked["question"]) == (
        told["text"],
        "What do you know about the case?",
    )
    assert asked["target"] in TARGET.options
    assert told["text"] == "At ten I saw Otto Lamm on the stairs."
    ask_only = Form(fields=TALK.fields[1:])
    only = does(NaivePlayer(asks=True), later, ask_only)
    assert isinstance(only, Reply)
    assert only["question"] == "What do you know about the case?"


def test_a_murderer_abstains_and_a_civilian_votes_for_another() -> None:
    assert does(NaivePlayer(), seen(), VOTE) == choose(ABSTAIN)
    for observation, player in (
        (seen(), NaivePlayer(votes="random")),
        (seen(guilty=False), NaivePlayer()),
    ):
        vote = does(player, observation, Choice(options=(observation.seat, "Eve", ABSTAIN)))
        assert vote == choose("Eve")
    form = Form(fields=(Field(name="reason", spec=FreeText()), Field(name="vote", spec=VOTE)))
    assert does(NaivePlayer(), seen(), form) == fill(reason="I don't know.", vote=ABSTAIN)


@pytest.mark.parametrize("player", [NaivePlayer(), NaiveDataPlayer()])
@pytest.mark.parametrize("guilty", [True, False])
def test_where_all_accuse_in_public_it_accuses_another_seat_at_random(
    player: Player, guilty: bool
) -> None:
    observation = seen(guilty=guilty)
    accused = {
        str(does(player, observation, VOTE, purpose=Purpose.ACCUSE, chance=chance))
        for chance in range(20)
    }
    others = [name for name in NAMES if name != observation.seat]
    assert accused == {str(choose(name)) for name in others}


def test_an_accusation_with_a_reason_names_somebody_too() -> None:
    form = Form(fields=(Field(name="reason", spec=FreeText()), Field(name="culprit", spec=VOTE)))
    named = does(NaivePlayer(), seen(), form, purpose=Purpose.ACCUSE)
    assert isinstance(named, Reply)
    assert named["culprit"] not in {ABSTAIN, MURDERER}


@pytest.mark.parametrize("murderer", [NaivePlayer(), NaiveDataPlayer()])
def test_the_accusations_of_a_match_do_not_show_who_is_the_naive_murderer(murderer: Player) -> None:
    def decide(observation: Observation, request: DecisionRequest) -> Action:
        player = murderer if observation.is_murderer else NaivePlayer()
        return asyncio.run(player.act(observation, request, Random(request.id))).action

    ended = play_out(MIRAGE, mirage.setup(silent=("murderer",)), decide)
    announced = [one for one in ended.history if isinstance(one, Announced)]
    [told] = [one for one in announced if one.topic == "accusations"]
    assert len(told.values) == 4
    assert ABSTAIN not in dict(told.values).values()


def test_a_silent_question_is_answered_at_random() -> None:
    quiz = Choice(options=("A", "B", "C", "AB", "AC", "BC"))
    action = does(NaivePlayer(), seen(), quiz, off_path=True)
    assert isinstance(action, Reply)
    assert action["choice"] in {"AB", "AC", "BC"}


def test_naive_data_says_its_fixed_sentences_or_their_defaults() -> None:
    fixed = seen()
    fixed = replace(fixed, role=replace(fixed.own, introduction="Good day.", reply="Not me."))
    assert does(NaiveDataPlayer(), fixed, FreeText()) == say("Good day.")
    assert answers(NaiveDataPlayer(), fixed, "Was it you?") == "Not me."
    assert does(NaiveDataPlayer(), seen(), FreeText()) == say(f"I am {MURDERER}.")
    assert answers(NaiveDataPlayer(), seen("zh"), "?") == "我不知道。我不是凶手。"
    assert does(NaiveDataPlayer(), fixed, VOTE) == choose(ABSTAIN)
    for spec in (TALK, REASONS, ACT, TARGET):
        assert does(NaiveDataPlayer(), fixed, spec) == Skip()
    spoken = seen(spoken=True)
    assert does(NaiveDataPlayer(), spoken, FreeText()) == Skip()
