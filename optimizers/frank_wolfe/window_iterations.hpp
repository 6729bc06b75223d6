// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/warp_collectives.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/optimizers/frank_wolfe/candidate_lanes.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/screening_data.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Whether derivatives are affine in the numbers that change with the iterations (see ProblemScreen).
template <class Screen>
concept HasProducts = requires(const Screen& screen, const Candidate& candidate, const double* column) {
  screen.product(column, column, candidate.stride, candidate.stride);
  screen.constant(candidate, candidate.stride);
};

/// Whether columns keep an interval of their own coordinate in which the derivative is constant (see ProblemScreen).
template <class Screen>
concept KeepsIntervals = requires {
  requires Screen::keeps_interval;
};

/// Runs the iterations of a window on its candidates, in one team. Leaves their coordinates x_j in scratch memory.
template <class Team, class Screen>
struct WindowIterations {
  const Team& team;
  const Screen& screen;
  const ScreeningData& data;
  const WindowStart& start;
  const WindowScratch& scratch;

  /// Runs the window, except by jumps. Uses the `kept` candidates in scratch memory or, if the window has one
  /// iteration, the `listed` coordinates. `reached` is a value that the smallest key does not exceed.
  KOKKOS_FUNCTION void run(std::int64_t kept, std::int64_t listed, double reached) const {
    const ScreeningWindow window = data.window_of(start);
    if (start.iterations == 1) return step_once(listed, reached, window.step(0));
    if (goes_straight(kept, reached)) return go_straight(window);
    const std::int64_t stride = data.columns_fit(kept) ? kept : data.max_candidates;
    double* const columns = data.columns_fit(kept) ? scratch.columns : columns_of_repetition();
    load(kept, columns, stride);
    if constexpr (KeepsIntervals<Screen>) {
      step_in_intervals(static_cast<int>(kept), window, columns, stride);
    } else {
      if (kept > 0 && kept <= lane_count()) {
        if constexpr (HasProducts<Screen>) {
          if (data.products_fit(kept)) return step_by_products(kept, window, columns);
        }
        return step_in_lanes(kept, window, columns, stride);
      }
      step_by_step(kept, window, columns, stride);
    }
  }

  /// Whether one thread runs the iterations because each derivative is a step function of its own coordinate.
  KOKKOS_FUNCTION bool goes_by_jumps(std::int64_t kept, double reached) const requires HasStepwisePartials<Screen> {
    return start.iterations > 1 && !goes_straight(kept, reached) &&
           kept <= CandidateLanes<Screen>::max_of_lane * lane_count() && data.buffered_columns_fit(kept);
  }

  // Whether all steps go towards the only candidate.
  KOKKOS_FORCEINLINE_FUNCTION bool goes_straight(std::int64_t kept, double reached) const {
    return kept == 1 && reached < (data.vertices.has_origin ? 0 : Located{}.value);
  }

  // Runs a window of one iteration, for which all keys are known.
  KOKKOS_FUNCTION void step_once(std::int64_t count, double reached, double step) const {
    if (team.team_rank() != 0) return;
    const ListedCoordinate* const listed = data.listed_of(start.repetition);
    Located best;
    for (std::int64_t i = lane_index(); i < count; i += lane_count()) {
      if (listed[i].lower > reached) continue;
      const Located here{listed[i].lower == listed[i].lower ? listed[i].lower : -Located{}.value, listed[i].coordinate};
      if (here.comes_before(best)) best = here;
    }
    best = warp_min(best);
    if (lane_index() != 0) return;
    const std::int64_t j = is_origin(best) ? data.pairs[0] * 2 : best.index;
    const double before = start.x[j];
    scratch.coordinates[0] = j;
    scratch.x[0] = (1 - step) * before + (is_origin(best) ? 0 : step * amount_towards(best, data.vertices.amount(j)));
  }

