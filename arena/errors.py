"""What can go wrong, sorted by who must act. Every message is one line for the user."""


class ArenaError(Exception):
    """Something that a person must fix; shown without a traceback."""


class ConfigError(ArenaError):
    """A word of the command line, a setting or a run's configuration is wrong."""


class RecordError(ArenaError):
    """A record cannot be written or read."""


class ClusterError(ArenaError):
    """Workers of a cluster stand in each other's way, or cannot reach their shared folder."""


class ModelError(ArenaError):
    """A model's endpoint will not serve this request; the match cannot go on."""


class UnanswerableError(ModelError):
    """A model cannot be sent one request, or refuses it; it may well answer others."""


class ContextLengthError(UnanswerableError):
    """The prompt is longer than the model's context."""


class ModelChangedError(ModelError):
    """A server serves another model than when the run was started."""


class PersonLeftError(ArenaError):
    """A person has left the match, which can go on later."""


class EndpointUnavailableError(ModelError):
    """The endpoint does not answer now; it may be up again later."""
