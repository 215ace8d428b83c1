"""As whom a match is seen, and a seat's prompts beside it: nothing of that while a person plays."""

import re
from pathlib import Path

from aiohttp import ClientSession

from arena.core.events import Said
from arena.core.seats import SeatId
from arena.models.chat import CallId, Completion, Message, Request
from arena.models.recording import RecordedCall
from arena.records.run_config import HumanSeat
from tests.arena.records.made import summary
from tests.arena.web.recorded import make_run, write
from tests.arena.web.test_server import MATCH, text_of, visit

SEATS = ("Ada Vale", "Bram Finch", "Cora Lund", "Dov Marsh")
BRAM = SEATS.index("Bram Finch")


def test_a_seat_sees_its_own_clue_and_the_truth_sees_all(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one")
    write(record, events[:-1])

    async def look(client: ClientSession) -> None:
        public = await text_of(client, MATCH)
        bram = await text_of(client, f"{MATCH}?as={BRAM}")
        truth = await text_of(client, f"{MATCH}?as=truth")
        assert "A wet oar" not in public
        assert "A wet oar" in bram
        assert "The spare key" not in bram
        assert "A wet oar" in truth
        assert "The spare key" in truth
        assert re.search(rf'<option value="{BRAM}" selected>Bram Finch', bram)
        for wrong in ("?as=7", "?as=-1", "?as=Bram", "?as=0x1"):
            await text_of(client, f"{MATCH}{wrong}", status=404)

    visit(tmp_path, look)


def test_while_a_person_plays_every_page_shows_what_all_seats_may_know(tmp_path: Path) -> None:
    human = HumanSeat(seat=SeatId("Ada Vale"))
    record, events = make_run(tmp_path / "one", humans=(human,))
    write(record, events)
    asked = next(one.request for one in events if isinstance(one, Said))

    async def look(client: ClientSession) -> None:
        page = await text_of(client, MATCH)
        assert 'name="as"' not in page
        for query in ("?as=truth", "?as=0", f"?as={BRAM}"):
            for path in (MATCH, f"{MATCH}/events"):
                fault = await text_of(client, f"{path}{query}", status=404)
                assert "a person plays" in fault
                assert "A wet oar" not in fault
        await text_of(client, f"{MATCH}/calls?request={asked}", status=404)
        done = summary(match=record.path.name, events=len(events), script="lamp-room", seed=7)
        ended = events[-1]
        record.write_summary(
            summary(
                match=record.path.name,
                events=len(events),
                script="lamp-room",
                seed=7,
                civilians="qwen+direct",
                murderer="naive",
                outcome=getattr(ended, "outcome", done.outcome),
            )
        )
        assert "A wet oar" in await text_of(client, f"{MATCH}?as=truth")

    visit(tmp_path, look)


def test_a_match_with_persons_that_broke_off_is_not_revealed_before_they_go_on(
    tmp_path: Path,
) -> None:
    humans = tuple(HumanSeat(seat=SeatId(name)) for name in SEATS[:2])
    record, events = make_run(tmp_path / "one", humans=humans)
    write(record, events[:-1])
    broken = summary(match=record.path.name, outcome="error", error_cause="the server is down")
    record.write_summary(broken)

    async def look(client: ClientSession) -> None:
        assert 'name="as"' not in await text_of(client, MATCH)
        for query in ("?as=truth", "?as=0"):
            assert "a person plays" in await text_of(client, f"{MATCH}{query}", status=404)

    visit(tmp_path, look)


def test_prompt_thought_and_reply_of_a_turn_are_shown_beside_the_truth(tmp_path: Path) -> None:
    record, events = make_run(tmp_path / "one")
    said = next(one for one in events if isinstance(one, Said))
    write(record, events)
    call = Request(
        call_id=CallId(seat=said.seat, request=said.request, kind="thought"),
        messages=(Message(role="system", text="RULES <b>"), Message(role="user", text="SCRIPT")),
        max_tokens=10,
        temperature=0,
    )
    done = Completion(
        text="HIDDEN THOUGHT",
        finish="stop",
        prompt_tokens=1_234,
        output_tokens=5,
        cached_tokens=1_000,
        seconds=0.25,
    )
    with record.open_writer() as writer:
        writer.call(RecordedCall(request=call, completion=done))

    async def look(client: ClientSession) -> None:
        assert "/calls?" not in await text_of(client, MATCH)
        page = await text_of(client, f"{MATCH}?as=truth")
        addresses = re.findall(r'class="calls" href="([^"]+)"', page)
        assert len(addresses) > 4
        shown = await text_of(client, addresses[0].replace("&amp;", "&"))
        assert "HIDDEN THOUGHT" in shown
        assert "1,234 tokens in, 1,000 of them cached, 5 out" in shown
        assert "RULES &lt;b&gt;" in shown
        await text_of(client, f"{MATCH}/calls?request=none", status=404)

    visit(tmp_path, look)
