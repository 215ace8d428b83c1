"""The direction of imports and the size of files, kept by a test and not by memory."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.names import walk_statements

ROOT = Path(__file__).parents[2]
PACKAGES = ("arena", "serving", "scripts_mm", "eval")
TYPES = {"scripts_mm.script"}
ERRORS = {"arena.errors", "arena.install_advice"}
MAY_IMPORT: dict[str, set[str]] = {
    "scripts_mm": {"scripts_mm"},
    "serving": {"serving"},
    "arena.errors": set[str](),
    "arena.install_advice": set[str](),
    "arena.core": {"arena.core"} | TYPES,
    "arena.models": {"arena.models"} | TYPES | ERRORS,
    "arena.memory": {"arena.memory", "arena.models"} | TYPES | ERRORS,
    "arena.games": {"arena.games", "arena.core"} | TYPES | ERRORS,
    "arena.players": {
        "arena.players",
        "arena.core",
        "arena.games",
        "arena.memory",
        "arena.models.chat",
        "arena.models.recording",
    }
    | TYPES
    | ERRORS,
    "arena.records": {
        "arena.records",
        "arena.core",
        "arena.games.game_registry",
        "arena.models.chat",
        "arena.models.recording",
        "scripts_mm.script_folder",
        "scripts_mm.safe_io",
    }
    | TYPES
    | ERRORS,
    "arena.schedule": {"arena.schedule", "arena.core", "arena.models.chat"} | TYPES | ERRORS,
    "arena.run": {
        "arena.run",
        "arena.core",
        "arena.games",
        "arena.memory",
        "arena.models",
        "arena.players",
        "arena.records",
        "arena.schedule",
        "scripts_mm",
    }
    | ERRORS,
    "arena.tournament": {
        "arena.tournament",
        "arena.core",
        "arena.games",
        "arena.players.contestants",
        "arena.records",
        "arena.run",
        "scripts_mm",
    }
    | ERRORS,
    "arena.cluster": {
        "arena.cluster",
        "arena.bench.number_checks",
        "arena.core",
        "arena.players.contestants",
        "arena.records",
        "arena.run",
        "arena.tournament",
        "scripts_mm.safe_io",
        "serving",
    }
    | ERRORS,
    "arena.bench": {
        "arena.bench",
        "arena.core",
        "arena.games",
        "arena.models",
        "arena.players",
        "arena.records",
        "arena.run",
        "arena.schedule",
        "arena.tournament",
        "scripts_mm",
        "serving.engine_sim",
        "serving.resolution.endpoints",
        "serving.errors",
        "serving.host.hardware",
        "serving.hub.hub_profile",
        "serving.process.ports",
        "serving.model_files.profile",
    }
    | ERRORS,
    "arena.training": {
        "arena.training",
        "arena.memory",
        "arena.core",
        "arena.games",
        "arena.models",
        "arena.players",
        "arena.run",
        "eval.stats",
        "scripts_mm",
        "serving.standin",
    }
    | ERRORS,
    "arena.view": {"arena.view", "arena.core", "arena.games"} | TYPES | ERRORS,
    "arena.web": {
        "arena.web",
        "arena.view",
        "arena.core",
        "arena.games",
        "arena.records",
        "arena.models",
    }
    | TYPES
    | ERRORS,
    "arena.cli": {
        "arena",
        "eval",
        "scripts_mm",
        "serving.commands.server_commands",
        "serving.errors",
        "serving.host.hardware",
        "serving.commands.consent_options",
        "serving.commands.fetch_consent",
        "serving.process.ports",
    },
    "eval": {"eval", "arena.core", "arena.games", "arena.records", "arena.models", "scripts_mm"}
    | ERRORS,
}
"""What each part may import of the project: these modules and all below them."""
MAY_KNOW_SERVERS: dict[str, set[str]] = {
    "arena/bench/servers/bench_engines.py": {"serving"},
    "arena/run/servers/embedders.py": {"serving.resolution.endpoints"},
    "arena/run/servers/local_engines.py": {"serving"},
    "arena/run/servers/model_pool.py": {"serving"},
    "arena/run/servers/profile_limits.py": {"serving.model_files.profile"},
    "arena/run/launch.py": {
        "serving.resolution.consent",
        "serving.host.hardware",
        "serving.resolution.name_resolution",
    },
    "arena/run/servers/connected_model.py": {"serving.host.hardware"},
    "arena/run/provenance.py": {"serving.host.hardware"},
}
"""Only `bench_engines` and `local_engines` start servers; the others use what was started,
read what a model is known to need, and write down on what host a run was played."""
PURE_STANDARD = {
    "collections",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "random",
    "re",
    "types",
    "typing",
    "unicodedata",
}
MOST_LINES = 300
CATALOGUES = {"arena/core/events.py"}
"""One list of small classes, which is easier to read in one file than in two."""


def files(part: str) -> list[Path]:
    path = ROOT / part.replace(".", "/")
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, at its top or inside functions."""
    names: set[str] = set()
    for node in walk_statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {
                f"{node.module}.{alias.name}"
                if (ROOT / node.module.replace(".", "/")).is_dir()
                else node.module
                for alias in node.names
            }
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return frozenset(names)


