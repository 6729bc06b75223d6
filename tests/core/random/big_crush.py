#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs BigCrush or Crush, batteries of TestU01, on the random numbers of small_crush.

  big_crush.py FOLDER [--battery crush] [--program build/bin/small_crush] [--numbers blocks] [--processes 32] [--seconds 560]

The 106 or 96 tests run in parallel processes, each from the beginning of the stream. FOLDER receives a file for each
finished test, with its p-values and time. Finished tests do not run again, so another call continues with the rest, also
on another machine. Tests that still run after --seconds are abandoned. At the end, the script prints a summary of all
p-values in FOLDER. The exit status is 1 if a test fails, and 75 if tests are missing.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

TESTS = {"crush": range(1, 97), "big-crush": range(1, 107)}
NAMES = {"crush": "Crush", "big-crush": "BigCrush"}
LONGEST_FIRST = (36, 37, 65, 35, 21, 13, 20, 18, 45, 19, 44, 39, 15, 25, 43, 8, 5, 11, 12, 24, 16, 10, 6, 17, 9, 7, 88, 89, 14, 22)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--program", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[3] / "build" / "bin" / "small_crush")
    parser.add_argument("--battery", choices=TESTS, default="big-crush")
    parser.add_argument("--numbers", default="blocks", help="an engine, blocks, or rand, which must fail the tests")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)), help="number of parallel processes")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time limit, after which running tests are abandoned")
    parser.add_argument("--tests", type=lambda text: [int(part) for part in text.split(",")],
                        help="numbers of the tests to run, in this order; default: all, for BigCrush the longest first")
    return parser.parse_args()


class Battery:
    """Runs the missing tests on threads, each of which waits for a process."""

    def __init__(self, options):
        self.options, self.end = options, time.monotonic() + options.seconds
        self.is_big = options.battery == "big-crush"
        options.folder.mkdir(parents=True, exist_ok=True)
        self.lock, self.errors = threading.Lock(), []
        self.left = [test for test in options.tests or ordered(options.battery) if not self.path(test).exists()]

    def path(self, test):
        battery = "" if self.is_big else "crush-"
        return self.options.folder / f"{self.options.numbers}-{battery}{test}.txt"

    def run(self):
        workers = [threading.Thread(target=self.work) for _ in range(self.options.processes)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def work(self):
        while True:
            with self.lock:
                if not self.left or self.errors or time.monotonic() >= self.end:
                    return
                test = self.left.pop(0)
            self.run_test(test)

    def run_test(self, test):
        begun = time.monotonic()
        command = [self.options.program, self.options.numbers, f"big:{test}" if self.is_big else f"{test}"]
        left = self.end - begun
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=None if left == float("inf") else left)
        except subprocess.TimeoutExpired:
            return
        found = [line for line in done.stdout.splitlines() if re.search(r" p = \S+$", line)]
        if done.returncode not in (0, 1) or not found:
            self.errors.append(f"{' '.join(map(str, command))} exits with {done.returncode}, expected 0 or 1 and p-values")
            return
        part = self.path(test).with_suffix(".part")
        part.write_text("\n".join([*found, f"status {done.returncode}", f"seconds {time.monotonic() - begun:.1f}"]) + "\n")
        part.rename(self.path(test))


def ordered(battery):
    first = LONGEST_FIRST if battery == "big-crush" else ()
    return [*first, *(test for test in TESTS[battery] if test not in first)]


def main():
    options = parsed()
    battery = Battery(options)
    battery.run()
    if battery.errors:
        sys.exit(f"big_crush.py: {battery.errors[0]}")
    tests = options.tests or TESTS[options.battery]
    texts = {test: battery.path(test).read_text() for test in tests if battery.path(test).exists()}
    values = sorted((float(value), test) for test, text in texts.items() for value in re.findall(r" p = (\S+)$", text, re.M))
    failed = [test for test, text in texts.items() if "status 0" not in text]
    seconds = sum(float(re.search(r"^seconds (\S+)$", text, re.M).group(1)) for text in texts.values())
    missing = [test for test in tests if test not in texts]
    if values:
        (smallest, first_test), (largest, last_test) = values[0], values[-1]
        tail = min(smallest, 1 - largest)
        print(f"{options.numbers}: {len(texts)} tests of {NAMES[options.battery]}, {len(values)} p-values, smallest "
              f"{smallest:g} (test {first_test}), largest {largest:g} (test {last_test}); the probability that this many "
              f"uniform numbers stay farther than {tail:.2g} from 0 and 1 is {(1 - 2 * tail) ** len(values):.2g}; "
              f"{seconds / 3600:.2f} process hours")
    if failed:
        print(f"failed: {', '.join(map(str, failed))}")
    if missing:
        print(f"missing: {', '.join(map(str, missing))}")
    sys.exit(1 if failed else 75 if missing else 0)


if __name__ == "__main__":
    main()
