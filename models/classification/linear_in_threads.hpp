// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/host_team.hpp>
#include <sporos/core/random/drawn_index.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/classification/narrow_rows.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/packed_kernels.hpp>
#include <sporos/models/classification/row_selection.hpp>
#include <sporos/models/classification/sixteen_words.hpp>
#include <sporos/models/classification/subset_sums.hpp>

#include <algorithm>
#include <cstdint>

namespace sporos::models {

/// The sampled objective f̂ of a GeneralizedLinear over packed features, for the threads of one team on a host (see
/// HostTeamProblem). The threads share the columns. The results are those of GeneralizedLinear, to the last bit:
/// products with rows are exact sums in fixed point, which may be added in any order.
template <class Loss>
struct LinearInThreads {
  PackedHandle features;   ///< features of all rows
  const double* labels;    ///< labels of all rows
  std::int64_t rows;       ///< N, the number of rows
  std::int64_t dimension;  ///< n, plus one if there is an intercept
  double penalty;          ///< λ, the penalty

  static constexpr std::int64_t most_replications = 512;  ///< largest size of a sample

  /// Largest number of threads that have work. Narrow rows are not divided.
  std::int64_t most_threads() const { return is_narrow() ? 1 : 2 * lines(); }
  /// Size of the scratch memory of a team, in numbers.
  static std::int64_t scratch(std::int64_t threads) {
    return threads * static_cast<std::int64_t>(sizeof(Sums) / sizeof(double));
  }
  /// Approximate time of a gradient over `size` rows on one thread, in nanoseconds.
  double nanoseconds(std::int64_t size) const {
    constexpr double of_word = 5;  // margins, and sums of columns
    return of_word * static_cast<double>(size * features.words_of_row);
  }

  /// Sets g = ∇f̂(x). All threads of the team call this function after a barrier; it ends with a barrier.
  template <class Team>
  void gradient(const Team& team, const SampleRange& sample, const double* x, double* g, double* scratch) const {
    std::int64_t indices[most_replications];
    draw_indices(sample.seed, sample.first, sample.size, static_cast<std::uint64_t>(rows), indices);
    gradient(team, RowSelection{indices, sample.size}, x, g, scratch);
  }

  /// Sets g = ∇f̂(x) over the selected rows.
  template <class Team>
  void gradient(const Team& team, const RowSelection& selected, const double* x, double* g, double* scratch) const {
    const Rows own(*this, selected);
    double margins[most_replications], of_rows[most_replications];
    evaluate<Loss::derivative>(team, own, x, scratch, margins, of_rows);
    add_rows_up(team, own, of_rows, x, g);
    team.team_barrier();
  }

  /// Sets out = ∇²f̂(x) v over the selected rows. Like `gradient` otherwise.
  template <class Team>
  void hessian_product(const Team& team, const RowSelection& selected, const double* x, const double* v, double* out,
                       double* scratch) const {
    const Rows own(*this, selected);
    double margins[most_replications], of_rows[most_replications];
    evaluate<Loss::curvature>(team, own, x, scratch, margins, of_rows);
    team.team_barrier();  // because other threads read the sums of `multiply`
    multiply(team, own, v, scratch, margins);
    for (std::int64_t i = 0; i < selected.count; ++i) of_rows[i] *= margins[i];
    add_rows_up(team, own, of_rows, v, out);
    team.team_barrier();
  }

 private:
  using Words = impl::HostWords;

  // Sums over columns, for each row, in blocks.
  static constexpr std::int64_t blocks = most_replications / impl::packed_rows;
  struct Sums {
    impl::PartSums<impl::packed_rows> of[blocks];
  };

  // Selected rows, and their starts, of which the last is repeated for kernels that process rows in groups.
  struct Rows {
    RowSelection selected;
    const std::uint64_t* starts[most_replications];

    Rows(const LinearInThreads& of, const RowSelection& rows) : selected(rows) {
      const std::int64_t width = of.features.words_of_row, padded = impl::padded_rows(count(), impl::tile_rows);
      for (std::int64_t i = 0; i < padded; ++i) {
        starts[i] = of.features.words + rows[std::min(i, count() - 1)] * width;
      }
    }

