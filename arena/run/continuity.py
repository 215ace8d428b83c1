"""Whether a run that is continued meets the same models as when it was started."""

from collections.abc import Mapping
from typing import cast

from arena.errors import RecordError
from arena.run.model_pool import ModelPool


def check_same_models(recorded: Mapping[str, Mapping[str, object]], pool: ModelPool) -> None:
    """Raise `RecordError` where another model is served now, or one with other limits.

    `recorded`: the section `models` of run.json, by the model's name in a contestant.
    """
    for name, model in pool.models.items():
        before = recorded.get(name, {})
        served = before.get("served")
        if served != model.served_name:
            raise RecordError(
                f"this run was played with {served!r} as {name!r}, but now {model.served_name!r} "
                "is served; serve the same or start a new run"
            )
        _check_same_limits(name, before.get("limits"), pool.about[name])


def _check_same_limits(name: str, written: object, about: Mapping[str, object]) -> None:
    """Raise where a model can now take something else than recorded: its prompts would change."""
    if not isinstance(written, dict):
        return
    now = cast("dict[str, object]", about["limits"])
    for field, before in cast("dict[str, object]", written).items():
        if field in now and now[field] != before:
            why = f" ({about['transport_why']})" if field == "counted" else ""
            raise RecordError(
                f"this run was played with {field} = {before!r} of {name!r}, but now it is "
                f"{now[field]!r}{why}; serve the model as it was served, or start a new run"
            )
