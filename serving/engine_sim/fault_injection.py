"""What can be made to go wrong: by the command line, by POST /faults, or by a test."""

from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serving.errors import ProfileError

RETRYABLE: Final = "Internal server error"
"""What vLLM says of every fault of its engine, a drift of its picture caches included."""


class FaultsBody(BaseModel):
    """What is to go wrong from now on; a field that is not given leaves things as they are."""

    model_config = ConfigDict(extra="forbid")

    seconds: float | None = Field(default=None, ge=0)
    """Every answer takes so much longer."""
    failing: int | None = Field(default=None, ge=0)
    """So many of the next requests for a reply are answered with `status` and `words`."""
    status: int | None = Field(default=None, ge=400, le=599)
    words: str | None = None
    drift: bool = False
    """The engine loses every picture, and the web process does not know."""
    forget: bool = False
    """The web process and the engine lose every picture."""
    die_after: int | None = Field(default=None, ge=0)
    """After so many more replies the next request for one ends the server."""
    down_seconds: float | None = Field(default=None, ge=0)
    """How long a server that lives in this process stays dead before it comes back empty."""


@dataclass(slots=True, kw_only=True)
class ActiveFaults:
    """What goes wrong at the moment."""

    seconds: float = 0.0
    failing: int = 0
    status: int = 500
    words: str = RETRYABLE
    lives: int | None = None
    """Replies until the server ends; None: it lives on."""
    down_seconds: float = 0.2

    def apply(self, body: FaultsBody) -> None:
        """Change what the body names; `drift` and `forget` are acts, not states."""
        self.seconds = self.seconds if body.seconds is None else body.seconds
        self.failing = self.failing if body.failing is None else body.failing
        self.status = self.status if body.status is None else body.status
        self.words = self.words if body.words is None else body.words
        self.lives = self.lives if body.die_after is None else body.die_after
        self.down_seconds = self.down_seconds if body.down_seconds is None else body.down_seconds


def parse_faults(text: str) -> FaultsBody:
    """Return the faults that a JSON object names; `ProfileError` where it is none of ours."""
    try:
        return FaultsBody.model_validate_json(text)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ProfileError(f"no faults in {text!r}: {where} {fault['msg']}") from error
