// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/execution/host_team.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/linear_algebra/ordered_sum.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/classification/column_sums.hpp>
#include <sporos/models/classification/feature_products.hpp>
#include <sporos/models/classification/generalized_linear_kernels.hpp>
#include <sporos/models/classification/linear_in_teams.hpp>
#include <sporos/models/classification/linear_in_threads.hpp>
#include <sporos/models/classification/losses.hpp>
#include <sporos/models/classification/row_parts.hpp>
#include <sporos/models/classification/row_selection.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// Options of a GeneralizedLinear.
struct GeneralizedLinearOptions {
  double penalty = 0;          ///< λ, at least 0
  bool has_intercept = false;  ///< whether margins have a constant term, which is not penalized
};

/// The mean loss of a linear predictor as a problem for a stochastic optimizer:
///
///     f(w) = 1/N Σᵢ ℓ(xᵢᵀw + c, zᵢ) + λ/2 |w|²,
///
/// over N rows of `Features` with labels zᵢ. The decision variables are w, followed by the intercept c if there is one.
/// f̂ replaces the mean over all rows by the mean over a sample of rows, drawn with replacement: f̂, its gradient and
/// its Hessian are unbiased. Replication r under a seed is row drawn_index(seed, r, N), on every backend.
///
/// Vectors are in the memory space of `ExecutionSpace` and have dimension() elements. The order of every sum depends
/// only on the sizes. Results therefore have the same bits from run to run on a backend, with any number of threads and
/// processes.
///
/// Processes that share a problem each multiply a part of the rows of a large sample and gather the sums. Every call
/// must then be made on all processes, with the same arguments. Each process evaluates small samples without the
/// others.
template <class ExecutionSpace, class Features, class Loss>
class GeneralizedLinear {
 public:
  using execution_space = ExecutionSpace;  ///< execution space of the problem

  /// A problem with one label for each row; f̂ is initially f. Throws std::invalid_argument, naming the row (from 0),
  /// if the numbers of labels and rows differ, a label is not one of the loss, or the penalty is negative. `processes`
  /// must outlive this object.
  GeneralizedLinear(Features features, const std::vector<double>& labels, const GeneralizedLinearOptions& options = {},
                    const ExecutionSpace& space = ExecutionSpace(), Processes& processes = single_process);

  /// The execution space instance that runs the kernels.
  const ExecutionSpace& execution() const { return m_space; }

  /// The processes that share the problem.
  Processes& processes() const { return *m_processes; }

  /// Number of decision variables: n, plus one if there is an intercept.
  std::int64_t dimension() const { return m_features.columns() + (m_options.has_intercept ? 1 : 0); }

  /// Number N of rows.
  std::int64_t rows() const { return m_features.rows(); }

  /// Number of rows in the sample.
  std::int64_t sample_size() const { return m_parts.rows().count; }

  /// Makes f̂ the mean over the rows of these replications. Throws std::invalid_argument if the sample is empty.
  void draw(const SampleRange& sample);

  /// Makes f̂ equal to f.
  void draw_all() { select({nullptr, rows()}); }

  /// Returns f̂(w). Blocks until it is computed.
  double objective(const ConstVector<ExecutionSpace>& w);

  /// Sets g = ∇f̂(w).
  void gradient(const ConstVector<ExecutionSpace>& w, const Vector<ExecutionSpace>& g);

  /// Sets g = ∇f̂(w) and returns f̂(w). Blocks until f̂(w) is computed. Multiplies the rows once instead of twice.
  double objective_and_gradient(const ConstVector<ExecutionSpace>& w, const Vector<ExecutionSpace>& g);

  /// Sets out = ∇²f̂(w) v.
  void hessian_product(const ConstVector<ExecutionSpace>& w, const ConstVector<ExecutionSpace>& v,
                       const Vector<ExecutionSpace>& out);

  /// The problem in the form for persistent kernels (see PersistentTeamProblem). Requires packed features.
  LinearInTeams<Loss> in_teams() const requires are_packed<Features> {
    return {m_features.handle(), m_labels.data(), rows(), dimension(), m_options.penalty};
  }

  /// The problem in the form for the threads of one team on a host (see HostTeamProblem). Requires packed features.
  LinearInThreads<Loss> in_threads() const requires(are_packed<Features>&& sporos::runs_on_host<ExecutionSpace>) {
    return {m_features.handle(), m_labels.data(), rows(), dimension(), m_options.penalty};
  }

