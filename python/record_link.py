# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a link command and records its libraries: record_link.py FILE COMMAND...

The Python package links the modules of models that are written in Python with these libraries.
"""

import json
import subprocess
import sys
from pathlib import Path

recorded, *command = sys.argv[1:]
status = subprocess.call(command)
if status == 0:
    words = []
    skips = False
    for word in command[1:]:
        # CMake 3.27 and later have the linker write a dependency file.
        of_this_module = word.startswith(("-Wl,-soname", "-Wl,--dependency-file")) or word.endswith(".o")
        if skips or word in ("-o", "-shared") or of_this_module:
            skips = word == "-o"
            continue
        is_file = not word.startswith("-") and Path(word).exists()
        words.append(str(Path(word).absolute()) if is_file else word)
    Path(recorded).write_text(json.dumps(words, indent=1) + "\n")
sys.exit(status)
