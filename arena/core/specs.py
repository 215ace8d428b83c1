"""Action specs: the legal answers to a request, as data.

Constrained decoding, parsing, validation, the random player, the reply limit and the projected
length of a reply depend only on the action spec.
"""

from dataclasses import dataclass

TEXT = "text"
"""The name of the value in a reply to `FreeText`."""
CHOICE = "choice"
"""The name of the value in a reply to `Choice`."""
ABSTAIN = "abstain"
"""The option of a choice that names no seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeText:
    """Any text. `weight` is its share of the reply limit among the texts of one form."""

    weight: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Exactly one of `options`, in the order in which the seat sees them."""

    options: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` for no options, or for two equal ones."""
        if not self.options or len(set(self.options)) != len(self.options):
            raise ValueError(f"a choice needs different options, at least one; got {self.options}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One named value of a form; an optional one can be empty or missing."""

    name: str
    spec: FreeText | Choice
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Several named values, in the order in which a model writes them."""

    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One of several ways to answer."""

    name: str
    spec: FreeText | Choice | Form


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """One of several variants, chosen by the seat."""

    variants: tuple[Variant, ...]


ActionSpec = FreeText | Choice | Form | OneOf


def spec_fields(spec: FreeText | Choice | Form) -> tuple[Field, ...]:
    """Return the fields of a reply to `spec`; a single text or choice is a form of one field."""
    match spec:
        case FreeText():
            return (Field(name=TEXT, spec=spec),)
        case Choice():
            return (Field(name=CHOICE, spec=spec),)
        case Form():
            return spec.fields


def variant_spec(spec: ActionSpec, variant: str) -> FreeText | Choice | Form | None:
    """Return the spec of `variant`, `spec` itself if it has no variants, None if unknown."""
    if not isinstance(spec, OneOf):
        return spec if not variant else None
    return next((one.spec for one in spec.variants if one.name == variant), None)


def variants(spec: ActionSpec) -> tuple[Variant, ...]:
    """Return all variants; a spec without variants is one variant without a name."""
    return spec.variants if isinstance(spec, OneOf) else (Variant(name="", spec=spec),)
