// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/saved_run.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/json_version.hpp>
#include <sporos/core/io/text_file.hpp>

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

SavedRun saved_run_of_json(const io::Json& json, const std::string& path) {
  const auto name = io::json_member<std::string>(json, path, "model");
  const io::Json& plan = io::json_member<io::Json>(json, path, "plan");
  io::check_json_version(json, path);
  const ModelDescription* model = &find_model(name);
  SavedRun run{model, io::plan_of_json(plan, path + ": plan"), {}};
  const io::Json& points = io::json_list(json, path, "points");
  if (points.empty()) throw io::JsonError(points, path + ": points is an empty list, expected a design point");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string what = fmt::format("{}: points[{}]", path, i);
    const io::Json& parameters = io::json_member<io::Json>(points[i], what, "parameters");
    if (i == 0 && model->members != nullptr) {
      const auto file = io::json_member<std::string>(parameters, what + ".parameters", model->parameters.front().name);
      run.model = model = &with_members(*model, file);
    }
    run.design.push_back(values_of_json(parameters, what + ".parameters", *model));
  }
  return run;
}

}  // namespace

SavedRun read_saved_run(const std::string& path) {
  return io::JsonText(path, io::read_text_file(path)).read(saved_run_of_json);
}

}  // namespace sporos::runtime
