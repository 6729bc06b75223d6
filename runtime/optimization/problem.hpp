// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/optimization/tasks.hpp>
#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Description of a problem.
struct ProblemDescription {
  std::string name;                  ///< name on the command line
  std::string title;                 ///< human-readable text that follows the name: what is optimized
  std::vector<std::string> notes;    ///< notes for users about how files were read
  std::string region;                ///< human-readable description of the feasible region
  std::string variable;              ///< noun for a coordinate
  std::string quantity;              ///< noun for the value of a coordinate
  std::vector<std::string> names;    ///< names of the coordinates; empty if they are numbered
  std::int64_t dimension;            ///< number of coordinates
  std::vector<ResultFact> settings;  ///< settings given by the options
  std::uint64_t digest;              ///< digest of the problem's data
  bool is_sampled;                   ///< whether each epoch uses a sample instead of the whole
  double iteration_seconds = 0;      ///< rough duration of an iteration if that is long, otherwise 0
  bool has_resources = false;        ///< whether the result has a table of resource use
  /// Human-readable formula of the solution; empty if the solution is computed iteratively.
  std::string closed_form = {};

  /// Name of coordinate i, counted from 0.
  std::string name_of(std::size_t i) const { return names.empty() ? variable + " " + std::to_string(i + 1) : names[i]; }
};

/// Use of a resource by the solution.
struct ResourceUse {
  std::string name;
  double use, capacity;
  std::string sense;  ///< sense of its constraint: <=, >= or =

  /// Remaining capacity; for a lower bound, the excess over it.
  double slack() const { return sense == ">=" ? use - capacity : capacity - use; }
  /// Whether the use is nearly equal to the capacity.
  bool is_binding() const;
};

/// Findings about a solution in addition to those of the optimizer.
struct Findings {
  std::optional<double> exact_objective;  ///< exact objective, if it differs from the optimizer's
  std::optional<double> optimum;          ///< smallest exact objective, if theory gives it
  std::vector<ResultFact> figures;        ///< other figures of interest
  std::vector<ResourceUse> resources;     ///< use of resources; empty if there are none
};

/// A problem of the command line with its data.
class OptimizationProblem {
 public:
  OptimizationProblem() = default;
  OptimizationProblem(const OptimizationProblem&) = delete;
  OptimizationProblem& operator=(const OptimizationProblem&) = delete;
  virtual ~OptimizationProblem() = default;

  virtual const ProblemDescription& description() const = 0;
  /// Default options.
  virtual FrankWolfeOptions default_options() const = 0;
  /// A point of the region.
  virtual std::vector<double> start() const = 0;
  /// Optimizes the problem on `backend`, which must have been started.
  virtual OptimizationOutcome run(const Backend& backend, const OptimizationRun& run) const = 0;
  virtual Findings findings(const OptimizationOutcome& outcome) const = 0;
};

/// Default options in one of several cases.
struct DefaultCase {
  FrankWolfeOptions options;  ///< all options
  std::string when = {};      ///< condition of the case, such as "if nothing is sampled"; empty for the first case
  std::string regions = {};   ///< regions to which `options.variant` applies; empty for all of them
};

/// A kind of problem.
struct ProblemKind {
  std::string name;                        ///< name on the command line
  std::string title;                       ///< title: what is minimized
  std::string note;                        ///< note below the help
  std::vector<DefaultCase> default_cases;  ///< cases with different defaults, at least one
  std::vector<OptionEntry> (*options)();   ///< returns the options that select the instance
  /// Makes the instance that the options select. Throws std::invalid_argument if an option or a file is invalid.
  std::unique_ptr<OptimizationProblem> (*make)(const OptionTable& options);
};

/// Mean–variance portfolios.
ProblemKind portfolio_kind();
/// Multi-product newsvendors.
ProblemKind newsvendor_kind();

/// Maximum number of coordinates of a generated instance.
inline constexpr std::int64_t max_coordinates = 10'000'000;

/// Default options for a sampled problem of that dimension. From about 10^4 coordinates on, the gap is estimated from
/// fewer replications, because of the memory that they need.
FrankWolfeOptions default_options_of_samples(std::int64_t dimension);

/// Default options for a quadratic program of that dimension, which is not sampled.
FrankWolfeOptions default_options_of_quadratic_program(std::int64_t dimension);

/// Digest of numbers, which depends on every bit and on the order.
std::uint64_t digest_of_numbers(const std::vector<double>& numbers);

}  // namespace sporos::runtime
