"""Export of the trained model as a folder that vLLM and transformers load.

`python -m arena.training.export RUN FOLDER` reads the checkpoint of a training.
"""

import hashlib
import shutil
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from arena.training.architecture import CONTEXT
from arena.training.checkpoint import Training, begin
from arena.training.encode import TEMPLATE, save_json, token_id
from arena.training.seeing import MERGE, PATCH, TEMPORAL
from arena.training.untyped import torch
from scripts_mm.generate.pictures.small_pictures import SQUARE
from serving.standin.bpe_tokenizer import END_OF_TEXT, END_OF_TURN, SPECIAL_TOKENS

MOST_PICTURE_TOKENS: Final = 96
_LEAST_PICTURE_TOKENS: Final = 4
CODE: Final = Path(__file__).parent
_AFTERWARDS: Final = frozenset(
    {
        "addressing.py", "apt_answers.py", "bundled.py", "curves.py", "evaluate.py",
        "evaluation_items.py", "export.py", "judging.py",
    }
)  # fmt: skip
"""Modules that only examine a trained model and do not affect it."""


def main(
    run: Annotated[Path, typer.Argument(help="Folder of the training.")],
    folder: Annotated[Path, typer.Argument(help="Output folder of the model.")],
    seed: Annotated[int, typer.Option(help="Seed of the training.")] = 1,
) -> None:
    """Write the model of a training's last checkpoint in bfloat16."""
    write_model(begin(run, seed), seed, run, folder)


def write_model(training: Training, seed: int, run: Path, folder: Path) -> None:
    """Write weights, configuration, tokenizer and template into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    model: Any = training.learner.model.to(torch.bfloat16)
    ends = [token_id(training.learner.tokenizer, word) for word in (END_OF_TURN, END_OF_TEXT)]
    model.generation_config.update(eos_token_id=ends, pad_token_id=ends[1], do_sample=False)
    model.save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)
    shutil.copy(run / "tokenizer.json", folder / "tokenizer.json")
    shutil.copy(TEMPLATE, folder / "chat_template.jinja")
    save_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": CONTEXT,
            "eos_token": END_OF_TURN,
            "pad_token": END_OF_TEXT,
            "additional_special_tokens": list(SPECIAL_TOKENS),
            "clean_up_tokenization_spaces": False,
        },
    )
    save_json(
        folder / "preprocessor_config.json",
        {
            "image_processor_type": "Qwen2VLImageProcessor",
            "processor_class": "Qwen2_5_VLProcessor",
            "patch_size": PATCH,
            "merge_size": MERGE,
            "temporal_patch_size": TEMPORAL,
            "min_pixels": _LEAST_PICTURE_TOKENS * SQUARE * SQUARE,
            "max_pixels": MOST_PICTURE_TOKENS * SQUARE * SQUARE,
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
        },
    )
    save_json(
        folder / "training.json",
        {
            "seed": seed,
            "steps": training.step,
            "tokens": training.tokens,
            "seconds": round(training.seconds),
            "code": code_hash(),
        },
    )


def code_hash() -> str:
    """Return 12 hexadecimal digits that change with the code and texts of the training."""
    digest = hashlib.sha256()
    for path in sorted(CODE.rglob("*")):
        if path.suffix in {".py", ".toml", ".jinja"} and path.name not in _AFTERWARDS:
            digest.update(path.relative_to(CODE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    typer.run(main)
