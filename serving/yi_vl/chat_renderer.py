"""Prompt renderer for vLLM: the usual one, which refuses a wrong number of pictures."""

from collections.abc import Mapping
from typing import Any, Final

from vllm.exceptions import VLLMValidationError
from vllm.renderers.hf import HfRenderer

from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER

_HF_RENDERER: Final[Any] = HfRenderer


class YiVLRenderer(_HF_RENDERER):
    """Renderer of transformers' chat templates with a check of placeholders against pictures.

    Without the check vLLM gives the first picture to the first placeholder and leaves any further
    placeholder in the prompt as a token without an embedding.
    """

    def _process_tokens(self, prompt: Mapping[str, Any], **options: Any) -> Any:
        self._check_image_count(prompt)
        base: Any = super()
        return base._process_tokens(prompt, **options)

    async def _process_tokens_async(self, prompt: Mapping[str, Any], **options: Any) -> Any:
        self._check_image_count(prompt)
        base: Any = super()
        return await base._process_tokens_async(prompt, **options)

    def _check_image_count(self, prompt: Mapping[str, Any]) -> None:
        """Raise `VLLMValidationError`, which vLLM answers with status 400, on a mismatch."""
        tokens: list[int] = list(prompt["prompt_token_ids"])
        placeholders = tokens.count(self.model_config.hf_config.image_token_index)
        images = self._count_images(prompt.get("multi_modal_data"))
        if placeholders != images:
            raise VLLMValidationError(
                f"the prompt should have one {IMAGE_PLACEHOLDER} for each picture, but has "
                f"{placeholders} for {images} pictures"
            )

    def _count_images(self, data: Mapping[str, Any] | None) -> int:
        if not data:
            return 0
        counts = self.get_mm_processor().info.parse_mm_data(data).get_all_counts()
        return counts.get("image", 0)
