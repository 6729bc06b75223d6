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

/// Name of the problem on the command line.
inline constexpr auto classification_name = "classification";
/// Title of the problem, which states the objective.
inline constexpr auto classification_title =
    "logistic classification: minimizes the mean loss over rows of a data file";

/// Storage of features in the memory of the backend.
enum class FeatureStorage {
  real64,  ///< dense, in double
  real32,  ///< dense, rounded to float
  bits,    ///< 64 features in a word, if all features are 0 or 1
  sparse   ///< non-zero features in double, with their column indices
};

/// Rows of features on the host.
using FeatureRows = std::variant<models::DenseRows, models::SparseRows>;

struct ClassificationRun;
struct ClassificationOutcome;

/// Task of training a logistic classification.
struct ClassificationTask {
  FeatureRows features;  ///< dense for real64 and real32, sparse for bits and sparse
  std::vector<double> labels;
  FeatureStorage storage;
  models::GeneralizedLinearOptions model;

  /// Function that carries out the task. Throws std::invalid_argument if sqn or lbfgs does.
  using Runner = ClassificationOutcome(const ClassificationTask&, const ClassificationRun&);
};

/// Options, start and callbacks of a training run.
struct ClassificationRun {
  std::variant<SqnOptions, LbfgsOptions> options;  ///< options; the trajectory is always evaluated on all rows
  QuasiNewtonState state;                          ///< state in which the run starts
  QuasiNewtonCallback callback;                    ///< callback that receives every point of the trajectory
  /// Receives the state if the callback pauses the run, which continues afterwards.
  std::function<void(const QuasiNewtonState&)> keep;
  StopRequest stop_request = {};  ///< stop request for sqn, if a single process trains
};

/// Result of a ClassificationTask.
struct ClassificationOutcome {
  QuasiNewtonResult result;
  std::size_t bytes;  ///< memory of the features on the backend
};

}  // namespace sporos::runtime

/// Names of the values of FeatureStorage.
template <>
struct sporos::ChoiceNames<sporos::runtime::FeatureStorage> {
  using Storage = runtime::FeatureStorage;             ///< type of the choices
  static constexpr std::string_view what = "storage";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<Storage>>(
      {{"double", Storage::real64}, {"float", Storage::real32}, {"bits", Storage::bits}, {"sparse", Storage::sparse}});
};
