"""Errors of the arena, sorted by who must act. Every message is one line for the user."""


class ArenaError(Exception):
    """Error that a person must fix; shown without a traceback."""


class ConfigError(ArenaError):
    """Invalid command line argument, setting or run configuration."""


class RecordError(ArenaError):
    """Record that cannot be written or read."""


class ClusterError(ArenaError):
    """Workers of a cluster interfere with each other, or cannot reach their shared folder."""


class ModelError(ArenaError):
    """Endpoint that will not serve a request; the match cannot continue."""


class UnanswerableError(ModelError):
    """Request that a model refuses or cannot be sent; other requests may succeed."""


class ContextLengthError(UnanswerableError):
    """Prompt longer than the model's context."""


class ModelChangedError(ModelError):
    """Server that serves another model than at the start of the run."""


class PersonLeftError(ArenaError):
    """A person left the match, which can be continued later."""


class EndpointUnavailableError(ModelError):
    """Endpoint that does not answer now; it may recover."""
