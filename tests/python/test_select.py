# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest
from command_line import json_of

import sporos

LINES = dict(over={"buffer_2": range(1, 10), "buffer_3": np.arange(1, 10)}, sums={("buffer_2", "buffer_3"): 10}, warm_up=50)


def lasting(document):
    """Returns the document without the entries that differ from run to run."""
    for entry in ("seconds", "machine"):
        document.pop(entry, None)
    document["findings"].pop("seconds_in_replications")
    for stage in document["tables"]["stages"]["rows"]:
        stage.pop("seconds")
    return document


@pytest.mark.parametrize(
    ("procedure", "options"),
    [
        *((name, {}) for name in ("gsp", "rinott", "kn", "kn++", "biz", "kt", "bi-pass", "subset")),
        ("standard", {"standard": 1.5}),
        ("ocba", {"budget": 400, "allocations": 5}),
        ("fbkt", {"budget": 400, "phi": 2.5}),
    ],
)
def test_as_in_the_command_line(procedure, options):
    for backend in sporos.backends():
        expected = json_of(
            "select", "tandem-line", "--over=buffer-2=1:9", "--over=buffer-3=1:9", "--sum=buffer-2+buffer-3=10",
            "--largest=throughput", "--delta=0.3", f"--procedure={procedure}", "--warm-up=50", "--seed=7",
            *(f"--{name}={value}" for name, value in options.items()),
            program=f"sporos-{backend}",
        )  # fmt: skip
        found = sporos.select(
            "tandem-line", **LINES, largest="throughput", delta=0.3, procedure=procedure, seed=7, backend=backend, **options
        )
        assert lasting(found.to_dict()) == lasting(expected)
        survivors = found.table("survivors")
        assert (survivors["buffer_2"] + survivors["buffer_3"] == 10).all() and len(survivors["mean"]) > 0
        assert survivors["mean"][0] == expected["tables"]["survivors"]["rows"][0]["mean"]
        assert found.findings["guarantee"] == expected["findings"]["guarantee"]
        assert found.settings["systems"] == 9


def test_common_random_numbers_and_the_smallest():
    found = sporos.select(
        "mmck", over={"servers": [1, 2, 3]}, smallest="blocking probability", procedure="kn", delta=0.01,
        common_random_numbers=True, customers=200,
    )  # fmt: skip
    survivors = found.table()
    assert survivors["servers"].tolist() == [3] and survivors.name == "survivors"
    assert survivors["low"] < survivors["mean"] < survivors["high"]
    assert "servers 3" in str(found)


def test_a_standard_may_be_retained():
    found = sporos.select("tandem-line", **LINES, largest="throughput", delta=0.3, procedure="standard", standard=99)
    assert found.table().rows() == [] and found.notes[0] == "No system is better: the standard is retained."
    assert found.findings["guarantee"].startswith("with probability 95 % the standard is retained")


def test_constraints_as_in_the_command_line():
    constraints = ["work in process <= 6", "time per job >= 0.1"]
    expected = json_of(
        "select", "tandem-line", "--over=buffer-2=1:9", "--over=buffer-3=1:9", "--sum=buffer-2+buffer-3=10",
        "--smallest=time per job", "--delta=0.01", "--warm-up=50", "--tolerance=0.3,0.05",
        *(f"--subject-to={constraint}" for constraint in constraints),
    )  # fmt: skip
    found = sporos.select(
        "tandem-line", **LINES, smallest="time per job", delta=0.01, subject_to=constraints, tolerance=[0.3, 0.05]
    )
    assert found.table().rows() == expected["tables"]["survivors"]["rows"]
    assert found.table("nearest_infeasible").rows() == [] and found.table()["constraint_2"][0] > 0.1
    assert found.table("constraints")["compared"].tolist() == ["work in process", "time per job"]
    none = sporos.select("tandem-line", **LINES, smallest="time per job", delta=0.01, subject_to="throughput >= 99", tolerance=1)
    assert none.table().rows() == [] and none.table("nearest_infeasible")["constraint"].tolist() == ["throughput >= 99"]
    with pytest.raises(TypeError, match="subject_to is 1"):
        sporos.select("tandem-line", **LINES, smallest="time per job", delta=0.01, subject_to=[1], tolerance=1)


def test_a_callback_stops_it():
    reports = []

    def watch(progress):
        reports.append(progress)
        return False

    found = sporos.select("tandem-line", **LINES, largest="throughput", delta=0.3, progress=watch)
    assert found.stopped_by == "interrupted" and found.findings["guarantee"] is None
    assert reports[0].figures["survivors"] == 9


def test_a_stopped_selection_resumes_from_its_checkpoint(tmp_path):
    arguments = dict(**LINES, largest="throughput", delta=0.05, procedure="rinott")
    kept = tmp_path / "state"
    shown = []
    expected = lasting(sporos.select("tandem-line", **arguments).to_dict())
    stopped = sporos.select(
        "tandem-line", **arguments, checkpoint=kept, every=0, progress=lambda report: bool(shown.append(report)) or len(shown) < 2
    )
    assert stopped.findings["guarantee"] is None and kept.exists()
    with pytest.raises(ValueError, match="is the checkpoint of another run: options.seed is missing in it, expected '2'"):
        sporos.select("tandem-line", **arguments, seed=2, checkpoint=kept)
    assert lasting(sporos.select("tandem-line", **arguments, checkpoint=kept).to_dict()) == expected
    assert not kept.exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"delta": 0}, "delta is '0', expected a positive finite number"),
        ({"over": {"servers": []}}, "over['servers'] is empty, expected at least one value"),
        ({"over": {"servers": 2}}, "number of systems is 1, expected at least 2"),
        ({"procedure": "best"}, "unknown procedure 'best'"),
        ({"procedure": "ocba"}, "procedure ocba requires a budget of replications: expected budget"),
        ({"subject_to": "utilization <= 1"}, "subject_to is given without tolerance, expected both"),
        ({"tolerance": 0}, "tolerance is '0', expected positive numbers"),
        ({"subject_to": "utilization <= servers", "tolerance": 1}, "expected an expression without servers, which differs between systems"),
        ({"common_random_numbers": True}, "procedure gsp is for independent systems, expected no common random numbers"),
    ],
)
def test_invalid_values_are_refused(changed, message):
    arguments = {"over": {"servers": [1, 2]}, "largest": "utilization", "delta": 0.1, **changed}
    with pytest.raises(ValueError) as refused:
        sporos.select("mmck", **arguments)
    assert message in str(refused.value)


def test_wrong_types_are_refused():
    with pytest.raises(TypeError):
        sporos.select("mmck", over=["servers"], largest="utilization", delta=0.1)
    with pytest.raises(TypeError):
        sporos.select("mmck", over={"servers": [1, 2]}, sums=[1], largest="utilization", delta=0.1)
