# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models written in Python: their subset of Python, translation to C++, interpreter and compiler."""

from .events import (
    Calendar,
    EntityPool,
    FifoQueue,
    LifoQueue,
    Line,
    PriorityQueue,
    ReplicationFailed,
    Resource,
    Tally,
    Ticket,
    TimeAverage,
)
from .chain import Chain
from .model import Definition, Model, ModelName, definition_of, model
from .parameters import parameter
from .problems import problem
from .records import record
from .series import Series
from .source import ModelError

__all__ = [
    "Calendar",
    "Chain",
    "Definition",
    "EntityPool",
    "FifoQueue",
    "LifoQueue",
    "Line",
    "Model",
    "ModelError",
    "ModelName",
    "PriorityQueue",
    "ReplicationFailed",
    "Resource",
    "Series",
    "Tally",
    "Ticket",
    "TimeAverage",
    "definition_of",
    "model",
    "parameter",
    "problem",
    "record",
]
