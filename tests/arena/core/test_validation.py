"""An action counts or not as its request's action spec says."""

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.action_validation import Invalid, truncate_text, validate
from arena.core.actions import Action, Reply, Skip, UnparsedReply, choose, fill, say
from arena.core.requests import PROBE_PHASE, ActionError, DecisionRequest
from arena.core.specs import (
    ActionSpec,
    Choice,
    Field,
    Form,
    FreeText,
    OneOf,
    Variant,
    spec_fields,
    variant_spec,
    variants,
)
from tests.arena.core.tiny_game import request

PAIR = Choice(options=("Ada", "Bram"))
FORM = Form(
    fields=(
        Field(name="share", spec=FreeText(weight=3)),
        Field(name="target", spec=PAIR),
        Field(name="remark", spec=FreeText(), optional=True),
        Field(name="suspect", spec=PAIR, optional=True),
    )
)
EITHER = OneOf(variants=(Variant(name="talk", spec=FreeText()), Variant(name="name", spec=PAIR)))


def asked(spec: ActionSpec, most: int = 4000) -> DecisionRequest:
    return DecisionRequest(
        id="r", seat=request("Ada").seat, kind="k", phase="p", spec=spec, max_chars=most
    )


def talk(text: str) -> Reply:
    return Reply(values=(("text", text),), variant="talk")


@pytest.mark.parametrize(
    ("spec", "reply"),
    [
        (FreeText(), say("Hello.")),
        (PAIR, choose("Bram")),
        (FORM, fill(share="I saw it.", target="Ada", remark="", suspect="")),
        (FORM, fill(share="I saw it.", target="Ada", remark="So.", suspect="Bram")),
        (EITHER, talk("Hello.")),
        (EITHER, Reply(values=(("choice", "Ada"),), variant="name")),
    ],
)
def test_an_answer_of_the_right_form_counts_as_it_is(spec: ActionSpec, reply: Reply) -> None:
    assert validate(asked(spec), reply) == reply


@pytest.mark.parametrize(
    ("spec", "action", "code", "field", "text", "partial"),
    [
        (FreeText(), say(" \n "), "empty", "text", "", ()),
        (FreeText(), choose("Ada"), "wrong_form", "choice", "Ada", ()),
        (FreeText(), Reply(values=()), "empty", "text", "", ()),
        (FreeText(), talk("Hello."), "not_an_option", "action", "talk", ()),
        (PAIR, choose("Nobody"), "not_an_option", "choice", "Nobody", ()),
        (PAIR, choose("ada"), "not_an_option", "choice", "ada", ()),
        (PAIR, choose(""), "not_an_option", "choice", "", ()),
        (
            FORM,
            fill(share="So.", target="Nobody", suspect="Ada"),
            "not_an_option",
            "target",
            "Nobody",
            (("share", "So."), ("suspect", "Ada")),
        ),
        (FORM, fill(share="", target="Ada"), "empty", "share", "", (("target", "Ada"),)),
        (
            FORM,
            fill(share="So.", target="Ada", suspect="Nobody"),
            "not_an_option",
            "suspect",
            "Nobody",
            (("share", "So."), ("target", "Ada")),
        ),
        (FORM, fill(share="So.", target="Ada", vote="Ada"), "wrong_form", "vote", "Ada", ()),
        (EITHER, say("Hello."), "not_an_option", "action", "", ()),
        (EITHER, Reply(values=(), variant="sing"), "not_an_option", "action", "sing", ()),
        (
            EITHER,
            Reply(values=(("text", "Ada"),), variant="name"),
            "wrong_form",
            "text",
            "Ada",
            (),
        ),
        (
            FORM,
            UnparsedReply(missing="target", text="??", partial=(("share", " So. "),)),
            "unparsed",
            "target",
            "??",
            (("share", "So."),),
        ),
    ],
)
def test_an_answer_that_does_not_count_says_what_is_wrong_and_keeps_what_is_legal(
    spec: ActionSpec,
    action: Action,
    code: str,
    field: str,
    text: str,
    partial: tuple[tuple[str, str], ...],
) -> None:
    result = validate(asked(spec), action)
    assert isinstance(result, Invalid)
    error = result.error
    assert (error.code, error.field, error.text) == (code, field, text)
    assert result.partial == partial


