"""Tiny wheels and locks that stand for the real ones; pip is real, kept from every index."""

import hashlib
import zipfile
from pathlib import Path

from packaging.requirements import Requirement

from serving.locks import Pin


def wheel(folder: Path, name: str, version: str = "1.0", *, script: str = "") -> Path:
    """Write a wheel; with `script` it brings a program of that name, which prints its own name."""
    folder.mkdir(parents=True, exist_ok=True)
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    files = {
        f"{module}.py": f"def run():\n    print('{name} runs')\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if script:
        files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{script} = {module}:run\n"
    record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    path = folder / f"{module}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inside, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(zipfile.ZipInfo(inside), text)
    return path


def pin(path: Path, *, hashed: bool = True) -> Pin:
    """Return the line of a lock for a wheel."""
    name, version = path.name.split("-")[:2]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Pin(
        requirement=Requirement(f"{name.replace('_', '-')}=={version}"),
        hashes=frozenset([digest] if hashed else []),
    )
