"""Files of a model's folder that define its tokenizer and chat template, validated."""

from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.errors import ConfigError

TOKENIZER_FILE: Final = "tokenizer.json"


class TemplateError(ConfigError):
    """A model's prompts cannot be rendered or tokenised here; its chat API may still work."""


class ConfigToken(BaseModel):
    """Token in a configuration file; tokenizer.json holds its other properties."""

    content: str


class NamedTemplate(BaseModel):
    """One of several chat templates."""

    name: str
    template: str


class SpecialTokens(BaseModel):
    """Special tokens that a template can name."""

    model_config = ConfigDict(extra="allow")

    bos_token: str | ConfigToken | None = None
    eos_token: str | ConfigToken | None = None
    unk_token: str | ConfigToken | None = None
    sep_token: str | ConfigToken | None = None
    pad_token: str | ConfigToken | None = None
    cls_token: str | ConfigToken | None = None
    mask_token: str | ConfigToken | None = None
    extra_special_tokens: dict[str, str | ConfigToken] | list[str | ConfigToken] | None = None

    def texts(self) -> dict[str, str]:
        """Return the text of each token that is set, by the name that templates use."""
        named: dict[str, object] = {
            name: getattr(self, name)
            for name in SpecialTokens.model_fields
            if name.endswith("_token")
        }
        named |= {
            name: value
            for name, value in (self.model_extra or {}).items()
            if name.endswith("_token") and isinstance(value, str)
        }
        if isinstance(self.extra_special_tokens, dict):
            named |= self.extra_special_tokens
        return {
            name: token.content if isinstance(token, ConfigToken) else str(token)
            for name, token in named.items()
            if token is not None
        }


class TokenizerConfig(SpecialTokens):
    """Templates and tokens of tokenizer_config.json."""

    chat_template: str | list[NamedTemplate] | None = None
    added_tokens_decoder: dict[int, ConfigToken] = {}
    additional_special_tokens: list[str | ConfigToken] | None = None

    def texts_without_name(self) -> tuple[str, ...]:
        """Return the texts of the special tokens without a name."""
        listed = self.extra_special_tokens
        tokens = [
            *(listed if isinstance(listed, list) else ()),
            *(self.additional_special_tokens or ()),
        ]
        return tuple(token.content if isinstance(token, ConfigToken) else token for token in tokens)


class TemplateFile(BaseModel):
    """Content of chat_template.json, an older format."""

    chat_template: str


class ModelConfig(BaseModel):
    """Placeholder of a picture in config.json."""

    image_token_id: int | None = None
    image_token_index: int | None = None


Model = TypeVar("Model", bound=BaseModel)


def read_text(path: Path) -> str | None:
    """Read a text file; None if it is missing, `TemplateError` if it is unreadable."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise TemplateError(f"{str(path)!r} should be a text file, but: {error}") from error


def read_json(path: Path, model: type[Model]) -> Model | None:
    """Parse a JSON file; None if it is missing, `TemplateError` if it is invalid."""
    text = read_text(path)
    if text is None:
        return None
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise TemplateError(
            f"{str(path)!r} cannot be read: {where}: {first['msg']}; fix the model's folder"
        ) from error


def find_model_folder(root: str) -> Path | None:
    """Return the folder that a server's card names as its `root`, if it is on this machine.

    Only an absolute path counts: a relative one can be a hub id or belong to another working
    folder. A remote server can name a path that holds another model here, so compare some ids with
    the server's own before you trust the folder.
    """
    try:
        folder = Path(root)
        return folder if folder.is_absolute() and (folder / TOKENIZER_FILE).is_file() else None
    except OSError:
        return None
