"""Requests to ask, as methods see them, and replies that a method narrows."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.action_validation import validate
from arena.core.actions import Reply, UnparsedReply, say
from arena.core.events import PhaseStarted, QuestionAsked
from arena.core.observation import Observation, observe
from arena.core.purposes import Purpose
from arena.core.requests import PROBE_PHASE, DecisionRequest
from arena.core.seats import Faction, SeatId, SeatPart
from arena.core.specs import Choice, Field, Form, FreeText, OneOf, Variant
from arena.core.state import pending
from arena.players.context.token_budget import make_budget
from arena.players.methods.inquiry import (
    fill_question,
    fill_text,
    find_question_choices,
    has_known_side,
    is_killer,
    name_deeds,
    name_victims,
    narrow,
    round_number,
)
from arena.players.model_limits import Shares
from arena.players.replies.option_matching import find_options
from tests.arena.games.mirage import scenes as mirage
from tests.arena.games.questum.scenes import FOUR, crime, start
from tests.arena.players.context.moments import text_of
from tests.arena.players.context.stage import make_limits
from tests.arena.players.scripted_replies import (
    form,
    seat,
    silent,
    voice,
)

NAMES = Choice(options=("Bram", "Ada", "Cleo"))
SHARE = Field(name="share", spec=FreeText())
QUESTION = Form(
    fields=(SHARE, Field(name="target", spec=NAMES), Field(name="question", spec=FreeText()))
)
PLACE = Form(fields=(Field(name="place", spec=Choice(options=("hall",))),))


def view(**changes: object) -> Observation:
    return replace(observe(start(), SeatId("Ada")), **changes)  # pyright: ignore


def request(spec: object) -> DecisionRequest:
    return replace(pending(start())[0], seat=SeatId("Ada"), spec=spec)  # pyright: ignore


def test_a_question_may_be_one_of_several_ways() -> None:
    spec = OneOf(
        variants=(Variant(name="investigate", spec=PLACE), Variant(name="ask", spec=QUESTION))
    )
    asking = find_question_choices(view(), request(spec))
    assert asking is not None
    assert asking.variant.name == "ask"
    assert asking.targets == ("Bram", "Cleo"), "in the order of the script, without oneself"
    assert asking.can_investigate
    plain = find_question_choices(view(), request(QUESTION))
    assert plain is not None
    assert not plain.can_investigate


@pytest.mark.parametrize(
    "spec",
    [
        FreeText(),
        NAMES,
        PLACE,
        OneOf(variants=(Variant(name="investigate", spec=PLACE),)),
        Form(fields=(Field(name="target", spec=NAMES),)),
        Form(
            fields=(
                Field(name="target", spec=Choice(options=("Ada",))),
                Field(name="question", spec=FreeText()),
            )
        ),
    ],
)
def test_what_puts_no_question_to_another_seat_is_no_question(spec: object) -> None:
    assert find_question_choices(view(), request(spec)) is None


def test_a_choice_is_narrowed_to_what_is_left_of_it() -> None:
    spec = OneOf(variants=(Variant(name="ask", spec=QUESTION), Variant(name="other", spec=NAMES)))
    one = narrow(spec, "ask", {"target": ("Cleo", "Dirk")})
    assert isinstance(one, OneOf)
    [variant] = one.variants
    assert isinstance(variant.spec, Form)
    assert variant.spec.fields[1].spec == Choice(options=("Cleo",))
    assert narrow(NAMES, "", {"choice": ("Ada",)}) == Choice(options=("Ada",))
    assert narrow(NAMES, "", {"choice": ("Dirk",)}) == NAMES, "nothing would be left"


def test_a_filled_question_is_legal() -> None:
    for spec in (QUESTION, OneOf(variants=(Variant(name="ask", spec=QUESTION),))):
        asking = find_question_choices(view(), request(spec))
        assert asking is not None
        reply = fill_question(asking, {"target": "Cleo"}, "Why?", "So.")
        assert isinstance(validate(request(spec), reply), Reply)
        assert reply["target"] == "Cleo"
        other = fill_question(asking, {}, "Why?", "So.")
        assert isinstance(validate(request(spec), other), Reply)


def test_a_text_fills_what_wants_nothing_but_a_text() -> None:
    assert fill_text(FreeText(), "So.") == say("So.")
    ways = OneOf(
        variants=(Variant(name="no", spec=Form(fields=())), Variant(name="yes", spec=FreeText()))
    )
    assert fill_text(ways, "So.") == Reply(variant="yes", values=(("text", "So."),))
    assert fill_text(QUESTION, "So.") is None


def test_a_seat_is_the_killer_of_whom_it_killed() -> None:
    seen = view()

    def guilty(*of: str) -> Observation:
        part = SeatPart(seat=SeatId("Ada"), faction="murderer", guilty_of=of)
        return replace(seen, role=replace(seen.own, part=part))

    assert is_killer(guilty("Otto"), "Otto")
    assert not is_killer(guilty("Otto"), "Olga")
    assert is_killer(guilty("Otto"), "")
    assert name_deeds(guilty("Otto"), "") == "Otto"
    assert not is_killer(guilty(), "Otto")
    assert not is_killer(guilty(), "")
    assert is_killer(replace(guilty(), victims=()), ""), "the case names no victim"


def test_of_what_a_seat_is_guilty_is_open_where_it_is_no_civilian_and_has_no_deed() -> None:
    seen = view()

    def has_side(faction: Faction = "civilians", **more: Any) -> bool:
        part = SeatPart(seat=SeatId("Ada"), faction=faction, **more)
        return has_known_side(replace(seen, role=replace(seen.own, part=part)))

    assert has_side()
    assert has_side("murderer", guilty_of=("Otto",))
    assert has_side("murderer", guilty_of=("Otto",), power="poisoner")
    assert not has_side("murderer")
    assert not has_side("murderer", power="possessed")
    assert not has_side(power="seer")


def test_without_a_victim_all_are_meant() -> None:
    assert name_victims(view(victims=("Otto", "Olga")), "") == "Otto, Olga"
    assert name_victims(view(victims=("Otto", "Olga")), "Olga") == "Olga"


def test_rounds_are_those_in_which_somebody_asked() -> None:
    asked = QuestionAsked(seat=SeatId("Bram"), request="x", to=SeatId("Ada"), text="Why?")
    first, second = (PhaseStarted(phase="talk", round=number) for number in (1, 2))
    assert round_number(view(events=())) == 1
    assert round_number(view(events=(first,))) == 1
    assert round_number(view(events=(first, asked, asked))) == 1
    assert round_number(view(events=(first, asked, second))) == 2
    assert round_number(view(events=(first, asked, second, asked))) == 2
    assert round_number(view(events=(first, second))) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Cleo, Bram", ("Bram", "Cleo")),
        ('["bram", "Cleo Lee"]', ("Bram", "Cleo Lee")),
        ("Bram; it cannot be, but not Cleo Lee", ("Bram",)),
        ("nobody", ()),
        ("", ()),
        ("Bram" + " x" * 5000 + " Cleo Lee", ("Bram",)),
    ],
)
def test_all_options_that_a_text_names_are_found(text: str, found: tuple[str, ...]) -> None:
    options = ("Bram", "Cleo Lee") if "Lee" in text else ("Bram", "Cleo")
    assert find_options(text, options, "en") == found


def test_a_reply_outside_of_what_the_method_left_is_rejected() -> None:
    replies = {
        "asking/information": form(reason="x", choice="Low"),
        "asking/information/Bram": form(reason="x", choice="High"),
        "reply": form(target="Dirk", question="Why?"),
    }
    one = seat("Ada", "questum:epsilon=0", voice(replies))
    state = one.turn(start(order="script"))
    action = one.answer(state, pending(state)[0])
    assert action == UnparsedReply(missing="target", text="Dirk", partial=(("question", "Why?"),))


def test_a_step_searches_for_what_it_is_about() -> None:
    script = crime(FOUR, Otto=("Bram",))
    lines = [f"At {n % 12}:10 you saw {FOUR[1 + n // 33]} alone in room {n}." for n in range(99)]
    long = " ".join(lines)
    roles = tuple(replace(role, script=f"{role.script} {long}") for role in script.roles)
    one = seat("Ada", "questum:script_tokens=120", silent)
    one.take(one.turn(start(replace(script, roles=roles), order="script")))
    for name in FOUR[1:]:
        [step] = one.model.asked(f"asking/information/{name}")
        known = step.messages[1].text
        assert known.count("you saw") < 20
        counts = {other: known.count(f"you saw {other}") for other in FOUR[1:]}
        assert max(counts, key=lambda other: counts[other]) == name


def test_a_prompt_holds_no_more_of_the_talk_than_its_share() -> None:
    whole, part = (seat("Ada", f"questum:dialogue_tokens={most}", silent) for most in (4000, 120))
    for one in (whole, part):
        one.take(one.turn(start(order="script"), number=3))
    asked = [one.model.asked("asking/emotion")[0] for one in (whole, part)]
    lines = [text_of(call.messages).count(" (about Otto): “") for call in asked]
    assert lines[0] == 6, "of the others; its own questions are replies"
    assert 0 < lines[1] < 5
    assert all("Log book" in text_of(call.messages) for call in asked), "clues are no talk"


@pytest.mark.slow
def test_a_script_that_fits_its_share_is_whole_where_the_talk_does_not() -> None:
    lines = " ".join(f"At {n % 12}:10 you saw Bram alone in room {n}." for n in range(50))
    script = crime(FOUR, Otto=("Bram",))
    roles = tuple(replace(role, script=lines) for role in script.roles)
    tokens = make_budget(make_limits(None)).text_tokens(lines)
    state = start(replace(script, roles=roles), order="script")
    for most, is_whole in ((tokens, True), (tokens - 1, False)):
        one = seat("Ada", f"questum:script_tokens={most},dialogue_tokens=120", silent)
        one.take(one.turn(state, number=3))
        known = text_of(one.model.asked("asking/emotion")[0].messages)
        assert (lines in known) == is_whole
        assert known.count("[...]") > 1 - is_whole


def test_introductions_and_quizzes_have_shares_of_their_own() -> None:
    shares = Shares(script=1, dialogue=2, introduction=3, quiz=4)
    found = {
        purpose: shares.of(replace(request(FreeText()), purpose=purpose))
        for purpose in (Purpose.INTRODUCE, Purpose.ASK)
    }
    assert found == {Purpose.INTRODUCE: (3, 2), Purpose.ASK: (1, 2)}
    assert shares.of(replace(request(FreeText()), phase=PROBE_PHASE)) == (4, 4)


def test_a_search_in_a_game_with_places_is_narrowed_to_places() -> None:
    state = mirage.start(order="script")
    one = seat("Ada", "questum", voice({"asking/information": form(reason="x", choice="Low")}))
    one.take(one.turn(state, purpose=Purpose.ACT))
    assert repr(one.model.requests[-1].constraint).count("JsonConstraint") == 1
