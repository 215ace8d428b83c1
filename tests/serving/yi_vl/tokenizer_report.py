"""Child process of the tests: what the tokenizer mode `yi_vl` makes of some folders, as JSON.

    python -m tests.serving.yi_vl.tokenizer_report FOLDER...

Stdin has a list of texts.
"""

import json
import sys
from pathlib import Path
from typing import Any

from vllm.plugins import load_general_plugins
from vllm.tokenizers import registry

import serving.yi_vl

REGISTRY: Any = registry


def report(folder: str, texts: list[str]) -> dict[str, Any]:
    try:
        tokenizer: Any = REGISTRY.get_tokenizer(folder, tokenizer_mode="yi_vl")
    except ValueError as error:
        return {"error": str(error)}
    return {
        "ids": [tokenizer.encode(text) for text in texts],
        "roles": [tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.unk_token_id],
        "pad": tokenizer.pad_token_id,
        "special": tokenizer.all_special_tokens,
        "back": tokenizer.decode(tokenizer.encode(" Who was it?")),
    }


def main(folders: list[str]) -> None:
    load_general_plugins()
    serving.yi_vl.register()
    texts: list[str] = json.load(sys.stdin)
    reports = {Path(folder).name: report(folder, texts) for folder in folders}
    sys.stdout.write(f"\n{json.dumps(reports)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
