// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/count.hpp>
#include <sporos/core/math/log.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

/// Kernels of a selection. `place` is a position in the list of survivors.
namespace sporos::impl {

template <class ExecutionSpace, class Number>
using SystemView = Kokkos::View<Number*, typename ExecutionSpace::memory_space>;

/// Sums of each system by its index: 48 bytes per system, and 8 for each kept first-stage response. Observations are
/// summed as differences from the first one, so that squares of a large mean do not hide the variance.
template <class ExecutionSpace>
struct SystemSums {
  SystemView<ExecutionSpace, std::int64_t> made;      // replications made so far
  SystemView<ExecutionSpace, std::int64_t> count;     // number of replications in the sums
  SystemView<ExecutionSpace, double> reference;       // first of these replications
  SystemView<ExecutionSpace, double> sum, squares;    // sums of differences from `reference`, in order
  SystemView<ExecutionSpace, double> variance;        // S² of the first stage
  SystemView<ExecutionSpace, double> kept_responses;  // responses of a system are contiguous
  std::int64_t kept = 0;                              // number of kept responses of each system

  KOKKOS_FUNCTION void forget(std::int64_t system) const {
    count(system) = 0;
    sum(system) = 0;
    squares(system) = 0;
  }
  KOKKOS_FUNCTION double mean(std::int64_t system) const {
    return reference(system) + sum(system) / static_cast<double>(count(system));
  }
  KOKKOS_FUNCTION double variance_of_all(std::int64_t system) const {
    const auto n = static_cast<double>(count(system));
    const double spread = squares(system) - sum(system) * sum(system) / n;
    return spread > 0 ? spread / (n - 1) : 0.0;
  }
  // Variance of the differences of two systems: from pairs of kept responses, otherwise as for independent systems.
  KOKKOS_FUNCTION double variance_of_differences(std::int64_t i, std::int64_t j) const {
    if (kept == 0) return variance(i) + variance(j);
    const double* const of_i = kept_responses.data() + i * kept;
    const double* const of_j = kept_responses.data() + j * kept;
    double mean_difference = 0, spread = 0;
    for (std::int64_t r = 0; r < kept; ++r) mean_difference += of_i[r] - of_j[r];
    mean_difference /= static_cast<double>(kept);
    for (std::int64_t r = 0; r < kept; ++r) {
      const double difference = of_i[r] - of_j[r] - mean_difference;
      spread += difference * difference;
    }
    return spread / static_cast<double>(kept - 1);
  }
};

// Allocates the sums of systems without replications, except for `made`.
template <class ExecutionSpace>
SystemSums<ExecutionSpace> system_sums(const ExecutionSpace& space, std::int64_t systems) {
  const auto size = static_cast<std::size_t>(systems);
  SystemSums<ExecutionSpace> sums;
  sums.count = SystemView<ExecutionSpace, std::int64_t>(Kokkos::view_alloc(space, "sporos::selection::count"), size);
  sums.reference = SystemView<ExecutionSpace, double>(Kokkos::view_alloc(space, "sporos::selection::reference"), size);
  sums.sum = SystemView<ExecutionSpace, double>(Kokkos::view_alloc(space, "sporos::selection::sum"), size);
  sums.squares = SystemView<ExecutionSpace, double>(Kokkos::view_alloc(space, "sporos::selection::squares"), size);
  sums.variance = SystemView<ExecutionSpace, double>(Kokkos::view_alloc(space, "sporos::selection::variance"), size);
  return sums;
}

// The survivors and their matches.
template <class ExecutionSpace>
struct SystemSurvivors {
  SystemView<ExecutionSpace, std::int64_t> systems;  // indices of the systems
  SystemView<ExecutionSpace, std::int64_t> matches;  // match of each survivor; of length 0 without matches
  std::int64_t count = 0;

  KOKKOS_FUNCTION bool are_opponents(std::int64_t place, std::int64_t other) const {
    return other >= 0 && other < count && matches(place) == matches(other);
  }
  KOKKOS_FUNCTION bool is_single(std::int64_t place) const {
    if (matches.extent(0) == 0) return false;
    return !are_opponents(place, place - 1) && !are_opponents(place, place + 1);
  }
};

template <class ExecutionSpace>
auto each_place(const ExecutionSpace& space, std::int64_t count) {
  return Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, count);
}

// Number of replications that a survivor still needs.
template <class ExecutionSpace>
struct MissingRows {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SampleSize size;
  SystemView<ExecutionSpace, std::int64_t> sizes = {};  // if not empty, sizes by position, used instead of `size`