    std::int64_t count() const { return selected.count; }
    // Number of rows of the block that begins with row `first`.
    std::int64_t size(std::int64_t first) const { return std::min(count() - first, impl::packed_rows); }
  };

  bool is_narrow() const { return features.words_of_row <= impl::narrow_words; }
  std::int64_t lines() const { return (features.columns + impl::packed_columns - 1) / impl::packed_columns; }

  // Sets margins[i] to the margin of row i at x, and of_rows[i] to a function of it and the label: a derivative of the
  // loss. The function is inlined, so that the loops are vectorized where the arrays are known.
  template <double (*function)(double, double), class Team>
  KOKKOS_FORCEINLINE_FUNCTION void evaluate(const Team& team, const Rows& own, const double* x, double* scratch,
                                            double* margins, double* of_rows) const {
    const std::int64_t count = own.count();
    multiply(team, own, x, scratch, margins);
    for (std::int64_t i = 0; i < count; ++i) of_rows[i] = labels[own.selected[i]];
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::int64_t i = 0; i < count; ++i) of_rows[i] = function(margins[i], of_rows[i]);
  }

  // Sets margins[i] to the margin of row i at w. Every thread computes all margins, from the sums of all threads. Like
  // add_rows_up, the function lacks registers if it is inlined.
  template <class Team>
  [[gnu::noinline]] void multiply(const Team& team, const Rows& own, const double* w, double* scratch,
                                  double* margins) const {
    if (is_narrow()) {
      impl::multiply_narrow(features.words, features.columns, own.selected, 0, own.count(), w, margins);
    } else {
      auto* const sums = reinterpret_cast<Sums*>(scratch);
      const impl::FixedPoint fixed(w, features.columns);
      add_columns(thread_share(team, (features.columns + 31) / 32), own, fixed, w, sums[team.team_rank()]);
      team.team_barrier();
      for (std::int64_t first = 0; first < own.count(); first += impl::packed_rows) {
        add_threads(sums, team.team_size(), first / impl::packed_rows, own.size(first), fixed, margins + first);
      }
    }
    if (dimension == features.columns) return;
    for (std::int64_t i = 0; i < own.count(); ++i) margins[i] += w[features.columns];
  }

  // Multiplies the rows by some words of 32 columns.
  void add_columns(const ThreadShare& words, const Rows& own, const impl::FixedPoint& fixed, const double* w,
                   Sums& sums) const {
    constexpr std::int64_t of_line = 16;
    for (std::int64_t block = 0; block * impl::packed_rows < own.count(); ++block) sums.of[block] = {};
    for (std::int64_t word = words.begin; word < words.end;) {
      const std::int64_t place = word % of_line, size = std::min(of_line - place, words.end - word);
      impl::SubsetSums tables[of_line * 8];
      impl::fill_subset_sums(fixed, w + 32 * word, features.columns - 32 * word, tables, 8 * size);
      for (std::int64_t first = 0; first < own.count(); first += impl::packed_rows) {
        const std::int64_t padded = impl::padded_rows(own.size(first), impl::tile_rows);
        const auto* const* starts = own.starts + first;
        const std::int64_t left = (word - place) / 2, next = word + size < words.end ? left + impl::line_words : left;
        impl::add_line<Words>(tables, starts, left, place, size, padded, sums.of[first / impl::packed_rows],
                              {starts, next});
      }
      word += size;
    }
  }

  static void add_threads(const Sums* sums, int threads, std::int64_t block, std::int64_t count,
                          const impl::FixedPoint& fixed, double* margins) {
    impl::PartSums<impl::packed_rows> total = sums[0].of[block];
    for (int thread = 1; thread < threads; ++thread) {
      const impl::PartSums<impl::packed_rows>& more = sums[thread].of[block];
      for (std::int64_t i = 0; i < count; ++i) total.high[i] += more.high[i];
      for (std::int64_t i = 0; i < count; ++i) total.low[i] += more.low[i];
    }
    for (std::int64_t i = 0; i < count; ++i) margins[i] = fixed.value(total.high[i], total.low[i]);
  }

