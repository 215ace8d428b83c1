"""Reference model of Yi-VL in plain transformers and torch, with which the plugin must agree.

It shares no code with the plugin, so that one mistake is not made twice. Sources: the published
model code (01-ai/Yi, folder VL) for the projector, the padding and the tokens of a prompt;
transformers' Llama and CLIP for the rest. For tests and `serving.yi_vl.parity`; imports torch and
transformers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import torch
from PIL import Image
from tokenizers import Tokenizer
from transformers.models.clip.configuration_clip import CLIPVisionConfig
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.clip.modeling_clip import CLIPVisionModel
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaForCausalLM

from serving.yi_vl.parity.reference_checkpoint import ReferenceCheckpoint, read_checkpoint

PLACEHOLDER: Final = "<image_placeholder>"
"""Marks the position of a picture in a prompt."""

Precision = Literal["float32", "bfloat16"]

_WHITE: Final = (255, 255, 255)
_LANGUAGE: Final[Any] = LlamaForCausalLM
_TOWER: Final[Any] = CLIPVisionModel
_PROCESSOR: Final[Any] = CLIPImageProcessorPil


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceReply:
    """Reply that was generated greedily, with the probabilities of all tokens at each step."""

    tokens: tuple[int, ...]
    rows: Any
    """Log-probabilities (natural logarithm), float32 of shape (steps, tokens of the vocabulary)."""


class ReferenceModel:
    """Reference model of one checkpoint; `norms=False` omits the projector's LayerNorms."""

    def __init__(self, folder: Path, *, dtype: Precision = "float32", norms: bool = True) -> None:
        checkpoint = read_checkpoint(folder)
        self._dtype: Any = getattr(torch, dtype)
        self._layer, self._words = checkpoint.layer, checkpoint.words
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._processor: Any = _PROCESSOR.from_pretrained(str(checkpoint.processor))
        self._language = self._load(
            _LANGUAGE(LlamaConfig(**checkpoint.language)), checkpoint.language_weights
        )
        tower = _TOWER(CLIPVisionConfig(**checkpoint.tower))
        self.tower = self._load(tower, _rename_tower(tower, checkpoint.tower_weights))
        self.projector = self._load(
            _build_projector(checkpoint, norms=norms), _projector_weights(checkpoint, norms=norms)
        )

    def tokenise_chunks(self, prompt: str) -> list[list[int]]:
        """Return the tokens of each text between pictures; each is tokenised alone."""
        texts = prompt.split(PLACEHOLDER)
        return [self.tokenizer.encode(text, add_special_tokens=False).ids for text in texts]

    def pixels(self, picture: Image.Image) -> Any:
        """Return the tower's input for `picture`, float32 of shape (3, 448, 448)."""
        square = pad_to_square(flatten(picture), self._processor.image_mean)
        return self._processor(square, return_tensors="pt")["pixel_values"][0]

    def features(self, picture: Image.Image) -> Any:
        """Return the embeddings of `picture` in a prompt, of shape (1024, hidden)."""
        with torch.inference_mode():
            output = self.tower(
                self.pixels(picture)[None].to(self._dtype), output_hidden_states=True
            )
            return self.projector(output.hidden_states[self._layer][0, 1:])

    def generate_greedy(
        self, prompt: str, pictures: Sequence[Image.Image], new_tokens: int
    ) -> ReferenceReply:
        """Generate exactly `new_tokens` tokens, the likeliest at each step; none ends the reply."""
        with torch.inference_mode():
            states, cache = self._embed_prompt(prompt, pictures), None
            tokens: list[int] = []
            rows: list[Any] = []
            for _ in range(new_tokens):
                output = self._language(
                    inputs_embeds=states, past_key_values=cache, use_cache=True, logits_to_keep=1
                )
                cache = output.past_key_values
                rows.append(self._log_probabilities(output)[-1])
                tokens.append(int(rows[-1].argmax()))
                states = self._embed_tokens(tokens[-1:])
        return ReferenceReply(tokens=tuple(tokens), rows=torch.stack(rows))

    def score(self, prompt: str, pictures: Sequence[Image.Image], tokens: Sequence[int]) -> Any:
        """Return `ReferenceReply.rows` of a reply that is forced to be `tokens`."""
        with torch.inference_mode():
            before = self._embed_prompt(prompt, pictures)
            states = torch.cat((before, self._embed_tokens(tokens[:-1])), dim=1)
            output = self._language(inputs_embeds=states, logits_to_keep=len(tokens))
            return self._log_probabilities(output)

    def _log_probabilities(self, output: Any) -> Any:
        """Return the rows of a forward pass, without image and spare tokens."""
        return torch.log_softmax(output.logits[0, :, : self._words].float(), dim=-1)

    def _embed_prompt(self, prompt: str, pictures: Sequence[Image.Image]) -> Any:
        """Return the embeddings of a prompt, of shape (1, tokens, hidden)."""
        first, *others = self.tokenise_chunks(prompt)
        if len(others) != len(pictures):
            raise ValueError(
                f"expected a picture for each of {len(others)} {PLACEHOLDER!r}, got {len(pictures)}"
            )
        parts = [self._embed_tokens(first)]
        for chunk, picture in zip(others, pictures, strict=True):
            parts += [self.features(picture)[None], self._embed_tokens(chunk)]
        return torch.cat(parts, dim=1)

    def _embed_tokens(self, tokens: Sequence[int]) -> Any:
        return self._language.get_input_embeddings()(torch.tensor([list(tokens)], dtype=torch.long))

    def _load(self, module: Any, weights: dict[str, Any]) -> Any:
        """Load exactly `weights` into the module; buffers such as RoPE's stay in float32."""
        module.load_state_dict(weights, strict=True)
        for parameter in module.parameters():
            parameter.data = parameter.data.to(self._dtype)
        return module.eval()


def flatten(picture: Image.Image) -> Image.Image:
    """Return `picture` in RGB, transparent parts on white, as vLLM converts it."""
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    ground = Image.new("RGB", picture.size, _WHITE)
    ground.paste(picture, mask=picture.getchannel("A"))
    return ground


def pad_to_square(picture: Image.Image, mean: Sequence[float]) -> Image.Image:
    """Return an RGB picture in the middle of a square of the mean colour, as published."""
    side = max(picture.size)
    red, green, blue = (int(channel * 255) for channel in mean)
    square = Image.new("RGB", (side, side), (red, green, blue))
    square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    return square


def _build_projector(checkpoint: ReferenceCheckpoint, *, norms: bool) -> Any:
    vision, hidden = checkpoint.tower["hidden_size"], checkpoint.language["hidden_size"]
    layers: list[Any] = [
        torch.nn.Linear(vision, hidden),
        torch.nn.LayerNorm(hidden, eps=1e-5),
        torch.nn.GELU(),
        torch.nn.Linear(hidden, hidden),
        torch.nn.LayerNorm(hidden, eps=1e-5),
    ]
    if not norms:
        layers[1] = layers[4] = torch.nn.Identity()
    return torch.nn.Sequential(*layers)


def _projector_weights(checkpoint: ReferenceCheckpoint, *, norms: bool) -> dict[str, Any]:
    weights = checkpoint.projector_weights
    return {name: weights[name] for name in weights if norms or name[0] in {"0", "3"}}


def _rename_tower(tower: Any, weights: dict[str, Any]) -> dict[str, Any]:
    """Return a tower's weights under the names of the installed version of transformers."""
    prefix = "vision_model."
    if any(name.startswith(prefix) for name in tower.state_dict()):
        return weights
    return {name.removeprefix(prefix): tensor for name, tensor in weights.items()}
