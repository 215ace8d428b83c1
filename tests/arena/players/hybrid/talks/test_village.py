"""The 14 situations of a talk: each reached, in both languages, with its template."""

import pytest

from arena.core.actions import Reply
from arena.core.purposes import Purpose
from arena.core.state import pending
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import (
    BACKUP,
    SPOKEN,
    Village,
    new_seat,
    phrases,
    spoken,
    village_steps,
)
from tests.arena.players.scripted_replies import name_of, notes
from tests.table import act

in_both = pytest.mark.parametrize("language", ["en", "zh"])
WOLF = {"en": "werewolf", "zh": "狼人"}


def ballots(village: Village, target: str, count: int) -> str:
    """Return the extraction in which `count` others declared a vote for a seat, the rest not."""
    lines = [f"{seat} -> {target}" for seat in village.state.started.seats if seat != target]
    return "\n".join(lines[:count])


def everybody(village: Village, target: str, other: str) -> str:
    """Return the extraction in which all living declared: `target` for `other`, the rest not."""
    return "\n".join(
        f"{seat} -> {other if seat == target else target}" for seat in village.state.living
    )


@in_both
def test_1_a_seat_that_closed_says_over_without_asking_its_model(language: Language) -> None:
    village = Village("villager", language)
    me, other = village.me, village.others[0]
    seat = new_seat(me, village_steps(votes=everybody(village, other, me)))
    village.go(seat, turn=5)
    village.state, taken = seat.take(village.state)
    assert taken.rule == ("11", "close_first", "template")
    village.go(seat, turn=6)
    village.state, taken = seat.take(village.state)
    assert taken.rule == ("1", "over", "template")
    assert taken.action == Reply(values=(), variant="over")
    assert not taken.calls
    assert all(one.seat != me for one in pending(village.state) if one.purpose == Purpose.SPEAK)


@in_both
def test_2_it_greets_without_asking_its_model(language: Language) -> None:
    village = Village("villager", language, greeting=True)
    seat = new_seat(village.me, {})
    _, taken = seat.take(village.state)
    assert taken.rule == ("2", "welcome", "template")
    assert taken.text == phrases(village.state, village.me)("village.welcome")
    assert not taken.calls


@in_both
def test_3_the_seer_tells_its_result_in_its_first_turn(language: Language) -> None:
    village = Village("seer", language)
    seat = new_seat(village.me, village_steps())
    village.go(seat)
    _, taken = seat.take(village.state)
    assert taken.rule == ("3", "result", "template")
    [seen] = [e for e in village.state.history if getattr(e, "topic", "") == "vision"]
    told = dict(seen.values)  # pyright: ignore
    key = "village.result_wolf" if told["found"] == "werewolf" else "village.result_human"
    assert taken["text"] == phrases(village.state, village.me)(key, target=told["seat"])


@in_both
def test_3_the_seer_tells_the_next_result_on_the_next_day(language: Language) -> None:
    village = Village("seer", language)
    seat = new_seat(village.me, village_steps())
    village.go(seat, day=2)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "result"
    village.state = act(village.state, taken.request, taken.action)
    village.go(seat, day=2, turn=2)
    _, taken = seat.take(village.state)
    assert taken.rule == ("none", "none", "main")


@in_both
def test_3_the_possessed_lies_in_one_match_of_two_or_in_its_second_turn(language: Language) -> None:
    lies = 0
    for number in range(20):
        village = Village("possessed", language, seed=20 * number)
        seat = new_seat(village.me, village_steps())
        village.go(seat)
        village.state, first = seat.take(village.state)
        if first.rule[1] == "result":
            lies += 1
            continue
        village.go(seat, turn=2)
        _, second = seat.take(village.state)
        assert second.rule == ("3", "result", "template")
        assert WOLF[language] in second.text
    assert 4 <= lies <= 16


@in_both
def test_4_on_the_second_day_the_possessed_claims_to_be_the_wolf(language: Language) -> None:
    village = Village("possessed", language)
    seat = new_seat(village.me, village_steps())
    village.go(seat, day=2)
    _, taken = seat.take(village.state)
    assert taken.rule == ("4", "wolf_claim", "template")
    assert taken["text"] == phrases(village.state, village.me)("village.wolf_claim")


@in_both
def test_5_the_wolf_claims_against_the_only_claim_that_names_it(language: Language) -> None:
    """Worked example: the seer has told its result, and the next turn belongs to the wolf."""
    village = Village("werewolf", language)
    seer, me = village.seat("seer"), village.me
    seat = new_seat(me, village_steps(claims=f"{seer}, {me}, {WOLF[language]}"))
    village.go(seat)
    say = phrases(village.state, me)
    village.state, taken = seat.take(village.state)
    assert taken.rule == ("5", "counter_claim", "template")
    assert taken["text"] == say("village.counter", target=seer)
    assert taken.table == {"claims": f"{seer}: {me} werewolf"}
    village.go(seat, turn=2)
    village.state, taken = seat.take(village.state)
    assert taken.rule == ("none", "none", "main"), "a wolf claims once"
    assert taken.table["declared"] == f"{me} -> {seer}"
    village.until(seat, Purpose.VOTE)
    _, vote = seat.take(village.state)
    assert vote["choice"] == seer
    assert vote.rule == ("choice", "declared", "template")
    assert [name_of(one) for one in vote.calls] == ["votes"]


