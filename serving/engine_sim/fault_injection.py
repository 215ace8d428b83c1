"""Faults to inject: by the command line, by POST /faults, or by a test."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serving.errors import ProfileError


class FaultsBody(BaseModel):
    """The faults to inject from now on; an absent field changes nothing."""

    model_config = ConfigDict(extra="forbid")

    seconds: float | None = Field(default=None, ge=0)
    """Extra seconds of every response."""
    failing: int | None = Field(default=None, ge=0)
    """How many of the next requests for a reply fail with `status` and `words`."""
    status: int | None = Field(default=None, ge=400, le=599)
    words: str | None = None
    drift: bool = False
    """The engine loses every picture, and the web process still lists them."""
    forget: bool = False
    """The web process and the engine lose every picture."""
    die_after: int | None = Field(default=None, ge=0)
    """After this many more replies, the next request for a reply ends the server."""
    down_seconds: float | None = Field(default=None, ge=0)
    """How long an in-process server stays down before it restarts empty."""


@dataclass(slots=True, kw_only=True)
class ActiveFaults:
    """The faults in effect."""

    seconds: float = 0.0
    failing: int = 0
    status: int = 500
    words: str = "Internal server error"
    """vLLM's message for every fault of its engine, including a drift of its picture caches."""
    lives: int | None = None
    """Replies until the server ends; None: it does not end."""
    down_seconds: float = 0.2

    def apply(self, body: FaultsBody) -> None:
        """Apply the fields of the body, except `drift` and `forget`, which are not states."""
        given = body.model_dump(exclude_none=True, exclude={"drift", "forget"})
        for name, value in given.items():
            setattr(self, "lives" if name == "die_after" else name, value)


def parse_faults(text: str) -> FaultsBody:
    """Return the faults in a JSON object; raises `ProfileError` if it is invalid."""
    try:
        return FaultsBody.model_validate_json(text)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ProfileError(f"invalid faults {text!r}: {where} {fault['msg']}") from error
