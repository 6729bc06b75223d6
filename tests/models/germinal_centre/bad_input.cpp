// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Impossible cases are refused in one line before anything runs.
#include "cases.hpp"

#include <harness/refusal.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace sporos::test {
namespace germinal_centre_bad_input_tests {

using models::GerminalCentreCase;

// Error message for the rich case after `change`.
template <class Change>
std::string refusal_of(const Change& change) {
  GerminalCentreCase rich = rich_centres();
  change(rich);
  return refusal([&] { rich.check(); });
}

TEST(GerminalCentreCase, IsGood) {
  EXPECT_EQ(refusal_of([](auto&) {}), "none");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.mesh.surface.clear(); }),
            "saliva flows to the tissue, but the mesh has no surface, expected at least one box");
}

TEST(GerminalCentreCase, RefusesMeshes) {
  EXPECT_EQ(refusal_of([](auto& rich) { rich.mesh.vessels.clear(); }),
            "the mesh has no vessels, expected at least one box where cells enter");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.mesh.drains.clear(); }),
            "the mesh has no drains, expected at least one box where cells leave");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.mesh.elements[1] = 0; }),
            "number of elements of the mesh is 0, expected a positive integer");
  EXPECT_EQ(refusal_of([](auto& rich) {
              rich.mesh.elements = {1000, 1000, 1000};
            }),
            "number of elements of the mesh is 1e+09, expected at most 16777216");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.mesh.width = -1; }),
            "width of an element is -1, expected a positive finite number");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.mesh.drains[0].end[2] = 8; }),
            "a box of drains goes from 0 to 8 in direction 3, expected a range within 0 to 7");
}

TEST(GerminalCentreCase, RefusesStepsAtWhichRatesAreNoProbabilities) {
  EXPECT_EQ(refusal_of([](auto& rich) { rich.changes[0].rate = 2.5; }),
            "changes, drainage and shedding of 'b' have a total probability of 1.26 at a local step of 0.5 min, "
            "expected a step of at most 0.3967 min");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[0].motility = 500; }),
            "motility of 'b' moves it past the next element at a local step of 0.5 min, expected a step of at most "
            "0.4166 min");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[3].motility = 500; }), "none");  // follows no gradient
  EXPECT_EQ(
      refusal_of([](auto& rich) { rich.meetings[0].rate = 500000; }),
      "a meeting of 'virus' and 'b' has a probability of 2 at a local step of 0.5 min, expected a step of at most "
      "0.25 min");
  EXPECT_EQ(
      refusal_of([](auto& rich) {
        rich.field_substeps = 1;
        rich.chemokines[0].diffusion = 6000;
      }),
      "diffusion and decay of 'cxcl13' are unstable with 1 substeps at a local step of 0.5 min, expected a step of "
      "at most 0.06939 min");
  EXPECT_EQ(
      refusal_of([](auto& rich) { rich.steps_per_exchange = 5000; }),
      "flows take 'b' out of the blood with a probability of 1.55 at a global step of 2500 min, expected a step of "
      "at most 1612 min");
}

TEST(GerminalCentreCase, RefusesNames) {
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[1].name = std::string("b"); }),
            "kind 'b' occurs twice, expected each name once");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[1].name.clear(); }), "a kind has no name");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[1].chemokine = std::string("ccl"); }),
            "chemokine of 'infected' is 'ccl', expected the name of one of the chemokines");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.changes[3].offspring = std::string("virion"); }),
            "offspring of a change of 'infected' is 'virion', expected one of the kinds: b, infected, t, virus");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.meetings[1].second.clear(); }),
            "partner of a meeting of 't' is '', expected one of the kinds: b, infected, t, virus");
}

TEST(GerminalCentreCase, RefusesNumbers) {
  EXPECT_EQ(refusal_of([](auto& rich) { rich.centres = 0; }), "number of centres is 0, expected a positive integer");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.local_step = std::nan(""); }),
            "local step is nan, expected a positive finite number");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[2].extraction = 1.5; }),
            "extraction of 't' is 1.5, expected a probability in [0, 1]");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[2].drainage = -1; }),
            "drainage of 't' is -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds[0].in_tissue = -5; }),
            "number of 'b' is -5, expected a number from 0 to 2^52");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.changes[3].offspring_count = 0; }),
            "number of offspring of a change of 'infected' is 0, expected a positive number if offspring is given, and "
            "0 otherwise");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.kinds.clear(); }), "number of kinds is 0, expected a number from 1 to 16");
}

TEST(GerminalCentreCase, RefusesFlowsThatDoNotBalance) {
  EXPECT_EQ(refusal_of([](auto& rich) { rich.flows[3].rate = 1; }),
            "flow into blood is 5 ml/min and out of it 5.1 ml/min, expected equal flows");
  EXPECT_EQ(refusal_of([](auto& rich) { rich.flows[3].to = models::Compartment::tissue; }),
            "a flow goes from lymph to tissue, expected a flow from blood or saliva");
}

class TwoProcesses : public OneProcess {
 public:
  int count() const override { return 2; }
};

TEST(GerminalCentreCase, HasAtLeastOneCentreForEachProcess) {
  const TwoProcesses two;
  EXPECT_EQ(refusal([&] { check_processes(rich_centres(), two); }), "none");
  EXPECT_EQ(refusal([&] { check_processes(plain_case(1), two); }),
            "number of processes is 2, expected at most 1, one for each germinal centre");
}

}  // namespace germinal_centre_bad_input_tests
}  // namespace sporos::test
