// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/point_tables.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/json_version.hpp>
#include <sporos/core/io/text_file.hpp>

#include <string>
#include <variant>

namespace sporos::runtime {

namespace {

ParameterValues values_of_json(const io::Json& json, const std::string& what, const ModelDescription& model) {
  ParameterValues values;
  for (const auto& parameter : model.parameters) {
    const std::string name = parameter.name == point_number ? parameter_id(parameter.name) : parameter.name;
    if (parameter.is_file()) {
      values.emplace_back(io::json_member<std::string>(json, what, name));
    } else if (parameter.is_whole()) {
      values.emplace_back(io::json_member<std::int64_t>(json, what, name));
    } else {
      values.emplace_back(io::json_member<double>(json, what, name));
    }
  }
  return values;
}

// Reads the plan from the settings, in which a range of primes is a string.
Plan plan_of(const io::Json& settings, const std::string& what) {
  const auto primes = settings.find("primes");
  if (primes == settings.end() || !primes->is_string()) return io::plan_of_json(settings, what);
  io::Json plan = settings;
  const PrimeRange range = parse_primes(primes->get<std::string>());
  plan["primes"] = {range.smallest, range.largest};
  return io::plan_of_json(plan, what);
}

SavedRun saved_run_of_json(const io::Json& json, const std::string& path) {
  const auto name = io::json_member<std::string>(json, path, "subject");
  const io::Json& settings = io::json_member<io::Json>(json, path, "settings");
  io::check_json_version(json, path);
  const ModelDescription* model = &find_model(name);
  SavedRun run{model, plan_of(settings, path + ": settings"), {}};
  const std::string tables = path + ": tables", design = tables + ".design";
  const io::Json& points = io::json_list(
      io::json_member<io::Json>(io::json_member<io::Json>(json, path, "tables"), tables, "design"), design, "rows");
  if (points.empty()) throw io::JsonError(points, design + ": rows is an empty list, expected a design point");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string what = fmt::format("{}.rows[{}]", design, i);
    if (i == 0 && model->members != nullptr) {
      const auto file = io::json_member<std::string>(points[i], what, model->parameters.front().name);
      run.model = model = &with_members(*model, file);
    }
    run.design.push_back(values_of_json(points[i], what, *model));
    if (model->parameters.empty() || !model->parameters.front().is_file()) continue;
    values_with_case(*model, what, std::get<std::string>(run.design.back().front()));
  }
  return run;
}

}  // namespace

SavedRun read_saved_run(const std::string& path) {
  return io::JsonText(path, io::read_text_file(path)).read(saved_run_of_json);
}

}  // namespace sporos::runtime