  /// Sets means(i) to the mean of the label that w predicts for row i of other features with the same number of
  /// columns. For classification, this is the probability of label 1.
  template <class OtherFeatures>
  void predict(const OtherFeatures& features, const ConstVector<ExecutionSpace>& w,
               const Vector<ExecutionSpace>& means) const;

 private:
  LinearPredictor predictor(const ConstVector<ExecutionSpace>& w) const {
    return {w.data(), m_options.has_intercept ? w.data() + m_features.columns() : nullptr};
  }
  template <class Finish>
  void for_each_row(const ConstVector<ExecutionSpace>& w, const Finish& finish) const {
    for_each_margin(m_space, m_features, m_own_rows, predictor(w), finish);
  }
  void reserve_rows(Vector<ExecutionSpace>& values) const {
    reserve(values, "sporos::classification::row_values", m_own_rows.count);
  }
  template <class Evaluate>
  bool run_in_threads(double gradients, const Evaluate& evaluate);
  void select(const RowSelection& rows);
  double mean(const Vector<ExecutionSpace>& losses) const;
  double penalized_mean(const Vector<ExecutionSpace>& losses, const ConstVector<ExecutionSpace>& w) const;
  void add_rows_up(const ConstVector<ExecutionSpace>& penalized, const Vector<ExecutionSpace>& out);

  ExecutionSpace m_space;
  Features m_features;
  GeneralizedLinearOptions m_options;
  Kokkos::View<const double*, typename ExecutionSpace::memory_space> m_labels;
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> m_drawn;
  Processes* m_processes;
  RowParts m_parts;                     // parts of the sample
  RowSelection m_own_rows;              // rows of this process
  Vector<ExecutionSpace> m_row_values;  // one number for each row of this process
  Vector<ExecutionSpace> m_row_losses;  // second number for each row, if needed
  ColumnSums<ExecutionSpace> m_sums;
  Vector<ExecutionSpace> m_scratch;  // of run_in_threads
  HostTeam m_team;                   // of run_in_threads
};

/// Logistic classification (He et al. (2024), A preliminary study on accelerating simulation optimization with GPU
/// implementation, section 3.3).
template <class ExecutionSpace, class Features>
using LogisticClassification = GeneralizedLinear<ExecutionSpace, Features, LogisticLoss>;

/// Least-squares regression.
template <class ExecutionSpace, class Features>
using LeastSquares = GeneralizedLinear<ExecutionSpace, Features, SquaredLoss>;

/// Poisson regression.
template <class ExecutionSpace, class Features>
using PoissonRegression = GeneralizedLinear<ExecutionSpace, Features, PoissonLoss>;

namespace impl {

template <class Loss>
void check_labels(const std::vector<double>& labels, std::int64_t rows) {
  if (static_cast<std::int64_t>(labels.size()) != rows) {
    sporos::impl::refuse_parameter("number of labels", std::to_string(labels.size()),
                                   "one for each row, " + std::to_string(rows));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sporos::impl::check_parameter(Loss::is_label(labels[i]), "label of row " + std::to_string(i), labels[i],
                                  Loss::labels);
  }
}

}  // namespace impl

template <class ExecutionSpace, class Features, class Loss>
GeneralizedLinear<ExecutionSpace, Features, Loss>::GeneralizedLinear(Features features,
                                                                     const std::vector<double>& labels,
                                                                     const GeneralizedLinearOptions& options,
                                                                     const ExecutionSpace& space, Processes& processes)
    : m_space(space), m_features(std::move(features)), m_options(options), m_processes(&processes) {
  impl::check_labels<Loss>(labels, rows());
  check_non_negative("penalty", options.penalty);
  if (rows() > std::numeric_limits<std::uint32_t>::max()) {
    sporos::impl::refuse_parameter("number of rows", std::to_string(rows()), "at most 4294967295");
  }
  m_labels = sporos::impl::table_view<typename ExecutionSpace::memory_space>("sporos::classification::labels", labels);
  draw_all();
}

