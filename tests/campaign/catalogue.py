"""Catalogue of spoilt answers, by the name of their kind."""

from collections.abc import Mapping
from types import MappingProxyType

from tests.campaign.broken_answers import BROKEN
from tests.campaign.hostile_answers import COUNTED, HOSTILE
from tests.campaign.spoils import Spoil

SPOILS: Mapping[str, Spoil] = MappingProxyType({**BROKEN, **COUNTED, **HOSTILE})
