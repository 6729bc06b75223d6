# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""executor= gives the result of a single process, even if workers are lost."""
import concurrent.futures
import multiprocessing
import os
import signal

import pytest
from command_line import without_times

import sporos


class Threads(concurrent.futures.ThreadPoolExecutor):
    """An executor that loses the workers of some submitted tasks."""

    def __init__(self, lost=()):
        super().__init__(2)
        self.lost = set(lost)
        self.submitted = 0

    def submit(self, *arguments, **keywords):
        self.submitted += 1
        if self.submitted in self.lost:
            lost = concurrent.futures.Future()
            lost.set_exception(ConnectionError("the worker is lost"))
            return lost
        return super().submit(*arguments, **keywords)


PLAN = {"customers": 20, "arrival_rate": [0.3, 0.6], "replications": 501, "compare": "time in queue",
        "quantiles": [0.5, 0.9], "outputs": True}


def same(found, expected):
    documents = [without_times(result.to_dict()) for result in (found, expected)]
    for document in documents:
        for name in ("mapping", "seconds_in_replications"):
            document["findings"].pop(name, None)
        for row in document["tables"].get("stages", {}).get("rows", []):
            row.pop("seconds", None)
    return documents[0] == documents[1]


@pytest.fixture(scope="module")
def pool():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor


def test_simulate_in_a_pool_of_processes(pool):
    whole, shared = sporos.simulate("mm1", **PLAN), sporos.simulate("mm1", **PLAN, executor=pool)
    assert [point.digest for point in shared.points] == [point.digest for point in whole.points]
    assert same(shared, whole)
    assert all((a.outputs == b.outputs).all() for a, b in zip(shared.points, whole.points))
    assert not same(sporos.simulate("mm1", **PLAN, seed=2, executor=pool), whole)  # negative control


def test_parts_of_lost_workers_are_computed_again():
    whole = sporos.simulate("mm1", **PLAN)
    with Threads(lost=[2]) as executor:
        assert same(sporos.simulate("mm1", **PLAN, executor=executor, parts=5), whole)
        assert executor.submitted == 6
    with Threads(lost=range(1, 99)) as executor, pytest.warns(RuntimeWarning, match="ConnectionError: the worker is lost"):
        assert same(sporos.simulate("mm1", **PLAN, executor=executor, parts=3), whole)


def test_a_killed_worker_of_a_pool():
    context = multiprocessing.get_context("spawn")
    whole = sporos.simulate("pi", draws=7, replications=100)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
        os.kill(executor.submit(os.getpid).result(), signal.SIGKILL)
        with pytest.warns(RuntimeWarning, match="part 1 of 2 is computed in this process"):
            shared = sporos.simulate("pi", draws=7, replications=100, executor=executor, parts=2)
    assert shared.digest == whole.digest


def test_a_killed_worker_of_dask():
    distributed = pytest.importorskip("distributed")
    plan = {"customers": 4000, "replications": 2000}
    whole = sporos.simulate("mm1", **plan)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            victim = client.submit(os.getpid, pure=False).result()

            def kill_after_the_first_part(progress):
                nonlocal victim
                if progress.done > 0 and victim is not None:
                    os.kill(victim, signal.SIGKILL)
                    victim = None

            shared = sporos.simulate("mm1", **plan, executor=client.get_executor(), parts=20,
                                     progress=kill_after_the_first_part)
    assert victim is None and shared.digest == whole.digest


def test_select(pool):
    asked = {"over": {"servers": [1, 2, 3, 4]}, "largest": "utilization", "delta": 0.05, "customers": 50}
    whole = sporos.select("mmck", **asked)
    assert same(sporos.select("mmck", **asked, executor=pool), whole)
    with Threads(lost=[2]) as executor:
        assert same(sporos.select("mmck", **asked, executor=executor), whole)
        assert executor.submitted > 4


@pytest.mark.parametrize("more", [{}, {"subject_to": ["P(time in queue > 3) <= 0.2"]}, {"solver": "astro-df"}])
def test_macro_replications_of_optimize(pool, more):
    asked = {"over": {"service_rate": (1.1, 5.0)}, "minimize": "time in queue + 0.1 * service_rate", "customers": 20,
             "macro_replications": 3, "replications": 600, "final_replications": 100, **more}
    whole = sporos.optimize("mm1", **asked)
    assert same(sporos.optimize("mm1", **asked, executor=pool), whole)


def test_compare_solvers(pool):
    asked = {"problems": ["mm1", "staffing"], "solvers": ["astro-df", "random-search"], "macroreplications": 2, "budget": 400,
             "bootstraps": 20}
    whole = sporos.compare_solvers(**asked)
    assert same(sporos.compare_solvers(**asked, executor=pool), whole)


def test_refusals(pool):
    with pytest.raises(TypeError, match="executor is 2, expected a concurrent.futures.Executor"):
        sporos.simulate("pi", executor=2)
    with pytest.raises(ValueError, match="parts is 3 without executor"):
        sporos.simulate("pi", parts=3)
    with pytest.raises(ValueError, match="part is '.+/200', but number of parts is 200, expected a number from 1 to 10"):
        sporos.simulate("pi", replications=10, executor=pool, parts=200)
    with pytest.raises(ValueError, match="precision, whose number of replications depends on all parts"):
        sporos.simulate("pi", precision=0.1, executor=pool)
    with pytest.raises(ValueError, match="time_limit is given with executor"):
        sporos.simulate("pi", time_limit=1, executor=pool)
    with pytest.raises(ValueError, match="draws is 0"):  # an error in a worker
        sporos.simulate("pi", draws=0, executor=pool)