@pytest.mark.parametrize("result", ["human", "another", "two"])
def test_5_no_other_claim_is_countered(result: str) -> None:
    village = Village("werewolf")
    seer, me, third = village.seat("seer"), village.me, village.others[2]
    claims = {
        "human": f"{seer}, {me}, human",
        "another": f"{seer}, {third if third != seer else village.others[1]}, werewolf",
        "two": f"{seer}, {me}, werewolf\n{village.seat('possessed')}, {seer}, werewolf",
    }
    seat = new_seat(me, village_steps(claims=claims[result]))
    village.go(seat, turn=3)
    assert all("counter_claim" not in str(answer.reports) for answer in seat.answers.values()), (
        "only the one claim that names the wolf"
    )


@in_both
def test_5_the_possessed_claims_against_a_found_wolf(language: Language) -> None:
    for number in range(12):
        village = Village("possessed", language, seed=100 * number)
        seer, wolf = village.seat("seer"), village.seat("werewolf")
        heard = ["None", f"{seer}, {wolf}, {WOLF[language]}"]
        seat = new_seat(village.me, {**village_steps(), "claims": lambda _, h=heard: h.pop(0)})
        village.go(seat)
        village.state, first = seat.take(village.state)
        if first.rule[1] == "result":
            continue
        village.go(seat, turn=2)
        _, taken = seat.take(village.state)
        assert taken.rule == ("5", "counter_claim", "template")
        assert seer in taken.text
        return
    pytest.fail("the possessed always lies at once")


@in_both
def test_6_where_nothing_was_said_it_opens_the_first_day(language: Language) -> None:
    village = Village("villager", language)
    seat = new_seat(village.me, village_steps())
    village.go(seat)
    _, taken = seat.take(village.state)
    assert taken.rule == ("6", "opening_first", "template")
    assert taken["text"] == phrases(village.state, village.me)("village.opening_first")


@in_both
def test_7_where_nothing_was_said_it_opens_the_second_day(language: Language) -> None:
    village = Village("villager", language)
    seat = new_seat(village.me, village_steps())
    village.go(seat, day=2)
    _, taken = seat.take(village.state)
    assert taken.rule == ("7", "opening_later", "template")


CLOSINGS = {
    8: ("possessed", 2, 0, "fallen_wolf"),
    9: ("villager", 1, 3, "condemned_first"),
    10: ("villager", 2, 3, "condemned_later"),
    11: ("villager", 1, 0, "close_first"),
    12: ("villager", 2, 0, "close_later"),
}


@in_both
@pytest.mark.parametrize("number", CLOSINGS)
def test_8_to_12_it_closes_once_all_have_declared_a_vote(number: int, language: Language) -> None:
    """Worked example: five declared votes, so the fifth own turn is the first above 4 + 0."""
    power, day, against, family = CLOSINGS[number]
    village = Village(power, language)
    me = village.me

    def votes(_: object) -> str:
        living = [one for one in village.state.living if one != me]
        target = me if against else living[0]
        lines = [f"{one} -> {target}" for one in living if one != target]
        return "\n".join([*lines, f"{me} -> {living[0]}", f"{living[0]} -> {me}"])

    seat = new_seat(me, {**village_steps(), "votes": votes})
    turn = 5 if day == 1 else 4
    village.go(seat, day=day, turn=turn)
    earlier = [note for one in seat.answers.values() for note in notes(one.reports, "rule")]
    assert not any(one["family"] == family for one in earlier), "not a turn too early"
    _, taken = seat.take(village.state)
    assert taken.rule == (str(number), family, "template")
    assert taken["text"] == phrases(village.state, me)(f"village.{family}")


@in_both
def test_a_seat_that_is_asked_does_not_close_before_it_answered(language: Language) -> None:
    village = Village("villager", language)
    me, other = village.me, village.others[0]
    seat = new_seat(me, village_steps(votes=everybody(village, other, me)))
    village.go(seat, turn=5, says=f">>{me} Where were you?")
    _, taken = seat.take(village.state)
    assert taken.rule == ("none", "none", "main"), "answered 4 times only with this turn"
    village.state = act(village.state, taken.request, taken.action)
    village.go(seat, turn=6, says=f">>{me} Where were you?")
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "close_first", "four answers are enough"


@in_both
def test_13_in_its_fourth_turn_it_asks_a_seat_that_declared_nothing(language: Language) -> None:
    village = Village("villager", language)
    me = village.me
    seat = new_seat(me, village_steps(votes=ballots(village, village.others[0], 2)))
    village.go(seat, turn=4)
    _, taken = seat.take(village.state)
    assert taken.rule == ("13", "undeclared", "template")
    declared = {
        line.split(" -> ")[0] for line in ballots(village, village.others[0], 2).split("\n")
    }
    assert taken["target"] not in {*declared, me}
    say = phrases(village.state, me)
    assert taken["text"] == say("village.undeclared", target=taken["target"])


