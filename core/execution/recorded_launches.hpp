// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

// Kokkos' graphs give their CUDA graph away since 4.5, and CUDA records into a graph that exists since 12.3.
#if defined(KOKKOS_ENABLE_CUDA) && KOKKOS_VERSION >= 40500 && CUDART_VERSION >= 12030
#define SPOROS_IMPL_RECORDS_LAUNCHES
#include <Kokkos_Graph.hpp>
#endif

namespace sporos {

#ifdef SPOROS_IMPL_RECORDS_LAUNCHES

namespace impl {

using LaunchGraph = Kokkos::Experimental::Graph<Kokkos::Cuda>;

inline void check_recording(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error("CUDA could not record launches: " + cuda_text(error));
}

/// A graph of what `launch` launches on the instance; none where CUDA cannot record its stream, the old default one.
inline std::optional<LaunchGraph> recorded_graph(const Kokkos::Cuda& space, const std::function<void()>& launch) {
  LaunchGraph graph = Kokkos::Experimental::create_graph(space);
  const cudaStream_t stream = space.cuda_stream();
  cudaGraph_t recorded = graph.native_graph();
  if (cudaStreamBeginCaptureToGraph(stream, recorded, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal) !=
      cudaSuccess) {
    cudaGetLastError();  // it has been reported
    return std::nullopt;
  }
  try {
    launch();
  } catch (...) {
    cudaStreamEndCapture(stream, &recorded);
    cudaGetLastError();
    throw;
  }
  check_recording(cudaStreamEndCapture(stream, &recorded));
  graph.instantiate();
  return graph;
}

}  // namespace impl

#endif

/// Launches that are made again and again, recorded once: on a GPU of NVIDIA's as a Kokkos graph, between whose kernels
/// the device waits for less than between those of a stream. Elsewhere, with a Kokkos before 4.5 and with CUDA before
/// 12.3 they are launched each time.
///
/// What is recorded keeps what its kernels were given: Views that they work on must live as long, and are not changed
/// for others. It must neither wait nor allocate, and must have run before, since Kokkos sets up some things at the
/// first launch.
template <class ExecutionSpace>
class RecordedLaunches {
 public:
  /// Records what `launch()` launches on `space`, and runs nothing of it. Throws std::runtime_error where CUDA cannot
  /// record it, for example because it waited.
  RecordedLaunches(const ExecutionSpace& space, std::function<void()> launch)
      : m_space(space), m_launch(std::move(launch)) {
#ifdef SPOROS_IMPL_RECORDS_LAUNCHES
    if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) m_graph = impl::recorded_graph(m_space, m_launch);
#endif
  }

  /// Launches all of it, behind what `space` has to do already. Asynchronous.
  void run() const {
#ifdef SPOROS_IMPL_RECORDS_LAUNCHES
    if (m_graph) return m_graph->submit(m_space);
#endif
    m_launch();
  }

 private:
  ExecutionSpace m_space;
  std::function<void()> m_launch;
#ifdef SPOROS_IMPL_RECORDS_LAUNCHES
  std::optional<Kokkos::Experimental::Graph<ExecutionSpace>> m_graph;
#endif
};

}  // namespace sporos
