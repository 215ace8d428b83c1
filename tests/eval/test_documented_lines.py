"""The lines of Python in docs/scores.md run as they are written."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.eval.export.played_runs import play_run

PAGE = Path(__file__).parents[2] / "docs" / "scores.md"
FORMS = """rater,contestant,judge,story_advancement,question_quality,response_quality,\
response_speed,role_immersion
ann,m,people,4,3,4,5,2
bo,m,people,3,3,2,4,4
"""


@pytest.mark.slow
def test_the_lines_of_the_page_run_and_give_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [block] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "forms.csv").write_text(FORMS, encoding="utf-8")
    play_run(tmp_path).rename(tmp_path / "RUN")
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(block, found)
    assert (found["people"].raters, found["people"].means["story_advancement"]) == (2, 3.5)
    assert len(found["alike"]) == 2
    assert all(0 < value <= 1 for value in found["alike"])
    assert 0 < found["p"] < 0.05
    assert found["link"].count == 8
    assert found["link"].interval.low < found["link"].value < found["link"].interval.high
