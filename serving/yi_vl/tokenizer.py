"""vLLM's tokenizer mode `yi_vl`: the folder's own tokenizer and a token for pictures.

The published tokenizer has no such token: the published code splits a prompt at the placeholder and
tokenises what is between, each piece alone. A special token of the fast tokenizers does the same.
The conversion has one, under another text.
"""

import json
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

from serving.yi_vl.layout import IMAGE, LayoutError, read_facts
from serving.yi_vl.sentencepieces import write_fast

# Not the class that the files name: transformers 5 builds a LlamaTokenizer anew from the vocabulary
# alone and puts a space before each text, which Yi's tokenizer does not.
_TOKENIZER: Final[Any] = PreTrainedTokenizerFast


class YiVLTokenizer(TokenizerLike):
    """Where vLLM finds how to load it; what it gets is a tokenizer of transformers."""

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
        """Return the tokenizer of a folder or of a model on the hub, with `IMAGE` in it.

        Raises `ValueError` where there is no config.json of Yi-VL beside it, or its tokenizer.model
        cannot be followed exactly.
        """
        where = str(path_or_repo_id)
        config = get_hf_file_to_dict("config.json", where, revision or "main")
        try:
            _, facts = read_facts(config or {}, where)
        except LayoutError as error:
            raise ValueError(str(error)) from error
        plain = _load(where, *args, revision=revision or "main", cache_dir=download_dir, **kwargs)
        named = {
            name: getattr(plain, name)
            for name in ("bos_token", "eos_token", "unk_token", "pad_token")
            if getattr(plain, name) is not None
        }
        whole = _TOKENIZER(
            tokenizer_object=Tokenizer.from_str(
                with_picture(plain.backend_tokenizer.to_str(), facts.picture_token)
            ),
            additional_special_tokens=[IMAGE],
            name_or_path=where,
            model_max_length=plain.model_max_length,
            truncation_side=plain.truncation_side,
            padding_side="left",
            clean_up_tokenization_spaces=False,
            add_bos_token=False,
            add_eos_token=False,
            **named,
        )
        return get_cached_tokenizer(whole)


def with_picture(tokenizer: str, token: int) -> str:
    """Return a tokenizer.json in which `IMAGE` is the special token of id `token`.

    A token that had the id loses it: its text is then as plain as any other. Nothing is put before
    or behind a text.
    """
    parsed: dict[str, Any] = json.loads(tokenizer)
    added = [entry for entry in parsed.get("added_tokens", ()) if _other(entry, token)]
    added.append(
        {
            "id": token,
            "content": IMAGE,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
    )
    vocabulary: dict[str, int] = parsed["model"]["vocab"]
    # In the vocabulary the token keeps its id, however many ids before it are not used.
    parsed["model"]["vocab"] = {
        word: id_ for word, id_ in vocabulary.items() if id_ != token and word != IMAGE
    } | {IMAGE: token}
    parsed["added_tokens"] = added
    parsed["post_processor"] = None
    return json.dumps(parsed, ensure_ascii=False)


def _other(entry: dict[str, Any], token: int) -> bool:
    return entry["id"] != token and entry["content"] != IMAGE


def _load(where: str, *args: Any, revision: str, **kwargs: Any) -> Any:
    """Return the tokenizer of tokenizer.json, or where there is none, of tokenizer.model."""
    if file_or_path_exists(where, "tokenizer.json", revision):
        model = None
    else:
        model = get_hf_file_bytes("tokenizer.model", where, revision)
    if model is None:
        return _TOKENIZER.from_pretrained(where, *args, revision=revision, **kwargs)
    config = get_hf_file_to_dict("tokenizer_config.json", where, revision)
    with TemporaryDirectory() as made:
        write_fast(Path(made), model, config or {}, where)
        return _TOKENIZER.from_pretrained(made, *args, **kwargs)
