"""The trial of the mutants of one room: one pytest process collects the tests, its forks run them.

A baseline run records the lines that each test runs and the time that it takes. A mutant of a
function replaces the code of the live function and is tried by the tests that run its line, the
fastest first. A mutant of code that runs at import is imported afresh and tried by all tests.
"""

import gc
import importlib
import importlib.util
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import accumulate
from pathlib import Path
from time import process_time
from types import CodeType, FrameType, FunctionType

import pytest
from coverage import Coverage
from hypothesis import HealthCheck, Phase, settings

from tests.mutation.forks import Trial, Verdict, fork, run_trials
from tests.mutation.mutations import Mutant, compile_mutant

_MOST_SECONDS = 5
"""Processor time of the tests that try one mutant. So a run ends in a known time; a test that takes
longer, or fails without a mutant, tries none."""
_LONGEST_RUN = 3600
LEAST_LIMIT = 30
"""Seconds after which the tests of a mutant count as failed; more where they take long."""
settings.register_profile(
    "mutation",
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@dataclass(slots=True, kw_only=True)
class Baseline:
    """What the tests do without a mutant."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    """Processor time of each test that passes."""
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict[str, dict[int, set[str]]])
    """By file and line: the tests that run it."""
    modules: tuple[str, ...] = ()
    """Modules of others that the tests import."""

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that run a line of the mutant, the fastest first."""
        lines = self.lines.get(str(mutant.path.absolute()), {})
        span = range(mutant.line, mutant.last_line + 1)
        return self.fastest(set[str]().union(*(lines.get(line, set[str]()) for line in span)))

    def fastest(self, tests: Set[str]) -> list[str]:
        """Return the fastest of `tests`, in order, as many as one mutant has time for."""
        order = sorted(tests & self.seconds.keys(), key=lambda one: self.seconds[one])
        sums = accumulate(self.seconds[one] for one in order)
        return [one for one, total in zip(order, sums, strict=True) if total <= _MOST_SECONDS]

    def limit(self, tests: Sequence[str]) -> float:
        """Return after how many seconds tests that a mutant holds up count as failed."""
        return LEAST_LIMIT + 10 * sum(self.seconds[one] for one in tests)


def try_room(
    folders: Sequence[str], mutants: Sequence[Mutant], processes: int, folder: Path
) -> dict[int, Verdict]:
    """Return the verdict on each mutant by its position. Results pass through `folder`."""
    room = _Room(mutants, processes, folder)
    status = os.waitpid(fork(lambda: _run_pytest(folders, room), _LONGEST_RUN), 0)[1]
    if status:
        raise RuntimeError(f"the tests of {', '.join(folders)} cannot be collected: {status}")
    baseline: Baseline = pickle.loads((folder / "baseline").read_bytes())
    verdicts: dict[int, Verdict] = pickle.loads((folder / "verdicts").read_bytes())
    for name in baseline.modules:
        # Ahead of time, so that not every mutant does it; what fails here fails there again.
        with suppress(Exception):
            importlib.import_module(name)
    tests = baseline.fastest(baseline.seconds.keys())
    seconds = baseline.limit(tests)
    rest = [
        Trial(number=n, seconds=seconds, run=_importing(one, folders, tests))
        for n, one in enumerate(mutants)
        if n not in verdicts
    ]
    return verdicts | dict(run_trials(rest, processes))


def _run_pytest(folders: Sequence[str], plugin: object) -> int:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    words = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutation"]
    ignored = "-Wignore::pytest.PytestAssertRewriteWarning"
    return int(pytest.main([*words, ignored, *folders], plugins=[plugin]))


class _Room:
    """A plugin that runs the baseline and the mutants instead of the tests."""

    def __init__(self, mutants: Sequence[Mutant], processes: int, folder: Path) -> None:
        self._mutants, self._processes, self._folder = mutants, processes, folder

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = _functions_by_place({str(one.path.absolute()) for one in self._mutants})
        gc.freeze()
        os.waitpid(fork(lambda: self._record_baseline(session), _LONGEST_RUN), 0)
        baseline: Baseline = pickle.loads((self._folder / "baseline").read_bytes())
        trials: list[Trial] = []
        for number, mutant in enumerate(self._mutants):
            if mutant.at_import or not _is_live(mutant, functions):
                continue
            tests = baseline.tests_of(mutant)
            run = _patching(mutant, functions, [items[one] for one in tests])
            trials.append(Trial(number=number, seconds=baseline.limit(tests), run=run))
        verdicts = dict(run_trials(trials, self._processes))
        (self._folder / "verdicts").write_bytes(pickle.dumps(verdicts))
        return True

    def _record_baseline(self, session: pytest.Session) -> int:
        files = {str(one.path.absolute()) for one in self._mutants}
        cover = Coverage(data_file=None, include=sorted(files), config_file=False)
        baseline = Baseline()
        for number in (signal.SIGVTALRM, signal.SIGALRM):
            signal.signal(number, _interrupt)
        cover.start()
        for item in session.items:
            cover.switch_context(item.nodeid)
            before = process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
            signal.setitimer(signal.ITIMER_REAL, LEAST_LIMIT)
            passed = _passes(item, None)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            if passed:
                baseline.seconds[item.nodeid] = process_time() - before
        cover.stop()
        data = cover.get_data()
        for path in files:
            found = data.contexts_by_lineno(path)
            baseline.lines[path] = {line: set(names) for line, names in found.items()}
        baseline.modules = tuple(
            name
            for name, module in sys.modules.items()
            if "site-packages" in (getattr(module, "__file__", None) or "")
        )
        (self._folder / "baseline").write_bytes(pickle.dumps(baseline))
        return 0


class _TooSlowError(BaseException):
    """A test takes too long to try mutants with."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _TooSlowError(number, frame)


class _Failures:
    """A plugin that counts the reports of failed tests."""

    count = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.count += report.failed


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    failures = _Failures()
    manager = item.config.pluginmanager
    manager.register(failures)
    try:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    except _TooSlowError:
        return False
    finally:
        manager.unregister(failures)
    return not failures.count


_Functions = dict[tuple[str, str, int], list[FunctionType]]


def _place(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _functions_by_place(files: set[str]) -> _Functions:
    """Return the live functions of some files."""
    found: _Functions = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename in files:
            found.setdefault(_place(one.__code__), []).append(one)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


def _is_live(mutant: Mutant, functions: _Functions) -> bool:
    return any(_place(code) in functions for code in _codes(compile_mutant(mutant)))


def _patching(
    mutant: Mutant, functions: _Functions, items: Sequence[pytest.Item]
) -> Callable[[], int]:
    """Return how a mutant of functions is tried by tests that are collected already."""

    def run() -> int:
        for code in _codes(compile_mutant(mutant)):
            for function in functions.get(_place(code), ()):
                function.__code__ = code
        following = [*items[1:], None]
        return int(not all(_passes(*pair) for pair in zip(items, following, strict=False)))

    return run


def _importing(mutant: Mutant, folders: Sequence[str], tests: Sequence[str]) -> Callable[[], int]:
    """Return how a mutant of code that runs at import is tried."""

    def run() -> int:
        sys.meta_path.insert(0, _MutantFinder(mutant))
        return _run_pytest(folders, _Order(tests))

    return run


class _Order:
    """A plugin that runs the tests of a list, in its order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._ranks = {name: rank for rank, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = [one for one in items if one.nodeid in self._ranks]
        items[:] = sorted(kept, key=lambda one: self._ranks[one.nodeid])


class _MutantLoader(SourceFileLoader):
    """Loads a mutant in the place of its module."""

    def __init__(self, name: str, mutant: Mutant) -> None:
        super().__init__(name, str(mutant.path.absolute()))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile_mutant(self._mutant)


class _MutantFinder(MetaPathFinder):
    """Finds a mutant in the place of its module."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._name = ".".join(mutant.path.with_suffix("").parts)

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = _MutantLoader(fullname, self._mutant)
        return importlib.util.spec_from_file_location(fullname, loader.path, loader=loader)
