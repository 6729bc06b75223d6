# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the processor time of SimOpt's macro-replications."""
import time

from simopt.experiment import run_solver


def timed_runs(experiment, runs):
    """Runs macro-replications in this process, and returns the processor seconds of each."""
    seconds = []
    run_once = run_solver._run_mrep

    def timed(*arguments):
        before = time.process_time()
        result = run_once(*arguments)
        seconds.append(time.process_time() - before)
        return result

    run_solver._run_mrep = timed
    try:
        experiment.run(n_macroreps=runs, n_jobs=1)
    finally:
        run_solver._run_mrep = run_once
    return seconds
