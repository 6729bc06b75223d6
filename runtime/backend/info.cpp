// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/info.hpp>

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/devices.hpp>
#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/sampling/uniform_source.hpp>
#include <sporos/version.hpp>

#include <Kokkos_Core.hpp>

#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

// Properties of this program and its machine.
struct Info {
  Machine machine;
  std::string fault;  // why the backend cannot compute; otherwise empty
  std::optional<int> device;
  MemoryAmount memory;  // memory of the host
  GpuRuntime gpu_runtime;
  std::vector<GpuDevice> gpus;
};

Info info_before(const Backend& backend) {
  return {machine_before(backend), "", {}, memory_of<Kokkos::HostSpace>(), gpu_runtime(), gpu_devices()};
}

Info info_of(const Backend& backend) {
  Info info = info_before(backend);
  info.machine = machine_of(backend);
  info.device = backend.device_number();
  return info;
}

// A backend that cannot start reports the reason.
Info info_of(Backend& backend, const ExecutionSettings& settings) {
  try {
    backend.start(settings);
  } catch (const std::runtime_error& error) {
    Info info = info_before(backend);
    info.fault = error.what();
    return info;
  }
  return info_of(backend);
}

std::string line_of(const GpuDevice& gpu, bool is_chosen) {
  return fmt::format("{}, compute capability {}, {}, {} free{}{}", gpu.name, gpu.capability,
                     bytes_text(static_cast<double>(gpu.memory.total)),
                     bytes_text(static_cast<double>(gpu.memory.free)), is_chosen ? ", chosen" : "",
                     gpu.fault ? ": " + *gpu.fault : "");
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows_of(const Info& info) {
  const Machine& machine = info.machine;
  Rows rows = {{"backend", machine.backend}};
  if (info.fault.empty()) {
    rows.insert(rows.end(), {{"device", machine.device}, {"threads", std::to_string(machine.threads)}});
  } else {
    rows.emplace_back("device", "none: " + info.fault);
  }
  if constexpr (has_gpu_backend) {
    rows.emplace_back("CUDA",
                      fmt::format("{}, compiled for compute capability {}; driver: {}", info.gpu_runtime.runtime.text(),
                                  compiled_capabilities(), info.gpu_runtime.driver.text()));
    for (const auto& gpu : info.gpus) {
      rows.emplace_back(fmt::format("GPU {}", gpu.number), line_of(gpu, gpu.number == info.device));
    }
  }
  rows.insert(
      rows.end(),
      {{"processor", fmt::format("{}, {}", processor_name(),
                                 plural(std::thread::hardware_concurrency(), "hardware thread", "hardware threads"))},
       {"vectors", program().build.vectors},
       {"memory", fmt::format("{}, {} free", bytes_text(static_cast<double>(info.memory.total)),
                              bytes_text(static_cast<double>(info.memory.free)))},
       {"system", machine.system},
       {"compiler", machine.compiler},
       {"Kokkos", fmt::format("{} with {}", machine.kokkos, program().build.spaces)},
       {"build",
        fmt::format("{}{}", program().build.type, program().build.is_for_this_processor ? ", for this processor" : "")},
       {"same bits", machine.same_bits ? "on: no fused multiply-adds, equal results on every backend"
                                       : "off: the last bits of results may differ between backends"},
       {"engines", names_of<Engine>()},
       {"samplings", names_of<Sampling>()},
       {"mappings", names_of<Mapping>()}});
  return rows;
}

std::string table_of(const Info& info) {
  io::Table table({{"Sporos", io::Table::Column::text}, {SPOROS_VERSION, io::Table::Column::text}});
  for (const auto& [what, text] : rows_of(info)) table.add_row({what, text});
  return table.text();
}

std::string csv_of(const Info& info) {
  std::string text;
  io::append_csv_row(text, {"what", "value"});
  io::append_csv_row(text, {"Sporos", SPOROS_VERSION});
  for (const auto& [what, value] : rows_of(info)) io::append_csv_row(text, {what, value});
  return text;
}

io::Json json_of(const MemoryAmount& memory) { return {{"total", memory.total}, {"free", memory.free}}; }

template <class Choice>
io::Json names_json() {
  io::Json names = io::Json::array();
  for (const auto& named : ChoiceNames<Choice>::values) names.push_back(named.name);
  return names;
}

io::Json cuda_json(const Info& info) {
  io::Json gpus = io::Json::array();
  for (const auto& gpu : info.gpus) {
    gpus.push_back({{"number", gpu.number},
                    {"name", gpu.name},
                    {"compute_capability", gpu.capability},
                    {"memory", json_of(gpu.memory)},
                    {"is_chosen", gpu.number == info.device},
                    {"fault", gpu.fault ? io::Json(*gpu.fault) : io::Json(nullptr)}});
  }
  return {{"runtime", info.gpu_runtime.runtime.text()},
          {"driver", info.gpu_runtime.driver.text()},
          {"compiled_for", compiled_capabilities()},
          {"devices", gpus}};
}

std::string json_of(const Info& info) {
  const Machine& machine = info.machine;
  io::Json json = {{"sporos", SPOROS_VERSION}, {"machine", json_of(machine)}};
  json["fault"] = info.fault.empty() ? io::Json(nullptr) : io::Json(info.fault);
  json["host"] = {{"processor", processor_name()},
                  {"hardware_threads", std::thread::hardware_concurrency()},
                  {"vectors", program().build.vectors},
                  {"memory", json_of(info.memory)}};
  if constexpr (has_gpu_backend) json["cuda"] = cuda_json(info);
  json["build"] = {{"type", program().build.type},
                   {"native", program().build.is_for_this_processor},
                   {"kokkos_spaces", program().build.spaces}};
  json["engines"] = names_json<Engine>();
  json["samplings"] = names_json<Sampling>();
  json["mappings"] = names_json<Mapping>();
  return json_text(json);
}

}  // namespace

std::string info_json(const Backend& backend) { return json_of(info_of(backend)); }

std::string info_text(Backend& backend, const ExecutionSettings& settings, Format format) {
  return text_of(info_of(backend, settings), format);
}

}  // namespace sporos::runtime