  KOKKOS_FUNCTION double of(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    const double wanted = sizes.extent(0) > 0 ? static_cast<double>(sizes(place)) : size(sums.variance(system));
    const double missing = wanted - static_cast<double>(sums.count(system));
    return missing > 0 && !survivors.is_single(place) ? missing : 0.0;
  }
  // `lacking`: number of survivors that need some; `total`: how many they need, exact up to max_counted.
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& unfinished, double& total) const {
    const double missing = of(place);
    if (missing > 0) ++unfinished;
    total += missing;
  }
};

// Running total of the rows of each survivor, at most `most` each.
template <class ExecutionSpace>
struct RowPlanner {
  MissingRows<ExecutionSpace> missing;
  SystemView<ExecutionSpace, std::int64_t> ends;
  std::int64_t most;

  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& total, bool is_final) const {
    const std::int64_t rows = bounded_count(missing.of(place));
    total += rows < most ? rows : most;
    if (is_final) ends(place) = total;
  }
};

// Moves the kept responses of each survivor to a table with room for more.
template <class ExecutionSpace>
struct KeptMover {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, double> before;
  std::int64_t kept_before;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    for (std::int64_t r = 0; r < kept_before; ++r) {
      sums.kept_responses(system * sums.kept + r) = before(system * kept_before + r);
    }
  }
};

// Adds the rows of a launch to the sums, in the order of each system's rows. From each row it takes the number in one
// column.
template <class ExecutionSpace>
struct RowAdder {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int64_t> ends;
  SystemView<ExecutionSpace, double> responses;
  std::int64_t first, end;
  int columns, column;

  KOKKOS_FUNCTION double number(std::int64_t row) const { return responses((row - first) * columns + column); }

  // `wrong`: the smallest index of a system with a response that is not finite.
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& wrong) const {
    const std::int64_t before = place == 0 ? 0 : ends(place - 1);
    const std::int64_t from = before > first ? before : first, to = ends(place) < end ? ends(place) : end;
    if (from >= to) return;
    const std::int64_t system = survivors.systems(place);
    std::int64_t count = sums.count(system);
    double reference = count == 0 ? number(from) : sums.reference(system);
    double sum = sums.sum(system), squares = sums.squares(system);
    const auto add = [&](double response) {
      if (!(response - response == 0.0) && system < wrong) wrong = system;
      if (count < sums.kept) sums.kept_responses(system * sums.kept + count) = response;
      const double difference = response - reference;
      sum += difference;
      squares += difference * difference;
      ++count;
    };
    // A GPU then waits for memory once per block and not for each row, which matters if one system has a million rows.
    constexpr int read_at_once = 32;
    std::int64_t row = from;
    for (; row + read_at_once <= to; row += read_at_once) {
      double read[read_at_once];
      for (int i = 0; i < read_at_once; ++i) read[i] = number(row + i);
      for (int i = 0; i < read_at_once; ++i) add(read[i]);
    }
    for (; row < to; ++row) add(number(row));
    sums.count(system) = count;
    sums.reference(system) = reference;
    sums.sum(system) = sum;
    sums.squares(system) = squares;
  }
};

// Replications without a response, by system.
template <class ExecutionSpace>
struct SystemFailures {
  SystemView<ExecutionSpace, std::int64_t> count;  // number of such replications
  SystemView<ExecutionSpace, std::int64_t> first;  // number of the first of them
  SystemView<ExecutionSpace, double> mark;         // value that it has instead of a response
};

// Counts the replications of a launch that have no response.
template <class ExecutionSpace>
struct FailureCounter {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int64_t> ends;
  SystemView<ExecutionSpace, double> responses;
  std::int64_t first, end;
  int columns;
  SystemFailures<ExecutionSpace> failures;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t before = place == 0 ? 0 : ends(place - 1);
    const std::int64_t from = before > first ? before : first, to = ends(place) < end ? ends(place) : end;
    const std::int64_t system = survivors.systems(place);
    for (std::int64_t row = from; row < to; ++row) {
      for (int column = 0; column < columns; ++column) {
        const double number = responses((row - first) * columns + column);
        if (number - number == 0.0) continue;
        if (failures.count(system)++ == 0) {
          failures.first(system) = sums.made(system) + row - before;
          failures.mark(system) = number;
        }
        break;
      }
    }
  }
};

// Marks the systems without failures to stay.
template <class ExecutionSpace>
struct FailureScreen {
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  SystemFailures<ExecutionSpace> failures;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    keeps(place) = failures.count(survivors.systems(place)) == 0 ? 1 : 0;
  }
};

// Counts all rows of a launch plan as made.
template <class ExecutionSpace>
struct MadeCounter {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int64_t> ends;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    sums.made(survivors.systems(place)) += ends(place) - (place == 0 ? 0 : ends(place - 1));
  }
};

template <class ExecutionSpace>
struct VarianceFixer {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  bool is_first;         // whether these sums are the first of several for the same systems
  bool may_be_constant;  // whether systems whose numbers are all equal stay

