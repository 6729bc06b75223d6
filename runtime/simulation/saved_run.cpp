// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/saved_run.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_version.hpp>
#include <sporos/core/io/text_file.hpp>

#include <stdexcept>

namespace sporos::runtime {

namespace {

ParameterValues values_of_json(const io::Json& json, const std::string& what, const ModelDescription& model) {
  ParameterValues values;
  for (const auto& parameter : model.parameters) {
    if (parameter.is_file()) {
      values.emplace_back(io::json_member<std::string>(json, what, parameter.name));
    } else if (parameter.is_whole()) {
      values.emplace_back(io::json_member<std::int64_t>(json, what, parameter.name));
    } else {
      values.emplace_back(io::json_member<double>(json, what, parameter.name));
    }
  }
  return values;
}

}  // namespace

SavedRun read_saved_run(const std::string& path) {
  const io::Json json = io::parse_json(path, io::read_text_file(path));
  const auto name = io::json_member<std::string>(json, path, "model");
  const auto plan = io::json_member<io::Json>(json, path, "plan");
  io::check_json_version(json, path);
  const ModelDescription* model = &find_model(name);
  SavedRun run{model, io::plan_of_json(plan, path + ": plan"), {}};
  const auto points = io::json_member<io::Json>(json, path, "points");
  if (!points.is_array() || points.empty()) {
    throw std::invalid_argument(path + ": points is no list of design points");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string what = fmt::format("{}: points[{}]", path, i);
    const auto parameters = io::json_member<io::Json>(points[i], what, "parameters");
    if (i == 0 && model->members != nullptr) {
      const auto file = io::json_member<std::string>(parameters, what + ".parameters", model->parameters.front().name);
      run.model = model = &with_members(*model, file);
    }
    run.design.push_back(values_of_json(parameters, what + ".parameters", *model));
  }
  return run;
}

}  // namespace sporos::runtime
