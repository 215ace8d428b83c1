"""How vLLM turns a prompt's pictures into pixels and into 1,024 places each."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from transformers import BatchFeature
from vllm.model_executor.models.llava import BaseLlavaMultiModalProcessor, BaseLlavaProcessingInfo
from vllm.multimodal.inputs import MultiModalFieldConfig
from vllm.transformers_utils.repo_utils import get_hf_file_to_dict

from serving.yi_vl.pictures import YiVLImageProcessor

PREPROCESSOR = "preprocessor_config.json"

_BATCH: Final[Any] = BatchFeature


class YiVLProcessingInfo(BaseLlavaProcessingInfo):
    """What LLaVA's processing asks of a model; the counts come from the tower's configuration."""

    def get_hf_processor(self, **kwargs: object) -> YiVLImageProcessor:
        """Return the processor of pictures; nothing about it can be changed by a request."""
        config: Any = self.get_hf_config()
        model = self.ctx.model_config
        folder = config.yi_vl_tower
        name = f"{folder}/{PREPROCESSOR}" if folder else PREPROCESSOR
        return _processor(model.model, model.revision, name, config.vision_config.image_size)

    def get_supported_mm_processor_kwargs(self) -> dict[str, set[str]]:
        """Return nothing: see `get_hf_processor`."""
        return {}


class YiVLMultiModalProcessor(BaseLlavaMultiModalProcessor[YiVLProcessingInfo]):
    """LLaVA's: the placeholder of a picture is replaced by as many as it has features."""

    def _apply_hf_processor_main(self, *args: Any, **given: Any) -> Any:
        older: Any = super()
        if "prompt" not in given:
            return older._apply_hf_processor_main(*args, **given)
        # Version 0.26 hands over the prompt too, and wants a processor that takes texts.
        prompt, mm_items = given["prompt"], given["mm_items"]
        if isinstance(prompt, str):
            prompt = self.info.get_tokenizer().encode(prompt, add_special_tokens=False)
        held = {kind for kind, count in mm_items.get_all_counts().items() if count}
        data, ready = older._get_hf_mm_data(mm_items.select(held))
        processor = self.info.get_hf_processor()
        context: Any = self.info.ctx
        seen = context.call_hf_processor(processor, data) if data else _BATCH()
        seen.update(ready)
        return prompt, seen, False

    def _get_mm_fields_config(
        self, hf_inputs: BatchFeature, hf_processor_mm_kwargs: Mapping[str, object]
    ) -> Mapping[str, MultiModalFieldConfig]:
        return {
            "pixel_values": MultiModalFieldConfig.batched("image"),
            "image_embeds": MultiModalFieldConfig.batched("image"),
        }


@lru_cache(maxsize=4)
def _processor(model: str, revision: str | None, name: str, side: int) -> YiVLImageProcessor:
    found = get_hf_file_to_dict(name, model, revision or "main")
    if found is None:
        raise ValueError(f"{model!r} was to hold Yi-VL, but its {name} cannot be read")
    return YiVLImageProcessor(found, side)
