"""The secrecy wall: what a seat and a spectator may know, and nothing more."""

from dataclasses import replace

import pytest

from arena.core.actions import say
from arena.core.events import (
    Announced,
    ClueRevealed,
    Event,
    MatchEnded,
    PhaseStarted,
    Said,
    SeatEliminated,
    StageStarted,
)
from arena.core.observation import Observation, Spectator, observe, observe_request, reaches
from arena.core.options import GameOptions
from arena.core.playouts.playout import reduce_all, start_state
from arena.core.seats import Audience, SeatId, SeatPart
from arena.core.state import MatchState, pending
from arena.core.transitions import apply
from scripts_mm.script import Part, Script
from tests.arena.core.tiny_game import (
    TinyGame,
    opened,
    request,
    said,
    tiny_setup,
)
from tests.table import (
    MURDERER,
    NAMES,
    begin,
    case,
    secret,
    setup,
)

ADA, BRAM, CLEO = (SeatId(name) for name in NAMES[:3])
ONE = PhaseStarted(phase="one")


def state_of(
    *events: Event, options: GameOptions | None = None, script: Script | None = None
) -> MatchState:
    game = TinyGame(steps=((ONE, *events, opened(request(ADA))),))
    return start_state(game, replace(tiny_setup(options), script=script or case()))


def reveal(clue: str, audience: Audience) -> ClueRevealed:
    return ClueRevealed(clue=clue, audience=audience)


@pytest.mark.parametrize(
    ("audience", "observer", "wanted"),
    [
        ("all", ADA, True),
        ("host", ADA, False),
        ((ADA, BRAM), ADA, True),
        ((BRAM,), ADA, False),
        ((), ADA, False),
        ("all", Spectator(), True),
        ("host", Spectator(), False),
        ((ADA,), Spectator(), False),
        ("host", Spectator(truth=True), True),
        ((ADA,), Spectator(truth=True), True),
        ("all", Spectator(truth=True), True),
    ],
)
def test_an_event_reaches_its_audience_alone(
    audience: Audience, observer: SeatId | Spectator, wanted: bool
) -> None:
    assert reaches(audience, observer) is wanted
    state = state_of(Announced(topic="told", audience=audience))
    topics = [event for event in observe(state, observer).events if isinstance(event, Announced)]
    assert bool(topics) is wanted


def test_a_seat_whose_name_is_part_of_an_audience_word_is_not_in_it() -> None:
    assert not reaches("host", SeatId("host"))
    assert not reaches("host", SeatId("h"))


def test_a_seat_knows_its_own_role_and_no_other() -> None:
    state = state_of()
    seen = observe(state, ADA)
    assert seen.own.part == SeatPart(seat=ADA, faction="civilians")
    assert (seen.seat, seen.is_murderer, seen.own.is_sole_murderer) == (ADA, False, False)
    assert secret(ADA) in seen.own.script
    assert seen.own.mission == f"Find out who did it.\nMISSION-{secret(ADA)}"
    guilty = observe(state, SeatId(MURDERER))
    assert (guilty.is_murderer, guilty.own.is_sole_murderer) == (True, True)
    assert guilty.own.mission == f"Get away with it.\nMISSION-{secret(MURDERER)}"


def test_one_of_two_murderers_is_not_the_only_one() -> None:
    state = state_of(script=case(culprits=(ADA, BRAM)))
    assert not observe(state, ADA).own.is_sole_murderer


def test_a_spectator_has_no_role() -> None:
    seen = observe(state_of(), Spectator(truth=True))
    assert seen.role is None
    with pytest.raises(AssertionError, match="no role"):
        _ = seen.own


def test_what_everybody_knows_of_the_case_is_told_to_every_observer() -> None:
    script = replace(case(), innocents_truthful=True)
    state = state_of(script=script)
    for observer in (ADA, Spectator()):
        seen = observe(state, observer)
        assert (seen.game, seen.language) == ("tiny", "en")
        assert (seen.opening, seen.victims) == (script.opening, script.victims)
        assert seen.seats == NAMES
        assert seen.innocents_truthful
        assert seen.never_vote == 0


