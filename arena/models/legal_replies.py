"""Replies of a dummy model that always answers in the requested form.

With them a match can be played instantly and without a server: to count calls, and in tests.
"""

import json
import zlib
from random import Random

from arena.models.chat import ChoiceConstraint, JsonConstraint, Request


def legal_reply(request: Request) -> str:
    """Return a legal reply, the same for the same request."""
    chance = Random(zlib.crc32(repr((request.call_id, request.messages[-1].text)).encode()))
    match request.constraint:
        case None:
            return "I have nothing special to say."
        case ChoiceConstraint(options=options):
            return chance.choice(options)
        case JsonConstraint() as form:
            return _fill(form, chance)
        case one_of:
            return _fill(chance.choice(one_of.variants), chance)


def _fill(form: JsonConstraint, chance: Random) -> str:
    values = {
        field.name: chance.choice(field.options) if field.options else "What do you know?"
        for field in form.fields
    }
    return json.dumps(values, ensure_ascii=False)
