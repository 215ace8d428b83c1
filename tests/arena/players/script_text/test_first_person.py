"""Scripts address their role; the role speaks of itself."""

import pytest

from arena.players.script_text.first_person import speak_as_role
from scripts_mm.script import LANGUAGES, Language
from tests.long_texts import slow_pieces


@pytest.mark.parametrize(
    ("sentence", "spoken"),
    [
        ("You are Ada.", "I am Ada."),
        ("Were you there? You were.", "Was I there? I was."),
        ("You never were a doctor.", "I never was a doctor."),
        ("You're late, and you've lost your key.", "I'm late, and I've lost my key."),
        ("He told you that the house is yours.", "He told me that the house is mine."),
        ("He lets you in and turns his back on you.", "He lets me in and turns his back on me."),
        ("It was louder than you thought.", "It was louder than I thought."),
        ("She asked you to assist.", "She asked me to assist."),
        ("He asked you whether you knew.", "He asked me whether I knew."),
        ("Nobody warned you why it mattered.", "Nobody warned me why it mattered."),
        ("On the day you came, you fell.", "On the day I came, I fell."),
        ('You said: "You owe me."', 'I said: "You owe me."'),
        ("Otto said, “You will pay.” You left.", "Otto said, “You will pay.” I left."),
        ("Everybody knew Otto.", "Everybody knew Otto."),
        ("Until nine he was among you.", "Until nine he was among us."),
        ("The three of you made a plan.", "The three of us made a plan."),
        ("None of the two of you spoke.", "None of the two of us spoke."),
        (
            "From then on you had Otto before you in the hall.",
            "From then on I had Otto before me in the hall.",
        ),
        ("Ann Otto and you were friends.", "Ann Otto and I were friends."),
        ("You greet each other like fencers.", "We greet each other like fencers."),
        ("You saw them hurt each other.", "I saw them hurt each other."),
        (
            "You were there, and you can answer for each other.",
            "I was there, and we can answer for each other.",
        ),
        ("You met Otto, and you stayed together.", "I met Otto, and we stayed together."),
        ("You were together with Otto.", "I was together with Otto."),
        ("At nine you all still ate.", "At nine we all still ate."),
        ("You all were there.", "We all were there."),
        ("She told you all to go.", "She told us all to go."),
        ("The door opened and you were alone.", "The door opened and I was alone."),
        ("He left before you came.", "He left before I came."),
        ("He asked you twice.", "He asked me twice."),
        ("Nobody asked you yet, if you knew.", "Nobody asked me yet, if I knew."),
        ("He asked you whose coat it was.", "He asked me whose coat it was."),
        ("Ada warned you never to go.", "Ada warned me never to go."),
        ("He watched you go by.", "He watched me go by."),
        ("She poured you tea.", "She poured me tea."),
        ("When the clock stopped you left.", "When the clock stopped I left."),
        ("What follows you told nobody.", "What follows I told nobody."),
        ("You laughed, once, and were angry.", "I laughed, once, and was angry."),
        ("You know that she drinks, and are sorry.", "I know that she drinks, and am sorry."),
        ("Ada and you laughed and were angry.", "Ada and I laughed and were angry."),
        ("You saw that they drank and were merry.", "I saw that they drank and were merry."),
        (
            "You heard Ada and Bram laugh and were glad.",
            "I heard Ada and Bram laugh and were glad.",
        ),
        ("You went where they sat, and were glad.", "I went where they sat, and was glad."),
        ("He spoke as if you were deaf.", "He spoke as if I were deaf."),
        ("You went in, for you knew the way.", "I went in, for I knew the way."),
    ],
)
def test_a_sentence_is_turned_into_the_first_person(sentence: str, spoken: str) -> None:
    assert speak_as_role(sentence, "en") == spoken


@pytest.mark.parametrize(
    ("sentence", "spoken"),
    [
        ("你是林晚，你们住在一起。", "我是林晚，我们住在一起。"),
        ("他说：“你欠我的。”您走了。", "他说：“你欠我的。”我走了。"),
    ],
)
def test_a_chinese_sentence_is_turned_into_the_first_person(sentence: str, spoken: str) -> None:
    assert speak_as_role(sentence, "zh") == spoken


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_text_is_turned_in_linear_time(language: Language) -> None:
    words = ("you went ", "you and ", "you were ", "as if you ", "Ada and ", "你", "你们，")
    assert slow_pieces(lambda text: speak_as_role(text, language), words, length=50_000) == []
