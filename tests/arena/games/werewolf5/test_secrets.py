"""Who knows what in werewolf5: powers, roles, the dead, and what is put to one seat."""

from itertools import pairwise
from typing import Any

import pytest

from arena.core.actions import Action, Reply, Skip, choose
from arena.core.events import (
    Announced,
    Event,
    MatchEnded,
    Said,
    SeatEliminated,
    TurnSkipped,
    VoteCast,
)
from arena.core.observation import Observation, Spectator, observe
from arena.core.purposes import TALK_VARIANT, TARGET
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import TEXT
from arena.core.state import MatchState, pending
from arena.games.werewolf5.game import WEREWOLF5
from arena.players import prompts
from arena.run.match.probes import ballot_probes
from tests.arena.games.werewolf5.scenes import (
    OVER,
    SKIP,
    events_of,
    execute,
    others,
    quiet,
    random_play,
    seat,
    spend_night,
    start,
    talk,
    to_vote,
    until,
)
from tests.table import act, play

PLAIN: dict[str, Any] = {"order": "script", "option_order": "script"}


def seen_by(state: MatchState, observer: str) -> Observation:
    return observe(state, SeatId(observer))


def speak_first(state: MatchState, reply: Reply) -> tuple[MatchState, Said]:
    """Return the match after its first utterance, and that utterance."""
    state = until(state, "speak")
    state = act(state, pending(state)[0], reply)
    return state, events_of(state, Said)[-1]


def test_only_the_seer_learns_what_it_has_seen() -> None:
    state = start(**PLAIN)
    seer, wolf = seat(state, "seer"), seat(state, "werewolf")
    nights = [to_vote(spend_night(state, "", seen)) for seen in others(state, "seer")]
    for one, other in pairwise(nights):
        for watcher in (*others(state, "seer"), Spectator()):
            assert observe(one, watcher) == observe(other, watcher)
        assert seen_by(one, seer) != seen_by(other, seer)
    saw = next(night for night in nights if f"{wolf}: the werewolf" in told(night, seer))
    assert "You look at" in told(saw, seer)
    assert "look at" not in told(saw, wolf)


def test_only_the_werewolf_knows_of_its_attack_before_the_morning() -> None:
    state = start(**PLAIN)
    victim, *_ = others(state, "werewolf", "seer")
    state = spend_night(execute(to_vote(state), seat(state, "possessed")), victim)
    attacks = [one for one in state.history if isinstance(one, Announced) and one.topic == "attack"]
    assert [one.audience for one in attacks] == [(seat(state, "werewolf"),)]


def test_what_a_seat_observes_does_not_depend_on_the_roles_of_the_others() -> None:
    found: dict[tuple[str, str], list[MatchState]] = {}
    for seed in range(40):
        state = to_vote(start(seed, greeting=True, **PLAIN))
        for part in state.started.parts:
            if part.power in {"villager", "possessed", "werewolf"}:
                found.setdefault((part.seat, part.power), []).append(state)
    assert len(found) == 15
    for (name, power), states in found.items():
        first, *rest = states
        assert rest
        for other in rest:
            assert seen_by(other, name).events == seen_by(first, name).events, power
            assert header(other, name) == header(first, name)


def header(state: MatchState, name: str) -> tuple[str, ...]:
    return tuple(message.text for message in prompts.header(seen_by(state, name)))


def told(state: MatchState, name: str) -> str:
    seen = seen_by(state, name)
    return "\n".join(one.text for one in prompts.lines(seen, 0, len(seen.events)))


def test_a_skipped_power_is_seen_by_its_seat_alone() -> None:
    state = start()
    request = pending(state)[0]
    state = act(state, request, None)
    skipped = events_of(state, TurnSkipped)
    assert [one.audience for one in skipped] == [(request.seat,)]
    public = observe(state, Spectator())
    assert request.seat not in "".join(map(repr, public.events))


def instruct(state: MatchState, name: str) -> str:
    """Return what a seat would read if it had to speak now."""
    return WEREWOLF5.texts(seen_by(state, name)).instruction(pending(state)[0])


