// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::impl {

/// Variates of the last replication, or the last pack of `replications`, that a host thread ran. The next design point
/// uses them again if it has the same random numbers. Without this, making the variates takes up to half of the time of
/// a launch in which a search compares points.
template <std::size_t replications>
class KeptVariates {
 public:
  /// Prepares for these replications, of which `count` are used. Forgets the variates of others. Returns a number for
  /// the other functions, which is valid until the next call.
  std::uint64_t prepare(std::uint64_t seed, const std::array<std::uint64_t, replications>& indices, unsigned count) {
    if (seed != m_seed || indices != m_indices || count != m_count) {
      m_seed = seed;
      m_indices = indices;
      m_count = count;
      for (OfInput& input : m_inputs) input.units = 0;
    }
    return ++m_uses;
  }

  /// Fills the block of a lookahead with kept variates of `Form`. Returns false if there are none. `use` is the number
  /// that `prepare` returned for the inputs; if it is no longer valid, nothing is kept.
  template <class Form, class Lookahead>
  bool restore(std::uint64_t use, Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit,
               unsigned units) const {
    if (use != m_uses || input >= m_inputs.size()) return false;
    const OfInput& of = m_inputs[input];
    if (of.form != Form::index || first_unit + units > of.units) return false;
    lookahead.restore(units, of.numbers.data() + first_unit * Lookahead::numbers_of_unit);
    return true;
  }

  /// Keeps the block of a lookahead, which holds variates of `Form`, if it follows the kept blocks.
  template <class Form, class Lookahead>
  void save(std::uint64_t use, Lookahead& lookahead, std::uint32_t input, std::uint64_t first_unit, unsigned units) {
    constexpr std::uint64_t size = Lookahead::numbers_of_unit;
    if (use != m_uses) return;
    if (input >= m_inputs.size()) m_inputs.resize(input + 1);
    OfInput& of = m_inputs[input];
    if (first_unit != of.units || (first_unit + units) * size > max_numbers) return;
    if (of.units > 0 && of.form != Form::index) return;
    of.form = Form::index;
    of.units += units;
    of.numbers.resize(std::max<std::size_t>(of.numbers.size(), of.units * size));
    lookahead.save(units, of.numbers.data() + first_unit * size);
  }

 private:
  static constexpr std::uint64_t max_numbers = 16'384;  // of an input: 128 KiB, so that they stay in the cache

  struct OfInput {
    unsigned form = 0;
    std::uint64_t units = 0;
    std::vector<double> numbers;
  };

  std::uint64_t m_seed = 0;
  std::array<std::uint64_t, replications> m_indices{};
  unsigned m_count = 0;      // 0 before the first replication
  std::uint64_t m_uses = 0;  // number of calls of prepare
  std::vector<OfInput> m_inputs;
};

}  // namespace sporos::impl
