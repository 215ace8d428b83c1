"""Replies are text, so they are tested as text: what counts, what is mended, what not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import Ask, Choose, Conclude, Garbled, SeatId, ShareAndAsk, Speak, Verb
from arena.models.chat import ChoiceConstraint, JsonConstraint
from arena.players.parsing import constraint, option, parse, response

NAMES = ("Ada Quill", "Bram Stone", "云海生", "Dr. Pell")


def ask(verb: Verb, **more: object) -> Ask:
    values: dict[str, object] = {"options": NAMES, "phase": "discussion", **more}
    return Ask(id="x", seat=SeatId("Eve"), verb=verb, **values)  # pyright: ignore[reportArgumentType]


GOOD = {"share": "I saw him.", "target": "Bram Stone", "question": "Where were you?"}
SHARED = ShareAndAsk(share="I saw him.", target=SeatId("Bram Stone"), question="Where were you?")


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(json.dumps(GOOD), id="plain"),
        pytest.param("```json\n" + json.dumps(GOOD, indent=2) + "\n```", id="fenced"),
        pytest.param(f"Here it is: {json.dumps(GOOD)} I hope so.", id="words-around"),
        pytest.param("<think>hm {x}</think>" + json.dumps(GOOD), id="after-thinking"),
        pytest.param(json.dumps(GOOD | {"target": "bram  stone"}), id="name-spelt-otherwise"),
        pytest.param(
            "share: I saw him.\ntarget: Bram Stone\nquestion: Where were you?", id="lines"
        ),
        pytest.param(
            "Share：I saw him.\nTarget：Bram Stone\nQuestion：Where were you?", id="full-width"
        ),
    ],
)
def test_a_structured_reply_is_read_in_many_forms(reply: str) -> None:
    assert parse(reply, ask("share_and_ask")) == SHARED


def test_a_reply_that_was_cut_off_gives_what_stands_before_the_cut() -> None:
    whole = json.dumps(GOOD)
    assert parse(whole[:-8], ask("share_and_ask")) == ShareAndAsk(
        share="I saw him.", target=SeatId("Bram Stone"), question="Where wer"
    )
    cut = parse('{"share": "I saw hi', ask("share_and_ask"))
    assert isinstance(cut, Garbled)
    assert (cut.missing, cut.share) == ("target", "I saw hi")


def test_a_name_that_is_not_there_goes_to_the_rules_as_it_came() -> None:
    action = parse(json.dumps(GOOD | {"target": "Otto"}), ask("share_and_ask"))
    assert isinstance(action, ShareAndAsk)
    assert action.target == "Otto"


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Ada Quill", "Ada Quill"),
        ("  ada quill. ", "Ada Quill"),
        ("I vote for Bram Stone!", "Bram Stone"),
        ("凶手是云海生。", "云海生"),
        ("Dr Pell", "Dr. Pell"),
        ("#Answer#: Ada Quill", "Ada Quill"),
        ("Not Ada Quill. #Answer#：Bram Stone", "Bram Stone"),
        ("Ada Quill or Bram Stone", None),
        ("nobody", None),
        ("", None),
    ],
)
def test_a_choice_is_read_only_where_it_is_clear(reply: str, chosen: str | None) -> None:
    assert option(reply, NAMES) == chosen


def test_an_option_inside_a_longer_one_is_not_meant() -> None:
    assert option("I say Ada Quill the elder", ("Ada Quill", "Ada Quill the elder")) == (
        "Ada Quill the elder"
    )


def test_an_unclear_vote_goes_to_the_rules_as_it_came() -> None:
    assert parse("Ada Quill or Bram Stone", ask("vote")) == Choose(option="Ada Quill or Bram Stone")


def test_a_vote_with_reason_gives_both() -> None:
    reply = json.dumps({"vote": "云海生", "reason": "the key"})
    assert parse(reply, ask("vote", reason=True)) == Choose(option="云海生", reason="the key")


def test_a_conclusion_needs_both_parts() -> None:
    assert parse('{"method": "rope", "motive": "debt"}', ask("conclude")) == Conclude(
        method="rope", motive="debt"
    )
    assert parse('{"method": "rope"}', ask("conclude")) == Garbled(
        missing="motive", raw='{"method": "rope"}'
    )


@pytest.mark.parametrize(
    ("reply", "played"),
    [
        ("### THOUGHT: hm\n### RESPONSE: Good evening.", "Good evening."),
        ("THOUGHT：想一想\nRESPONSE：晚上好。", "晚上好。"),
        ("**THOUGHT:** a\n**RESPONSE:** b\nc", "b\nc"),
        ("Good evening.", "Good evening."),
        ("### THOUGHT: it never ends", None),
        ("### 思考：想一想\n### 回答：晚上好。", "晚上好。"),
        (
            "I heard his response: nothing. So he did it.",
            "I heard his response: nothing. So he did it.",
        ),
        ("I hide the knife.</think>I was at home.", "I was at home."),
    ],
)
def test_only_the_response_is_played(reply: str, played: str | None) -> None:
    assert response(reply) == played


@pytest.mark.parametrize("reply", ["<think>I am the murderer; I hide", "<think>a</think>b<think>c"])
def test_a_thought_without_an_end_is_never_spoken(reply: str) -> None:
    assert parse(reply, ask("answer", options=())) == Garbled(missing="</think>", raw=reply)


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(C).", "C"),
        ("The answer is D.", "D"),
        ("It was a mistake to say so", None),
        ("A mistake", None),
        ("A or B", None),
    ],
)
def test_a_letter_is_no_article(reply: str, letter: str | None) -> None:
    assert option(reply, ("A", "B", "C", "D")) == letter


@pytest.mark.parametrize(
    ("reply", "letters"),
    [
        ("B", "B"),
        ("AC", "AC"),
        ("C, A", "AC"),
        ("C和A", "AC"),
        ("The two are A and C.", "AC"),
        ("AA", None),
        ("A, B and C", None),
        ("nobody", None),
    ],
)
def test_several_letters_are_read_together_or_apart(reply: str, letters: str | None) -> None:
    assert option(reply, ("A", "B", "C", "AB", "AC", "BC")) == letters


def test_on_the_last_try_a_thought_without_end_gives_its_last_paragraph() -> None:
    assert response("### THOUGHT: a\n\nSo I say hello.", last_try=True) == "So I say hello."


def test_what_may_be_answered_is_what_may_be_decoded() -> None:
    assert constraint(ask("vote"), chars=100) == ChoiceConstraint(options=NAMES)
    rule = constraint(ask("share_and_ask"), chars=100)
    assert isinstance(rule, JsonConstraint)
    assert [(f.name, f.options) for f in rule.fields] == [
        ("share", ()),
        ("target", NAMES),
        ("question", ()),
    ]
    assert constraint(ask("answer", options=()), chars=100) is None


@given(
    text=st.text(), verb=st.sampled_from(["introduce", "share_and_ask", "vote", "conclude", "ask"])
)
def test_no_text_of_a_model_breaks_the_parser(text: str, verb: Verb) -> None:
    action = parse(text, ask(verb))
    assert action.kind in {"speak", "share_and_ask", "question", "conclude", "choose", "garbled"}
    if verb == "introduce":
        assert isinstance(action, Speak)
