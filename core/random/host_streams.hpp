// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random/stream.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Streams of the inputs of one replication, from one of HostEngines, which is chosen at run time. This code is
/// compiled once, so that a model is not compiled for each engine. A stream is seeded at its first draw. The states, of
/// up to 2.5 kB, are reused from an earlier replication of the same thread.
class HostStreams {
 public:
  KOKKOS_FUNCTION HostStreams() : m_states(nullptr) {}
  HostStreams(const HostStreams&) = delete;
  HostStreams& operator=(const HostStreams&) = delete;
  KOKKOS_FUNCTION ~HostStreams() { SPOROS_IF_ON_HOST((if (m_states != nullptr) give_back();)) }

  /// Writes draws `first` to `first` + `count` - 1 of `stream` to `bits`. The draws of a stream must be requested in
  /// order, and always of the same engine.
  KOKKOS_FUNCTION void draw([[maybe_unused]] Engine engine, [[maybe_unused]] const Stream& stream,
                            [[maybe_unused]] std::uint64_t first, [[maybe_unused]] unsigned count,
                            [[maybe_unused]] std::uint64_t* bits) {
    SPOROS_IF_ON_HOST((draw_on_host(engine, stream, first, count, bits);))
  }

  struct States;

 private:
  void draw_on_host(Engine engine, const Stream& stream, std::uint64_t first, unsigned count, std::uint64_t* bits);
  void give_back();

  States* m_states;
};

/// Replaces HostStreams on devices.
struct NoHostStreams {};

}  // namespace sporos::impl
