"""Shards of a tournament: what each worker plays first, and what it can take over then. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from arena.errors import ConfigError
from arena.records.run_config import RunConfig, Shard, match_specs

_MAX_TEXT: Final = 20
"""Maximum characters of a shard's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRun:
    """The part of a run that belongs to one shard."""

    run: str
    """Name of the run in the tournament."""
    shard: Shard
    config: RunConfig


def shard_runs(runs: Mapping[str, RunConfig], shard: Shard) -> Iterator[ShardRun]:
    """Yield the non-empty parts of runs that belong to `shard`."""
    for name, config in runs.items():
        part = replace(config, shard=shard)
        if match_specs(part):
            yield ShardRun(run=name, shard=shard, config=part)


def count_blocks(runs: Mapping[str, RunConfig]) -> int:
    """Return the number of blocks, which is the maximum number of non-empty shards."""
    return sum(config.blocks for config in runs.values())


def shard_of(block: int, blocks: int, count: int) -> int:
    """Return which of `count` shards has block number `block` of the `blocks` of a run."""
    return -(-(block + 1) * count // blocks) - 1


def other_shards(runs: Mapping[str, RunConfig], shard: Shard) -> Iterator[Shard]:
    """Yield the other shards with a block, the next one first, so that idle workers spread out."""
    filled = {
        shard_of(block, config.blocks, shard.count)
        for config in runs.values()
        for block in range(config.blocks)
    }
    for index in sorted(filled - {shard.index}, key=lambda one: (one - shard.index) % shard.count):
        yield Shard(index=index, count=shard.count)


def describe_surplus(shards: int, blocks: int) -> str:
    """Return one line that says how many shards are empty; empty if none is."""
    if shards <= blocks:
        return ""
    return (
        f"{shards} shards, but only {blocks} blocks (a script with a seed, all pairs): "
        f"{shards - blocks} shards are empty"
    )


def parse_shard(text: str) -> Shard:
    """Return the shard written `i/n`, counted from 0; `ConfigError` for anything else."""
    index, _, count = text.partition("/")
    if not (index.isdecimal() and count.isdecimal()) or len(text) > _MAX_TEXT:
        raise ConfigError(f"a shard must be i/n, such as 0/8 for the first of 8; got {text!r}")
    return Shard(index=int(index), count=int(count))
