"""Identity of a served model: the values that must not change during a run."""

import asyncio
import hashlib
import json
from dataclasses import dataclass, fields, replace

from arena.errors import EndpointUnavailableError, ModelError
from arena.models.chat import Message
from arena.models.http.endpoint import Endpoint

SAMPLE = (
    Message(role="system", text="Rules: one murder, five seats."),
    Message(role="user", text="谁在花园里？ Who was there at 21:07 — Zoë?\n\n"),
    Message(role="assistant", text="Nobody, I swear… 没有人。"),
    Message(role="user", text="<b>And now?</b> 🕯️  "),
)
"""A conversation on which two different tokenizers and templates are unlikely to agree."""

MAY_BE_UNKNOWN = frozenset({"version", "template"})
"""Values that a server reports outside its list of models, and may fail to report."""
_SHOWN = 80
_START_PAUSES = (0.25, 0.5, 1.0)
"""Seconds after each failure to tokenise at the start of a run; then the server counts as one that
does not tokenise.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerIdentity:
    """Identity of what a server serves. Values that it does not report are empty or 0."""

    model: str
    """Its id in the server's list of models."""
    root: str = ""
    """What the server loaded: a folder, or a hub id."""
    context_tokens: int = 0
    version: str = ""
    """Version of the engine."""
    template: str = ""
    """Digest of the tokens of `SAMPLE`, on which the tokenizer and the chat template depend."""


async def read_identity(endpoint: Endpoint, before: ServerIdentity | None = None) -> ServerIdentity:
    """Return what the probed `endpoint` serves now.

    `before`: its identity at the start of the run; values unknown then are not queried. Raises
    `EndpointUnavailableError` if it cannot be queried now, and `ModelChangedError` if it serves
    only other models.
    """
    known = ServerIdentity(
        model=endpoint.probe_result.model,
        version=await endpoint.find_version(),
        template=await _digest_template(endpoint, before),
    )
    return await update_identity(endpoint, known)


async def _digest_template(endpoint: Endpoint, before: ServerIdentity | None) -> str:
    if before is not None and not before.template:
        return ""
    for pause in _START_PAUSES:
        try:
            return _digest(await endpoint.tokenize(SAMPLE))
        except EndpointUnavailableError:
            if before is not None:
                raise
            await asyncio.sleep(pause)
        except ModelError:
            break
    return ""


def _digest(tokens: tuple[int, ...] | None) -> str:
    return "" if tokens is None else hashlib.sha256(json.dumps(tokens).encode()).hexdigest()


async def update_identity(endpoint: Endpoint, before: ServerIdentity) -> ServerIdentity:
    """Return `before` updated from the server's list of models; raises as `read_identity`."""
    card = await endpoint.find_card()
    return replace(before, root=card.root or "", context_tokens=card.max_model_len or 0)


def describe_change(before: ServerIdentity, now: ServerIdentity) -> str:
    """Return the values that differ, as part of a sentence; empty: none does.

    A version or template that was unknown before, because the server failed to report it, is not a
    change. Raises `EndpointUnavailableError` if a known value is not reported now: a server that is
    starting may report less.
    """
    changes: list[str] = []
    for field in fields(ServerIdentity):
        old, new = getattr(before, field.name), getattr(now, field.name)
        if old and not new:
            raise EndpointUnavailableError(
                f"the server of {now.model!r} does not report its {field.name}"
            )
        if old != new and (old or field.name not in MAY_BE_UNKNOWN):
            changes.append(f"{field.name} {str(old)[:_SHOWN]!r} is now {str(new)[:_SHOWN]!r}")
    return ", ".join(changes)
