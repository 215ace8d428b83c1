"""Model of Yi-VL for vLLM: LLaVA with another projector and a vision tower of its own folder."""

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import torch
from vllm.config import VllmConfig
from vllm.model_executor.model_loader.default_loader import DefaultModelLoader
from vllm.model_executor.models.llava import LlavaDummyInputsBuilder, LlavaForConditionalGeneration
from vllm.model_executor.models.utils import AutoWeightsLoader, WeightsMapper
from vllm.multimodal import MULTIMODAL_REGISTRY

from serving.yi_vl.checkpoint_layout import find_layout_problem
from serving.yi_vl.multimodal_processor import YiVLMultiModalProcessor, YiVLProcessingInfo
from serving.yi_vl.projector import YiVLProjector
from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER

_TOWER: Final = "vision_tower."
_PROJECTOR: Final = "multi_modal_projector."
_TOKEN_MATRICES: Final = frozenset(
    {"language_model.model.embed_tokens.weight", "language_model.lm_head.weight"}
)
"""Matrices of shape (tokens, hidden)."""

_MAX_NAMED: Final = 3
"""Missing tensors that an error names."""

_PUBLISHED: Final[dict[str, str | None]] = {
    **{
        f"model.mm_projector.{place}.": f"{_PROJECTOR}linear_{layer}."
        for layer, place in enumerate((0, 1, 3, 4), 1)
    },
    "model.embed_tokens.": "language_model.model.embed_tokens.",
    "model.layers.": "language_model.model.layers.",
    "model.norm.": "language_model.model.norm.",
    "lm_head.": "language_model.lm_head.",
}
_CONVERTED: Final[dict[str, str | None]] = {
    "model.language_model.": "language_model.model.",
    "model.vision_tower.": _TOWER,
    "model.multi_modal_projector.": _PROJECTOR,
    "lm_head.": "language_model.lm_head.",
}
_TOWER_NAMES: Final[dict[str, str | None]] = {
    # Parts of a whole CLIP, which the tower does not use.
    **{
        f"{_TOWER}{part}": None
        for part in ("text_model.", "text_projection.", "visual_projection.", "logit_scale")
    },
    # Names as transformers 5.19 and later save them.
    **{
        f"{_TOWER}{part}": f"{_TOWER}vision_model.{part}"
        for part in ("embeddings.", "pre_layrnorm.", "encoder.", "post_layernorm.")
    },
}
# The published code loads the tower from its folder even if the main files also hold one.
_UNUSED_TOWER: Final[dict[str, str | None]] = {"model.vision_tower.": None}
_BUFFERS: Final[dict[str, str | None]] = {"embeddings.position_ids": None}


def build_weights_mapper(*, published: bool) -> WeightsMapper:
    """Return the mapper from a layout's tensor names to the model's.

    The tower's names must already begin with `vision_tower.`.
    """
    layout = _UNUSED_TOWER | _PUBLISHED if published else _CONVERTED
    return WeightsMapper(orig_to_new_prefix=layout | _TOWER_NAMES, orig_to_new_suffix=_BUFFERS)


