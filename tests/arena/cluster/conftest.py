"""A real Slurm, where this host has its programs, and a tournament for it to play."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.cluster.slurm_host import SlurmHost, missing_programs, open_slurm
from tests.arena.cluster.tournaments import StandInTournament, Tournament


@pytest.fixture(scope="module")
def slurm_host() -> Iterator[SlurmHost]:
    """Yield a Slurm with three nodes, or skip with the names of the packages."""
    if reason := missing_programs():
        pytest.skip(reason)
    with open_slurm() as host:
        yield host


@pytest.fixture
def slurm(slurm_host: SlurmHost, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlurmHost]:
    """Yield the Slurm with idle nodes and no jobs; its commands work in this process too."""
    for name in ("PATH", "SLURM_CONF"):
        monkeypatch.setenv(name, slurm_host.environ[name])
    yield slurm_host
    slurm_host.cancel_all()


@pytest.fixture
def tournament(tmp_path: Path) -> Tournament:
    """Return a tournament in a folder whose name every program must quote."""
    return StandInTournament(tmp_path / 'it\'s "a" 100% $HOME of; résultats')
