// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Queries of this machine's GPUs before Kokkos is initialized, since Kokkos ends the program if something is wrong.
namespace sporos {

/// Whether this build of Kokkos has a GPU backend whose devices Sporos can query.
#ifdef KOKKOS_ENABLE_CUDA
inline constexpr bool has_gpu_backend = true;
#else
inline constexpr bool has_gpu_backend = false;
#endif

/// CUDA version in CUDA's own encoding, 1000 major + 10 minor; 0 means no CUDA.
struct CudaVersion {
  int number = 0;  ///< 1000 major + 10 minor

  int major() const { return number / 1000; }  ///< major version: 13 for 13.1
  /// Version as text: "13.1", or "none".
  std::string text() const {
    if (number == 0) return "none";
    return std::to_string(major()).append(".").append(std::to_string(number % 1000 / 10));
  }
};

/// Properties of this machine's GPUs, as the CUDA runtime reports them.
struct GpuRuntime {
  CudaVersion driver;        ///< newest CUDA version that the driver supports
  CudaVersion runtime;       ///< CUDA version that this program is built with
  int devices = 0;           ///< number of usable GPUs
  std::string error;         ///< why the GPUs cannot be counted; empty if there are none or the driver is too old
  const char* visible = "";  ///< environment variable CUDA_VISIBLE_DEVICES; nullptr if it is not set
};

/// One GPU.
struct GpuDevice {
  int number;                        ///< index, from 0
  std::string name;                  ///< product name
  std::string capability;            ///< compute capability: "9.0"
  MemoryAmount memory;               ///< current size of its memory
  std::optional<std::string> fault;  ///< why this program cannot run on the GPU; empty if it can
};

/// Compute capabilities that this translation unit is compiled for: "8.0, 9.0"; "unknown" if the compiler does not list
/// them.
inline std::string compiled_capabilities() {
  std::string list;
#ifdef __CUDA_ARCH_LIST__
  for (const int architecture : {__CUDA_ARCH_LIST__}) {
    list.append(list.empty() ? "" : ", ")
        .append(std::to_string(architecture / 100))
        .append(".")
        .append(std::to_string(architecture % 100 / 10));
  }
#endif
  return list.empty() ? "unknown" : list;
}

namespace impl {

/// Throws std::runtime_error if no GPU can be used, and std::invalid_argument if there is no GPU number `device`. Each
/// message is one sentence.
inline void check_gpus(const GpuRuntime& gpus, std::optional<int> device) {
  const auto fail = [](std::string text) { throw std::runtime_error(text); };
  if (!gpus.error.empty()) fail(std::string("CUDA cannot be used: ").append(gpus.error));
  if (gpus.driver.number > 0 && gpus.driver.major() < gpus.runtime.major()) {
    fail(std::string("the NVIDIA driver supports CUDA up to ")
             .append(gpus.driver.text())
             .append(", but this program is built with CUDA ")
             .append(gpus.runtime.text())
             .append(": install a newer driver, or build with an older CUDA"));
  }
  if (gpus.devices == 0) {
    std::string text = "CUDA finds no NVIDIA GPU on this machine";
    if (gpus.driver.number == 0) text.append(", and no NVIDIA driver");
    if (gpus.visible != nullptr) text.append(" (CUDA_VISIBLE_DEVICES is '").append(gpus.visible).append("')");
    fail(text.append(": use a machine with a GPU, or a build on a Kokkos without CUDA, which runs on the processor"));
  }
  if (device && (*device < 0 || *device >= gpus.devices)) {
    std::string text = std::string("device is ").append(std::to_string(*device)).append(", expected ");
    text.append(gpus.devices == 1 ? "0, the only GPU that CUDA finds"
                                  : std::string("0 to ").append(std::to_string(gpus.devices - 1)));
    throw std::invalid_argument(text);
  }
}

#ifdef KOKKOS_ENABLE_CUDA

// A program runs on a device only if it contains an image of its kernels for it; this one is the probe.
template <class>
__global__ void empty_kernel() {}

/// Whether a call of CUDA succeeded. Clears its error, which would otherwise be taken for the error of a kernel.
inline bool has_succeeded(cudaError_t error) {
  if (error != cudaSuccess) cudaGetLastError();
  return error == cudaSuccess;
}

/// Why kernels of this program do not run on a device, or std::nullopt if they do. Makes the device the current one.
inline std::optional<std::string> fault_of_device(int device, const std::string& name, const std::string& capability) {
  cudaError_t error = cudaSetDevice(device);
  cudaFuncAttributes attributes;
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, empty_kernel<void>);
  if (has_succeeded(error)) return std::nullopt;
  const std::string device_text = std::string("device ").append(std::to_string(device)).append(" (").append(name);
  if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction) {
    return std::string(device_text)
        .append(") has compute capability ")
        .append(capability)
        .append(", for which this program contains no kernels: it is compiled for ")
        .append(compiled_capabilities());
  }
  return std::string(device_text).append(") cannot be used: ").append(cuda_text(error));
}

