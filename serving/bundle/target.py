"""The target machine of a bundle: Python, processor and C library."""

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PYTHONS: Final = ("3.11", "3.12", "3.13")
"""The Python versions that the locks support."""

_NEWEST_GLIBC: Final = 34
"""The minor version of glibc 2.x: RHEL 9's, older than Ubuntu 22.04's; newer wheels are not
used."""
_LEGACY: Final = {5: "manylinux1", 12: "manylinux2010", 17: "manylinux2014"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleTarget:
    """A Linux machine: `python` is a version such as "3.12", `machine` the output of `uname -m`."""

    python: str
    machine: str

    @property
    def is_here(self) -> bool:
        """Whether the target equals this host, so that its own wheels fit."""
        return self == this_host()

    def markers(self) -> Mapping[str, str]:
        """Return the environment markers of the target."""
        return {
            "python_version": self.python,
            "python_full_version": f"{self.python}.99",
            "platform_machine": self.machine,
            "platform_system": "Linux",
            "sys_platform": "linux",
            "os_name": "posix",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }

    def pip_args(self) -> list[str]:
        """Return the arguments that make `pip download` select wheels for the target."""
        if self.is_here:
            return []
        short = f"cp{self.python.replace('.', '')}"
        words = ["--python-version", self.python, "--implementation", "cp"]
        for abi in (short, "abi3", "none"):
            words += ["--abi", abi]
        for minor in range(_NEWEST_GLIBC, 4, -1):
            named = (f"manylinux_2_{minor}", *filter(None, [_LEGACY.get(minor)]))
            for platform_tag in named:
                words += ["--platform", f"{platform_tag}_{self.machine}"]
        return [*words, "--platform", f"linux_{self.machine}"]


def this_host() -> BundleTarget:
    """Return this machine and the running Python."""
    return BundleTarget(
        python=f"{sys.version_info[0]}.{sys.version_info[1]}", machine=platform.machine()
    )
