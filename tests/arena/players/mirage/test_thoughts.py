"""Thoughts beside replies: in the same call, heard by no seat, and what becomes of bad ones."""

from dataclasses import replace
from itertools import pairwise

import pytest

from arena.core.action_validation import validate
from arena.core.actions import Reply, Skip, UnparsedReply, choose, say
from arena.core.events import ActionRejected, Said, TurnSkipped
from arena.core.purposes import Purpose
from arena.core.specs import Choice, Field, Form, FreeText, OneOf, Variant
from arena.core.state import pending
from arena.games.mirage.options import MirageOptions
from arena.models.chat import Request
from arena.players.mirage.thoughts import take_thought, with_thought
from scripts_mm.script import Language
from tests.arena.games.mirage.scenes import case
from tests.arena.players.mirage.voices import (
    SECRET,
    every_bad,
    in_both,
    match,
    one_seat,
    thinking,
)
from tests.arena.players.scripted_replies import (
    Model,
    demand,
    play,
    player_of,
)
from tests.table import setup


@in_both
def test_every_turn_is_one_call_with_a_thought_of_its_own(language: Language) -> None:
    one, state = one_seat(), match(language, raters="none")
    for purpose in (Purpose.INTRODUCE, Purpose.ACT, Purpose.ACCUSE, Purpose.VOTE):
        state, answer = one.take(one.turn(state, purpose))
        [call] = one.model.requests
        assert call.constraint is not None
        assert '"thought"' in demand(call)
        assert SECRET not in str(answer.action)
        assert isinstance(answer.action, Reply)


@in_both
def test_a_seat_thinks_of_missing_clues_only_where_it_may_search(language: Language) -> None:
    missing = "a clue lie that is still missing" if language == "en" else "没找到的线索"
    one, state = one_seat(), match(language, raters="none")
    state = one.turn(state, Purpose.ACT)
    one.answer(state, pending(state)[0])
    request = pending(state)[0]
    assert isinstance(request.spec, OneOf)
    asks = OneOf(variants=tuple(way for way in request.spec.variants if way.name == "ask"))
    one.answer(state, replace(request, spec=asks))
    searching, asking = map(demand, one.model.requests[-2:])
    assert missing in searching
    assert missing not in asking


@in_both
def test_no_seat_hears_a_thought(language: Language) -> None:
    script = case(language=language)
    match_of = setup(MirageOptions(rounds=2), script=script)
    played = play(match_of, "mirage", ("mirage", "mirage"), thinking)
    assert any(isinstance(one, Said) for one in played.events)
    assert SECRET not in repr(played.events)
    own = [one for one in played.made if one.call_id.seat == "Ada"]
    assert any(SECRET in demand(one) or SECRET in repr(one.messages) for one in own)
    for call in played.made:
        told = "\n".join(m.text for m in call.messages if m.role != "assistant")
        blocks = told.count(SECRET)
        assert blocks <= sum(m.role == "assistant" for m in call.messages)


SPECS = {
    "text": FreeText(),
    "choice": Choice(options=("Bram", "Cleo")),
    "form": Form(fields=(Field(name="share", spec=FreeText()),
                         Field(name="target", spec=Choice(options=("Bram",))))),
    "ways": OneOf(variants=(Variant(name="ask", spec=FreeText()),
                            Variant(name="go", spec=Choice(options=("shed",))))),
}  # fmt: skip


@pytest.mark.parametrize("name", SPECS)
def test_a_thought_is_a_value_of_its_own_before_the_others(name: str) -> None:
    spec = SPECS[name]
    wider = with_thought(spec)
    forms = [one.spec for one in wider.variants] if isinstance(wider, OneOf) else [wider]
    for form_of in forms:
        assert isinstance(form_of, Form)
        assert form_of.fields[0].name == "thought"
    plain = {
        "text": say("Hm."),
        "choice": choose("Bram"),
        "form": Reply(values=(("share", "Hm."), ("target", "Bram"))),
        "ways": Reply(values=(("text", "Hm."),), variant="ask"),
    }[name]
    thought = replace(plain, values=(("thought", SECRET), *plain.values))
    assert take_thought(thought) == (SECRET, plain)
    request = replace(pending(match())[0], spec=spec)
    assert validate(request, take_thought(thought)[1]) == plain


