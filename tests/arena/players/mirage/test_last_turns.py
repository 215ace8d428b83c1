"""The last turns of a seat, which its prompt repeats."""

import json
from dataclasses import replace

import pytest

from arena.core.actions import Reply, choose, say
from arena.core.events import Said
from arena.core.observation import observe_request
from arena.core.purposes import Purpose
from arena.core.specs import Choice
from arena.core.state import pending
from arena.errors import ConfigError
from arena.models.chat import Request
from arena.players.mirage.player import find_texts
from arena.players.mirage.recent_turns import RecentTurn, write_recent_turns
from scripts_mm.script import Language
from tests.arena.players.mirage.voices import (
    in_both,
    match,
    one_seat,
    thinking,
)
from tests.arena.players.scripted_replies import (
    Model,
    demand,
    form,
    player_of,
)


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


def test_a_turn_after_the_same_events_is_no_last_turn() -> None:
    one, state = one_seat(), match(raters="none")
    state = one.turn(state, Purpose.ACT)
    seen = observe_request(state, pending(state)[0])
    now = len(seen.events)
    for moment, shown in ((now - 1, True), (now, False)):
        turn = RecentTurn(request="one", moment=moment, thought="SAME MOMENT", reply=say("Hm."))
        assert ("SAME MOMENT" in write_recent_turns(find_texts("en"), seen, (turn,), 3)) == shown


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (say("Hm."), "- You said: “Hm.”"),
        (choose("Bram"), "- Your choice: Bram"),
        (Reply(values=(("share", "Hm."), ("target", "Bram"))), "- You did: "),
    ],
)
def test_words_a_choice_and_a_deed_of_an_own_turn_are_told_apart(reply: Reply, line: str) -> None:
    one, state = one_seat(), match(raters="none")
    state = one.turn(state, Purpose.ACT)
    seen = observe_request(state, pending(state)[0])
    turn = RecentTurn(request="one", moment=0, thought="", reply=reply)
    assert line in write_recent_turns(find_texts("en"), seen, (turn,), 1)


def test_last_and_script_limit_mean_something() -> None:
    for options in ("last=-1", "script_limit=0"):
        with pytest.raises(ConfigError, match="must be >="):
            player_of(f"mirage:{options}", Model())