def test_a_rejected_text_is_quoted_with_80_characters() -> None:
    result = validate(asked(PAIR), choose("x" * 500))
    assert isinstance(result, Invalid)
    assert result.error.text == "x" * 80


def test_texts_are_stripped_cut_and_named_where_they_are_too_long() -> None:
    result = validate(asked(FORM, most=10), fill(share=" 0123456789abc", target="Ada"))
    assert isinstance(result, Reply)
    assert result["share"] == "0123456789"
    assert result.truncated == ("share",)
    assert [name for name, _ in result.values] == ["share", "target", "remark", "suspect"]


@pytest.mark.parametrize("most", [1, 2])
def test_a_chosen_option_is_never_cut(most: int) -> None:
    assert validate(asked(PAIR, most=most), choose("Bram")) == choose("Bram")
    result = validate(asked(FORM, most=most), fill(share="I saw it.", target="Bram"))
    assert isinstance(result, Reply)
    assert (result["target"], result.truncated) == ("Bram", ("share",))
    skipped = validate(asked(EITHER, most=most), Skip(partial=(("choice", "Ada"),)))
    assert skipped == Skip(partial=(("choice", "Ada"),))
    wrong = validate(asked(FORM, most=most), fill(share="", target="Bram"))
    assert isinstance(wrong, Invalid)
    assert wrong.partial == (("target", "Bram"),)


def test_values_come_in_the_order_of_the_form() -> None:
    result = validate(asked(FORM), fill(target="Ada", share="So."))
    assert isinstance(result, Reply)
    assert [name for name, _ in result.values][:2] == ["share", "target"]


def test_the_parts_of_a_skipped_and_of_a_rejected_answer_are_cut_too() -> None:
    skipped = validate(asked(FORM, most=3), Skip(partial=(("share", "abcdef"),)))
    assert skipped == Skip(partial=(("share", "abc"),))
    wrong = validate(asked(FORM, most=3), fill(share="abcdef", target="Nobody"))
    assert isinstance(wrong, Invalid)
    assert wrong.partial == (("share", "abc"),)


@pytest.mark.parametrize(
    ("text", "limit", "wanted"),
    [
        ("One. Two. Three is long", 12, ("One. Two.", True)),
        ("没有。结束了但是很长", 4, ("没有。", True)),
        ("没有。结束了但是很长", 6, ("没有。结束了", True)),
        ("abcdefgh", 4, ("abcd", True)),
        ("abcd", 4, ("abcd", False)),
        ("  short ", 10, ("short", False)),
        ("  short ", 5, ("short", False)),
        ("word word", 5, ("word", True)),
        ("a.bcdef", 4, ("a.bc", True)),
        ("ab.cdef", 4, ("ab.", True)),
        ("Wait! What? No", 12, ("Wait! What?", True)),
    ],
)
def test_a_long_text_is_cut_at_the_end_of_a_sentence_in_its_second_half(
    text: str, limit: int, wanted: tuple[str, bool]
) -> None:
    assert truncate_text(text, limit) == wanted


def test_an_abbreviation_at_its_beginning_does_not_swallow_a_text() -> None:
    cut, was_cut = truncate_text("Dr. " + "x" * 5000, 4000)
    assert was_cut
    assert len(cut) == 4000


@pytest.mark.parametrize("options", [(), ("Ada", "Ada")])
def test_a_choice_without_options_or_with_equal_ones_is_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="different options"):
        Choice(options=options)


def test_every_spec_reads_as_variants_and_fields() -> None:
    assert [one.name for one in spec_fields(FreeText())] == ["text"]
    assert [one.name for one in spec_fields(PAIR)] == ["choice"]
    assert spec_fields(FORM) == FORM.fields
    assert variants(EITHER) == EITHER.variants
    assert variants(FORM) == (Variant(name="", spec=FORM),)
    assert variant_spec(EITHER, "name") == PAIR
    assert variant_spec(EITHER, "sing") is None
    assert variant_spec(PAIR, "") == PAIR
    assert variant_spec(PAIR, "name") is None


def test_a_request_put_again_has_one_attempt_less_and_the_error() -> None:
    error = ActionError(code="empty", field="text")
    again = request("Ada").with_error(error)
    assert (again.attempts_left, again.last_error, again.id) == (2, error, request("Ada").id)