def test_a_silent_player_is_known_only_as_somebody_who_does_not_vote() -> None:
    game = TinyGame(steps=((ONE, opened(request(ADA))),))
    state = start_state(game, replace(tiny_setup(), silent=("murderer",)))
    assert observe(state, ADA).never_vote == 1
    assert not any("never_vote" in repr(event) for event in observe(state, ADA).events)


def test_clues_are_numbered_as_they_are_shown_and_their_ids_stay_hidden() -> None:
    state = state_of(reveal("note", (BRAM,)), reveal("plan", "all"), reveal("log", "all"))
    ada, bram = observe(state, ADA), observe(state, BRAM)
    assert [(clue.key, clue.title) for clue in ada.clues] == [
        ("clue-1", "Plan of the tower"),
        ("clue-2", "Log book"),
    ]
    assert [clue.key for clue in bram.clues] == ["clue-1", "clue-2", "clue-3"]
    assert [event.clue for event in ada.events if isinstance(event, ClueRevealed)] == [
        "clue-1",
        "clue-2",
    ]
    assert "'plan'" not in repr(ada)


def test_a_clue_shown_again_keeps_its_number() -> None:
    state = state_of(reveal("log", (ADA,)), reveal("plan", "all"), reveal("log", "all"))
    keys = [clue.key for clue in observe(state, ADA).clues]
    assert keys == ["clue-1", "clue-2", "clue-1"]


@pytest.mark.parametrize(
    ("audience", "private"), [("all", False), ((ADA,), True), ((ADA, BRAM), False)]
)
def test_a_clue_that_one_seat_alone_was_shown_is_private(audience: Audience, private: bool) -> None:
    [clue] = observe(state_of(reveal("log", audience)), ADA).clues
    assert clue.private is private


@pytest.mark.parametrize(
    ("pictures", "text", "count"),
    [
        ("image", "", 2),
        ("ocr", "written in picture 1\nwritten in picture 2", 0),
        ("caption", "seen in picture 1\nseen in picture 2", 0),
        ("none", "", 0),
    ],
)
def test_pictures_are_shown_as_the_option_says(pictures: str, text: str, count: int) -> None:
    options = GameOptions(pictures=pictures)  # pyright: ignore[reportArgumentType]
    state = state_of(reveal("plan", "all"), options=options)
    [clue] = observe(state, ADA).clues
    assert (clue.text, len(clue.pictures)) == (text, count)
    assert all((p.file, p.transcript, p.description) == ("", "", "") for p in clue.pictures)
    assert all(p.sha256 and p.width and p.mime for p in clue.pictures)


def test_a_clue_keeps_its_own_text_before_that_of_its_pictures() -> None:
    script = case()
    plan = replace(script.clues[1], text="A plan.")
    state = state_of(
        reveal("plan", "all"),
        options=GameOptions(pictures="ocr"),
        script=replace(script, clues=(script.clues[0], plan)),
    )
    assert observe(state, ADA).clues[0].text.startswith("A plan.\nwritten")


def wave() -> tuple[TinyGame, MatchState]:
    game = TinyGame(
        steps=((ONE, opened(request(ADA), request(BRAM), request(CLEO), mode="simultaneous")),),
        following=lambda state, ask, reply: (said(state, ask, reply["text"]),),
    )
    return game, start_state(game, tiny_setup())


def heard(seen: Observation) -> list[str]:
    return [event.text for event in seen.events if event.kind == "said"]


def test_a_seat_that_decides_with_others_does_not_hear_them_first() -> None:
    game, state = wave()
    before = observe(state, BRAM)
    state = reduce_all(state, apply(game, state, pending(state)[0], say("Me.")))
    assert observe(state, BRAM) == before
    assert heard(observe(state, ADA)) == ["Me."]
    assert heard(observe(state, Spectator(truth=True))) == ["Me."]
    state = reduce_all(state, apply(game, state, pending(state)[0], say("")))
    assert observe(state, BRAM) == before, "a seat that is asked again knows no more"


