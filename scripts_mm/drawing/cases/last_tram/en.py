"""The words in the English pictures of "The Last Tram"."""

from scripts_mm.drawing.cases.last_tram.picture_words import LastTramWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.departure_board import DepartureBoardSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec

WORDS = LastTramWords(
    line={
        "title": "LINE 9",
        "harbour": "Harbour",
        "market": "Market",
        "bridge": "Bridge",
        "chapel": "Chapel (loop)",
        "depot": "Depot",
        "ride-1": "6 min",
        "ride-2": "5 min",
        "ride-3": "5 min",
        "ride-4": "4 min",
        "stair": "Stair: 4 min",
        "road": "Road, by bicycle: 20 min or more",
        "yard": "Depot yard",
    },
    timetable=DepartureBoardSpec(
        title="LINE 9 UP",
        subtitle="LAST CARS",
        head=("Stops", "Car 22", "Car 27", "Car 31"),
        rows=(
            ("Harbour", "21:40", "22:20", "23:05"),
            ("Market", "21:46", "22:26", "23:11"),
            ("Bridge", "21:51", "22:31", "23:16"),
            ("Chapel", "21:56", "22:36", "23:21"),
            ("Depot", "22:02", "22:42", "23:27"),
        ),
        columns=(48, 270, 420, 570),
        note="In fog cars wait at the Chapel. See rule 14.",
    ),
    waybill=ChecklistSpec(
        title="Waybill of car 31",
        owner="Driver Quill, conductor Barrow, 14 Nov.",
        entries=(
            ChecklistEntry(time="23:05", text="Harbour, empty"),
            ChecklistEntry(time="23:11", text="Market, nobody"),
            ChecklistEntry(time="23:16", text="Bridge: 1 ticket, one crate"),
            ChecklistEntry(time="23:21", text="Chapel loop, in"),
            ChecklistEntry(time="23:29", text="Chapel loop, out:", done=False, remark="late, fog"),
            ChecklistEntry(time="23:33", text="Depot, 1 down"),
        ),
        size=(720, 760),
        text_size=26,
        angle=1.4,
    ),
    plate="PAY OFFICE",
    calls=PrintedLogSpec(
        title="CONTROL ROOM, TELEPHONE SHEET",
        subtitle="Night of 14 November",
        head=("Time", "From", "To", "Remark"),
        rows=(
            ("23:02-23:04", "Control", "Harbour", "fog, rule 14"),
            ("23:12-23:20", "Harbour", "Control", "Holt, lost property"),
            ("23:16-23:18", "Depot", "Control", "Gant, pay office"),
            ("23:34-23:35", "Bridge", "Control", "down car is past"),
            ("23:52-23:55", "Depot", "Control", "Orr: police"),
        ),
        columns=(84, 250, 360, 470),
        foot=("Two lines; all times by the control room's clock.",),
        size=(820, 560),
    ),
    scene="Photo 2, pay office, 00:20",
    ticket=("LINE 9", "UP", "No. 4417", "14 NOV", "Keep this ticket until you leave the car."),
    stops=("Harbour", "Market", "Bridge", "Chapel", "Depot"),
    book_title="Lost property",
    book=(
        ("88", "2 March", "umbrella, black"),
        ("89", "9 March", "cello in case, 21:40 car"),
        ("90", "9 March", "child's glove"),
        ("91", "12 March", "glass eye, blue"),
    ),
    sold="Sold 11 Oct.",
)
