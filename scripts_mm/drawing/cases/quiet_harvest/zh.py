"""The words in the Chinese pictures of "The Quiet Harvest"."""

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
        "title": "桑溪地形草图",
        "north": "北",
        "scale": "500米",
        "lake": "堰湖",
        "river": "桑溪",
        "upper": "上湾",
        "lower": "下湾",
        "gauge": "量水屋\n642米",
        "weir": "石门堰",
        "footbridge": "板桥",
        "tower": "钟楼\n668米",
        "rearing": "大蚕房\n661米",
        "tree": "老桑树",
        "stable": "牲口棚 702米",
        "pass": "往岭上 1240米",
        "office": "茧站\n618米",
        "shed": "木工棚",
        "pole": "竿子在此",
        "leat": "引水渠",
        "bridge": "石桥",
        "school": "学校 604米",
        "kessler": "俞婆婆家",
        "stone": "石碑",
        "tannery": "染坊",
        "9": "9分钟",
        "6": "6分钟",
        "10": "10分钟",
        "13": "13分钟",
        "12": "12分钟",
        "8": "8分钟",
    },
    map_notes=(
        "虚线：摸黑、穿毡鞋步行所需时间。蚕禁期间引水渠渠首关闭，渠里没有水。",
        "杜青禾为赈灾会绘。叉号为邱警员6月12日所加。",
    ),
    group_caption="守夜诸人合影，6月9日傍晚。三天后发大水。",
    group_names=(
        "1 陆伯涛（堰） 2 杜望川（闸） 3 马广田（牲口） 4 孟怀远（茧站） "
        "5 秦素娥（蚕房） 6 杜青禾（学校） 7 冯秋菊"
    ),
    group_size=27,
    recovery=RecoverySpec(
        office="桑溪区 溺亡人员登记",
        title="第十二号",
        fields=(
            ("发现", "6月13日 06:10 染坊下石滩"),
            ("姓名", "杜望川 闸工 24岁"),
            ("身长", "1.78米"),
        ),
        figure=FOUND_MAN,
        remarks=(
            RecoveryRemark(text="帽子已失", at=(0.70, 0.37), to=(0.55, 0.375), wide=170),
            RecoveryRemark(text="雨衣，风帽扯脱", at=(0.72, 0.52), to=(0.58, 0.53), wide=180),
            RecoveryRemark(
                text="右手紧攥绳头一截，缠红布，上端扯断",
                at=(0.07, 0.50),
                to=(0.36, 0.585),
                wide=170,
            ),
            RecoveryRemark(text="左鞋无", at=(0.72, 0.80), to=(0.57, 0.845), wide=190),
            RecoveryRemark(text="毡鞋", at=(0.20, 0.82), to=(0.42, 0.848), wide=190),
        ),
        signed=("洗殓并记录", "秦素娥"),
    ),
    hut=HutSpec(
        caption="照片1 量水屋 6月12日06:20 自渠边路拍摄",
        inset="照片2 干渠 06:00：带铁钩的竿子",
        sign="往茧站",
    ),
    strip=(
        "自记温度计 量水屋室内",
        "6月11日至12日 单位：摄氏度 细线每20分钟一格",
        "06:30取下，钟点与我的表相符。邱",
    ),
    clapper=ClapperSpec(
        caption="证物4、5，以及甲在湖里裹着的毡",
        tags=("甲  板桥下\n泥里起出", "乙  今日\n从钟里卸下"),
        year="光绪十年",
        mark="永 38",
        stamp=("二号烘茧房", "门毡"),
    ),
    register=BookPageSpec(
        title="茧站 石门堰来电登记 6月11日至12日",
        head=("时刻", "水位（米）", "备注", "签字"),
        rows=(
            ("22:00", "2.38", "一切正常", "孟"),
            ("22:30", "2.35", "", "孟"),
            ("23:00", "2.32", "", "孟"),
            ("23:30", "2.29", "", "孟"),
            ("00:00", "2.26", "", "孟"),
            ("00:30", "2.23", "闸已定好", "孟"),
            ("01:00", "2.20", "", "孟"),
            ("01:30", "2.17", "声音发乏", "孟"),
        ),
        columns=(44, 180, 370, 590),
        foot=("01:37 锁门，去俞婆婆家。孟怀远",),
        hand="note",
        ink=(28, 30, 36),
        pen=Handwriting(sway=0.7, turn=0.5),
        text_size=29,
        step=54,
        size=(800, 820),
        angle=-1.2,
    ),
    water_book=BookPageSpec(
        title="石门堰水簿 6月11日至12日 陆伯涛",
        head=("时刻", "水位（米）", "炉子、闸门", "电话"),
        rows=(
            ("22:00", "2.38", "生炉子", "通"),
            ("22:30", "2.35", "", "通"),
            ("23:00", "2.32", "邱送汤来", "通"),
            ("23:30", "2.29", "", "通"),
            ("00:00", "2.26", "", "通"),
            ("00:30", "2.23", "闸已定好", "通"),
            ("00:40", "", "鱼道闸提四格", ""),
            ("01:00", "2.14", "炉子好烧", "\u2014"),
        ),
        columns=(52, 176, 350, 620),
        foot=("头沉。怕是汤的缘故。",),
        text_size=32,
        step=58,
        torn=True,
        cup=True,
        sheet=(238, 228, 202),
        size=(840, 880),
        angle=1.6,
    ),
    capitals=CapitalsSpec(
        lines=(
            "你起是说钟是好的。",
            "死了十二个，冤了一个。",
            "开蚕门以前你不说出来，",
            "就永远闭咀。",
        ),
        text_size=46,
        leading=80,
        size=(740, 620),
    ),
    letter=LetterSpec(
        greeting="杜老师：",
        body=(
            "灰纸我认得，那样带钩的“门”字是谁教的，我也认得。你骂得对，你还不知道有多对。",
            "查案那天我作了假证，有我自己的缘故。令弟照规矩该做的都做了，做完就去敲钟。",
            "不信，就去看钟舌。老的那根铸着年份。它是雨前给人摘走的，谁摘的，我知道。我给他的期限，是开蚕门。",
            "这话来迟了，见谅。",
        ),
        signature="陆伯涛",
        mark="6月11日",
        text_size=31,
        leading=46,
        slant=-0.06,
        size=(740, 920),
        angle=-1.3,
    ),
    receipt=InvoiceSpec(
        firm="永泰铸铁行",
        trade="铸钟 · 农具 · 机件",
        address="城西铁匠巷3号",
        number="收据 第611号",
        date="6月14日",
        customer=("何先生，6月12日来电报订", "由脚夫提走"),
        head=("件数", "品名", "单价", "金额"),
        rows=(
            ("1", "钟舌 锻件 38公斤", "560", "560"),
            ("1", "木箱 连夜赶工", "80", "80"),
        ),
        total=("合计（元）", "640"),
        received="现金装信封，收款人：",
        stamp=("收讫", "6月14日"),
        remark=(
            "发大水的当天，人还停在学校里，",
            "谁有心思订钟舌？",
            "这个何先生又是谁？陆",
        ),
        remark_size=34,
    ),
    report=ReportFormSpec(
        office="区卫生院 下湾卫生所",
        title="初步检验记录",
        fields=(
            ("死者", "陆伯涛，70岁"),
            ("发现地点", "量水屋，门从里面闩着"),
            ("日期", "6月12日"),
            ("检验时间", "06:40"),
        ),
        heading="检验所见",
        findings=(
            "无外伤，无挣扎痕迹。面色、指甲呈樱桃红。",
            "系炭炉煤气中毒致死。",
            "烟管自上方被堵：灰毡裹生丝绵一团，捅入1.4米，正是一根长竿够得到的深度。",
            "门窗均从里面用毡条封死。屋子这样小，烟管堵上不出半小时，七十岁的人便救不回来了。",
            "死亡至少在检验前两小时。",
        ),
        signed="医师",
        signature="汤仲文",
        stamp=("收讫", "6月12日", "警员室"),
        text_size=23,
        size=(760, 1000),
    ),
)
"""All words in the pictures, in this language."""