#endif

}  // namespace impl

/// Reports what the CUDA runtime finds on this machine; an empty report without a GPU backend. Does not throw.
inline GpuRuntime gpu_runtime() {
  GpuRuntime gpus;
#ifdef KOKKOS_ENABLE_CUDA
  gpus.runtime.number = CUDART_VERSION;
  gpus.visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!impl::has_succeeded(cudaDriverGetVersion(&gpus.driver.number))) gpus.driver.number = 0;
  const cudaError_t error = cudaGetDeviceCount(&gpus.devices);
  if (impl::has_succeeded(error)) return gpus;
  gpus.devices = 0;
  const bool is_clear = error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver;
  if (!is_clear) gpus.error = impl::cuda_text(error);
#endif
  return gpus;
}

/// All GPUs that CUDA can see, in CUDA's order.
inline std::vector<GpuDevice> gpu_devices() {
  std::vector<GpuDevice> devices;
#ifdef KOKKOS_ENABLE_CUDA
  const int count = gpu_runtime().devices;
  int current = 0;
  if (!impl::has_succeeded(cudaGetDevice(&current))) return devices;
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties;
    if (!impl::has_succeeded(cudaGetDeviceProperties(&properties, number))) continue;
    const std::string capability =
        std::to_string(properties.major).append(".").append(std::to_string(properties.minor));
    auto fault = impl::fault_of_device(number, properties.name, capability);
    devices.push_back({number, properties.name, capability, memory_of<Kokkos::CudaSpace>(), std::move(fault)});
  }
  impl::has_succeeded(cudaSetDevice(current));
#endif
  return devices;
}

/// Throws if kernels cannot run on `device` or, without one, on GPU 0. Throws std::invalid_argument if `device` is not
/// the number of a GPU, or if it is given and this build of Kokkos has no GPU backend. Throws std::runtime_error if
/// there is no GPU, its driver is too old, or this program is not compiled for it. Without a GPU backend and `device`,
/// nothing is checked. Kokkos need not be initialized.
inline void check_device(std::optional<int> device) {
  if (!has_gpu_backend) {
    if (device)
      throw std::invalid_argument("device is " + std::to_string(*device) +
                                  ", but Kokkos is built without CUDA: omit the device");
    return;
  }
  impl::check_gpus(gpu_runtime(), device);
#ifdef KOKKOS_ENABLE_CUDA
  const int number = device.value_or(0);
  cudaDeviceProp properties;
  if (!impl::has_succeeded(cudaGetDeviceProperties(&properties, number))) return;
  const std::string capability = std::to_string(properties.major).append(".").append(std::to_string(properties.minor));
  const auto fault = impl::fault_of_device(number, properties.name, capability);
  if (fault) throw std::runtime_error(*fault);
#endif
}

}  // namespace sporos
