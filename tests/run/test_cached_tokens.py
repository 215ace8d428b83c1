"""What the real vLLM finds in its cache is what the oracle predicts, to the block. Slow."""

import asyncio
from importlib.util import find_spec

import pytest
from arena.core.rules import Setup

from arena.core.actions import SeatId
from arena.core.options import Options
from arena.models.address import parse_address
from arena.models.endpoint import Endpoint, open_endpoint
from arena.models.openai_http import OpenAIChat
from arena.models.token_api import TokenIdModel
from arena.models.tokens.model_files import find_model_folder
from arena.models.tokens.prompt_tokenizer import load_prompt_tokenizer
from arena.players.means import Means
from arena.players.model_player import ModelPlayer
from arena.players.style import Style
from arena.run.match import Pace, Seat, play
from scripts_mm.catalog import find_script
from scripts_mm.tokens import tokens
from tests.fakes.prefix_cache_oracle import PrefixCacheOracle
from tests.run.oracle import Checked, Oracle

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("vllm") is None, reason="no vLLM in this environment"),
]


def played(url: str, transport: str, language: str) -> list[Checked]:
    """Play the bundled script, one call at a time; return every call as foretold and reported."""

    async def run() -> list[Checked]:
        address = parse_address(url)
        async with open_endpoint(address, max_requests=4) as endpoint:
            await endpoint.probe()
            oracle = _oracle(endpoint, transport, language)
            seats = {
                SeatId(name): Seat(
                    player=ModelPlayer(oracle, Style(reply_tokens=64), MEANS), health=endpoint
                )
                for name in script.names
            }
            setup = Setup(
                script=script,
                script_sha256=f"{transport}/{language}",
                options=Options(vote="open"),
                seed=1,
                civilian_player="a",
                murderer_player="b",
            )
            await play(setup, seats, pace=Pace(deadline=120), happened=lambda state, event: None)
            return oracle.checked

    loaded = find_script("first-night", "zh" if language == "zh" else "en")
    script = loaded.script

    def _oracle(endpoint: Endpoint, transport: str, language: str) -> Oracle:
        folder = find_model_folder(endpoint.served.root)
        kv = endpoint.served.kv
        assert folder is not None
        assert kv is not None
        speller = load_prompt_tokenizer(folder)
        return Oracle(
            model=TokenIdModel(endpoint, speller, loaded.read)
            if transport == "tokens"
            else OpenAIChat(endpoint, loaded.read, reply_ids=True),
            speller=speller,
            cache=CACHES.setdefault(url, PrefixCacheOracle(kv.block_tokens)),
            picture_tokens=lambda picture: tokens(
                picture.width, picture.height, "qwen2.5-vl", max_pixels=200_704
            ),
            as_text=transport == "chat",
        )

    return asyncio.run(run())


MEANS = Means(reply_tokens=64, context_tokens=None, count=len, exact=False)
CACHES: dict[str, PrefixCacheOracle] = {}
"""All that each server was ever sent in this module."""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("transport", ["chat", "tokens"])
def test_reported_cached_tokens_are_those_of_the_oracle_over_a_whole_match(
    server: str, transport: str, language: str
) -> None:
    checked = played(server, transport, language)
    assert len(checked) >= 12
    assert any(call.pictures for call in checked)
    wrong = [c for c in checked if c.prompt[0] != c.prompt[1] or c.cached[0] != c.cached[1]]
    assert wrong == []
    cached = sum(call.cached[1] for call in checked)
    assert cached > sum(call.prompt[1] for call in checked) / 2
