// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace sporos {

namespace impl {

#ifdef KOKKOS_ENABLE_CUDA

inline void check_cuda(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA could not ").append(what).append(": ").append(cuda_text(error)));
}

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
};

/// A graph of what `launch` launches on a stream; none where CUDA cannot record that stream, its old default one.
template <class Launch>
std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>> recorded_graph(cudaStream_t stream, const Launch& launch) {
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
    cudaGetLastError();  // it has been told
    return nullptr;
  }
  cudaGraph_t recorded = nullptr;
  try {
    launch();
  } catch (...) {
    if (cudaStreamEndCapture(stream, &recorded) == cudaSuccess) cudaGraphDestroy(recorded);
    cudaGetLastError();
    throw;
  }
  check_cuda(cudaStreamEndCapture(stream, &recorded), "record launches");
  const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph> graph(recorded);
  cudaGraphExec_t executable = nullptr;
  check_cuda(cudaGraphInstantiateWithFlags(&executable, graph.get(), 0), "make a graph of recorded launches");
  return {executable, DestroyGraph()};
}

#endif

}  // namespace impl

/// Launches that are made again and again, recorded once: on a GPU of NVIDIA's as a graph, between whose kernels the
/// device waits for less than between those of a stream; elsewhere they are launched each time.
///
/// What is recorded keeps what its kernels were given: Views that they work on must live as long, and are not changed
/// for others. It must neither wait nor allocate, and must have run before, since Kokkos sets up some things at the
/// first launch.
template <class ExecutionSpace>
class RecordedLaunches {
 public:
  /// Records what `launch()` launches on `space`, and runs nothing of it. Throws std::runtime_error where CUDA cannot,
  /// since it waited, say.
  RecordedLaunches(const ExecutionSpace& space, std::function<void()> launch)
      : m_space(space), m_launch(std::move(launch)) {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
      m_graph = impl::recorded_graph(m_space.cuda_stream(), m_launch);
    }
#endif
  }

  /// Launches all of it, behind what `space` has to do already. Asynchronous.
  void run() const {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
      if (m_graph) {
        return impl::check_cuda(cudaGraphLaunch(m_graph.get(), m_space.cuda_stream()), "launch a graph");
      }
    }
#endif
    m_launch();
  }

 private:
  ExecutionSpace m_space;
  std::function<void()> m_launch;
#ifdef KOKKOS_ENABLE_CUDA
  std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>> m_graph;
#endif
};

}  // namespace sporos
