# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A shell lets programs in its background ignore Ctrl-C, for whose effect some tests wait."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