  // Moves towards the only candidate, whatever its derivative.
  KOKKOS_FUNCTION void go_straight(const ScreeningWindow& window) const {
    if (team.team_rank() != 0) return;
    const std::int64_t j = scratch.coordinates[0];
    const double amount = data.vertices.amount(j);
    double x = start.x[j], step_of_lane = 0;
    for (int i = 0; i < start.iterations; ++i) {
      const int turn = i % lane_count();
      if (turn == 0) step_of_lane = window.step(i + lane_index());
      const double gamma = shuffle(step_of_lane, turn);
      x = (1 - gamma) * x + gamma * amount;
    }
    if (lane_index() == 0) scratch.x[0] = x;
  }

  KOKKOS_FORCEINLINE_FUNCTION bool is_origin(const Located& best) const {
    return best.index == Located{}.index || (data.vertices.has_origin && !(best.value < 0));
  }

  // Amount of the vertex; a NaN derivative gives NaN, so that the iterate shows it.
  KOKKOS_FORCEINLINE_FUNCTION static double amount_towards(const Located& best, double amount) {
    return best.value > -Located{}.value ? amount : best.value - best.value;
  }

  KOKKOS_FUNCTION double* columns_of_repetition() const {
    return data.columns + start.repetition * data.max_candidates * data.column_rows;
  }

  KOKKOS_FUNCTION void load(std::int64_t kept, double* columns, std::int64_t stride) const {
    for (std::int64_t c = team.team_rank(); c < kept; c += team.team_size()) {
      const std::int64_t j = scratch.coordinates[c];
      const double x = start.x[j];
      screen.load(start, Candidate{j, x, columns + c, stride, scratch.places[c], scratch.partials[c]});
      if (lane_index() != 0) continue;
      scratch.x[c] = x;
      scratch.amounts[c] = data.vertices.amount(j);
    }
    team.team_barrier();
  }

  // Runs the iterations on one thread, with at most one candidate per lane.
  KOKKOS_FUNCTION void step_in_lanes(std::int64_t kept, const ScreeningWindow& window, double* columns,
                                     std::int64_t stride) const {
    if (team.team_rank() > 0) return;
    Candidate here = candidate_of_lane(kept, columns, stride);
    screen.open(start.repetition, scratch.own, start.sample.size);
    sync_warp();
    const auto partial = [&](double x) {
      here.x = x;
      return screen.partial(here, start.sample, scratch.own);
    };
    const auto move = [&](int winner, double gamma, double amount) {
      screen.move(Candidate{0, 0, winner < 0 ? nullptr : columns + winner, stride}, start.sample.size, gamma, amount,
                  scratch.own);
    };
    iterate(kept, window, partial, move);
  }

  // Variant of step_in_lanes for steps that change a derivative by a product of two columns. The team computes all
  // products first; an iteration then takes two operations instead of two per replication.
  KOKKOS_FUNCTION void step_by_products(std::int64_t kept, const ScreeningWindow& window, double* columns) const {
    const int count = static_cast<int>(kept), lanes = team.team_size() * lane_count();
    double* const products = columns + kept * data.column_rows;
    for (int i = team.team_rank() * lane_count() + lane_index(); i < count * count; i += lanes) {
      products[i] = screen.product(columns + i / count, columns + i % count, kept, start.sample.size);
    }
    team.team_barrier();
    if (team.team_rank() > 0) return;
    const Candidate here = candidate_of_lane(kept, columns, kept);
    screen.open(start.repetition, scratch.own, start.sample.size);
    sync_warp();
    const double constant = here.column == nullptr ? 0 : screen.constant(here, start.sample.size);
    double linear = screen.partial(here, start.sample, scratch.own) - constant;
    const int lane = lane_index() < count ? lane_index() : 0;
    const auto partial = [&](double) { return linear + constant; };
    const auto move = [&](int winner, double gamma, double amount) {
      const double target = winner < 0 ? 0 : amount * products[winner * count + lane];
      linear = (1 - gamma) * linear + gamma * target;
    };
    iterate(kept, window, partial, move);
  }

  // Candidate of this lane, with a null column if it has none.
  KOKKOS_FORCEINLINE_FUNCTION Candidate candidate_of_lane(std::int64_t kept, double* columns,
                                                          std::int64_t stride) const {
    const int lane = lane_index();
    if (lane >= kept) return {0, 0, nullptr, stride};
    return {scratch.coordinates[lane], scratch.x[lane], columns + lane, stride};
  }

