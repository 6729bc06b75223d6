// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/kept_experiment.hpp>

#include <sporos/runtime/files/json_text.hpp>

#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/version.hpp>

#include <stdexcept>
#include <string>

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

}  // namespace sporos::runtime