def test_seats_that_speak_in_turn_hear_each_other() -> None:
    game = TinyGame(
        steps=((ONE, opened(request(ADA), request(BRAM))),),
        following=lambda state, ask, reply: (said(state, ask, reply["text"]),),
    )
    state = start_state(game, tiny_setup())
    state = reduce_all(state, apply(game, state, pending(state)[0], say("Me.")))
    assert heard(observe(state, BRAM)) == ["Me."]


def test_what_was_rejected_is_observed_by_no_seat() -> None:
    game, state = wave()
    before = {name: observe(state, SeatId(name)) for name in NAMES}
    state = reduce_all(state, apply(game, state, pending(state)[0], say("")))
    assert all(observe(state, SeatId(name)) == before[name] for name in NAMES)
    assert observe(state, Spectator(truth=True)).events[-1].kind == "action_rejected"


def test_a_spectator_without_the_truth_sees_no_answer_of_an_unfinished_wave() -> None:
    ask = [request(ADA), request(BRAM)]
    game = TinyGame(
        steps=((ONE, opened(*ask, mode="simultaneous")),),
        following=lambda state, one, reply: (said(state, one, reply["text"]),),
    )
    state = start_state(game, tiny_setup())
    half = reduce_all(state, apply(game, state, ask[0], say("I was at home.")))
    for observer, wanted in ((Spectator(), 0), (Spectator(truth=True), 1), (SeatId(BRAM), 0)):
        seen = observe(half, observer).events
        assert sum(isinstance(event, Said) for event in seen) == wanted
    whole = reduce_all(half, apply(game, half, ask[1], say("So was I.")))
    assert sum(isinstance(event, Said) for event in observe(whole, Spectator()).events) == 2


def test_an_onlooker_knows_what_everybody_knows_and_has_no_part() -> None:
    state = state_of(reveal("log", "all"), reveal("note", (ADA,)))
    asked = pending(state)[0]
    seen = observe_request(state, replace(asked, onlooker=True))
    public = observe(state, Spectator())
    assert (seen.events, seen.clues) == (public.events, public.clues)
    assert (seen.is_onlooker, seen.is_murderer, seen.own.is_sole_murderer) == (True, False, False)
    assert (seen.own.part.seat, seen.own.script, seen.own.mission) == ("", "", "")
    assert observe_request(state, asked) == observe(state, ADA)
    assert not observe(state, ADA).is_onlooker


def test_a_script_in_stages_is_told_stage_by_stage_with_the_goals_of_the_first() -> None:
    roles = tuple(
        replace(role, parts=(*role.parts, Part(name="purpose", text="Escape.", stage=1)))
        for role in case().roles
    )
    state = begin(setup(script=replace(case(), roles=roles)))
    stages: list[tuple[int, ...]] = []
    for number in (1, 2):
        state = reduce_all(state, (StageStarted(stage=number),))
        own = observe(state, ADA).own
        stages.append(tuple(stage for stage, _ in own.stages))
        assert own.mission.endswith("\nEscape.")
        assert "MISSION-" not in own.mission
        assert "Escape" not in own.script
        assert "At 21:00" not in own.script
    assert stages == [(), (2,)]
    assert observe(state, ADA).own.stages[0][1].endswith("At 21:00 you saw Otto Lamm.")


def test_a_seat_that_left_learns_only_how_the_match_ends() -> None:
    gone = SeatEliminated(seat=SeatId(ADA), cause="night")
    ended = MatchEnded(outcome="draw", murderers=(SeatId(MURDERER),))
    before, after = (Announced(topic=topic, audience="all") for topic in ("before", "after"))
    state = state_of(before, gone, after, reveal("log", "all"), ended)
    assert observe(state, ADA).events[-3:] == (before, gone, ended)
    assert observe(state, ADA).clues == ()
    assert after in observe(state, BRAM).events
    assert observe(state, BRAM).clues


def test_a_role_keeps_its_goals_where_its_script_in_stages_states_none() -> None:
    state = reduce_all(begin(setup()), (StageStarted(stage=1),))
    seat = state.started.seats[0]
    assert "MISSION-" in observe(state, seat).own.mission
    assert observe(state, seat).own.script.startswith("Your story:")