def test_13_nobody_is_asked_by_a_seat_against_which_two_declared() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(votes=ballots(village, village.me, 2)))
    village.go(seat, turn=4)
    _, taken = seat.take(village.state)
    assert taken.rule == ("none", "none", "main")


@in_both
@pytest.mark.parametrize("bad", ["", "{", "Bram: it was me.", "<think>Hm", '{"action": "sing"}'])
def test_14_without_a_text_it_skips(language: Language, bad: str) -> None:
    village = Village("villager", language)
    seat = new_seat(village.me, village_steps(main=bad, backup=bad))
    village.go(seat, turn=2)
    _, taken = seat.take(village.state)
    assert taken.rule == ("14", "skip", "template")
    assert taken.action == Reply(values=(), variant="skip")
    assert len(taken.calls) == 1 + 3 + 3


@in_both
def test_the_models_text_is_said_where_no_situation_holds(language: Language) -> None:
    village = Village("villager", language)
    seat = new_seat(village.me, village_steps())
    village.go(seat, turn=2)
    _, taken = seat.take(village.state)
    assert taken.rule == ("none", "none", "main")
    assert taken["text"] == SPOKEN
    assert sorted(seat.model.waves[0]) == ["backup", "main", "votes"]


def test_the_backup_is_said_where_the_main_reply_cannot_be_read() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(main="{"))
    village.go(seat, turn=2)
    _, taken = seat.take(village.state)
    assert taken["text"] == BACKUP
    assert taken.rule == ("none", "none", "backup")
    tokens = {one.call_id.chunk: one.max_tokens for one in taken.calls}
    assert tokens["backup"] < tokens["main"] <= 200
    assert {one.temperature for one in taken.calls if one.call_id.chunk == "main"} == {1.0}


def test_without_a_backup_it_skips() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(main="{"), "backup=off")
    village.go(seat, turn=2)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "skip"


@pytest.mark.parametrize(
    ("power", "turn", "calls"),
    [("villager", 2, 3), ("werewolf", 1, 4), ("werewolf", 6, 4), ("possessed", 2, 4),
     ("possessed", 3, 3), ("seer", 2, 3)],
)  # fmt: skip
def test_claims_are_looked_for_only_while_they_matter(power: str, turn: int, calls: int) -> None:
    village = Village(power)
    seat = new_seat(village.me, village_steps())
    village.go(seat, turn=turn)
    _, taken = seat.take(village.state)
    assert len(taken.calls) == calls


def test_the_seer_looks_first_at_random_and_then_where_the_model_suspects() -> None:
    village = Village("seer")
    seat = new_seat(village.me, village_steps())
    village.until(seat, Purpose.POWER)
    village.state, first = seat.take(village.state)
    assert not first.calls
    village.until(seat, Purpose.POWER)
    _, second = seat.take(village.state)
    assert [one.call_id.chunk for one in second.calls] == ["sight"]
    assert second["choice"] != first["choice"]


@pytest.mark.parametrize("reply", ["", "Nobody", "{"])
def test_the_seer_looks_at_random_where_the_model_names_nobody(reply: str) -> None:
    village = Village("seer")
    seat = new_seat(village.me, village_steps(sight=reply))
    village.until(seat, Purpose.POWER)
    village.state, first = seat.take(village.state)
    village.until(seat, Purpose.POWER)
    _, second = seat.take(village.state)
    assert second["choice"] != first["choice"]
    assert len(second.calls) == 3


@pytest.mark.parametrize(
    ("claims", "attacked"), [("{seer}, {third}, human", True), ("None", None), ("both", False)]
)
def test_the_wolf_attacks_the_only_claimant_and_else_somebody_else(
    claims: str, attacked: bool | None
) -> None:
    village = Village("werewolf")
    seer, me = village.seat("seer"), village.me
    third = next(one for one in village.others if one not in {seer, village.first_out})
    told = claims.format(seer=seer, third=third)
    if claims == "both":
        told = f"{seer}, {third}, human\n{third}, {seer}, human"
    seat = new_seat(me, village_steps(claims=told))
    village.until(seat, Purpose.POWER)
    _, taken = seat.take(village.state)
    assert not taken.calls
    if attacked is not None:
        assert (taken["choice"] == seer) == attacked
    if attacked is False:
        assert taken["choice"] not in {seer, third}


def test_it_votes_at_random_where_it_declared_nothing_living() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(main=spoken("Hm.")))
    village.until(seat, Purpose.VOTE)
    _, vote = seat.take(village.state)
    assert vote.rule == ("choice", "drawn", "template")
    assert vote["choice"] in village.others


def test_it_votes_for_the_seat_that_it_declared_last() -> None:
    village = Village("villager")
    me, (first, second, *_) = village.me, village.others
    asked: list[int] = []

    def votes(_: object) -> str:
        asked.append(1)
        return f"{me} -> {first if len(asked) == 1 else second}"

    seat = new_seat(me, {**village_steps(), "votes": votes})
    village.until(seat, Purpose.VOTE)
    _, vote = seat.take(village.state)
    assert vote["choice"] == second
