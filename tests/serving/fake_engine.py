"""A small program with an engine's HTTP face, whose misbehaviour the command line decides.

Run as a process of its own by the tests of the supervisor. What it does at its n-th start is the
n-th word of `--lives`, the last word ever after: `well`, `mute` (never healthy), `slow` (healthy
after a second), `die` (ends while it starts), `bind` (never opens its port).
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from aiohttp import web

CHILD = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--lives", default="well")
    parser.add_argument("--stubborn", action="store_true", help="take no notice of SIGTERM")
    options = parser.parse_args()
    life = next_life(options.folder, options.lives.split(","))
    log("(APIServer pid=7) INFO 11-21 10:07:11 [model.py:733] Loading the weights")
    if options.stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    (options.folder / "scratch").write_text(tempfile.gettempdir())
    child = subprocess.Popen([sys.executable, "-c", CHILD])
    with (options.folder / "pids").open("a") as file:
        file.write(f"{os.getpid()}\n{child.pid}\n")
    if life == "die":
        log("ERROR 11-21 10:07:11 [core.py:1] ValueError: the weights are torn")
        log("RuntimeError: Engine core failed. See root cause above.")
        sys.exit(3)
    if life == "bind":
        time.sleep(600)
    web.run_app(face(options.model, life), host="127.0.0.1", port=options.port, print=None)


def log(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def next_life(folder: Path, lives: list[str]) -> str:
    """Return what is to happen at this start, and count it."""
    counter = folder / "starts"
    started = int(counter.read_text()) if counter.exists() else 0
    counter.write_text(str(started + 1))
    return lives[min(started, len(lives) - 1)]


def face(model: str, life: str) -> web.Application:
    """Return the application: health, models, and ways to make it die or fall silent."""
    began = time.monotonic()
    answers = asyncio.Event()
    if life != "mute":
        answers.set()

    async def health(request: web.Request) -> web.Response:
        await answers.wait()
        young = life == "slow" and time.monotonic() - began < 1
        return web.Response(status=503 if young else 200)

    def is_shown(request: web.Request) -> bool:
        return request.headers.get("Authorization") == f"Bearer {os.environ['ARENA_ENGINE_KEY']}"

    async def models(request: web.Request) -> web.Response:
        status = 200 if is_shown(request) else 401
        return web.json_response({"data": [{"id": model}]}, status=status)

    async def version(request: web.Request) -> web.Response:
        return web.json_response({"version": "0"}, status=200 if is_shown(request) else 401)

    async def die(request: web.Request) -> web.Response:
        log("torch.OutOfMemoryError: no room for 3 GiB")
        os._exit(9)

    async def fall_silent(request: web.Request) -> web.Response:
        answers.clear()
        return web.Response()

    app = web.Application()
    app.router.add_get("/health", health)
    app.router.add_get("/v1/models", models)
    app.router.add_get("/version", version)
    app.router.add_post("/die", die)
    app.router.add_post("/silence", fall_silent)
    return app


if __name__ == "__main__":
    main()
