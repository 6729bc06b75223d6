// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/optimizers/frank_wolfe/candidate_lanes.hpp>
#include <sporos/optimizers/frank_wolfe/coordinate_order.hpp>
#include <sporos/optimizers/frank_wolfe/held_coordinates.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/screened_epochs_kernels.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sporos {

/// Runs iterations of Frank–Wolfe with known steps over a budget, for one or several repetitions.
template <ProblemScreen Screen>
class ScreenedEpochs {
 public:
  using execution_space = typename Screen::execution_space;     ///< Execution space of the kernels.
  using memory_space = typename execution_space::memory_space;  ///< Memory space of the iterates.

  /// Works on the iterates in `x`; each repetition has its own seed. Nothing else may change `x` between two runs.
  ScreenedEpochs(const execution_space& space, Screen screen, const Budget<execution_space>& region,
                 const Iterates<execution_space>& x, const Kokkos::View<std::uint64_t*, memory_space>& seeds);

  /// Runs the iterations of all parts, sample by sample. Blocks until they are done.
  void run(const std::vector<SampleIterations>& parts);

  /// Number of iterations for the next look at the first repetition's coordinates; part of the state of a run.
  std::int64_t window() const { return m_states(0).window; }
  /// Sets the window with which an earlier run ended, in order to resume it.
  void set_window(std::int64_t iterations);

 private:
  template <class Element>
  using Array = Kokkos::View<Element*, memory_space>;
  using DeviceScreen = std::remove_cvref_t<decltype(std::declval<Screen&>().on_device())>;
  using Pass = impl::ScreeningPass<execution_space, DeviceScreen>;

  static constexpr bool is_on_host = runs_on_host<execution_space>;
  // A host team is one thread, whose lanes are vector registers. On a host the cost of a look is the data it reads, so
  // it starts with few pairs and also looks at small samples in parts. On a device launch latency dominates, so it
  // reads everything at once.
  static constexpr int threads = is_on_host ? 1 : 16;  // per team
  static constexpr int lanes = is_on_host ? 1 : impl::warp_lanes;
  static constexpr std::size_t first_pairs = 64;                         // initial pairs in a look of a host
  static constexpr std::int64_t small_sample = is_on_host ? 0 : 15'000;  // draws up to which one team does all the work
  // Dimension up to which one team does all the work on pre-generated samples.
  static constexpr std::int64_t small_dimension = 2048;
  static constexpr std::int64_t buffered_bytes = std::int64_t{1} << 27;  // maximum size of pre-generated samples
  static constexpr std::int64_t max_buffered_parts = 256;
  static constexpr std::int64_t max_buffered_draws = 500'000;  // maximum to pre-generate, per sample and repetition
  static constexpr std::int64_t bytes_ahead = std::int64_t{1} << 20;  // maximum size of samples that a host draws ahead

  std::int64_t repetitions() const { return static_cast<std::int64_t>(m_x.extent(0)); }
  std::int64_t dimension() const { return static_cast<std::int64_t>(m_x.extent(1)); }

  void order_coordinates(std::int64_t sample_size);
  void make_room(std::int64_t sample_size);
  void find_held();
  std::int64_t buffer_draws(const std::vector<SampleIterations>& parts, std::int64_t first);
  std::int64_t max_parts_ahead(std::int64_t all) const;
  void run_and_draw(std::int64_t all, std::int64_t most);
  void begin_parts(std::int64_t first, std::int64_t count);
  void run_parts(std::int64_t first, std::int64_t count);
  std::int64_t parts_left() const;
  std::int64_t look_teams() const { return teams(m_data.pair_count / 2); }
  std::int64_t teams(std::int64_t work) const;
  void launch(impl::ScreeningStage stage, std::int64_t teams) const;
  template <class Kernel>
  void launch(const Kernel& kernel, std::int64_t teams, std::int64_t scratch_bytes) const;