// Distributes a sample if a message takes less time than half of the pass of the features through the processor.
template <class ExecutionSpace, class Features, class Loss>
void GeneralizedLinear<ExecutionSpace, Features, Loss>::select(const RowSelection& rows) {
  constexpr double min_bytes = 1 << 20, bytes_of_sum = 16 * sizeof(double);
  const double bytes_of_row = static_cast<double>(m_features.bytes()) / static_cast<double>(m_features.rows());
  const double sums = static_cast<double>(m_features.columns()) * m_processes->count();
  const bool is_large = bytes_of_row * static_cast<double>(rows.count) >= std::max(min_bytes, bytes_of_sum * sums);
  m_parts = ColumnSums<ExecutionSpace>::parts_of(rows, m_features.columns(), is_large ? *m_processes : single_process);
  m_own_rows = m_parts.rows_of(m_parts.own());
}

template <class ExecutionSpace, class Features, class Loss>
void GeneralizedLinear<ExecutionSpace, Features, Loss>::draw(const SampleRange& sample) {
  check_positive_integer("sample size", sample.size);
  reserve(m_drawn, "sporos::classification::drawn_rows", sample.size);
  select({m_drawn.data(), sample.size});
  const std::int64_t first = m_parts.place(m_parts.own().first);
  using Drawer = impl::RowDrawer<ExecutionSpace>;
  constexpr double of_row = 3;
  for_each_index("sporos::classification::draw", m_space, (m_own_rows.count + Drawer::width - 1) / Drawer::width,
                 of_row * Drawer::width,
                 Drawer{sample.seed, sample.first + static_cast<std::uint64_t>(first),
                        static_cast<std::uint64_t>(rows()), m_own_rows.count, m_drawn.data() + first});
}

template <class ExecutionSpace, class Features, class Loss>
double GeneralizedLinear<ExecutionSpace, Features, Loss>::objective(const ConstVector<ExecutionSpace>& w) {
  reserve_rows(m_row_values);
  for_each_row(w, impl::LabelledFinisher<Loss::value>{m_row_values.data(), {m_labels.data(), m_own_rows}});
  return penalized_mean(m_row_values, w);
}

// Each chunk lies within one part, and there are enough chunks for the threads of a device.
template <class ExecutionSpace, class Features, class Loss>
double GeneralizedLinear<ExecutionSpace, Features, Loss>::mean(const Vector<ExecutionSpace>& losses) const {
  constexpr std::size_t chunks_of_part = 32;
  const auto used = std::make_pair(std::int64_t{0}, m_own_rows.count);
  const std::vector<double> chunks = chunk_sums<ExecutionSpace>(
      m_space, Kokkos::subview(losses, used), m_parts.rows_of_part() / static_cast<std::int64_t>(chunks_of_part));
  std::vector<double> own(static_cast<std::size_t>(m_parts.own().count())), all(max_parts);
  for (std::size_t i = 0; i < chunks.size(); ++i) own[i / chunks_of_part] += chunks[i];
  std::vector<std::int64_t> counts;
  Processes& processes = m_parts.processes();
  for (int rank = 0; rank < processes.count(); ++rank) counts.push_back(m_parts.of_process(rank).count());
  gather_into(all.data(), processes, std::span<const double>(own), std::move(counts));
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(sample_size());
}

template <class ExecutionSpace, class Features, class Loss>
double GeneralizedLinear<ExecutionSpace, Features, Loss>::penalized_mean(const Vector<ExecutionSpace>& losses,
                                                                         const ConstVector<ExecutionSpace>& w) const {
  const double mean_loss = mean(losses);
  if (m_options.penalty == 0) return mean_loss;
  const ConstVector<ExecutionSpace> weights = Kokkos::subview(w, std::make_pair(std::int64_t{0}, m_features.columns()));
  return mean_loss + 0.5 * m_options.penalty * dot<ExecutionSpace>(m_space, weights, weights);
}

// Evaluates a small sample of packed rows on a host in one kernel, which calls evaluate(team, problem, scratch). It
// takes about as long as `gradients` gradients. Returns false if the features or the sample do not permit this.
template <class ExecutionSpace, class Features, class Loss>
template <class Evaluate>
bool GeneralizedLinear<ExecutionSpace, Features, Loss>::run_in_threads(double gradients, const Evaluate& evaluate) {
  if constexpr (are_packed<Features> && sporos::runs_on_host<ExecutionSpace>) {
    const LinearInThreads<Loss> problem = in_threads();
    if (m_own_rows.count > problem.most_replications || m_own_rows.count < sample_size()) return false;
    const HostTeamWork work{gradients * problem.nanoseconds(m_own_rows.count), 1, problem.most_threads()};
    reserve(m_scratch, "sporos::classification::scratch", problem.scratch(HostTeam::max_threads(m_space, work)));
    double* const scratch = m_scratch.data();
    m_team.for_each_thread("sporos::classification::in_threads", m_space, work,
                           [=](const auto& team) { evaluate(team, problem, scratch); });
    return true;
  } else {
    return false;
  }
}

