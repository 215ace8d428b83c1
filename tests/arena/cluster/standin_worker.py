"""A stand-in for `arena cluster worker`: its matches are empty files, and it can be held.

Two matches of a shard are over at once, the others as soon as the file `go` is in the folder. TERM
lets no further match begin; then the status is 75.
"""

import os
import signal
import sys
from pathlib import Path
from time import sleep

MATCHES = 4
BEFORE_GO = 2


def main(out: Path, shard: str) -> int:
    """Play shard `INDEX/COUNT`."""
    stopped: list[int] = []
    # No event of `threading`: its lock may be held when the signal comes.
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    folder = out / "shards" / shard.partition("/")[0]
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(MATCHES):
        match = folder / f"match-{index}"
        while index >= BEFORE_GO and not (out / "go").exists() and not stopped:
            sleep(0.1)
        if stopped:
            # A second TERM must not kill Python while it ends.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            return os.EX_TEMPFAIL
        match.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[sys.argv.index("--shard") + 1]))
