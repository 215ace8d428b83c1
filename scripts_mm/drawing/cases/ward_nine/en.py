"""The words in the English pictures of "Ward Nine"."""

from scripts_mm.drawing.cases.ward_nine.picture_words import (
    SlipWords,
    WardNineWords,
    make_camera_spec,
    make_thermo_spec,
)
from scripts_mm.drawing.documents.autopsy import AutopsySpec, BodyMark, WoundInset
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec, TagLine
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.photos.xray import XraySpec

WORDS = WardNineWords(
    house={
        "title": "ST BRANNOC'S: MAIN HOUSE AND WARD NINE",
        "ward": "WARD NINE",
        "room3": "Room 3",
        "room5": "Room 5",
        "sluice": "Sluice",
        "beds": "Beds 1-12",
        "desk": "Night desk",
        "kitchen": "Kitchen",
        "linen": "Linen",
        "way": "Covered way,\n160 steps",
        "main": "MAIN HOUSE",
        "theatre": "Theatre",
        "mess": "Doctors'\nmess",
        "rays": "X-ray,\ndarkroom",
        "board": "Switchboard",
        "basement": "Basement:\ndispensary",
        "far": "7 min",
        "near": "5 min",
        "note": "On foot, the only way in snow.",
    },
    room=("Photo 4, Room 3, 05:30", "J"),
    xray=XraySpec(
        part="hand",
        side="right",
        marker="R",
        labels=("TARRANT, J.", "22 JAN 22:41"),
        broken=("thumb", "radius"),
        note="Tarrant, right hand: thumb and radius",
    ),
    body=AutopsySpec(
        office="COUNTY POLICE SURGEON",
        title="Body sheet",
        fields=(
            ("Name", "Sallow, Bertram"),
            ("Age", "58"),
            ("Found", "Ward Nine, 00:30"),
            ("Seen", "23 Jan, 05:10"),
        ),
        views=("Front", "Back"),
        sides=("R", "L"),
        marks=(
            BodyMark(view="front", part="neck", wound="none"),
            BodyMark(view="back", part="nape", wound="none"),
            BodyMark(view="front", part="knee-left", wound="none"),
        ),
        insets=(WoundInset(wound="square", label="Cord, 4 mm", wide=116, tall=9),),
        inset_title="True size",
        heading="Findings",
        findings=(
            "Furrow round the neck, level, 4 mm wide. Equally deep at both sides.",
            "Crossed at the nape: pulled from behind the bed's head, with two sound hands of "
            "like strength, three minutes or more.",
            "Left thigh: old fracture, traction cord gone. No other wound. No drug.",
        ),
        signed="Surgeon",
        signature="A. Imre",
        stamp=("COUNTY POLICE", "SEEN"),
    ),
    camera=make_camera_spec(
        "CAM 2 BASEMENT", "DISPENSARY", "22 JAN 23:14:06", "Clock checked 04:40"
    ),
    thermo=make_thermo_spec(
        "THERMOGRAPH No. 3, ROOM 3, 22-23 JANUARY", "°C", "23:20", "Found 00:30"
    ),
    belt=HangingTagSpec(
        heading="DICTATION BELT",
        lines=(
            TagLine(label="Belt", entry="17"),
            TagLine(label="From, to", entry="22:31, 23:09"),
            TagLine(label="By", entry="B. Sallow, Room 3"),
        ),
        small="Times by the machine's own counter. Board of Hospitals.",
    ),
    slip=SlipWords(
        heading="TELEPHONE MESSAGE",
        number="No. 0366",
        day="22 Jan",
        time="19:40",
        caller=("From", "the Register"),
        message=("No such name among the living.", "Mr Sallow will ring them", "himself at eight."),
    ),
    notes=LetterSpec(
        greeting="Thursday, 22 January",
        body=(
            "1. Coal: 40 tons bought, 31 burnt. Ask Tarrant, kindly.",
            "2. Breakfasts, Ward Nine: 15 for 14. Somebody's mother?",
            "3. Dispensary: 212 ampoules. Count again Friday 8:30, with her key.",
            "4. Room 5 crosses his legs.",
            "5. Night doctor: excellent. Keep, whatever it costs.",
            "6. Steps: sand them.",
        ),
        signature="B. S.",
        mark="Friday",
        text_size=33,
        leading=43,
        slant=0.22,
        size=(680, 860),
    ),
    handover=PrintedLogSpec(
        title="ST BRANNOC'S, EVENING LOG",
        subtitle="Thursday 22 January",
        head=("Time", "Place", "Who", "Remark"),
        rows=(
            ("18:00", "Board", "Tarrant", "takes over"),
            ("20:00", "Ward 9", "Ferrier", "takes over"),
            ("20:10", "Theatre", "Amory", "appendix, begins"),
            ("20:20", "Mess", "day doctor", "holes cleared, off"),
            ("21:08", "Theatre", "Amory", "ends, not left"),
            ("22:41", "X-ray", "Amory", "hand, Tarrant"),
        ),
        columns=(84, 196, 330, 510),
        foot=("Theatre: two nurses throughout.",),
        size=(860, 600),
    ),
)
