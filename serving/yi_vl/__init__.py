"""Yi-VL in vLLM: an out-of-tree architecture, found by vLLM through the entry point `yi_vl`.

A server is started with `--config-format yi_vl --tokenizer-mode yi_vl` and the chat template of
this folder; replies end at `layout.STOP`, which clients send as a stop string.
"""

import importlib
from typing import Any, Final

NAME: Final = "yi_vl"
"""Of the config format and of the tokenizer mode."""

ARCHITECTURE: Final = "YiVLForConditionalGeneration"


def register() -> None:
    """Tell vLLM of the architecture, the config format and the tokenizer mode `yi_vl`.

    vLLM calls it in each of its processes, for whatever model; a second call does nothing. The
    model itself is imported when it is built.
    """
    configs: Any = importlib.import_module("vllm.transformers_utils.config")
    models: Any = importlib.import_module("vllm.model_executor.models.registry")
    tokenizers: Any = importlib.import_module("vllm.tokenizers.registry")
    renderers: Any = importlib.import_module("vllm.renderers.registry")
    if NAME in tokenizers.TokenizerRegistry.tokenizers:
        return
    parser: Any = importlib.import_module("serving.yi_vl.config")
    configs.register_config_parser(NAME)(parser.YiVLConfigParser)
    models.ModelRegistry.register_model(ARCHITECTURE, f"serving.yi_vl.model:{ARCHITECTURE}")
    tokenizers.TokenizerRegistry.register(NAME, "serving.yi_vl.tokenizer", "YiVLTokenizer")
    # vLLM picks how it renders chats by the tokenizer's mode as well; ours is the usual way.
    renderers.RENDERER_REGISTRY.register(NAME, "vllm.renderers.hf", "HfRenderer")
