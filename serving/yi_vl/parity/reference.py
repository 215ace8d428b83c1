"""Yi-VL in plain transformers and torch: what the plugin must agree with.

It reads both layouts by itself and shares no code with the plugin, so that one mistake is not
made twice. Sources: the published model code (01-ai/Yi, folder VL) for the projector, the padding
and the tokens of a prompt; transformers' Llama and CLIP for the rest. For tests and
`serving.yi_vl.parity`; imports torch and transformers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import torch
from PIL import Image
from tokenizers import Tokenizer
from transformers import CLIPVisionConfig, CLIPVisionModel, LlamaConfig, LlamaForCausalLM
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

from serving.yi_vl.parity.reference_files import Files, read_files

PLACEHOLDER: Final = "<image_placeholder>"
"""What stands in a prompt for a picture."""

Precision = Literal["float32", "bfloat16"]

_WHITE: Final = (255, 255, 255)
_LANGUAGE: Final[Any] = LlamaForCausalLM
_TOWER: Final[Any] = CLIPVisionModel
_PROCESSOR: Final[Any] = CLIPImageProcessorPil


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What was generated greedily, and how likely every token was at each step."""

    tokens: tuple[int, ...]
    rows: Any
    """A tensor in float32, steps x words: natural logarithms of probabilities."""


class Reference:
    """One loaded checkpoint; `norms=False` leaves the projector's LayerNorms out."""

    def __init__(self, folder: Path, *, dtype: Precision = "float32", norms: bool = True) -> None:
        files = read_files(folder)
        self._dtype: Any = getattr(torch, dtype)
        self._layer, self._words = files.layer, files.words
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._processor: Any = _PROCESSOR.from_pretrained(str(files.processor))
        self._language = self._make(
            _LANGUAGE(LlamaConfig(**files.language)), files.language_weights
        )
        tower = _TOWER(CLIPVisionConfig(**files.tower))
        self._tower = self._make(tower, _named_as(tower, files.tower_weights))
        self._projector = self._make(_projector(files, norms=norms), _kept(files, norms=norms))

    def chunks(self, prompt: str) -> list[list[int]]:
        """Return the tokens of each text between pictures; each text is tokenised alone."""
        texts = prompt.split(PLACEHOLDER)
        return [self._tokenizer.encode(text, add_special_tokens=False).ids for text in texts]

    def pixels(self, picture: Image.Image) -> Any:
        """Return the tensor 3 x 448 x 448 that the tower sees of `picture`."""
        square = pad_to_square(flatten(picture), self._processor.image_mean)
        return self._processor(square, return_tensors="pt")["pixel_values"][0]

    def features(self, picture: Image.Image) -> Any:
        """Return the tensor features x hidden that stands in a prompt for `picture`."""
        with torch.inference_mode():
            seen = self._tower(
                self.pixels(picture)[None].to(self._dtype), output_hidden_states=True
            )
            return self._projector(seen.hidden_states[self._layer][0, 1:])

    def greedy(self, prompt: str, pictures: Sequence[Image.Image], new_tokens: int) -> Reply:
        """Return the likeliest token after each other, `new_tokens` in all; nothing stops it."""
        with torch.inference_mode():
            states, cache = self._embed(prompt, pictures), None
            tokens: list[int] = []
            rows: list[Any] = []
            for _ in range(new_tokens):
                seen = self._language(
                    inputs_embeds=states, past_key_values=cache, use_cache=True, logits_to_keep=1
                )
                cache = seen.past_key_values
                rows.append(self._likely(seen)[-1])
                tokens.append(int(rows[-1].argmax()))
                states = self._states(tokens[-1:])
        return Reply(tokens=tuple(tokens), rows=torch.stack(rows))

    def score(self, prompt: str, pictures: Sequence[Image.Image], tokens: Sequence[int]) -> Any:
        """Return the rows of a reply that is made to be `tokens`, as in `Reply.rows`."""
        with torch.inference_mode():
            before = self._embed(prompt, pictures)
            states = torch.cat((before, self._states(tokens[:-1])), dim=1)
            seen = self._language(inputs_embeds=states, logits_to_keep=len(tokens))
            return self._likely(seen)

    def _likely(self, seen: Any) -> Any:
        """Return the rows of a pass, of words alone: nobody says a picture or a spare token."""
        return torch.log_softmax(seen.logits[0, :, : self._words].float(), dim=-1)

    def _embed(self, prompt: str, pictures: Sequence[Image.Image]) -> Any:
        first, *others = self.chunks(prompt)
        if len(others) != len(pictures):
            raise ValueError(
                f"wanted a picture for each of {len(others)} {PLACEHOLDER!r}, got {len(pictures)}"
            )
        parts = [self._states(first)]
        for chunk, picture in zip(others, pictures, strict=True):
            parts += [self.features(picture)[None], self._states(chunk)]
        return torch.cat(parts, dim=1)

    def _states(self, tokens: Sequence[int]) -> Any:
        return self._language.get_input_embeddings()(torch.tensor([list(tokens)], dtype=torch.long))

    def _make(self, module: Any, weights: dict[str, Any]) -> Any:
        """Load `weights`, no more and no less; buffers such as RoPE's stay in float32."""
        module.load_state_dict(weights, strict=True)
        for parameter in module.parameters():
            parameter.data = parameter.data.to(self._dtype)
        return module.eval()


def flatten(picture: Image.Image) -> Image.Image:
    """Return `picture` in RGB; vLLM puts what is transparent on white before a model sees it."""
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    ground = Image.new("RGB", picture.size, _WHITE)
    ground.paste(picture, mask=picture.getchannel("A"))
    return ground


def pad_to_square(picture: Image.Image, mean: Sequence[float]) -> Image.Image:
    """Return an RGB picture in the middle of a square of the mean colour (published code)."""
    side = max(picture.size)
    red, green, blue = (int(channel * 255) for channel in mean)
    square = Image.new("RGB", (side, side), (red, green, blue))
    square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    return square


def _projector(files: Files, *, norms: bool) -> Any:
    into, hidden = files.tower["hidden_size"], files.language["hidden_size"]
    layers: list[Any] = [
        torch.nn.Linear(into, hidden),
        torch.nn.LayerNorm(hidden, eps=1e-5),
        torch.nn.GELU(),
        torch.nn.Linear(hidden, hidden),
        torch.nn.LayerNorm(hidden, eps=1e-5),
    ]
    if not norms:
        layers[1] = layers[4] = torch.nn.Identity()
    return torch.nn.Sequential(*layers)


def _kept(files: Files, *, norms: bool) -> dict[str, Any]:
    weights = files.projector_weights
    return {name: weights[name] for name in weights if norms or name[0] in {"0", "3"}}


def _named_as(tower: Any, weights: dict[str, Any]) -> dict[str, Any]:
    """Return a tower's weights by the names of this version of transformers."""
    prefix = "vision_model."
    if any(name.startswith(prefix) for name in tower.state_dict()):
        return weights
    return {name.removeprefix(prefix): tensor for name, tensor in weights.items()}
