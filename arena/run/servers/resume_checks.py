"""Resume checks: a resumed run must use the same models as before."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from arena.core.events import MatchStarted
from arena.core.seats import SeatId
from arena.errors import RecordError
from arena.models.http.server_identity import MAY_BE_UNKNOWN
from arena.players.contestants import read_contestant
from arena.records.match_record import MatchRecord
from arena.records.run_manifest import ServerRecord
from arena.records.run_record import RunRecord
from arena.run.match.match_usage import SERVER_CHANGED
from arena.run.servers.model_handle import ModelHandle
from arena.run.servers.model_pool import ModelPool


def check_same_models(recorded: Mapping[str, ServerRecord], pool: ModelPool) -> ModelPool:
    """Return `pool`; a model from another folder or engine version is flagged in its results.

    Raises `RecordError` if another model is served now, or the same one with another chat template
    or other limits: the prompts would change. `recorded`: the servers of run.json, by the model's
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
    templates = {one.get("template") for one in before.identities} - {"", None}
    found = {one["template"] for one in now.identities} - {""}
    if templates and found - templates:
        raise RecordError(
            f"the server of {name!r} tokenises a conversation differently than at the start of "
            "this run; serve it with the same tokenizer and chat template, or start a new run"
        )
    known = [any(_agree(then, one) for then in before.identities) for one in now.identities]
    if before.identities and not all(known):
        return replace(model, flags=(*model.flags, SERVER_CHANGED))
    return model


def _agree(then: Mapping[str, object], now: Mapping[str, object]) -> bool:
    """Tell whether two identities of a server agree in every value that both have."""
    return all(
        then[key] == now.get(key) or (key in MAY_BE_UNKNOWN and not (then[key] and now.get(key)))
        for key in then
    )


def restore_reply_names(record: RunRecord, pool: ModelPool) -> None:
    """Restore from the recorded calls the name that the replies of each model contain."""
    unknown = {name for name, model in pool.models.items() if not model.reply_name.name}
    for match in record.matches() if unknown else ():
        # A damaged match is reported when it is continued.
        with suppress(RecordError):
            for name, replied in _reply_names(match):
                if name in pool.models and not pool.models[name].reply_name.name:
                    pool.models[name].reply_name.name = replied
        unknown = {name for name in unknown if not pool.models[name].reply_name.name}
        if not unknown:
            return


def _reply_names(match: MatchRecord) -> Iterator[tuple[str, str]]:
    """Yield a model's name in a contestant, and the name in one of its replies."""
    started = next((one for one in match.events() if isinstance(one, MatchStarted)), None)
    if started is None:
        return
    sides = {"civilians": started.civilians, "murderer": started.murderer}
    models = {part.seat: read_contestant(sides[part.faction]).model for part in started.parts}
    for call in match.calls().values():
        model = models.get(SeatId(call.request.call_id.seat))
        if model is not None and call.completion is not None:
            yield model, call.completion.model


def _check_same_limits(name: str, before: ServerRecord, now: ServerRecord) -> None:
    """Raise if the limits of a model differ from the recorded ones: its prompts would change."""
    for field, value in before.limits.items():
        if field in now.limits and now.limits[field] != value:
            why = f" ({now.details['transport_why']})" if field == "counted" else ""
            raise RecordError(
                f"this run was played with {field} = {value!r} of {name!r}, but now it is "
                f"{now.limits[field]!r}{why}; serve the model with the previous settings, or "
                "start a new run"
            )
