// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/saved_run.hpp>

#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/point_tables.hpp>

#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/json_version.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/version.hpp>

#include <stdexcept>
#include <variant>

namespace sporos::runtime {

namespace {

// Returns the checksums of the files that parameters name, by path.
io::Json checksums(const ModelDescription& model, const std::vector<ParameterValues>& design) {
  io::Json files = io::Json::object();
  for (const auto& values : design) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!model.parameters[i].is_file()) continue;
      const auto& path = std::get<std::string>(values[i]);
      if (!path.empty() && !files.contains(path)) {
        files[path] =
            io::bits_text(io::checksum(io::read_text_file(path, io::max_mebibytes_of_text, io::FileContents::bytes)));
      }
    }
  }
  return files;
}

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

void check_checkpoint(const OptionTable& options) {
  checkpoint_interval(options);
  if (!options.has("checkpoint")) return;
  if (options.has("largest") || options.has("smallest") || options.has("compare")) {
    throw std::invalid_argument(
        "--checkpoint is given with --largest, --smallest or --compare, which need every observation of one run: "
        "expected one of them");
  }
  if (options.has("responses") || options.has("quantiles") || !options.list("probability").empty() ||
      !options.list("histogram").empty() || !options.list("density").empty()) {
    throw std::invalid_argument(
        "--checkpoint is given with --responses, --quantiles, --probability, --histogram or --density, which need "
        "every replication of one run: expected one of them");
  }
}

io::Json experiment_description(const ModelDescription& model, const std::vector<ParameterValues>& design,
                                const Plan& plan, bool has_controls, bool is_conditional) {
  io::Json json = {{"sporos", SPOROS_VERSION}, {"command", "simulate"}, {"model", model.name}};
  json["plan"] = io::json_of(plan);
  for (const char* name : {"mapping", "time_limit"}) json["plan"].erase(name);
  json["points"] = io::Json::array();
  for (const auto& values : design) json["points"].push_back(json_of(model, values));
  json["files"] = checksums(model, design);
  if (has_controls) json["control_variates"] = model.control_names;
  if (is_conditional) json["conditional_on"] = model.conditional_on;
  return json;
}

SavedRun read_saved_run(const std::string& path) {
  return io::JsonText(path, io::read_text_file(path)).read(saved_run_of_json);
}

}  // namespace sporos::runtime