template <class ExecutionSpace, class Features, class Loss>
void GeneralizedLinear<ExecutionSpace, Features, Loss>::gradient(const ConstVector<ExecutionSpace>& w,
                                                                 const Vector<ExecutionSpace>& g) {
  const RowSelection own = m_own_rows;
  const double* const x = w.data();
  double* const out = g.data();
  if (run_in_threads(1, [=](const auto& team, const auto& problem, double* scratch) {
        problem.gradient(team, own, x, out, scratch);
      })) {
    return;
  }
  reserve_rows(m_row_values);
  for_each_row(w, impl::LabelledFinisher<Loss::derivative>{m_row_values.data(), {m_labels.data(), m_own_rows}});
  add_rows_up(w, g);
}

template <class ExecutionSpace, class Features, class Loss>
double GeneralizedLinear<ExecutionSpace, Features, Loss>::objective_and_gradient(const ConstVector<ExecutionSpace>& w,
                                                                                 const Vector<ExecutionSpace>& g) {
  reserve_rows(m_row_values);
  reserve_rows(m_row_losses);
  for_each_row(w, impl::JointFinisher<Loss>{{m_row_values.data(), {m_labels.data(), m_own_rows}}, m_row_losses.data()});
  add_rows_up(w, g);
  return penalized_mean(m_row_losses, w);
}

template <class ExecutionSpace, class Features, class Loss>
void GeneralizedLinear<ExecutionSpace, Features, Loss>::hessian_product(const ConstVector<ExecutionSpace>& w,
                                                                        const ConstVector<ExecutionSpace>& v,
                                                                        const Vector<ExecutionSpace>& out) {
  const RowSelection own = m_own_rows;
  const double *const x = w.data(), *const direction = v.data();
  double* const products = out.data();
  if (run_in_threads(1.5, [=](const auto& team, const auto& problem, double* scratch) {
        problem.hessian_product(team, own, x, direction, products, scratch);
      })) {
    return;
  }
  reserve_rows(m_row_values);
  for_each_row(w, impl::LabelledFinisher<Loss::curvature>{m_row_values.data(), {m_labels.data(), m_own_rows}});
  for_each_row(v, impl::WeightingFinisher{m_row_values.data()});
  add_rows_up(v, out);
}

template <class ExecutionSpace, class Features, class Loss>
template <class OtherFeatures>
void GeneralizedLinear<ExecutionSpace, Features, Loss>::predict(const OtherFeatures& features,
                                                                const ConstVector<ExecutionSpace>& w,
                                                                const Vector<ExecutionSpace>& means) const {
  if (features.columns() != m_features.columns()) {
    sporos::impl::refuse_parameter("number of features", std::to_string(features.columns()),
                                   std::to_string(m_features.columns()));
  }
  for_each_margin(m_space, features, RowSelection{nullptr, features.rows()}, predictor(w),
                  impl::MeanFinisher<Loss>{means.data()});
}

template <class ExecutionSpace, class Features, class Loss>
void GeneralizedLinear<ExecutionSpace, Features, Loss>::add_rows_up(const ConstVector<ExecutionSpace>& penalized,
                                                                    const Vector<ExecutionSpace>& out) {
  m_sums.add_up(m_space, m_features, m_parts, m_row_values.data());
  using Finisher = impl::SumFinisher<ExecutionSpace, typename ColumnSums<ExecutionSpace>::Handle>;
  const std::int64_t tasks = (m_features.columns() + Finisher::width - 1) / Finisher::width;
  const double of_task =
      2 * static_cast<double>(Finisher::width * m_sums.handle().order.count) * sporos::impl::nanoseconds_of_element;
  for_each_index("sporos::classification::finish", m_space, tasks, of_task,
                 Finisher{m_sums.handle(), m_features.columns(), dimension(), 1.0 / static_cast<double>(sample_size()),
                          m_options.penalty, penalized.data(), out.data()});
}

}  // namespace sporos::models
