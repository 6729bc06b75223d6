// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/saved_optimization.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_version.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::size_t most_mebibytes = 4096;

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

SavedOptimization::SavedOptimization(const std::string& path, const std::string& problem)
    : m_path(path), m_problem(problem) {
  const io::Json json = io::parse_json(path, io::read_text_file(path, most_mebibytes));
  const auto saved = io::json_member<std::string>(json, path, "problem");
  if (saved != problem) {
    throw std::invalid_argument(
        fmt::format("{} is of the problem {}, expected {}", path, io::in_quotes(saved), problem));
  }
  io::check_json_version(json, path);
  const auto options = io::json_member<io::Json>(json, path, "options");
  for (const auto& [name, text] : options.items()) {
    m_options[name] = io::json_member<std::string>(options, path + ": options", name);
  }
  m_digest = io::json_member<std::string>(json, path, "data");
  m_state = io::json_member<io::Json>(json, path, "state");
}

void SavedOptimization::fill(OptionTable& table, const ResumptionRules& rules, NamedFiles named) const {
  for (const auto& entry : table.entries()) {
    const std::string& name = entry.name;
    if (is_in(rules.passing, name)) continue;
    const auto saved = m_options.find(name);
    const bool is_saved = saved != m_options.end();
    OptionText& text = table.text(name);
    if (!text && is_saved) {
      text = saved->second;
      const auto use = file_use("optimize " + m_problem, "--" + name);
      if (use) named.push_back({fmt::format("--{} of {}", name, m_path), *text, *use});
    }
    if (!text || is_in(rules.changeable, name) || (is_saved && *text == saved->second)) continue;
    throw std::invalid_argument(fmt::format("--{} is {}, but the run in {} has {}: expected it without --{}", name,
                                            io::in_quotes(*text), m_path,
                                            is_saved ? io::in_quotes(saved->second) : "none", name));
  }
  check_files(named);
}

void SavedOptimization::check_data(std::uint64_t digest) const {
  if (m_digest == io::bits_text(digest)) return;
  throw std::invalid_argument(m_path + " is of a run with other data: expected the files as they were");
}

std::string saved_text(const std::string& problem, const OptionTable& table, const ResumptionRules& rules,
                       std::uint64_t digest, io::Json state) {
  io::Json options = io::Json::object();
  for (const auto& entry : table.entries()) {
    if (table.has(entry.name) && !is_in(rules.passing, entry.name)) options[entry.name] = *table.text(entry.name);
  }
  const io::Json json = {{"sporos", SPOROS_VERSION},
                         {"problem", problem},
                         {"options", std::move(options)},
                         {"data", io::bits_text(digest)},
                         {"state", std::move(state)}};
  return json.dump(-1, ' ', false, io::Json::error_handler_t::replace) + '\n';
}

}  // namespace sporos::runtime
