// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/execution/lane.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/normal_quantiles.hpp>
#include <sporos/core/random/block_in_lanes.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace sporos {

/// Writes independent standard normal variates: out[i] = Φ⁻¹(u) for the uniform u of draw `first` + i of Philox's
/// stream, i = 0, …, `count` − 1. Results are bitwise identical on every backend.
///
/// On a host, the loops handle 64 draws at a time and compile to vector code. On a device, they handle one block of
/// Philox at a time.
KOKKOS_INLINE_FUNCTION void fill_standard_normals(const Stream& stream, std::uint64_t first, std::int64_t count,
                                                  double* out) {
  constexpr std::int64_t most = impl::on_device() ? Philox4x32::draws_per_block : 64;
  std::uint64_t bits[most];
  while (count > 0) {
    const std::uint64_t block = first / 2;
    const auto skipped = static_cast<std::int64_t>(first % 2);
    const std::int64_t filled = skipped + count < most ? skipped + count : most;
    impl::write_blocks<Philox4x32>(stream, block, (filled + 1) / 2, bits);
    const std::int64_t taken = filled - skipped;
    for (std::int64_t i = 0; i < taken; ++i) out[i] = open_uniform(bits[skipped + i]);
    math::replace_by_normal_quantiles(out, static_cast<int>(taken));
    first += static_cast<std::uint64_t>(taken);
    count -= taken;
    out += taken;
  }
}

/// Writes one standard normal variate per replication: out[i] = Φ⁻¹(u) for the uniform u of draw `draw` of replication
/// `stream.replication` + i, i = 0, …, `count` − 1. Results are bitwise identical to those of fill_standard_normals.
KOKKOS_INLINE_FUNCTION void fill_standard_normals_across(const Stream& stream, std::uint64_t draw, std::int64_t count,
                                                         double* out) {
  constexpr std::int64_t most = 64;
  std::uint64_t bits[2][most];
  for (std::int64_t begin = 0; begin < count; begin += most) {
    const std::int64_t size = count - begin < most ? count - begin : most;
    const std::uint64_t replication = stream.replication + static_cast<std::uint64_t>(begin);
    double* const part = out + begin;
    impl::write_block_across<Philox4x32>({stream.seed, replication, stream.input}, draw / 2, size, {bits[0], bits[1]});
    for (std::int64_t i = 0; i < size; ++i) part[i] = open_uniform(bits[draw % 2][i]);
    math::replace_by_normal_quantiles(part, static_cast<int>(size));
  }
}

/// Largest difference between approximate_normal and the normal z of the same bits, relative to 1 + |z|.
inline constexpr double approximate_normal_error = 1e-6;

/// Returns in float the variate that fill_standard_normals makes of 64 random bits. A device uses its built-in
/// function, which takes a quarter of the time but whose last bits are not the same everywhere.
KOKKOS_INLINE_FUNCTION float approximate_normal(std::uint64_t bits) {
#ifdef SPOROS_IMPL_DEVICE_CODE
  // The smaller of u and 1 − u is the sum of two floats, so that its last bits count if it is small.
  const bool is_above = bits >> 63 != 0;
  const std::uint64_t tail = (is_above ? ~bits : bits) >> 11 | 1;
  const float below = ::normcdfinvf(static_cast<float>(static_cast<std::uint32_t>(tail >> 32)) * 0x1p-21f +
                                    static_cast<float>(static_cast<std::uint32_t>(tail)) * 0x1p-53f);
  return is_above ? -below : below;
#else
  return static_cast<float>(math::normal_quantile_of_uniform(open_uniform(bits)));
#endif
}

namespace impl {

/// Number of draws that a host computes at a time.
inline constexpr std::int64_t host_block = 64;

/// Writes the standard normals of `bits`: z[i] belongs to `bits[i]`, i = 0, …, `count` − 1. For float on a device, uses
/// approximate_normal. `count` is at most 1 on a device and `host_block` on a host.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION void fill_normals_of(const std::uint64_t* bits, std::int64_t count, Number* z) {
  if constexpr (on_device() && std::is_same_v<Number, float>) {
    for (std::int64_t i = 0; i < count; ++i) z[i] = approximate_normal(bits[i]);
  } else {
    double normals[on_device() ? 1 : host_block];
    for (std::int64_t i = 0; i < count; ++i) normals[i] = open_uniform(bits[i]);
    math::replace_by_normal_quantiles(normals, static_cast<int>(count));
    for (std::int64_t i = 0; i < count; ++i) z[i] = static_cast<Number>(normals[i]);
  }
}

}  // namespace impl

/// Calls use(i, z0, z1) for i = 0, …, `count` − 1 with the standard normals z0 and z1 of draws 2 `pair` and 2 `pair` +
/// 1 of replication `stream.replication` + i. The calls are distributed among the lanes of a thread. A normal that is
/// not `wanted` is 0. Results are bitwise identical to those of fill_standard_normals or, if `Number` is float, of
/// approximate_normal.
template <class Number = double, class Use>
KOKKOS_FUNCTION void for_normal_pairs(const Stream& stream, std::uint64_t pair, std::int64_t count,
                                      const Kokkos::Array<bool, 2>& wanted, const Use& use) {
  constexpr std::int64_t most = impl::on_device() ? 1 : impl::host_block;
  std::uint64_t bits[2][most];
  Number z[2][most] = {};
  for (std::int64_t begin = most * impl::lane_index(); begin < count; begin += most * impl::lane_count()) {
    const std::int64_t size = count - begin < most ? count - begin : most;
    const std::uint64_t replication = stream.replication + static_cast<std::uint64_t>(begin);
    impl::write_block_across<Philox4x32>({stream.seed, replication, stream.input}, pair, size, {bits[0], bits[1]});
    for (int k = 0; k < 2; ++k) {
      if (wanted[k]) impl::fill_normals_of(bits[k], size, z[k]);
    }
    for (std::int64_t i = 0; i < size; ++i) use(begin + i, z[0][i], z[1][i]);
  }
}

/// Calls use(i, z) with the standard normal z of a single draw, `draw`, in the same way as for_normal_pairs.
template <class Use>
KOKKOS_FUNCTION void for_normals_across(const Stream& stream, std::uint64_t draw, std::int64_t count, const Use& use) {
  const bool is_second = draw % 2 == 1;
  for_normal_pairs(stream, draw / 2, count, {!is_second, is_second},
                   [&](std::int64_t i, double z0, double z1) { use(i, is_second ? z1 : z0); });
}

}  // namespace sporos
