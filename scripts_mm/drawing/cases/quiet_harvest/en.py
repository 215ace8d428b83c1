"""The words in the English pictures of "The Quiet Harvest"."""

from scripts_mm.drawing.cases.quiet_harvest.book_page import BookPageSpec
from scripts_mm.drawing.cases.quiet_harvest.capitals import CapitalsSpec
from scripts_mm.drawing.cases.quiet_harvest.clapper import ClapperSpec
from scripts_mm.drawing.cases.quiet_harvest.group import FOUND_MAN
from scripts_mm.drawing.cases.quiet_harvest.hut import HutSpec
from scripts_mm.drawing.cases.quiet_harvest.picture_words import QuietHarvestWords
from scripts_mm.drawing.cases.quiet_harvest.recovery import RecoveryRemark, RecoverySpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.primitives.ink import Handwriting

WORDS = QuietHarvestWords(
    map={
        "title": "The valley of the Sarn",
        "north": "N",
        "scale": "500 m",
        "lake": "Weir Lake",
        "river": "Sarn",
        "upper": "Upper Sarn",
        "lower": "Lower Sarn",
        "gauge": "Gauge house\n642 m",
        "weir": "weir",
        "footbridge": "footbridge",
        "tower": "Bell tower\n668 m",
        "rearing": "Rearing house\n661 m",
        "tree": "mulberry",
        "stable": "Stable 702 m",
        "pass": "to the ridge 1,240 m",
        "office": "Cocoon office\n618 m",
        "shed": "carpenter's shed",
        "pole": "pole found",
        "leat": "leat",
        "bridge": "stone bridge",
        "school": "School 604 m",
        "kessler": "Widow Kessler",
        "stone": "memorial stone",
        "tannery": "tannery",
        "9": "9 min",
        "6": "6 min",
        "10": "10 min",
        "13": "13 min",
        "12": "12 min",
        "8": "8 min",
    },
    map_notes=(
        "Dashed: on foot, in the dark, in felt shoes. In the Quiet the leat is shut at its head "
        "and lies dry.",
        "Drawn for the committee by J. Finch. Cross added by Constable Anders, 12 June.",
    ),
    group_caption="The Keepers of the Quiet, 9 June, evening. Three days before the flood.",
    group_names=(
        "1 A. Pell, weir   2 T. Finch, gates   3 L. Hask, beasts   4 M. Vogt, office   "
        "5 O. Brand, rearing house   6 J. Finch, school   7 Agnes Hask"
    ),
    group_size=28,
    recovery=RecoverySpec(
        office="District of the Sarn, Recovery of the Drowned",
        title="Sheet No. 12",
        fields=(
            ("Found", "13 June, 06:10, gravel bank below tannery"),
            ("Name", "Tobias Finch, gate hand, 24"),
            ("Height", "1.78 m"),
        ),
        figure=FOUND_MAN,
        remarks=(
            RecoveryRemark(text="cap lost", at=(0.70, 0.37), to=(0.55, 0.375), wide=170),
            RecoveryRemark(
                text="oilskin, hood torn off", at=(0.72, 0.52), to=(0.58, 0.53), wide=180
            ),
            RecoveryRemark(
                text="right hand closed fast round a piece of rope, red binding, torn at the top",
                at=(0.06, 0.50),
                to=(0.36, 0.585),
                wide=190,
            ),
            RecoveryRemark(text="left shoe missing", at=(0.72, 0.80), to=(0.57, 0.845), wide=190),
            RecoveryRemark(text="felt shoe", at=(0.12, 0.82), to=(0.42, 0.848), wide=190),
        ),
        signed=("Washed and described by", "O. Brand"),
    ),
    hut=HutSpec(
        caption="Photo 1, gauge house, 12 June, 06:20, seen from the leat path",
        inset="Photo 2, dry leat, 06:00: pole with iron hook",
        sign="Cocoon office",
    ),
    strip=(
        "Recording thermometer, gauge house, inside",
        "11/12 June. Degrees Celsius. Thin lines: every 20 minutes.",
        "Taken off 06:30, clock agrees with mine. Anders",
    ),
    clapper=ClapperSpec(
        caption="Exhibits 4 and 5, with the felt in which A lay in the lake",
        tags=("A  from the mud\nbelow the footbridge", "B  from the bell,\ntaken down today"),
        year="1884",
        mark="G 38",
        stamp=("DRYING ROOM 2", "DOOR"),
    ),
    register=BookPageSpec(
        title="Cocoon office. Calls from the weir, 11/12 June",
        head=("Time", "Level, m", "Remark", "Init."),
        rows=(
            ("22:00", "2.38", "all in order", "M.V."),
            ("22:30", "2.35", "", "M.V."),
            ("23:00", "2.32", "", "M.V."),
            ("23:30", "2.29", "", "M.V."),
            ("00:00", "2.26", "", "M.V."),
            ("00:30", "2.23", "gates are set", "M.V."),
            ("01:00", "2.20", "", "M.V."),
            ("01:30", "2.17", "sounds tired", "M.V."),
        ),
        columns=(44, 170, 320, 580),
        foot=("01:37 closed, to Widow Kessler. M. Vogt",),
        hand="note",
        ink=(28, 30, 36),
        pen=Handwriting(sway=0.7, turn=0.5),
        text_size=29,
        step=54,
        size=(800, 820),
        angle=-1.2,
    ),
    water_book=BookPageSpec(
        title="Weir of the Sarn, 11/12 June. A. Pell",
        head=("Time", "Level, m", "Stove, gates", "Rang office"),
        rows=(
            ("22:00", "2.38", "stove lit", "yes"),
            ("22:30", "2.35", "", "yes"),
            ("23:00", "2.32", "soup from Anders", "yes"),
            ("23:30", "2.29", "", "yes"),
            ("00:00", "2.26", "", "yes"),
            ("00:30", "2.23", "gates are set", "yes"),
            ("00:40", "", "eel gate up 4 notches", ""),
            ("01:00", "2.14", "stove draws well", "\u2013"),
        ),
        columns=(52, 160, 290, 582),
        foot=("Head heavy. Must be the soup.",),
        text_size=29,
        step=58,
        torn=True,
        cup=True,
        sheet=(238, 228, 202),
        size=(840, 880),
        angle=1.6,
    ),
    capitals=CapitalsSpec(
        lines=(
            "YOU SWORE THE BELL WAS SOWND.",
            "TWELVE LIE DEAD AND ONE IS BLAIMED.",
            "BEFORE THE DOORS OPEN YOU WILL SAY IT",
            "OR LIE STILL FOR EVER.",
        ),
        text_size=35,
        leading=56,
        size=(740, 620),
    ),
    letter=LetterSpec(
        greeting="Miss Finch,",
        body=(
            "I know the grey paper, and I know who teaches a capital R with such a foot. You are "
            "right, and you do not know by how much.",
            "At the inquiry I swore falsely, for a reason of my own. Your brother did all that the "
            "rule demands. Then he went to the bell.",
            "Look at its tongue, if you do not believe me. The old one bore a year. It was taken "
            "out before the rain, and I know by whom. He has time until the doors open.",
            "Forgive the delay.",
        ),
        signature="A. Pell",
        mark="11 June",
        text_size=31,
        leading=41,
        slant=-0.1,
        size=(740, 920),
        angle=-1.3,
    ),
    receipt=InvoiceSpec(
        firm="Gessner & Son",
        trade="Bell founders since 1790",
        address="Foundry Lane 3",
        number="Receipt No. 611",
        date="14 June",
        customer=("Mr Martin, by wire of 12 June", "Collected by carrier"),
        head=("Pcs", "Article", "Price", "Sum"),
        rows=(
            ("1", "bell tongue, 38 kg", "560", "560"),
            ("1", "crate, night work", "80", "80"),
        ),
        total=("Crowns", "640"),
        received="Cash in envelope, received:",
        stamp=("PAID", "14 JUNE"),
        remark=(
            "Who orders a tongue on the very day of the flood,",
            "while the dead are still lying in the school?",
            "And who is Martin? A.P.",
        ),
        remark_size=30,
    ),
    report=ReportFormSpec(
        office="District Medical Service, Post Lower Sarn",
        title="Preliminary Medical Note",
        fields=(
            ("Deceased", "Augustin Pell, 70"),
            ("Found in", "Gauge house, door barred from inside"),
            ("Date", "12 June"),
            ("Examined at", "06:40"),
        ),
        heading="Findings",
        findings=(
            "No wound, no sign of a struggle. Face and nails rose-red.",
            "Death by carbonic oxide from the charcoal stove.",
            "The stove pipe was stopped from above: a wad of raw floss in grey felt, driven "
            "down 1.4 metres, as far as a long pole reaches.",
            "Door and window sealed with felt from inside. In so small a room a man of "
            "seventy is past help within half an hour of the stopping.",
            "Death at least two hours before I saw him.",
        ),
        signed="Physician",
        signature="H. Lindqvist",
        stamp=("RECEIVED", "12 JUNE", "CONSTABLE"),
        text_size=20,
        size=(760, 1000),
    ),
)
"""All words in the pictures, in this language."""
