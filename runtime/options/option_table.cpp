// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace sporos::runtime {

namespace {

bool is_read(FileUse use) { return use == FileUse::reads || use == FileUse::resumes; }

// A file to which a path leads, or the place of a file that does not exist.
class Place {
 public:
  explicit Place(const std::filesystem::path& path) : m_path(path) {
    m_is_there = ::stat(path.c_str(), &m_status) == 0;
    if (m_is_there || errno != ENOENT) return;
    std::error_code error;
    const auto to_be = std::filesystem::weakly_canonical(io::file_of_link(path), error);
    if (!error) m_path = to_be;
  }
  explicit Place(int descriptor) { m_is_there = ::fstat(descriptor, &m_status) == 0; }

  bool is_regular() const { return m_is_there && S_ISREG(m_status.st_mode); }
  const std::filesystem::path& path_to_be() const { return m_path; }

  bool operator==(const Place& other) const {
    if (m_is_there != other.m_is_there) return false;
    if (!m_is_there) return m_path == other.m_path;
    return m_status.st_dev == other.m_status.st_dev && m_status.st_ino == other.m_status.st_ino &&
           !S_ISCHR(m_status.st_mode);
  }

 private:
  bool m_is_there = true;
  struct stat m_status {};
  std::filesystem::path m_path;  // resolved path of a missing file, or the path as given
};

// The files PREFIX-....vtk, existing or not.
class Series {
 public:
  explicit Series(const std::string& prefix) {
    std::error_code error;
    const auto path = std::filesystem::absolute(prefix, error);
    m_folder = std::filesystem::weakly_canonical(path.parent_path(), error);
    m_beginning = path.filename().string() + '-';
    for (const auto& file : std::filesystem::directory_iterator(m_folder, error)) {
      if (has(file.path())) m_there.emplace_back(file.path());
    }
  }

  bool has(const Place& place) const {
    return has(place.path_to_be()) || std::find(m_there.begin(), m_there.end(), place) != m_there.end();
  }

 private:
  bool has(const std::filesystem::path& path) const {
    const std::string name = path.filename().string();
    return path.parent_path() == m_folder && name.starts_with(m_beginning) && name.ends_with(".vtk");
  }

  std::filesystem::path m_folder;
  std::string m_beginning;
  std::vector<Place> m_there;
};

// A file that an argument names, and all files that are written because of it.
class UsedFile {
 public:
  explicit UsedFile(const NamedFile& named) : m_named(&named), m_place(std::filesystem::path(named.path)) {
    if (named.use == FileUse::writes_series) m_series.emplace(named.path);
    if (named.use != FileUse::keeps) return;
    std::error_code error;
    const std::string path = std::filesystem::weakly_canonical(io::file_of_link(named.path), error).string();
    for (const char* ending : {".lock", ".new"}) m_companions.emplace_back(std::filesystem::path(path + ending));
  }

  const NamedFile& named() const { return *m_named; }
  const Place& place() const { return m_place; }

  bool is(const UsedFile& other) const { return !m_series && !other.m_series && m_place == other.m_place; }
  bool brings(const UsedFile& other) const {
    return (m_series && m_series->has(other.m_place)) ||
           std::find(m_companions.begin(), m_companions.end(), other.m_place) != m_companions.end();
  }

 private:
  const NamedFile* m_named;
  Place m_place;
  std::vector<Place> m_companions;
  std::optional<Series> m_series;
};

[[noreturn]] void refuse(const NamedFile& one, std::string_view other, FileUse use) {
  throw std::invalid_argument(fmt::format("{} is {}, which {} {}: expected another file", one.argument,
                                          io::in_quotes(one.path), other, is_read(use) ? "reads" : "writes"));
}

// Throws if the use of the two files conflicts; `later` is written.
void check_pair(const UsedFile& earlier, const UsedFile& later) {
  const NamedFile &first = earlier.named(), &second = later.named();
  if (earlier.brings(later)) refuse(second, first.argument, first.use);
  if (later.brings(earlier)) refuse(first, second.argument, second.use);
  const bool goes_on = first.use == FileUse::resumes && second.use == FileUse::saves;
  if (!goes_on && earlier.is(later)) refuse(second, first.argument, first.use);
}

// Throws if standard output is redirected to one of the files.
void check_standard_output(const std::vector<UsedFile>& files) {
  const Place output(STDOUT_FILENO);
  if (!output.is_regular()) return;
  for (const UsedFile& file : files) {
    if (file.place() == output) refuse(file.named(), "standard output", FileUse::writes);
  }
}

}  // namespace

