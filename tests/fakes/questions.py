"""What the fake server is asked, at either of vLLM's two doors."""

from dataclasses import dataclass
from typing import Any

from tests.fakes.pictures import MediaCache, pictures_in
from tests.fakes.replies import prompt_of, prompt_of_ids

_NAMED = "token_id:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request for a reply."""

    model: str
    prompt: str
    """As the fake model reads it, pictures and all."""
    sampling: dict[str, Any]
    bare: bool
    """Some pictures came by uuid alone."""
    in_tokens: bool
    """It came as token ids."""
    in_text: bool
    """The reply is to be text."""

    @property
    def most(self) -> int:
        """Tokens of the reply."""
        asked = self.sampling
        return asked.get("max_tokens") or asked.get("max_completion_tokens") or 4096

    @property
    def allowed(self) -> list[int]:
        """The only tokens that the reply may be of; empty: any."""
        return self.sampling.get("allowed_token_ids", [])

    @property
    def weighed(self) -> list[int]:
        """The tokens whose probabilities are asked for."""
        return self.sampling.get("logprob_token_ids", []) if self.sampling.get("logprobs") else []

    def choice(
        self, text: str, ids: list[int], logprobs: dict[int, float] | None
    ) -> dict[str, Any]:
        """Return the reply in the shape of the door that was used."""
        if self.in_tokens:
            said: dict[str, Any] = {"text": text} if self.in_text else {}
            return {**said, "token_ids": ids, "logprobs": self._logprobs(ids, logprobs)}
        return {
            "message": {"role": "assistant", "content": text},
            "token_ids": ids if self.sampling.get("return_token_ids") else None,
            "logprobs": self._logprobs(ids, logprobs),
        }

    def _logprobs(self, ids: list[int], logprobs: dict[int, float] | None) -> Any:
        if logprobs is None or not self.sampling.get("logprobs"):
            return None
        likely = [self._named(number) | {"logprob": one} for number, one in logprobs.items()]
        return {"content": [{**self._named(ids[0]), "logprob": -1.0, "top_logprobs": likely}]}

    def _named(self, number: int) -> dict[str, Any]:
        if self.in_tokens:
            return {"token": "?"} if self.in_text else {"token_id": number}
        named = self.sampling.get("return_tokens_as_token_ids")
        return {"token": f"{_NAMED}{number}" if named else "?"}


def read_chat(body: dict[str, Any], media: MediaCache) -> Question:
    """Return what /v1/chat/completions is asked, or raise `MissError`."""
    parts = pictures_in(body["messages"])
    return Question(
        model=body["model"],
        prompt=prompt_of(body["messages"], media.seen(parts)),
        sampling=body,
        bare=any(part["image_url"] is None for part in parts),
        in_tokens=False,
        in_text=True,
    )


def read_generate(body: dict[str, Any], media: MediaCache) -> Question:
    """Return what /inference/v1/generate is asked, or raise `MissError`."""
    parts = body.get("content_parts", [])
    return Question(
        model=body["model"],
        prompt=prompt_of_ids(body["token_ids"], media.seen(parts)),
        sampling=body["sampling_params"],
        bare=any(part["url"] is None for part in parts),
        in_tokens=True,
        in_text=body.get("output_mode") == "text",
    )
