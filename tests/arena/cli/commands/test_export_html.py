"""`arena export --to html`: one match as one file, with or without its secrets."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Told

SECRET = "Audit of claims"


@pytest.mark.slow
def test_an_export_has_the_audit_and_the_secrets_where_the_truth_is_asked_for(
    program: Callable[..., Told],
) -> None:
    match = ("--civ", "naive", "--murderer", "naive", "--script", "first-night", "--ballots")
    assert program("match", *match, "--preset", "short", "-q", "--out", "run").status == 0
    assert program("export", "run", "plain.html", "--to", "html").status == 0
    assert program("export", "run", "truth.html", "--to", "html", "--truth").status == 0
    plain, truth = (Path(name).read_text("utf-8") for name in ("plain.html", "truth.html"))
    assert SECRET not in plain
    assert SECRET in truth
    assert "Silent ballots" in truth
    assert "clues that not all seats see are hidden" in plain
    assert "clues that not all seats see are hidden" not in truth


def test_the_truth_is_an_option_of_html_alone(program: Callable[..., Told]) -> None:
    told = program("export", "run", "out", "--to", "inspect", "--truth")
    assert told.status == 2
    assert told.err == "error: --truth is for --to html, not for --to inspect\n"
