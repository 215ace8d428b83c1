"""Players without a model answer any request from its action spec alone."""

import asyncio
from collections import Counter
from itertools import combinations
from random import Random

import pytest

from arena.core.action_validation import validate
from arena.core.actions import Reply, Skip, UnparsedReply, choose, say
from arena.core.observation import observe
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, ActionSpec, Choice, Field, Form, FreeText, OneOf, Variant
from arena.players.baselines import FirstPlayer, RandomPlayer, ScriptedPlayer
from arena.players.player import Player
from tests.table import NAMES, begin, setup

SEEN = observe(begin(setup()), SeatId(NAMES[0]))
FORM = Form(
    fields=(
        Field(name="reason", spec=FreeText()),
        Field(name="vote", spec=Choice(options=(*NAMES, ABSTAIN))),
    )
)
TALK, OVER = Variant(name="talk", spec=FreeText()), Variant(name="over", spec=Form(fields=()))
ACT = OneOf(variants=(TALK, OVER))


def request(spec: ActionSpec) -> DecisionRequest:
    return DecisionRequest(id="x", seat=SEEN.seat, kind="k", phase="p", spec=spec)


def reply(player: Player, spec: ActionSpec, seed: int = 0) -> Reply:
    action = asyncio.run(player.act(SEEN, request(spec), Random(seed))).action
    assert isinstance(action, Reply)
    return action


@pytest.mark.parametrize("spec", [FreeText(), Choice(options=NAMES), FORM, ACT])
@pytest.mark.parametrize("player", [RandomPlayer(), FirstPlayer(), RandomPlayer(guilty=True)])
def test_an_answer_is_legal_for_every_spec(player: Player, spec: ActionSpec) -> None:
    for seed in range(5):
        assert isinstance(validate(request(spec), reply(player, spec, seed)), Reply)


def test_random_chooses_everybody_equally_and_abstains_only_where_it_must() -> None:
    vote = Choice(options=("a", "b", ABSTAIN))
    drawn = Counter(reply(RandomPlayer(), vote, seed)["choice"] for seed in range(400))
    assert set(drawn) == {"a", "b"}
    assert min(drawn.values()) > 150
    assert reply(RandomPlayer(), Choice(options=(ABSTAIN,))) == choose(ABSTAIN)


def test_a_guilty_random_player_never_chooses_itself() -> None:
    vote = Choice(options=(SEEN.seat, NAMES[1]))
    assert {reply(RandomPlayer(guilty=True), vote, n)["choice"] for n in range(20)} == {NAMES[1]}
    assert len({reply(RandomPlayer(), vote, n)["choice"] for n in range(20)}) == 2


def chances(most: int, letters: str = "ABCD") -> Counter[str]:
    """Return how often each option of a quiz is drawn, where up to `most` may be picked."""
    sizes = range(1, most + 1)
    options = tuple("".join(some) for size in sizes for some in combinations(letters, size))
    spec = Choice(options=options)
    return Counter(reply(RandomPlayer(), spec, seed)["choice"] for seed in range(3000))


@pytest.mark.slow
def test_a_quiz_is_answered_at_its_chance_level() -> None:
    pick_two = chances(2)
    assert {len(option) for option in pick_two} == {2}
    assert sum(n for option, n in pick_two.items() if "A" in option) / 3000 == pytest.approx(
        0.5, abs=0.03
    )
    assert sorted(chances(1)) == ["A", "B", "C", "D"]
    any_set = chances(4)
    assert len(any_set) == 15
    assert any_set["ABCD"] / 3000 == pytest.approx(1 / 15, abs=0.02)


def test_first_plays_the_first_option() -> None:
    assert reply(FirstPlayer(), FORM)["vote"] == NAMES[0]
    assert reply(FirstPlayer(), ACT).variant == "talk"


def test_scripted_plays_its_lines_in_turn_and_raises_where_one_is_missing() -> None:
    lines = [say("a"), Skip(), UnparsedReply(missing="m", text="t"), TimeoutError("late")]
    player = ScriptedPlayer({(SEEN.seat, "k"): iter(lines)})
    for line in lines[:3]:
        assert asyncio.run(player.act(SEEN, request(FreeText()), Random())).action == line
    with pytest.raises(TimeoutError):
        asyncio.run(player.act(SEEN, request(FreeText()), Random()))
    other = ScriptedPlayer({})
    with pytest.raises(KeyError):
        asyncio.run(other.act(SEEN, request(FreeText()), Random()))