def ours(names: frozenset[str]) -> set[str]:
    return {name for name in names if name.split(".")[0] in PACKAGES}


@pytest.mark.slow
@pytest.mark.parametrize("part", MAY_IMPORT)
def test_a_part_imports_only_what_lies_below_it(part: str) -> None:
    for path in files(part):
        place = path.relative_to(ROOT).as_posix()
        allowed = MAY_IMPORT[part] | MAY_KNOW_SERVERS.get(place, set[str]())
        for name in ours(imported(path)):
            below = any(f"{name}.".startswith(f"{module}.") for module in allowed)
            assert below, f"{place} may not import {name}"


def test_every_file_belongs_to_a_part() -> None:
    covered = {path for part in MAY_IMPORT for path in files(part)}
    everything = {path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    assert {p for p in everything - covered if p.parent != ROOT / "arena"} == set()


def test_the_core_imports_nothing_that_waits_reads_or_guesses() -> None:
    for path in files("arena.core"):
        outside = {name.split(".")[0] for name in imported(path)} - {"arena", "scripts_mm"}
        assert outside <= PURE_STANDARD, f"{path.name} imports {outside - PURE_STANDARD}"


@pytest.mark.slow
def test_only_the_registry_names_a_game_package() -> None:
    """Games are found by name, so that a game of a stranger is met like one of the project."""
    for path in (ROOT / "arena").rglob("*.py"):
        place = path.relative_to(ROOT).as_posix()
        if place.startswith("arena/games/"):
            package = "/".join(place.split("/")[:3])
            allowed = {package.replace("/", ".")} if place.count("/") > 2 else set[str]()
            allowed.add("arena.games.shared")
        else:
            allowed = set[str]()
        for name in imported(path):
            named = ".".join(name.split(".")[:3])
            if not (ROOT / named.replace(".", "/")).is_dir() or not named.startswith(
                "arena.games."
            ):
                continue
            assert named in allowed or place == "arena/games/game_registry.py", f"{place}: {name}"


def test_the_scheduler_decides_and_never_waits_reads_or_guesses() -> None:
    for path in files("arena.schedule"):
        outside = {name.split(".")[0] for name in imported(path)} - {"arena", "scripts_mm"}
        allowed = PURE_STANDARD | {"array", "hashlib", "heapq", "itertools", "numpy"}
        assert outside <= allowed, f"{path.name} imports {outside - allowed}"


def test_a_script_is_made_of_the_standard_library_alone() -> None:
    [path] = files("scripts_mm.script")
    assert {name.split(".")[0] for name in imported(path)} <= PURE_STANDARD


@pytest.mark.slow
def test_no_import_goes_round_in_a_circle() -> None:
    graph = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ours(imported(path))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"circle: {' -> '.join((*trail, name))}"
        if name in graph and name not in done:
            for other in graph[name]:
                target = other if other in graph else other.rpartition(".")[0]
                visit(target, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("package", PACKAGES)
def test_files_stay_small(package: str) -> None:
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for path in (ROOT / package).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
        and path.relative_to(ROOT).as_posix() not in CATALOGUES
    }
    assert not long
