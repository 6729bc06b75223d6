// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>

#include <sporos/core/replication/kept_outputs.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sporos::python {

/// A device as DLPack describes it.
struct DlDevice {
  std::int32_t type;    ///< 2: CUDA, 10: ROCm
  std::int32_t number;  ///< number among the devices of this type
};

/// The outputs of a design point in the memory of a GPU, as an array for Python: other packages read it without a copy,
/// through DLPack or the CUDA array interface.
class DeviceArray {
 public:
  /// Shares outputs that `backend` has computed, the one of the session. The session releases their memory at its end.
  DeviceArray(std::shared_ptr<KeptOutputs> outputs, const runtime::Backend& backend);

  /// Number of replications.
  std::size_t rows() const { return m_outputs->rows(); }
  /// Number of replications and number of responses.
  pybind11::tuple shape() const { return pybind11::make_tuple(rows(), m_outputs->columns()); }
  /// Type and number of the device, as DLPack numbers them.
  pybind11::tuple dlpack_device() const;
  /// A capsule for `from_dlpack` of another package, which shares the memory.
  pybind11::capsule dlpack() const;
  /// The dictionary of version 3 of the CUDA array interface. Throws AttributeError for devices of other makers.
  pybind11::dict cuda_array_interface() const;
  /// A copy in host memory.
  pybind11::array_t<double> to_numpy() const;

 private:
  std::shared_ptr<KeptOutputs> m_outputs;
  DlDevice m_device;
};

/// Releases the memory of all arrays, before Kokkos is finalized.
void release_device_arrays();

}  // namespace sporos::python
