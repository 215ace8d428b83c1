"""Arms: what each changes of a real run, seen from the model that is asked."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from arena.bench.arm_comparison import compute_figures
from arena.bench.arms import ARMS, OURS, Arm, choose_arms, fix_live
from arena.bench.simulation.simulated_chat import ReplyStyle, write_reply
from arena.bench.simulation.virtual_run import VIRTUAL_MODEL
from arena.bench.workload import WorkloadResult, make_workload, play_workload
from arena.bench.workload_shapes import WorkloadShape
from arena.errors import ConfigError, ModelError
from arena.models.chat import Completion, Message, Request
from arena.players.model_limits import ModelLimits
from arena.records.run_config import RunConfig, make_pairs
from arena.run.match.answer_clock import AnswerClock
from arena.run.servers.model_handle import ModelHandle, Replica
from serving.engine_sim.engine_loop.virtual_time import run_virtual

RUN = WorkloadShape(
    name="tiny", kv_tokens=1, scripts=3, words=(30,), seats=4, matches=12, preset="short"
).make_run(0)
SECONDS = 1.0
"""Of each reply."""


@dataclass
class Asked:
    """A model that answers after a second, and notes how it is asked."""

    dies_at: int = -1
    matches: list[str] = field(default_factory=list[str])
    """Of each request, in order."""
    priorities: set[int] = field(default_factory=set[int])
    salts: set[str] = field(default_factory=set[str])
    running: int = 0
    most: int = 0

    async def complete(self, request: Request) -> Completion:
        self.matches.append(request.request_id.partition(":")[0])
        self.priorities.add(request.priority)
        self.salts.add(request.cache_salt)
        if len(self.matches) == self.dies_at:
            raise ModelError("the model is gone")
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(SECONDS)
        self.running -= 1
        return Completion(
            text=write_reply(request, ReplyStyle(tokens=5)),
            finish="stop",
            prompt_tokens=100,
            output_tokens=10,
            cached_tokens=40,
            seconds=SECONDS,
            retries=1 if len(self.matches) == 1 else 0,
        )


class Up:
    def __init__(self) -> None:
        self.clock = AnswerClock(self._is_up)

    async def wait_until_up(self, cause: str) -> None:
        raise ModelError(cause)

    async def has_changed(self) -> bool:
        return False

    async def _is_up(self) -> bool:
        return True


def count(messages: Sequence[Message]) -> int:
    return sum(len(one.text) for one in messages) // 4


def play(arm: Arm, *, kv_tokens: int = 10**9, dies_at: int = -1) -> tuple[WorkloadResult, Asked]:
    asked = Asked(dies_at=dies_at)
    config = RunConfig(
        pairs=make_pairs(VIRTUAL_MODEL, VIRTUAL_MODEL),
        scripts=(),
        game=RUN.game,
        options=RUN.options,
        matches=RUN.matches,
    )

    async def run() -> WorkloadResult:
        replica = Replica(url="http://one", chat=asked, health=Up(), kv_tokens=kv_tokens)
        limits = ModelLimits(reply_tokens=64, context_tokens=None, count=count, exact=True)
        model = ModelHandle(replicas=(replica,), served_name=VIRTUAL_MODEL, limits=limits)
        load = make_workload(config, RUN.scripts)
        return await play_workload(load, {VIRTUAL_MODEL: model}, arm.policy, arm.client)

    return run_virtual(run()), asked


@pytest.mark.slow
@pytest.mark.parametrize("live", [1, 2, 5])
def test_a_fixed_number_of_matches_is_live_whatever_the_cache_holds(live: int) -> None:
    played, asked = play(fix_live(live), kv_tokens=64)
    assert played.live_most == live
    first = list(dict.fromkeys(asked.matches))
    assert set(asked.matches[:live]) == set(first[:live])
    assert played.finished_count == len(played.results) == 12


@pytest.mark.slow
def test_ours_keeps_to_a_small_cache_and_everything_at_once_does_not() -> None:
    assert play(ARMS[OURS], kv_tokens=64)[0].live_most < 12
    played, asked = play(ARMS["all_at_once"], kv_tokens=64)
    assert played.live_most == 12
    assert asked.most > 12


@pytest.mark.slow
def test_one_request_at_a_time_is_one_request_at_a_time() -> None:
    played, asked = play(ARMS["sequential"])
    assert (asked.most, played.live_most) == (1, 1)
    assert played.seconds == pytest.approx(SECONDS * played.calls)


@pytest.mark.slow
def test_a_semaphore_holds_over_all_matches_and_its_wait_is_part_of_a_turn() -> None:
    arm = ARMS["gather_32"]
    narrow = replace(arm, client=replace(arm.client, gate=3))
    played, asked = play(narrow)
    assert asked.most == 3
    assert played.live_most == 12
    assert played.turns[0] == SECONDS
    assert played.turns[-1] > 3 * SECONDS
    assert asked.priorities == {0}
    assert play(ARMS["gather_128"])[1].most > 12


@pytest.mark.slow
def test_priorities_are_those_of_matches_unless_an_arm_does_without() -> None:
    assert play(ARMS[OURS])[1].priorities == set(range(12))
    assert play(ARMS["ours_without_priority"])[1].priorities == {0}


@pytest.mark.slow
def test_without_order_matches_of_all_scripts_are_admitted_at_random() -> None:
    def order(name: str) -> list[str]:
        arm = ARMS[name]
        one_by_one = replace(arm, policy=replace(arm.policy, max_live=1))
        return list(dict.fromkeys(play(one_by_one)[1].matches))

    ours, shuffled = order(OURS), order("ours_without_order")
    assert sorted(ours) == sorted(shuffled)
    assert ours != shuffled == order("ours_without_order")


def test_a_salt_is_sent_with_every_request() -> None:
    arm = ARMS[OURS]
    assert play(replace(arm, client=replace(arm.client, salt="third")))[1].salts == {"third"}


def test_figures_are_those_of_the_calls() -> None:
    played, asked = play(fix_live(1))
    figures = compute_figures(replace(played, preemptions=7, belady=0.9), lags=(0.001, 0.002))
    calls = len(asked.matches)
    assert figures.prompt_tokens == 100 * calls
    assert figures.hit_rate == pytest.approx(0.4)
    assert figures.calls_per_s == pytest.approx(calls / played.seconds)
    assert figures.output_tokens_per_s == pytest.approx(10 * calls / played.seconds)
    assert figures.matches_per_h == pytest.approx(3600 * 12 / played.seconds)
    assert figures.turn_p50_s == figures.turn_p99_s == SECONDS
    assert figures.match_p50_s == pytest.approx(played.seconds / 12, rel=0.2)
    assert (figures.retries, figures.preemptions, figures.belady) == (1, 7, 0.9)
    assert (figures.live_most, figures.loop_lag_p99_ms) == (1, 2.0)
    assert (figures.finished, figures.unfinished, figures.fault) == (12, 0, "")


def test_a_match_that_fails_is_no_match_an_hour_and_says_why() -> None:
    played, _ = play(fix_live(1), dies_at=5)
    figures = compute_figures(played)
    assert (figures.finished, figures.unfinished) == (11, 1)
    assert figures.matches_per_h == pytest.approx(3600 * 11 / played.seconds)
    assert "the model is gone" in figures.fault


def test_arms_are_chosen_by_name_in_the_order_of_the_list() -> None:
    assert [arm.name for arm in choose_arms(())] == list(ARMS)
    assert [arm.name for arm in choose_arms(("gather_32", OURS))] == [OURS, "gather_32"]
    with pytest.raises(ConfigError, match="no arm 'theirs'; there are: ours, static_best"):
        choose_arms(("theirs",))
