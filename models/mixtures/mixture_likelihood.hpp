// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/persistent_kernel.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/execution/team_policy.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/mixtures/bin_kernels.hpp>
#include <sporos/models/mixtures/chunk_exchange.hpp>
#include <sporos/models/mixtures/mixture_batch.hpp>
#include <sporos/models/mixtures/mixture_kernels.hpp>
#include <sporos/models/mixtures/observations.hpp>
#include <sporos/models/mixtures/padded_observations.hpp>
#include <sporos/models/mixtures/team_likelihood.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

namespace sporos::models {

/// Log-likelihood of normal mixtures over one sample: Cheng (2014), Massively parallel programming in statistical
/// optimization & simulation, (1) and section 3.2. One launch evaluates any number of mixtures:
///
///     L(θ) = Σ_i w_i ln f(y_i; θ);   for bins, Σ_b n_b ln P(e_b < Y <= e_{b+1}; θ).
///
/// If the density of an observation underflows, its logarithm is computed by log-sum-exp, so every L is finite. A
/// deviation below smallest_deviation<Real> gives NaN. `Real` is the type of stored observations and of densities. In
/// float, sums are compensated, and the error of L is some 1e-6 |L|; in double it is 1e-13 |L|.
///
/// Repeated runs on a backend give the same bits for a mixture, whatever the other mixtures of its batch, the number of
/// threads and the number of processes. Memory besides the sample: 8 (3 k + 1) bytes for each mixture and 2048
/// observations.
///
/// Several processes may share the work on a sample. All of them construct it and evaluate the same mixtures; each
/// computes its part of the sample, and all get the sums. An evaluation is then collective and blocks. On a device,
/// each process computes everything if that takes less time than the exchange of sums.
template <class ExecutionSpace, class Real = double>
class MixtureLikelihood {
 public:
  using execution_space = ExecutionSpace;  ///< execution space of the kernels

  /// Takes individual observations. @throws std::invalid_argument in the same cases as check(Observations), and, if
  /// `Real` is float, for observations more than 1e30 away from the mean.
  explicit MixtureLikelihood(const Observations& sample, const ExecutionSpace& space = ExecutionSpace(),
                             Processes& processes = single_process);

  /// Takes several samples of equal size, one per row; MixtureBatch::samples assigns one to each mixture. This call
  /// blocks. @throws std::invalid_argument if there are no rows or no columns.
  explicit MixtureLikelihood(const RowMatrix<ExecutionSpace>& samples, const ExecutionSpace& space = ExecutionSpace(),
                             Processes& processes = single_process);

  /// Takes a histogram, which is always processed in double. @throws std::invalid_argument in the same cases as
  /// check(BinnedObservations).
  explicit MixtureLikelihood(const BinnedObservations& sample, const ExecutionSpace& space = ExecutionSpace(),
                             Processes& processes = single_process);

  /// Instance of the execution space on which the kernels run.
  const ExecutionSpace& execution() const { return m_space; }

  /// Processes that share the work.
  Processes& processes() const { return *m_processes; }

  /// Whether the sample is a histogram.
  bool is_binned() const { return m_bins.has_value(); }

  /// Σ w_i, which is the number of observations if each counts once; for bins Σ n_b.
  double total_weight() const { return m_total_weight; }

  /// Writes values(m) = L for each selected mixture m. Does not block.
  void evaluate(const MixtureBatch<ExecutionSpace>& mixtures, const Vector<ExecutionSpace>& values) {
    evaluate_then(mixtures, values, impl::NothingThen());
  }

  /// Also writes row m of `sums`: for each of k components Σ w r, then for each Σ w r z, then for each Σ w r z². Here r
  /// is the component's responsibility, its share of the density at the observation, and z the distance from its mean
  /// in deviations. These sums give ∂L/∂ ln w_c = Σ w r, ∂L/∂μ_c = Σ w r z / σ_c, ∂L/∂ ln σ_c = Σ w r z² − Σ w r, and a
  /// step of EM. `sums` has 3 columns for each component of the largest mixture.
  void evaluate(const MixtureBatch<ExecutionSpace>& mixtures, const Vector<ExecutionSpace>& values,
                const RowMatrix<ExecutionSpace>& sums) {
    evaluate_then(mixtures, values, sums, impl::NothingThen());
  }

