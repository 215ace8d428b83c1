"""The command of the evaluation answers a wrong model with one line."""

import pytest
import typer

from arena.training.evaluate import main


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("http://127.0.0.1:9", "http://127.0.0.1:9 does not answer"),
        ("naive:nope=1", "player 'naive' has no option 'nope'"),
    ],
)
def test_a_model_that_cannot_be_evaluated_is_one_line_and_no_traceback(
    model: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        main(model=model, cases=0, first=0, table="", replies="", out=None)
    assert ended.value.exit_code == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")
