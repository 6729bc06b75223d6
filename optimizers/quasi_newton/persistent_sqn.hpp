// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/persistent_kernel.hpp>
#include <sporos/core/linear_algebra/persistent_teams.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/persistent_sqn_kernel.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn_samples.hpp>
#include <sporos/optimizers/quasi_newton/sqn_standing.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Iterations of sqn in persistent kernels of up to a thousand each. The results agree with SqnSteps up to rounding. It
/// requires a PersistentTeamProblem that is small enough.
template <class SomeProblem>
class PersistentSqn {
 public:
  using Problem = SomeProblem;                      ///< Type of the problem being solved.
  using Space = typename Problem::execution_space;  ///< Execution space of the vectors.

  /// Whether the options are supported and the device holds all teams at once.
  static bool can(const Problem& problem, const SqnOptions& options);

  /// Resumes a run from `state`; requires `can`.
  PersistentSqn(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options);

  /// Runs the iterations of one kernel, none beyond `last`. Returns whether x is finite, as far as it was checked.
  /// Blocks, also while others run a persistent kernel on this device.
  /// @throws std::runtime_error if the kernel did not run, or a team waited too long for another; it cannot be resumed
  /// then.
  bool advance(std::int64_t last);

  const SqnStanding& standing() const { return m_state.now; }                             ///< See SqnSteps.
  const Vector<Space>& x() const { return m_x; }                                          ///< See SqnSteps.
  QuasiNewtonCounts counts() const { return added(m_state.now.counts, m_state.counts); }  ///< See SqnSteps.
  Vector<Space> gradient();                                                               ///< See SqnSteps.
  void keep();                                                                            ///< See SqnSteps.
  void take_back();                                                                       ///< See SqnSteps.
  QuasiNewtonState state() const;                                                         ///< See SqnSteps.

 private:
  using Kernel = PersistentSqnKernel<decltype(std::declval<const Problem&>().in_teams())>;
  using Memory = Kokkos::View<PersistentSqnMemory, typename Space::memory_space>;
  static constexpr std::int64_t max_iterations = 1000;  // per kernel

  static TeamPartition partition_of(const Problem& problem) { return TeamPartition::of<Space>(problem.dimension()); }
  static ExchangeBuffer buffer_of(const SqnOptions& options) { return {nullptr, Kernel::exchanged(options)}; }
  Vector<Space> vector(std::int64_t index) const {
    const std::int64_t d = m_problem.dimension();
    return Kokkos::subview(m_vectors, std::make_pair(index * d, (index + 1) * d));
  }
  void set(std::int64_t index, const std::vector<double>& values) const;
  StoredPairs pairs() const;
  void make_kernel();

  Problem& m_problem;
  const SqnOptions& m_options;
  PersistentSqnState m_state;
  Vector<Space> m_vectors, m_products;  // vectors of SqnVectors, then s and y of pairs
  Kokkos::View<std::uint64_t*, typename Space::memory_space> m_words;
  Memory m_memory;  // copy of m_state for the kernel
  Kernel m_kernel;
  Vector<Space> m_x, m_sum, m_good_x, m_good_sum;
};

template <class Problem>
bool PersistentSqn<Problem>::can(const Problem& problem, const SqnOptions& options) {
  constexpr std::int64_t max_pairs = 64, max_rows = 4096;  // limits of scratch memory, which also exclude overflow
  if (options.pair_source != PairSource::hessian_products || options.step_rule == SqnStepRule::line_search)
    return false;
  if (options.pairs.memory > max_pairs || std::max(options.batch_size, options.hessian_batch_size) > max_rows) {
    return false;
  }
  const TeamPartition partition = partition_of(problem);
  const std::int64_t scratch = Kernel::scratch(options, partition, buffer_of(options));
  return can_be_resident(problem.execution(), partition.teams, scratch, Kernel{});
}

template <class Problem>
PersistentSqn<Problem>::PersistentSqn(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options)
    : m_problem(problem),
      m_options(options),
      m_memory(Kokkos::view_alloc(problem.execution(), "sporos::quasi_newton::persistent_state")) {
  check(state.pairs, options.pairs.memory, problem.dimension());
  make_kernel();
  m_state.now = standing_of(state);
  m_state.unknown = static_cast<std::int64_t>(state.pairs.size());
  m_state.has_average = !state.average.empty();
  set(0, state.solution);
  set(1, state.sum);
  set(2, state.average);
  for (std::size_t i = 0; i < state.pairs.size(); ++i) {
    const auto slot = static_cast<std::int64_t>(i);
    set(SqnVectors::count + slot, state.pairs[i].s);
    set(SqnVectors::count + options.pairs.memory + slot, state.pairs[i].y);
  }
  keep();
}

