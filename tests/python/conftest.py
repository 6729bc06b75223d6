# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes Ctrl-C effective for tests that wait for it, because background jobs of a shell ignore it."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
