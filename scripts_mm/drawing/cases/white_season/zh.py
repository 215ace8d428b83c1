"""The words in the Chinese pictures of "White Season"."""

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
        "title": "砺风站 越冬平面图",
        "store": "应急库",
        "shed": "气球房",
        "bunks": "宿舍",
        "office": "站长室",
        "surgery": "医务室",
        "air-lock": "气闸间",
        "radio": "通信室",
        "equipment": "设备间",
        "plant": "制氮间",
        "cold": "冰芯\n冷库",
        "spine": "主通道",
        "wash": "盥洗间",
        "galley": "厨房",
        "mess": "餐厅",
        "food": "食品库",
        "power": "动力间",
        "wet": "样品间",
        "garage": "车库",
        "door-1": "一号门",
        "ramp": "坡道门",
        "hatch": "递菜口",
        "flag-7": "7号旗",
        "valve": "V2阀",
        "booth": "话亭",
        "hook": "挂钩",
        "window": "小窗",
        "way-shed": "90米，每10米一面旗",
        "way-store": "60米",
        "way-ramp": "50米",
    },
    plan_notes=(
        "虚线：从一号门拉出去的手绳；紫线：坡道门到7号旗的直线距离。",
        "V2阀：往冰芯冷库送氮。主通道全站只此一条。车库小窗正对气球房。",
    ),
    body=BodySpec(
        caption="现场照片2 7号旗 7月3日 07:20",
        flag="7",
        left_mitt="右",
        right_mitt="左",
        badge="01",
    ),
    door_log=PrintedLogSpec(
        title="砺风站 一号门 出门记录",
        subtitle="7月2日00:00至7月3日08:00",
        head=("时间", "门卡", "姓名", "风速 米/秒"),
        rows=(
            ("08:47", "05", "江逐云", "9"),
            ("10:12", "04", "宋白芷", "10"),
            ("13:30", "06", "罗大椿", "11"),
            ("14:05", "03", "佟满仓", "12"),
            ("16:20", "01", "郑伯钧", "14"),
            ("17:02", "06", "罗大椿", "15"),
            ("20:28", "05", "江逐云", "21"),
            ("22:05", "01", "郑伯钧", "24"),
            ("07:04", "06", "罗大椿", "24"),
            ("07:04", "05", "江逐云", "24"),
            ("07:05", "03", "佟满仓", "24"),
        ),
        columns=(84, 200, 330, 530),
        foot=("读卡器只记出门。", "进门不用刷卡，也不留记录。"),
        size=(780, 820),
        angle=1.0,
    ),
    sheet=ReportFormSpec(
        office="砺风站 医务室",
        title="检 验 单",
        fields=(
            ("死者", "郑伯钧，58岁，站长"),
            ("发现地点", "7号旗，气球房手绳旁"),
            ("检验时间", "7月3日 07:25至07:31"),
            ("现场", "零下31度，风速24米/秒"),
        ),
        heading="检验所见",
        findings=(
            "俯卧，双臂贴身。户外衣着齐全，风帽戴好，拉链拉到下巴。",
            "全身冻透。体温无法测得，表的刻度到20度为止。",
            "头颈无伤。保险带没有扣在任何绳上。",
            "手套冻住，未看双手；背部未看。",
            "受冻致死，多半因力竭。按一号门记录，当在22:05之后。",
        ),
        signed="医师",
        signature="林砚秋",
        stamp=("砺风站", "7月3日", "医务"),
        text_size=25,
        size=(780, 1000),
    ),
    round_book=ChecklistSpec(
        title="巡查本",
        owner="郑伯钧",
        entries=(
            ChecklistEntry(time="6/28", text="全程", remark="应急库封条补过？问佟，7月3日开库"),
            ChecklistEntry(time="6/29", text="全程", remark="已跟那人说明，限到7月3日07:30"),
            ChecklistEntry(time="6/30", text="全程", remark="坡道门警笛太安静？问罗"),
            ChecklistEntry(time="7/1", text="全程", remark="118号冰芯看实物，宋。二线，问方"),
            ChecklistEntry(time="20:30", text="7月2日 通信室：电池"),
            ChecklistEntry(time="20:40", text="冰芯冷库：在纸带上签字", done=False),
            ChecklistEntry(time="20:50", text="动力间：油位、工时", done=False),
            ChecklistEntry(time="21:00", text="站长室：写信", done=False),
        ),
        text_size=28,
        size=(760, 920),
    ),
    board=ChatScreenSpec(
        clock="07:50",
        contact="公告群（全体）",
        day="7月2日",
        messages=(
            ChatMessage(time="20:00", text="即刻起白色警戒。没有我点头，谁也不许出门。", own=True),
            ChatMessage(
                time="20:05", text="林砚秋：小笛，喝药！你那哮喘声隔两堵墙都听得见。", own=False
            ),
            ChatMessage(time="20:09", text="佟满仓：厨房九点前打烊，别碰我的水壶。", own=False),
            ChatMessage(time="20:20", text="江逐云：申请去气球房，放21:00的球。", own=False),
            ChatMessage(time="20:24", text="准。扣好绳，回来报到。", own=True),
            ChatMessage(
                time="21:36", text="江逐云：已回。球一松手就爆了，抱歉。", own=False, note="未读"
            ),
            ChatMessage(
                time="21:44", text="林砚秋：开映了。站长，椅子给您留着。", own=False, note="未读"
            ),
            ChatMessage(time="22:01", text="方小笛：点名，七人在站。", own=False, note="未读"),
        ),
        field="输入消息",
        size=(620, 1000),
    ),
    cold_strip=StripChartSpec(
        title="冰芯冷库 气温 第27周",
        unit="°C",
        across=COLD_TIME,
        up=COLD_SCALE,
        curve=COLD,
        remarks=(
            ChartRemark(x=1210.5, y=-10.5, text="换气", size=25, hand="note", target=(1217, -17.6)),
            ChartRemark(x=1208, y=-27.5, text="郑伯钧 20:40", size=32, target=(1240.4, -20.4)),
            ChartRemark(x=1283, y=-34, text="7月5日才看到。", hand="note", colour=_RED),
            ChartRemark(x=1283, y=-38, text="不是我！宋白芷", hand="note", colour=_RED),
        ),
    ),
    cold_lab=ColdLabSpec(
        caption="现场照片9 冰芯冷库 关着门 7月5日 10:15",
        tubes=("112", "113", "114", "115", "116", "117", "", "119"),
        push="推此开门",
        monitor="氧气",
    ),
    tag=HangingTagSpec(
        heading="停 用",
        lines=(
            TagLine(label="设备", entry="3号氧气报警器"),
            TagLine(label="位置", entry="冰芯冷库", struck="样品间"),
            TagLine(label="原因", entry="送校"),
            TagLine(label="取下时间", entry="6月30日 18:20"),
            TagLine(label="经手", entry="白芷"),
        ),
        small="气象组 第12号表 每本50张",
        string=((238, 236, 230), (196, 40, 40)),
        text_size=33,
    ),
    power_log=PrintedLogSpec(
        title="砺风站 配电记录",
        subtitle="7月2日19:00至24:00",
        head=("回路", "合", "断", "方式"),
        rows=(
            ("厨房烤箱", "17:20", "19:05", "手动"),
            ("车库照明", "20:31", "20:53", "手动"),
            ("站长室照明", "20:34", "20:50", "手动"),
            ("厨房水壶", "20:36", "20:47", "手动"),
            ("冷库制冷机", "-", "20:44", "自动"),
            ("厨房烤箱", "20:58", "22:40", "手动"),
            ("冷库制冷机", "21:11", "-", "自动"),
            ("车库绞盘", "21:21", "21:23", "手动"),
            ("车库绞盘", "21:33", "21:35", "手动"),
            ("餐厅放映机", "21:42", "23:12", "手动"),
        ),
        columns=(84, 354, 462, 574),
        foot=("自动＝由温控器自行切换", "气球房用蓄电池，不在此记录"),
        size=(760, 780),
        angle=-1.6,
    ),
    wind_strip=StripChartSpec(
        title="鹰脊营地 测风杆 8月14日",
        unit="米/秒",
        across=WIND_TIME,
        up=WIND_SCALE,
        curve=WIND,
        remarks=(
            ChartRemark(x=1196, y=23, text="21:10 在杆下看过：8米/秒，无结冰。", size=29),
            ChartRemark(x=1196, y=20.4, text="小航可以走。", size=29, target=(1270, 8.3)),
            ChartRemark(
                x=1212, y=3.4, text="这是尺子，不是风！ 郑", size=30, hand="note", colour=_RED
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
        firm="砺风站",
        trade="气象组 气球房",
        address="登记人：江逐云",
        number="库存卡 第4号",
        date="6月、7月",
        customer=("探空气球，350克，盒装", "红白棉线：2轴"),
        head=("日期", "摘要", "领出", "结存"),
        rows=(
            ("6/30", "盘点", "-", "42"),
            ("7/1", "09:00 施放", "1", "41"),
            ("7/1", "21:00 施放", "1", "40"),
            ("7/2", "09:00 施放", "1", "39"),
            ("7/2", "21:00 爆裂", "1", "38"),
        ),
        total=("架上实数", "39"),
        received="登记签字：",
        stamp=("盘点", "7月4日"),
        remark=(
            "盘点，两人各数了一遍。",
            "林砚秋、方小笛",
        ),
        remark_size=33,
        size=(740, 1020),
    ),
)
"""All words in the pictures, in this language."""
