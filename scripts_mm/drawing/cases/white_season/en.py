"""The words in the English pictures of "White Season"."""

from scripts_mm.drawing.cases.white_season.body import BodySpec
from scripts_mm.drawing.cases.white_season.cold_lab import ColdLabSpec
from scripts_mm.drawing.cases.white_season.picture_words import WhiteSeasonWords
from scripts_mm.drawing.cases.white_season.strips import (
    COLD,
    COLD_SCALE,
    COLD_TIME,
    WIND,
    WIND_SCALE,
    WIND_TIME,
)
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec, TagLine
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.documents.strip_chart import ChartRemark, StripChartSpec
from scripts_mm.drawing.photos.chat_screen import ChatMessage, ChatScreenSpec

_RED = (176, 36, 34)

WORDS = WhiteSeasonWords(
    plan={
        "title": "SASTRUGI STATION, WINTER PLAN",
        "store": "Emergency\nstore",
        "shed": "Balloon\nshed",
        "bunks": "Bunks",
        "office": "Leader's\noffice",
        "surgery": "Surgery",
        "air-lock": "Air lock",
        "radio": "Radio\nroom",
        "equipment": "Equipment\nroom",
        "plant": "Plant\nroom",
        "cold": "Cold\nlab",
        "spine": "Spine",
        "wash": "Wash\nroom",
        "galley": "Galley",
        "mess": "Mess",
        "food": "Food\nstore",
        "power": "Power\nroom",
        "wet": "Wet\nlab",
        "garage": "Garage",
        "door-1": "Door 1",
        "ramp": "ramp",
        "hatch": "hatch",
        "flag-7": "flag 7",
        "valve": "V2",
        "booth": "booth",
        "hook": "hooks",
        "window": "window",
        "way-shed": "90 m, a flag every 10 m",
        "way-store": "60 m",
        "way-ramp": "50 m",
    },
    plan_notes=(
        "Dashed: hand lines from Door 1; violet: the straight way from the ramp to flag 7.",
        "V2: nitrogen to the cold lab. Spine: the only corridor. Window: looks on the shed.",
    ),
    body=BodySpec(
        caption="Photo 2, flag 7, 3 July, 07:20",
        flag="7",
        left_mitt="R",
        right_mitt="L",
        badge="01",
    ),
    door_log=PrintedLogSpec(
        title="SASTRUGI  DOOR 1  EXITS",
        subtitle="2 JULY 00:00 TO 3 JULY 08:00",
        head=("TIME", "BADGE", "NAME", "WIND m/s"),
        rows=(
            ("08:47", "05", "REYES", "9"),
            ("10:12", "04", "LINDQVIST", "10"),
            ("13:30", "06", "RUDD", "11"),
            ("14:05", "03", "PELLERIN", "12"),
            ("16:20", "01", "THANE", "14"),
            ("17:02", "06", "RUDD", "15"),
            ("20:28", "05", "REYES", "21"),
            ("22:05", "01", "THANE", "24"),
            ("07:04", "06", "RUDD", "24"),
            ("07:04", "05", "REYES", "24"),
            ("07:05", "03", "PELLERIN", "24"),
        ),
        columns=(84, 200, 330, 560),
        foot=("THE READER COUNTS WHO GOES OUT.", "COMING IN NEEDS NO BADGE AND IS NOT LOGGED."),
        size=(780, 820),
        angle=1.0,
    ),
    sheet=ReportFormSpec(
        office="Sastrugi Station, Medical Post",
        title="CERTIFICATE OF EXAMINATION",
        fields=(
            ("Deceased", "Viktor Thane, 58, leader"),
            ("Found at", "flag 7, line to the shed"),
            ("Examined", "3 July, 07:25 to 07:31"),
            ("Air", "-31 degrees, wind 24 m/s"),
        ),
        heading="Findings",
        findings=(
            "On his face, arms along the body. Outdoor clothing complete, hood up, zip closed "
            "to the chin.",
            "Frozen through. Temperature of the body not to be measured; the scale ends at 20.",
            "No wound to head or neck. Safety sling not clipped to any line.",
            "Mitts frozen on, hands not seen. Back not seen.",
            "Exposure, probably exhaustion. By the log of Door 1: after 22:05.",
        ),
        signed="Physician",
        signature="H. Brandvold",
        stamp=("SASTRUGI", "3 JULY", "MEDICAL"),
        size=(780, 1040),
    ),
    round_book=ChecklistSpec(
        title="Round book",
        owner="V. Thane",
        entries=(
            ChecklistEntry(
                time="28/6", text="whole round", remark="store: seal mended? G. Open it 3 July"
            ),
            ChecklistEntry(
                time="29/6", text="whole round", remark="told the person. Time until 3 July, 07:30"
            ),
            ChecklistEntry(
                time="30/6", text="whole round", remark="siren of the ramp so quiet? ask T."
            ),
            ChecklistEntry(
                time="1/7", text="whole round", remark="Core 118: see it. Y.   Line 2: ask O."
            ),
            ChecklistEntry(time="20:30", text="2 July. Radio: batteries"),
            ChecklistEntry(time="20:40", text="cold lab: sign the strip", done=False),
            ChecklistEntry(time="20:50", text="power: oil, hours", done=False),
            ChecklistEntry(time="21:00", text="office: letters", done=False),
        ),
        text_size=28,
        size=(760, 920),
    ),
    board=ChatScreenSpec(
        clock="07:50",
        contact="Board, all hands",
        day="2 July",
        messages=(
            ChatMessage(
                time="20:00",
                text="Condition white from now. Nobody outside without my leave.",
                own=True,
            ),
            ChatMessage(
                time="20:05",
                text="Hanne: Oona, syrup! One hears your wheeze two walls off.",
                own=False,
            ),
            ChatMessage(
                time="20:09", text="Gus: Galley closed till nine. Hands off my kettle.", own=False
            ),
            ChatMessage(time="20:20", text="Callum: Leave for the shed, 21:00 balloon?", own=False),
            ChatMessage(time="20:24", text="Granted. Clip on. Report when you are in.", own=True),
            ChatMessage(
                time="21:36",
                text="Callum: In. Balloon burst on release. Sorry.",
                own=False,
                note="unread",
            ),
            ChatMessage(
                time="21:44",
                text="Hanne: Film. Viktor, we keep your chair.",
                own=False,
                note="unread",
            ),
            ChatMessage(time="22:01", text="Oona: Roll-call, seven in.", own=False, note="unread"),
        ),
        field="Message",
        size=(620, 1150),
    ),
    cold_strip=StripChartSpec(
        title="COLD LAB, AIR, WEEK 27",
        unit="°C",
        across=COLD_TIME,
        up=COLD_SCALE,
        curve=COLD,
        remarks=(
            ChartRemark(x=1210.5, y=-10.5, text="fan", size=24, hand="note", target=(1217, -17.6)),
            ChartRemark(x=1208, y=-27.5, text="V.T. 20:40", size=32, target=(1240.4, -20.4)),
            ChartRemark(x=1283, y=-34, text="found 5 July.", hand="note", colour=_RED),
            ChartRemark(x=1283, y=-38, text="not me! Y. Lindqvist", hand="note", colour=_RED),
        ),
    ),
    cold_lab=ColdLabSpec(
        caption="Photo 9, cold lab, door shut, 5 July, 10:15",
        tubes=("112", "113", "114", "115", "116", "117", "", "119"),
        push="PUSH TO OPEN",
        monitor="OXYGEN",
    ),
    tag=HangingTagSpec(
        heading="OUT OF SERVICE",
        lines=(
            TagLine(label="Device", entry="oxygen monitor No. 3"),
            TagLine(label="Place", entry="cold lab", struck="wet lab"),
            TagLine(label="Reason", entry="calibration"),
            TagLine(label="Taken down", entry="30 June, 18:20"),
            TagLine(label="By", entry="Y.L."),
        ),
        small="Form 12, Weather Section, pad of 50",
        string=((238, 236, 230), (196, 40, 40)),
    ),
    power_log=PrintedLogSpec(
        title="SASTRUGI  POWER  SWITCHINGS",
        subtitle="2 JULY 19:00 TO 24:00",
        head=("CIRCUIT", "ON", "OFF", "BY"),
        rows=(
            ("GALLEY OVEN", "17:20", "19:05", "HAND"),
            ("GARAGE LAMP", "20:31", "20:53", "HAND"),
            ("OFFICE LAMP", "20:34", "20:50", "HAND"),
            ("GALLEY KETTLE", "20:36", "20:47", "HAND"),
            ("COLD LAB COOLER", "-", "20:44", "AUTO"),
            ("GALLEY OVEN", "20:58", "22:40", "HAND"),
            ("COLD LAB COOLER", "21:11", "-", "AUTO"),
            ("GARAGE WINCH", "21:21", "21:23", "HAND"),
            ("GARAGE WINCH", "21:33", "21:35", "HAND"),
            ("MESS PROJECTOR", "21:42", "23:12", "HAND"),
        ),
        columns=(84, 354, 462, 574),
        foot=("AUTO = SWITCHED BY ITS OWN THERMOSTAT", "BALLOON SHED: BATTERY, NOT LOGGED HERE"),
        size=(760, 780),
        angle=-1.6,
    ),
    wind_strip=StripChartSpec(
        title="RIDGE CAMP, MAST, 14 AUGUST",
        unit="m/s",
        across=WIND_TIME,
        up=WIND_SCALE,
        curve=WIND,
        remarks=(
            ChartRemark(x=1196, y=23, text="21:10, at the mast: 8 m/s, free of ice.", size=29),
            ChartRemark(x=1196, y=20.4, text="J. clear to go.", size=29, target=(1270, 8.3)),
            ChartRemark(
                x=1212, y=3.4, text="a ruler, not a wind!  V.T.", size=29, hand="note", colour=_RED
            ),
        ),
        print_colour=(112, 150, 120),
        pen_colour=(92, 40, 110),
        sheet_colour=(240, 236, 214),
        table_colour=(104, 78, 56),
        torn="right",
        size=(980, 620),
        angle=-1.3,
    ),
    stock_card=InvoiceSpec(
        firm="SASTRUGI STATION",
        trade="Weather section, balloon shed",
        address="kept by C. Reyes",
        number="STOCK CARD 4",
        date="June, July",
        customer=("Balloons, 350 g, boxed", "Twine, red and white: 2 reels"),
        head=("Date", "Entry", "Out", "Left"),
        rows=(
            ("30/6", "counted", "-", "42"),
            ("1/7", "09:00, flown", "1", "41"),
            ("1/7", "21:00, flown", "1", "40"),
            ("2/7", "09:00, flown", "1", "39"),
            ("2/7", "21:00, burst", "1", "38"),
        ),
        total=("On the shelf", "39"),
        received="Entries signed:",
        stamp=("COUNTED", "4 JULY"),
        remark=(
            "Inventory: each of us counted twice.",
            "H. Brandvold, O. Fairley",
        ),
        remark_size=28,
        size=(740, 1040),
    ),
)
"""All words in the pictures, in this language."""
