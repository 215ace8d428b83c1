"""`python -m serving.engine_sim --profile instant --port 0`: run a simulated server.

It writes its URL as the first line on standard output and serves until SIGINT or SIGTERM. If
ARENA_ENGINE_KEY is set, every request except GET /health must send that key.
"""

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

from serving.engine_sim.cost_model.engine_profile import list_engine_profiles
from serving.engine_sim.fault_injection import parse_faults
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from serving.engine_sim.simulator import SimOptions, Simulator
from serving.errors import ServingError
from serving.process.ports import free_port
from serving.shim.engine_guard import KEY_VARIABLE

_DIED: Final = 3
"""The exit status of a server that an injected fault ended."""


def main() -> int:
    """Serve until a signal or an injected fault ends the server; return the exit status."""
    words = vars(_parser().parse_args())
    profile, port, faults = words.pop("profile"), words.pop("port"), words.pop("faults")
    words["key"] = os.environ.get(KEY_VARIABLE, "")
    try:
        if faults is not None:
            words["faults"] = parse_faults(faults)
        if port:
            free_port(port)
        state = create_simulator(profile, **words)
    except ServingError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(state, port))
    return 0


async def _serve(state: Simulator, port: int) -> None:
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    async with serve_simulator(state, port=port, exit_at_death=_die) as url:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        await over.wait()


def _die() -> None:
    os._exit(_DIED)


def _loop_factory() -> Any:
    try:
        import uvloop  # noqa: PLC0415 - optional, faster
    except ImportError:
        return None
    return uvloop.new_event_loop


def _parser() -> argparse.ArgumentParser:
    usual = SimOptions()
    parser = argparse.ArgumentParser(
        prog="python -m serving.engine_sim", description="A server like vLLM's, without a model."
    )
    add = parser.add_argument
    add("--profile", default="instant", help=f"one of {', '.join(list_engine_profiles())}")
    add("--port", type=int, default=0, help="0: any free port")
    add("--model", default=usual.model, help="the served model name")
    add("--tokenizer", type=Path, help="a model's folder; default: one token per word")
    add("--context", type=int, help="tokens of a prompt and its reply; default: the profile's")
    add("--kv-tokens", type=int, help="tokens of KV cache; default: the profile's")
    add("--reply-tokens", type=int, default=usual.reply_tokens, help="mean tokens of a reply")
    add("--seed", type=int, default=usual.seed, help="the seed of all replies")
    add("--no-token-in", dest="token_in", action="store_false", help="no /inference/v1/generate")
    add("--faults", help="JSON, as for POST /faults: seconds, failing, drift, die_after and more")
    return parser


if __name__ == "__main__":
    sys.exit(main())