  execution_space m_space;
  Screen m_screen;
  std::vector<double> m_limits;  // s_j
  Iterates<execution_space> m_x;
  ConstVector<execution_space> m_costs;
  Array<std::uint64_t> m_seeds;
  impl::ScreeningData m_data{};
  Kokkos::View<impl::RepetitionState*, Kokkos::HostSpace> m_states;
  Array<impl::RepetitionState> m_device_states;
  Array<SampleIterations> m_parts;
  Array<std::int64_t> m_pairs, m_held;
  Array<impl::ListedCoordinate> m_listed;
  Array<impl::BoundKey> m_bounds;
  Vector<execution_space> m_pair_floors, m_floors, m_rows, m_columns, m_own;
  // Sample size for which coordinates are ordered.
  std::int64_t m_min_sample = std::numeric_limits<std::int64_t>::max();
  std::int64_t m_largest_sample = 0;  // sample size for which memory is allocated
  bool m_buffers_draws = false;       // whether the samples being run are pre-generated
  std::int64_t m_buffered_parts = 1;  // number of samples to pre-generate next time
};

template <ProblemScreen Screen>
ScreenedEpochs<Screen>::ScreenedEpochs(const execution_space& space, Screen screen,
                                       const Budget<execution_space>& region, const Iterates<execution_space>& x,
                                       const Kokkos::View<std::uint64_t*, memory_space>& seeds)
    : m_space(space),
      m_screen(std::move(screen)),
      m_limits(impl::vertex_amounts(region)),
      m_x(x),
      m_costs(region.costs()),
      m_seeds(seeds),
      m_states(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::frank_wolfe::states_on_host"), x.extent(0)),
      m_device_states(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::frank_wolfe::states"), x.extent(0)) {
  for (std::int64_t r = 0; r < repetitions(); ++r) m_states(r) = impl::RepetitionState{};
  m_data.vertices = {region.limit(), m_costs.extent(0) > 0 ? m_costs.data() : nullptr, !region.must_be_met()};
  m_data.seeds = m_seeds.data();
  m_data.x = m_x.data();
  m_data.states = m_device_states.data();
  m_data.dimension = dimension();
  m_data.pair_count = (dimension() + 1) / 2;
  m_data.max_candidates = static_cast<std::int32_t>(std::min(dimension(), impl::ScreeningData::candidate_limit));
  const auto array = [&](auto& view, const char* label, std::int64_t size) {
    view = std::remove_cvref_t<decltype(view)>(Kokkos::view_alloc(m_space, std::string(label)),
                                               static_cast<std::size_t>(size));
    return view.data();
  };
  m_data.bounds = array(m_bounds, "sporos::frank_wolfe::bounds", repetitions() * impl::ScreeningData::groups);
  Kokkos::deep_copy(m_space, m_bounds, impl::no_bound);
  m_data.listed = array(m_listed, "sporos::frank_wolfe::listed", repetitions() * dimension());
  if (DeviceScreen::sums_holdings) find_held();
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::set_window(std::int64_t iterations) {
  for (std::int64_t r = 0; r < repetitions(); ++r) m_states(r).window = iterations;
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::find_held() {
  const std::int64_t coordinates = repetitions() * dimension();
  m_held = Array<std::int64_t>(Kokkos::view_alloc(m_space, "sporos::frank_wolfe::held"),
                               static_cast<std::size_t>(2 * coordinates));
  m_data.held = m_held.data();
  const Array<std::int64_t> places(Kokkos::view_alloc(m_space, "sporos::frank_wolfe::places"),
                                   static_cast<std::size_t>(coordinates));
  const std::int64_t count = select_indices(m_space, coordinates, impl::IsHeld{m_data.x}, places);
  copy_elements(m_space, m_device_states, m_states);
  Kokkos::parallel_for("sporos::frank_wolfe::cut_held", Kokkos::RangePolicy<execution_space>(m_space, 0, repetitions()),
                       impl::HeldCutter<execution_space>{places, m_data, count});
  copy_elements(m_space, m_states, m_device_states);
  m_space.fence();
  for (std::int64_t r = 0; r < repetitions(); ++r) {
    impl::RepetitionState state;
    state.held = m_states(r).held;
    m_states(r) = state;
  }
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::order_coordinates(std::int64_t sample_size) {
  if (sample_size >= m_min_sample) return;
  m_min_sample = sample_size;
  std::vector<double> floors = m_screen.floors(m_limits, sample_size);
  for (std::size_t j = 0; j < floors.size(); ++j) {
    const double key = m_limits[j] * floors[j];
    floors[j] = std::isnan(key) ? -std::numeric_limits<double>::infinity() : key - impl::rounding_slack * std::abs(key);
  }
  const auto pairs = static_cast<std::size_t>(m_data.pair_count);
  std::vector<double> of_pairs(pairs);
  for (std::size_t p = 0; p < pairs; ++p) {
    of_pairs[p] = 2 * p + 1 < floors.size() ? std::min(floors[2 * p], floors[2 * p + 1]) : floors[2 * p];
  }
  const auto [order, sorted] = impl::in_bins(of_pairs);
  m_floors = to_device<execution_space>(m_space, floors);
  m_pair_floors = to_device<execution_space>(m_space, sorted);
  m_pairs = Array<std::int64_t>(Kokkos::view_alloc(m_space, "sporos::frank_wolfe::pairs"), pairs);
  copy_elements(m_space, m_pairs, order);
  m_space.fence();
  m_data.floors = m_floors.data();
  m_data.pair_floors = m_pair_floors.data();
  m_data.pairs = m_pairs.data();
  // A host starts with few pairs and extends them if they prove too few.
  const bool guesses = is_on_host && first_pairs < pairs;
  const double guess = guesses ? sorted[first_pairs] : std::numeric_limits<double>::infinity();
  for (std::int64_t r = 0; r < repetitions(); ++r) {
    m_states(r).has_guess = is_on_host ? 1 : 0;
    m_states(r).guess = guess;
    m_states(r).looked_at = std::upper_bound(sorted.begin(), sorted.end(), guess) - sorted.begin();
  }
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::make_room(std::int64_t sample_size) {
  if (sample_size <= m_largest_sample) return;
  m_largest_sample = sample_size;
  m_screen.resize(sample_size);
  const auto& screen = m_screen.on_device();
  using Data = impl::ScreeningData;
  m_data.column_rows = static_cast<std::int32_t>(screen.rows(sample_size));
  if constexpr (impl::HasStepwisePartials<DeviceScreen>) {
    m_data.buffered_rows = static_cast<std::int32_t>(screen.buffered_rows(sample_size));
  }
  reserve(m_columns, "sporos::frank_wolfe::columns", repetitions() * m_data.max_candidates * m_data.column_rows);
  reserve(m_rows, "sporos::frank_wolfe::rows", repetitions() * Data::max_rows * screen.room());
  m_data.columns = m_columns.data();
  m_data.rows = m_rows.data();
  m_data.own_room = threads * screen.room();
  const bool fits = m_data.own_room <= impl::WindowScratch::most_own;
  m_data.scratch_bytes =
      static_cast<std::int32_t>(impl::WindowScratch::size(m_data.max_candidates, fits ? m_data.own_room : 0));
  if (fits) return;
  reserve(m_own, "sporos::frank_wolfe::own", repetitions() * m_data.own_room);
  m_data.large_own = m_own.data();
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::run(const std::vector<SampleIterations>& parts) {
  if (parts.empty()) return;
  const auto by_size = [](const SampleIterations& a, const SampleIterations& b) {
    return a.sample.size < b.sample.size;
  };
  const auto [least, largest] = std::minmax_element(parts.begin(), parts.end(), by_size);
  make_room(largest->sample.size);
  order_coordinates(least->sample.size);
  reserve(m_parts, "sporos::frank_wolfe::parts", static_cast<std::int64_t>(parts.size()));
  copy_elements(m_space, first_elements(m_parts, parts.size()), parts);
  const auto all = static_cast<std::int64_t>(parts.size());
  if constexpr (impl::DrawsAhead<Screen>) {
    if (const std::int64_t most = max_parts_ahead(all); most > 0) return run_and_draw(all, most);
  }
  for (std::int64_t first = 0, count = 0; first < all; first += count) {
    count = buffer_draws(parts, first);
    run_parts(first, count);
  }
}

// Pre-generates samples starting at index `first`, as far as they fit into memory, for the coordinates that a look is
// likely to need: those of the last look and a quarter more. Returns the number of samples to run. This is all of them
// if samples are not pre-generated, because they are so large that looks fill the device, or because few would fit.
template <ProblemScreen Screen>
std::int64_t ScreenedEpochs<Screen>::buffer_draws([[maybe_unused]] const std::vector<SampleIterations>& parts,
                                                  std::int64_t first) {
  const std::int64_t left = static_cast<std::int64_t>(parts.size()) - first;
  if constexpr (!impl::HasStepwisePartials<DeviceScreen>) {
    return left;
  } else {
    std::int64_t looked_at = 0;
    for (std::int64_t r = 0; r < repetitions(); ++r) looked_at = std::max(looked_at, m_states(r).looked_at);
    const std::int64_t most = buffered_bytes / (repetitions() * m_screen.buffered_bytes(m_largest_sample));
    BufferedSamples buffered{m_parts.data() + first,
                             m_seeds.data(),
                             m_pairs.data(),
                             left,
                             repetitions(),
                             std::min(m_data.pair_count, looked_at + looked_at / 4 + 64),
                             repetitions() * std::min(most, left * m_data.pair_count)};
    m_buffers_draws = most >= 4 * buffered.pairs && 2 * buffered.pairs * m_largest_sample <= max_buffered_draws;
    if (m_buffers_draws) {  // start with few samples and learn from them how many coordinates a look needs
      buffered.parts = std::min({left, m_buffered_parts, most / buffered.pairs});
      m_buffered_parts = std::min<std::int64_t>(4 * m_buffered_parts, max_buffered_parts);
    } else {
      buffered.pairs = buffered.max_pairs = 0;
    }
    m_screen.buffer_draws(m_space, buffered);
    return buffered.parts;
  }
}

// Maximum number of samples, of `all`, that idle threads of a host draw during a launch. It is 0 if a repetition has no
// idle thread, if more than two threads share its looks, or if few samples fit. For newsvendors on two threads, drawing
// ahead takes 0.65 of the time for 1000 products, 0.8 for 3000 and 1 for 5000, since looks omit more and more products.
template <ProblemScreen Screen>
std::int64_t ScreenedEpochs<Screen>::max_parts_ahead(std::int64_t all) const {
  constexpr std::int64_t few = 3;
  if (all == 1 || look_teams() > 2 || m_space.concurrency() < 2 * repetitions()) return 0;
  const std::int64_t most =
      bytes_ahead / (repetitions() * m_screen.bytes_of_draws(m_data.pair_count, m_largest_sample));
  return most < few ? 0 : most;
}

// Runs all parts, at most `most` in a launch. While one team of a repetition runs them, another draws the samples of
// the next launch. The first launch has one part only, because nothing is drawn for it.
template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::run_and_draw(std::int64_t all, std::int64_t most) {
  for (std::int64_t first = 0, count = 1; first < all;) {
    const std::int64_t next = first + count, next_count = std::min({4 * count, most, all - next});
    const BufferedSamples samples{m_parts.data() + next, m_seeds.data(),    m_pairs.data(),   next_count,
                                  repetitions(),         m_data.pair_count, m_data.pair_count};
    begin_parts(first, count);
    const Pass pass{m_screen.on_device(), m_data, impl::ScreeningStage::whole, 1};
    auto drawing = m_screen.drawing_ahead(samples, m_largest_sample);
    launch(impl::PassAndDrawing<Pass, decltype(drawing)>{pass, drawing, repetitions()}, 2 * repetitions(),
           m_data.scratch_bytes);
    copy_elements(m_space, m_states, m_device_states);
    m_space.fence();
    m_screen.use_draws(drawing);
    first = next;
    count = next_count;
  }
}

// Prepares the next launches for `count` parts starting at index `first`.
template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::begin_parts(std::int64_t first, std::int64_t count) {
  m_data.parts = m_parts.data() + first;
  m_data.part_count = count;
  for (std::int64_t r = 0; r < repetitions(); ++r) m_states(r).part = m_states(r).done = m_states(r).is_begun = 0;
  copy_elements(m_space, m_device_states, m_states);
}

// Runs `count` parts starting at index `first`.
template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::run_parts(std::int64_t first, std::int64_t count) {
  begin_parts(first, count);
  using Stage = impl::ScreeningStage;
  const std::int64_t begin_teams =
      teams(DeviceScreen::sums_holdings ? impl::ScreeningData::max_rows : dimension() / 256);
  const bool is_small = look_teams() == 1 || dimension() * m_largest_sample <= small_sample ||
                        (m_buffers_draws && dimension() <= small_dimension);
  for (std::int64_t left = m_data.part_count; left > 0; left = parts_left()) {
    // Launch as many looks as suffice if each covers a whole part; the host checks the progress afterwards.
    if (is_small) {
      launch(Stage::whole, 1);
    } else if (is_on_host) {
      for (std::int64_t look = 0; look < left; ++look) {
        launch(Stage::begin, begin_teams);
        launch(Stage::look, look_teams());
      }
      launch(Stage::begin, begin_teams);
    } else {
      for (std::int64_t look = 0; look < left + 2; ++look) launch(Stage::look, look_teams());
    }
    copy_elements(m_space, m_states, m_device_states);
    m_space.fence();
  }
}

// Number of parts still to run; a pending `begin` counts as one.
template <ProblemScreen Screen>
std::int64_t ScreenedEpochs<Screen>::parts_left() const {
  std::int64_t left = 0;
  for (std::int64_t r = 0; r < repetitions(); ++r) {
    const bool is_begun = m_states(r).is_begun != 0;
    left = std::max(left, m_data.part_count - m_states(r).part + (is_begun ? 0 : 1));
  }
  return left;
}

// Number of teams for `work` units of work per thread, limited by the capacity of the machine.
template <ProblemScreen Screen>
std::int64_t ScreenedEpochs<Screen>::teams(std::int64_t work) const {
  const std::int64_t most = is_on_host ? m_space.concurrency() : m_space.concurrency() / (4 * threads * lanes);
  const std::int64_t wanted = is_on_host ? work / 64 : work / threads;
  return std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, most / repetitions()));
}

template <ProblemScreen Screen>
void ScreenedEpochs<Screen>::launch(impl::ScreeningStage stage, std::int64_t teams) const {
  // Kokkos launches kernels of 512 bytes and more, its own 150 included, only after the host has waited for the last
  // one.
  static_assert(is_on_host || sizeof(Pass) <= 352);
  launch(Pass{m_screen.on_device(), m_data, stage, static_cast<std::int32_t>(teams)}, repetitions() * teams,
         stage == impl::ScreeningStage::begin ? 0 : m_data.scratch_bytes);
}

template <ProblemScreen Screen>
template <class Kernel>
void ScreenedEpochs<Screen>::launch(const Kernel& kernel, std::int64_t teams, std::int64_t scratch_bytes) const {
  using Policy = Kokkos::TeamPolicy<execution_space, Kokkos::LaunchBounds<static_cast<unsigned>(threads * lanes), 1>>;
  auto policy = Policy(m_space, static_cast<int>(teams), threads, lanes);
  if (scratch_bytes > 0) policy.set_scratch_size(Pass::scratch_level, Kokkos::PerTeam(scratch_bytes));
  Kokkos::parallel_for("sporos::frank_wolfe::screening", policy, kernel);
}

}  // namespace sporos
