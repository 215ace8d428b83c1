"""`check.py [FOLDER]`: compare a bundle with its manifest, by a Python that has nothing installed.

Every file that is missing or damaged is one line on standard error, and the exit status is then 2.
It ends with 2 too where this is not the Python or the machine that the wheels are for.
"""

import hashlib
import json
import platform
import sys
from pathlib import Path

BLOCK = 1 << 20


def digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    made = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            made.update(block)
    return made.hexdigest()


def fault(path: Path, size: int, wanted: str) -> str:
    """Return what is wrong with a file of `size` bytes, or nothing."""
    try:
        found = path.stat().st_size
        if found != size:
            return f"damaged: it has {found} bytes, wanted {size}"
        return "" if digest(path) == wanted else "damaged: its SHA-256 is another one"
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def main() -> int:
    """Check the bundle and this Python; return 0 where both are right, else 2."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    folder = folder if folder.is_dir() else folder.parent
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        files, wanted = manifest["files"], (manifest["python"], manifest["machine"])
        whole = manifest["whole"]
        faults = [
            (one["path"], fault(folder / one["path"], one["bytes"], one["sha256"])) for one in files
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"error: {folder / 'manifest.json'} cannot be read: {error}\n")
        return 2
    if not whole:
        sys.stderr.write("error: this bundle is unfinished; `arena bundle` there goes on with it\n")
        return 2
    bad = [(name, why) for name, why in faults if why]
    for name, why in bad:
        sys.stderr.write(f"{name}: {why}\n")
    if bad:
        sys.stderr.write(f"error: {len(bad)} of {len(files)} files; carry them here again\n")
        return 2
    here = (".".join(platform.python_version_tuple()[:2]), platform.machine())
    if here != wanted:
        sys.stderr.write(
            f"error: this bundle is for Python {wanted[0]} on {wanted[1]}, and {sys.executable} is "
            f"{here[0]} on {here[1]}; name the right one: PYTHON=python{wanted[0]} ./install.sh\n"
        )
        return 2
    gib = sum(one["bytes"] for one in files) / 2**30
    sys.stdout.write(f"{len(files)} files, {gib:.2f} GiB: all as in the manifest\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
