# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models written in Python: their subset of Python, translation to C++, interpreter and compiler."""

from .events import (
    Calendar,
    FifoQueue,
    LifoQueue,
    PriorityQueue,
    ReplicationFailed,
    Resource,
    Tally,
    Ticket,
    TimeAverage,
)
from .model import Definition, Model, ModelName, definition_of, model
from .parameters import parameter
from .source import ModelError

__all__ = [
    "Calendar",
    "Definition",
    "FifoQueue",
    "LifoQueue",
    "Model",
    "ModelError",
    "ModelName",
    "PriorityQueue",
    "ReplicationFailed",
    "Resource",
    "Tally",
    "Ticket",
    "TimeAverage",
    "definition_of",
    "model",
    "parameter",
]
