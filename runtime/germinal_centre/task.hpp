// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

namespace sporos::models {
struct GerminalCentreCase;
struct GerminalCentresState;
struct CellCensus;
}  // namespace sporos::models

namespace sporos::runtime {

/// Interface of models::GerminalCentres that does not depend on the backend. That class documents the members.
class GerminalCentreRun {
 public:
  virtual ~GerminalCentreRun() = default;

  /// Makes a global step. Collective.
  virtual void advance() = 0;
  /// Returns the number of cells of each kind.
  virtual models::CellCensus census() const = 0;
  /// Returns the state of all centres and pools. Collective.
  virtual models::GerminalCentresState state() const = 0;
  /// Continues from `state`.
  virtual void restore(const models::GerminalCentresState& state) = 0;
  /// Returns a hash of the state. Collective.
  virtual std::uint64_t digest() const = 0;
};

/// Task of simulating a case.
struct GerminalCentreTask {
  const models::GerminalCentreCase& all;
  std::uint64_t seed;

  /// Function that creates the initial state. Throws the same exceptions as models::GerminalCentres. Collective.
  using Runner = std::unique_ptr<GerminalCentreRun>(const GerminalCentreTask&);
};

}  // namespace sporos::runtime
