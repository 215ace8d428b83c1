"""When a page of 7,000 events shows something (Chromium).

`python -m tests.arena.web.painting_study`

Printed are milliseconds to the first contentful paint of a match page (the first visit and the
next) and of the exported file, the sizes of both, and the events of the match.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

from arena.web.match_export import write_match
from tests.arena.web.browser import chromium, site
from tests.arena.web.long_record import make_long_run
from tests.arena.web.test_browser import until
from tests.arena.web.test_server import MATCH


def first_paint(page: Any, address: str) -> float:
    """Open a page and return after how many milliseconds something is shown."""
    page.goto(address)
    until(page, "performance.getEntriesByName('first-contentful-paint').length > 0")
    found: float = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    return found


def main() -> None:
    """Measure, and print."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        record, events = make_long_run(folder / "one")
        exported = folder / "out.html"
        write_match(record, exported)
        with site(folder) as address, chromium() as page:
            page.goto(f"{address}/")
            taken = {
                "first visit": first_paint(page, f"{address}{MATCH}"),
                "next visit": first_paint(page, f"{address}{MATCH}"),
                "export": first_paint(page, exported.as_uri()),
            }
            size = len(urlopen(f"{address}{MATCH}").read())
        sys.stdout.write(f"{len(events)} events, page {size / 1e6:.2f} MB, ")
        sys.stdout.write(f"export {exported.stat().st_size / 1e6:.2f} MB\n")
        for name, milliseconds in taken.items():
            sys.stdout.write(f"{name}: first paint after {milliseconds:.0f} ms\n")


if __name__ == "__main__":
    main()
