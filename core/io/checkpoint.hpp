// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/file_lock.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/text_file.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sporos::io {

/// 64-bit FNV-1a hash of `text`. Two strings that differ in one byte always have different hashes.
constexpr std::uint64_t checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

namespace impl {

/// Path at which two JSON values differ, and the part of each at that path.
struct JsonDifference {
  std::string place;
  Json first, second;
};

inline std::optional<JsonDifference> difference(const Json& first, const Json& second, const std::string& place = "") {
  if (first == second) return std::nullopt;
  const auto inside = [&](const std::string& name) { return place.empty() ? name : place + "." + name; };
  if (first.is_object() && second.is_object()) {
    for (const auto& [name, value] : first.items()) {
      if (!second.contains(name)) return JsonDifference{inside(name), value, nullptr};
      if (auto found = difference(value, second[name], inside(name))) return found;
    }
    for (const auto& [name, value] : second.items()) {
      if (!first.contains(name)) return JsonDifference{inside(name), nullptr, value};
    }
    return std::nullopt;  // they differ only in the order of members
  }
  if (first.is_array() && second.is_array() && first.size() == second.size()) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (auto found = difference(first[i], second[i], fmt::format("{}[{}]", place, i))) return found;
    }
  }
  return JsonDifference{place, first, second};
}

}  // namespace impl

/// Checkpoint file that stores the state of a run, from which another run continues. The file is complete or absent,
/// whenever the machine stops. It is text of three lines:
///
///     sporos checkpoint 1
///     {"run": description of the run, "state": its state}
///     checksum of the lines before, as 16 hexadecimal digits
///
/// While an object of this class lives, no other object in this process or another can use the file. FILE.lock ensures
/// this until the process ends, however it ends. While the file is written it is called FILE.new. Existing files of
/// these names that were not made by a checkpoint are refused and left unchanged.
class Checkpoint {
 public:
  /// Version of the format that is read and written.
  static constexpr int version = 1;

  /// Opens the checkpoint `path`, which need not exist, for the run that the object `run` describes. Throws
  /// std::invalid_argument if the checkpoint is in use, damaged, of another version or of another run, or if a foreign
  /// file has the name of FILE.lock or FILE.new. Throws WriteError if the checkpoint could not be written now.
  Checkpoint(const std::string& path, Json run)
      : m_name(in_quotes(path)), m_path(resolved(path)), m_run(std::move(run)), m_lock(m_path.string() + ".lock") {
    if (!m_lock.try_lock(m_name))
      throw std::invalid_argument(m_name +
                                  " is in use by another run: wait until that run ends, or choose another file");
    remove_unfinished(m_path.string() + ".new");
    m_file.emplace(m_path.string(), m_path.filename().string() + ".new");
    if (std::filesystem::exists(m_path)) read();
  }

  /// Name of the checkpoint in messages.
  const std::string& name() const { return m_name; }

  /// State that the file held when this object was constructed, if the file existed.
  const std::optional<Json>& state() const { return m_state; }

  /// Writes the state to the disk. Throws WriteError if that fails; the file then still holds the previous state.
  void write(const Json& state) const {
    std::string text = fmt::format("{} {}\n", title, version);
    text += Json{{"run", m_run}, {"state", state}}.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    text += bits_text(checksum(text)) + '\n';
    m_file->write(text);
  }

  /// Removes the file, if it exists.
  void remove() const { std::filesystem::remove(m_path); }

 private:
  static constexpr std::string_view title = "sporos checkpoint";
  static constexpr std::size_t max_mebibytes = 4096;

  // Removes the unfinished file of a run that was killed while it wrote. Such a run also left its lock; without that
  // lock the file is somebody else's and is refused.
  void remove_unfinished(const std::string& path) const {
    if (!std::filesystem::exists(std::filesystem::symlink_status(path))) return;
    if (!m_lock.was_left()) {
      throw std::invalid_argument(
          fmt::format("{} exists, but no interrupted run left it: delete or rename it", in_quotes(path)));
    }
    std::filesystem::remove(path);
  }

  // Resolves symbolic links, so that one file has one lock.
  static std::filesystem::path resolved(const std::string& path) {
    const std::string name = in_quotes(path);
    if (!std::filesystem::path(path).has_filename()) throw WriteError(name, path.empty() ? ENOENT : EISDIR);
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      throw std::invalid_argument(name + " is not a regular file, expected one for a checkpoint");
    }
    const auto found = std::filesystem::weakly_canonical(file_of_link(path), error);
    if (error) throw WriteError(name, error.value());
    return found;
  }

  [[noreturn]] void refuse(std::string_view why) const {
    throw std::invalid_argument(fmt::format("{} {}", m_name, why));
  }

  void read() {
    const std::string text = read_text_file(m_path.string(), max_mebibytes, FileContents::bytes);
    check_title(text);
    constexpr std::size_t last_line = 17;  // including the line end
    const std::string_view all = text, last = all.substr(all.size() - std::min(all.size(), last_line));
    const std::string_view before = all.substr(0, all.size() - last.size());
    if (!before.ends_with('\n') || last != bits_text(checksum(before)) + '\n') {
      refuse("is a damaged checkpoint: its checksum does not match its contents; delete it to restart the run");
    }
    const Json json = parse_json(m_name, before.substr(before.find('\n')));
    check_run(json_member<Json>(json, m_name, "run"));
    m_state = json_member<Json>(json, m_name, "state");
  }

  void check_title(std::string_view text) const {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.starts_with(title)) refuse("is not a checkpoint of Sporos: choose another file");
    const auto found = number_of<int>(line.substr(std::min(line.size(), title.size() + 1)));
    if (!found) refuse("is a damaged checkpoint: it has no version; delete it to restart the run");
    if (*found != version) refuse(fmt::format("is a checkpoint of version {}, expected version {}", *found, version));
  }

  void check_run(const Json& saved) const {
    const auto found = impl::difference(saved, m_run);
    if (!found) return;
    const auto shown = [](const Json& json) {
      return json.is_null() ? std::string("missing")
                            : in_quotes(json.is_string() ? json.get<std::string>() : json.dump());
    };
    refuse(fmt::format("is the checkpoint of another run: {} is {} in it, expected {}", found->place,
                       shown(found->first), shown(found->second)));
  }

  std::string m_name;
  std::filesystem::path m_path;
  Json m_run;
  FileLock m_lock;
  std::optional<OutputFile> m_file;
  std::optional<Json> m_state;
};

}  // namespace sporos::io
