"""`check.py [FOLDER]`: compare a bundle with its manifest, using only the standard library.

Every missing, damaged or unlisted file is one line on standard error; the exit status is then 2. It
is also 2 if the wheels are for another Python or machine. The script prints the manifest's SHA-256,
which must equal the one that `arena bundle` printed.
"""

import hashlib
import json
import platform
import sys
from collections.abc import Collection
from pathlib import Path

BLOCK = 1 << 20
INSTALLED = ("wheels", "kernels")
"""The folders that `install.sh` installs from."""


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    made = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            made.update(block)
    return made.hexdigest()


def find_damage(path: Path, size: int, wanted: str) -> str:
    """Return the fault of a file with expected size and SHA-256, or ""."""
    try:
        found = path.stat().st_size
        if found != size:
            return f"damaged: wanted {size} bytes, got {found}"
        return "" if file_digest(path) == wanted else "damaged: its SHA-256 differs"
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def find_unlisted(folder: Path, named: Collection[str]) -> list[str]:
    """Return the files in the wheel folders that are not in the manifest."""
    there = [path for part in INSTALLED for path in (folder / part).rglob("*") if path.is_file()]
    return sorted({path.relative_to(folder).as_posix() for path in there}.difference(named))


def main() -> int:
    """Check the bundle and this Python; return 0 if both are right, else 2."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    folder = folder if folder.is_dir() else folder.parent
    try:
        data = (folder / "manifest.json").read_bytes()
        manifest = json.loads(data)
        files = [(one["path"], one["bytes"], one["sha256"]) for one in manifest["files"]]
        wanted, whole = (manifest["python"], manifest["machine"]), manifest["whole"]
        bad = _check_target(wanted, whole=whole and bool(files)) or _check_files(folder, files)
        gib = sum(size for _, size, _ in files) / 2**30
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        sys.stderr.write(f"error: {folder / 'manifest.json'} cannot be read: {error}\n")
        return 2
    if bad:
        sys.stderr.write("".join(f"{line}\n" for line in bad))
        return 2
    sys.stdout.write(f"{len(files)} files, {gib:.2f} GiB: all match the manifest\n")
    sys.stdout.write(f"SHA-256 of manifest.json: {hashlib.sha256(data).hexdigest()}\n")
    return 0


def _check_target(wanted: tuple[str, str], *, whole: bool) -> list[str]:
    """Return why this bundle cannot be installed here, before reading its files."""
    if not whole:
        return ["error: this bundle is incomplete; run `arena bundle` again on the other host"]
    here = (".".join(platform.python_version_tuple()[:2]), platform.machine())
    if here == wanted:
        return []
    return [
        f"error: this bundle is for Python {wanted[0]} on {wanted[1]}, and {sys.executable} is "
        f"{here[0]} on {here[1]}; choose the right one: PYTHON=python{wanted[0]} ./install.sh"
    ]


def _check_files(folder: Path, files: list[tuple[str, int, str]]) -> list[str]:
    found = [(name, find_damage(folder / name, size, sha256)) for name, size, sha256 in files]
    bad = [f"{name}: {why}" for name, why in found if why]
    extra = find_unlisted(folder, [name for name, _, _ in files])
    lines = [*bad, *(f"{name}: not in the manifest" for name in extra)]
    if bad:
        lines.append(f"error: {len(bad)} of {len(files)} files; copy them here again")
    elif extra:
        lines.append("error: files that are not in the manifest; remove them")
    return lines


if __name__ == "__main__":
    sys.exit(main())
