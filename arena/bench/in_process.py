"""The stand-in engine as a wire: in this process and, under `run_virtual`, in virtual time."""

from collections.abc import Iterator
from dataclasses import replace

from arena.bench.content import PICTURE_FRAME
from arena.bench.trace import Piece, Trace
from arena.bench.wires import SERVER, Answer, Call, Counts, Facts
from arena.errors import ModelError
from arena.schedule.capacity import KvCapacity
from serving.engine_sim.engine import Engine, Job
from serving.engine_sim.profile import EngineProfile
from serving.engine_sim.prompt import Prompt, Segment
from serving.engine_sim.runs import RunCache
from serving.errors import EngineError

_BASE64 = 4 / 3


class InProcess:
    """An engine that serves the prompts of one trace. To be made on the loop that it runs on."""

    def __init__(self, trace: Trace, profile: EngineProfile) -> None:
        self._trace, self._profile = trace, profile
        self._segments: dict[str, Segment] = {}
        self._held: set[str] = set()
        self._engine = self._fresh()
        self._facts = Facts(
            name=profile.name,
            engine="stand-in engine in virtual time",
            features=frozenset({"capacity", "token_in", "chat", "media_once", "priority"}),
            capacity=KvCapacity(
                endpoint=SERVER,
                tokens=(profile.blocks - 1) * profile.block,
                block_size=profile.block,
            ),
            virtual=True,
            about=(("basis", profile.basis), ("policy", profile.policy)),
            remarks=(
                "time is simulated: rates are those of the timing model, cpu_ms_per_turn holds "
                "the stand-in engine's own work, and the event loop's lag says nothing",
                "chat arms differ in the server's work of tokenising alone: prompts are the same",
            ),
        )
        if profile.policy != "priority":
            self._facts = replace(self._facts, features=self._facts.features - {"priority"})

    @property
    def facts(self) -> Facts:
        """What is known of it."""
        return self._facts

    def prompt(self, call: Call) -> Prompt:
        """Return the prompt in segments, equal ones the same object."""
        return tuple(map(self._segment, call.pieces))

    async def ask(self, call: Call) -> Answer:
        """Return the answer to one turn, or raise `ModelError` where it can never fit."""
        pictures = tuple(self._pictures(call.pieces)) if self._trace.pictures else ()
        names = {name for name, _, _ in pictures}
        # Nobody waits for a picture in an open loop: it is a bound, and sending must not slow it.
        held = names if call.taped else self._held
        sent = names - held if call.media_once else names
        job = Job(
            prompt=self.prompt(call),
            output=call.output,
            reply="" if call.taped else call.reply,
            priority=call.priority,
            pictures=tuple((name, tokens) for name, tokens, _ in pictures),
            places=tuple(place for _, _, place in pictures),
            image_bytes=round(_BASE64 * sum(self._trace.pictures[one].size for one in sent)),
            text_in=not call.token_in,
        )
        try:
            done = await self._engine.generate(job)
        except EngineError as error:
            raise ModelError(f"the stand-in engine cannot serve the trace: {error}") from error
        self._held |= names
        return Answer(
            prompt_tokens=done.prompt_tokens,
            output_tokens=done.output_tokens,
            cached_tokens=done.cached_tokens,
        )

    async def begin(self) -> None:
        """Begin anew, with empty caches."""
        self._engine = self._fresh()
        self._segments.clear()
        self._held.clear()

    async def counts(self) -> Counts:
        """Return what the engine counted since `begin`."""
        counted = self._engine.counters
        steps = sum(counted.batches.values())
        together = sum(size * times for size, times in counted.batches.items())
        return Counts(
            queries=counted.queries,
            hits=counted.hits,
            preemptions=counted.preemptions,
            batch_mean=together / steps if steps else None,
            batch_most=max(counted.batches, default=None),
        )

    async def sample(self) -> None:
        """Do nothing: the engine counts every step."""

    def _fresh(self) -> Engine:
        profile = self._profile
        return Engine(profile, RunCache(profile.blocks, profile.block))

    def _segment(self, piece: Piece) -> Segment:
        found = self._segments.get(piece.key)
        if found is None:
            found = self._segments[piece.key] = Segment(piece.key, piece.tokens)
        return found

    def _pictures(self, pieces: tuple[Piece, ...]) -> Iterator[tuple[str, int, int]]:
        """Yield name, tokens and place of every picture in a prompt."""
        start = 0
        for piece in pieces:
            if piece.picture:
                tokens = max(1, piece.tokens - PICTURE_FRAME)
                yield piece.picture, tokens, start + (piece.tokens - tokens)
            start += piece.tokens
