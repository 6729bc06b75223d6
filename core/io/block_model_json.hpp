// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/core/random_blocks/model.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

/// Stores the constants of a BlockModel as JSON in the user's cache folder.
namespace sporos::io {

/// Machine, backend and engine to which the constants of a BlockModel apply.
struct BlockModelKey {
  std::string machine;  ///< name of the processor or GPU that computes
  std::string backend;  ///< name of the backend
  std::string engine;   ///< name of the engine
  int processors;       ///< hardware threads of the host
};

/// Returns the key of an execution space of this machine and the engine of that name. Requires an initialized Kokkos.
template <class ExecutionSpace>
BlockModelKey block_model_key(std::string_view engine) {
  return {device_name(ExecutionSpace()), std::string(backend_name<ExecutionSpace>()), std::string(engine),
          static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u))};
}

/// Folder in which the user's programs cache measurements that they could repeat: $SPOROS_CACHE if it is set, otherwise
/// sporos in $XDG_CACHE_HOME, or .cache/sporos in the home folder. Throws std::invalid_argument if none of them is set.
inline std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const auto own = variable("SPOROS_CACHE"); !own.empty()) return own;
  if (const auto cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/sporos";
  if (const auto home = variable("HOME"); !home.empty()) return home + "/.cache/sporos";
  throw std::invalid_argument("there is no folder for measured costs: set HOME, XDG_CACHE_HOME or SPOROS_CACHE");
}

/// Default path of the file of constants, in cache_folder(). Each backend, engine and machine has a separate file.
inline std::string block_model_path(const BlockModelKey& key) {
  std::string machine;
  for (const char c : key.machine) machine += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return fmt::format("{}/blocks-{}-{}-{}-{}.json", cache_folder(), key.backend, key.engine, key.processors, machine);
}

/// Returns the constants and their key as JSON.
inline Json json_of(const BlockModel& model, const BlockModelKey& key) {
  const auto linear = [](const LinearTime& time) -> Json {
    return {{"start", json_number(time.start)}, {"each", json_number(time.each)}};
  };
  return {{"block_model", 2},
          {"machine", key.machine},
          {"backend", key.backend},
          {"engine", key.engine},
          {"processors", key.processors},
          {"on_host", model.on_host},
          {"unit", model.unit},
          {"has_lanes", model.has_lanes},
          {"kernel",
           {{"start", json_number(model.kernel.start)},
            {"step", json_number(model.kernel.step)},
            {"width", model.kernel.width}}},
          {"transfer", linear(model.transfer)},
          {"first_use", linear(model.first_use)},
          {"startup", json_number(model.startup)},
          {"beginning", json_number(model.beginning)},
          {"handover", json_number(model.handover)},
          {"taking", json_number(model.taking)},
          {"shared",
           {{"transfer", linear(model.shared.transfer)},
            {"first_use", linear(model.shared.first_use)},
            {"draw", json_number(model.shared.draw)},
            {"cache", json_number(model.shared.cache)}}}};
}

namespace impl {

inline LinearTime linear_time_of_json(const Json& json, const std::string& what, std::string_view name) {
  const Json& member = json_member<Json>(json, what, name);
  const std::string path = fmt::format("{}: {}", what, name);
  return {json_member<double>(member, path, "start"), json_member<double>(member, path, "each")};
}

template <class Value>
void expect_member(const Json& json, const std::string& what, const char* name, const char* meaning,
                   const Value& expected) {
  if (json_member<Value>(json, what, name) == expected) return;
  throw JsonError(json.at(name), fmt::format("{} is for another {}: {}, expected {}", what, meaning,
                                             in_quotes(json.at(name).dump()), in_quotes(Json(expected).dump())));
}

}  // namespace impl

/// Reads the constants that json_of wrote for `key`; `what` names the JSON in messages. Throws std::invalid_argument if
/// the JSON has another version or key, and in the same cases as json_member and check.
inline BlockModel block_model_of_json(const Json& json, const std::string& what, const BlockModelKey& key) {
  impl::expect_member(json, what, "block_model", "version", std::int64_t{2});
  impl::expect_member(json, what, "machine", "machine", key.machine);
  impl::expect_member(json, what, "backend", "backend", key.backend);
  impl::expect_member(json, what, "engine", "engine", key.engine);
  impl::expect_member(json, what, "processors", "number of processors", std::int64_t{key.processors});
  const Json& kernel = json_member<Json>(json, what, "kernel");
  const std::string kernel_path = what + ": kernel";
  BlockModel model;
  model.kernel = {json_member<double>(kernel, kernel_path, "start"), json_member<double>(kernel, kernel_path, "step"),
                  json_member<std::int64_t>(kernel, kernel_path, "width")};
  model.transfer = impl::linear_time_of_json(json, what, "transfer");
  model.first_use = impl::linear_time_of_json(json, what, "first_use");
  model.startup = json_member<double>(json, what, "startup");
  model.beginning = json_member<double>(json, what, "beginning");
  model.handover = json_member<double>(json, what, "handover");
  model.taking = json_member<double>(json, what, "taking");
  model.on_host = json_member<bool>(json, what, "on_host");
  model.unit = json_member<std::int64_t>(json, what, "unit");
  model.has_lanes = json_member<bool>(json, what, "has_lanes");
  const Json& shared = json_member<Json>(json, what, "shared");
  const std::string shared_path = what + ": shared";
  model.shared.transfer = impl::linear_time_of_json(shared, shared_path, "transfer");
  model.shared.first_use = impl::linear_time_of_json(shared, shared_path, "first_use");
  model.shared.draw = json_member<double>(shared, shared_path, "draw");
  model.shared.cache = json_member<double>(shared, shared_path, "cache");
  model.processors = key.processors;
  try {
    check(model);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", what, error.what()));
  }
  return model;
}

/// Writes constants to a file, which appears whole or not at all. Throws WriteError.
inline void save_block_model(const std::string& path, const BlockModel& model, const BlockModelKey& key) {
  OutputFile(path).write(json_of(model, key).dump(2) + "\n");
}

/// Writes constants to block_model_path(key) and creates its folder if it is missing. Throws WriteError and the same
/// exceptions as cache_folder.
inline void save_block_model(const BlockModel& model, const BlockModelKey& key) {
  std::error_code ignored;  // writing the file then fails with the reason
  std::filesystem::create_directories(cache_folder(), ignored);
  save_block_model(block_model_path(key), model, key);
}

/// Reads constants from a file. Throws std::invalid_argument, with the reason, if the file cannot be read, is damaged,
/// or is of another machine, backend or engine.
inline BlockModel load_block_model(const std::string& path, const BlockModelKey& key) {
  constexpr std::size_t max_mebibytes = 1;
  return JsonText(path, read_text_file(path, max_mebibytes)).read([&](const Json& json, const std::string& what) {
    return block_model_of_json(json, what, key);
  });
}

}  // namespace sporos::io
