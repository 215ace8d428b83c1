"""Engines and loads of the GPU check: published shapes with random weights, or the stand-ins."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from arena.bench.arms import ARMS, OURS, Arm
from arena.bench.gpu.step_runner import StepContext, StepSkipped
from arena.bench.servers.bench_engines import (
    BLOCK_TOKENS,
    StartedEngine,
    find_fit_problem,
    serve_dummy_engine,
)
from arena.bench.servers.bench_servers import (
    SERVED_MODEL,
    BenchServers,
    name_endpoint,
    open_servers,
)
from arena.bench.servers.engine_rates import PLACES, measure_engine
from arena.bench.workload import Workload
from arena.bench.workload_shapes import WorkloadShape
from arena.errors import ConfigError
from arena.models.chat import Completion, Request
from arena.run.observer import BaseObserver
from arena.run.servers.connected_model import NO_PICTURES
from serving.model_files.profile import find_profile

QWEN: Final = "qwen2.5-vl-7b"
_STAND_INS: Final = {QWEN: "stand-in", "yi-vl-6b": "stand-in-yi"}
_REPLY_TOKENS: Final = 128
"""Maximum tokens of a reply: random weights do not end one by themselves."""
_SHORT_CONTEXT: Final = 8_192
"""Tokens: models with a smaller context get short scripts and short replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEngine:
    """An engine that runs for a step, as the benchmark sees it."""

    started: StartedEngine
    served: BenchServers
    load: Workload

    @property
    def kv_tokens(self) -> int:
        """Token capacity of the KV cache; 0: the server does not report it."""
        match self.served.details["kv_tokens"]:
            case [int(tokens)]:
                return tokens
            case _:
                return 0

    @property
    def folder(self) -> Path:
        """Folder of the model."""
        return Path(self.started.argv[self.started.argv.index("--model") + 1])

    @property
    def vocabulary(self) -> int | None:
        """Number of tokens of the model's vocabulary; None: its folder does not report it."""
        try:
            config = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return config.get("vocab_size") or config.get("text_config", {}).get("vocab_size")

    def require_token_ids(self, why: str) -> None:
        """Raise `StepSkipped` with `why` if prompts are not sent as token ids."""
        if self.served.details["transport"] != "tokens":
            raise StepSkipped(f"not on this server: {why}")

    async def measure(
        self, arm: Arm, seconds: float, observer: BaseObserver | None = None
    ) -> dict[str, Any]:
        """Play in `arm` for at most `seconds`; return figures of the client and of the engine.

        For a play that is cut, there are only the engine's figures, up to that time.
        """
        play = self.served.play(self.load, arm, observer)
        figures, rates = await measure_engine(
            self.started.address, play, limit=seconds, seconds_of=lambda one: one.seconds
        )
        cut = f"did not finish within {seconds:.0f} s: the engine's figures only"
        return {
            "arm": arm.name,
            "about": arm.about,
            "cut": "" if figures else cut,
            "client": figures and figures.as_object(PLACES),
            "engine": rates,
        }


@dataclass(slots=True)
class CallRecorder(BaseObserver):
    """Recorder of a play's calls: match, request and completion, in the order of completion."""

    calls: list[tuple[str, Request, Completion]] = field(
        default_factory=list[tuple[str, Request, Completion]]
    )

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Record a call."""
        self.calls.append((match, request, completion))

    def by_seat(self) -> dict[tuple[str, str], list[tuple[Request, Completion]]]:
        """Return the calls of each seat of each match, match by match."""
        found: dict[tuple[str, str], list[tuple[Request, Completion]]] = {}
        for match, request, completion in self.calls:
            found.setdefault((match, request.call_id.seat), []).append((request, completion))
        return dict(sorted(found.items()))


@asynccontextmanager
async def serve_step_engine(
    work: StepContext,
    name: str,
    matches: int,
    *,
    pool: int | None = None,
    flags: Sequence[str] = (),
) -> AsyncGenerator[StepEngine]:
    """Serve the shape `name` with random weights while the block runs; in a rehearsal its stand-in.

    `pool`: tokens of the KV cache; None: as its memory allows. Records what was started. Raises
    `StepSkipped` if the shape does not fit this host.
    """
    model = choose_model(work, name)
    profile = find_profile(model)
    if profile.plugin and profile.plugin not in work.hardware.plugins:
        raise ConfigError(
            f"vLLM's plugin {profile.plugin!r} is not installed here; install the checkout again"
        )
    if misfit := find_fit_problem(model, work.hardware):
        raise StepSkipped(f"{model} does not fit this host: {misfit}")
    run = make_shape(matches, work.rehearsal, profile.serve_tokens).make_run(0)
    load = run.make_workload(SERVED_MODEL)
    build = work.hardware.engine
    blocks = pool // BLOCK_TOKENS[build] if pool is not None and build is not None else None
    async with serve_dummy_engine(
        model, work.hardware, blocks=blocks, flags=flags, say=work.say
    ) as started:
        endpoint = name_endpoint(started.address)
        async with open_servers(endpoint, load, work.hardware, NO_PICTURES) as served:
            serving = StepEngine(started=started, served=served, load=load)
            work.add_results(
                model=model,
                instead_of=name if model != name else "",
                weights="untrained" if profile.stand_in else "random",
                remark=started.remark,
                engine=started.version,
                flags=started.argv[1:],
                start_seconds=round(started.seconds, 1),
                kv_tokens=serving.kv_tokens or None,
                context_tokens=served.details["context_tokens"],
                transport=served.details["transport"],
                vocabulary=serving.vocabulary,
                load={
                    "matches": matches,
                    "scripts": len(run.scripts),
                    "words": len(run.scripts[0].roles[0].script.split()),
                    "seats": len(run.scripts[0].roles),
                },
            )
            yield serving


def choose_model(work: StepContext, name: str) -> str:
    """Return the model to serve as `name`; `StepSkipped` if a rehearsal has no stand-in."""
    if not work.rehearsal:
        return name
    if name not in _STAND_INS:
        raise StepSkipped(f"a rehearsal has no stand-in for {name}: its size is what matters")
    return _STAND_INS[name]


def make_shape(matches: int, rehearsal: bool, context: int) -> WorkloadShape:
    """Return the load: two matches of each script, so that scripts fill the cache too."""
    words = 3_000 if context > _SHORT_CONTEXT else 300
    return WorkloadShape(
        name="gpu check",
        kv_tokens=1_000_000,
        scripts=max(1, matches // 2),
        words=(100 if rehearsal else words,),
        seats=4,
        matches=matches,
        preset="short",
    )


def cap_replies(arm: Arm) -> Arm:
    """Return the arm with replies of the length of this check."""
    return replace(arm, client=replace(arm.client, reply_tokens=_REPLY_TOKENS))


OURS_CAPPED: Final = cap_replies(ARMS[OURS])
