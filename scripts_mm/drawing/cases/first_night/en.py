"""The words in the English pictures of "The First Night"."""

from scripts_mm.drawing.cases.first_night.picture_words import FirstNightWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.photos.chat_screen import ChatMessage, ChatScreenSpec

WORDS = FirstNightWords(
    letter=LetterSpec(
        greeting="L.",
        body=(
            "You took the toll from everyone who crossed, and from me you took the crossing too.",
            "I have carried your lantern long enough. You will not live to see the river fall.",
            "When the lantern goes out, so do you.",
        ),
        signature="D.",
        mark="14 / II.3",
        text_size=43,
        leading=60,
    ),
    report=ReportFormSpec(
        office="City Police, Third District, Medical Service",
        title="PRELIMINARY MEDICAL NOTE",
        fields=(
            ("Deceased", "Leopold Crane, 58"),
            ("Found in", "Halcyon Theatre, Dressing Room 1"),
            ("Date", "11 October"),
            ("Examined at", "20:44"),
        ),
        heading="Findings",
        findings=(
            "One single blow to the back of the head, on the right side, from behind and a "
            "little from above. No other wound.",
            "The man was sitting, his face to the mirror. No sign of defence: he let his visitor "
            "stand behind him.",
            "The blow came from a right-handed person.",
            "A heavy object of iron with a rounded edge. In the hair a flake of yellow paint.",
            "Body warm, no stiffness. Death within a minute of the blow, between 20:10 and 20:25.",
        ),
        signed="Physician",
        signature="R. Adeyemi",
        stamp=("RECEIVED", "11 OCT", "POLICE"),
    ),
    chat=ChatScreenSpec(
        clock="20:52",
        contact="Agnes Marsh, surveyor",
        day="Today",
        messages=(
            ChatMessage(
                time="20:09",
                text="Come to the stage door at 22:00. I will put the file into your own hands.",
                own=True,
            ),
            ChatMessage(time="20:10", text="Do they know?", own=False),
            ChatMessage(
                time="20:11",
                text="Since 19:10. There is time to own up until the final curtain, "
                "not a minute more.",
                own=True,
            ),
            ChatMessage(time="20:13", text="And you sit there alone? Lock your door.", own=False),
            ChatMessage(time="20:14", text="On a first night? I am among friends.", own=True),
            ChatMessage(time="20:15", text="Somebody is knocking. One moment.", own=True),
            ChatMessage(time="20:18", text="Leopold?", own=False),
            ChatMessage(time="20:26", text="Are you still there?", own=False, note="unread"),
        ),
        field="Message",
    ),
    invoice=InvoiceSpec(
        firm="BRANDT & SONS",
        trade="Wire Rope Works",
        address="8 Canal Street",
        number="INVOICE No. 2217",
        date="14 March",
        customer=("To: Halcyon Theatre", "Technical Department"),
        head=("No.", "Item", "Price", "Sum"),
        rows=(
            ("12", "steel line, 9 mm, 28 m", "2,600", "31,200"),
            ("1", "fitting and testing", "7,200", "7,200"),
        ),
        total=("Crowns", "38,400"),
        received="Received in cash:",
        stamp=("PAID", "2 APRIL"),
        remark=(
            "Brandt & Sons closed down two years ago!",
            "So who wrote this bill? And what is hanging over my stage?",
            "L.C.",
        ),
        remark_size=29,
    ),
    log=PrintedLogSpec(
        title="HALCYON THEATRE  LIGHTING DESK",
        subtitle="EVENT LOG  11 OCT  ACT ONE",
        head=("CUE", "TIME", "START", "EFFECT"),
        rows=(
            ("LX 21", "20:06", "GO", "dusk, Lorcan off"),
            ("LX 22", "20:10", "GO", "moon, Delia off"),
            ("LX 23", "20:14", "GO", "storm begins"),
            ("LX 24", "20:15", "FOLLOW", "wind"),
            ("LX 25", "20:16", "FOLLOW", "THUNDER 1"),
            ("LX 26", "20:16", "FOLLOW", "river black"),
            ("LX 27", "20:17", "GO", "spot on bridge"),
            ("LX 28", "20:18", "FOLLOW", "THUNDER 2"),
            ("LX 29", "20:19", "FOLLOW", "wind drops"),
            ("LX 30", "20:20", "FOLLOW", "trap, splash"),
            ("LX 31", "20:21", "GO", "calm"),
            ("LX 32", "20:25", "GO", "Delia's farewell"),
            ("LX 33", "20:31", "GO", "Lorcan on"),
            ("LX 34", "20:33", "GO", "house lights"),
        ),
        foot=(
            "GO = key pressed, here or at the prompt desk",
            "FOLLOW = runs by itself after the cue before",
        ),
    ),
    checklist=ChecklistSpec(
        title="Running list, Act One",
        owner="N. Ashby, A.S.M., 11 October",
        entries=(
            ChecklistEntry(time="18:50", text="prop 14, letter (II.3): spare copy to L.C."),
            ChecklistEntry(time="19:20", text="props table: 22 of 22"),
            ChecklistEntry(time="19:25", text="weights P.S. yellow: 8 of 8"),
            ChecklistEntry(time="19:25", text="weights O.P. blue: 8 of 8"),
            ChecklistEntry(time="20:12", text="weights P.S. yellow: 8 of 8"),
            ChecklistEntry(
                time="20:40",
                text="weights P.S. yellow: 7 of 8",
                done=False,
                remark="No. 6 is gone!",
            ),
            ChecklistEntry(time="20:40", text="weights O.P. blue: 8 of 8"),
        ),
    ),
    plan={
        "title": "HALCYON THEATRE, GROUND FLOOR",
        "lobby": "Stage door\nand doorkeeper",
        "green-room": "Green room",
        "dressing-2": "Dressing\nRoom 2",
        "wardrobe": "Wardrobe",
        "dressing-1": "Dressing\nRoom 1",
        "corridor": "Corridor",
        "off-side": "O.P. side",
        "prompt-side": "Prompt side",
        "stage": "Stage",
        "tank": "water tank: no way through behind the scenery",
        "auditorium": "Auditorium",
        "foyer": "Foyer",
        "control-box": "Control box",
        "alley": "A\nl\nl\ne\ny",
        "bridge": "bridge",
        "trap": "trap",
        "desk": "prompt desk",
        "yellow": "weights,\nyellow rings",
        "blue": "weights,\nblue rings",
        "props": "props table",
        "hatch": "hatch",
        "wing-door": "wing door",
        "pass-door": "pass door",
        "stair": "stair from\ntrap room",
        "way-desk": "14 m",
        "way-hatch": "7 m",
        "way-props": "28 m",
        "way-box": "240 m",
        "shortened": "alley drawn\nshortened",
    },
    plan_notes=(
        "Dashed: ways on foot to Dressing Room 1, in metres. "
        "P.S. = prompt side, O.P. = opposite side.",
        "Fly gallery above the O.P. side. The stair from the trap room is the only one.",
    ),
    scene_caption="Photo 3, Dressing Room 1, 20:50",
    photo_caption="First night, Act One, the storm",
    photo_stamp="11 OCT  20:17",
)
"""All words in the pictures, in this language."""
