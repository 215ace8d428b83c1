"""A question that every seat can be asked gets an answer from the script, or a standard one."""

from dataclasses import replace

import pytest

from arena.core.observation import observe
from arena.core.seats import SeatId
from arena.players.replies.relevance import Asked, find_topic, has_substance, list_answers
from arena.players.script_text.naming import People
from arena.players.script_text.passages import read_passages
from arena.players.wording import find_wording
from tests.arena.games.whodunit.scenes import start
from tests.table import MURDERER, case

SAY = find_wording("en")
SCRIPT = """You are Ada Quill, a clerk.

You owed Otto Lamm nine crowns. He called you a thief in front of the whole office.

20:10 You carried the soup to Bram Stone. At 20:40 you stood in the hall, alone, until 21:05.
At 20:55 Otto Lamm came out and shouted at you. At 21:30 you found him dead.

What you hide
You have told nobody that you burned the letter of your father."""
OPENING = "At 20:00 all sat down to supper. At 21:30 Otto Lamm was found dead in the hall."


def ask(question: str, *, text: str = SCRIPT, name: str = "Ada Quill") -> Asked:
    """Return a question to a seat with this private script."""
    script = case()
    roles = tuple(
        replace(one, script=text, parts=()) if one.name == name else one for one in script.roles
    )
    seen = observe(start(script=replace(script, roles=roles, opening=OPENING)), SeatId(name))
    return Asked(observation=seen, question=question, passages=read_passages(seen))


def answers(question: str, *, text: str = SCRIPT, name: str = "Ada Quill") -> tuple[str, ...]:
    found = list_answers(ask(question, text=text, name=name))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        (SAY("extract.reason", victim="Otto Lamm"), "reason"),
        (SAY("extract.relation", victim="Otto Lamm"), "relation"),
        (SAY("extract.last_seen", victim="Otto Lamm"), "last_seen"),
        (SAY("extract.alibi", victim="Otto Lamm"), "alibi"),
        (SAY("extract.known"), "known"),
        (SAY("extract.hidden"), "hidden"),
        (SAY("extract.of_other", other="Bram Stone"), "other"),
        ("Where were you when Bram cried out?", "other"),
        ("Did you kill him? I think that you are the murderer.", "guilt"),
        ("Who are you, Ada Quill?", None),
    ],
)
def test_the_topic_of_a_question_is_recognised(question: str, topic: str | None) -> None:
    assert find_topic(ask(question)) == topic


def test_an_unknown_question_leaves_all_passages() -> None:
    assert list_answers(ask("Do you like soup?")) is None


def test_a_relation_is_told_by_passages_about_victim_and_speaker_without_the_time_table() -> None:
    first = "I owed Otto Lamm nine crowns."
    relation = answers(SAY("extract.relation", victim="Otto Lamm"))
    assert relation == (first, f"{first} He called me a thief in front of the whole office.")
    assert answers(SAY("extract.reason", victim="Otto Lamm")) == relation


def test_an_alibi_is_one_account_of_the_time_before_the_discovery() -> None:
    (found,) = answers(SAY("extract.alibi", victim="Otto Lamm"))
    assert found.startswith("20:10 I carried the soup to Bram Stone. At 20:40 I stood in the hall")
    assert "until 21:05" in found


def test_a_long_evening_is_told_by_its_spans_of_time_and_its_last_hour() -> None:
    dull = "in the pantry, where you counted one spoon after the other and wrote the number down"
    early = [f"20:{minute} You stood {dull}." for minute in range(10, 30, 2)]
    text = "\n\n".join([
        "You are Ada Quill.", *early,
        "From 20:40 to 21:05 you stood in the hall.", "21:20 You went upstairs.",
    ])  # fmt: skip
    (found,) = answers(SAY("extract.alibi", victim="Otto Lamm"), text=text)
    assert "20:10" not in found
    assert found.endswith("From 20:40 to 21:05 I stood in the hall. 21:20 I went upstairs.")
    (moments,) = answers(SAY("extract.alibi", victim="Otto Lamm"), text="\n\n".join(early))
    assert moments.index("20:26") < moments.index("20:28")
    assert "20:10" not in moments


