// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/sparse_features.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// As the command line has it.
inline constexpr auto classification_name = "classification";
/// What is minimized.
inline constexpr auto classification_title =
    "logistic classification: minimizes the mean loss over rows of a data file";

/// How features lie in the memory of the backend.
enum class FeatureStorage {
  real64,  ///< dense, in double
  real32,  ///< dense, rounded to float
  bits,    ///< 64 to a word, where all of them are 0 or 1
  sparse   ///< those that are not 0, in double, and their columns
};

/// Rows of features on the host.
using FeatureRows = std::variant<models::DenseRows, models::SparseRows>;

struct ClassificationRun;
struct ClassificationOutcome;

/// Rows from which a logistic classification is to be learned.
struct ClassificationTask {
  FeatureRows features;  ///< dense for real64 and real32, sparse for bits and sparse
  std::vector<double> labels;
  FeatureStorage storage;
  models::GeneralizedLinearOptions model;

  /// Learns it. Throws std::invalid_argument where sqn or lbfgs do.
  using Runner = ClassificationOutcome(const ClassificationTask&, const ClassificationRun&);
};

/// How.
struct ClassificationRun {
  std::variant<SqnOptions, LbfgsOptions> options;  ///< the trajectory is evaluated on all rows, whatever they say
  QuasiNewtonState state;                          ///< where it begins
  QuasiNewtonCallback callback;                    ///< shown every point of the trajectory
  /// Is given the state where the callback has made a pause, after which the run goes on.
  std::function<void(const QuasiNewtonState&)> keep;
  StopRequest stop_request = {};  ///< of sqn, where one process learns
};

/// What came of it.
struct ClassificationOutcome {
  QuasiNewtonResult result;
  std::size_t bytes;  ///< memory that the features took on the backend
};

}  // namespace sporos::runtime

/// Names of the ways to store features.
template <>
struct sporos::ChoiceNames<sporos::runtime::FeatureStorage> {
  using Storage = runtime::FeatureStorage;             ///< what there is
  static constexpr std::string_view what = "storage";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Storage>>(
      {{"double", Storage::real64}, {"float", Storage::real32}, {"bits", Storage::bits}, {"sparse", Storage::sparse}});
};