def test_a_probe_is_what_the_platform_asks_in_a_phase_of_its_own() -> None:
    assert not asked(PAIR).is_probe
    assert replace(asked(PAIR), phase=PROBE_PHASE).is_probe


def test_a_request_quotes_its_context_by_name() -> None:
    one = DecisionRequest(
        id="r", seat=request("Ada").seat, kind="k", phase="p", spec=PAIR, context=(("q", "Why?"),)
    )
    assert (one.context_value("q"), one.context_value("other")) == ("Why?", "")


def test_a_value_given_twice_is_refused() -> None:
    twice = Reply(values=(("text", "I was at home."), ("text", "I did it.")))
    result = validate(asked(FreeText()), twice)
    assert isinstance(result, Invalid)
    assert (result.error.code, result.error.text) == ("wrong_form", "a value given twice")


HALF = "\ud83d"
KEPT = "\ufffd"


@pytest.mark.parametrize(
    ("spec", "action", "wanted"),
    [
        (FreeText(), say(f"I saw {HALF}"), say(f"I saw {KEPT}")),
        (FreeText(), say(f"{HALF} 看 \udc00\U0001f600"), say(f"{KEPT} 看 {KEPT}\U0001f600")),
        (EITHER, talk(HALF), talk(KEPT)),
        (
            FORM,
            fill(share=f"So {HALF}", target="Ada", remark=HALF, suspect=""),
            fill(share=f"So {KEPT}", target="Ada", remark=KEPT, suspect=""),
        ),
        (FreeText(), Skip(partial=((HALF, HALF),)), Skip(partial=((KEPT, KEPT),))),
    ],
)
def test_half_a_surrogate_pair_becomes_a_replacement_character(
    spec: ActionSpec, action: Action, wanted: Action
) -> None:
    assert validate(asked(spec), action) == wanted


@pytest.mark.parametrize(
    ("spec", "action", "field", "text", "partial"),
    [
        (PAIR, choose(f"Ad{HALF}"), "choice", f"Ad{KEPT}", ()),
        (FORM, fill(**{HALF: HALF}), KEPT, KEPT, ()),
        (EITHER, Reply(values=(), variant=HALF), "action", KEPT, ()),
        (
            FORM,
            fill(share=HALF, target=HALF),
            "target",
            KEPT,
            (("share", KEPT),),
        ),
        (
            FORM,
            UnparsedReply(missing=HALF, text=f"{HALF}?", partial=(("share", HALF), (HALF, "x"))),
            KEPT,
            f"{KEPT}?",
            (("share", KEPT), (KEPT, "x")),
        ),
    ],
)
def test_a_rejected_answer_holds_no_half_of_a_surrogate_pair_either(
    spec: ActionSpec, action: Action, field: str, text: str, partial: tuple[tuple[str, str], ...]
) -> None:
    result = validate(asked(spec), action)
    assert isinstance(result, Invalid)
    assert (result.error.field, result.error.text, result.partial) == (field, text, partial)


def test_the_name_of_an_unknown_value_is_quoted_with_80_characters() -> None:
    result = validate(asked(FORM), fill(**{"x" * 10_000: "x"}))
    assert isinstance(result, Invalid)
    assert result.error.field == "x" * 80


ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=20)
ANY_VALUES = st.lists(
    st.tuples(st.sampled_from(["text", "share", "target", "choice"]) | ANY_TEXT, ANY_TEXT),
    max_size=4,
).map(tuple)
ANY_ACTION = (
    st.builds(Reply, values=ANY_VALUES, variant=st.sampled_from(["", "talk"]) | ANY_TEXT)
    | st.builds(Skip, partial=ANY_VALUES)
    | st.builds(UnparsedReply, missing=ANY_TEXT, text=ANY_TEXT, partial=ANY_VALUES)
)


@pytest.mark.slow
@given(spec=st.sampled_from([FreeText(), PAIR, FORM, EITHER]), action=ANY_ACTION)
def test_whatever_a_player_answers_can_be_written_as_text(spec: ActionSpec, action: Action) -> None:
    found = asdict(validate(asked(spec), action))
    json.dumps(found, ensure_ascii=False).encode()
