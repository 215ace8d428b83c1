"""Attention loss: how far heads attend from their targets; it is added to the loss of replies."""

from collections.abc import Callable
from typing import Any

from arena.training.architecture import HEAD_DIM
from arena.training.batches import HeadTargets
from arena.training.untyped import Tensor, functional, qwen, torch


def attention_loss(text: Any, caught: dict[int, tuple[Tensor, Any]], shown: HeadTargets) -> Tensor:
    """Return the negative logarithm of the attention on the targets, for one head.

    It is the weighted mean over the positions of a sample, summed over the samples.
    """
    layer, head = shown.head
    states, (cos, sin) = caught[layer]
    attention = text.layers[layer].self_attn
    rows = slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)
    at = torch.from_numpy(shown.at).to(states.device)
    sample = torch.arange(len(at), device=at.device)[:, None]
    query = _project(attention.q_proj, states[sample, at], rows)
    key = _project(attention.k_proj, states, rows)
    query = _rotate(query, cos[sample, at], sin[sample, at])
    scores = (query @ _rotate(key, cos, sin).mT).float() * HEAD_DIM**-0.5
    later = torch.arange(states.shape[1], device=at.device) > at[..., None]
    scores = scores.masked_fill(later, -torch.inf)
    wanted = scores.masked_fill(~_inside(shown, states.shape[1], at), -torch.inf)
    lost = torch.logsumexp(scores, dim=-1) - torch.logsumexp(wanted, dim=-1)
    return (lost * torch.from_numpy(shown.weights).to(at.device)).sum()


def _inside(shown: HeadTargets, length: int, at: Tensor) -> Tensor:
    """Return the target tokens of each position, (samples, positions, length) of bool."""
    steps = torch.zeros((*at.shape, length + 1), dtype=torch.int32, device=at.device)
    sample, number, start, stop = torch.from_numpy(shown.spans).to(at.device)
    one = torch.ones_like(start, dtype=torch.int32)
    steps.index_put_((sample, number, start), one, accumulate=True)
    steps.index_put_((sample, number, stop), -one, accumulate=True)
    # For padded positions, all tokens count as targets, so their loss is 0.
    steps[..., 0] += torch.from_numpy(shown.weights == 0).to(at.device)
    return steps.cumsum(-1)[..., :length] > 0


def _project(linear: Any, states: Tensor, rows: slice) -> Tensor:
    return functional.linear(states, linear.weight[rows], linear.bias[rows])


def _rotate(states: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Return the states of one head with their rotary positions."""
    return states * cos + qwen.modeling_qwen2_5_vl.rotate_half(states) * sin


def capture_inputs(text: Any) -> dict[int, tuple[Tensor, Any]]:
    """Store the attention inputs of each layer, at every forward pass from now on."""
    caught: dict[int, tuple[Tensor, Any]] = {}

    def keep(layer: int) -> Callable[..., None]:
        def hook(_module: Any, _args: Any, named: Any) -> None:
            caught[layer] = (named["hidden_states"], named["position_embeddings"])

        return hook

    for number, layer in enumerate(text.layers):
        layer.self_attn.register_forward_pre_hook(keep(number), with_kwargs=True)
    return caught