template <class Problem>
void PersistentSqn<Problem>::make_kernel() {
  const std::int64_t d = m_problem.dimension(), memory = m_options.pairs.memory;
  const TeamPartition partition = partition_of(m_problem);
  ExchangeBuffer buffer = buffer_of(m_options);
  const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  m_vectors = Vector<Space>(Kokkos::view_alloc(m_problem.execution(), "sporos::quasi_newton::vectors"),
                            size((SqnVectors::count + 2 * memory) * d));
  m_products = Vector<Space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::quasi_newton::products"),
                             size(partition.teams * PairProducts::size(memory)));
  m_words = decltype(m_words)(Kokkos::view_alloc(m_problem.execution(), "sporos::quasi_newton::exchange"),
                              size(ExchangeBuffer::size(partition, buffer.most)));
  buffer.words = m_words.data();
  buffer.timed_out = &m_memory.data()->timed_out;
  m_x = vector(0);
  m_sum = vector(1);
  m_good_x = vector(8);
  m_good_sum = vector(9);
  const auto at = [&](std::int64_t index) { return m_vectors.data() + index * d; };
  const SqnVectors vectors{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9)};
  const auto scratch = static_cast<int>(Kernel::scratch(m_options, partition, buffer));
  m_kernel =
      Kernel{m_problem.in_teams(),    m_options, partition, buffer, vectors, at(SqnVectors::count), m_products.data(),
             &m_memory.data()->state, 0,         scratch};
}

template <class Problem>
void PersistentSqn<Problem>::set(std::int64_t index, const std::vector<double>& values) const {
  if (values.empty()) return;
  copy_elements(m_problem.execution(), vector(index), values);
  m_problem.execution().fence();
}

template <class Problem>
bool PersistentSqn<Problem>::advance(std::int64_t last) {
  const Space& space = m_problem.execution();
  PersistentSqnMemory memory{m_state};
  const Kokkos::View<PersistentSqnMemory, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> here(&memory);
  m_kernel.last = std::min(last, m_state.now.iteration + max_iterations);
  copy_elements(space, m_memory, here);
  const auto lock = lock_persistent_kernels(space);
  Kokkos::parallel_for("sporos::quasi_newton::iterations",
                       persistent_policy(space, m_kernel.partition.teams, m_kernel.scratch_bytes), m_kernel);
  check_launches<Space>();
  copy_elements(space, here, m_memory);
  space.fence();
  m_kernel.buffer.check_time(memory.timed_out);
  m_state = memory.state;
  return m_state.is_finite;
}

template <class Problem>
Vector<typename Problem::execution_space> PersistentSqn<Problem>::gradient() {
  m_problem.draw(m_options.evaluation_size > 0 ? evaluation_sample(m_options)
                                               : gradient_sample(m_options, m_state.now.iteration + 1));
  const Vector<Space> gradient = vector(5);
  m_problem.gradient(m_x, gradient);
  return gradient;
}

template <class Problem>
void PersistentSqn<Problem>::keep() {
  copy_elements(m_problem.execution(), m_good_x, m_x);
  copy_elements(m_problem.execution(), m_good_sum, m_sum);
  m_state.good = m_state.now;
}

template <class Problem>
void PersistentSqn<Problem>::take_back() {
  std::swap(m_x, m_good_x);
  std::swap(m_sum, m_good_sum);
  m_state.now = m_state.good;
}

template <class Problem>
StoredPairs PersistentSqn<Problem>::pairs() const {
  const std::int64_t memory = m_options.pairs.memory, d = m_problem.dimension();
  return {m_kernel.pairs, m_kernel.pairs + memory * d, d, d, memory, m_state.oldest, m_state.count + m_state.unknown};
}

template <class Problem>
QuasiNewtonState PersistentSqn<Problem>::state() const {
  QuasiNewtonState state = state_at(m_state.now, counts());
  const Space& space = m_problem.execution();
  state.solution = to_host<Space>(space, m_x);
  state.sum = to_host<Space>(space, m_sum);
  if (m_state.has_average) state.average = to_host<Space>(space, vector(2));
  state.pairs = pairs_to_host<Space>(pairs());
  return state;
}

}  // namespace sporos::impl
