# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests big_crush.py with a stand-in for small_crush: finished tests do not run again, and failures are reported."""
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("big_crush.py")
# Prints one p-value for test K, K / 200, and appends a line to a file. Test 7 fails if there is a file called bad.
PROGRAM = """#!/bin/sh
k=${2#big:}
echo "$k" >>"$(dirname "$0")/ran"
echo "$1  Test  p = $(printf '0.%03d' $((k * 5)))"
test "$k" != 7 || test ! -e "$(dirname "$0")/bad"
"""


def called(folder, *options):
    done = subprocess.run([sys.executable, SCRIPT, folder / "found", "--program", folder / "program", "--processes", "3", *options],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "program"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        assert called(folder, "--seconds", "0") == (75, f"missing: {', '.join(map(str, range(1, 107)))}\n")
        assert called(folder, "--tests", "1,5")[0] == 0
        status, text = called(folder)
        assert status == 0 and "106 tests of BigCrush, 106 p-values, smallest 0.005 (test 1), largest 0.53 (test 106)" in text, text
        assert sorted((folder / "ran").read_text().split(), key=int) == [str(test) for test in range(1, 107)]
        status, text = called(folder, "--battery", "crush", "--numbers", "taus88")
        assert status == 0 and "taus88: 96 tests of Crush, 96 p-values, smallest 0.005 (test 1), largest 0.48 (test 96)" in text, text
        (folder / "bad").touch()
        (folder / "found" / "blocks-7.txt").unlink()
        status, text = called(folder)
        assert status == 1 and "failed: 7\n" in text, text
        program.write_text("#!/bin/sh\nexit 1\n")
        (folder / "found" / "blocks-8.txt").unlink()
        status, text = called(folder)
        assert status == 1 and "big:8 exits with 1, expected 0 or 1 and p-values" in text, text


if __name__ == "__main__":
    main()
