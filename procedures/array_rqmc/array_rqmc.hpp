// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_task.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/execution/timed_pieces.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/sampling/sobol.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace sporos {

/// Options of array-RQMC.
struct ArrayRqmcOptions {
  std::int64_t chains = 1024;        ///< chains of a randomization: a power of two from 2 to 2^30
  std::int64_t steps = 1;            ///< steps of each chain; at least 1
  std::int64_t randomizations = 30;  ///< number of independent estimates for the interval; at least 2
  double confidence = 0.95;          ///< confidence of the interval, in (0, 1)
  std::uint64_t seed = 1;            ///< seed of the random numbers
  bool is_random = false;            ///< whether all draws are independent: plain simulation, for comparison
};

/// Mean of a response of a Markov chain after a number of steps.
struct ArrayRqmcResult {
  double mean = 0;        ///< mean of the randomizations' estimates
  double half_width = 0;  ///< half-width of its interval, by Student
  double variance = 0;    ///< variance of one randomization's estimate
  /// Unbiased, independent estimate of each randomization. There are fewer than requested if a launch stop was
  /// requested.
  std::vector<double> estimates;
};

/// Throws std::invalid_argument if an option is out of range.
inline void check(const ArrayRqmcOptions& options) {
  const auto chains = static_cast<std::uint64_t>(options.chains);
  impl::check_parameter(options.chains >= 2 && options.chains <= (1 << 30) && std::has_single_bit(chains),
                        "number of chains", static_cast<double>(options.chains), "a power of two from 2 to 2^30");
  impl::check_whole("number of steps", static_cast<double>(options.steps), 1, 1e9);
  impl::check_whole("number of randomizations", static_cast<double>(options.randomizations), 2, 1e6);
  impl::check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                        "a number between 0 and 1");
}

namespace impl {

// Wraps the uniform of a coordinate as a draw.
class CoordinateDraw {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit CoordinateDraw(double uniform) : m_uniform(uniform) {}

  KOKKOS_FORCEINLINE_FUNCTION operator double() && { return m_uniform; }
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    return Form::from_uniform(m_uniform);
  }

 private:
  double m_uniform;
};

// Draws of one step of the chain of rank `rank`: coordinates 1, 2, … of the point of Sobol's sequence whose coordinate
// 0 has that rank. Each coordinate gets a new scrambling at each step.
struct StepInputs {
  const std::uint32_t* directions;
  std::uint64_t dimensions, seed;
  std::uint32_t rank, reversed_rank;
  bool is_random;

  KOKKOS_FUNCTION CoordinateDraw operator()(int input) const {
    if (is_random) {
      return CoordinateDraw(open_uniform(Philox4x32::block({seed, rank, static_cast<std::uint32_t>(input)}, 0)[0]));
    }
    std::uint32_t coordinate = 0;
    const std::uint32_t* direction = directions + input + 1;
    for (std::uint32_t gray = reversed_rank; gray != 0; gray >>= 1, direction += dimensions) {
      if (gray & 1u) coordinate ^= *direction;
    }
    const std::uint64_t key = design_point_seed(seed, static_cast<std::uint64_t>(input));
    return CoordinateDraw(scrambled_uniform(coordinate, ScramblingKey::of(key)));
  }
};

// Makes a step of all chains. Row r of `order` is the chain of rank r mod chains in its randomization.
template <class Chain, class ExecutionSpace>
struct ArrayStepper {
  using Memory = typename ExecutionSpace::memory_space;

  using States = Kokkos::View<typename Chain::State*, Memory>;
  using Order = Kokkos::View<std::int32_t*, Memory>;
  using Directions = Kokkos::View<std::uint32_t*, Memory>;
  using Numbers = Kokkos::View<double*, Memory>;

  Chain chain;
  States states;
  Order order;
  Directions directions;
  Numbers keys, responses;
  std::int64_t chains, first_randomization, step;
  int bits;
  std::uint64_t seed;
  bool is_random;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    if (leaves_replication_out()) return;
    const std::int64_t randomization = row / chains;
    const auto rank = static_cast<std::uint32_t>(row - randomization * chains);
    const std::int64_t place = randomization * chains + order(row);
    StepInputs inputs{
        directions.data(),
        static_cast<std::uint64_t>(Chain::input_count) + 1,
        design_point_seed(design_point_seed(seed, static_cast<std::uint64_t>(first_randomization + randomization)),
                          static_cast<std::uint64_t>(step)),
        rank,
        reversed_bits(rank) >> (32 - bits),
        is_random};
    typename Chain::State state = states(place);
    chain.step(state, inputs);
    states(place) = state;
    keys(place) = chain.key(state);
    responses(place) = chain.response(state);
  }
};

// Orders the chains of each randomization by their keys, and chains with equal keys by their indices.
inline void sort_chains(const std::vector<double>& keys, std::int64_t chains, std::vector<std::int32_t>& order) {
  if (std::any_of(keys.begin(), keys.end(), [](double key) { return key != key; })) {
    throw std::runtime_error("the key of a state is not a number");
  }
  for (std::size_t first = 0; first < keys.size(); first += static_cast<std::size_t>(chains)) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    std::iota(begin, begin + chains, 0);
    std::stable_sort(begin, begin + chains, [&](std::int32_t a, std::int32_t b) {
      return keys[first + static_cast<std::size_t>(a)] < keys[first + static_cast<std::size_t>(b)];
    });
  }
}

