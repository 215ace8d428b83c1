"""run.json: the configuration of a run, its contestants, servers and versions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from arena.records.record_schema import JsonCodec, load_object, remove_schema
from arena.records.run_config import RunConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestantRecord:
    """A contestant, parsed, so that readers of records need not parse its name."""

    name: str
    """Name as the user wrote it; events and summaries use it."""
    model: str | None
    """None: its player needs no model."""
    player: str
    options: dict[str, str] = field(default_factory=dict[str, str])
    """Options of the player, as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRecord:
    """Server of a model. A change of `served` or `limits` would change the prompts."""

    served: str
    """Name under which the model was served."""
    limits: dict[str, Any] = field(default_factory=dict[str, Any])
    """Limits of the model: context, pictures, how tokens are counted."""
    identities: tuple[dict[str, Any], ...] = ()
    """Reported identities of its servers, without duplicates: root, version, digest of the
    template.
    """
    details: dict[str, Any] = field(default_factory=dict[str, Any])
    """URLs, engine and flags, for information only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderRecord:
    """Embedding model of searches."""

    model: str
    dimensions: int
    details: dict[str, Any] = field(default_factory=dict[str, Any])
    """URL and engine, for information only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRecord:
    """Versions that the run was played with, and its start time."""

    packages: dict[str, str] = field(default_factory=dict[str, str])
    wordings: dict[str, str] = field(default_factory=dict[str, str])
    """Language -> hash of all texts from which prompts are made."""
    python: str = ""
    git_commit: str = ""
    hardware: dict[str, Any] = field(default_factory=dict[str, Any])
    started: str = ""
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunManifest:
    """Contents of run.json."""

    config: RunConfig
    contestants: tuple[ContestantRecord, ...] = ()
    servers: Mapping[str, ServerRecord] = field(default_factory=dict[str, ServerRecord])
    """By the model's name in a contestant."""
    embedders: Mapping[str, EmbedderRecord] = field(default_factory=dict[str, EmbedderRecord])
    """By the value of the option `embedding`."""
    versions: VersionRecord = field(default_factory=VersionRecord)


MANIFEST: Final = JsonCodec[RunManifest](RunManifest, "the description of a run")
"""Codec of run.json."""


def read_manifest(text: str) -> RunManifest:
    """Return the contents of run.json, or raise `RecordError` or `ConfigError`.

    Until 2026-11-23 a run had one pair of contestants, and `swap` for both sides of it; until
    2026-11-26 it had `human`, one person or none.
    """
    found = load_object(remove_schema(text))
    config: object = found.get("config")
    if isinstance(config, dict):
        _migrate(cast("dict[str, Any]", config))
    return MANIFEST.load(json.dumps(found, ensure_ascii=False))


def _migrate(old: dict[str, Any]) -> None:
    """Migrate a configuration of an older version in place."""
    if "human" in old and "humans" not in old:
        human = old.pop("human")
        old["humans"] = [] if human is None else [human]
    if {"civilians", "murderer"} <= old.keys():
        civilians, murderer = old.pop("civilians"), old.pop("murderer")
        old["pairs"] = [{"civilians": civilians, "murderer": murderer}]
        if old.pop("swap", False):
            old["pairs"].append({"civilians": murderer, "murderer": civilians})
