"""The words in the English pictures of "The Deed of Mill Meadow"."""

from scripts_mm.drawing.cases.mill_meadow.picture_words import MillMeadowWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec, WornLetter
from scripts_mm.drawing.primitives.ink import Stamp

WORN = WornLetter(sign="g", cut=(0.0, 0.72, 1.0, 1.05))
"""The Olympia's g, whose tail broke off."""

WORDS = MillMeadowWords(
    deed=TypescriptSpec(
        heading="DEED OF GIFT",
        body=(
            "The town of Lower Anvil gives Mill Meadow, lying between the river and Bridge "
            "Street, to Gregor Vosper and his heirs, for ever, having long wronged them.",
            "Given this twelfth day of June 1931.",
            "For the town:",
        ),
        signature="E. Egge, clerk",
        worn=WORN,
        stamp=Stamp(lines=("TOWN OF", "LOWER ANVIL"), colour=(98, 52, 124), angle=11, round=True),
        stamp_at=(0.76, 0.76),
        creases=(0.34, 0.67),
        text_size=31,
    ),
    card=TypescriptSpec(
        heading="THE MILL",
        body=(
            "Grinding began here in the great frost of 1740 and ended in 1929. The wheel was "
            "sold in Glogg for a pig.",
        ),
        corner="117.",
        worn=WORN,
        colour=(242, 236, 216),
        age=0.0,
        text_size=29,
        size=(760, 480),
        angle=2.4,
        table=(116, 84, 58),
    ),
    watermark="LARK MILL",
    light_table="Light table, 8 May",
    loans=ChecklistSpec(
        title="Equipment book",
        owner="Office, this year",
        entries=(
            ChecklistEntry(time="12 Jan", text="Slide projector: to the school, back 14 Jan"),
            ChecklistEntry(time="3 Mar", text="Olympia typewriter: to room 4, exhibition cards"),
            ChecklistEntry(time="28 Mar", text="Olympia typewriter: back in the office"),
            ChecklistEntry(
                time="2 Apr", text="Ladder: condemned!", done=False, remark="Who still uses it?"
            ),
            ChecklistEntry(time="24 Apr", text="Light table: to the studio"),
        ),
        text_size=27,
        size=(760, 800),
        angle=-2.2,
    ),
    visitors=PrintedLogSpec(
        title="VISITORS, FIRST VISITS",
        subtitle="Spring",
        head=("Date", "Name", "From", "Purpose"),
        rows=(
            ("14 March", "A. Glogg", "Glogg", "family tree"),
            ("2 April", "F. Orr", "Anvil", "tide tables"),
            ("21 April", "P. Solberg", "Town hall", "the deed"),
            ("22 April", "M. Vosper", "Montreal", "the deed"),
            ("25 April", "Warehouse Co.", "Port", "maps"),
        ),
        columns=(84, 220, 410, 560),
        size=(820, 540),
        angle=1.5,
    ),
    scene="Photo 4, map room, 19:30",
    pad=(
        "Look at the g:",
        "deed, card 117.",
        "Who had room 4?",
        "Two leaves.",
        "It is not about money.",
    ),
    register="BIRTHS 1938",
    slip=("Room 4,", "17 March"),
    almanac="TOWN ALMANAC. Streets and their names",
    entries=(
        "Cooper's Row: Tan Yard until 1902.",
        "Bridge Street: Mill Lane until 1934, when the new bridge was opened.",
        "Egge Square: Pig Market until 1911.",
        "Station Road: built 1926.",
        "Lower Anvil counts 61 streets and four lanes.",
    ),
    marked=1,
)
