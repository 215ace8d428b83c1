"""Shards: whole blocks, each in one of them, and the others that an idle worker may look at."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cluster.shards import count_blocks, other_shards, parse_shard, shard_runs
from arena.errors import ConfigError
from arena.records.run_config import Shard, match_specs
from tests.arena.records.made import run_config


@pytest.mark.slow
@given(blocks=st.integers(1, 40), count=st.integers(1, 90), data=st.data())
def test_every_block_is_in_one_shard_and_only_shards_with_blocks_are_visited(
    blocks: int, count: int, data: st.DataObject
) -> None:
    runs = {"one": replace(run_config(), matches=blocks), "two": replace(run_config(), matches=3)}
    shards = [Shard(index=index, count=count) for index in range(count)]
    filled = {shard: list(shard_runs(runs, shard)) for shard in shards}
    played = [
        (one.run, spec.id)
        for some in filled.values()
        for one in some
        for spec in match_specs(one.config)
    ]
    assert sorted(played) == sorted(
        (run, spec.id) for run, config in runs.items() for spec in match_specs(config)
    )
    own = data.draw(st.sampled_from(shards))
    others = list(other_shards(runs, own))
    assert set(others) == {shard for shard in shards if filled[shard]} - {own}
    assert [(one.index - own.index) % count for one in others] == sorted(
        (one.index - own.index) % count for one in others
    )
    assert count_blocks(runs) == sum(
        len(config.scripts) * config.matches for config in runs.values()
    )


def specs(part: object) -> list[str]:
    return [spec.id for spec in match_specs(part.config)]  # type: ignore[attr-defined]


def test_an_idle_worker_of_very_many_shards_visits_only_those_with_blocks() -> None:
    runs = {"one": replace(run_config(), matches=5)}
    assert len(list(other_shards(runs, Shard(index=0, count=4_000_001)))) == 5


@pytest.mark.parametrize("text", ["0/0", "3/3", "0/99999999999", "0/4000002", "1", "-1/3", "a/b"])
def test_a_shard_that_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="shard"):
        parse_shard(text)
