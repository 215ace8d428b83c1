"""Call stack: the layers that a model call passes between a player and the server.

    match     meter      MeteredModel: count tokens, notify the observer
              replay     ReplayingModel: reuse a completion that an earlier process recorded
              record     RecordingModel: save the completion before the player sees it
              schedule   ScheduledModel: set the priority, report cache hits to admission
    replica   verify     VerifyingModel: refuse the reply of another model than the run's
              negotiate  NegotiatingClient: drop request features that the server rejects
              transport  Endpoint, HttpTransport: send one HTTP request

`build_replica_model` builds the lower three layers once for each server, and all matches share
them. `build_match_model` puts the upper four on top, once for each match and model.
"""

from collections.abc import Callable
from dataclasses import dataclass

from arena.models.api.chat_api import OpenAIChat
from arena.models.api.token_api import TokenIdModel
from arena.models.chat import ChatModel
from arena.models.http.endpoint import Endpoint
from arena.models.recording import RecordedCall, RecordedCalls, RecordingModel, ReplayingModel
from arena.run.admission_gate import AdmissionGate
from arena.run.match.match_usage import MatchUsage, MeteredModel
from arena.run.match.scheduled_model import ScheduledModel
from arena.run.observer import RunObserver
from arena.run.servers.endpoint_transport import EndpointTransport
from arena.run.servers.model_handle import Replica
from arena.run.servers.server_monitor import ServerMonitor, VerifyingModel
from arena.schedule.cache_prediction import CacheHitPredictor
from scripts_mm.script import Picture


def build_replica_model(
    endpoint: Endpoint,
    monitor: ServerMonitor,
    transport: EndpointTransport,
    read_picture: Callable[[Picture], bytes],
) -> ChatModel:
    """Build the layers that all matches of one server share: verify, negotiate, transport.

    No layer repeats a request that failed without an answer; `arena.run.match.decisions` does.
    """
    client: ChatModel
    if transport.prompt_tokenizer is None:
        client = OpenAIChat(endpoint, read_picture, reply_format=transport.reply_format)
    else:
        stop = transport.reply_format.stop
        client = TokenIdModel(endpoint, transport.prompt_tokenizer, read_picture, stop=stop)
    return VerifyingModel(client, monitor)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCalls:
    """Shared values of the layers of one match: its record, counters and observers."""

    match: str
    gate: AdmissionGate
    recorded: RecordedCalls
    """Recorded calls of this match, which are not made again."""
    save: Callable[[RecordedCall], None]
    usage: MatchUsage
    observer: RunObserver


def build_match_model(
    replica: Replica, predictor: CacheHitPredictor, calls: MatchCalls
) -> ChatModel:
    """Build the layers of one match on `replica`: meter, replay, record, schedule.

    The meter is above replay, so that a resumed match counts replayed calls too. Replay is above
    record and schedule: a replayed call is neither saved again nor reported to admission, because
    no server computed it.
    """
    scheduled = ScheduledModel(replica, calls.gate, predictor, match=calls.match)

    def save(call: RecordedCall) -> None:
        calls.save(call)
        calls.recorded.add(call)

    recording = RecordingModel(scheduled, save=save)
    replaying = ReplayingModel(recording, calls=calls.recorded)
    return MeteredModel(replaying, calls.match, calls.usage, calls.observer)