@pytest.mark.slow
@every_bad
@in_both
def test_a_reply_that_cannot_be_read_is_rerun_and_then_passed(
    text: str, language: Language
) -> None:
    rules = MirageOptions(rounds=1, raters="none")
    match_of = setup(rules, script=case(language=language))

    def voice(request: Request) -> str | None:
        is_first = request.call_id.request.startswith("introduction")
        return text if request.call_id.seat == "Ada" and is_first else thinking(request)

    played = play(match_of, "mirage", ("mirage", "mirage"), voice)
    rejected = [one for one in played.events if isinstance(one, ActionRejected)]
    assert {one.seat for one in rejected} == {"Ada"}
    assert len(rejected) == rules.attempts
    [skipped] = [one for one in played.events if isinstance(one, TurnSkipped)]
    assert (skipped.seat, skipped.cause) == ("Ada", "invalid")
    tries = [one for one in played.made if one.call_id.seat == "Ada"][: rules.attempts]
    word = "did not count" if language == "en" else "无效"
    assert [word in demand(one) for one in tries] == [False, True, True]
    assert not [one for one in played.events if isinstance(one, Said)
                and one.seat == "Ada" and one.request.startswith("introduction")]  # fmt: skip


def test_reruns_may_repeat_the_same_prompt() -> None:
    rules = MirageOptions(rounds=1, raters="none", reruns="same_prompt")
    match_of = setup(rules, script=case())

    def voice(request: Request) -> str | None:
        is_first = request.call_id.request.startswith("introduction")
        return "" if request.call_id.seat == "Ada" and is_first else thinking(request)

    played = play(match_of, "mirage", ("mirage", "mirage"), voice)
    tries = [one for one in played.made if one.call_id.seat == "Ada"][: rules.attempts]
    assert len(tries) == rules.attempts
    assert not any("did not count" in demand(one) for one in tries)


@pytest.mark.slow
@every_bad
def test_an_unreadable_choice_names_nobody(text: str) -> None:
    one, state = one_seat(lambda _: text), match(raters="none")
    state = one.turn(state, Purpose.VOTE)
    request = pending(state)[0]
    assert not isinstance(validate(request, one.answer(state, request)), Reply)


def test_a_prompt_begins_with_the_prompt_and_the_reply_before_it() -> None:
    match_of = setup(MirageOptions(rounds=3, raters="none"), script=case())
    played = play(match_of, "mirage", ("mirage", "mirage"), thinking)
    mine = [call for key, call in played.calls.items() if key.seat == "Bram"]
    for before, after in pairwise(mine):
        told = "\n".join(m.text for m in before.request.messages[:-1])
        assert "\n".join(m.text for m in after.request.messages).startswith(told)
        assert before.completion is not None
        assert before.completion.text in {m.text for m in after.request.messages}


def test_a_talk_and_a_power_are_answered_as_direct_does() -> None:
    model = Model()
    player = player_of("mirage", model)
    state = match()
    request = pending(state)[0]
    for purpose in (Purpose.POWER, Purpose.OTHER):
        asked = replace(request, purpose=purpose, spec=Choice(options=("A", "B")))
        assert player.method(None, asked) is None  # pyright: ignore
    over = OneOf(variants=(Variant(name="talk", spec=FreeText()),
                           Variant(name="over", spec=Form(fields=()))))  # fmt: skip
    asked = replace(request, purpose=Purpose.SPEAK, spec=over)
    assert player.method(None, asked) is None  # pyright: ignore


def test_a_thought_of_an_incomplete_reply_is_not_kept_either() -> None:
    partial = (("thought", SECRET), ("share", "Hm."))
    for action in (UnparsedReply(missing="target", text=SECRET, partial=partial),
                   Skip(partial=partial)):  # fmt: skip
        kept = take_thought(action)[1]
        assert not isinstance(kept, Reply)
        assert kept.partial == (("share", "Hm."),)
