// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json_text.hpp"

namespace sporos::apps {

io::Json json_of(const Machine& machine) {
  return {{"backend", machine.backend},    {"device", machine.device},     {"threads", machine.threads},
          {"system", machine.system},      {"compiler", machine.compiler}, {"kokkos", machine.kokkos},
          {"same_bits", machine.same_bits}};
}

std::string json_text(const io::Json& json) {
  return json.dump(2, ' ', false, io::Json::error_handler_t::replace) + '\n';
}

io::Json json_of(const ModelDescription& model, const ParameterValues& values) {
  io::Json json = io::Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::visit([&](const auto& value) { json[model.parameters[i].name] = value; }, values[i]);
  }
  return json;
}

}  // namespace sporos::apps
