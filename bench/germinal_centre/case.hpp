// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/germinal_centre_case.hpp>

#include <cstdint>

namespace sporos::bench {

/// Makes the cells in the pools `factor` times as many.
inline void scale_pools(models::CellKind& kind, double factor) {
  for (std::int64_t& cells : kind.in_pools) {
    cells = static_cast<std::int64_t>(static_cast<double>(cells) * factor);
  }
}

/// The case with `factor` times as many cells, in tissue and pools.
inline models::GerminalCentreCase with_cells(models::GerminalCentreCase all, double factor) {
  for (models::CellKind& kind : all.kinds) {
    kind.in_tissue = static_cast<std::int64_t>(static_cast<double>(kind.in_tissue) * factor);
    scale_pools(kind, factor);
  }
  return all;
}

/// The case with so many centres in a body that is larger or smaller with them: its pools, their cells, their flows and
/// what the marrow makes. So each centre has the same to do, however many there are.
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