  // Runs the iterations on the lanes of one thread. `partial(x)` is the derivative by a lane's candidate at x.
  // `move(winner, gamma, amount)` updates it after a step towards the candidate of lane `winner`, or towards the origin
  // if that is negative.
  template <class Partial, class Move>
  KOKKOS_FORCEINLINE_FUNCTION void iterate(std::int64_t kept, const ScreeningWindow& window, const Partial& partial,
                                           const Move& move) const {
    const int lane = lane_index();
    const bool is_one = lane < kept;
    const std::int64_t coordinate = is_one ? scratch.coordinates[lane] : 0;
    const double amount_of_lane = is_one ? scratch.amounts[lane] : 0;
    double x = is_one ? scratch.x[lane] : 0, step_of_lane = 0;
    SPOROS_NOT_UNROLLED
    for (int i = 0; i < start.iterations; ++i) {
      const int turn = i % lane_count();
      if (turn == 0) step_of_lane = window.step(i + lane);
      const double gamma = shuffle(step_of_lane, turn);
      const double key = amount_of_lane * partial(x);
      Located found;
      if (is_one) found = {key == key ? key : -Located{}.value, coordinate};
      const int winner = lane_of_smallest(found);
      const double least = shuffle(found.value, winner), amount_of_winner = shuffle(amount_of_lane, winner);
      const bool to_origin = data.vertices.has_origin && !(least < 0);
      const double amount = to_origin ? 0 : amount_towards({least, 0}, amount_of_winner);
      move(to_origin ? -1 : winner, gamma, amount);
      x = (1 - gamma) * x + (lane == winner ? gamma * amount : 0);
      sync_warp();
    }
    if (is_one) scratch.x[lane] = x;
  }

  // Candidates, for the lanes of packs: their coordinates, the intervals in which their derivatives are constant, and
  // their keys.
  struct CandidatePacks {
    static constexpr int most = ScreeningData::candidate_limit;
    static_assert(most % Pack::lanes == 0);
    double x[most], low[most], high[most], keys[most];
  };

  // Runs the iterations on one host thread, which compares a pack of coordinates with their intervals at a time.
  KOKKOS_FUNCTION void step_in_intervals(int kept, const ScreeningWindow& window, double* columns,
                                         std::int64_t stride) const {
    constexpr double infinity = Located{}.value;
    CandidatePacks all;
    const int end = (kept + Pack::lanes - 1) / Pack::lanes * Pack::lanes;
    for (int c = 0; c < end; ++c) {
      all.x[c] = c < kept ? scratch.x[c] : 0;
      all.low[c] = c < kept ? infinity : -infinity;  // at first, candidates lie outside, and the others inside
      all.high[c] = all.keys[c] = infinity;
    }
    for (int i = 0; i < start.iterations; ++i) {
      const double gamma = window.step(i);
      Pack least = infinity;
      for (int c = 0; c < end; c += Pack::lanes) {
        const Pack x = Pack::load(all.x + c);
        const PackMask is_inside = (Pack::load(all.low + c) <= x) & (x < Pack::load(all.high + c));
        if (math::any(!is_inside)) find_intervals(all, c, kept - c, columns, stride);
        const Pack keys = Pack::load(all.keys + c);
        least = math::impl::chosen(keys < least, keys, least);
        ((1 - gamma) * x).store(all.x + c);
      }
      const Located best = smallest_key(all, end, least);
      if (is_origin(best)) continue;
      const auto winner = static_cast<int>(best.index);
      all.x[winner] += gamma * amount_towards(best, scratch.amounts[winner]);
    }
    for (int c = 0; c < kept; ++c) scratch.x[c] = all.x[c];
  }

  // Computes the keys of the candidates in one pack that lie outside their intervals. The first `count` numbers of the
  // pack are candidates.
  KOKKOS_FUNCTION void find_intervals(CandidatePacks& all, int first, int count, double* columns,
                                      std::int64_t stride) const {
    for (int c = first; c < first + (count < Pack::lanes ? count : Pack::lanes); ++c) {
      if (all.low[c] <= all.x[c] && all.x[c] < all.high[c]) continue;
      const Candidate here{scratch.coordinates[c], all.x[c], columns + c, stride, scratch.places[c]};
      const double key = scratch.amounts[c] * screen.partial_in_interval(start, here);
      all.keys[c] = key == key ? key : -Located{}.value;
      all.low[c] = here.column[0];
      all.high[c] = here.column[stride];
    }
  }