def test_the_dead_hear_nothing_more_before_the_end() -> None:
    state = start()
    first, second = others(state, "werewolf", "seer")[:2]
    state = execute(to_vote(state), first)
    frozen = seen_by(state, first).events
    assert frozen[-1] == SeatEliminated(seat=first, cause="vote")
    state = until(spend_night(state, second, first), "speak")
    living, speech = pending(state)[0].seat, talk("the dead must not hear this")
    state = act(state, pending(state)[0], speech)
    assert seen_by(state, first).events == frozen
    assert isinstance(seen_by(state, second).events[-1], SeatEliminated)
    assert [e for e in seen_by(state, living).events if isinstance(e, Said)]
    assert [e for e in observe(state, Spectator()).events if isinstance(e, Said)]
    state = play(state, random_play(1))
    assert isinstance(seen_by(state, first).events[-1], MatchEnded)
    assert len(seen_by(state, first).events) == len(frozen) + 1


def test_the_dead_are_asked_no_silent_ballot() -> None:
    state = start(talk_turns=2)
    first, second = others(state, "werewolf", "seer")[:2]

    def chatter(request: DecisionRequest) -> Reply:
        answer = talk("Hm.") if request.kind == "speak" else quiet(request)
        assert isinstance(answer, Reply)
        return answer

    state = execute(until(state, "vote", chatter), first)
    night = len(state.history)
    state = until(spend_night(state, second), "vote", chatter)
    later = {one.request.seat for one in ballot_probes(state) if one.event > night}
    before = {one.request.seat for one in ballot_probes(state) if one.event <= night}
    assert before == set(state.started.members("civilians"))
    assert later == before - {first, second}


def test_the_roles_of_the_dead_are_not_shown() -> None:
    state = start()
    wolf = seat(state, "werewolf")
    state = execute(to_vote(state), seat(state, "seer"))
    lines = told(state, wolf)
    for word in ("seer", "villager", "possessed"):
        assert word not in lines


def test_the_seat_that_is_addressed_sees_that_it_was_asked() -> None:
    state = until(start(order="script", utterances="sequential"), "speak")
    asker = pending(state)[0].seat
    asked = pending(act(state, pending(state)[0], SKIP))[0].seat
    state, said = speak_first(state, talk("What are you?", to=asked))
    assert (said.seat, said.to, said.audience) == (asker, asked, "all")
    assert f"{asker} says to you, {asked}: “What are you?”" in told(state, asked)
    wanted = prompts.instruction(seen_by(state, asked), pending(state)[0])
    assert f"put to you: by {asker}" in wanted
    third = next(one for one in state.living if one not in {asker, asked})
    assert f"{asker} says to {asked}: “What are you?”" in told(state, third)
    state = act(state, pending(state)[0], talk("A villager."))
    later = WEREWOLF5.texts(seen_by(state, asked)).instruction(pending(state)[0])
    assert "put to you" not in later, "it has spoken since"


@pytest.mark.parametrize("action", [SKIP, OVER, Skip(), None], ids=["skip", "over", "pass", "none"])
def test_a_seat_that_was_skipped_or_is_silent_owes_no_answer_any_more(
    action: Action | None,
) -> None:
    state = until(start(order="script"), "speak")
    asked = state.living[1]
    state, _ = speak_first(state, talk("What are you?", to=asked))
    assert "put to you" in instruct(state, asked)
    state = act(state, pending(state)[0], action)
    assert pending(state)[0].seat != asked
    assert "put to you" not in instruct(state, asked)


def test_an_answer_is_owed_to_the_living_until_the_seat_has_a_turn_of_the_talk() -> None:
    state = until(start(order="script", talk_turns=1), "speak")
    asked, *rest = state.living
    wolf = seat(state, "werewolf")
    out, victim = [one for one in rest if one != wolf][:2]
    left = [one for one in rest if one not in {out, victim}]
    while pending(state)[0].kind == "speak":
        request = pending(state)[0]
        state = act(state, request, talk("And you?", to=asked) if request.seat != asked else SKIP)
    for request in pending(state):
        wanted = choose(out if request.seat != out else left[0])
        state = act(state, request, None if request.seat == asked else wanted)
    state = until(spend_night(state, victim), "speak")
    assert {out, victim}.isdisjoint(state.living)
    owed = f"put to you: by {left[0]}, {left[1]}. "
    assert owed in instruct(state, asked), "a skipped vote is no turn to talk"


