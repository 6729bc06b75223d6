// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/germinal_centre_checks.hpp>

namespace sporos::test {

/// A box that covers the whole mesh.
inline models::ElementBox all_of(const models::TissueMesh& mesh) { return {{}, mesh.elements}; }

/// One kind of cells without any behaviour, in a cube with `along` elements along each edge, which are all vessels and
/// drains.
inline models::GerminalCentreCase plain_case(int along) {
  models::GerminalCentreCase plain;
  plain.mesh.elements = {along, along, along};
  plain.mesh.vessels = plain.mesh.drains = {all_of(plain.mesh)};
  plain.local_step = 1;
  plain.steps_per_exchange = 10;
  plain.kinds.resize(1);
  plain.kinds[0].name = "cell";
  return plain;
}

/// A case with every feature: three centres; cells that climb a gradient, divide, age, die, are infected and are
/// killed; virus that bursts from them; and circulating fluids.
inline models::GerminalCentreCase rich_centres() {
  using enum models::Compartment;
  models::GerminalCentreCase rich;
  rich.centres = 3;
  rich.local_step = 0.5;
  rich.steps_per_exchange = 50;
  rich.field_substeps = 3;
  rich.mesh.elements = {5, 6, 7};
  rich.mesh.vessels = {{{0, 0, 0}, {5, 1, 7}}, {{0, 3, 3}, {2, 4, 4}}};
  rich.mesh.drains = {{{0, 0, 0}, {5, 6, 1}}};
  rich.mesh.surface = {{{0, 0, 6}, {5, 6, 7}}};
  rich.chemokines = {{"cxcl13", 600, 0.01, 3e5, 1, {{{2, 3, 3}, {4, 5, 5}}}},
                     {"ccl21", 200, 0.02, 1e5, 2, rich.mesh.vessels}};
  rich.kinds.resize(4);
  rich.kinds[0] = {"b", 20, "cxcl13", 3, 0.5, 0, 0.02, 0, 8, 1e-5, {30000, 4000, 500, 0}, 700, {}};
  rich.kinds[1] = {
      "infected", 15, "cxcl13", 2, 0.1, 0, 0.01, 0.001, 0, 1e-5, {0, 0, 0, 0}, 50, {{{1, 1, 1}, {3, 3, 3}}}};
  rich.kinds[2] = {"t", 60, "ccl21", -1, 0.5, 0, 0.02, 0, 3, 1e-5, {20000, 2000, 0, 0}, 300, {}};
  rich.kinds[3] = {"virus", 100, "", 0, 0, 1, 0.05, 0.05, 0, 1e-4, {0, 0, 0, 5000}, 0, {}};
  rich.changes = {{"b", "", 1e-4, 0, "", 0},
                  {"b", "b", 2e-4, 60, "b", 1},
                  {"infected", "infected", 5e-4, 0, "infected", 1},
                  {"infected", "", 5e-3, 240, "virus", 12},
                  {"t", "", 1e-4, 0, "", 0},
                  {"virus", "", 1e-3, 0, "", 0}};
  rich.meetings = {{"virus", "b", 40, "", "infected"}, {"t", "infected", 30, "t", ""}, {"t", "t", 1, "t", ""}};
  rich.volumes = {5000, 1000, 1500, 2};
  rich.flows = {{blood, tissue, 4},      {tissue, blood, 3},      {tissue, lymph, 1.1},   {lymph, blood, 1.1},
                {blood, marrow, 1},      {marrow, blood, 1},      {tissue, saliva, 0.01}, {saliva, tissue, 0.01},
                {saliva, outside, 0.01}, {outside, saliva, 0.01}, {blood, tissue, 0.1}};
  return rich;
}

}  // namespace sporos::test
