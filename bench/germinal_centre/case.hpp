// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/germinal_centre_case.hpp>

#include <cstdint>

namespace sporos::bench {

/// Multiplies the number of cells in the pools by `factor`.
inline void scale_pools(models::CellKind& kind, double factor) {
  for (std::int64_t& cells : kind.in_pools) {
    cells = static_cast<std::int64_t>(static_cast<double>(cells) * factor);
  }
}

/// Returns the case with the number of cells, in tissue and pools, multiplied by `factor`.
inline models::GerminalCentreCase with_cells(models::GerminalCentreCase all, double factor) {
  for (models::CellKind& kind : all.kinds) {
    kind.in_tissue = static_cast<std::int64_t>(static_cast<double>(kind.in_tissue) * factor);
    scale_pools(kind, factor);
  }
  return all;
}

/// Returns the case with `centres` centres in a body of proportional size: pools with their cells, flows and production
/// of the marrow. The work of a centre therefore does not depend on their number.
inline models::GerminalCentreCase with_centres(models::GerminalCentreCase all, int centres) {
  const double factor = static_cast<double>(centres) / all.centres;
  all.centres = centres;
  for (models::CellKind& kind : all.kinds) {
    kind.production *= factor;
    scale_pools(kind, factor);
  }
  for (double& volume : all.volumes) volume *= factor;
  for (models::FluidFlow& flow : all.flows) flow.rate *= factor;
  return all;
}

}  // namespace sporos::bench
