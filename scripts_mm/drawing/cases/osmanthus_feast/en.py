"""The words in the English pictures of "The Osmanthus Feast"."""

from scripts_mm.drawing.cases.osmanthus_feast.account_page import AccountPageSpec
from scripts_mm.drawing.cases.osmanthus_feast.letters_and_forms import (
    HandLetterSpec,
    PawnTicketSpec,
    TelegramSpec,
)
from scripts_mm.drawing.cases.osmanthus_feast.picture_words import OsmanthusFeastWords
from scripts_mm.drawing.cases.osmanthus_feast.sketch import SketchSpec
from scripts_mm.drawing.cases.osmanthus_feast.table_layout import (
    BEAN_CURD,
    CUPS,
    LIQUEUR,
    SHELLS,
    make_dishes,
)
from scripts_mm.drawing.documents.newspaper import NewspaperSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.photos.bottle import BottleSpec
from scripts_mm.drawing.plans.seating_plan import SeatingPlanSpec, TablePlace

_NAMES = (
    "empty place",
    "Cheng\nYintang",
    "Fang\nYunqiu",
    "Wen\nShuheng",
    "Jin Agui",
    "Ke\nZiqian",
    "Cheng\nShaoji",
    "Cheng\nPeilan",
)

WORDS = OsmanthusFeastWords(
    seating=SeatingPlanSpec(
        title="The table in the Moon Hall",
        places=tuple(
            TablePlace(
                name=name,
                cup=CUPS[nth],
                shells=SHELLS[nth],
                extra={BEAN_CURD: "L", LIQUEUR: "M"}.get(nth, ""),
                empty=nth == 0,
            )
            for nth, name in enumerate(_NAMES)
        ),
        dishes=make_dishes("ABCDEFGHJK"),
        legend=(
            "A  lotus root",
            "B  cold chicken",
            "C  fish in lees",
            "D  black eggs",
            "E  shrimps",
            "F  soybeans",
            "G  soy duck",
            "H  jellyfish",
            "J  crabs",
            "K  wine pot",
            "L  bean curd",
            "M  peppermint",
        ),
        cups=(
            ("full", "cup full"),
            ("empty", "cup empty"),
            ("broken", "cup broken"),
        ),
        sides=("North: window on the canal", "South: door to the gallery"),
        note="Drawn by Constable Li, 29 September, 9:30 p.m. Nothing on the table has been moved.",
        text_size=20,
    ),
    photo_caption="The Moon Hall, 29 September, 9:40 p.m.",
    sketch=SketchSpec(
        card=("In memory of", "Wen Sujun", "her place"),
        caption="The empty place, seen from its chair. 29 September, 9:50 p.m.",
        notes=("cup upright, full", "incense burnt out"),
    ),
    bottle=BottleSpec(
        look="bottle",
        label=(
            "Monkshood",
            "with safflower",
            "in spirit.",
            "For the knees.",
            "Not to drink!",
            "Tinggui, Jin",
        ),
        caption="Bottle found in the rice jar, 30 September",
        level=0.62,
        strip=0.80,
        tag="7",
        label_size=33,
    ),
    report=ReportFormSpec(
        office="County Hospital  Laboratory",
        title="Chemist's Report",
        fields=(
            ("For", "Inspector Lu, Lingtang police post"),
            ("Case", "Cheng Yintang, died of poison"),
            ("Date", "30 September 1928, 6 a.m."),
        ),
        heading="Findings",
        findings=(
            "Stomach: raw monkshood, with the colour of safflower, and spirit. Prepared aconite "
            "holds no safflower and is ruled out.",
            "The wine cups of the seven persons at table, seven in number: no poison.",
            "One wine pot, two chambers within, two holes in the handle. In front osmanthus wine, "
            "behind osmanthus tea: no poison.",
            "Bowl of bean curd with crab, eight cold plates, bottle of peppermint liqueur: "
            "no poison.",
            "Cutting of tablecloth, place not stated: one green drop. Monkshood, safflower and a "
            "green dye that dissolves in water. No sugar, no peppermint.",
            "Monkshood in wine numbs the lips in eight to twenty minutes, never sooner and never "
            "later. Collapse some ten minutes after.",
        ),
        signed="Chemist",
        signature="Pan Shuzhi",
        stamp=("County", "Hospital", "30 Sept"),
        text_size=20,
        size=(780, 1110),
    ),
    pharmacy=AccountPageSpec(
        title="Renji Pharmacy: poison book, September 1928",
        rows=(
            ("3", "Jin Agui, Tinggui", "raw monkshood 2 oz, safflower", "liniment"),
            ("10", "Mrs Cheng (Fang)", "prepared aconite, 7 doses", "Dr Wu"),
            ("15", "Lu Gensheng, fisherman", "realgar 1 oz", "snakes"),
            ("24", "Mrs Cheng (Fang)", "cloves", "toothache"),
            ("26", "Manager Ke, Taihe", "white arsenic", "rats"),
            ("28", "young Mr Cheng Shaoji", "sleeping draught, 1 bottle", "insomnia"),
        ),
        tabs=(0.045, 0.13, 0.43, 0.82),
        foot="Raw monkshood is a strong poison, for outward use only. Every buyer to be named.",
        text_size=28,
        size=(1000, 700),
        angle=-0.9,
    ),
    account=AccountPageSpec(
        title="Taihe Bank: journal, October 1917",
        rows=(
            ("8", "in", "sundry depositors", "1,250"),
            ("9", "out", "household: treatment in Shanghai", "800"),
            ("10", "out", "run on the counter, paid back", "6,420"),
            ("11", "in", "household: treatment money returned", "800"),
            ("11", "out", "run on the counter, paid back", "2,980"),
            ("12", "in", "borrowed of the Tongyu bank", "3,000"),
        ),
        tabs=(0.05, 0.13, 0.23, 0.78),
        ticked=(1, 3),
        note="The till comes first. My wife can wait.",
        noted=3,
        text_size=31,
        paper=(222, 206, 166),
        size=(1000, 720),
        cut=True,
    ),
    newspaper=NewspaperSpec(
        name="THE LINGTANG GAZETTE",
        dateline="26 September 1928",
        headline=("RUMOURS ABOUT THE TAIHE BANK", "Owner to account to depositors on the 30th"),
        paragraphs=(
            "The Taihe bank, for more than twenty years a byword for prudence, has become the talk "
            "of the town. The failure of the Dafeng silk mill has left it with over forty thousand "
            "yuan unpaid, losses in government bonds are whispered of, and since Monday there has "
            "been a crowd at the counter.",
            "The bank was founded with the dowry of the late first Mrs Cheng, and many in the town "
            "have not the heart to take their money out.",
            'The manager, Mr Ke Ziqian, told this paper yesterday: "Every deposit is safe to the '
            'last cent. Let nobody listen to idle talk."',
            "The owner, Mr Cheng Yintang, will render his accounts before the bank at nine on the "
            "morning of the 30th. Mr Wen Shuheng, accountant of Shanghai and brother of the late "
            "first Mrs Cheng, came on the 24th, is staying at the Tinggui, and is going through "
            "the books of past years.",
            "Mr Cheng is said to be in the best of health and to have obtained twenty thousand "
            "yuan of the Tongyu bank in Suzhou on his own surety. It may tide him over.",
        ),
        notice=(
            "THE TINGGUI",
            "Yangcheng crabs newly in. Osmanthus wine of our own making.",
            "One tenth off all tables for ten days after the feast.",
        ),
        text_size=20,
        size=(920, 820),
    ),
    telegram=TelegramSpec(
        office="Telegraph Administration  Lingtang",
        title="Form as handed in",
        fields=(
            ("Handed in", "29 September, 6:43 p.m."),
            ("To", "Manager Xu, Fuyuan Bank, Shanghai"),
            ("From", "Ke Ziqian"),
        ),
        heading="Message",
        message="Accept your offer. Shall report first October. "
        "Confirm receipt of 2,400 deposited. Ke",
        foot="13 words  2.50 yuan",
        stamp=("Lingtang", "Telegraphs", "6:43 p.m."),
        text_size=34,
    ),
    pawn=PawnTicketSpec(
        shop="GONGSHUN PAWNSHOP",
        sign="PAWN",
        number="No. 407",
        lines=(
            "Received: one jade bracelet, broken and worthless",
            "Lent on it: 180 yuan",
            "Interest: 2 per cent a month",
            "29 September 1928",
        ),
        rule="We know the ticket, not the bearer. Forfeit after 18 months. "
        "Moth and mould are Heaven's will.",
        text_size=34,
    ),
    letter=HandLetterSpec(
        lines=(
            "Dear Agui,",
            "Is your mother laid to rest? Do not hurry back; stay with her a few days longer.",
            "As for my trouble, the doctors in Shanghai say that it is a small matter if they "
            "operate this month, and hard to tell if it is put off. Yintang has laid by eight "
            "hundred yuan and hired a boat for the 12th. I am not afraid.",
            "When I come back it will be time to gather the osmanthus, and you and I will make "
            "this year's wine together.",
            "\tSujun, 9 October, at night",
        ),
        hand="letter",
        ink=(26, 22, 22),
        paper=(240, 228, 202),
        rule=(224, 176, 160),
        text_size=37,
        leading=52,
        creased=((0.33, 0.66), (0.5,)),
        size=(820, 900),
    ),
    note=HandLetterSpec(
        lines=(
            "Shaoji,",
            "Half past six, at the back landing, in the covered boat under the bridge. Not in the "
            "white suit: it can be seen across a river.",
            "I have got you a hundred and eighty. Do not ask. Go or stay, but first you will "
            "listen to me for half an hour.",
            "Burn this.",
            "\tPeilan, today",
        ),
        hand="note",
        ink=(104, 48, 140),
        paper=(246, 244, 236),
        rule=(196, 210, 226),
        text_size=33,
        leading=54,
        creased=((0.5,), (0.5,)),
        table=(58, 66, 58),
        size=(760, 760),
        angle=2.1,
    ),
)
"""All words in the pictures, in this language."""
