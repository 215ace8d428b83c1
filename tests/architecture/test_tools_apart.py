"""Playing, serving and evaluating need none of the tools that draw pictures and make cases."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.test_layers import PACKAGES, ROOT, imported

TOOLS = ("scripts_mm.drawing", "scripts_mm.generate", "arena.training")
"""Packages that no player, server or report needs."""
ON_DEMAND = {"scripts_mm/generate_command.py": "scripts_mm.generate"}
"""Files that import a tool inside a function, when its command runs."""


def is_tool(module: str) -> bool:
    return any(f"{module}.".startswith(f"{tool}.") for tool in TOOLS)


def default_files() -> list[Path]:
    """Return the files of the project outside the tools."""
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    folders = [ROOT / tool.replace(".", "/") for tool in TOOLS]
    return [path for path in paths if not any(folder in path.parents for folder in folders)]


def tool_packages() -> set[str]:
    """Return the packages that the extras `tools` and `photos` add."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    return {re.split(r"[>=]=", line)[0] for line in (*extras["tools"], *extras["photos"])}


@pytest.mark.slow
def test_no_file_outside_the_tools_imports_one_or_a_package_of_theirs() -> None:
    packages = tool_packages()
    assert packages
    for path in default_files():
        place = path.relative_to(ROOT).as_posix()
        found = {name for name in imported(path) if is_tool(name)}
        allowed = ON_DEMAND.get(place)
        assert all(allowed and name.startswith(allowed) for name in found), f"{place}: {found}"
        assert not {name.split(".")[0] for name in imported(path)} & packages, place


def test_a_command_of_the_tools_imports_them_inside_its_function_alone() -> None:
    for place in ON_DEMAND:
        for node in ast.parse((ROOT / place).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not is_tool(node.module), f"{place} imports {node.module} at its top"


@pytest.mark.slow
def test_the_program_with_all_its_commands_is_built_without_the_tools() -> None:
    code = "import sys; from arena.cli.app import build_app; build_app(); print(*sys.modules)"
    words = [sys.executable, "-c", code]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    modules = told.stdout.split()
    assert "arena.cli.commands.match" in modules
    assert "scripts_mm.generate_command" in modules
    assert not [name for name in modules if is_tool(name)]
    assert not {name.split(".")[0] for name in modules} & tool_packages()