  /// Evaluates mixtures and calls `then(team, m, values(m))` once values(m) is set. One team per mixture m calls it; on
  /// a device, this is the last team that worked on the mixture. Thus an iteration of a method takes one launch.
  /// Mixtures for which `then.is_open(m)` is false when the launch begins are skipped. `then` is a small copyable
  /// functor for Kokkos::TeamPolicy<ExecutionSpace>::member_type, and may change the data of mixture m. The team has
  /// `then.scratch_bytes()` bytes of level-0 scratch for it.
  template <class Then>
  void evaluate_then(const MixtureBatch<ExecutionSpace>& mixtures, const Vector<ExecutionSpace>& values,
                     const Then& then) {
    launch<false>(mixtures, {values, {}}, then);
  }

  /// Does the same with sums.
  template <class Then>
  void evaluate_then(const MixtureBatch<ExecutionSpace>& mixtures, const Vector<ExecutionSpace>& values,
                     const RowMatrix<ExecutionSpace>& sums, const Then& then) {
    launch<true>(mixtures, {values, sums}, then);
  }

 private:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

  template <bool has_sums, class Then>
  void launch(const MixtureBatch<ExecutionSpace>& mixtures, const impl::LikelihoodResults<ExecutionSpace>& results,
              const Then& then);
  template <bool has_sums, class Then>
  void launch_teams(const MixtureBatch<ExecutionSpace>& mixtures,
                    const impl::LikelihoodResults<ExecutionSpace>& results, const Then& then);
  // Returns at least `count` words, which are `none` between launches.
  Kokkos::View<std::uint64_t*, MemorySpace> words(std::size_t count, std::uint64_t none);
  // Columns of a chunk.
  template <bool has_sums>
  static std::size_t columns_of(const MixtureBatch<ExecutionSpace>& mixtures) {
    return has_sums ? 1 + mixtures.parameters.extent(1) : 1;
  }
  template <bool has_sums>
  impl::LikelihoodTasks<ExecutionSpace> tasks_of(const MixtureBatch<ExecutionSpace>& mixtures, std::int64_t chunks);

  ExecutionSpace m_space;
  Processes* m_processes;
  double m_total_weight;
  std::optional<impl::PointData<ExecutionSpace, Real>> m_points;
  std::optional<impl::BinData<ExecutionSpace>> m_bins;  // exactly one of m_points and m_bins has a value
  RowMatrix<ExecutionSpace> m_numbers;
  Kokkos::View<std::int32_t*, MemorySpace> m_finished;
  Kokkos::View<std::uint64_t*, MemorySpace> m_words;
};

/// Returns L of one mixture. This call blocks.
template <class ExecutionSpace, class Real>
double log_likelihood(MixtureLikelihood<ExecutionSpace, Real>& likelihood, const NormalMixture& mixture) {
  const Vector<ExecutionSpace> value(Kokkos::view_alloc(likelihood.execution(), "sporos::mixtures::value"), 1);
  likelihood.evaluate(to_batch<ExecutionSpace>({mixture}), value);
  return value_at<ExecutionSpace>(likelihood.execution(), value, 0);
}

template <class ExecutionSpace, class Real>
MixtureLikelihood<ExecutionSpace, Real>::MixtureLikelihood(const Observations& sample, const ExecutionSpace& space,
                                                           Processes& processes)
    : m_space(space), m_processes(&processes) {
  check(sample);
  constexpr auto block = static_cast<std::size_t>(impl::PointData<ExecutionSpace, Real>::block);
  double center = 0;  // in float, the mean is subtracted to preserve digits
  if constexpr (std::is_same_v<Real, float>) {
    center = moments(sample).mean;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
      sporos::impl::check_parameter(std::abs(sample.values[i] - center) < 1e30, impl::numbered("observation", i),
                                    sample.values[i], "a number within 1e30 of the mean in single precision");
    }
  }
  const auto size = static_cast<std::int64_t>(sample.values.size());
  check_memory<MemorySpace>({"values and weights", size, "observations", 2 * sizeof(Real)});
  const std::vector<double> weights =
      sample.weights.empty() ? std::vector<double>(sample.values.size(), 1.0) : sample.weights;
  m_total_weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  m_points = impl::PointData<ExecutionSpace, Real>{
      impl::padded_view<Real, MemorySpace>("sporos::mixtures::observations", sample.values, center,
                                           sample.values.back(), block),
      impl::padded_view<Real, MemorySpace>("sporos::mixtures::weights", weights, 0, 0, block), center};
}

