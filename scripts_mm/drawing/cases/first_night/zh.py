"""The words in the Chinese pictures of "The First Night"."""

from scripts_mm.drawing.cases.first_night.picture_words import FirstNightWords
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.photos.chat_screen import ChatMessage, ChatScreenSpec

WORDS = FirstNightWords(
    letter=LetterSpec(
        greeting="老鹤：",
        body=(
            "谁过河你都收渡钱，到了我这里，你连河也一并收走了。",
            "你的灯我提得够久了。你活不到退水的那一天。",
            "灯灭之时，便是你的死期。",
        ),
        signature="静",
        mark="14 / 二幕三场",
        text_size=46,
        leading=74,
        slant=-0.24,
    ),
    report=ReportFormSpec(
        office="市警察局第三分局 法医室",
        title="初步检验记录",
        fields=(
            ("死者", "顾鹤年，58岁"),
            ("发现地点", "翠鸟剧院一号化妆间"),
            ("日期", "10月11日"),
            ("检验时间", "20:44"),
        ),
        heading="检验所见",
        findings=(
            "后脑右侧受击一次，力自身后略偏上方而来。别无其他伤口。",
            "死者当时坐着，面朝镜子，无抵抗伤：他任由来人站到自己身后。",
            "下手者惯用右手。",
            "凶器为边缘圆钝的铁质重物。发间有一小片黄漆。",
            "尸体尚温，未见僵硬。受击后一分钟内死亡，时间在20:10至20:25之间。",
        ),
        signed="医师",
        signature="苏启明",
        stamp=("收讫", "10月11日", "警察局"),
        text_size=25,
    ),
    chat=ChatScreenSpec(
        clock="20:52",
        contact="马岚（安检员）",
        day="今天",
        messages=(
            ChatMessage(time="20:09", text="22:00到后台门来，材料我亲手交给你。", own=True),
            ChatMessage(time="20:10", text="那个人知道了吗？", own=False),
            ChatMessage(
                time="20:11", text="19:10就知道了。要认账，等到谢幕为止，多一分钟都不行。", own=True
            ),
            ChatMessage(time="20:13", text="你一个人待着？把门锁上。", own=False),
            ChatMessage(time="20:14", text="首演之夜，周围都是自己人。", own=True),
            ChatMessage(time="20:15", text="有人敲门，稍等。", own=True),
            ChatMessage(time="20:18", text="鹤年？", own=False),
            ChatMessage(time="20:26", text="你还在吗？", own=False, note="未读"),
        ),
        field="输入消息",
        size=(620, 960),
    ),
    invoice=InvoiceSpec(
        firm="恒固钢索行",
        trade="各式钢丝绳 · 吊具",
        address="运河街8号",
        number="发票 第2217号",
        date="3月14日",
        customer=("客户：翠鸟剧院", "技术部"),
        head=("数量", "品名", "单价", "金额"),
        rows=(
            ("12", "钢索 9毫米 长28米", "2,600", "31,200"),
            ("1", "安装及检测费", "7,200", "7,200"),
        ),
        total=("合计（元）", "38,400"),
        received="现金收讫，签收人：",
        stamp=("付讫", "4月2日"),
        remark=(
            "恒固两年前就关门了！",
            "这张单子是谁写的？我台顶上吊着的又是什么？",
            "鹤年",
        ),
        remark_size=34,
    ),
    log=PrintedLogSpec(
        title="翠鸟剧院 灯控台",
        subtitle="运行日志 10月11日 第一幕",
        head=("灯号", "时间", "触发", "效果"),
        rows=(
            ("LX 21", "20:06", "手按", "黄昏，老鹤下"),
            ("LX 22", "20:10", "手按", "月光，静娘下"),
            ("LX 23", "20:14", "手按", "暴风雨起"),
            ("LX 24", "20:15", "跟进", "大风"),
            ("LX 25", "20:16", "跟进", "雷声一"),
            ("LX 26", "20:16", "跟进", "河面转黑"),
            ("LX 27", "20:17", "手按", "木桥定点光"),
            ("LX 28", "20:18", "跟进", "雷声二"),
            ("LX 29", "20:19", "跟进", "风渐弱"),
            ("LX 30", "20:20", "跟进", "活板，落水声"),
            ("LX 31", "20:21", "手按", "风平浪静"),
            ("LX 32", "20:25", "手按", "静娘诀别"),
            ("LX 33", "20:31", "手按", "老鹤上"),
            ("LX 34", "20:33", "手按", "场灯"),
        ),
        foot=("手按＝在灯控台或监督台按键触发", "跟进＝接着上一号自行运行"),
    ),
    checklist=ChecklistSpec(
        title="场记单 第一幕",
        owner="舞台监督助理 叶小满 10月11日",
        entries=(
            ChecklistEntry(time="18:50", text="14号道具，信（二幕三场）：备用一份交顾"),
            ChecklistEntry(time="19:20", text="道具桌：22件，齐"),
            ChecklistEntry(time="19:25", text="压铁 监督侧 黄圈：8 / 8"),
            ChecklistEntry(time="19:25", text="压铁 对侧 蓝圈：8 / 8"),
            ChecklistEntry(time="20:12", text="压铁 监督侧 黄圈：8 / 8"),
            ChecklistEntry(
                time="20:40", text="压铁 监督侧 黄圈：7 / 8", done=False, remark="少了6号！"
            ),
            ChecklistEntry(time="20:40", text="压铁 对侧 蓝圈：8 / 8"),
        ),
        text_size=28,
    ),
    plan={
        "title": "翠鸟剧院 一层平面图",
        "lobby": "后台门\n门房",
        "green-room": "候场室",
        "dressing-2": "二号\n化妆间",
        "wardrobe": "服装间",
        "dressing-1": "一号\n化妆间",
        "corridor": "走廊",
        "off-side": "对侧",
        "prompt-side": "监督侧",
        "stage": "舞台",
        "tank": "水箱：景片后面不能通行",
        "auditorium": "观众席",
        "foyer": "前厅",
        "control-box": "灯控室",
        "alley": "小\n巷",
        "bridge": "木桥",
        "trap": "活板口",
        "desk": "监督台",
        "yellow": "压铁架\n（黄圈）",
        "blue": "压铁架\n（蓝圈）",
        "props": "道具桌",
        "hatch": "取衣窗口",
        "wing-door": "侧台门",
        "pass-door": "便门",
        "stair": "台仓\n楼梯",
        "way-desk": "14米",
        "way-hatch": "7米",
        "way-props": "28米",
        "way-box": "240米",
        "shortened": "小巷\n缩短画出",
    },
    plan_notes=(
        "虚线：到一号化妆间的步行路线，单位为米。监督侧：舞台监督所在一侧；对侧：另一侧。",
        "天桥在对侧上方。台仓楼梯只有这一道。",
    ),
    scene_caption="现场照片3 一号化妆间 20:50",
    photo_caption="首演剧照 第一幕“暴风雨”",
    photo_stamp="10.11  20:17",
)
"""All words in the pictures, in this language."""