@MULTIMODAL_REGISTRY.register_processor(
    YiVLMultiModalProcessor, info=YiVLProcessingInfo, dummy_inputs=LlavaDummyInputsBuilder
)
class YiVLForConditionalGeneration(LlavaForConditionalGeneration):
    """Model of both layouts; caches, pipelines and tensor parallelism are LLaVA's."""

    # Adapters and quantised files name modules before the layout is known.
    hf_to_vllm_mapper = WeightsMapper(orig_to_new_prefix=_CONVERTED | _PUBLISHED)

    def __init__(self, *, vllm_config: VllmConfig, prefix: str = "") -> None:
        super().__init__(vllm_config=vllm_config, prefix=prefix)
        config: Any = vllm_config.model_config.hf_config
        self._model = vllm_config.model_config.model
        self._quantised = vllm_config.quant_config is not None
        self._published = bool(config.yi_vl_tower)
        self._checkpoint_rows = config.yi_vl_words
        self._sampled_tokens = min(config.yi_vl_words, config.image_token_index)
        self._rows = config.text_config.vocab_size
        towers = self._tower_model_names
        with self._mark_tower_model(vllm_config, "image"):
            self.multi_modal_projector = YiVLProjector(
                config.vision_config.hidden_size,
                config.text_config.hidden_size,
                quant_config=vllm_config.quant_config,
                prefix=f"{prefix}.{_PROJECTOR}".strip("."),
            )
        self._tower_model_names = towers
        self.secondary_weights: list[DefaultModelLoader.Source] = []
        if self._published:
            absolute = PurePosixPath(config.yi_vl_tower).is_absolute()
            self.secondary_weights.append(
                DefaultModelLoader.Source(
                    model_or_path=config.yi_vl_tower if absolute else self._model,
                    revision=None if absolute else vllm_config.model_config.revision,
                    subfolder=None if absolute else config.yi_vl_tower,
                    prefix=_TOWER,
                )
            )

    @classmethod
    def get_placeholder_str(cls, modality: str, i: int) -> str | None:
        """Return the placeholder of a picture for chat templates that take plain strings."""
        if not modality.startswith("image"):
            raise ValueError(f"Yi-VL takes pictures only, got {modality!r}")
        return IMAGE_PLACEHOLDER

    def compute_logits(self, hidden_states: torch.Tensor) -> torch.Tensor | None:
        """Return logits of shape (positions, tokens), -inf from the image token on."""
        logits = super().compute_logits(hidden_states)
        if logits is not None:
            logits[..., self._sampled_tokens :] = -torch.inf
        return logits

    def load_weights(self, weights: Iterable[tuple[str, torch.Tensor]]) -> set[str]:
        """Load all tensors and return their names in the model.

        Raises `ValueError` with one line if a tensor is missing or the folder is not complete.
        """
        folder = Path(self._model)
        if folder.is_dir() and (problem := find_layout_problem(folder)):
            raise ValueError(problem)
        seen: set[str] = set()
        loaded = AutoWeightsLoader(self).load_weights(self._rename_weights(weights, seen))
        absent = sorted(self._list_required_names() - seen)
        if absent:
            hidden = len(absent) - _MAX_NAMED
            more = f" and {hidden} more" if hidden > 0 else ""
            raise ValueError(
                f"{self._model!r} should hold all weights of Yi-VL, but lacks "
                f"{', '.join(absent[:_MAX_NAMED])}{more}; download the missing files"
            )
        return loaded

    def _rename_weights(
        self, weights: Iterable[tuple[str, torch.Tensor]], seen: set[str]
    ) -> Iterator[tuple[str, torch.Tensor]]:
        """Yield the weights under the model's names, and add these names to `seen`."""
        for name, tensor in build_weights_mapper(published=self._published).apply(weights):
            seen.add(name)
            yield name, self._append_spare_rows(tensor) if name in _TOKEN_MATRICES else tensor

    def _append_spare_rows(self, rows: torch.Tensor) -> torch.Tensor:
        """Append rows of 0 for the spare tokens to a matrix of shape (tokens, hidden)."""
        spare = self._rows - rows.shape[0]
        if rows.shape[0] != self._checkpoint_rows or not spare:
            return rows
        return torch.cat((rows, rows.new_zeros(spare, rows.shape[1])))

    def _list_required_names(self) -> set[str]:
        """Return the names, before merging, of the tensors that fill this rank's parameters.

        A quantised language model is left out: its tensors depend on the method.
        """
        required: set[str] = set()
        for name, _ in self.named_parameters():
            if self._quantised and not name.startswith((_TOWER, _PROJECTOR)):
                continue
            packed = next((part for part in self.packed_modules_mapping if part in name), "")
            parts = self.packed_modules_mapping.get(packed, [packed])
            required.update(name.replace(packed, part) for part in parts)
        return required
