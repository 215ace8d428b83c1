"""What holds for every test."""

import signal


def pytest_configure() -> None:
    """Let started programs hear Ctrl-C, also where the tests run in the background.

    A shell makes its background jobs ignore SIGINT, and programs inherit what is ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
