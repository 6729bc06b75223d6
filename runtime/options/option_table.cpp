// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

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
