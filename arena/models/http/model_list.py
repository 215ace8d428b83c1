"""List of a server's models: the model that a run uses, at its start and later."""

from collections.abc import Sequence
from http import HTTPStatus

from arena.errors import ConfigError, EndpointUnavailableError, ModelChangedError
from arena.models.http.address import EndpointAddress
from arena.models.http.http_errors import UNAUTHORIZED, describe_lock
from arena.models.http.http_transport import HttpTransport
from arena.models.http.responses import HttpResponse, ModelCard, ModelList, is_json, shorten_name

MODELS = "/v1/models"
_MAX_LISTED = 10


def select_card(response: HttpResponse, http: HttpTransport) -> ModelCard:
    """Return the model that the address names, or the only one; else raise `ConfigError`."""
    url, wanted = http.address.url, http.address.model
    if response.status in UNAUTHORIZED:
        has_key = http.address.key is not None
        raise ConfigError(describe_lock(url, response.status, has_key=has_key))
    if wanted and response.status == HTTPStatus.NOT_FOUND and is_json(response.content):
        # Some servers have no model list; the first request shows whether they know the name.
        return ModelCard(id=wanted)
    cards = _parse_cards(response, http)
    if wanted is None and len(cards) == 1:
        return cards[0]
    found = [card for card in cards if card.id == wanted]
    if found:
        return found[0]
    asked = "one model" if wanted is None else f"model {wanted!r}"
    raise ConfigError(
        f"{url} should serve {asked}, but serves {_names(cards, http)}; {_advise(http.address)}"
    )


def _advise(address: EndpointAddress) -> str:
    """Return where the user names another model of a server."""
    if address.endpoint:
        return f'set "model" of the endpoint {address.endpoint!r} in ARENA_ENDPOINTS'
    return f"write {address.url}#NAME"


def find_card(response: HttpResponse, http: HttpTransport, model: str) -> ModelCard:
    """Return the entry of `model` in a server's list during a run.

    Raises `EndpointUnavailableError` if there is no list now, and `ModelChangedError` if it
    contains only other models.
    """
    try:
        cards = _parse_cards(response, http)
    except ConfigError as error:
        raise EndpointUnavailableError(str(error)) from error
    found = next((card for card in cards if card.id == model), None)
    if found is not None:
        return found
    if not cards:
        raise EndpointUnavailableError(f"{http.address.url} lists no models now")
    raise ModelChangedError(
        f"{http.address.url} served {model!r} in this run, but now {_names(cards, http)}; "
        "serve the same and continue with `arena resume`"
    )


def _parse_cards(response: HttpResponse, http: HttpTransport) -> list[ModelCard]:
    try:
        if response.status == HTTPStatus.OK:
            return ModelList.model_validate_json(response.content).data
        body = f"{response.status} {http.error_text(response)}".strip()
    except ValueError:
        body = f"something else: {http.error_text(response)}"
    raise ConfigError(
        f"{http.address.url} should be an OpenAI-compatible server, but GET {MODELS} gave {body}; "
        "fix the URL or start the server"
    )


def _names(cards: Sequence[ModelCard], http: HttpTransport) -> str:
    names = ", ".join(shorten_name(card.id) for card in cards[:_MAX_LISTED])
    more = f" and {len(cards) - _MAX_LISTED} more" if len(cards) > _MAX_LISTED else ""
    return f"{http.redact(names) or 'none'}{more}"
