# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes Ctrl-C effective for tests that wait for it, because background jobs of a shell ignore it.

If all tests of a file are skipped, pytest ends with the status that CTest reports as skipped.
"""
import signal

import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish(session, exitstatus):
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = 77
