// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/mixtures/task.hpp>
#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/models/mixtures/observation_file.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Mixtures that were fitted, and how.
struct FitReport {
  const models::ObservationFile& data;
  const MixtureFitOptions& options;
  FitPrecision precision;
  const MixtureFit& fit;
  const std::optional<MixtureBootstrap>& bootstrap;
  double seconds;
  Machine machine;
};

/// Tells samples apart, by their values and weights.
std::uint64_t digest_of(const models::Observations& sample);

/// Where the worst start of a size ended: ln of its posterior density.
double worst_start(const MixtureSizeFit& size);

/// A note on the floor of the deviations: the numbers of components whose fits are at it, and the remedy.
std::vector<std::string> floor_notes(const FitReport& report);

/// For people: the sample, each number of components, the chosen fit.
std::string table_of(const FitReport& report);

/// A line for each number of components.
std::string csv_of(const FitReport& report);

/// All there is:
///
///     {"sporos": version, "data": {"file", "column", "weights", "digest"}, "precision", "options": {...},
///      "fit": {...}, "notes": [text...], "bootstrap": {...} or null, "run": {"seconds", "machine": {...}}}
///
/// with options and fit as sporos::json_of has them, and the notes of floor_notes. Equal fits give equal bytes but for
/// "run".
std::string json_of(const FitReport& report);

/// As a page; `json` is json_of(report).
Document document_of(const FitReport& report, const io::Json& json);

}  // namespace sporos::runtime
