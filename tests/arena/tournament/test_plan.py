"""The plan of a tournament: who meets whom, in which blocks, and how it grows and is divided."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.games.whodunit.options import WhodunitOptions
from arena.records.run_config import Pair, ScriptRef, Shard, match_specs
from arena.tournament.tournament_plan import GamePlan, TournamentPlan, count_matches, runs_of

NAMES = ("a", "b", "c")


def refs(count: int) -> tuple[ScriptRef, ...]:
    return tuple(
        ScriptRef(path="", id=f"script {n}", language="en", sha256=f"{n:064x}")
        for n in range(count)
    )


def plan(
    *entries: tuple[str, ...],
    opponents: tuple[str, ...] = (),
    matrix: bool = True,
    scripts: int = 2,
    seeds: int = 2,
    rotations: int = 1,
) -> TournamentPlan:
    game = GamePlan(
        game="whodunit",
        options=WhodunitOptions(),
        scripts=refs(scripts),
        seeds=seeds,
        rotations=rotations,
    )
    return TournamentPlan(entries=entries, opponents=opponents, matrix=matrix, games=(game,))


def test_every_contestant_meets_every_other_and_itself_on_both_sides() -> None:
    [config] = runs_of(plan(NAMES)).values()
    assert set(config.pairs) == {Pair(civilians=a, murderer=b) for a in NAMES for b in NAMES}
    assert len(config.pairs) == 9


def test_fixed_opponents_meet_contestants_on_both_sides_and_not_each_other() -> None:
    [config] = runs_of(plan(("a", "b"), opponents=("x", "y"), matrix=False)).values()
    met = {(pair.civilians, pair.murderer) for pair in config.pairs}
    assert met == {(c, o) for c in "ab" for o in "xy"} | {(o, c) for c in "ab" for o in "xy"}


def test_all_pairs_play_the_same_blocks() -> None:
    [config] = runs_of(plan(NAMES, scripts=3, seeds=2, rotations=2)).values()
    blocks: dict[Pair, list[tuple[str, int, int]]] = {}
    for spec in match_specs(config):
        pair = Pair(civilians=spec.civilians, murderer=spec.murderer)
        blocks.setdefault(pair, []).append((spec.script.id, spec.seed, spec.rotation))
    assert len(blocks) == 9
    assert all(len(one) == 12 for one in blocks.values())
    assert len({tuple(one) for one in blocks.values()}) == 1


def test_a_contestant_that_enters_later_changes_no_run_and_plays_only_its_own_matches() -> None:
    before = plan(NAMES)
    after = replace(before, entries=(NAMES, ("d",)))
    old, new = runs_of(before), runs_of(after)
    assert {name: new[name] for name in old} == old
    [added] = set(new) - set(old)
    assert len(new[added].pairs) == 7
    assert all("d" in {pair.civilians, pair.murderer} for pair in new[added].pairs)
    assert count_matches(after) == 16 * 4


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (lambda: plan(()), "needs contestants, got none"),
        (lambda: plan(("a", "a")), "'a' is named twice"),
        (lambda: plan(("a",), ("a",)), "'a' is named twice"),
        (lambda: plan(("a",), opponents=("a",)), "'a' is already a fixed opponent"),
        (lambda: plan(("a",), matrix=False), "needs fixed opponents"),
        (lambda: replace(plan(("a",)), games=()), "one or more games, each once; got none"),
        (lambda: replace(plan(("a",)), games=plan(("a",)).games * 2), "whodunit, whodunit"),
        (lambda: replace(plan(("a",)), deadline=0.0), "deadline must be > 0"),
    ],
)
def test_a_plan_without_sense_is_refused(broken: Callable[[], object], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        broken()


@pytest.mark.slow
@given(
    scripts=st.integers(1, 7),
    seeds=st.integers(1, 5),
    rotations=st.integers(1, 3),
    count=st.integers(1, 40),
)
def test_shards_divide_the_matches_of_a_run_and_keep_blocks_whole(
    scripts: int, seeds: int, rotations: int, count: int
) -> None:
    [config] = runs_of(plan(NAMES, scripts=scripts, seeds=seeds, rotations=rotations)).values()
    parts = [
        match_specs(replace(config, shard=Shard(index=index, count=count)))
        for index in range(count)
    ]
    assert [spec for part in parts for spec in part] == list(match_specs(config))
    blocks = [{(spec.script.id, spec.seed) for spec in part} for part in parts]
    assert sum(map(len, blocks)) == scripts * seeds
    sizes = [len(one) for one in blocks]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(("index", "count"), [(-1, 2), (2, 2)])
def test_a_shard_that_there_is_not_is_refused(index: int, count: int) -> None:
    with pytest.raises(ConfigError, match="index of a shard must be between 0"):
        Shard(index=index, count=count)