@pytest.mark.parametrize(
    ("text", "to", "rest"),
    [
        (">>{name} what did you see?", True, "what did you see?"),
        (">> {name}: what?", True, "what?"),
        (">>{lower}, what?", True, "what?"),
        (">>{name}", True, ">>{name}"),
        (">>{name}ville is far", False, ">>{name}ville is far"),
        (">>Nobody what?", False, ">>Nobody what?"),
        ("I ask >>{name} what?", False, "I ask >>{name} what?"),
        (">>{own} I think aloud", False, ">>{own} I think aloud"),
        ("＞＞{name}：what?", True, "what?"),
        ("＞> {name} what?", True, "what?"),
        ("＞{name} what?", False, "＞{name} what?"),
    ],
)
def test_an_utterance_may_begin_with_the_name_of_the_seat_it_is_put_to(
    text: str, to: bool, rest: str
) -> None:
    state = until(start(), "speak")
    own = pending(state)[0].seat
    name = next(one for one in state.living if one != own)
    names = {"name": name, "lower": name.lower(), "own": own}
    _, said = speak_first(state, talk(text.format(**names)))
    assert said.to == (name if to else None)
    assert said.text == rest.format(**names)


def test_a_chinese_name_needs_no_space_after_it() -> None:
    state = until(start(language="zh"), "speak")
    name = next(one for one in state.living if one != pending(state)[0].seat)
    _, said = speak_first(state, talk(f">>{name}你昨晚看到了什么？"))
    assert (said.to, said.text) == (name, "你昨晚看到了什么？")


def test_a_target_that_is_chosen_goes_before_one_that_is_written() -> None:
    state = until(start(), "speak")
    one, other = [name for name in state.living if name != pending(state)[0].seat][:2]
    _, said = speak_first(state, talk(f">>{one} what?", to=other))
    assert (said.to, said.text) == (other, f">>{one} what?")
    _, said = speak_first(state, talk(f">>{one} what?", to=one))
    assert (said.to, said.text) == (one, "what?")


def test_the_dead_cannot_be_addressed() -> None:
    state = start()
    first, second = others(state, "werewolf", "seer")[:2]
    state = until(spend_night(execute(to_vote(state), first), second), "speak")
    request = pending(state)[0]
    state = act(state, request, talk("Hello?", to=first))
    assert pending(state)[0].last_error is not None, "a dead seat is no option"
    state = act(state, pending(state)[0], talk(f">>{second} hello?"))
    assert events_of(state, Said)[-1].to is None


def test_what_was_said_is_kept_though_the_target_is_at_fault_to_the_last() -> None:
    state = until(start(), "speak")
    speaker = pending(state)[0].seat
    wrong = Reply(values=((TEXT, "I say this."), (TARGET, "Nobody")), variant=TALK_VARIANT)
    for _ in range(3):
        state = act(state, pending(state)[0], wrong)
    said = events_of(state, Said)[-1]
    assert (said.seat, said.text, said.to) == (speaker, "I say this.", None)


def test_votes_are_secret_until_they_are_counted() -> None:
    state = to_vote(start())
    first, second, third, *_ = pending(state)
    before = seen_by(state, third.seat)
    state = act(state, first, quiet(first))
    state = act(state, second, Skip())
    assert seen_by(state, third.seat) == before
    assert [one.audience for one in events_of(state, TurnSkipped)] == [(second.seat,)]
    public = observe(state, Spectator(truth=False)).events
    assert not [one for one in public if isinstance(one, TurnSkipped | VoteCast)]


def test_the_events_of_a_match_are_the_same_again() -> None:
    def history(seed: int) -> tuple[Event, ...]:
        return play(start(seed), random_play(seed)).history

    assert history(3) == history(3)
    assert history(3) != history(4)
