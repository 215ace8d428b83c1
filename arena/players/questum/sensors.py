"""Sensors: readings of a seat on another one, each as a step with a choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from arena.core.quoting import quote
from arena.core.seats import SeatId
from arena.core.specs import Choice, Field, Form, FreeText
from arena.games.wording import Wording
from arena.players.methods.method_steps import MethodStep, Turn

Sensor = Literal["emotion", "motivation", "suspicion", "information"]
Use = Literal["asking", "list"]
"""Purpose of readings: the question of a turn, or the pruning of the list."""
CHOICES: Final[Mapping[Sensor, tuple[str, ...]]] = MappingProxyType(
    {
        "emotion": ("positive", "neutral", "negative"),
        "motivation": ("yes", "no"),
        "suspicion": ("yes", "no"),
        "information": ("high", "medium", "low"),
    }
)
ABOUT_TARGET: Final[tuple[Sensor, ...]] = ("emotion", "motivation", "suspicion")
ALL: Final[tuple[Sensor, ...]] = (*ABOUT_TARGET, "information")
_UNREADABLE: Final[Mapping[Sensor, str]] = MappingProxyType(
    {"emotion": "neutral", "motivation": "no", "suspicion": "no", "information": "medium"}
)
_REASON: Final = "reason"
_CHOICE: Final = "choice"
READING_TOKENS: Final = 160
"""Tokens of two sentences and a choice."""
JOINT_TOKENS: Final = 256
"""Tokens of three sentences and a choice for each sensor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorReading:
    """Reading of a sensor, with its reason."""

    choice: str
    reason: str = ""


SensorReadings = Mapping[Sensor, SensorReading]
"""Readings of one seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimView:
    """A victim from a seat's view in one turn."""

    turn: Turn
    say: Wording
    about: str
    """The victim that the request is about; empty: all."""
    victim: str
    """The victim in words; all victims if the request names none."""
    deeds: str
    """In words: those of the victims that the seat killed."""
    is_killer: bool
    """Whether the seat killed one of them: it then reads others as an innocent seat would."""

    def words(self, key: str, **values: object) -> str:
        """Return the text `key` with the values of the victim and the seat's deeds."""
        victim, deeds = quote(self.victim), quote(self.deeds)
        side = self.say(f"side.{self.faction}", victim=victim, deeds=deeds)
        return self.say(key, victim=victim, deeds=deeds, side=side, **values).strip()

    @property
    def faction(self) -> str:
        """The seat's faction for this victim, in the keys of texts."""
        return "killer" if self.is_killer else "innocent"

    async def read(
        self, wanted: Sequence[tuple[Sensor, SeatId]], use: Use
    ) -> dict[SeatId, SensorReadings]:
        """Return the readings of the seats; all steps run concurrently."""
        steps = [self._step(sensor, seat, use) for sensor, seat in wanted]
        replies = await self.turn.ask_all(steps)
        found: dict[SeatId, dict[Sensor, SensorReading]] = {}
        for (sensor, seat), reply in zip(wanted, replies, strict=True):
            values = dict(reply.values) if reply else {}
            found.setdefault(seat, {})[sensor] = self._reading(
                sensor, values.get(_CHOICE, ""), values.get(_REASON, "")
            )
        return dict(found)

    async def read_jointly(
        self, wanted: Mapping[SeatId, Sequence[Sensor]], use: Use
    ) -> dict[SeatId, SensorReadings]:
        """Return the readings of the seats, with one step per seat."""
        steps = [self._joint_step(tuple(sensors), seat, use) for seat, sensors in wanted.items()]
        replies = await self.turn.ask_all(steps)
        found: dict[SeatId, SensorReadings] = {}
        for (seat, sensors), reply in zip(wanted.items(), replies, strict=True):
            values = dict(reply.values) if reply else {}
            reason = values.get(_REASON, "")
            found[seat] = {
                sensor: self._reading(sensor, values.get(sensor, ""), reason) for sensor in sensors
            }
        return found

    def note(self, topic: str, number: int, **values: str) -> None:
        """Note findings about the victim in round `number`."""
        self.turn.note(topic, victim=self.victim, round=str(number), **values)

    def note_readings(self, number: int, seat: SeatId, readings: SensorReadings, use: Use) -> None:
        """Note the readings of a seat in round `number`."""
        values = {sensor: one.choice for sensor, one in readings.items()}
        self.note("readings", number, seat=seat, use=use, **values)

    def label(self, choice: str) -> str:
        """Return a choice in the language of the match."""
        return self.say(f"choice.{choice}")

    def summary(self, seat: SeatId, readings: SensorReadings) -> str:
        """Return the readings of a seat in one line."""
        told = [
            self.say(f"list.{sensor}", choice=self.label(readings[sensor].choice))
            for sensor in ALL
            if sensor in readings
        ]
        reasons = dict.fromkeys(quote(one.reason) for one in readings.values() if one.reason)
        line = self.say("list.between").join(told)
        return self.say("list.line", seat=seat, readings=line, reasons=" ".join(reasons))

    def _reading(self, sensor: Sensor, label: str, reason: str) -> SensorReading:
        labels = {self.label(choice): choice for choice in CHOICES[sensor]}
        if label not in labels:
            return SensorReading(choice=_UNREADABLE[sensor])
        return SensorReading(choice=labels[label], reason=reason)

    def _step(self, sensor: Sensor, seat: SeatId, use: Use) -> MethodStep:
        fields = (
            Field(name=_REASON, spec=FreeText()),
            Field(name=_CHOICE, spec=self._options(sensor)),
        )
        question = self.words(f"sensor.{sensor}", seat=seat)
        options = self.say("choice.or").join(self._options(sensor).options)
        return MethodStep(
            name=f"{use}/{sensor}/{seat}",
            instruction=self.words("sensor.one", question=question, options=options),
            spec=Form(fields=fields),
            tokens=READING_TOKENS,
            query=f"{seat} {self.victim}",
        )

    def _joint_step(self, sensors: tuple[Sensor, ...], seat: SeatId, use: Use) -> MethodStep:
        """Return one step for several sensors."""
        between = self.say("choice.or")
        lines = "\n".join(
            self.say(
                "sensor.joint_line",
                name=sensor,
                question=self.words(f"sensor.{sensor}", seat=seat),
                options=between.join(self._options(sensor).options),
            )
            for sensor in sensors
        )
        fields = [Field(name=sensor, spec=self._options(sensor)) for sensor in sensors]
        return MethodStep(
            name=f"{use}/joint/{seat}",
            instruction=self.words("sensor.joint", seat=seat, lines=lines),
            spec=Form(fields=(Field(name=_REASON, spec=FreeText()), *fields)),
            tokens=JOINT_TOKENS,
            query=f"{seat} {self.victim}",
        )

    def _options(self, sensor: Sensor) -> Choice:
        return Choice(options=tuple(self.label(choice) for choice in CHOICES[sensor]))
