"""The words in the English pictures of "Two Tides"."""

from scripts_mm.drawing.cases.two_tides.picture_words import TwoTidesWords
from scripts_mm.drawing.cases.two_tides.tide import EXTREMES, HOURS, LEVEL
from scripts_mm.drawing.documents.autopsy import AutopsySpec, BodyMark, WoundInset
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec
from scripts_mm.drawing.documents.tide_table import TideTableSpec
from scripts_mm.drawing.photos.chat_screen import ChatMessage, ChatScreenSpec

WORDS = TwoTidesWords(
    island={
        "title": "HALLAN, FOR VISITORS OF THE LIGHT",
        "rock": "LANTERN ROCK",
        "farm": "FARM SIDE",
        "west": "open sea",
        "strait": "the Race",
        "neck": "the Neck",
        "tower": "tower",
        "oil-store": "oil store",
        "cottage": "keeper's cottage",
        "fog-house": "fog-signal\nhouse",
        "hostel": "hostel",
        "bunkhouse": "bunkhouse (foreman)",
        "tank-house": "tank house",
        "packing": "packing shed",
        "office": "farm office",
        "seal-station": "seal station",
        "slip": "slip and boats",
        "way-fog": "6 min",
        "way-neck": "10 min",
        "way-bunk": "2 min",
        "way-hostel": "4 min",
        "way-seal": "9 min",
        "section": "The tower",
        "lantern-room": "lantern room",
        "watch-room": "watch room, clockwork",
        "hall": "museum hall",
    },
    island_notes=(
        "White: shell path, old flat oysters, bleached.",
        "Blue: culling heap, farm oysters, blue mark.",
        "Red: ways on foot, at a good pace.",
        "Watch room to oil store: 4 minutes, all of it stairs.",
        "Lantern room to oil store: 5 minutes.",
        "Across the Neck, when dry: 10 minutes.",
        "When the Neck is under: stay where you are.",
        "Nobody has yet swum the Race and said so.",
    ),
    tide=TideTableSpec(
        title="TIDES AT HALLAN",
        place="Harbour Office, November. Heights in metres above chart datum.",
        extremes=EXTREMES,
        hours=HOURS,
        days=("Sat 14 Nov", "Sun 15 Nov"),
        top=7,
        level=LEVEL,
        level_label="Neck, 3.6 m",
        head=("Day", "Time", "Metres"),
        kinds=("high water", "low water"),
        foot="Above the red line the Neck is under water.",
        remark="no crossing in between. S.G.",
        remark_at=(0.56, 0.955),
    ),
    photo_caption="All hands before the Lamp, 12 November",
    photo_names=(
        "1 Silas  2 Tobias  3 Ambrose  4 Davy",
        "5 Honor  6 Juno  7 Maud  8 Bridie  9 Ines",
    ),
    film=("14 NOV  23:42", "SEAL STATION HALLAN", "ADULT  62 kV"),
    film_marker="R",
    ambrose=AutopsySpec(
        office="Coast Police, Medical Service",
        title="EXTERNAL EXAMINATION, 1 of 2",
        fields=(
            ("Name", "Ambrose Penhale, 66"),
            ("Found", "Sat 21:58, shell path"),
            ("Examined", "Sun 15 Nov, 11:10"),
            ("Death", "Sat 18:15 to 18:50"),
        ),
        views=("front", "back"),
        sides=("R", "L"),
        marks=(
            BodyMark(view="back", part="head", wound="square"),
            BodyMark(view="front", part="hand-right", wound="cuts", pull=(-0.07, -0.12)),
            BodyMark(view="front", part="knee-left", wound="round", pull=(0.16, -0.06)),
        ),
        insets=(
            WoundInset(wound="square", label="1: 19 x 19 mm", wide=72, tall=72),
            WoundInset(wound="cuts", label="2: three cuts", wide=112, tall=56),
        ),
        inset_title="True size",
        heading="Findings",
        findings=(
            "Back of the head: one blow from behind. A deep square imprint with sharp edges, as "
            "of an iron socket.",
            "Right palm: three cuts that bled freely. An oyster shell was clenched in the fist "
            "and had to be prised out.",
            "Both knees grazed, with lime and crumbs of old shell. He fell forward and lay "
            "where he fell.",
        ),
        signed="Police surgeon",
        signature="A. Sandhu",
        stamp=("COAST POLICE", "15 NOV"),
    ),
    maud=AutopsySpec(
        office="Coast Police, Medical Service",
        title="EXTERNAL EXAMINATION, 2 of 2",
        fields=(
            ("Name", "Maud Trevanion, 58"),
            ("Found", "Sun 06:28, in tank 3"),
            ("Examined", "Sun 15 Nov, 11:50"),
            ("Death", "Sun 05:00 to 06:00"),
        ),
        views=("front", "back"),
        sides=("R", "L"),
        marks=(
            BodyMark(view="back", part="head", wound="bar"),
            BodyMark(view="front", part="hand-left", wound="none", pull=(0.04, -0.13)),
            BodyMark(view="front", part="chest", wound="none", pull=(0.24, 0.06)),
        ),
        insets=(
            WoundInset(wound="bar", label="1: 110 x 8 mm", wide=150, tall=11),
            WoundInset(wound="none", label="2: no cut, no scratch", wide=0, tall=0),
        ),
        inset_title="True size",
        heading="Findings",
        findings=(
            "Crown of the head: one blow. A long, straight, narrow imprint, as of a bar.",
            "Left palm: unhurt. An oyster shell lay loosely in it; the fingers were bent round "
            "it after death.",
            "Lungs: no water. She was dead before she was put into the tank.",
            "The lid of tank 3 weighs 48 kg. One person can lift it off and lay it back true, "
            "but only with two sound arms.",
        ),
        signed="Police surgeon",
        signature="A. Sandhu",
        stamp=("COAST POLICE", "15 NOV"),
        size=(860, 1090),
        angle=-0.7,
    ),
    shells=("A  PENHALE, right hand", "B  TREVANION, left hand", "Exhibits A and B, 15 November"),
    camera="SEAL CAM 1",
    camera_stamps=("15 NOV 05:10", "15 NOV 05:20", "15 NOV 05:30", "15 NOV 05:40"),
    chat=ChatScreenSpec(
        clock="11:34",
        size=(620, 1170),
        contact="G. Lassiter, Vantage",
        day="Saturday",
        messages=(
            ChatMessage(
                time="18:16", text="One bar of signal and a very large lamp. Speak.", own=True
            ),
            ChatMessage(
                time="18:18", text="The board has paid 60,000. It wants an island.", own=False
            ),
            ChatMessage(
                time="18:20",
                text="Two signatures are in the way. My uncle's and Trevanion's.",
                own=True,
            ),
            ChatMessage(time="18:25", text="After Monday they won't be.", own=True),
            ChatMessage(time="18:27", text="How so?", own=False),
            ChatMessage(time="18:29", text="Leave that to me.", own=True),
            ChatMessage(
                time="18:33", text="Now it has stopped turning. It stares at me.", own=True
            ),
            ChatMessage(time="18:36", text="And if they refuse?", own=False),
            ChatMessage(time="18:38", text="Nobody is going to ask them.", own=True),
            ChatMessage(time="18:43", text="It turns again. I must go down.", own=True),
        ),
        field="No signal",
    ),
    book=ChecklistSpec(
        title="Farm office, day-book",
        owner="M. Trevanion, 14 November",
        entries=(
            ChecklistEntry(
                time="17:00", text="D. here about lamp 3. We differ. Monday, then.", done=False
            ),
            ChecklistEntry(
                time="18:10", text="Bridie: tea, and a scone I did not ask for.", done=False
            ),
            ChecklistEntry(time="18:15", text="T. Fenn for the scales.", done=False),
            ChecklistEntry(
                time="18:24",
                text='Ambrose on the line, oil store. Board on Monday: "It is about glass."',
                done=False,
            ),
            ChecklistEntry(
                time="18:29",
                text='"There is my half past six, early for once." I am to ring at 18:40.',
                done=False,
            ),
            ChecklistEntry(time="18:41", text="Rang. Nothing.", done=False),
            ChecklistEntry(time="18:55", text="Rang. Nothing. He never misses.", done=False),
            ChecklistEntry(time="00:30", text="Shan't wait for Monday. Told him so.", done=False),
        ),
        text_size=24,
        size=(700, 900),
    ),
    strip=PrintedLogSpec(
        title="HALLAN OYSTERS  TANK CONTROLLER",
        subtitle="PRINTED 15 NOV 06:15",
        head=("TIME", "TANK", "EVENT", "VALUE"),
        rows=(
            ("14 NOV", "", "DAY REPORT", ""),
            ("17:00", "1", "UV LAMP ON", "4112 h"),
            ("17:00", "2", "UV LAMP ON", "4098 h"),
            ("17:00", "3", "UV LAMP OFF", "3020 h"),
            ("17:00", "3", "DARK SINCE", "02 OCT 07:10"),
            ("15 NOV", "", "", ""),
            ("05:14", "-", "LOGIN", "M.T."),
            ("05:16", "1", "CHECKED", "OK"),
            ("05:19", "2", "CHECKED", "OK"),
            ("05:28", "3", "LID OPEN", ""),
            ("05:36", "3", "LID SHUT", ""),
            ("06:12", "3", "FLOW LOW", ""),
            ("06:15", "3", "PUMP OFF", "ALARM"),
        ),
        columns=(84, 204, 306, 500),
        foot=("UV = ultraviolet; dark lamp = water not purified",),
        size=(780, 900),
    ),
    letter=LetterSpec(
        greeting="To the Insurers of the Light.",
        body=(
            "Gentlemen, this afternoon I polished panel five of the lens myself. My ring touched "
            "a prism, and left a scratch.",
            "In fifty years that lens has cost me three rings, and no ring ever cost the lens.",
            "Send me somebody who knows glass from what is not. I shall speak to the keeper of "
            "the other key tonight.",
        ),
        signature="A. Penhale",
        mark="not posted",
        text_size=34,
        leading=46,
        size=(700, 860),
        slant=0.12,
        angle=-1.8,
    ),
    receipt=ReceiptSpec(
        head=("PERRIN DISPLAY", "shop windows and stage fittings"),
        lines=("9 March", "Customer: Hallan Light, the Museum", "Sale No. 0388"),
        rows=(
            ("12 prisms, cast acrylic,", ""),
            ("polished, to drawing", ""),
            ('"lens, panel 5"', ""),
            ("12 x 240.00", ""),
        ),
        total=("CASH", ""),
        foot=("No exchange.", "Received by:"),
        size=(620, 860),
        bars=False,
        torn=False,
        angle=-4.0,
    ),
)
"""All words in the pictures, in this language."""