template <class ExecutionSpace, class Real>
MixtureLikelihood<ExecutionSpace, Real>::MixtureLikelihood(const RowMatrix<ExecutionSpace>& samples,
                                                           const ExecutionSpace& space, Processes& processes)
    : m_space(space), m_processes(&processes), m_total_weight(static_cast<double>(samples.extent(1))) {
  const std::size_t rows = samples.extent(0), observations = samples.extent(1);
  if (rows == 0) sporos::impl::refuse_parameter("number of samples", "0", "at least 1");
  if (observations == 0) sporos::impl::refuse_parameter("number of observations", "0", "at least 1");
  constexpr auto block = static_cast<std::size_t>(impl::PointData<ExecutionSpace, Real>::block);
  const auto weights = impl::padded_view<Real, MemorySpace>("sporos::mixtures::weights",
                                                            std::vector<double>(observations, 1.0), 0, 0, block);
  double center = 0;
  if constexpr (std::is_same_v<Real, float>) {
    const auto first =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(samples, 0, Kokkos::ALL));
    center = moments({{first.data(), first.data() + observations}}).mean;
  }
  const auto bytes_of_sample = static_cast<double>(weights.extent(0)) * sizeof(Real);
  check_memory<MemorySpace>({"observations", static_cast<std::int64_t>(rows), "samples", bytes_of_sample});
  const Kokkos::View<Real*, MemorySpace> values(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::mixtures::observations"), rows * weights.extent(0));
  Kokkos::parallel_for(
      "sporos::mixtures::pad", Policy(m_space, 0, static_cast<std::int64_t>(values.extent(0))),
      impl::SampleRows<ExecutionSpace, Real>{samples, center, static_cast<std::int64_t>(weights.extent(0)), values});
  m_space.fence();
  m_points = impl::PointData<ExecutionSpace, Real>{values, weights, center};
}

template <class ExecutionSpace, class Real>
MixtureLikelihood<ExecutionSpace, Real>::MixtureLikelihood(const BinnedObservations& sample,
                                                           const ExecutionSpace& space, Processes& processes)
    : m_space(space), m_processes(&processes) {
  check(sample);
  m_total_weight = std::accumulate(sample.counts.begin(), sample.counts.end(), 0.0);
  m_bins =
      impl::BinData<ExecutionSpace>{sporos::impl::table_view<MemorySpace>("sporos::mixtures::edges", sample.edges),
                                    sporos::impl::table_view<MemorySpace>("sporos::mixtures::counts", sample.counts)};
}

template <class ExecutionSpace, class Real>
template <bool has_sums>
impl::LikelihoodTasks<ExecutionSpace> MixtureLikelihood<ExecutionSpace, Real>::tasks_of(
    const MixtureBatch<ExecutionSpace>& mixtures, std::int64_t chunks) {
  const auto rows = static_cast<std::size_t>(mixtures.size() * chunks);
  const std::size_t columns = columns_of<has_sums>(mixtures);
  if (m_numbers.extent(0) < rows || m_numbers.extent(1) < columns) {
    m_numbers = {};  // frees the old matrix first
    m_numbers = RowMatrix<ExecutionSpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::mixtures::numbers"),
                                          rows, columns);
  }
  // A single chunk is not worth sharing. On a device, all chunks of a launch together must take longer than the
  // exchange through the hosts, some 0.1 ms: 2^17 chunks of 256 observations under ten components take three times as
  // long.
  constexpr std::int64_t fewest_shared = runs_on_host<ExecutionSpace> ? 2 : 1 << 17;
  const bool is_shared = chunks > 1 && mixtures.size() * chunks >= fewest_shared;
  const PartRange own = is_shared ? parts_of_process(*m_processes, m_processes->rank(), chunks) : PartRange{0, chunks};
  return {mixtures, chunks, own.first, own.count(), m_numbers};
}