  // Returns the smallest key and its candidate; with equal keys, that of the lowest coordinate. `least` has the
  // smallest key of each lane.
  KOKKOS_FUNCTION Located smallest_key(const CandidatePacks& all, int end, const Pack& least) const {
    double of_lanes[Pack::lanes];
    least.store(of_lanes);
    double key = of_lanes[0];
    for (const double of_lane : of_lanes) key = of_lane < key ? of_lane : key;
    Located best{key, Located{}.index};
    if (!(key < Located{}.value)) return best;
    for (int c = 0; c < end; c += Pack::lanes) {
      if (!math::any(Pack::load(all.keys + c) == key)) continue;
      for (int k = c; k < c + Pack::lanes; ++k) {
        if (all.keys[k] != key) continue;
        const bool is_first = best.index == Located{}.index || scratch.coordinates[k] < scratch.coordinates[best.index];
        if (is_first) best.index = k;
      }
    }
    return best;
  }

  // Few candidates run on the lanes of one thread; for many candidates, threads exchange their winners.
  KOKKOS_FUNCTION void step_by_step(std::int64_t kept, const ScreeningWindow& window, double* columns,
                                    std::int64_t stride) const {
    const int rank = team.team_rank(), lanes = lane_count(), all = static_cast<int>(kept);
    const bool is_single = team.team_size() == 1 || all <= 2 * lanes;
    if (is_single && rank > 0) return;
    const int first = rank * lanes + lane_index(), step = (is_single ? 1 : team.team_size()) * lanes;
    const int end = (all + lanes - 1) / lanes * lanes;
    double* const own = scratch.own + rank * screen.room();
    screen.open(start.repetition, own, start.sample.size);
    sync_warp();
    constexpr std::uint32_t shift = ScreeningData::candidate_limit;
    double step_of_lane = 0;  // divisions are slow: the lanes compute those of many iterations at once
    for (int i = 0; i < start.iterations; ++i) {
      const int turn = i % lanes;
      if (turn == 0) step_of_lane = window.step(i + lane_index());
      const double gamma = shuffle(step_of_lane, turn);
      Located best;
      for (int c = first; c < end; c += step) {
        const bool is_one = c < all;
        const std::int64_t j = is_one ? scratch.coordinates[c] : 0;
        const Candidate here{j, is_one ? scratch.x[c] : 0, is_one ? columns + c : nullptr, stride};
        const double partial = screen.partial(here, start.sample, own);
        if (!is_one) continue;
        const double key = scratch.amounts[c] * partial;
        const Located found{key == key ? key : -Located{}.value, j * shift + c};
        if (found.comes_before(best)) best = found;
      }
      best = warp_min(best);
      if (!is_single) best = smallest_of_threads(best, i % 2);
      const bool to_origin = is_origin(best);
      const int winner = to_origin ? 0 : static_cast<int>(static_cast<std::uint32_t>(best.index) % shift);
      const double amount = to_origin ? 0 : amount_towards(best, scratch.amounts[winner]);
      screen.move(Candidate{0, 0, to_origin ? nullptr : columns + winner, stride}, start.sample.size, gamma, amount,
                  own);
      for (int c = first; c < all; c += step) {
        scratch.x[c] = (1 - gamma) * scratch.x[c] + (c == winner ? gamma * amount : 0);
      }
      sync_warp();
    }
  }

  KOKKOS_FUNCTION Located smallest_of_threads(const Located& own, std::int64_t half) const {
    Located* const shown = scratch.winners + half * team.team_size();
    if (lane_index() == 0) shown[team.team_rank()] = own;
    team.team_barrier();
    Located best;
    for (int i = lane_index(); i < team.team_size(); i += lane_count()) {
      if (shown[i].comes_before(best)) best = shown[i];
    }
    return warp_min(best);
  }
};

}  // namespace sporos::impl
