// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_array.hpp"

#include "bindings.hpp"
#include "session.hpp"

#include <sporos/runtime/backend/backend.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;

// The structures of DLPack, whose layout its ABI fixes. A dependency on its header would cost more than these lines.
struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t dimensions;
  struct {
    std::uint8_t code, bits;
    std::uint16_t lanes;
  } type;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};
struct DlManagedTensor {
  DlTensor tensor;
  void* context;
  void (*deleter)(DlManagedTensor*);
};

constexpr std::int32_t cuda_device = 2, rocm_device = 10;
constexpr std::uint8_t float_code = 2;
constexpr const char *unused_name = "dltensor", *used_name = "used_dltensor";

// A tensor and what it points to.
struct SharedTensor {
  std::shared_ptr<KeptOutputs> outputs;
  std::array<std::int64_t, 2> shape, strides;
  DlManagedTensor managed;
};

// Deletes the tensor of a capsule that no package has taken over.
void delete_unused(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, used_name) != 0) return;
  auto* const managed = static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule, unused_name));
  if (managed != nullptr) managed->deleter(managed);
}

std::mutex guard;
std::vector<std::weak_ptr<KeptOutputs>> living;

}  // namespace

DeviceArray::DeviceArray(std::shared_ptr<KeptOutputs> outputs, const runtime::Backend& backend)
    : m_outputs(std::move(outputs)),
      m_device{backend.name() == "cuda" ? cuda_device : rocm_device, backend.device_number().value_or(0)} {
  const std::lock_guard lock(guard);
  std::erase_if(living, [](const auto& one) { return one.expired(); });
  living.push_back(m_outputs);
}

py::tuple DeviceArray::dlpack_device() const { return py::make_tuple(m_device.type, m_device.number); }

py::capsule DeviceArray::dlpack() const {
  auto shared = std::make_unique<SharedTensor>();
  shared->outputs = m_outputs;
  shared->shape = {static_cast<std::int64_t>(m_outputs->rows()), static_cast<std::int64_t>(m_outputs->columns())};
  shared->strides = {shared->shape[1], 1};
  shared->managed = {
      {m_outputs->data(), m_device, 2, {float_code, 64, 1}, shared->shape.data(), shared->strides.data(), 0},
      shared.get(),
      [](DlManagedTensor* managed) { delete static_cast<SharedTensor*>(managed->context); }};
  PyObject* const capsule = PyCapsule_New(&shared->managed, unused_name, delete_unused);
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(shared.release());  // the deleter owns it
  return py::reinterpret_steal<py::capsule>(capsule);
}

py::dict DeviceArray::cuda_array_interface() const {
  if (m_device.type != cuda_device) throw py::attribute_error("the array is not in the memory of CUDA");
  py::dict interface;
  interface["shape"] = shape();
  interface["typestr"] = "<f8";
  interface["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(m_outputs->data()), false);
  interface["strides"] = py::none();
  interface["version"] = 3;
  return interface;
}

py::array_t<double> DeviceArray::to_numpy() const {
  py::array_t<double> host({m_outputs->rows(), m_outputs->columns()});
  const std::span<double> numbers(host.mutable_data(), static_cast<std::size_t>(host.size()));
  session().run(py::none(), [&](const runtime::Backend&, Watch&) { m_outputs->copy_to(numbers); });
  return host;
}

void release_device_arrays() {
  const std::lock_guard lock(guard);
  for (const auto& one : living) {
    if (const auto outputs = one.lock()) outputs->release();
  }
  living.clear();
}

void bind_device_array(py::module_& module) {
  py::class_<DeviceArray>(module, "DeviceArray", py::module_local(),
                          "Responses of all replications in the memory of a GPU, n × responses.")
      .def_property_readonly("shape", &DeviceArray::shape)
      .def_property_readonly("dtype", [](const DeviceArray&) { return py::dtype::of<double>(); })
      .def("__len__", &DeviceArray::rows)
      .def("__dlpack_device__", &DeviceArray::dlpack_device)
      .def(
          "__dlpack__", [](const DeviceArray& array, const py::kwargs&) { return array.dlpack(); },
          "Returns a capsule. The array is complete: no stream has to wait for it.")
      .def_property_readonly("__cuda_array_interface__", &DeviceArray::cuda_array_interface)
      .def("to_numpy", &DeviceArray::to_numpy, "Returns a copy in host memory.")
      .def("__array__", [](const DeviceArray& array, const py::args&, const py::kwargs& options) {
        if (options.contains("copy") && py::object(options["copy"]).is(py::bool_(false))) {
          throw std::invalid_argument("the array is in the memory of a device and copy is False, expected a copy");
        }
        return array.to_numpy();
      });
}

}  // namespace sporos::python
