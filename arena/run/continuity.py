"""Continuity: a resumed run must use the same models as before."""

from collections.abc import Mapping

from arena.errors import RecordError
from arena.records.manifest import ServerRecord
from arena.run.model_pool import ModelPool


def check_same_models(recorded: Mapping[str, ServerRecord], pool: ModelPool) -> None:
    """Raise `RecordError` if another model is served now, or the same with other limits.

    `recorded`: the servers of run.json, by the model's name in a contestant.
    """
    for name, model in pool.models.items():
        before = recorded.get(name)
        served = before.served if before else None
        if before is None or served != model.served_name:
            raise RecordError(
                f"this run was played with {served!r} as {name!r}, but now {model.served_name!r} "
                "is served; serve the same or start a new run"
            )
        _check_same_limits(name, before, pool.servers[name])


def _check_same_limits(name: str, before: ServerRecord, now: ServerRecord) -> None:
    """Raise if the limits of a model differ from the recorded ones: its prompts would change."""
    for field, value in before.limits.items():
        if field in now.limits and now.limits[field] != value:
            why = f" ({now.details['transport_why']})" if field == "counted" else ""
            raise RecordError(
                f"this run was played with {field} = {value!r} of {name!r}, but now it is "
                f"{now.limits[field]!r}{why}; serve the model as it was served, or start a new run"
            )
