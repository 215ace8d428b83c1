"""Shards of a tournament: what each worker plays first, and what it may take over then. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from arena.errors import ConfigError
from arena.records.config import RunConfig, Shard, match_specs


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRun:
    """The part of a run that belongs to one shard."""

    run: str
    """Name of the run in the tournament."""
    shard: Shard
    config: RunConfig


def shard_runs(runs: Mapping[str, RunConfig], shard: Shard) -> Iterator[ShardRun]:
    """Yield the part of each run that belongs to `shard`, where there is one."""
    for name, config in runs.items():
        part = replace(config, shard=shard)
        if match_specs(part):
            yield ShardRun(run=name, shard=shard, config=part)


def count_blocks(runs: Mapping[str, RunConfig]) -> int:
    """Return how many blocks there are: no more shards than these have something to play."""
    return sum(config.blocks for config in runs.values())


def other_shards(runs: Mapping[str, RunConfig], shard: Shard) -> Iterator[Shard]:
    """Yield the other shards that have a block, the next one first: idle workers spread out."""
    filled = {
        -(-(block + 1) * shard.count // config.blocks) - 1
        for config in runs.values()
        for block in range(config.blocks)
    }
    for index in sorted(filled - {shard.index}, key=lambda one: (one - shard.index) % shard.count):
        yield Shard(index=index, count=shard.count)


def parse_shard(text: str) -> Shard:
    """Return the shard written `i/n`, counted from 0; `ConfigError` for anything else."""
    index, _, count = text.partition("/")
    if not (index.isdecimal() and count.isdecimal()) or len(text) > _MOST:
        raise ConfigError(f"a shard is written i/n, such as 0/8 for the first of 8; got {text!r}")
    return Shard(index=int(index), count=int(count))


_MOST = 20