template <class ExecutionSpace, class Real>
template <bool has_sums, class Then>
void MixtureLikelihood<ExecutionSpace, Real>::launch(const MixtureBatch<ExecutionSpace>& mixtures,
                                                     const impl::LikelihoodResults<ExecutionSpace>& results,
                                                     const Then& then) {
  // On a device, the launch that computes chunks of observations also adds them up, since a launch costs as much as a
  // likelihood. On a host, a thread processes a chunk in vector registers.
  if constexpr (!runs_on_host<ExecutionSpace>) {
    if (m_points) return launch_teams<has_sums>(mixtures, results, then);
  }
  const std::int64_t chunks = m_points ? m_points->chunks() : m_bins->chunks();
  const auto tasks = tasks_of<has_sums>(mixtures, chunks);
  if constexpr (runs_on_host<ExecutionSpace>) {
    if (m_points) {
      Kokkos::parallel_for(
          "sporos::mixtures::observations",
          Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(m_space, 0, tasks.size()),
          impl::HostLikelihood<ExecutionSpace, Real, has_sums, Then>{*m_points, tasks, then});
    }
  }
  if (m_bins) {
    Kokkos::parallel_for("sporos::mixtures::bins", Policy(m_space, 0, tasks.size()),
                         impl::BinLikelihood<ExecutionSpace, has_sums, Then>{*m_bins, tasks, then});
  }
  if (!tasks.are_whole()) impl::exchange_chunks(*m_processes, m_space, tasks, columns_of<has_sums>(mixtures));
  const auto scratch = Kokkos::PerTeam(static_cast<int>(then.scratch_bytes()));
  Kokkos::parallel_for("sporos::mixtures::add_chunks",
                       team_policy(m_space, mixtures.size()).set_scratch_size(0, scratch),
                       impl::ChunkAdder<ExecutionSpace, has_sums, Then>{tasks, results, then});
}

template <class ExecutionSpace, class Real>
Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space> MixtureLikelihood<ExecutionSpace, Real>::words(
    std::size_t count, std::uint64_t none) {
  if (m_words.extent(0) < count) {
    m_words =
        decltype(m_words)(Kokkos::view_alloc(m_space, Kokkos::WithoutInitializing, "sporos::mixtures::words"), count);
    Kokkos::deep_copy(m_space, m_words, none);
  }
  return m_words;
}

template <class ExecutionSpace, class Real>
template <bool has_sums, class Then>
void MixtureLikelihood<ExecutionSpace, Real>::launch_teams(const MixtureBatch<ExecutionSpace>& mixtures,
                                                           const impl::LikelihoodResults<ExecutionSpace>& results,
                                                           const Then& then) {
  using Teams = impl::TeamLikelihood<ExecutionSpace, Real, has_sums, Then>;
  const std::int64_t chunks = (m_points->size() + Teams::chunk - 1) / Teams::chunk, size = mixtures.size();
  if (static_cast<std::int64_t>(m_finished.extent(0)) < size) {
    m_finished =
        decltype(m_finished)(Kokkos::view_alloc(m_space, "sporos::mixtures::finished"), static_cast<std::size_t>(size));
  }
  const std::int64_t many = m_space.concurrency() / (Teams::fraction * Teams::threads);
  const auto tasks = tasks_of<has_sums>(mixtures, chunks);
  const std::int64_t share = impl::chunks_of_team(tasks.size(), many, Teams::Memory::max_chunks);
  Teams teams{{}, *m_points, tasks, results, m_finished, {}, static_cast<std::int32_t>(share), then};
  const auto all_teams = static_cast<int>(size * teams.parts());
  if (!has_sums && tasks.are_whole() && all_teams <= sporos::impl::multiprocessors(m_space)) {
    teams.words = words(static_cast<std::size_t>(size * chunks), Teams::no_sum);
  }
  using Bounds = Kokkos::LaunchBounds<Teams::threads, Teams::at_once>;
  const auto run = [&](auto policy) {
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(teams.scratch_bytes() + then.scratch_bytes())));
    // Passes the kernel as an argument. With constant memory, a launch would wait for the one before it.
    Kokkos::parallel_for("sporos::mixtures::observations",
                         Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight),
                         teams);
  };
  if (all_teams > 0) run(Kokkos::TeamPolicy<ExecutionSpace, Bounds>(m_space, all_teams, Teams::threads));
  if (tasks.are_whole()) return;
  impl::exchange_chunks(*m_processes, m_space, tasks, columns_of<has_sums>(mixtures));
  run(Kokkos::TeamPolicy<ExecutionSpace, Bounds, typename Teams::Add>(m_space, static_cast<int>(size), Teams::threads));
}

}  // namespace sporos::models