  // Sets g to the mean of the rows times their factors, plus the gradient of the penalty.
  template <class Team>
  [[gnu::noinline]] void add_rows_up(const Team& team, const Rows& own, const double* factors, const double* x,
                                     double* g) const {
    const double scale = 1.0 / static_cast<double>(own.count());
    if (team.team_rank() == 0 && dimension > features.columns) {
      g[features.columns] = scale * impl::sum_in_order(0, own.count(), [&](std::int64_t i) { return factors[i]; });
    }
    if (!is_narrow()) return add_wide_rows_up(thread_share(team, 2 * lines()), own, factors, scale, x, g);
    if (team.team_rank() > 0) return;
    double sums[64 * impl::narrow_words];
    impl::sum_narrow(features.words, features.words_of_row, own.selected, 0, own.count(), factors, sums);
    for (std::int64_t j = 0; j < features.columns; ++j) g[j] = scale * sums[j] + penalty * x[j];
  }

  // Adds up the columns of some halves of lines of 512 columns.
  void add_wide_rows_up(const ThreadShare& halves, const Rows& own, const double* factors, double scale,
                        const double* x, double* g) const {
    for (std::int64_t half = halves.begin; half < halves.end;) {
      const std::int64_t line = half / 2, end = std::min(halves.end, 2 * line + 2);
      const int begin_p = static_cast<int>(half % 2 * 4), end_p = static_cast<int>((end - 2 * line) * 4);
      double sums[impl::packed_columns] = {};  // in the order of columns
      for (std::int64_t first = 0; first < own.count(); first += impl::packed_rows) {
        add_block(own, first, factors + first, line, begin_p, end_p, sums);
      }
      const std::int64_t left = line * impl::packed_columns;
      for (std::int64_t word = 0; word < impl::packed_columns && left + word < features.columns; word += 32) {
        const std::int64_t stop = std::min<std::int64_t>(4 * end_p, features.columns - left - word);
        for (std::int64_t place = word + 4 * begin_p; place < word + stop; ++place) {
          g[left + place] = scale * sums[place] + penalty * x[left + place];
        }
      }
      half = end;
    }
  }

  // Adds a block of rows to the sums of the columns 32 l + 4 p + k of a line, for p in [begin, end).
  void add_block(const Rows& own, std::int64_t first, const double* factors, std::int64_t line, int begin, int end,
                 double* sums) const {
    const std::int64_t count = own.size(first), used = impl::padded_rows(count, impl::packed_group);
    const impl::FixedPoint fixed(factors, count);
    impl::SubsetSums tables[impl::packed_rows / 4];
    impl::fill_subset_sums(fixed, factors, count, tables, used / 4);
    impl::PartSums<impl::packed_columns> parts = {};
    for (std::int64_t i = 0; i < used; i += impl::packed_group) {
      const auto* const* starts = own.starts + first + i;
      const std::int64_t left = line * impl::line_words;
      impl::add_group<Words>(starts, left, tables + i / 4, begin, end, parts, {starts, left});
    }
    alignas(64) std::uint32_t high[impl::packed_columns], low[impl::packed_columns];  // in the order of columns
    for (int q = 4 * begin; q < 4 * end; q += 16) {
      transpose(parts.high, q, high);
      transpose(parts.low, q, low);
    }
    for (std::int64_t word = 0; word < impl::packed_columns; word += 32) {
      for (std::int64_t place = word + 4 * begin; place < word + 4 * end; ++place) {
        sums[place] += fixed.value(high[place], low[place]);
      }
    }
  }

  // Moves the sums at 16 (q + i) + l to the places 32 l + q + i of the columns, for i = 0, …, 15.
  static void transpose(const std::uint32_t* sums, int q, std::uint32_t* columns) {
    const std::uint64_t* lines[16];
    for (int i = 0; i < 16; ++i) lines[i] = reinterpret_cast<const std::uint64_t*>(sums + 16 * (q + i));
    Words::transpose(lines, columns + q, 32);
  }
};

}  // namespace sporos::models
