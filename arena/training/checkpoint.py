"""Checkpoint of a training: its weights, optimizers and progress, stored in a folder."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tokenizers import Tokenizer

from arena.training.architecture import make_model
from arena.training.attention import capture_inputs
from arena.training.curriculum import corpus
from arena.training.learning import Learner
from arena.training.muon import Muon
from arena.training.untyped import Tensor, functional, qwen, torch
from arena.training.vocabulary import make_word_tokenizer

_STATE: Final = "state.pt"
_TABLES: Final = ("model.language_model.embed_tokens.weight", "lm_head.weight")


@dataclass(slots=True)
class Training:
    """A model in training, and its progress."""

    learner: Learner
    optimizers: list[Any]
    step: int = 0
    tokens: int = 0
    seconds: float = 0.0


def make_tokenizer(out: Path) -> Tokenizer:
    """Return the tokenizer of a folder; if it has none, train one."""
    file = out / "tokenizer.json"
    if not file.exists():
        make_word_tokenizer([*corpus()]).save(str(file))
    return Tokenizer.from_file(str(file))


def begin(out: Path, seed: int, device: str = "cpu", exported: Path | None = None) -> Training:
    """Return the training of a folder: from its checkpoint, with an exported model, or new."""
    tokenizer = make_tokenizer(out)
    model = make_model(tokenizer, seed).to(device)
    matrices, others = _groups(model)
    optimizers = [
        Muon(matrices, torch.bfloat16 if is_quick_in_bfloat16(device) else torch.float32),
        torch.optim.AdamW(others, lr=1.0, betas=(0.9, 0.98), weight_decay=0.0),
    ]
    caught = capture_inputs(model.model.language_model)
    run = Training(
        Learner(model=model, tokenizer=tokenizer, caught=caught, device=device), optimizers
    )
    if (out / _STATE).exists():
        state = torch.load(out / _STATE, weights_only=True, map_location=device)
        model.load_state_dict(state["model"])
        for one, kept in zip(optimizers, state["optimizers"], strict=True):
            one.load_state_dict(kept)
        run.step, run.tokens, run.seconds = state["progress"]
    elif exported is not None:
        _load(run, exported)
    return run


def first_step(out: Path, exported: Path | None) -> int:
    """Return the step at which `begin` continues the training of a folder."""
    if (out / _STATE).exists():
        return torch.load(out / _STATE, weights_only=True, map_location="cpu")["progress"][0]
    if exported is not None:
        return json.loads((exported / "training.json").read_text(encoding="utf-8"))["steps"]
    return 0


def _load(run: Training, exported: Path) -> None:
    """Load the weights and progress of an exported model; the optimizers have no state."""
    loaded: Any = qwen.Qwen2_5_VLForConditionalGeneration.from_pretrained(exported)
    state = loaded.float().state_dict()
    old = Tokenizer.from_file(str(exported / "tokenizer.json"))
    for name in _TABLES:
        state[name] = move_embeddings(state[name], old, run.learner.tokenizer)
    run.learner.model.load_state_dict(state)
    kept = json.loads((exported / "training.json").read_text(encoding="utf-8"))
    run.step, run.tokens, run.seconds = kept["steps"], kept["tokens"], kept["seconds"]


def move_embeddings(table: Tensor, old: Tokenizer, new: Tokenizer) -> Tensor:
    """Return the embeddings of `old`'s tokens, (tokens, hidden size), for the tokens of `new`.

    A token that `old` lacks starts as the mean of its parts there, with the mean length.
    """
    length = table.norm(dim=-1).mean()
    known = old.get_vocab()
    rows: list[Tensor] = []
    for token in range(new.get_vocab_size()):
        written = new.id_to_token(token)
        at = known.get(written) if written else None
        if at is not None:
            rows.append(table[at])
            continue
        parts = old.encode(new.decode([token], skip_special_tokens=False)).ids
        rows.append(functional.normalize(table[parts].mean(0), dim=0) * length)
    return torch.stack(rows)


def _groups(model: Any) -> tuple[list[Any], list[Any]]:
    matrices: list[Any] = []
    others: list[Any] = []
    for name, weight in model.named_parameters():
        is_matrix = weight.ndim == 2 and "embed" not in name and "lm_head" not in name  # noqa: PLR2004
        (matrices if is_matrix else others).append(weight)
    return matrices, others


def is_quick_in_bfloat16(device: str) -> bool:
    """Return whether a device computes in bfloat16 at least as fast as in float32."""
    return device == "cuda" or torch.cpu._is_avx512_bf16_supported()


def save(out: Path, run: Training) -> None:
    """Write the checkpoint atomically: a crash leaves the old one."""
    state = {
        "model": run.learner.model.state_dict(),
        "optimizers": [one.state_dict() for one in run.optimizers],
        "progress": (run.step, run.tokens, run.seconds),
    }
    scratch = out / f".{_STATE}"
    torch.save(state, scratch)
    scratch.replace(out / _STATE)
