"""Which plugins of vLLM an engine would find, and how it is told to load the one it needs."""

import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from serving.host.hardware import detect
from serving.host.vllm_plugins import GROUP, find_plugins, plugin_variables
from serving.model_files.profile import load_profiles

ROOT = Path(__file__).parents[3]


def install(site: Path, entry_points: str) -> None:
    """Lay out what an installation leaves of a package in a folder of packages."""
    folder = site / "thing-1.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1\n", "utf-8")
    (folder / "entry_points.txt").write_text(entry_points, "utf-8")


@pytest.fixture
def only_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the only folder in which packages are looked for."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    yield tmp_path
    find_plugins.cache_clear()


@pytest.mark.parametrize(
    ("points", "found"),
    [
        ("", ()),
        ("[console_scripts]\nyi_vl = thing:run\n", ()),
        (f"[{GROUP}]\nyi_vl = thing:register\nother = thing:other\n", ("other", "yi_vl")),
    ],
)
def test_an_entry_point_of_the_group_is_a_plugin_and_no_other_is(
    points: str, found: tuple[str, ...], only_here: Path
) -> None:
    find_plugins.cache_clear()
    install(only_here, points)
    assert find_plugins() == found
    assert detect(only_here).plugins == found


def test_every_plugin_that_a_profile_needs_is_an_entry_point_of_this_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours: dict[str, str] = project["entry-points"][GROUP]
    assert {one.plugin for one in load_profiles().values() if one.plugin} == set(ours)
    for name, place in ours.items():
        assert callable(EntryPoint(name=name, value=place, group=GROUP).load())


@pytest.mark.parametrize(
    ("plugin", "allowed", "wanted"),
    [
        ("yi_vl", None, ()),
        ("yi_vl", "yi_vl", ()),
        ("yi_vl", "other,yi_vl", ()),
        ("yi_vl", "other", (("VLLM_PLUGINS", "other,yi_vl"),)),
        ("yi_vl", "", (("VLLM_PLUGINS", "yi_vl"),)),
        ("", "other", ()),
    ],
)
def test_a_choice_of_plugins_that_leaves_the_needed_one_out_gets_it_added(
    plugin: str, allowed: str | None, wanted: tuple[tuple[str, str], ...]
) -> None:
    environ = {} if allowed is None else {"VLLM_PLUGINS": allowed}
    assert plugin_variables(plugin, environ) == wanted
