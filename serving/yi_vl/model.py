"""Yi-VL as vLLM runs it: LLaVA with another projector, and a tower from a folder of its own."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import torch
from vllm.config import VllmConfig
from vllm.model_executor.model_loader.default_loader import DefaultModelLoader
from vllm.model_executor.models.llava import LlavaDummyInputsBuilder, LlavaForConditionalGeneration
from vllm.model_executor.models.utils import AutoWeightsLoader, WeightsMapper
from vllm.multimodal import MULTIMODAL_REGISTRY

from serving.yi_vl.layout import IMAGE, check
from serving.yi_vl.processing import YiVLMultiModalProcessor, YiVLProcessingInfo
from serving.yi_vl.projector import YiVLProjector

_TOWER: Final = "vision_tower."
_PROJECTOR: Final = "multi_modal_projector."
_BY_WORD: Final = frozenset(
    {"language_model.model.embed_tokens.weight", "language_model.lm_head.weight"}
)
_SHOWN: Final = 3

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
_TOWERS: Final[dict[str, str | None]] = {
    # Of a whole CLIP in the tower's folder.
    **{
        f"{_TOWER}{part}": None
        for part in ("text_model.", "text_projection.", "visual_projection.", "logit_scale")
    },
    # As transformers 5.19 and later name them.
    **{
        f"{_TOWER}{part}": f"{_TOWER}vision_model.{part}"
        for part in ("embeddings.", "pre_layrnorm.", "encoder.", "post_layernorm.")
    },
}
# The published code takes the tower from its folder even where the main files hold one.
_NO_TOWER: Final[dict[str, str | None]] = {"model.vision_tower.": None}
_NO_WEIGHT: Final[dict[str, str | None]] = {"embeddings.position_ids": None}


def names(*, published: bool) -> WeightsMapper:
    """Return how a layout's tensors are named in the model; the tower's begin as in `_TOWER`."""
    layout = _NO_TOWER | _PUBLISHED if published else _CONVERTED
    return WeightsMapper(orig_to_new_prefix=layout | _TOWERS, orig_to_new_suffix=_NO_WEIGHT)


@MULTIMODAL_REGISTRY.register_processor(
    YiVLMultiModalProcessor, info=YiVLProcessingInfo, dummy_inputs=LlavaDummyInputsBuilder
)
class YiVLForConditionalGeneration(LlavaForConditionalGeneration):
    """Both layouts of Yi-VL; caches, pipelines and tensor parallelism are LLaVA's."""

    # For adapters and quantised files, which name modules before a folder is known.
    hf_to_vllm_mapper = WeightsMapper(orig_to_new_prefix=_CONVERTED | _PUBLISHED)

    def __init__(self, *, vllm_config: VllmConfig, prefix: str = "") -> None:
        super().__init__(vllm_config=vllm_config, prefix=prefix)
        config: Any = vllm_config.model_config.hf_config
        self._model = vllm_config.model_config.model
        self._quantised = vllm_config.quant_config is not None
        self._published = bool(config.yi_vl_tower)
        self._words = config.yi_vl_words
        self._said = min(config.yi_vl_words, config.image_token_index)
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
            self.secondary_weights.append(
                DefaultModelLoader.Source(
                    model_or_path=self._model,
                    revision=vllm_config.model_config.revision,
                    subfolder=config.yi_vl_tower,
                    prefix=_TOWER,
                )
            )

    @classmethod
    def get_placeholder_str(cls, modality: str, i: int) -> str | None:
        """Return what stands for a picture where a chat template takes no parts."""
        if not modality.startswith("image"):
            raise ValueError(f"Yi-VL was to be shown pictures, but is shown {modality!r}")
        return IMAGE

    def compute_logits(self, hidden_states: torch.Tensor) -> torch.Tensor | None:
        """Return the logits; the picture's token and what is behind it are never said."""
        logits = super().compute_logits(hidden_states)
        if logits is not None:
            logits[..., self._said :] = -torch.inf
        return logits

    def load_weights(self, weights: Iterable[tuple[str, torch.Tensor]]) -> set[str]:
        """Load all tensors and return their names here.

        Raises `ValueError` with one line where a tensor is missing or the folder is not whole.
        """
        folder = Path(self._model)
        if folder.is_dir() and (wrong := check(folder)):
            raise ValueError(wrong)
        seen: set[str] = set()
        loaded = AutoWeightsLoader(self).load_weights(self._noted(weights, seen))
        absent = sorted(self._wanted() - seen)
        if absent:
            more = f" and {len(absent) - _SHOWN} more" if len(absent) > _SHOWN else ""
            raise ValueError(
                f"{self._model!r} was to hold all weights of Yi-VL, but lacks "
                f"{', '.join(absent[:_SHOWN])}{more}; fetch it again whole"
            )
        return loaded

    def _noted(
        self, weights: Iterable[tuple[str, torch.Tensor]], seen: set[str]
    ) -> Iterator[tuple[str, torch.Tensor]]:
        for name, tensor in names(published=self._published).apply(weights):
            seen.add(name)
            yield name, self._with_spares(tensor) if name in _BY_WORD else tensor

    def _with_spares(self, rows: torch.Tensor) -> torch.Tensor:
        """Return a matrix with a row for each word, and rows of 0 for the spare tokens."""
        spare = self._rows - rows.shape[0]
        if rows.shape[0] != self._words or not spare:
            return rows
        return torch.cat((rows, rows.new_zeros(spare, rows.shape[1])))

    def _wanted(self) -> set[str]:
        """Return the tensors that fill this rank's parameters, by their names before merging.

        What a quantised language model holds is for its method to say.
        """
        wanted: set[str] = set()
        for name, _ in self.named_parameters():
            if self._quantised and not name.startswith((_TOWER, _PROJECTOR)):
                continue
            packed = next((part for part in self.packed_modules_mapping if part in name), "")
            parts = self.packed_modules_mapping.get(packed, [packed])
            wanted.update(name.replace(packed, part) for part in parts)
        return wanted
