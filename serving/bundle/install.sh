#!/bin/sh
# Check this bundle and install it into a new folder TARGET, without a network.
#   [PYTHON=python3.11] ./install.sh TARGET
# An interrupted call leaves a mark in TARGET, and the next call starts again there.
set -eu
fail() { echo "error: $*" >&2; exit 2; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
[ $# -eq 1 ] || fail "wanted one folder to install into, for example: $0 /opt/arena"
mark=.arena-unfinished
python=${PYTHON:-python3}
command -v "$python" >/dev/null || fail "no $python found; install Python, or name one: PYTHON=..."
unset PYTHONPATH PYTHONHOME
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || fail "$python is not Python 3.11 or newer; name one: PYTHON=..."
if [ -e "$1" ] && [ ! -e "$1/$mark" ]; then
    [ -d "$1" ] || fail "$1 is a file; name a new folder"
    [ -z "$(ls -A -- "$1")" ] || fail "$1 is not empty; name a new folder, or remove it first"
fi

"$python" "$here/check.py" "$here" || exit 2
mkdir -p -- "$1" || fail "cannot create $1"
target=$(CDPATH='' cd -- "$1" && pwd)
: >"$target/$mark" || fail "cannot write to $1"
find "$target" -mindepth 1 ! -name "$mark" -delete  # left by an interrupted call
"$python" -m venv "$target" || fail "no environment in $1 (Debian and Ubuntu: the package python3-venv)"

export PIP_CONFIG_FILE=/dev/null
pip() { "$target/bin/python" -m pip --isolated --disable-pip-version-check "$@"; }
pip install --quiet --no-cache-dir --no-index --find-links "$here/wheels" --no-deps \
    -r "$here/requirements.txt" || fail "pip failed; see its output above"
for kernels in "$here"/kernels/*.whl; do
    [ ! -e "$kernels" ] || pip install --quiet --no-cache-dir --no-index --no-deps "$kernels" \
        || fail "cannot install $kernels"
done
pip check >/dev/null || { pip check >&2 || true; fail "the packages are incompatible"; }
[ -x "$target/bin/arena" ] || fail "pip did not install $target/bin/arena"

cat >"$target/arena.env" <<END
# Read by: . $target/arena.env
export PATH="$target/bin:\$PATH"
[ ! -d "$here/weights" ] || export ARENA_MODELS="$here/weights"
export HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1
export VLLM_NO_USAGE_STATS=1 DO_NOT_TRACK=1
END
rm "$target/$mark"
cat <<END
installed in $target. Next:
  . $target/arena.env
  arena doctor                                  what this host has
  arena doctor --offline --engine               plays a match with the network cut off
  arena match --civ naive --murderer random     a match without a model
  arena match --civ qwen --murderer naive       a match with a model, or its untrained stand-in
END
