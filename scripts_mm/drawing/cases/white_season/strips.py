"""The two curves of "White Season", shared by the languages.

Times are minutes after midnight.
"""

from scripts_mm.drawing.documents.strip_chart import ChartAxis, TracePoint

_FIGURES = ("-10", "-20", "-30", "-40", "-50", "-60")

COLD: tuple[TracePoint, ...] = (
    TracePoint(x=1200, y=-20.0, shake=0.35),
    TracePoint(x=1213, y=-20.2, shake=0.35),
    TracePoint(x=1217, y=-18.4, shake=0.35),
    TracePoint(x=1222, y=-20.0, shake=0.35),
    TracePoint(x=1239.0, y=-20.0, shake=0.3),
    TracePoint(x=1239.6, y=-19.2, shake=0.2),
    TracePoint(x=1240.6, y=-19.9, shake=0.2),
    TracePoint(x=1242.0, y=-20.0, shake=0.2),
    TracePoint(x=1243.2, y=-29.0, shake=0.2),
    TracePoint(x=1246.0, y=-44.0, shake=0.25),
    TracePoint(x=1250.0, y=-53.0, shake=0.3),
    TracePoint(x=1256.0, y=-56.5, shake=0.3),
    TracePoint(x=1260.0, y=-51.0, shake=0.3),
    TracePoint(x=1268.0, y=-45.0, shake=0.3),
    TracePoint(x=1269.2, y=-27.0, shake=0.4),
    TracePoint(x=1272.0, y=-14.0, shake=0.4),
    TracePoint(x=1276.0, y=-9.0, shake=0.3),
    TracePoint(x=1280.0, y=-14.5, shake=0.3),
    TracePoint(x=1288.0, y=-18.6, shake=0.3),
    TracePoint(x=1300.0, y=-19.8, shake=0.35),
    TracePoint(x=1320.0, y=-20.0, shake=0.35),
)
"""The cold lab on 2 July, 20:00 to 22:00, in degrees."""
COLD_TIME = ChartAxis(
    start=1200,
    end=1320,
    step=5,
    labels=tuple((at, f"{at // 60}:{at % 60:02}") for at in range(1200, 1321, 20)),
)
COLD_SCALE = ChartAxis(
    start=-62,
    end=-4,
    step=2,
    labels=tuple(zip((-10.0, -20.0, -30.0, -40.0, -50.0, -60.0), _FIGURES, strict=True)),
)

WIND: tuple[TracePoint, ...] = (
    TracePoint(x=1140, y=13.0, shake=2.2),
    TracePoint(x=1152, y=15.0, shake=2.4),
    TracePoint(x=1162, y=11.5, shake=2.0),
    TracePoint(x=1172, y=14.0, shake=2.4),
    TracePoint(x=1182, y=10.5, shake=1.8),
    TracePoint(x=1188, y=9.2, shake=1.2),
    TracePoint(x=1192, y=8.0),
    TracePoint(x=1320, y=8.0),
)
"""The wind at Ridge Camp on 14 August, 19:00 to 22:00, in m/s; from 19:52 on it is constant."""
WIND_TIME = ChartAxis(
    start=1140,
    end=1320,
    step=6,
    labels=tuple((at, f"{at // 60}:{at % 60:02}") for at in range(1140, 1321, 30)),
)
WIND_SCALE = ChartAxis(
    start=0, end=30, step=1, labels=tuple((at, str(at)) for at in range(0, 31, 5))
)
