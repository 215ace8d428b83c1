"""The words in the Chinese pictures of "The Deed of Mill Meadow"."""

from scripts_mm.drawing.cases.mill_meadow.picture_words import MillMeadowWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec, WornLetter
from scripts_mm.drawing.primitives.ink import Stamp

WORN = WornLetter(sign="地", cut=(0.58, 0.52, 1.05, 1.05))
"""The machine's 地, whose lower right corner broke off."""

WORDS = MillMeadowWords(
    deed=TypescriptSpec(
        heading="赠契",
        body=(
            "青石埠镇将位于河与大桥街之间之磨坊草甸地一片，永远赠与沈国梁及其后人，以偿历年亏负。",
            "此地日后不得收回，地界依旧。",
            "立于一九三一年六月十二日。",
            "代镇公所：",
        ),
        signature="文书 葛义",
        worn=WORN,
        stamp=Stamp(lines=("青石埠镇",), colour=(98, 52, 124), angle=11, round=True),
        stamp_at=(0.76, 0.76),
        creases=(0.34, 0.67),
        text_size=34,
    ),
    card=TypescriptSpec(
        heading="磨坊",
        body=("此地磨面始于1740年大寒，1929年停磨。水车轮就地卖掉，换了一口猪。原地今为草甸。",),
        corner="117",
        worn=WORN,
        colour=(242, 236, 216),
        age=0.0,
        text_size=32,
        size=(760, 480),
        angle=2.4,
        table=(116, 84, 58),
    ),
    watermark="云雀纸坊",
    light_table="看版台 5月8日",
    loans=ChecklistSpec(
        title="器物簿",
        owner="办公室 本年",
        entries=(
            ChecklistEntry(time="1.12", text="幻灯机：借给小学，1月14日还"),
            ChecklistEntry(time="3.3", text="打字机：搬到四号室，打展览卡片"),
            ChecklistEntry(time="3.28", text="打字机：搬回办公室"),
            ChecklistEntry(time="4.2", text="梯子：报废！", done=False, remark="谁还在用？"),
            ChecklistEntry(time="4.24", text="看版台：搬到修复室"),
        ),
        text_size=27,
        size=(760, 720),
        angle=-2.2,
    ),
    visitors=PrintedLogSpec(
        title="首次来访登记",
        subtitle="春季",
        head=("日期", "姓名", "来处", "事由"),
        rows=(
            ("3月14日", "葛安", "葛家桥", "查家谱"),
            ("4月2日", "欧阳平", "本镇", "潮汐表"),
            ("4月21日", "林佩珊", "镇公所", "看契"),
            ("4月22日", "沈玉蓉", "槟城", "看契"),
            ("4月25日", "货栈公司", "港口", "地图"),
        ),
        columns=(84, 220, 410, 560),
        size=(820, 540),
        angle=1.5,
    ),
    scene="照片四 地图室 19:30",
    pad=(
        "看“地”字：",
        "契，117号卡片。",
        "四号室是谁在用？",
        "少了两张。",
        "不是为钱。",
    ),
    register="出生册 1938",
    slip=("四号室，", "3月17日"),
    almanac="镇年鉴。街道名称沿革",
    entries=(
        "箍桶里：1902年前称硝皮场。",
        "大桥街：1934年新桥通行前称磨坊巷。",
        "葛家场：1911年前称猪市。",
        "车站路：1926年新筑。",
        "本镇共街六十一条、巷四条。",
    ),
    marked=1,
)
