// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Variates of a replication, or of a pack of `replications`, that a host thread ran. The next design point uses them
/// again if it has the same random numbers. Without this, making the variates takes up to half of the time of a launch
/// in which a search compares points.
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

  /// Keeps at most `numbers` variates of an input from now on.
  void keep_at_most(std::uint64_t numbers) { m_max_numbers = numbers; }

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
    if (first_unit != of.units || (first_unit + units) * size > m_max_numbers) return;
    if (of.units > 0 && of.form != Form::index) return;
    of.form = Form::index;
    of.units += units;
    of.numbers.resize(std::max<std::size_t>(of.numbers.size(), of.units * size));
    lookahead.save(units, of.numbers.data() + first_unit * size);
  }

 private:
  struct OfInput {
    unsigned form = 0;
    std::uint64_t units = 0;
    std::vector<double> numbers;
  };

  std::uint64_t m_seed = 0;
  std::array<std::uint64_t, replications> m_indices{};
  unsigned m_count = 0;                  // 0 before the first replication
  std::uint64_t m_uses = 0;              // number of calls of prepare
  std::uint64_t m_max_numbers = 16'384;  // of an input: 128 KiB, so that they stay in the cache
  std::vector<OfInput> m_inputs;
};

/// Whether variates will be needed again: hardly, maybe in a later launch, or by the next design point.
enum class Reuse { unlikely, possible, next };

/// Variates of the packs of `replications` that a host thread ran lately. Some searches compare each new point with
/// former ones on the same replications, in launches of a few packs: with Nelder–Mead, half of the time of IronOre's
/// launches went into variates that had been made before.
template <std::size_t replications>
class KeptPacks {
 public:
  /// Number of packs kept for later launches: a few for each of ten runs that advance side by side.
  static constexpr std::size_t for_later = 32;

  KeptPacks() {
    for (auto& pack : m_packs) pack.keep_at_most(4096);  // 32 KiB, so that all packs stay in the cache
    for (std::size_t i = 0; i < for_next; ++i) m_packs[i].keep_at_most(16'384);
  }

  /// Prepares for these replications, as KeptVariates does. Returns what keeps their variates, or a null pointer if
  /// they are not kept, and the number for its functions. Variates that may be needed in a later launch are kept once
  /// they have been made twice.
  std::pair<KeptVariates<replications>*, std::uint64_t> prepare(std::uint64_t seed,
                                                                const std::array<std::uint64_t, replications>& indices,
                                                                unsigned count, Reuse reuse) {
    // Two packs may have the same key: KeptVariates compares their seeds and replications.
    const std::uint64_t key = (seed * 0x9e3779b97f4a7c15 + indices[0]) * 0x9e3779b97f4a7c15 + count;
    const std::size_t begin = reuse == Reuse::next ? 0 : for_next,
                      end = reuse == Reuse::next ? for_next : m_keys.size();
    std::size_t pack = end;
    for (std::size_t i = begin; i < end; ++i) pack = m_keys[i] == key ? i : pack;
    const bool is_known = pack < end;
    if (!is_known) {
      pack = place_for(reuse);
      m_keys[pack] = key;
    }
    const std::uint64_t use = m_packs[pack].prepare(seed, indices, count);
    return {is_known || reuse == Reuse::next ? &m_packs[pack] : nullptr, use};
  }

 private:
  static constexpr std::size_t for_next = 2;  // packs that the next design point uses again; they may run side by side

  // The place that was taken longest ago.
  std::size_t place_for(Reuse reuse) {
    if (reuse == Reuse::next) return m_next++ % for_next;
    return for_next + m_later++ % for_later;
  }

  std::array<std::uint64_t, for_next + for_later> m_keys{};
  std::array<KeptVariates<replications>, for_next + for_later> m_packs;
  std::size_t m_next = 0, m_later = 0;
};

}  // namespace sporos::impl
