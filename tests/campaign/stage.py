"""Stage of the campaign: the engine, the proxies before it, and the folder of all trials."""

import json
import shutil
import signal
import urllib.request
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.campaign.plan import ProxyPlan, write_plan
from tests.campaign.processes import (
    CampaignError,
    Child,
    free_port,
    wait_until_up,
)
from tests.campaign.setups import MODEL, REPLICATED

KEY: Final = 'sk-Campaign/7f+Qz"9&=Kq'
"""Of the endpoint: with characters that JSON, HTML and URLs write in other ways."""
KEY_VARIABLE: Final = "CAMPAIGN_KEY"
SERVED: Final = "simulated"


class Stage:
    """The servers, which outlive a trial. As a context manager it ends all that it started."""

    def __init__(self, folder: Path, *, program: tuple[str, ...] = ("-m", "arena")) -> None:
        """Keep everything in `folder`; `program`: the words that run the command line."""
        self.folder = folder
        self.program = program
        self._numbers = count(1)
        self._children: list[Child] = []
        self._engine_port, self._port, self._second_port = free_port(), free_port(), free_port()
        self._plan = folder / "plan.json"
        self.engine: Child
        self.proxy: Child
        self.second_proxy: Child

    @property
    def engine_url(self) -> str:
        """The URL of the engine itself."""
        return f"http://127.0.0.1:{self._engine_port}"

    @property
    def url(self) -> str:
        """The URL that the orchestrator knows."""
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        """Start the engine and the proxies."""
        self.set_plan(ProxyPlan(journal=str(self.folder / "start.jsonl")))
        try:
            self.start_engine()
            self.start_proxy()
            self.start_second_proxy()
        except BaseException:
            self._end_all()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every process that was started here."""
        self._end_all()

    def start(self, arguments: list[str], name: str, **environment: str) -> Child:
        """Start a Python process with the endpoints of this stage."""
        unique = f"{name}-{next(self._numbers)}"
        child = Child(arguments, self.folder, unique, {**self._environment(), **environment})
        self._children.append(child)
        return child

    def start_engine(self, *options: str) -> None:
        """Start the engine, with empty caches, on the port that it always has."""
        words = ["-m", "serving.engine_sim", "--profile", "instant", "--model", SERVED]
        self.engine = self.start([*words, "--port", f"{self._engine_port}", *options], "engine")
        wait_until_up(self.engine_url, self.engine)

    def start_proxy(self) -> None:
        """Start the proxy on the port that it always has."""
        self.proxy = self._start_proxy(self._port)

    def start_second_proxy(self) -> None:
        """Start another way to the same engine, which looks like a second replica."""
        self.second_proxy = self._start_proxy(self._second_port)

    def set_plan(self, plan: ProxyPlan) -> None:
        """Give the proxies another plan."""
        write_plan(self._plan, plan)

    def restore(self) -> None:
        """Make everything healthy: what runs goes on, what ended runs again, as it was first."""
        for child in self._children:
            child.signal(signal.SIGCONT)
        if self.engine.ending() is not None:
            self.start_engine()
        if self.proxy.ending() is not None:
            self.start_proxy()
        if self.second_proxy.ending() is not None:
            self.start_second_proxy()
        self.post_faults(failing=0, seconds=0)

    def restart_engine(self, *options: str) -> None:
        """Replace the engine by one with other options."""
        self.engine.kill()
        self.start_engine(*options)

    def post_faults(self, **faults: object) -> None:
        """Let the engine itself do something wrong; see `serving.engine_sim.fault_injection`."""
        request = urllib.request.Request(
            f"{self.engine_url}/faults",
            data=json.dumps(faults).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            if answer.status != 200:
                raise CampaignError(f"the engine does not take faults: {answer.status}")

    def forget_folder(self, folder: Path) -> None:
        """Remove the folder of a trial."""
        shutil.rmtree(folder, ignore_errors=True)

    def _start_proxy(self, port: int) -> Child:
        words = ["-m", "tests.campaign.proxy", f"{port}", self.engine_url, f"{self._plan}"]
        child = self.start(words, "proxy")
        wait_until_up(f"http://127.0.0.1:{port}", child)
        return child

    def _environment(self) -> dict[str, str]:
        first, second = f"{self.url}/v1", f"http://127.0.0.1:{self._second_port}/v1"
        endpoints: dict[str, Any] = {
            MODEL: {"url": first, "key_env": KEY_VARIABLE},
            REPLICATED: {"url": first, "replicas": [second], "key_env": KEY_VARIABLE},
        }
        return {"ARENA_ENDPOINTS": json.dumps(endpoints), KEY_VARIABLE: KEY}

    def _end_all(self) -> None:
        for child in reversed(self._children):
            child.kill()
