"""Model wrapper for scheduling: sets request priorities and reports token usage."""

import asyncio
from collections import Counter
from dataclasses import replace

from arena.errors import EndpointUnavailableError
from arena.models.chat import CallId, Completion, Request
from arena.run.admission_gate import AdmissionGate
from arena.run.servers.model_handle import Replica
from arena.schedule.admission import TurnUsage
from arena.schedule.cache_prediction import CacheHitPredictor


class ScheduledModel:
    """Chat model of one match on one replica."""

    def __init__(
        self, replica: Replica, gate: AdmissionGate, predictor: CacheHitPredictor, *, match: str
    ) -> None:
        self._replica, self._gate, self._predictor = replica, gate, predictor
        self._match = match
        self._failed: Counter[CallId] = Counter()
        """Failed attempts by call."""

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion with its retries, after reporting its usage to the gate."""
        predicted = self._predictor.predict(request)
        priority = self._gate.priority(self._match, probe=request.call_id.off_path)
        self._gate.begin_call(self._replica.url)
        try:
            request_id = f"{self._match}:{request.call_id}"
            completion = await self._replica.chat.complete(
                replace(request, priority=priority, request_id=request_id)
            )
        except BaseException as error:
            self._gate.fail_call(self._replica.url)
            if isinstance(error, EndpointUnavailableError):
                self._replica.warm.invalidate()
                self._failed[request.call_id] += 1
            raise
        if retries := self._failed.pop(request.call_id, 0):
            completion = replace(completion, retries=retries)
            self._replica.warm.invalidate()
        self._predictor.record(request, completion)
        usage = TurnUsage(
            prompt=completion.prompt_tokens,
            output=completion.output_tokens,
            predicted=min(predicted, completion.prompt_tokens),
            # After a retry the server may have restarted with an empty cache. Such a miss says
            # nothing about its capacity.
            reported=None if retries else completion.cached_tokens,
            request=request.call_id.request,
            is_reply=request.call_id.kind == "reply",
            now=asyncio.get_running_loop().time(),
        )
        self._gate.report_usage(self._match, request.call_id.seat, self._replica.url, usage)
        return completion
