"""Faults to inject: by the command line, by POST /faults, or by a test."""

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serving.errors import ProfileError


class InjectedFaults(BaseModel):
    """The faults of a simulated server; of a change to them only the given fields count."""

    model_config = ConfigDict(extra="forbid")

    seconds: float = Field(default=0.0, ge=0)
    """Extra seconds of every response."""
    failing: int = Field(default=0, ge=0)
    """How many of the next requests for a reply fail with `status` and `words`."""
    status: int = Field(default=500, ge=400, le=599)
    words: str = "Internal server error"
    """vLLM's message for every fault of its engine, including a drift of its picture caches."""
    drift: bool = False
    """The engine loses every picture, and the web process still lists them."""
    forget: bool = False
    """The web process and the engine lose every picture."""
    die_after: int | None = Field(default=None, ge=0)
    """After this many more replies, the next request for a reply ends the server; None: never."""
    down_seconds: float = Field(default=0.2, ge=0)
    """How long an in-process server stays down before it restarts empty."""

    def apply(self, change: "InjectedFaults") -> None:
        """Apply the given fields of a change, except `drift` and `forget`, which do not last."""
        for name in change.model_fields_set - {"drift", "forget"}:
            setattr(self, name, getattr(change, name))


def parse_faults(text: str) -> InjectedFaults:
    """Return the faults in a JSON object; raises `ProfileError` if it is invalid."""
    try:
        return InjectedFaults.model_validate_json(text)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ProfileError(f"invalid faults {text!r}: {where} {fault['msg']}") from error