def test_without_a_time_in_the_opening_the_last_hours_are_unknown() -> None:
    asked = ask(SAY("extract.alibi", victim="Otto Lamm"))
    seen = replace(asked.observation, opening="Otto Lamm is dead.")
    found = list_answers(replace(asked, observation=seen))
    assert found
    assert "20:10" in found[0]


def test_a_question_about_a_time_gets_the_passage_with_this_time() -> None:
    assert answers("Where were you at 21:05?") == (
        "At 20:40 I stood in the hall, alone, until 21:05.",
    )


def test_the_last_meeting_is_before_the_discovery() -> None:
    (found,) = answers(SAY("extract.last_seen", victim="Otto Lamm"))
    assert found == "At 20:55 Otto Lamm came out and shouted at me."


def test_what_is_hidden_is_under_its_heading() -> None:
    (found,) = answers(SAY("extract.hidden"))
    assert found == "I have told nobody that I burned the letter of my father."


def test_what_one_took_a_man_for_is_no_secret_but_the_money_that_one_took_is() -> None:
    text = (
        "You are Ada Quill.\n\nYou took Otto Lamm for a tidy man.\n\n"
        "You took three hundred pounds from his desk."
    )
    (found,) = answers(SAY("extract.hidden"), text=text)
    assert found == "I took three hundred pounds from his desk."


def test_an_announced_secret_is_told_by_the_passage_with_its_time() -> None:
    text = (
        "You are Ada Quill.\n\nThere is one thing that you will not volunteer. "
        "From 20:10 to 20:30 you read another's letter. You have killed nobody."
    )
    (found,) = answers(SAY("extract.hidden"), text=text)
    assert found == "From 20:10 to 20:30 I read another's letter."


def test_what_is_known_is_not_who_one_is() -> None:
    found = answers(SAY("extract.known"))
    assert found
    assert not any("I am Ada Quill" in one for one in found)


def test_a_seat_knows_nothing_only_of_whom_its_script_does_not_name() -> None:
    assert answers(SAY("extract.of_other", other="Bram Stone"))[0].startswith("20:10 I carried")
    nothing = SAY("extract.nothing_of", other="Dirk Vane")
    assert answers(SAY("extract.of_other", other="Dirk Vane")) == (nothing,)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("relation", SAY("extract.nothing_between", victim="Otto Lamm")),
        ("reason", SAY("extract.denial", victim="Otto Lamm")),
        ("alibi", SAY("extract.nothing_then")),
        ("last_seen", SAY("extract.nothing_then")),
        ("hidden", SAY("extract.nothing")),
    ],
)
def test_an_empty_script_leaves_a_standard_answer(key: str, expected: str) -> None:
    question = SAY(f"extract.{key}", victim="Otto Lamm")
    assert answers(question, text="You are Ada Quill, a clerk.") == (expected,)


def test_a_murderer_does_not_say_that_it_knows_nothing_of_whom_it_knows() -> None:
    text = f"You are {MURDERER}.\n\nAt 21:00 you killed Otto Lamm, and Bram Stone saw it."
    found = answers(SAY("extract.of_other", other="Bram Stone"), text=text, name=MURDERER)
    assert found == (SAY("extract.nothing"),)


def test_an_accused_seat_denies() -> None:
    found = answers("You are the murderer, Ada Quill!")
    assert found == (SAY("extract.denial", victim="Otto Lamm"),)


def test_a_text_without_a_name_a_time_or_a_number_has_no_substance() -> None:
    people = People("en", ("Ada Quill",), ("Otto Lamm",))
    assert not has_substance("It was a good speech.", people)
    assert has_substance("Otto made a good speech.", people)
    assert has_substance("The lamp went out at nine.", people)
    assert has_substance("He counted 42 lamps.", people)
