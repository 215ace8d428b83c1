"""The machine that a bundle is for: its Python, its processor, its C library."""

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PYTHONS: Final = ("3.11", "3.12", "3.13")
"""The versions that the locks hold for."""

_NEWEST_GLIBC: Final = 34
"""Of 2.x: that of RHEL 9, older than Ubuntu's of 22.04; wheels for newer ones are not taken."""
_LEGACY: Final = {5: "manylinux1", 12: "manylinux2010", 17: "manylinux2014"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleTarget:
    """A Linux machine: `python` is a version such as "3.12", `machine` as `uname -m` tells it."""

    python: str
    machine: str

    @property
    def is_here(self) -> bool:
        """Whether wheels that this very Python installs are right there too."""
        return self == this_host()

    def markers(self) -> Mapping[str, str]:
        """Return the values that the markers of requirements have there."""
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
        """Return what tells `pip download` to fetch for that machine and not for this one."""
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
    """Return the machine and the Python at work."""
    return BundleTarget(
        python=f"{sys.version_info[0]}.{sys.version_info[1]}", machine=platform.machine()
    )
