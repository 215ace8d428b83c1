"""Command line of the checkpoint writer.

    python -m serving.yi_vl.checkpoints FOLDER --layout published|converted
        [--size tiny|6b-shape|34b-shape] [--no-weights] [--dtype float32|bfloat16] [--seed N]

Imports torch.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from serving.yi_vl.checkpoints.writer import write_checkpoint, write_configuration
from serving.yi_vl.model_dims import SIX_B, THIRTY_FOUR_B, TINY, ModelDims

SIZES: Final[Mapping[str, ModelDims]] = {
    "tiny": TINY,
    "6b-shape": SIX_B,
    "34b-shape": THIRTY_FOUR_B,
}
"""Dimensions by the values of `--size`."""

_USAGE_ERROR: Final = 2


def main(words: Iterable[str] | None = None) -> int:
    """Write the checkpoint that the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m serving.yi_vl.checkpoints")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layout", choices=("published", "converted"), required=True)
    parser.add_argument("--size", choices=tuple(SIZES), default="tiny")
    parser.add_argument("--no-weights", action="store_true", help="for --load-format dummy")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="bfloat16")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(None if words is None else list(words))
    if args.size != "tiny" and not args.no_weights:
        sys.stderr.write(f"only 'tiny' has weights; {args.size!r} needs --no-weights\n")
        return _USAGE_ERROR
    dims = SIZES[args.size]
    try:
        if args.no_weights:
            write_configuration(args.folder, layout=args.layout, dims=dims, dtype=args.dtype)
        else:
            write_checkpoint(
                args.folder, layout=args.layout, seed=args.seed, dims=dims, dtype=args.dtype
            )
    except OSError as error:
        sys.stderr.write(f"cannot write a checkpoint to {str(args.folder)!r}: {error}\n")
        return _USAGE_ERROR
    return 0