  // Marks systems whose numbers are all equal to leave, and counts them in `constant`.
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& constant) const {
    const std::int64_t system = survivors.systems(place);
    if (is_first) keeps(place) = 1;
    if (survivors.is_single(place)) return;
    sums.variance(system) = sums.variance_of_all(system);
    if (sums.variance(system) != 0.0 || may_be_constant) return;
    keeps(place) = 0;
    ++constant;
  }
};

// Writes a number of each survivor, to be summed.
template <class ExecutionSpace>
struct DeviationOf {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, double> numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    numbers(place) = std::sqrt(sums.variance(survivors.systems(place)));
  }
};
template <class ExecutionSpace>
struct MeanOf {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, double> numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const { numbers(place) = sums.mean(survivors.systems(place)); }
};

// Numbers of a system that GSP compares.
struct GoodSelectionTerm {
  double mean;
  double now, last;  // S² / n for the current n and for the last one
};

template <class ExecutionSpace>
struct GoodSelectionTerms {
  using Term = GoodSelectionTerm;
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  GoodSelectionScreening rule;

  KOKKOS_FUNCTION Term operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    const double variance = sums.variance(system);
    return {sums.mean(system), variance / static_cast<double>(sums.count(system)), variance / rule.last(variance)};
  }
  KOKKOS_FUNCTION bool drops(const Term& i, const Term& j) const {
    if (!(j.mean > i.mean)) return false;
    return (j.mean - i.mean) / (i.now + j.now) > rule.factor / std::sqrt(i.last + j.last);
  }
};

// Numbers of a system that KN compares: the mean of equally many replications, and the index of its first-stage
// responses.
struct KimNelsonTerm {
  double mean;
  std::int64_t system, count;
};

template <class ExecutionSpace>
struct KimNelsonTerms {
  using Term = KimNelsonTerm;
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  KimNelsonScreening rule;

  KOKKOS_FUNCTION Term operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    return {sums.mean(system), system, sums.count(system)};
  }
  KOKKOS_FUNCTION bool drops(const Term& i, const Term& j) const {
    const auto n = static_cast<double>(i.count);
    const double above = n * (j.mean - i.mean);
    if (above < 0) return false;
    const double bound =
        rule.h_squared * sums.variance_of_differences(i.system, j.system) / (2 * rule.delta) - rule.delta * n / 2;
    if (bound > 0) return above > bound;
    return above > 0 || i.system > j.system;
  }
};

// Comparison of two systems in subset selection.
template <class ExecutionSpace>
struct SubsetTerms {
  using Term = KimNelsonTerm;
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SubsetScreening rule;

  KOKKOS_FUNCTION Term operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    return {sums.mean(system), system, sums.count(system)};
  }
  KOKKOS_FUNCTION bool drops(const Term& i, const Term& j) const {
    if (!(j.mean > i.mean)) return false;
    const double variance = sums.variance_of_differences(i.system, j.system) / static_cast<double>(i.count);
    return j.mean - i.mean > rule.quantile * std::sqrt(variance);
  }
};

// Comparison of two systems that decides a match by means.
template <class ExecutionSpace>
struct WinnerTerms {
  using Term = KimNelsonTerm;
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;

  KOKKOS_FUNCTION Term operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    return {sums.mean(system), system, sums.count(system)};
  }
  KOKKOS_FUNCTION bool drops(const Term& i, const Term& j) const {
    return j.mean > i.mean || (j.mean == i.mean && j.system < i.system);
  }
};

// Writes the terms of all survivors.
template <class ExecutionSpace, class Terms>
struct TermWriter {
  Terms terms;
  SystemView<ExecutionSpace, typename Terms::Term> written;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const { written(place) = terms(place); }
};

// Number of neighbours that are screened by all pairs.
inline constexpr std::int64_t neighbours = 256;

// Place of the best system in each group of neighbours, the first one on a tie.
template <class ExecutionSpace, class Term>
struct GroupBests {
  SystemView<ExecutionSpace, Term> terms;
  SystemView<ExecutionSpace, std::int64_t> bests;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t group) const {
    const std::int64_t first = group * neighbours, end = first + neighbours < count ? first + neighbours : count;
    std::int64_t best = first;
    for (std::int64_t place = first + 1; place < end; ++place) {
      if (terms(place).mean > terms(best).mean) best = place;
    }
    bests(group) = best;
  }
};

// Eliminates a survivor if one of its neighbours or the best of a group does. Eliminated systems still take part in
// comparisons within a screening, as in the theorem, which decides all pairs by the same replications.
template <class ExecutionSpace, class Terms>
struct NeighbourScreen {
  using Term = typename Terms::Term;
  Terms rule;
  SystemView<ExecutionSpace, Term> terms;
  SystemView<ExecutionSpace, std::int64_t> bests;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  std::int64_t count, groups;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const { keeps(place) = drops(place) ? 0 : 1; }

