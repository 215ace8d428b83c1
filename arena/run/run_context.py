"""Shared context of all matches of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.core.game import Game
from arena.core.seats import SeatId
from arena.memory.embedding import Embedder
from arena.players.human import Desks, HumanDesk
from arena.records.run_config import RunConfig
from arena.run.admission_gate import AdmissionGate
from arena.run.assignment import MatchAssignments
from arena.run.observer import RunObserver
from arena.run.servers.model_handle import ModelHandle
from scripts_mm.script import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """Shared context of all matches of a run."""

    config: RunConfig
    game: Game
    name: str
    scripts: Mapping[str, Script]
    """By content hash."""
    models: Mapping[str, ModelHandle]
    """By the model's name in a contestant."""
    observer: RunObserver
    gate: AdmissionGate
    assignments: MatchAssignments
    embedders: Mapping[str, Embedder] = field(default_factory=dict[str, Embedder])
    """By the value of the option `embedding`."""
    desks: Desks = field(default_factory=dict[SeatId, HumanDesk])
    """Desks of the persons in the run's configuration."""
