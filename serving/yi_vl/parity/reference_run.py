"""Reference side: `python -m serving.yi_vl.parity.reference_run SPEC...` writes checkpoints, runs.

Each `SPEC` is a `ParitySpec` as JSON.
"""

import sys
from collections.abc import Iterable
from typing import Final

import torch

from serving.yi_vl.checkpoints.writer import write_checkpoint
from serving.yi_vl.model_dims import TINY
from serving.yi_vl.parity.parity_spec import ParitySpec, parse_spec
from serving.yi_vl.parity.prompt_cases import PromptCase, draw_picture, make_cases
from serving.yi_vl.parity.reference_model import ReferenceModel

FEATURES: Final = 1_024
"""Image tokens of a picture."""


def run_reference(spec: ParitySpec) -> None:
    """Write the results of the reference for each case.

    `tokens` and `rows` are its greedy reply. `control` holds the rows without the projector's
    LayerNorms and `exact` those in float32, both along the same tokens. `prompt` holds the prompt's
    tokens. Rows have the shape (steps, tokens of the vocabulary).
    """
    reference = ReferenceModel(spec.model, dtype=spec.dtype)
    control = ReferenceModel(spec.model, dtype=spec.dtype, norms=False)
    exact = ReferenceModel(spec.model) if spec.dtype != "float32" else None
    results: list[dict[str, object]] = []
    for case in make_cases(quick=spec.quick):
        pictures = [draw_picture(name) for name in case.pictures]
        reply = reference.generate_greedy(case.prompt, pictures, spec.new_tokens)
        given = (case.prompt, pictures, reply.tokens)
        results.append(
            {
                "tokens": list(reply.tokens),
                "rows": reply.rows,
                "control": control.score(*given),
                "exact": exact.score(*given) if exact else reply.rows,
                "prompt": _tokenise_prompt(reference, case),
            }
        )
    torch.save(results, spec.results_file("reference"))


def _tokenise_prompt(reference: ReferenceModel, case: PromptCase) -> list[int]:
    """Return the prompt's tokens with `FEATURES` image tokens for each picture."""
    first, *others = reference.tokenise_chunks(case.prompt)
    for chunk in others:
        first += [TINY.vocabulary] * FEATURES + chunk
    return first


def main(texts: Iterable[str]) -> None:
    """Write the checkpoints that the specs name, and run the reference for each spec."""
    specs = [parse_spec(text) for text in texts]
    for spec in {spec.model: spec for spec in specs}.values():
        # The published layout in several files, with a tower in them that must not be used.
        sharded = spec.layout == "published"
        write_checkpoint(spec.model, layout=spec.layout, sharded=sharded)
    for spec in specs:
        run_reference(spec)


if __name__ == "__main__":
    main(sys.argv[1:])
