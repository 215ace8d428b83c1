"""`python -m arena`: the same as the console script."""

from arena.cli.main import run

run()