 private:
  KOKKOS_FUNCTION bool drops(std::int64_t place) const {
    const Term own = terms(place);
    for (std::int64_t group = 0; group < groups; ++group) {
      const std::int64_t best = bests(group);
      if (best != place && rule.drops(own, terms(best))) return true;
    }
    const std::int64_t first = place / neighbours * neighbours;
    const std::int64_t end = first + neighbours < count ? first + neighbours : count;
    for (std::int64_t other = first; other < end; ++other) {
      if (other != place && rule.drops(own, terms(other))) return true;
    }
    return false;
  }
};

// Eliminates a survivor if an opponent in its match does.
template <class ExecutionSpace, class Terms>
struct MatchScreen {
  Terms rule;
  SystemView<ExecutionSpace, typename Terms::Term> terms;
  SystemView<ExecutionSpace, std::int32_t> keeps;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const { keeps(place) = drops(place) ? 0 : 1; }

 private:
  KOKKOS_FUNCTION bool drops(std::int64_t place) const {
    for (std::int64_t other = place - 1; rule.survivors.are_opponents(place, other); --other) {
      if (rule.drops(terms(place), terms(other))) return true;
    }
    for (std::int64_t other = place + 1; rule.survivors.are_opponents(place, other); ++other) {
      if (rule.drops(terms(place), terms(other))) return true;
    }
    return false;
  }
};

template <class ExecutionSpace>
struct StandardScreen {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  StandardScreening rule;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    const auto n = static_cast<double>(sums.count(system)), first = static_cast<double>(rule.first_stage);
    const double bound =
        std::sqrt(sums.variance(system)) * std::sqrt((rule.c + math::log(1 + n / first)) * (n + first));
    keeps(place) = n * (sums.mean(system) - rule.standard) < -bound ? 0 : 1;
  }
};

template <class ExecutionSpace>
struct KnownStandardScreen {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  KnownStandardScreening rule;

  // `better`: number of systems that are better than the standard.
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& better) const {
    const std::int64_t system = survivors.systems(place);
    const auto n = static_cast<double>(sums.count(system));
    const double above = n * (sums.mean(system) - rule.standard - rule.delta / 2);
    const double open = rule.h_squared * sums.variance(system) / rule.delta - rule.delta * n / 4;
    const double bound = open > 0 ? open : 0.0;
    if (above > bound) ++better;
    keeps(place) = above > bound || (above >= -bound && bound > 0) ? 1 : 0;
  }
};

// Collects the survivors that stay, in order.
template <class ExecutionSpace>
struct Compaction {
  SystemSurvivors<ExecutionSpace> from, to;
  SystemView<ExecutionSpace, std::int32_t> keeps;

  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& before, bool is_final) const {
    if (is_final && keeps(place) != 0) {
      to.systems(before) = from.systems(place);
      if (to.matches.extent(0) > 0) to.matches(before) = from.matches(place);
    }
    before += keeps(place);
  }
};

// Makes all systems survivors without replications.
template <class ExecutionSpace>
struct Beginning {
  SystemSums<ExecutionSpace> sums;
  SystemView<ExecutionSpace, std::int64_t> systems;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    systems(place) = place;
    sums.made(place) = 0;
    sums.forget(place);
  }
};

// Deals survivors out to matches, one after the other: neighbours in a family are similar, so that it takes many
// replications to distinguish them.
template <class ExecutionSpace>
struct MatchMaker {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> from, to;
  std::int64_t matches, made;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t system = from.systems(place), match = place % matches;
    const std::int64_t larger = from.count % matches;  // the first matches have one system more than the others
    const std::int64_t before = match * (from.count / matches) + (match < larger ? match : larger);
    to.systems(before + place / matches) = system;
    to.matches(before + place / matches) = match;
    sums.made(system) = made;
    sums.forget(system);
  }
};

template <class ExecutionSpace>
struct MostMade {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& most) const {
    const std::int64_t made = sums.made(survivors.systems(place));
    if (made > most) most = made;
  }
};

template <class ExecutionSpace>
struct OpponentCounter {
  SystemSurvivors<ExecutionSpace> survivors;
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& count) const {
    if (!survivors.is_single(place)) ++count;
  }
};

template <class ExecutionSpace>
struct EstimateWriter {
  SystemSums<ExecutionSpace> sums;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, SystemEstimate> estimates;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    estimates(place) = {system, sums.count(system), sums.mean(system), sums.variance_of_all(system)};
  }
};

}  // namespace sporos::impl
