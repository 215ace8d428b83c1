"""Yi-VL plugin for vLLM: an out-of-tree architecture behind the entry point `yi_vl`.

Start a server with `--config-format yi_vl --tokenizer-mode yi_vl` and the chat template of this
folder, and send `prompt_format.STOP_STRING` as a stop string with each request.
"""

import importlib
from typing import Any, Final

NAME: Final = "yi_vl"
"""Name of the config format, of the tokenizer mode and of the renderer."""

ARCHITECTURE: Final = "YiVLForConditionalGeneration"
"""Name under which vLLM registers the model."""


def register() -> None:
    """Register the architecture, the config format, the tokenizer mode and the renderer.

    vLLM calls this in each of its processes, whatever model it serves. A second call changes
    nothing. The model itself is imported when vLLM builds it.
    """
    configs: Any = importlib.import_module("vllm.transformers_utils.config")
    models: Any = importlib.import_module("vllm.model_executor.models.registry")
    tokenizers: Any = importlib.import_module("vllm.tokenizers.registry")
    renderers: Any = importlib.import_module("vllm.renderers.registry")
    if NAME in tokenizers.TokenizerRegistry.tokenizers:
        return
    parser: Any = importlib.import_module("serving.yi_vl.config_parser")
    configs.register_config_parser(NAME)(parser.YiVLConfigParser)
    models.ModelRegistry.register_model(ARCHITECTURE, f"serving.yi_vl.model:{ARCHITECTURE}")
    tokenizers.TokenizerRegistry.register(NAME, "serving.yi_vl.tokenizer_mode", "YiVLTokenizer")
    # vLLM chooses the renderer of prompts by the name of the tokenizer mode.
    renderers.RENDERER_REGISTRY.register(NAME, "serving.yi_vl.chat_renderer", "YiVLRenderer")
