"""What a model may reply and how its reply is read both follow from the action spec."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Reply, UnparsedReply, choose, fill, say
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, ActionSpec, Choice, Field, Form, FreeText, OneOf, Variant
from arena.models.api.constraints import build_json_schema
from arena.models.chat import ChoiceConstraint, JsonConstraint, VariantConstraint
from arena.players.replies.decoding import parse, reply_constraint, reply_token_limit
from tests.long_texts import slow_pieces

NAMES = ("Ada Quill", "Bram Stone", "云海生")
TALK = Form(
    fields=(
        Field(name="share", spec=FreeText(weight=3)),
        Field(name="target", spec=Choice(options=NAMES)),
        Field(name="question", spec=FreeText()),
    )
)
REASONS = Form(
    fields=(
        Field(name="method", spec=FreeText()),
        Field(name="motive", spec=FreeText()),
        Field(name="culprit", spec=Choice(options=NAMES), optional=True),
    )
)
PLACES = Choice(options=("attic", "cellar"))
ACT = OneOf(
    variants=(
        Variant(name="question", spec=TALK),
        Variant(name="search", spec=Form(fields=(Field(name="place", spec=PLACES),))),
        Variant(name="talk", spec=FreeText()),
        Variant(name="OVER", spec=Form(fields=())),
    )
)
VOTE = Choice(options=(*NAMES, ABSTAIN))
LETTERS = Choice(options=("A", "B", "C", "AB"))
SPECS: tuple[ActionSpec, ...] = (FreeText(), VOTE, TALK, REASONS, ACT)

GOOD = {"share": "I saw him.", "target": "Bram Stone", "question": "Where were you?"}


def request(spec: ActionSpec) -> DecisionRequest:
    return DecisionRequest(id="x", seat=SeatId("Eve"), kind="k", phase="p", spec=spec)


def read(text: str, spec: ActionSpec, language: str = "en") -> Reply | UnparsedReply:
    action = parse(text, request(spec), "zh" if language == "zh" else "en")
    assert isinstance(action, Reply | UnparsedReply)
    return action


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(json.dumps(GOOD), id="plain"),
        pytest.param("```json\n" + json.dumps(GOOD, indent=2) + "\n```", id="fenced"),
        pytest.param("```json " + json.dumps(GOOD) + "```", id="fenced-on-one-line"),
        pytest.param(f"Here it is: {json.dumps(GOOD)} I hope so.", id="words-around"),
        pytest.param(f"As {{said}} before: {json.dumps(GOOD)}", id="another-brace-before"),
        pytest.param("<think>hm {x}</think>" + json.dumps(GOOD), id="after-thinking"),
        pytest.param(json.dumps(GOOD | {"target": "bram  stone"}), id="name-spelt-otherwise"),
        pytest.param(json.dumps(GOOD | {"target": "not Ada Quill, Bram Stone"}), id="negated"),
        pytest.param(
            "share: I saw him.\ntarget: Bram Stone\nquestion: Where were you?", id="lines"
        ),
        pytest.param(
            "**Share:** I saw him.\n**Target:** Bram Stone\n**Question:** Where were you?",
            id="bold-lines",
        ),
        pytest.param(
            "Share：I saw him.\nTarget：Bram Stone\nQuestion：Where were you?", id="full-width"
        ),
    ],
)
def test_a_form_is_read_in_many_shapes(reply: str) -> None:
    assert read(reply, TALK) == fill(**GOOD)


def test_a_reply_that_was_cut_off_gives_what_precedes_the_cut() -> None:
    whole = json.dumps(GOOD)
    assert read(whole[:-8], TALK) == fill(**GOOD | {"question": "Where wer"})
    cut = read('{"share": "I saw hi', TALK)
    assert isinstance(cut, UnparsedReply)
    assert (cut.missing, cut.partial) == ("target", (("share", "I saw hi"),))


@pytest.mark.parametrize("end", range(len('{"share": "I saw"') + 1, len(json.dumps(GOOD))))
def test_wherever_a_reply_is_cut_off_its_first_text_is_kept(end: int) -> None:
    found = read(json.dumps(GOOD)[:end], TALK)
    values = found.values if isinstance(found, Reply) else found.partial
    assert dict(values)["share"].startswith("I saw")


def test_a_partial_reply_holds_legal_values_only() -> None:
    reply = read('{"share": "s", "target": "Otto"}', TALK)
    assert reply == UnparsedReply(
        missing="question", text='{"share": "s", "target": "Otto"}', partial=(("share", "s"),)
    )


def test_an_unknown_name_goes_to_the_rules_as_it_came() -> None:
    assert read(json.dumps(GOOD | {"target": "Otto"}), TALK) == fill(**GOOD | {"target": "Otto"})
    assert read("Ada Quill or Bram Stone", VOTE) == choose("Ada Quill or Bram Stone")
    assert read("I think it is not Ada Quill", VOTE) == choose("I think it is not Ada Quill")


@pytest.mark.parametrize(
    ("written", "culprit"),
    [
        ({"culprit": "ada quill"}, "Ada Quill"),
        ({"culprit": ""}, ""),
        ({"culprit": None}, ""),
        ({"culprit": "unknown"}, ""),
        ({}, ""),
        ({"culprit": "Otto"}, "Otto"),
    ],
)
def test_an_optional_choice_may_be_left_out(written: dict[str, str], culprit: str) -> None:
    reply = json.dumps({"method": "rope", "motive": "debt"} | written)
    assert read(reply, REASONS) == fill(method="rope", motive="debt", culprit=culprit)


@pytest.mark.parametrize(
    ("word", "options", "wanted"),
    [
        ("unknown", ("Unknown", "Ada Quill"), "Unknown"),
        ("无", ("无", "有"), "无"),
        ("none", ("Unknown", "Ada Quill"), ""),
        ("n/a", ("A", "B", "AB"), ""),
    ],
)
def test_a_word_for_no_choice_may_be_an_option(
    word: str, options: tuple[str, ...], wanted: str
) -> None:
    form = Form(fields=(Field(name="who", spec=Choice(options=options), optional=True),))
    assert read(json.dumps({"who": word}), form) == fill(who=wanted)


def test_a_form_without_a_required_text_is_unparsed() -> None:
    reply = read('{"method": "rope"}', REASONS)
    assert isinstance(reply, UnparsedReply)
    assert (reply.missing, reply.partial) == ("motive", (("method", "rope"),))


@pytest.mark.parametrize(
    "speech",
    [
        "I saw this note: ```I owe him 500``` and kept it.",
        "```\nall of it\n```",
        'He said {"target": "Ada"} to me.',
        "**Ada** did it. Response: none.",
    ],
)
def test_a_speech_is_played_whole(speech: str) -> None:
    assert read(speech, FreeText()) == say(speech)


def test_a_choice_may_come_in_a_code_fence() -> None:
    assert read("```\nAda Quill\n```", VOTE) == choose("Ada Quill")
    assert read("The note ```I owe him``` proves it: Bram Stone", VOTE) == choose("Bram Stone")


@pytest.mark.parametrize("reply", ["<think>I am the murderer; I hide", "<think>a</think>b<think>c"])
@pytest.mark.parametrize("spec", SPECS)
def test_a_thought_without_an_end_is_never_spoken(reply: str, spec: ActionSpec) -> None:
    assert read(reply, spec) == UnparsedReply(missing="</think>", text=reply)


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ('{"action": "question", ' + json.dumps(GOOD)[1:], fill(**GOOD)),
        (json.dumps(GOOD), fill(**GOOD)),
        ('{"action": "search", "place": "the attic"}', fill(place="attic")),
        ("action: search\nplace: cellar", fill(place="cellar")),
        ('{"action": "talk", "text": "Hello."}', say("Hello.")),
        ('{"action": "OVER"}', Reply(values=())),
        ("OVER", Reply(values=())),
    ],
)
def test_a_variant_is_read_by_its_name_or_by_its_fields(reply: str, action: Reply) -> None:
    names = {"share": "question", "place": "search", "text": "talk", "": "OVER"}
    first = action.values[0][0] if action.values else ""
    assert read(reply, ACT) == Reply(values=action.values, variant=names[first])


ASK_OR_LOOK = OneOf(
    variants=(
        Variant(name="ask", spec=TALK),
        Variant(name="investigate", spec=Form(fields=(Field(name="place", spec=PLACES),))),
    )
)


@pytest.mark.parametrize(
    ("word", "variant"),
    [
        *((word, "ask") for word in ("Ask", "Inquiry", "inquire", "【Inquiry】", "询问", "问")),
        *(
            (word, "investigate")
            for word in ("Investigate", "Investigation", "【Investigation】", "调查", "搜证")
        ),
        ("Investigation (I investigate)", "investigate"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_papers_words_for_a_variant_are_read(word: str, variant: str, language: str) -> None:
    values = GOOD if variant == "ask" else {"place": "attic"}
    reply = json.dumps({"action": word, **values}, ensure_ascii=False)
    assert read(reply, ASK_OR_LOOK, language) == Reply(
        values=tuple(values.items()), variant=variant
    )


def test_a_word_for_two_variants_or_for_a_variant_of_another_game_is_rejected() -> None:
    both = "Inquiry or Investigation"
    assert read(json.dumps({"action": both}), ASK_OR_LOOK) == Reply(values=(), variant=both)
    assert read('{"action": "inquiry"}', ACT) == Reply(values=(), variant="inquiry")


def test_an_unclear_variant_is_rejected() -> None:
    assert read('{"action": "sleep"}', ACT) == Reply(values=(), variant="sleep")
    assert isinstance(validate(request(ACT), read('{"action": "sleep"}', ACT)), Invalid)
    for unclear in ("Good evening.", '{"place": "attic", "text": "Hello."}'):
        missing = read(unclear, ACT)
        assert isinstance(missing, UnparsedReply)
        assert missing.missing == "action"


def test_labels_stand_in_constraints_and_replies_and_options_in_actions() -> None:
    constraint = reply_constraint(VOTE, "zh", reply_tokens=100)
    assert constraint == ChoiceConstraint(options=(*NAMES, "弃权"))
    assert read("弃权", VOTE, "zh") == choose(ABSTAIN)
    form = Form(fields=(Field(name="reason", spec=FreeText()), Field(name="vote", spec=VOTE)))
    assert read('{"reason": "r", "vote": "弃权"}', form, "zh") == fill(reason="r", vote=ABSTAIN)


def test_the_room_of_a_reply_is_shared_by_weight() -> None:
    constraint = reply_constraint(TALK, "en", reply_tokens=124)
    assert isinstance(constraint, JsonConstraint)
    assert [(one.name, one.options, one.max_chars) for one in constraint.fields] == [
        ("share", (), 150),
        ("target", NAMES, 0),
        ("question", (), 50),
    ]
    chinese = reply_constraint(TALK, "zh", reply_tokens=124)
    assert isinstance(chinese, JsonConstraint)
    assert [one.max_chars for one in chinese.fields] == [75, 0, 25]
    assert reply_constraint(FreeText(), "en", reply_tokens=124) is None


def _example(schema: dict[str, Any], number: int) -> dict[str, str]:
    """Return an object that a schema allows."""
    if "anyOf" in schema:
        return _example(schema["anyOf"][number % len(schema["anyOf"])], number)
    return {
        name: form["enum"][number % len(form["enum"])] if "enum" in form else "words"
        for name, form in schema["properties"].items()
    }


@pytest.mark.parametrize("spec", [TALK, REASONS, ACT])
@pytest.mark.parametrize("number", range(8))
def test_what_may_be_decoded_is_parsed_and_legal(spec: ActionSpec, number: int) -> None:
    constraint = reply_constraint(spec, "en", reply_tokens=200)
    assert isinstance(constraint, JsonConstraint | VariantConstraint)
    schema = build_json_schema(constraint)
    example = _example(schema, number)
    jsonschema.validate(example, schema)
    assert isinstance(validate(request(spec), read(json.dumps(example), spec)), Reply)


def test_a_schema_of_variants_allows_no_mixture_of_them() -> None:
    constraint = reply_constraint(ACT, "en", reply_tokens=200)
    assert isinstance(constraint, VariantConstraint)
    schema = build_json_schema(constraint)
    assert [next(iter(one["properties"])) for one in schema["anyOf"]] == ["action"] * 4
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"action": "search", "text": "Hello."}, schema)


def test_a_choice_is_short_and_a_text_takes_all_tokens() -> None:
    assert reply_token_limit(VOTE, "zh", reply_tokens=500) == len(b"Bram Stone") + 1
    assert reply_token_limit(Choice(options=("A", "B")), "en", reply_tokens=500) == 8
    for spec in (FreeText(), TALK, ACT):
        assert reply_token_limit(spec, "en", reply_tokens=500) == 500


@pytest.mark.slow
@given(text=st.text(), spec=st.sampled_from(SPECS))
def test_no_text_of_a_model_breaks_the_parser(text: str, spec: ActionSpec) -> None:
    validate(request(spec), read(text, spec))


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SPECS, LETTERS])
def test_a_long_text_of_anything_is_read_in_linear_time(spec: ActionSpec) -> None:
    def play(text: str) -> None:
        validate(request(spec), read(text, spec))

    assert slow_pieces(play) == []
    assert slow_pieces(play, start='{"share": "I saw him.", ') == []


def test_a_reply_without_end_counts_as_far_as_it_is_read() -> None:
    found = read('{"target": "Ada Quill", "question": "Why?", "share": "' + "I saw. " * 10**6, TALK)
    assert isinstance(found, Reply)
    assert (found["target"], found["question"]) == ("Ada Quill", "Why?")
    assert found["share"].startswith("I saw. I saw.")
    late = read(json.dumps(GOOD | {"share": "I saw. " * 10**5, "question": "Why?"}), TALK)
    assert isinstance(late, UnparsedReply)
    assert late.missing == "target"


@pytest.mark.parametrize("nested", ["[" * 1000, '{"share":' * 1000, "[" * 10**6, "[{" * 10**5])
def test_a_reply_that_is_nested_too_deeply_is_unparsed(nested: str) -> None:
    for reply in (f'{{"share": {nested}', f'{{"share": {nested}"x"', nested):
        assert isinstance(read(reply, TALK), UnparsedReply)


def test_a_number_of_thousands_of_digits_spoils_no_reply() -> None:
    reply = json.dumps(GOOD)[:-1] + f', "sure": {"9" * 5000}}}'
    assert read(reply, TALK) == fill(**GOOD)


@pytest.mark.parametrize("half", ["\\ud83d", "\\uD83D", "\\udc00"])
def test_a_reply_that_is_cut_within_an_escaped_character_counts(half: str) -> None:
    reply = json.dumps(GOOD).replace("I saw him.", f"I saw {half}")
    found = validate(request(TALK), read(reply, TALK))
    assert isinstance(found, Reply)
    assert found["share"] == "I saw \ufffd"
    cut = validate(request(TALK), read(f'{{"share": "I saw {half}', TALK))
    assert isinstance(cut, Invalid)
    assert cut.partial == (("share", "I saw \ufffd"),)
