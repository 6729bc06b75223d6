// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/saved_optimization.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_version.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/version.hpp>

#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr std::size_t max_saved_mebibytes = 4096;

}  // namespace

SavedOptimization::SavedOptimization(const std::string& path, const std::string& problem)
    : m_file(path, io::read_text_file(path, max_saved_mebibytes)) {
  m_file.read([&](const io::Json& json, const std::string& what) {
    const auto saved = io::json_member<std::string>(json, what, "problem");
    if (saved != problem) {
      throw io::JsonError(json.at("problem"), fmt::format("{} was saved for the problem {}, expected {}", what,
                                                          io::in_quotes(saved), problem));
    }
    io::check_json_version(json, what);
    const io::Json& options = io::json_member<io::Json>(json, what, "options");
    if (!options.is_object()) {
      throw io::JsonError(options,
                          fmt::format("{}: options is {}, expected an object", what, io::in_quotes(options.dump())));
    }
    for (const auto& [name, text] : options.items()) {
      m_options[name] = io::json_member<std::string>(options, what + ": options", name);
    }
    m_digest = io::json_member<std::string>(json, what, "data");
    io::json_member<io::Json>(json, what, "state");
  });
}

void SavedOptimization::fill(OptionTable& table, NamedFiles named) const {
  for (const auto& entry : table.entries()) {
    const std::string& name = entry.name;
    if (entry.decides == Decides::run) continue;
    const auto saved = m_options.find(name);
    const bool is_saved = saved != m_options.end();
    OptionText& text = table.text(name);
    if (!text && is_saved) {
      text = saved->second;
      if (entry.file) named.push_back({fmt::format("--{} of {}", name, m_file.path()), *text, *entry.file});
    }
    if (!text || entry.decides == Decides::end || (is_saved && *text == saved->second)) continue;
    throw std::invalid_argument(fmt::format("--{} is {}, but the run in {} has {}: omit --{}", name,
                                            io::in_quotes(*text), m_file.path(),
                                            is_saved ? io::in_quotes(saved->second) : "none", name));
  }
  check_files(named);
}

void SavedOptimization::check_data(std::uint64_t digest) const {
  if (m_digest == io::bits_text(digest)) return;
  throw std::invalid_argument(m_file.path() + " was saved by a run with other data: expected the same data files");
}

std::string saved_text(const std::string& problem, const OptionTable& table, std::uint64_t digest, io::Json state) {
  io::Json options = io::Json::object();
  for (const auto& entry : table.entries()) {
    if (table.has(entry.name) && entry.decides != Decides::run) options[entry.name] = *table.text(entry.name);
  }
  const io::Json json = {{"sporos", SPOROS_VERSION},
                         {"problem", problem},
                         {"options", std::move(options)},
                         {"data", io::bits_text(digest)},
                         {"state", std::move(state)}};
  return json.dump(-1, ' ', false, io::Json::error_handler_t::replace) + '\n';
}

}  // namespace sporos::runtime