void check_files(const NamedFiles& files) {
  std::vector<UsedFile> used;
  for (const NamedFile& file : files) {
    const bool is_standard_output = file.argument == "--output" && (file.path == "-" || file.path == "/dev/stdout");
    if (!is_standard_output) used.emplace_back(file);
  }
  const auto is_input = [](const UsedFile& file) { return is_read(file.named().use); };
  const auto written = std::stable_partition(used.begin(), used.end(), is_input);
  for (auto later = written; later != used.end(); ++later) {
    for (auto earlier = used.begin(); earlier != later; ++earlier) check_pair(*earlier, *later);
  }
  check_standard_output(used);
}

OptionTable::OptionTable(std::vector<OptionEntry> entries) : m_entries(std::move(entries)) {
  for (const auto& entry : m_entries) {
    m_texts.emplace(entry.name, std::nullopt);
    if (entry.occurrence == Occurrence::repeated) m_lists.emplace(entry.name, std::vector<std::string>());
  }
}

OptionText OptionTable::given(const OptionEntry& entry) const {
  if (entry.occurrence != Occurrence::repeated) return text(entry.name);
  const auto& values = list(entry.name);
  return values.empty() ? OptionText() : fmt::format("{}", fmt::join(values, "\n"));
}

std::int64_t OptionTable::whole(const std::string& name, std::int64_t otherwise, std::int64_t least,
                                std::int64_t most) const {
  return has(name) ? io::parse_number<std::int64_t>("--" + name, *text(name), least, most) : otherwise;
}

std::uint64_t OptionTable::seed(const std::string& name, std::uint64_t otherwise) const {
  return has(name) ? io::parse_number<std::uint64_t>("--" + name, *text(name)) : otherwise;
}

double OptionTable::number(const std::string& name, double otherwise, double least) const {
  if (!has(name)) return otherwise;
  const auto number = io::parse_number<double>("--" + name, *text(name));
  if (!(number >= least) || std::isinf(number)) {
    const bool is_bounded = least > std::numeric_limits<double>::lowest();
    throw std::invalid_argument(
        fmt::format("--{} is {}, expected a finite number{}", name, io::in_quotes(*text(name)),
                    is_bounded ? fmt::format(" of at least {}", io::shortest_text(least)) : ""));
  }
  return number;
}

double OptionTable::positive(const std::string& name, double otherwise) const {
  if (!has(name)) return otherwise;
  const auto number = io::parse_number<double>("--" + name, *text(name));
  if (!(number > 0) || std::isinf(number)) {
    throw std::invalid_argument(
        fmt::format("--{} is {}, expected a positive finite number", name, io::in_quotes(*text(name))));
  }
  return number;
}

bool OptionTable::is_on(const std::string& name, bool otherwise) const {
  if (!has(name)) return otherwise;
  if (*text(name) != "on" && *text(name) != "off") {
    throw std::invalid_argument(fmt::format("--{} is {}, expected on or off", name, io::in_quotes(*text(name))));
  }
  return *text(name) == "on";
}

void OptionTable::refuse_unless(bool fits, const std::string& name, const std::string& with) const {
  if (fits || !has(name)) return;
  throw std::invalid_argument(fmt::format("--{} is given, expected it only with {}", name, with));
}

double time_limit_of(const OptionTable& table) {
  return table.has("time-limit") ? table.positive("time-limit", 0) : std::numeric_limits<double>::infinity();
}

void check_same_task(const OptionTable& table, std::uint64_t digest) {
  for (const auto& entry : table.entries()) {
    if (entry.name == "device" || entry.name == "no-progress") continue;
    const OptionText given = table.given(entry);
    check_same(processes(), "--" + entry.name, !given ? "not given" : entry.value.empty() ? "given" : *given);
  }
  check_same(processes(), "the data's digest", io::bits_text(digest));
}

std::vector<OptionEntry> deciding(Decides what, std::vector<OptionEntry> entries) {
  for (OptionEntry& entry : entries) entry.decides = what;
  return entries;
}

std::vector<OptionEntry> entries_of(std::initializer_list<std::vector<OptionEntry>> lists) {
  std::vector<OptionEntry> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace sporos::runtime
