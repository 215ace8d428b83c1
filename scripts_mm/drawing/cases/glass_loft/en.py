"""The words in the English pictures of "The Glass Loft"."""

from scripts_mm.drawing.cases.glass_loft.picture_words import GlassLoftWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.newspaper import NewspaperSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec

WORDS = GlassLoftWords(
    plan={
        "loft": "THE LOFT",
        "landing": "Landing",
        "clock": "Clock",
        "bench": "Bench, drawers below",
        "body": "Body",
        "stove": "Stove",
        "hygrograph": "Hygrograph",
        "tube": "Speaking tube",
        "pane": "Above: new pane",
        "crank-nail": "Nail for the crank",
        "crank": "Crank, on the floor",
        "stair": "Stair down",
        "way": "from the shop: 2 min",
    },
    plan_title="11 Organ Lane, top floor",
    plan_notes=(
        "One door. Its bolt is on the side of the clock; it shoots towards the clock.",
        "To the door from the second floor half a minute, from the cellar 3 minutes,",
        "from the telephone booth at the corner 4 minutes.",
        "Roof: six rows of glass, no skylight. Drawn by Dunning, 6 March.",
    ),
    door="Photo 3: bolt of the loft door, from inside, 22:10",
    clock="Photo 4: the clock, winding door open, 22:05",
    plate="O. TOVEY MADE ME",
    pane="Photo 5: roof from the saddler's side, 7 March",
    chart={
        "title": "HYGROGRAPH No. 2, LOFT, FRIDAY 6 MARCH",
        "unit": "%",
        "supper": "19:40 supper",
        "first": "20:22",
        "second": "20:36",
        "crack": "20:48",
        "broken": "21:50 us",
    },
    order=ChecklistSpec(
        title="Order of the evening",
        owner="Rosalind, 6 March",
        entries=(
            ChecklistEntry(time="19:40", text="Supper up to Uncle"),
            ChecklistEntry(time="20:10", text="Miss Kemble tunes"),
            ChecklistEntry(time="20:15", text="Doors, tickets: me"),
            ChecklistEntry(time="20:45", text="Miss Sorrel, first half"),
            ChecklistEntry(time="21:00", text="THE CLOCK plays, one minute, silence please"),
            ChecklistEntry(time="21:01", text="Miss Sorrel goes on"),
            ChecklistEntry(
                time="21:30",
                text="Uncle: a novelty.",
                done=False,
                remark="Miss Sorrel assists. He never came!",
            ),
        ),
        text_size=27,
        size=(720, 800),
        angle=1.3,
    ),
    call=ReceiptSpec(
        head=("TRUNK EXCHANGE", "counterfoil"),
        lines=("6 March", "Booth 4, Organ Lane", "Caller: Ostrander"),
        rows=(
            ("Asked for", "20:18"),
            ("Through to Rotterdam", "20:19"),
            ("Ended", "20:37"),
            ("Minutes", "18"),
        ),
        total=("Coins", "27"),
        foot=("van Aalst & Zn.",),
        number="4-0617",
        remark="asked twice to speak up",
        bars=False,
        size=(600, 880),
    ),
    glazier=InvoiceSpec(
        firm="T. Bickle",
        trade="Glazier, by ladder and by rope",
        address="2 Saddler's Yard",
        number="No. 88",
        date="3 March",
        customer=("Miss R. Tovey,", "11 Organ Lane"),
        head=("Qty", "Work", "Each", "Sum"),
        rows=(
            ("1", "pane, roof, 40 by 50", "9.00", "9.00"),
            ("1", "putty, linseed", "1.50", "1.50"),
            ("2", "hours on the roof", "3.00", "6.00"),
        ),
        total=("Total", "16.50"),
        received="Received with thanks:",
        stamp=("PAID", "3 MARCH"),
        remark=(
            "Broken from above by something heavy.",
            "No feathers. Do not open or lean on it",
            "before the 10th: putty is soft, shows all.",
        ),
        remark_size=27,
    ),
    cutting=NewspaperSpec(
        name="THE COAST COURIER",
        dateline="12 August, twenty-two years ago",
        headline=("THE HOUSE WITHOUT HANDS", "Sparrow's Marionettes at Gull Fair"),
        paragraphs=(
            "Nobody who saw it will forget the second act. The miser goes to bed; and then, with "
            "not a soul upon the stage, the lamp goes down, the curtains draw together and one "
            "door after another falls to. A lady near us screamed.",
            "We were allowed behind. It is all the work of the daughter of the house, who is nine. "
            "She stands four metres off with eleven lines in her hands, black, plaited and waxed, "
            "which run through small brass eyes to wherever they are wanted.",
            'We asked what becomes of so much line afterwards. "You wind it in," said little '
            'Miss B., who was eating an apple, "and there never was any."',
        ),
        notice=("SPARROW'S", "Twice daily until Sunday.", "Children half price."),
        columns=2,
        text_size=23,
        size=(920, 700),
    ),
    letter=LetterSpec(
        greeting="Dear Ostrander,",
        body=(
            "Bring the second half on Friday and be in your chair at half past nine. You will hear "
            "something that everybody has heard and nobody has heard of. I have kept it in a "
            "hatbox for a year, which is long enough.",
            "Miss S. will assist. She is not pleased, but she has had the applause, and now it is "
            "my turn.",
            "And do not come to me again with foreign buyers. I have read clause four to the "
            "clock, and it agrees.",
        ),
        signature="O. Tovey",
        mark="4 March",
        text_size=31,
        leading=42.0,
        slant=0.12,
        size=(680, 850),
    ),
)
