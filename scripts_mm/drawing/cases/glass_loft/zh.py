"""The words in the Chinese pictures of "The Glass Loft"."""

from scripts_mm.drawing.cases.glass_loft.picture_words import GlassLoftWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.newspaper import NewspaperSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec

WORDS = GlassLoftWords(
    plan={
        "loft": "阁楼",
        "landing": "楼梯口",
        "clock": "乐钟",
        "bench": "工作台，下有抽屉",
        "body": "尸体",
        "stove": "炉子",
        "hygrograph": "湿度仪",
        "tube": "传话筒",
        "pane": "上方：新玻璃",
        "crank-nail": "挂摇把的钉子",
        "crank": "摇把，在地上",
        "stair": "下楼",
        "way": "从店堂上来两分钟",
    },
    plan_title="风琴巷十一号 顶层",
    plan_notes=(
        "只有一扇门。门闩在靠乐钟的一侧，朝乐钟方向闩上。",
        "到门口：从三楼半分钟，从地窖三分钟，",
        "从巷口电话亭四分钟。",
        "屋顶：六排玻璃，没有天窗。三月六日，邓绘。",
    ),
    door="照片三：阁楼门闩，门内，22:10",
    clock="照片四：乐钟，上弦小门开着，22:05",
    plate="谭伯年制",
    pane="照片五：屋顶，自鞍具铺一侧，三月七日",
    chart={
        "title": "二号湿度仪 阁楼 三月六日 星期五",
        "unit": "%",
        "supper": "19:40 晚饭",
        "first": "20:22",
        "second": "20:36",
        "crack": "20:48",
        "broken": "21:50 我们",
    },
    order=ChecklistSpec(
        title="今晚次序",
        owner="若兰，三月六日",
        entries=(
            ChecklistEntry(time="19:40", text="给叔叔送晚饭"),
            ChecklistEntry(time="20:10", text="简师傅调琴"),
            ChecklistEntry(time="20:15", text="开门，收票：我"),
            ChecklistEntry(time="20:45", text="虞小姐，上半场"),
            ChecklistEntry(time="21:00", text="乐钟奏乐，一分钟，请肃静"),
            ChecklistEntry(time="21:01", text="虞小姐接着唱"),
            ChecklistEntry(
                time="21:30", text="叔叔：新奇一件。", done=False, remark="虞小姐帮手。叔叔没下来！"
            ),
        ),
        text_size=27,
        size=(720, 800),
        angle=1.3,
    ),
    call=ReceiptSpec(
        head=("长途电话局", "存根"),
        lines=("三月六日", "四号亭，风琴巷口", "打话人：冯"),
        rows=(
            ("挂号", "20:18"),
            ("接通香港", "20:19"),
            ("挂断", "20:37"),
            ("分钟", "18"),
        ),
        total=("硬币", "27"),
        foot=("安达洋行",),
        number="4-0617",
        remark="两次请他大声些",
        bars=False,
        size=(600, 880),
    ),
    glazier=InvoiceSpec(
        firm="毕记玻璃",
        trade="高处装修，梯绳俱全",
        address="鞍具巷二号",
        number="第88号",
        date="三月三日",
        customer=("谭若兰小姐", "风琴巷十一号"),
        head=("数量", "工料", "单价", "金额"),
        rows=(
            ("1", "屋顶玻璃，40乘50", "9.00", "9.00"),
            ("1", "亚麻油灰", "1.50", "1.50"),
            ("2", "屋顶工时", "3.00", "6.00"),
        ),
        total=("合计", "16.50"),
        received="款已收讫：",
        stamp=("收讫", "三月三日"),
        remark=(
            "自上而下，重物压破，不见羽毛。",
            "十日以前不可推、不可靠：",
            "油灰尚软，碰一下就留印。",
        ),
        remark_size=29,
    ),
    cutting=NewspaperSpec(
        name="海滨日报",
        dateline="二十二年前 八月十二日",
        headline=("没有手的屋子", "麻雀木偶班献艺海神庙会"),
        paragraphs=(
            "看过第二折的人都忘不了。守财奴上床睡下，台上再无一人，灯却自己暗了，帘子自己合拢，"
            "房门一扇接一扇自己关上。邻座一位太太当场叫出声来。",
            "承班主好意，我们到台后看了究竟。原来全是班主的女儿一手所为，年方九岁。她站在四米"
            "开外，手里牵着十一根线，黑色，编就，上过蜡，穿过一只只小铜眼，要到哪里就到哪里。",
            "问她戏散了，那么多线到哪里去。小莺姑娘正吃着苹果，说：“卷回来，就从来没有过线。”",
        ),
        notice=("麻雀班", "每日两场，至星期日止", "孩童半价"),
        upright=True,
        columns=2,
        text_size=26,
        size=(960, 820),
    ),
    letter=LetterSpec(
        greeting="立斋兄：",
        body=(
            "星期五请把另一半款子带来，九点半务必在座。有一样东西要请你听，人人都听过，却没有人"
            "听说过。我把它在帽盒里收了一年，也收够了。",
            "虞小姐帮手。她不大乐意，可掌声都是她得的，如今也该轮到我。",
            "外埠买主的话，往后不必再提。第四条我念给钟听过了，它也赞成。",
        ),
        signature="伯年",
        mark="三月四日",
        text_size=31,
        leading=45.0,
        slant=0.06,
        size=(680, 850),
    ),
)
