"""Requests and results of the simulated engine."""

from dataclasses import dataclass
from itertools import accumulate

from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.caches.prompt_types import HashedPrompt, SegmentPrompt


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRequest:
    """One request: a prompt, and a reply of exactly `output` tokens.

    `reply` is the key of the reply in later prompts ("": no later prompt holds it; a `HashedPrompt`
    contains its reply's blocks). A lower `priority` is served earlier. `pictures` are (key, tokens)
    of pictures in the prompt that can need encoding, `places` their starts; without `places` a
    picture is the segment with its key, or else is at the end. `image_bytes` are sent with the
    request; with `text_in` the server tokenises it.
    """

    prompt: SegmentPrompt | HashedPrompt
    output: int
    reply: str = ""
    priority: int = 0
    pictures: tuple[tuple[str, int], ...] = ()
    places: tuple[int, ...] = ()
    image_bytes: int = 0
    text_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """The token counts and times of a finished request.

    In seconds: `queued` from arrival at the scheduler to the first step, `first` and `seconds` from
    the call to the first token and to the end.
    """

    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    queued: float
    first: float
    seconds: float


def place_pictures(job: EngineRequest, prompt: int) -> tuple[PlacedPicture, ...]:
    """Return the pictures of a job with their places, in the order of the prompt."""
    starts = list(job.places)
    if not starts:
        segments = () if isinstance(job.prompt, HashedPrompt) else job.prompt
        before = accumulate((tokens for _, tokens in segments), initial=0)
        known = dict(zip((key for key, _ in segments), before, strict=False))
        end = prompt
        for key, tokens in reversed(job.pictures):
            start = known.get(key)
            end = end - tokens if start is None else end
            starts.insert(0, end if start is None else start)
    placed = [
        PlacedPicture(key=key, start=start, tokens=tokens)
        for (key, tokens), start in zip(job.pictures, starts, strict=True)
    ]
    return tuple(sorted(placed, key=lambda picture: picture.start))
