"""Tables of figures on screens that are too narrow for them."""

import io

import pytest

from arena.cli.console.screens import open_consoles, open_screen
from arena.cli.rendering.report_table import print_figures
from eval.report.elements import Column, FigureCell, Table

FIGURE = FigureCell(value=12.5, low=3.25, high=45.75, places=2)
NAME = "a-contestant-with-a-long-name"


def table() -> Table:
    return Table(
        name="figures",
        title="",
        columns=(
            Column(key="m", title="Metric", align="left"),
            *(
                Column(key=f"n{number}", title=f"Name {number}", align="left")
                for number in range(4)
            ),
            Column(key="v", title="Macro"),
            Column(key="u", title="Undefined"),
        ),
        rows=(("a_metric_of_this_table", *[NAME] * 4, FIGURE, 7),),
    )


@pytest.mark.parametrize("width", [None, 20, 40, 80])
def test_no_figure_is_cut_off_where_lines_are_not_as_long(width: int | None) -> None:
    out = io.StringIO()
    print_figures(open_screen(out, width=width, env={}), table())
    [row] = [line for line in out.getvalue().splitlines() if "a_metric" in line]
    assert row.count(NAME) == 4
    assert "12.50 [3.25, 45.75]" in row
    assert row.rstrip().endswith("7")


def test_on_a_terminal_names_fold_before_figures_are_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr(out, "isatty", lambda: True)
    print_figures(open_consoles(width=40, no_color=True).out, table())
    [row] = [line for line in out.getvalue().splitlines() if "a_metric" in line]
    assert NAME not in row
    assert "12.50 [3.25, 45.75]" in row
    assert row.rstrip().endswith("7")
