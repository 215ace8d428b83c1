"""`mirage`: a thought beside each reply, the last turn, ratings, and summaries."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from arena.core.actions import Reply, Skip, UnparsedReply, choose, say
from arena.core.events import ActionRejected, PromptAdjusted, Rated, Said, TurnSkipped
from arena.core.labels import PART_LABELS
from arena.core.observation import observe_request
from arena.core.purposes import Purpose
from arena.core.specs import Choice, Field, Form, FreeText, OneOf, Variant
from arena.core.state import MatchState, pending
from arena.core.validation import validate
from arena.errors import ConfigError
from arena.games.mirage.game import MIRAGE
from arena.games.mirage.options import MirageOptions
from arena.models.chat import JsonConstraint, Request, VariantConstraint
from arena.players.mirage.player import find_texts
from arena.players.mirage.recollection import OwnTurn, write_last
from arena.players.mirage.script_parts import LEAST_TOKENS, SLICE_TOKENS
from arena.players.mirage.thoughts import take_thought, with_thought
from arena.records.replay import replay_match
from scripts_mm.script import Clue, Language, Script
from tests.games.mirage.scenes import case, start
from tests.players.bad_texts import BAD_TEXTS
from tests.players.context.stage import count
from tests.players.methods import Model, Seat, demand, form, play, player_of, seat
from tests.table import setup

SECRET = "THOUGHT: I must hide the knife."
every_bad = pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
in_both = pytest.mark.parametrize("language", ["en", "zh"])


def thinking(request: Request) -> str | None:
    """Return a legal reply whose thought is a secret, where a thought is asked for."""
    match request.constraint:
        case JsonConstraint(fields=fields):
            found = fields
        case VariantConstraint(variants=variants):
            found = variants[0].fields
        case _:
            return None
    values = {
        one.name: SECRET if one.name == "thought" else one.options[0] if one.options else "Words."
        for one in found
    }
    return json.dumps(values, ensure_ascii=False)


def one_seat(
    voice: Callable[[Request], str | None] = thinking, options: str = "", **limits: Any
) -> Seat:
    return seat("Ada", f"mirage:{options}" if options else "mirage", voice, **limits)


def match(language: Language = "en", **options: Any) -> MatchState:
    return start(case(language=language), **options)


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


@every_bad
def test_an_unreadable_choice_names_nobody(text: str) -> None:
    one, state = one_seat(lambda _: text), match(raters="none")
    state = one.turn(state, Purpose.VOTE)
    request = pending(state)[0]
    assert not isinstance(validate(request, one.answer(state, request)), Reply)


@pytest.mark.parametrize(("value", "rating"), [("2", "2"), ("1.", "1"), ("2 (very much)", "2")])
def test_a_rating_is_a_number_in_any_frame(value: str, rating: str) -> None:
    one, state = one_seat(lambda _: form(thought="At 21:00 he lied.", choice=value)), match()
    state = one.turn(state, Purpose.RATE)
    assert one.answer(state, pending(state)[0]) == choose(rating)


@pytest.mark.parametrize("value", ["3", "-1", "two", "", "1.5", "1/2", "1 or 2", "21:00", "20%"])
def test_a_rating_outside_of_0_to_2_is_a_fault(value: str) -> None:
    one, state = one_seat(lambda _: form(thought="x", choice=value)), match(rounds=1)
    state = one.turn(state, Purpose.RATE)
    request = pending(state)[0]
    action = one.answer(state, replace(request, attempts_left=1))
    assert not isinstance(validate(request, action), Reply)


@in_both
@pytest.mark.parametrize("last", [0, 1, 2])
def test_the_last_turns_are_repeated_with_what_came_of_them(language: Language, last: int) -> None:
    def voice(request: Request) -> str | None:
        if request.call_id.request.startswith("introduction"):
            return form(thought="FIRST", text="I am Ada.")
        if request.call_id.request.endswith("/Ada"):
            target = "Bram"
            asked = {"action": "ask", "thought": "SECOND", "share": "", "target": target}
            return json.dumps({**asked, "question": "Where?"})
        return None

    one, state = one_seat(voice, f"last={last}"), match(language, raters="none", rounds=3)
    state, _ = one.take(one.turn(state, Purpose.INTRODUCE))
    state, _ = one.take(one.turn(state, Purpose.ACT, 1))
    head = "Your last turns" if language == "en" else "你最近的行动"
    assert (head in demand(one.model.requests[0])) == (last > 0)
    state, _ = one.take(one.turn(state, Purpose.ACT, 2))
    asked = demand(one.model.requests[0])
    assert ("SECOND" in asked) == (last >= 1)
    assert ("FIRST" in asked) == (last >= 2)
    if last:
        assert asked.index("SECOND") < asked.index("Where?")
        answers = [e for e in state.history if isinstance(e, Said) and e.to == "Ada"]
        assert answers[0].text in asked


def test_a_turn_that_was_skipped_is_no_last_turn() -> None:
    def voice(request: Request) -> str | None:
        return "" if request.call_id.request.startswith("introduction") else thinking(request)

    one, state = one_seat(voice), match(raters="none")
    state = one.turn(state, Purpose.ACT)
    state, _ = one.take(state)
    assert "Your last turns" not in demand(one.model.requests[0])


@pytest.mark.parametrize("role", [True, False])
def test_a_seat_rates_as_its_role_or_as_an_onlooker(role: bool) -> None:
    options = "" if role else "rater_role=no"
    one, state = one_seat(thinking, options), match(rounds=1)
    state = one.turn(state, Purpose.RATE)
    state, answer = one.take(state)
    [call] = one.model.requests
    told = "\n".join(message.text for message in call.messages)
    assert ("You are Ada" in told) == role
    assert ("Ada in part 1" in told) == role
    assert ("neutral onlooker" in told) == (not role)
    assert isinstance(answer.action, Reply)
    assert answer.action.values[0][0] == "choice"
    rated = [e for e in state.history if isinstance(e, Rated) and e.seat == "Ada"]
    assert len(rated) == 1


@pytest.mark.parametrize("role", ["yes", "no"])
def test_ratings_leave_no_trace_in_later_prompts(role: str) -> None:
    match_of = setup(MirageOptions(rounds=2), script=case())
    with_ratings = play(match_of, "mirage", (f"mirage:rater_role={role}", "direct"), thinking)
    match_of = setup(MirageOptions(rounds=2, raters="none"), script=case())
    without = play(match_of, "mirage", ("mirage", "direct"), thinking)
    on_path = {key: call.request.messages for key, call in with_ratings.calls.items()
               if not key.request.startswith("rating")}  # fmt: skip
    assert on_path == {key: call.request.messages for key, call in without.calls.items()}


def test_a_prompt_begins_with_the_prompt_and_the_reply_before_it() -> None:
    match_of = setup(MirageOptions(rounds=3, raters="none"), script=case())
    played = play(match_of, "mirage", ("mirage", "mirage"), thinking)
    mine = [call for key, call in played.calls.items() if key.seat == "Bram"]
    for before, after in pairwise(mine):
        told = "\n".join(m.text for m in before.request.messages[:-1])
        assert "\n".join(m.text for m in after.request.messages).startswith(told)
        assert before.completion is not None
        assert before.completion.text in {m.text for m in after.request.messages}


def test_the_history_is_summarised_only_where_it_does_not_fit() -> None:
    match_of = setup(MirageOptions(rounds=4, raters="none"), script=case())

    def voice(request: Request) -> str | None:
        if request.call_id.kind == "summary":
            return "A summary. " * 5
        found = thinking(request)
        return found.replace("Words.", "Many words of the talk. " * 8) if found else found

    small = play(match_of, "mirage", ("mirage", "mirage"), voice, context=3000, reply_tokens=200)
    assert {one.call_id.kind for one in small.made} == {"reply", "summary"}
    assert all(count(one.messages) + one.max_tokens <= 3000 for one in small.made)
    kinds = {e.adjustment for e in small.events if isinstance(e, PromptAdjusted)}
    assert "log_summarised" in kinds
    large = play(match_of, "mirage", ("mirage", "mirage"), voice)
    assert {one.call_id.kind for one in large.made} == {"reply"}


def long_script(language: Language, tokens: int) -> Script:
    """Return a case with a script of two named parts, the second of `tokens` tokens."""
    labels = PART_LABELS[language]
    words = "At 21:00 I saw a light. " if language == "en" else "21:00我看见了灯光，然后去了院子。"
    long = words * (tokens * 4 // len(words))
    script = case(language=language)
    text = f"{labels['story']}:\nSHORT PART.\n\n{labels['script']}:\n{long}"
    roles = tuple(replace(role, script=text, parts=()) for role in script.roles)
    return replace(script, roles=roles)


def summarising(request: Request) -> str | None:
    return "SHORTENED." if request.call_id.kind == "summary" else thinking(request)


@in_both
def test_a_script_above_twice_the_limit_is_summarised_part_by_part(language: Language) -> None:
    """Worked example: limit 300; the long part of 1200 tokens is one slice, the short one stays."""
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script(language, 1200))
    options = "mirage:force_summary,script_limit=300"
    played = play(match_of, "mirage", (options, options), summarising)
    summaries = [one for one in played.made if one.call_id.kind == "summary"]
    assert len(summaries) == len(played.state.started.seats), "once a seat"
    reply = next(one for one in played.made if one.call_id.kind == "reply")
    told = "\n".join(message.text for message in reply.messages)
    assert "SHORT PART." in told
    assert "SHORTENED." in told
    assert "21:00" not in told
    records = [e for e in played.events if isinstance(e, PromptAdjusted)]
    assert [one.adjustment for one in records] == ["script_summarised"] * len(summaries)
    assert {one.calls for one in records} == {1}


def test_a_part_above_the_slice_is_summarised_in_slices() -> None:
    script = long_script("en", SLICE_TOKENS * 2 + 100)
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=script)
    options = "mirage:force_summary"
    played = play(match_of, "mirage", (options, options), summarising)
    ada = [one for one in played.made if one.call_id.kind == "summary"
           and one.call_id.seat == "Ada"]  # fmt: skip
    assert len(ada) >= 3
    assert all(count(one.messages) < SLICE_TOKENS + 500 for one in ada)


@pytest.mark.parametrize(("option", "limit"), [("", 100), ("force_summary", 1000)])
def test_a_script_stays_whole_without_the_option_or_below_the_limit(
    option: str, limit: int
) -> None:
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script("en", 1200))
    options = f"mirage:{option},script_limit={limit}".replace(":,", ":")
    played = play(match_of, "mirage", (options, options), summarising)
    assert not [one for one in played.made if one.call_id.kind == "summary"]
    assert LEAST_TOKENS < 1200


def test_an_empty_summary_leaves_the_part_as_it_is() -> None:
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script("en", 1200))
    options = "mirage:force_summary,script_limit=300"

    def voice(request: Request) -> str | None:
        return "" if request.call_id.kind == "summary" else thinking(request)

    played = play(match_of, "mirage", (options, options), voice)
    reply = next(one for one in played.made if one.call_id.kind == "reply")
    assert "21:00" in "\n".join(message.text for message in reply.messages)


def test_a_resumed_match_makes_no_summary_again() -> None:
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script("en", 1200))
    options = "mirage:force_summary,script_limit=300"
    whole = play(match_of, "mirage", (options, options), summarising)
    for cut in range(3, len(whole.events), 4):
        again = play(match_of, "mirage", (options, options), summarising, resumed=(whole, cut))
        assert again.events == whole.events, cut
        assert not again.made or cut < len(whole.events)
        assert again.calls == whole.calls
    assert replay_match(MIRAGE, match_of.script, tuple(whole.events))


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


def test_a_rating_is_no_last_turn() -> None:
    one, state = one_seat(), match(raters="none")
    state = one.turn(state, Purpose.INTRODUCE)
    scale = Choice(options=("0", "1", "2"))
    rating = replace(
        pending(state)[0], id="rating/1", purpose=Purpose.RATE, spec=scale, off_path=True
    )
    one.answer(state, rating)
    state, _ = one.take(state)
    state = one.turn(state, Purpose.ACT)
    state, _ = one.take(state)
    asked = demand(one.model.requests[0])
    assert "Your last turns" in asked
    assert "You did: 0" not in asked
    assert asked.count("You thought") == 1


def test_a_thought_of_an_incomplete_reply_is_not_kept_either() -> None:
    partial = (("thought", SECRET), ("share", "Hm."))
    for action in (UnparsedReply(missing="target", text=SECRET, partial=partial),
                   Skip(partial=partial)):  # fmt: skip
        kept = take_thought(action)[1]
        assert not isinstance(kept, Reply)
        assert kept.partial == (("share", "Hm."),)


def test_an_onlooker_knows_only_what_everybody_knows() -> None:
    private = Clue(id="note", title="A note", text="PRIVATE-CLUE", owner="Ada")
    script = case(stages=2)
    script = replace(script, clues=(*script.clues, private))
    one, state = one_seat(thinking, "rater_role=no"), start(script, rounds=1)
    state = one.turn(state, Purpose.ACT, 2)
    one.take(state)
    assert "PRIVATE-CLUE" in repr(one.model.requests)
    state = one.turn(state, Purpose.RATE, 2)
    one.take(state)
    [call] = one.model.requests
    told = repr(call.messages)
    assert "PRIVATE-CLUE" not in told
    assert "Ada in part" not in told


def test_a_turn_after_the_same_events_is_no_last_turn() -> None:
    one, state = one_seat(), match(raters="none")
    state = one.turn(state, Purpose.ACT)
    seen = observe_request(state, pending(state)[0])
    now = len(seen.events)
    for moment, shown in ((now - 1, True), (now, False)):
        turn = OwnTurn(request="one", moment=moment, thought="SAME MOMENT", reply=say("Hm."))
        assert ("SAME MOMENT" in write_last(find_texts("en"), seen, (turn,), 3)) == shown


def test_last_and_script_limit_mean_something() -> None:
    for options in ("last=-1", "script_limit=0"):
        with pytest.raises(ConfigError, match="must be >="):
            player_of(f"mirage:{options}", Model())
