"""Arms of a comparison: policies of admission and of sending, all with the code of real runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeVar

from arena.bench.workload import DEFAULT_CLIENT, ClientSettings
from arena.errors import ConfigError
from arena.records.run_config import Transport
from arena.schedule.admission import AdmissionPolicy

A = TypeVar("A")
_UNLIMITED: Final = AdmissionPolicy(limit_kv=False, adapt=False)
_DEFAULT_POLICY: Final = AdmissionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One policy for playing a load. Fields that are not set are as in `ours`."""

    name: str
    about: str
    policy: AdmissionPolicy = _DEFAULT_POLICY
    client: ClientSettings = DEFAULT_CLIENT
    transport: Transport = "auto"
    """Transport to the models; in virtual time there is none."""


OURS: Final = "ours"
STATIC: Final = "static_best"
_SEED: Final = 1
"""Seed of the order in which `ours_without_order` admits matches."""


def _make_gather_arm(requests: int) -> Arm:
    return Arm(
        name=f"gather_{requests}",
        about=f"every match live behind a semaphore of {requests} requests, of one priority",
        policy=_UNLIMITED,
        client=ClientSettings(gate=requests, priorities=False),
    )


_ALL = (
    Arm(name=OURS, about="admission as in real runs"),
    Arm(name=STATIC, about="the best fixed number of live matches", policy=_UNLIMITED),
    Arm(name="all_at_once", about="all matches live", policy=_UNLIMITED),
    Arm(
        name="sequential",
        about="one match, one request at a time",
        policy=replace(_UNLIMITED, max_live=1),
        client=ClientSettings(gate=1),
    ),
    _make_gather_arm(32),
    _make_gather_arm(128),
    Arm(
        name="ours_without_order",
        about="matches admitted in random order",
        policy=AdmissionPolicy(shuffle=_SEED),
    ),
    Arm(
        name="ours_without_priority",
        about="all requests of one priority",
        client=ClientSettings(priorities=False),
    ),
    Arm(
        name="ours_without_token_in",
        about="chat completions instead of token ids",
        transport="chat",
    ),
)

ARMS: Mapping[str, Arm] = MappingProxyType({arm.name: arm for arm in _ALL})
"""Every arm by the name that reports use. To add one, write it above."""


def choose_arms(names: Sequence[str], arms: Mapping[str, A] = ARMS) -> tuple[A, ...]:
    """Return the arms called `names` in the order of `arms`, all if no name is given.

    Raises `ConfigError` for an unknown name.
    """
    for name in names:
        if name not in arms:
            raise ConfigError(f"no arm {name!r}; there are: {', '.join(arms)}")
    return tuple(arm for name, arm in arms.items() if not names or name in names)


def fix_live(live: int) -> Arm:
    """Return the arm with exactly `live` live matches."""
    arm = ARMS[STATIC]
    return replace(arm, policy=replace(arm.policy, max_live=live))
