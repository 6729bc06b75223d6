# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starting, ending and interrupting backends, mostly in separate processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import sporos

HAS_OPENMP = "openmp" in sporos.backends()
HAS_SERIAL = "serial" in sporos.backends()


def run(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )
    # A forked process cannot finalize Kokkos' CUDA, which reports this at its end.
    error = done.stderr.replace("Kokkos::Cuda ERROR: Failed to call Kokkos::Cuda::finalize()\n", "")
    assert error == "" and done.returncode == 0, done.stderr
    return done.stdout


def test_it_ends_silently():
    assert run("import sporos") == ""
    assert run("import sporos; sporos.simulate('pi', replications=10)") == ""
    assert run("import sporos\nfor name in sporos.backends(): sporos.simulate('pi', backend=name)") == ""


@pytest.mark.skipif(not HAS_OPENMP, reason="no OpenMP in this build")
def test_threads_are_chosen_before_the_first_use():
    program = """
import sporos
for bad in (0, -1, 100000):
    try:
        sporos.initialize(threads=bad, backend="openmp")
    except ValueError as error:
        print(error)
sporos.initialize(threads=3, backend="openmp")
print(sporos.info("openmp")["machine"]["threads"])
try:
    sporos.initialize(threads=2, backend="openmp")
except RuntimeError as error:
    print(error)
"""
    lines = run(program).splitlines()
    assert lines[:3] == [
        f"threads of the openmp backend is '{bad}', expected a whole number from 1 to 512" for bad in (0, -1, 100000)
    ]
    assert lines[3:] == [
        "3",
        "the openmp backend runs already, with 3 threads: call initialize before its first use",
    ]


@pytest.mark.skipif(not HAS_OPENMP, reason="no OpenMP in this build")
@pytest.mark.parametrize(
    "variable, value, expected",
    [
        ("OMP_NUM_THREADS", "513", "expected at most 512 threads"),
        ("OMP_NUM_THREADS", "600,2", "expected at most 512 threads"),
        ("KOKKOS_NUM_THREADS", "600", "expected a whole number from 1 to 512"),
        ("KOKKOS_NUM_THREADS", "two", "expected a whole number from 1 to 512"),
    ],
)
def test_threads_of_the_environment_are_refused(variable, value, expected):
    program = """
import sporos
try:
    sporos.simulate("pi", replications=10, backend="openmp")
except ValueError as error:
    print(error)
"""
    assert run(program, **{variable: value}) == f"{variable} is '{value}', {expected}\n"


@pytest.mark.skipif(not HAS_SERIAL, reason="this build has no serial backend")
def test_options_of_other_backends_are_refused():
    with pytest.raises(ValueError, match="threads is '2', expected 1: the serial backend has one thread"):
        sporos.initialize(threads=2, backend="serial")
    with pytest.raises(ValueError, match="device is given, but the serial backend computes on the processor"):
        sporos.initialize(device=0, backend="serial")
    with pytest.raises(ValueError, match=f"backend is 'abacus', expected one of {sporos.backends()[0]}"):
        sporos.initialize(backend="abacus")


def test_the_number_of_threads_changes_no_bit():
    digests = {
        run(
            f"import sporos; sporos.initialize(threads={threads}, backend={backend!r})\n"
            "print(sporos.simulate('mm1', customers=100, replications=500).digest)"
        )
        for threads, backend in HAS_SERIAL * [(1, "serial")] + HAS_OPENMP * [(1, "openmp"), (3, "openmp")]
    }
    assert len(digests) == 1


def test_other_python_threads_keep_running():
    turns = 0
    is_over = False

    def count():
        nonlocal turns
        while not is_over:
            turns += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    before = turns
    result = sporos.simulate("mm1", customers=1000, time_limit=0.5, replications=10**9)
    after = turns
    is_over = True
    counter.join()
    assert result.seconds >= 0.5
    assert after - before > 20  # it would be 1 or 2 if the run held the lock


def test_calls_from_many_threads():
    expected = sporos.simulate("mm1", customers=50, replications=200).digest
    with ThreadPoolExecutor(4) as pool:
        digests = pool.map(lambda _: sporos.simulate("mm1", customers=50, replications=200).digest, range(20))
    assert set(digests) == {expected}


INTERRUPTED = """
import sporos, sys, time
import sporos.optimize
sporos.info()
print("begun", flush=True)
start = time.monotonic()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 20, sporos.simulate("pi", replications=10).replications)
"""


@pytest.mark.parametrize(
    "call",
    [
        "sporos.simulate('mm1', replications=10**10)",
        "sporos.simulate('mm1', replications=10**10, progress=lambda progress: None)",
        "sporos.rare_event('mm1', 'number in system >= 20', chains=100, runs=10**7)",
        "sporos.optimize.portfolio(assets=500, epochs=10**6)",
        "sporos.fit(sporos.sample('random', 1000)[:, 0], (1, 16), starts=300)",
    ],
)
def test_control_c(call):
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.format(call=call)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (out, error, process.returncode) == ("interrupted True 10\n", "", 0)


def test_calls_after_a_fork_raise():
    program = """
import os, sporos
sporos.simulate("pi", replications=10)
child = os.fork()
if child == 0:
    try:
        sporos.simulate("pi", replications=10)
    except RuntimeError as error:
        print(error, flush=True)
else:
    os.waitpid(child, 0)
    print(sporos.simulate("pi", replications=10).replications)
"""
    # Python 3.12 and newer versions warn about every fork of a process with several threads.
    first, second = run(program, PYTHONWARNINGS="ignore::DeprecationWarning").splitlines()
    assert first.startswith("this process was forked from one that uses sporos: spawn processes instead")
    assert second == "10"


def test_too_little_memory_raises():
    program = """
import sporos
try:
    sporos.sample("random", 10**6, 2)
except MemoryError as error:
    print(error)
"""
    message = run(program, SPOROS_MEMORY_LIMIT="1000000")
    assert message == (
        "the coordinates of 1000000 points need 30.52 MiB, the host has 976.6 KiB free: at most 31250 points would fit\n"
    )


def test_info():
    for backend in sporos.backends():
        info = sporos.info(backend)
        assert info["machine"]["backend"] == backend
        assert "philox" in info["engines"]
