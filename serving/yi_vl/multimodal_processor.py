"""Multimodal processor for vLLM: pixels of a prompt's pictures, and 1,024 tokens for each."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from transformers.feature_extraction_utils import BatchFeature
from vllm.model_executor.models.llava import BaseLlavaMultiModalProcessor, BaseLlavaProcessingInfo
from vllm.multimodal.inputs import MultiModalFieldConfig
from vllm.transformers_utils.repo_utils import get_hf_file_to_dict

from serving.yi_vl.checkpoint_layout import locate_tower_file
from serving.yi_vl.image_processor import YiVLImageProcessor

PREPROCESSOR_FILE: Final = "preprocessor_config.json"
"""In the vision tower's folder (published layout) or in the model's (conversion)."""

_BATCH: Final[Any] = BatchFeature


class YiVLProcessingInfo(BaseLlavaProcessingInfo):
    """Model properties that LLaVA's processing needs; counts come from the tower's config."""

    def get_hf_processor(self, **kwargs: object) -> YiVLImageProcessor:
        """Return the image processor; a request cannot change its settings."""
        config: Any = self.get_hf_config()
        model = self.ctx.model_config
        place, name = locate_tower_file(model.model, config.yi_vl_tower, PREPROCESSOR_FILE)
        return _load_image_processor(place, model.revision, name, config.vision_config.image_size)

    def get_supported_mm_processor_kwargs(self) -> dict[str, set[str]]:
        """Return an empty dict: a request cannot change the processor's settings."""
        return {}


class YiVLMultiModalProcessor(BaseLlavaMultiModalProcessor[YiVLProcessingInfo]):
    """Processor of LLaVA, which replaces a placeholder by one image token per feature."""

    def _apply_hf_processor_main(self, *args: Any, **given: Any) -> Any:
        base: Any = super()
        if "prompt" not in given:
            return base._apply_hf_processor_main(*args, **given)
        # vLLM 0.26 also passes the prompt and expects a processor that takes texts.
        prompt, mm_items = given["prompt"], given["mm_items"]
        if isinstance(prompt, str):
            prompt = self.info.get_tokenizer().encode(prompt, add_special_tokens=False)
        present = {kind for kind, count in mm_items.get_all_counts().items() if count}
        data, passthrough = base._get_hf_mm_data(mm_items.select(present))
        processor = self.info.get_hf_processor()
        context: Any = self.info.ctx
        processed = context.call_hf_processor(processor, data) if data else _BATCH()
        processed.update(passthrough)
        return prompt, processed, False

    def _get_mm_fields_config(
        self, hf_inputs: BatchFeature, hf_processor_mm_kwargs: Mapping[str, object]
    ) -> Mapping[str, MultiModalFieldConfig]:
        return {
            "pixel_values": MultiModalFieldConfig.batched("image"),
            "image_embeds": MultiModalFieldConfig.batched("image"),
        }


@lru_cache(maxsize=4)
def _load_image_processor(
    model: str, revision: str | None, name: str, side: int
) -> YiVLImageProcessor:
    content = get_hf_file_to_dict(name, model, revision or "main")
    if content is None:
        raise ValueError(f"{model!r} should hold Yi-VL, but its {name} cannot be read")
    return YiVLImageProcessor(content, side)
