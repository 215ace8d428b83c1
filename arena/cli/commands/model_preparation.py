"""Preparation of models: download the contestants' models before a command plays, with consent."""

from collections.abc import Sequence
from pathlib import Path

from arena.core.game import Game
from arena.players.contestants import read_contestant
from arena.records.run_config import RunConfig
from arena.run.preflight import check_run
from scripts_mm.script_folder import LoadedScript
from serving.commands.fetch_consent import prepare_models


def prepare_contestants(contestants: Sequence[str], folder: Path, *, may_ask: bool) -> None:
    """Download the models of `contestants` if `--fetch` or the user at the terminal allows it.

    `folder`: the folder of the results. Raises `ServingError` if a download fails.
    """
    models = [read_contestant(name).model for name in contestants]
    prepare_models(models, folder, may_ask=may_ask)


def prepare_run(
    config: RunConfig, game: Game, scripts: Sequence[LoadedScript], folder: Path, *, may_ask: bool
) -> None:
    """Prepare the contestants of a run after all other checks; raises as `check_run` too."""
    check_run(config, game, {loaded.sha256: loaded.script for loaded in scripts})
    prepare_contestants(config.contestants, folder, may_ask=may_ask)
