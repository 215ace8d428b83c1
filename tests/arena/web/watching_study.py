"""What watchers cost a run: `python -m tests.arena.web.watching_study [--repeat 3]`.

A run of matches that are all live plays against a simulated GPU three times a repetition: with
nobody watching, with a watcher on each match through `arena web` in a process of its own, and
through the page of the run itself (`--web`). Printed are speeches/s, their ratio to the run that
nobody watched (geometric mean over repetitions), events that watchers got, and peak memory.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean
from tempfile import TemporaryDirectory
from typing import Final, Literal

import aiohttp
import psutil

from arena.core.events import Said
from arena.records.run_record import RunRecord
from serving.engine_sim.sim_server import run_simulator_process

Arm = Literal["nobody", "own process", "in the run"]
ARMS: Final[tuple[Arm, ...]] = ("nobody", "own process", "in the run")
SCRIPTS: Final = ("first-night", "last-tram", "quiet-harvest")
_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass(slots=True)
class Seen:
    """What the watchers got."""

    events: int = 0
    streams: int = 0
    memory: int = 0
    """Peak resident bytes of the process that serves the pages."""
    pages: set[str] = field(default_factory=set[str])


async def watch(client: aiohttp.ClientSession, page: str, seen: Seen) -> None:
    """Open the page of a match and follow its events to the end."""
    async with client.get(page) as answer:
        text = await answer.text()
    found = re.search(r'data-stream="([^"]+)"', text)
    last = re.search(r'data-last="(\d+)"', text)
    assert found is not None, f"{page} has no stream"
    address = found[1].replace("&amp;", "&") + (f"&after={last[1]}" if last else "")
    seen.streams += 1
    async with client.get(address) as stream:
        async for line in stream.content:
            seen.events += line.startswith(b"id:")
            if line.startswith(b"event: over"):
                return


async def watch_all(url: str, watchers: int, seen: Seen) -> None:
    """Put a watcher on each match as soon as it is live."""
    timeout = aiohttp.ClientTimeout(total=None)
    connector = aiohttp.TCPConnector(limit=0)
    async with (
        aiohttp.ClientSession(url, timeout=timeout, connector=connector) as client,
        asyncio.TaskGroup() as tasks,
    ):
        while len(seen.pages) < watchers:
            for page in (await live_matches(client)) - seen.pages:
                if len(seen.pages) < watchers:
                    seen.pages.add(page)
                    tasks.create_task(watch(client, page, seen))
            await asyncio.sleep(0.5)


async def live_matches(client: aiohttp.ClientSession) -> set[str]:
    """Return the addresses of the matches of all runs, which are listed before they begin."""
    found: set[str] = set()
    async with client.get("/") as answer:
        index = await answer.text()
    for run in re.findall(r'href="(/runs/[^"/]+)"', index) or [str(answer.url.path)]:
        async with client.get(run) as answer:
            found |= set(re.findall(r'href="(/runs/[^"]+/matches/[^"/?]+)"', await answer.text()))
    return found


@asynccontextmanager
async def pages_of(arm: Arm, folder: Path, run: Process) -> AsyncGenerator[tuple[str, int]]:
    """Yield where the pages are and which process serves them."""
    if arm == "in the run":
        assert run.stderr is not None
        yield await read_address(run.stderr), run.pid
        return
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena", "web", str(folder), "--port", "0"), stdout=PIPE
    )
    assert server.stdout is not None
    try:
        yield await read_address(server.stdout), server.pid
    finally:
        server.terminate()
        await server.wait()


async def read_address(said: asyncio.StreamReader) -> str:
    """Return the first address that a program prints."""
    while line := await said.readline():
        if found := _ADDRESS.search(line.decode()):
            return found[0]
    raise SystemExit("no address of the pages was printed")


async def drain(said: asyncio.StreamReader | None) -> None:
    """Read what a program says until it ends."""
    while said is not None and await said.read(1 << 16):
        pass


async def note_memory(pid: int, seen: Seen, run: Process) -> None:
    """Note the peak memory of the process that serves the pages while the run plays."""
    process = psutil.Process(pid)
    while run.returncode is None:
        seen.memory = max(seen.memory, process.memory_info().rss)
        await asyncio.sleep(1)


async def play(arm: Arm, url: str, folder: Path, words: argparse.Namespace, seed: int) -> Seen:
    """Play a run to its end, watched or not; its record lies in the only run of `folder`."""
    seen, each = Seen(), -(-words.matches // len(SCRIPTS))
    run = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena", "match", "--civ", f"{url}/v1#m"),
        *("--murderer", f"{url}/v1#m", "--preset", words.preset, "-n", str(each), "-q"),
        *("--admission", "off", "--seed", str(seed), "--out", str(folder / "run")),
        *(word for one in SCRIPTS for word in ("--script", one)),
        *(["--web"] if arm == "in the run" else []),
        env={**os.environ, "BROWSER": "true"},
        stdout=PIPE,
        stderr=PIPE,
    )
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(drain(run.stdout))
        if arm == "nobody":
            tasks.create_task(drain(run.stderr))
            tasks.create_task(note_memory(run.pid, seen, run))
            await run.wait()
            return seen
        async with pages_of(arm, folder, run) as (address, pid):
            tasks.create_task(drain(run.stderr))
            tasks.create_task(note_memory(pid, seen, run))
            watching = tasks.create_task(watch_all(address, words.watchers, seen))
            await run.wait()
            watching.cancel()
    return seen


def speeches_of(folder: Path) -> tuple[int, float]:
    """Return the speeches of a run, and the seconds from its first event to its last."""
    speeches, times = 0, list[float]()
    for record in RunRecord(path=folder / "run").matches():
        speeches += sum(isinstance(event, Said) for event in record.events())
        times += [file.stat().st_mtime for file in record.path.iterdir()]
    return speeches, max(times)


async def study(words: argparse.Namespace) -> None:
    """Play all arms in turn, and print the table."""
    rates: dict[Arm, list[float]] = defaultdict(list)
    last: dict[Arm, Seen] = {}
    sim = ("--model", "m", "--kv-tokens", str(words.kv_tokens))
    for repetition in range(words.repeat):
        for arm in ARMS:
            async with run_simulator_process(words.profile, sim) as url:
                with TemporaryDirectory() as scratch:
                    began = time.time()
                    last[arm] = await play(arm, url, Path(scratch), words, repetition * 1000)
                    speeches, ended = speeches_of(Path(scratch))
            rates[arm].append(speeches / (ended - began))
            row = {"arm": arm, "speeches": speeches, "speeches/s": round(rates[arm][-1], 2)}
            sys.stdout.write(json.dumps({**row, "events": last[arm].events}) + "\n")
            sys.stdout.flush()
    for arm in ARMS:
        paired = zip(rates[arm], rates["nobody"], strict=True)
        ratio = geometric_mean(watched / alone for watched, alone in paired)
        one = last[arm]
        sys.stdout.write(
            f"{arm}: {geometric_mean(rates[arm]):.2f} speeches/s, {ratio:.3f} of nobody; "
            f"{one.streams} watchers, {one.events} events, {one.memory / 2**20:.0f} MiB\n"
        )


def main() -> None:
    """Read the options, and run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--preset", default="short")
    parser.add_argument("--profile", default="h200-qwen2.5-vl-7b")
    parser.add_argument("--kv-tokens", type=int, default=800_000)
    asyncio.run(study(parser.parse_args()))


if __name__ == "__main__":
    main()
