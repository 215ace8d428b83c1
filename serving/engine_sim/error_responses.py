"""The error responses of vLLM 0.32, with its messages."""

from typing import Any, Final

from pydantic import ValidationError

_TYPES: Final = {
    400: "BadRequestError",
    404: "NotFoundError",
    500: "InternalServerError",
    503: "ServiceUnavailableError",
}


class RefusalError(Exception):
    """A request that is refused with an HTTP error."""

    def __init__(self, words: str, *, status: int = 400, param: str | None = None) -> None:
        super().__init__(words)
        self.status = status
        self.param = param

    def body(self) -> dict[str, Any]:
        """Return the JSON body of the error."""
        kind = _TYPES.get(self.status, "InternalServerError")
        error = {"message": str(self), "type": kind, "param": self.param, "code": self.status}
        return {"error": error}


def invalid_body(error: ValidationError) -> RefusalError:
    """Return the refusal of a body that the endpoint's schema rejects."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    where = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults]
    return RefusalError("; ".join(where))


def check_max_tokens(name: str, wanted: int | None, context: int) -> None:
    """Refuse more reply tokens than the context holds; `name` is the field of the request."""
    if wanted is not None and wanted > context:
        raise RefusalError(
            f"{name}={wanted} cannot be greater than max_model_len={context}. Please request "
            f"fewer output tokens. (parameter={name}, value={wanted})",
            param=name,
        )


def check_text_length(tokens: int, context: int) -> None:
    """Refuse the text of a chat that is longer than the context, before pictures are counted."""
    if tokens > context:
        # The tokenizer stops one token after the limit, so the full length is unknown.
        raise RefusalError(
            f"This model's maximum context length is {context} tokens. However, your prompt "
            f"contains at least {context + 1} input tokens, which exceeds this limit even without "
            "any output tokens. Please reduce the length of the input prompt. "
            f"(parameter=input_tokens, value={context + 1})",
            param="input_tokens",
        )


def check_prompt_length(tokens: int, context: int) -> None:
    """Refuse a whole prompt, pictures included, that leaves no room for a reply."""
    if tokens == context:
        raise RefusalError(
            f"The decoder prompt (length {tokens}) plus the number of requested output tokens "
            f"(at least 1) is longer than the maximum model length of {context}. Make sure that "
            "`max_model_len` is no smaller than the number of text tokens (prompt + requested "
            "output tokens)."
        )
    if tokens > context:
        raise RefusalError(
            f"The decoder prompt (length {tokens}) is longer than the maximum model length of "
            f"{context}. Make sure that `max_model_len` is no smaller than the number of text "
            "tokens plus multimodal tokens. For image inputs, the number of image tokens depends "
            "on the number of images, and possibly their aspect ratios as well."
        )
