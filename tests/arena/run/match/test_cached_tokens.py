"""What the real vLLM finds in its cache is what the oracle predicts, to the block. Slow."""

import asyncio
from importlib.util import find_spec

import pytest

from arena.core.transitions import MatchSetup
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.models.api.chat_api import OpenAIChat
from arena.models.api.token_api import TokenIdModel
from arena.models.http.address import parse_address
from arena.models.http.endpoint import Endpoint, open_endpoint
from arena.models.tokens.model_files import find_model_folder
from arena.models.tokens.prompt_tokenizer import load_prompt_tokenizer
from arena.players.model_limits import ModelLimits
from arena.players.model_player import ModelPlayer
from arena.players.prompting import PromptingOptions
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop
from scripts_mm.catalog import find_script
from scripts_mm.script import Language, Picture
from scripts_mm.script_folder import LoadedScript
from scripts_mm.vision_tokens import count_vision_tokens
from tests.arena.run.oracle import Checked, Oracle
from tests.fakes.prefix_cache_oracle import PrefixCacheOracle
from tests.served import ServedModel
from tests.table import begin

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("vllm") is None, reason="no vLLM in this environment"),
]
LIMITS = ModelLimits(reply_tokens=64, context_tokens=None, count=len, exact=False)
CACHES: dict[str, PrefixCacheOracle] = {}
"""All that each server was ever sent in this module."""


def played(url: str, key: str, transport: str, language: Language) -> list[Checked]:
    """Play the bundled script, one call at a time; return each call as predicted and reported."""
    loaded = find_script("first-night", language)

    async def run() -> list[Checked]:
        async with open_endpoint(parse_address(url, key=key), max_requests=4) as endpoint:
            await endpoint.probe()
            assert endpoint.probe_result.accepts_token_ids
            oracle = make_oracle(url, endpoint, transport, loaded)
            state = begin(
                MatchSetup(
                    script=loaded.script,
                    options=WhodunitOptions(vote="open", rounds=1, speech_words=80),
                    seed=1,
                )
            )
            options = PromptingOptions(reply_tokens=64)
            loop = MatchLoop(
                game=WHODUNIT,
                seats={
                    seat: SeatBinding(player=ModelPlayer(oracle, options, LIMITS), health=None)
                    for seat in state.started.seats
                },
                control=TurnControl(deadline=120),
                sink=lambda steps: None,
            )
            await loop.run(state)
            return oracle.checked

    return asyncio.run(run())


def make_oracle(url: str, endpoint: Endpoint, transport: str, loaded: LoadedScript) -> Oracle:
    """Return the oracle of a server's cache, over one of its APIs."""
    folder, kv = find_model_folder(endpoint.probe_result.root), endpoint.probe_result.kv
    assert folder is not None
    assert kv is not None
    speller = load_prompt_tokenizer(folder)
    # A seat is not told the files of pictures, so they are found by their content.
    files = {picture.sha256: picture for picture in loaded.script.pictures}

    def read(picture: Picture) -> bytes:
        return loaded.read_picture(files[picture.sha256])

    return Oracle(
        model=TokenIdModel(endpoint, speller, read)
        if transport == "tokens"
        else OpenAIChat(endpoint, read, reply_ids=True),
        speller=speller,
        cache=CACHES.setdefault(url, PrefixCacheOracle(kv.block_tokens)),
        picture_tokens=lambda picture: count_vision_tokens(
            picture.width, picture.height, "qwen2.5-vl", max_pixels=200_704
        ),
        as_text=transport == "chat",
    )


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("transport", ["chat", "tokens"])
def test_reported_cached_tokens_are_those_of_the_oracle_over_a_whole_match(
    server: ServedModel, transport: str, language: Language
) -> None:
    checked = played(server.url, server.key, transport, language)
    assert len(checked) >= 12
    assert any(call.pictures for call in checked)
    wrong = [c for c in checked if c.prompt[0] != c.prompt[1] or c.cached[0] != c.cached[1]]
    assert wrong == []
    cached = sum(call.cached[1] for call in checked)
    assert cached > sum(call.prompt[1] for call in checked) / 2
