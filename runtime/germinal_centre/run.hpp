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

/// models::GerminalCentres, whatever the backend; see there.
class GerminalCentreRun {
 public:
  virtual ~GerminalCentreRun() = default;

  /// One global step. Collective.
  virtual void advance() = 0;
  /// How many cells of each kind there are.
  virtual models::CellCensus census() const = 0;
  /// All there is. Collective.
  virtual models::GerminalCentresState state() const = 0;
  /// Goes on from there.
  virtual void restore(const models::GerminalCentresState& state) = 0;
  /// A hash of all there is. Collective.
  virtual std::uint64_t digest() const = 0;
};

/// A case to be simulated.
struct GerminalCentreTask {
  const models::GerminalCentreCase& all;
  std::uint64_t seed;

  /// Makes its beginning. Throws as models::GerminalCentres does. Collective.
  using Runner = std::unique_ptr<GerminalCentreRun>(const GerminalCentreTask&);
};

}  // namespace sporos::runtime
