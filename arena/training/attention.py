"""The loss on where heads attend, beside that of the replies."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from arena.training.architecture import HEAD_DIM
from arena.training.lookup import Head, Target
from arena.training.untyped import Tensor, functional, qwen, torch

_MOST: Final = 160
"""Positions of one head that a sample is shown; more are drawn from."""


def attention_loss(
    text: Any,
    caught: dict[int, tuple[Tensor, Any]],
    row: int,
    goals: Sequence[Target],
    rng: Random,
) -> dict[Head, Tensor]:
    """Return, by head, the mean negative logarithm of the attention that goes where it is to.

    `row` is the place of the sequence in its batch.
    """
    by_head: dict[Head, list[Target]] = defaultdict(list)
    for one in goals:
        by_head[one.head].append(one)
    return {
        head: _head_loss(text, caught[head[0]], row, rng.sample(few, min(_MOST, len(few))))
        for head, few in by_head.items()
    }


def _head_loss(text: Any, seen: tuple[Tensor, Any], row: int, goals: Sequence[Target]) -> Tensor:
    states, (cos, sin) = seen
    layer, head = goals[0].head
    attention = text.layers[layer].self_attn
    rows = slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)
    at = torch.tensor([one.at for one in goals], device=states.device)
    last = int(at.max()) + 1
    cos, sin = cos[row : row + 1], sin[row : row + 1]
    query = _project(attention.q_proj, states[row, at], rows)
    key = _project(attention.k_proj, states[row, :last], rows)
    query, key = _turn(query, cos[:, at], sin[:, at]), _turn(key, cos[:, :last], sin[:, :last])
    scores = (query @ key.T).float() * HEAD_DIM**-0.5
    places = torch.arange(last, device=states.device)
    scores = scores.masked_fill(places > at[:, None], -torch.inf)
    inside = torch.zeros(scores.shape, dtype=torch.bool)
    for number, one in enumerate(goals):
        for start, stop in one.goals:
            inside[number, start:stop] = True
    mass = torch.logsumexp(scores.masked_fill(~inside.to(states.device), -torch.inf), dim=-1)
    return (torch.logsumexp(scores, dim=-1) - mass).mean()


def _project(linear: Any, states: Tensor, rows: slice) -> Tensor:
    return functional.linear(states, linear.weight[rows], linear.bias[rows])


def _turn(states: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Return the states of one head with their rotary positions."""
    turn = qwen.modeling_qwen2_5_vl.apply_rotary_pos_emb
    return turn(states[None, None], states[None, None], cos, sin)[0][0, 0]


def catch(text: Any) -> dict[int, tuple[Tensor, Any]]:
    """Keep what the attention of each layer gets, at every forward pass from now on."""
    caught: dict[int, tuple[Tensor, Any]] = {}

    def keep(layer: int) -> Callable[..., None]:
        def hook(_module: Any, _args: Any, named: Any) -> None:
            caught[layer] = (named["hidden_states"], named["position_embeddings"])

        return hook

    for number, layer in enumerate(text.layers):
        layer.self_attn.register_forward_pre_hook(keep(number), with_kwargs=True)
    return caught
