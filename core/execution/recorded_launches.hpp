// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

// Kokkos graphs expose their CUDA graph since Kokkos 4.5; CUDA can capture into an existing graph since CUDA 12.3.
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

/// Graph of the launches that `launch` makes on the instance; std::nullopt for the legacy default stream, which CUDA
/// cannot capture.
inline std::optional<LaunchGraph> recorded_graph(const Kokkos::Cuda& space, const std::function<void()>& launch) {
  LaunchGraph graph = Kokkos::Experimental::create_graph(space);
  const cudaStream_t stream = space.cuda_stream();
  cudaGraph_t recorded = graph.native_graph();
  if (cudaStreamBeginCaptureToGraph(stream, recorded, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal) !=
      cudaSuccess) {
    cudaGetLastError();  // clear the reported error
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

/// Sequence of launches that is recorded once and run many times. On an NVIDIA GPU it is a Kokkos graph, between whose
/// kernels the device waits for less than between those of a stream. On other devices, or with Kokkos before 4.5 or
/// CUDA before 12.3, each run launches the kernels again.
///
/// A recording keeps the arguments of its kernels, so the Views that they use must live as long as the recording and
/// cannot be replaced. The recorded function must neither wait nor allocate. It must have run once before, since Kokkos
/// sets up some things at the first launch.
template <class ExecutionSpace>
class RecordedLaunches {
 public:
  /// Records what `launch()` launches on `space` without running it. Throws std::runtime_error if CUDA cannot record
  /// it, for example because `launch` waits.
  RecordedLaunches(const ExecutionSpace& space, std::function<void()> launch)
      : m_space(space), m_launch(std::move(launch)) {
#ifdef SPOROS_IMPL_RECORDS_LAUNCHES
    if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) m_graph = impl::recorded_graph(m_space, m_launch);
#endif
  }

  /// Runs all launches, after the work already queued on `space`. Asynchronous.
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
