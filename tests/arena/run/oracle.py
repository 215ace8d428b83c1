"""A model that checks what the server says was cached against the oracle's prediction."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from arena.models.chat import ChatModel, Completion, Request
from arena.models.tokens.prompt_tokenizer import IncrementalPromptTokenizer
from scripts_mm.script import Picture
from tests.fakes.prefix_cache_oracle import PrefixCacheOracle, expand_images


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One call: what was predicted and what the server said."""

    label: str
    prompt: tuple[int, int]
    """Tokens of the prompt: predicted, reported."""
    cached: tuple[int, int]
    pictures: int


@dataclass(slots=True, kw_only=True)
class Oracle:
    """Predicts every call of one model, then makes it. Calls may not overlap."""

    model: ChatModel
    speller: IncrementalPromptTokenizer
    cache: PrefixCacheOracle
    picture_tokens: Callable[[Picture], int]
    as_text: bool
    """The server tokenises replies again, so that their own tokens do not count."""
    checked: list[Checked] = field(default_factory=list[Checked])

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion; note prediction and report."""
        messages = request.messages
        if self.as_text:
            messages = tuple(replace(message, ids=()) for message in messages)
        prompt = self.speller.encode(messages)
        shown = [(picture.sha256, self.picture_tokens(picture)) for picture in prompt.pictures]
        ids, pictures = expand_images(prompt.ids, prompt.picture_indices, shown)
        predicted = self.cache.cached(ids, pictures)
        completion = await self.model.complete(request)
        assert completion.cached_tokens is not None
        self.checked.append(
            Checked(
                label=f"{request.call_id.seat} {request.call_id.request}",
                prompt=(len(ids), completion.prompt_tokens),
                cached=(predicted, completion.cached_tokens),
                pictures=len(shown),
            )
        )
        # The last token of a reply never went through the model.
        ids.extend(completion.ids[:-1])
        self.cache.add(ids, pictures)
        return completion
