"""Tokenizer for vLLM's `--tokenizer-mode yi_vl`: the checkpoint's own, with an image token.

The published tokenizer has no image token: the published code splits a prompt at the placeholder
and tokenises each piece alone (`tokenizer_image_token` in VL/llava/mm_utils.py of 01-ai/Yi). A
special token of a fast tokenizer has the same effect. The conversion calls its image token
`<image>`; here it is the placeholder too.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast
from vllm.tokenizers.hf import get_cached_tokenizer
from vllm.tokenizers.protocol import TokenizerLike
from vllm.transformers_utils.repo_utils import (
    file_or_path_exists,
    get_hf_file_bytes,
    get_hf_file_to_dict,
)

from serving.yi_vl.checkpoint_layout import LayoutError, parse_config
from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER
from serving.yi_vl.sentencepiece_convert import write_fast_tokenizer

# Not the class that the files name: transformers 5 rebuilds a LlamaTokenizer from the vocabulary
# alone and puts a space before each text, which Yi's tokenizer does not.
_TOKENIZER: Final[Any] = PreTrainedTokenizerFast

_SEQUENCES: Final[Mapping[str, str]] = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "decoder": "decoders",
}
"""Parts of a tokenizer.json, with the key that holds the steps of a `Sequence`."""


class YiVLTokenizer(TokenizerLike):
    """Tokenizer loader that vLLM calls; the tokenizer that it returns is one of transformers."""

    @classmethod
    def from_pretrained(
        cls,
        path_or_repo_id: str | Path,
        *args: Any,
        trust_remote_code: bool = False,
        revision: str | None = None,
        download_dir: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Return the tokenizer of a folder or of a model on the hub, with the image token.

        Raises `ValueError` if there is no config.json of Yi-VL in the same place, or its
        tokenizer.model cannot be reproduced exactly.
        """
        name = str(path_or_repo_id)
        config = get_hf_file_to_dict("config.json", name, revision or "main")
        try:
            _, info = parse_config(config or {}, name)
        except LayoutError as error:
            raise ValueError(str(error)) from error
        plain, content = _load_plain(
            name, *args, revision=revision or "main", cache_dir=download_dir, **kwargs
        )
        roles = {
            role: getattr(plain, role)
            for role in ("bos_token", "eos_token", "unk_token", "pad_token")
            if getattr(plain, role) is not None
        }
        tokenizer = _TOKENIZER(
            tokenizer_object=Tokenizer.from_str(add_image_token(content, info.image_token_id)),
            additional_special_tokens=[IMAGE_PLACEHOLDER],
            name_or_path=name,
            model_max_length=plain.model_max_length,
            truncation_side=plain.truncation_side,
            padding_side="left",
            clean_up_tokenization_spaces=False,
            add_bos_token=False,
            add_eos_token=False,
            **roles,
        )
        return get_cached_tokenizer(tokenizer)


def add_image_token(content: str, token: int) -> str:
    """Return a tokenizer.json in which the placeholder is the special token with id `token`.

    A token that had the id loses it, and its text becomes plain text. The post-processor is
    removed, so no token is added before or after a text.
    """
    parsed: dict[str, Any] = json.loads(content)
    added = [entry for entry in parsed.get("added_tokens", ()) if _is_other(entry, token)]
    added.append(
        {
            "id": token,
            "content": IMAGE_PLACEHOLDER,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
    )
    vocabulary: dict[str, int] = parsed["model"]["vocab"]
    # In the vocabulary the token keeps its id, even if some ids before it are unused.
    parsed["model"]["vocab"] = {
        word: id_ for word, id_ in vocabulary.items() if id_ != token and word != IMAGE_PLACEHOLDER
    } | {IMAGE_PLACEHOLDER: token}
    parsed["added_tokens"] = added
    parsed["post_processor"] = None
    return json.dumps(parsed, ensure_ascii=False)


def drop_leading_space(content: str) -> str:
    """Return a tokenizer.json without the space that older converters put before each text.

    transformers before 4.42 added it whatever the model specifies; Yi's tokenizer.model puts none
    (`add_dummy_prefix` is false). With it, the text after each picture would begin with a
    token that the model was not trained on.
    """
    parsed: dict[str, Any] = json.loads(content)
    for part, steps in _SEQUENCES.items():
        parsed[part] = _drop_prefix_steps(parsed.get(part), steps)
    return json.dumps(parsed, ensure_ascii=False)


def _drop_prefix_steps(component: dict[str, Any] | None, steps: str) -> dict[str, Any] | None:
    if component is None or component["type"] == "Prepend":
        return None
    if component["type"] == "Metaspace":
        return {**component, "prepend_scheme": "never"}
    if component["type"] == "Strip" and "content" in component:  # a decoder: undoes the prefix
        return None
    if component["type"] != "Sequence":
        return component
    kept = (_drop_prefix_steps(step, steps) for step in component[steps])
    return {**component, steps: [step for step in kept if step is not None]}


def _is_other(entry: dict[str, Any], token: int) -> bool:
    return entry["id"] != token and entry["content"] != IMAGE_PLACEHOLDER


def _load_plain(name: str, *args: Any, revision: str, **kwargs: Any) -> tuple[Any, str]:
    """Return the checkpoint's own tokenizer and its content as a tokenizer.json.

    A tokenizer.model decides even if there is a tokenizer.json: the published code reads the
    former (`use_fast=False`), and the latter may come from a converter that lost the symbols of
    the model or put a space before each text.
    """
    if not file_or_path_exists(name, "tokenizer.model", revision):
        plain = _TOKENIZER.from_pretrained(name, *args, revision=revision, **kwargs)
        return plain, drop_leading_space(plain.backend_tokenizer.to_str())
    model = get_hf_file_bytes("tokenizer.model", name, revision)
    config = get_hf_file_to_dict("tokenizer_config.json", name, revision)
    with TemporaryDirectory() as folder:
        write_fast_tokenizer(Path(folder), model or b"", config or {}, name)
        plain = _TOKENIZER.from_pretrained(folder, *args, **kwargs)
    return plain, plain.backend_tokenizer.to_str()
