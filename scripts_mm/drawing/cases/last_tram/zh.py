"""The words in the Chinese pictures of "The Last Tram"."""

from scripts_mm.drawing.cases.last_tram.picture_words import LastTramWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.departure_board import DepartureBoardSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec

WORDS = LastTramWords(
    line={
        "title": "九路",
        "harbour": "码头",
        "market": "菜场",
        "bridge": "大桥",
        "chapel": "教堂（让车道）",
        "depot": "车厂",
        "ride-1": "6分",
        "ride-2": "5分",
        "ride-3": "5分",
        "ride-4": "4分",
        "stair": "石阶4分",
        "road": "公路骑车20分以上",
        "yard": "车厂院子",
    },
    timetable=DepartureBoardSpec(
        title="九路上行",
        subtitle="末班车",
        head=("站名", "22号车", "27号车", "31号车"),
        rows=(
            ("码头", "21:40", "22:20", "23:05"),
            ("菜场", "21:46", "22:26", "23:11"),
            ("大桥", "21:51", "22:31", "23:16"),
            ("教堂", "21:56", "22:36", "23:21"),
            ("车厂", "22:02", "22:42", "23:27"),
        ),
        columns=(48, 270, 420, 570),
        note="雾天在教堂等候，见第十四条。",
        ink=(24, 74, 52),
    ),
    waybill=ChecklistSpec(
        title="31号车路单",
        owner="司机秦素兰 售票马小川 11月14日",
        entries=(
            ChecklistEntry(time="23:05", text="码头，空车"),
            ChecklistEntry(time="23:11", text="菜场，无人"),
            ChecklistEntry(time="23:16", text="大桥：票一张，木箱一只"),
            ChecklistEntry(time="23:21", text="教堂让车道，进"),
            ChecklistEntry(time="23:29", text="教堂让车道，出：", done=False, remark="雾，晚点"),
            ChecklistEntry(time="23:33", text="车厂，下客一人"),
        ),
        size=(720, 760),
        text_size=26,
        angle=1.4,
    ),
    plate="票务室",
    calls=PrintedLogSpec(
        title="调度室电话记录",
        subtitle="11月14日夜",
        head=("时间", "自", "至", "备注"),
        rows=(
            ("23:02-23:04", "调度", "码头", "雾，第十四条"),
            ("23:12-23:20", "码头", "调度", "何世安，失物处"),
            ("23:16-23:18", "车厂", "调度", "裴志刚，票务室"),
            ("23:34-23:35", "大桥", "调度", "下行车已过"),
            ("23:52-23:55", "车厂", "调度", "老欧：报警"),
        ),
        columns=(84, 250, 360, 470),
        foot=("两条线路；时间以调度室钟为准。",),
        size=(820, 560),
    ),
    scene="照片二 票务室 00:20",
    ticket=("九路", "上行", "No. 4417", "11月14日", "下车前请保存此票。"),
    stops=("码头", "菜场", "大桥", "教堂", "车厂"),
    book_title="失物登记",
    book=(
        ("88", "3月2日", "黑伞"),
        ("89", "3月9日", "大提琴连盒，21:40车"),
        ("90", "3月9日", "童手套"),
        ("91", "3月12日", "玻璃眼珠，蓝"),
    ),
    sold="10月11日卖出",
)
