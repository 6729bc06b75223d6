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

/// A problem in words, whatever it is.
struct ProblemDescription {
  std::string name;                  ///< as the command line has it
  std::string title;                 ///< for people, behind the name: what is optimized
  std::vector<std::string> notes;    ///< what the user should know of how files were read
  std::string region;                ///< for people: over which set
  std::string variable;              ///< what a coordinate stands for
  std::string quantity;              ///< what its value is
  std::vector<std::string> names;    ///< of the coordinates; none where they are numbered
  std::int64_t dimension;            ///< how many there are
  std::vector<ResultFact> settings;  ///< all that the options say of it
  std::uint64_t digest;              ///< of its data
  bool is_sampled;                   ///< whether an epoch sees a sample only, or the whole
  double iteration_seconds = 0;      ///< what an iteration takes, roughly, where that is long; 0 where it is not
  bool has_resources = false;        ///< whether what they use is a table of the result
  std::string closed_form = {};      ///< for people: by which formula the solution is known; empty where it is iterated

  /// What coordinate i, from 0, is called.
  std::string name_of(std::size_t i) const { return names.empty() ? variable + " " + std::to_string(i + 1) : names[i]; }
};

/// What the solution uses of a resource.
struct ResourceUse {
  std::string name;
  double use, capacity;
  std::string sense;  ///< of its capacity: <=, >= or =

  /// How much of its capacity is left, or by how much that is exceeded where it is a lower bound.
  double slack() const { return sense == ">=" ? use - capacity : capacity - use; }
  /// Whether its use is nearly its capacity.
  bool is_binding() const;
};

/// What is known of a solution beyond what the optimizer saw.
struct Findings {
  std::optional<double> exact_objective;  ///< where that is another one
  std::optional<double> optimum;          ///< the smallest exact objective, where theory knows it
  std::vector<ResultFact> figures;        ///< what else may be of interest
  std::vector<ResourceUse> resources;     ///< where there are any
};

/// A problem of the command line, its data loaded.
class OptimizationProblem {
 public:
  OptimizationProblem() = default;
  OptimizationProblem(const OptimizationProblem&) = delete;
  OptimizationProblem& operator=(const OptimizationProblem&) = delete;
  virtual ~OptimizationProblem() = default;

  virtual const ProblemDescription& description() const = 0;
  /// What holds where the user says nothing.
  virtual FrankWolfeOptions usual_options() const = 0;
  /// A point of the region.
  virtual std::vector<double> start() const = 0;
  /// Optimizes it; `backend` has been started.
  virtual OptimizationOutcome run(const Backend& backend, const OptimizationRun& run) const = 0;
  virtual Findings findings(const OptimizationOutcome& outcome) const = 0;
};

/// Options that are usual in one case of several.
struct UsualCase {
  FrankWolfeOptions options;  ///< all of them
  std::string when = {};      ///< "where nothing is sampled"; empty for the first case
  std::string regions = {};   ///< for which `options.variant` is meant; empty for all of them
};

/// A kind of problem.
struct ProblemKind {
  std::string name;                       ///< as the command line has it
  std::string title;                      ///< what is minimized
  std::string note;                       ///< below the help
  std::vector<UsualCase> usual;           ///< the cases in which different options are usual, at least one
  std::vector<OptionEntry> (*options)();  ///< that say which instance
  /// The instance that the options name. Throws std::invalid_argument for bad ones and bad files.
  std::unique_ptr<OptimizationProblem> (*make)(const OptionTable& options);
};

/// Mean–variance portfolios.
ProblemKind portfolio_kind();
/// Multi-product newsvendors.
ProblemKind newsvendor_kind();

/// How many coordinates a generated instance may have.
inline constexpr std::int64_t most_coordinates = 10'000'000;

/// What is usual for a problem of that dimension that is sampled. From some 10^4 coordinates on, the gap is estimated
/// from fewer replications, for the memory that they need.
FrankWolfeOptions usual_options_of_samples(std::int64_t dimension);

/// What is usual for a quadratic program of that dimension, of which nothing is sampled.
FrankWolfeOptions usual_options_of_quadratic_program(std::int64_t dimension);

/// A digest of numbers: any bit or place changes it.
std::uint64_t digest_of_numbers(const std::vector<double>& numbers);

}  // namespace sporos::runtime
