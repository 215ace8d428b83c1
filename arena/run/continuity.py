"""Continuity: a resumed run must use the same models as before."""

from collections.abc import Mapping
from dataclasses import replace

from arena.errors import RecordError
from arena.records.manifest import ServerRecord
from arena.run.model_handle import ModelHandle
from arena.run.model_pool import ModelPool
from arena.run.usage import SERVER_CHANGED


def check_same_models(recorded: Mapping[str, ServerRecord], pool: ModelPool) -> ModelPool:
    """Return `pool`; a model from another folder or engine version is flagged in its results.

    Raises `RecordError` if another model is served now, or the same with another chat template or
    other limits: the prompts would change. `recorded`: the servers of run.json, by the model's
    name in a contestant.
    """
    return replace(
        pool,
        models={name: _check_same_model(name, recorded.get(name), pool) for name in pool.models},
    )


def _check_same_model(name: str, before: ServerRecord | None, pool: ModelPool) -> ModelHandle:
    model, now = pool.models[name], pool.servers[name]
    served = before.served if before else None
    if before is None or served != model.served_name:
        raise RecordError(
            f"this run was played with {served!r} as {name!r}, but now {model.served_name!r} "
            "is served; serve the same or start a new run"
        )
    _check_same_limits(name, before, now)
    known = {
        key: value for key, value in before.identity.items() if value and now.identity.get(key)
    }
    if known.get("template", now.identity["template"]) != now.identity["template"]:
        raise RecordError(
            f"the server of {name!r} tokenises a conversation otherwise than when this run was "
            "started; serve it with the same tokenizer and chat template, or start a new run"
        )
    if any(now.identity[key] != value for key, value in known.items()):
        return replace(model, flags=(*model.flags, SERVER_CHANGED))
    return model


def _check_same_limits(name: str, before: ServerRecord, now: ServerRecord) -> None:
    """Raise if the limits of a model differ from the recorded ones: its prompts would change."""
    for field, value in before.limits.items():
        if field in now.limits and now.limits[field] != value:
            why = f" ({now.details['transport_why']})" if field == "counted" else ""
            raise RecordError(
                f"this run was played with {field} = {value!r} of {name!r}, but now it is "
                f"{now.limits[field]!r}{why}; serve the model as it was served, or start a new run"
            )
