"""The words in the Chinese pictures of "The Osmanthus Feast"."""

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

_NAMES = ("空席", "程荫堂", "方韵秋", "温叔衡", "金阿桂", "柯子谦", "程绍基", "程佩兰")

WORDS = OsmanthusFeastWords(
    seating=SeatingPlanSpec(
        title="揽月厅席次图",
        places=tuple(
            TablePlace(
                name=name,
                cup=CUPS[nth],
                shells=SHELLS[nth],
                extra={BEAN_CURD: "子", LIQUEUR: "丑"}.get(nth, ""),
                empty=nth == 0,
            )
            for nth, name in enumerate(_NAMES)
        ),
        dishes=make_dishes("甲乙丙丁戊己庚辛壬癸"),
        legend=(
            "甲 糖藕",
            "乙 白斩鸡",
            "丙 糟鱼",
            "丁 皮蛋",
            "戊 油爆虾",
            "己 毛豆",
            "庚 酱鸭",
            "辛 海蜇",
            "壬 清水蟹",
            "癸 酒壶",
            "子 蟹粉豆腐",
            "丑 薄荷酒",
        ),
        cups=(("full", "杯满"), ("empty", "杯空"), ("broken", "杯碎在地")),
        sides=("北 窗，临河", "南 门，通走廊"),
        note="巡警李某绘，九月二十九日夜九时半，桌上各物均未移动",
        text_size=21,
    ),
    photo_caption="揽月厅，九月二十九日夜九时四十分",
    sketch=SketchSpec(
        card=("温素筠夫人", "之席"),
        caption="空席，自座上俯看。九月二十九日夜九时五十分",
        notes=("杯正，酒满", "香已尽"),
        upright=True,
    ),
    bottle=BottleSpec(
        look="bottle",
        label=("草乌红花酒", "外搽膝骨", "不可入口", "听桂楼 金"),
        caption="米缸内起出之瓶，九月三十日晨",
        upright=True,
        level=0.62,
        strip=0.80,
        tag="七",
        label_size=40,
    ),
    report=ReportFormSpec(
        office="县立医院 化验室",
        title="化验报告",
        fields=(
            ("送检", "菱塘分驻所 卢巡官"),
            ("案由", "程荫堂中毒身故"),
            ("日期", "民国十七年九月三十日 晨六时"),
        ),
        heading="化验所得",
        findings=(
            "死者胃内：生草乌，并有红花色素与烧酒。制附子久煎则毒减，且无红花，可以除外。",
            "席上七人各自所用之酒杯，计七只：均无毒。",
            "酒壶一把，内分两腔，柄有二孔。前腔桂花酒，后腔桂花茶：均无毒。",
            "蟹粉豆腐一碗，冷盆八只：均无毒。薄荷酒一瓶：无毒。",
            "台布剪片一方，来件未注明剪自何席：绿渍一滴，含草乌、红花及绿色染料。染料溶于水，无糖，无薄荷。",
            "草乌和酒入口，八分钟至二十分钟内唇舌始麻，快不过八分，慢不过二十分；再过十分钟上下倒地。",
        ),
        signed="化验师",
        signature="潘述之",
        stamp=("县立医院", "九月三十日"),
        text_size=24,
        size=(740, 1000),
    ),
    pharmacy=AccountPageSpec(
        title="仁济堂毒剧药簿 民国十七年九月",
        rows=(
            ("三日", "听桂楼金阿桂", "生草乌二两红花五钱", "浸酒外搽"),
            ("十日", "程府方太太", "制附子三钱七剂", "吴大夫方"),
            ("十五日", "渔户陆根生", "雄黄一两", "驱蛇"),
            ("二十四日", "程府方太太", "丁香一钱", "牙痛"),
            ("二十六日", "泰和柯经理", "信石三钱", "毒鼠"),
            ("二十八日", "程府绍基少爷", "安眠药水一瓶", "失眠"),
        ),
        tabs=(0.058, 0.215, 0.45, 0.795),
        foot="生草乌大毒，只许外用，售出记名",
        upright=True,
        text_size=27,
        angle=-0.9,
    ),
    account=AccountPageSpec(
        title="泰和钱庄流水 民国六年十月",
        rows=(
            ("八日", "收", "各存户", "一千二百五十元"),
            ("九日", "支", "内宅上海就医", "八百元"),
            ("十日", "支", "提存挤兑", "六千四百二十元"),
            ("十一日", "收", "内宅退回就医款", "八百元"),
            ("十一日", "支", "提存挤兑", "二千九百八十元"),
            ("十二日", "收", "拆借同裕庄", "三千元"),
        ),
        tabs=(0.06, 0.215, 0.285, 0.62),
        ticked=(1, 3),
        note="柜上要紧，内人可缓",
        noted=3,
        upright=True,
        text_size=30,
        paper=(222, 206, 166),
        cut=True,
    ),
    newspaper=NewspaperSpec(
        name="菱塘民报",
        dateline="民国十七年九月二十六日",
        headline=("泰和钱庄谣诼纷起", "东家定三十日晨当众报账"),
        paragraphs=(
            "本镇泰和钱庄，开设二十余年，素称稳健。近以大丰丝厂倒闭，该庄被欠四万余元，"
            "又传公债亏折，市面谣诼纷起，连日提款者络绎于门。",
            "按该庄系程氏以原配温夫人嫁资合股创办，镇人念旧，多有不忍遽提者。",
            "记者昨访该庄经理柯子谦，据称：存户款项，分文无虞，各界切勿轻信流言。",
            "东家程荫堂定于三十日晨九时在庄前当众报账。其已故原配温夫人之弟、上海会计师温叔衡，"
            "已于二十四日到镇，寓听桂楼，清查历年账册。",
            "又闻程氏身体康健，向苏州同裕庄借得两万元，亲自作保，或可渡过难关云。",
        ),
        notice=("听桂楼启事", "新到阳澄大蟹", "自酿桂花陈酒", "中秋后十日内", "订席九折"),
        upright=True,
        columns=2,
        text_size=23,
        size=(920, 820),
    ),
    telegram=TelegramSpec(
        office="交通部电报局 菱塘",
        title="发报底稿",
        fields=(
            ("交发时刻", "九月二十九日 下午六时四十三分"),
            ("收报人", "上海 福源庄 徐经理"),
            ("发报人", "柯子谦"),
        ),
        heading="电文",
        message="承约谨受 十月一日到差 前存二千四百元已收妥否盼复 子谦",
        foot="二十五字 收费二元五角",
        stamp=("菱塘电局", "下午", "六时四十三分"),
    ),
    pawn=PawnTicketSpec(
        shop="公顺典",
        sign="当",
        number="第四百零七号",
        lines=(
            "今当到 烂碎玉镯壹只",
            "当本 壹佰捌拾元正",
            "月息二分",
            "民国十七年九月二十九日",
        ),
        rule="认票不认人 以十八个月为满 虫蛀霉烂各听天命",
        upright=True,
        text_size=31,
    ),
    letter=HandLetterSpec(
        lines=(
            "阿桂如面：",
            "　你母亲的后事可料理停当？不必急着回来，多陪她几日。",
            "　我的病，上海的大夫说了，月内开刀不过是小事，拖过了月便难说。荫堂已备下八百元，"
            "订了十二日的船。我不怕。",
            "　等我回来，桂花也该收了，今年的酒，你我同酿。",
            "\t素筠 十月九日夜",
        ),
        hand="letter",
        ink=(26, 22, 22),
        paper=(240, 228, 202),
        rule=(206, 108, 92),
        upright=True,
        text_size=36,
        leading=60,
        creased=((0.5,), (0.25, 0.5, 0.75)),
        size=(820, 860),
    ),
    note=HandLetterSpec(
        lines=(
            "绍基：",
            "　　六点半，到后河埠头，桥底下那只乌篷船上等我。不要穿那件白西装，隔一条河都看得见。",
            "　　我替你弄到一百八十元，你别问。走还是留，先听我说半个钟头的话。",
            "　　看完烧掉。",
            "\t佩兰 即日",
        ),
        hand="note",
        ink=(104, 48, 140),
        paper=(246, 244, 236),
        rule=(196, 210, 226),
        text_size=33,
        leading=56,
        creased=((0.5,), (0.5,)),
        table=(58, 66, 58),
        size=(760, 760),
        angle=2.1,
    ),
)
"""All words in the pictures, in this language."""