// Returns the estimates of these randomizations.
template <class Chain, class ExecutionSpace>
std::vector<double> array_estimates(const ExecutionSpace& space, const Chain& chain, const ArrayRqmcOptions& options,
                                    const PartRange& randomizations) {
  using Stepper = ArrayStepper<Chain, ExecutionSpace>;
  using State = typename Chain::State;
  const auto rows = static_cast<std::size_t>(randomizations.count() * options.chains);
  const std::vector<std::uint32_t> directions = sobol_directions(static_cast<int>(Chain::input_count) + 1);
  Stepper stepper{
      chain,
      typename Stepper::States(Kokkos::view_alloc(space, "sporos::array_rqmc::states"), rows),
      typename Stepper::Order(Kokkos::view_alloc(space, "sporos::array_rqmc::order"), rows),
      typename Stepper::Directions(Kokkos::view_alloc(space, "sporos::array_rqmc::directions"), directions.size()),
      typename Stepper::Numbers(Kokkos::view_alloc(space, "sporos::array_rqmc::keys"), rows),
      typename Stepper::Numbers(Kokkos::view_alloc(space, "sporos::array_rqmc::responses"), rows),
      options.chains,
      randomizations.first,
      0,
      std::countr_zero(static_cast<std::uint64_t>(options.chains)),
      options.seed,
      options.is_random};
  copy_elements(stepper.directions, directions);
  const std::vector<State> starts(rows, chain.start());
  copy_elements(stepper.states, starts);

  std::vector<double> keys(rows, 0.0);
  std::vector<std::int32_t> order(rows);
  for (; stepper.step < options.steps; ++stepper.step) {
    check_launch_stop();
    sort_chains(keys, options.chains, order);
    copy_elements(stepper.order, order);
    for_each_task(
        "sporos::array_rqmc::step",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(rows)),
        stepper);
    space.fence();
    if constexpr (runs_on_host<ExecutionSpace>) check_launch_stop();
    copy_elements(keys, stepper.keys);
  }
  std::vector<double> responses(rows);
  copy_elements(responses, stepper.responses);

  std::vector<double> estimates;
  for (std::size_t first = 0; first < rows; first += static_cast<std::size_t>(options.chains)) {
    MomentsTree of_chains;
    for (std::size_t i = 0; i < static_cast<std::size_t>(options.chains); ++i) of_chains.add(responses[first + i]);
    estimates.push_back(of_chains.total().mean);
    if (estimates.back() != estimates.back()) throw std::runtime_error("a response is not a number");
  }
  return estimates;
}

// Returns the estimates of these randomizations, made a few at a time until all are made or a launch stop is requested.
template <class Chain, class ExecutionSpace>
std::vector<double> array_estimates_in_pieces(const ExecutionSpace& space, const Chain& chain,
                                              const ArrayRqmcOptions& options, const PartRange& randomizations) {
  std::vector<double> estimates;
  const std::int64_t threads = space.concurrency();
  const std::int64_t least = std::max<std::int64_t>(2, threads / options.chains);
  for_each_timed_piece(randomizations.first, randomizations.end, least, [&](std::int64_t begin, std::int64_t end) {
    const auto of_piece = array_estimates(space, chain, options, {begin, end});
    estimates.insert(estimates.end(), of_piece.begin(), of_piece.end());
  });
  return estimates;
}

}  // namespace impl

/// Estimates the mean of a response of a Markov chain after `options.steps` steps, by array-RQMC (L'Ecuyer, Lécot,
/// Tuffin: A randomized quasi-Monte Carlo simulation method for Markov chains, Oper. Res. 56, 2008). n chains advance
/// together. Before each step they are sorted by a key, so that the chain of rank i gets the point of Sobol's sequence
/// whose first coordinate is i / n. The point's other coordinates are the chain's draws, with a new Owen scrambling for
/// each step. The variance falls faster than 1 / n if the key captures nearly all of a state. Each randomization's
/// estimate is unbiased, and the interval is Student's over them.
///
/// A chain has a State that can be copied byte by byte, inputs, from each of which a step draws once, and these const
/// device functions:
///
///     State start() const;
///     template <class Inputs> void step(State& state, Inputs& inputs) const;
///     double key(const State& state) const;
///     double response(const State& state) const;
///
/// Results are bitwise identical on every backend with any number of threads. States are in the memory space of
/// `space`; keys are sorted on the host. Processes share the randomizations, and each gets the whole result, which does
/// not depend on their number. This call is collective. If a launch stop is requested (core/execution/launch_stop.hpp),
/// the result is that of the randomizations done so far. Throws std::invalid_argument if an option is out of range,
/// std::runtime_error if a key or response is NaN, and LaunchStopped if fewer than 2 randomizations are done when a
/// launch stop is requested.
template <class Chain, class ExecutionSpace>
ArrayRqmcResult array_rqmc(const ExecutionSpace& space, const Chain& chain, const ArrayRqmcOptions& options,
                           Processes& processes = single_process) {
  static_assert(std::is_trivially_copyable_v<typename Chain::State>,
                "Sporos: the State of a chain must be trivially copyable");
  check(options);
  const PartRange mine = parts_of_process(processes, processes.rank(), options.randomizations);
  std::vector<double> estimates;
  together(processes, [&] { estimates = impl::array_estimates_in_pieces(space, chain, options, mine); });
  ArrayRqmcResult result;
  result.estimates = gather(processes, std::span<const double>(estimates));
  if (result.estimates.size() < 2) throw LaunchStopped();
  MomentsTree all;
  for (const double estimate : result.estimates) all.add(estimate);
  result.mean = all.total().mean;
  result.variance = all.total().variance();
  result.half_width = half_width(all.total(), options.confidence);
  return result;
}

}  // namespace sporos
