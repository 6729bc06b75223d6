// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Random123/philox.h>

#include <cstdint>

namespace sporos {

/// The random numbers with which a solver makes its choices, Philox by counter: others than those of replications with
/// the same seed. For the host; a source that uses them needs no Kokkos.
class SearchUniforms {
 public:
  /// Those of `seed`.
  explicit SearchUniforms(std::uint64_t seed)
      : m_key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}} {}

  /// The next uniform in (0, 1).
  double operator()() {
    constexpr std::uint32_t solver = 0x534f4c56;  // the counter's last word; replications' streams have an input there
    const std::uint64_t n = m_next++;
    const r123::Philox4x32::ctr_type counter{
        {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32), 0, solver}};
    const auto bits = r123::Philox4x32()(counter, m_key);
    const std::uint64_t wide = (static_cast<std::uint64_t>(bits[1]) << 32 | bits[0]) >> 12;  // 52 bits
    return (static_cast<double>(wide) + 0.5) * 0x1p-52;
  }

 private:
  r123::Philox4x32::key_type m_key;
  std::uint64_t m_next = 0;
};

}  // namespace sporos
