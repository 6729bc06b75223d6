// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/experiment_part.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/experiment_json.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/experiment_parts.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t part_version = 1;
constexpr auto kind_of_file = "part of an experiment";
constexpr std::size_t digits = 16;  // hexadecimal digits of a number's bits

// Throws if an option is given that requires the whole experiment while it runs.
void refuse_whole(const OptionTable& options) {
  for (const char* name : {"precision", "relative-precision", "quantile-precision", "relative-quantile-precision"}) {
    if (!options.has(name)) continue;
    throw std::invalid_argument(
        fmt::format("--part is given with --{}, whose number of replications depends on all parts: expected a number "
                    "of --replications",
                    name));
  }
  if (options.has("report")) {
    throw std::invalid_argument("--part is given with --report, expected --report with the command merge");
  }
  if (options.has("format") && *options.text("format") != "json") {
    throw std::invalid_argument("--part is given with --format " + *options.text("format") +
                                ", but a part is JSON: expected --format with the command merge");
  }
  for (const OptionEntry& entry : options.entries()) {
    if ((entry.name == "picture" || entry.name == "timeline") && options.given(entry)) {
      throw std::invalid_argument(fmt::format("--part is given with --{}, expected one of them", entry.name));
    }
  }
}

std::string hexadecimal_of(const std::vector<double>& given) {
  std::string text;
  text.reserve(digits * given.size());
  for (const double number : given) text += io::bits_text(number);
  return text;
}

std::vector<double> numbers_of(const std::string& text, const std::string& what, std::int64_t expected) {
  std::vector<double> given;
  given.reserve(text.size() / digits);
  for (std::size_t at = 0; at + digits <= text.size(); at += digits) {
    std::uint64_t bits = 0;
    const char* const begin = text.data() + at;
    const auto [stop, error] = std::from_chars(begin, begin + digits, bits, 16);
    if (error != std::errc() || stop != begin + digits) break;
    given.push_back(std::bit_cast<double>(bits));
  }
  if (text.size() == digits * given.size() && static_cast<std::int64_t>(given.size()) == expected) return given;
  throw std::invalid_argument(fmt::format("{} are damaged, expected the bits of {}: create the part again", what,
                                          plural(expected, "number", "numbers")));
}

io::Json json_of(const KeptNumbers& kept) {
  io::Json list = io::Json::array();
  for (const auto& points : kept) {
    io::Json texts = io::Json::array();
    for (const auto& given : points) texts.push_back(hexadecimal_of(given));
    list.push_back(std::move(texts));
  }
  return list;
}

// Reads the numbers of each response and design point.
KeptNumbers kept_of(const io::Json& json, const std::string& what, const char* name, std::size_t points,
                    std::int64_t of_point) {
  KeptNumbers kept;
  if (!json.contains(name)) return kept;
  for (const io::Json& texts : io::json_list(json, what, name)) {
    auto& of_response = kept.emplace_back();
    if (!texts.is_array() || texts.size() != points) {
      throw io::JsonError(texts, fmt::format("{}: {} are not lists of {}", what, name,
                                             plural(static_cast<std::int64_t>(points), "text", "texts")));
    }
    for (const io::Json& text : texts) {
      of_response.push_back(
          numbers_of(text.is_string() ? text.get<std::string>() : "", fmt::format("{}: its {}", what, name), of_point));
    }
  }
  return kept;
}

std::vector<std::string> strings_of(const io::Json& json, const std::string& what, const char* name) {
  std::vector<std::string> strings;
  for (const io::Json& text : io::json_list(json, what, name)) {
    if (!text.is_string()) throw io::JsonError(text, fmt::format("{}: {} holds no text", what, name));
    strings.push_back(text.get<std::string>());
  }
  return strings;
}

// Describes the parts whose numbers are missing: "2, 5 to 7".
std::string ranges_text(const std::vector<std::int64_t>& given) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < given.size();) {
    std::size_t end = i;
    while (end + 1 < given.size() && given[end + 1] == given[end] + 1) ++end;
    ranges.push_back(end == i ? std::to_string(given[i]) : fmt::format("{} to {}", given[i], given[end]));
    i = end + 1;
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

// Returns the options that determine the result, except the time limit, as arguments of the command line.
void append_arguments(const OptionTable& options, std::vector<std::string>& arguments) {
  for (const OptionEntry& entry : options.entries()) {
    const bool matters = entry.decides != Decides::run && entry.name != "part" && entry.name != "time-limit";
    if (!matters || !options.given(entry)) continue;
    const std::string flag = "--" + entry.name;
    if (entry.value.empty()) {
      arguments.push_back(flag);
    } else if (entry.occurrence == Occurrence::repeated) {
      for (const std::string& value : options.list(entry.name)) arguments.push_back(flag + "=" + value);
    } else {
      const std::string& value = *options.text(entry.name);
      arguments.push_back(value.empty() ? flag : flag + "=" + value);
    }
  }
}

}  // namespace

OptionEntry part_option() {
  return {"Run", "part", "K/N",
          "run only part K of N of the replications and write it as JSON; the command merge combines the files of all "
          "parts to the result of a single run"};
}

std::optional<ExperimentPart> part_from(const OptionTable& options, const Plan& plan) {
  if (!options.has("part")) return std::nullopt;
  refuse_whole(options);
  const std::string& text = *options.text("part");
  const auto slash = text.find('/');
  const auto number = io::number_of<std::int64_t>(std::string_view(text).substr(0, slash));
  const auto count = io::number_of<std::int64_t>(std::string_view(text).substr(std::min(slash, text.size() - 1) + 1));
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("--part is {}, {}", io::in_quotes(text), why));
  };
  if (slash == std::string::npos || !number || !count) {
    refuse("expected the number of a part and the number of parts, such as 3/100");
  }
  try {
    return ExperimentPart{*number, *count, replications_of_part(plan, *number, *count)};
  } catch (const std::invalid_argument& error) {
    refuse(std::string("but ") + error.what());
  }
  return std::nullopt;
}

PartRecord::PartRecord(const ExperimentPart& part, std::size_t points, std::size_t responses, bool keeps_observations,
                       bool keeps_rows)
    : m_part(part), m_points(points), m_responses(responses) {
  const int kinds = (keeps_observations ? 1 : 0) + (keeps_rows ? 1 : 0);
  if (kinds == 0) return;
  constexpr double bytes = sizeof(double) + 2 * digits;  // number, its text, and the text of the file
  check_memory<Kokkos::HostSpace>({"results of the part", part.range.count, "replications",
                                   bytes * kinds * static_cast<double>(points * responses)});
  if (keeps_observations) m_observations = none();
  if (keeps_rows) m_rows = none();
}

Observer PartRecord::observer() {
  if (!m_observations) return {};
  return [this](std::size_t point, std::size_t response, double observation) {
    (*m_observations)[response][point].push_back(observation);
  };
}

Recorder PartRecord::recorder() {
  if (!m_rows) return {};
  return [this](const ReplicationRows& rows) {
    for (std::size_t response = 0; response < rows.responses; ++response) {
      for (std::size_t place = 0; place < rows.points.size(); ++place) {
        std::vector<double>& kept = (*m_rows)[response][rows.points[place]];
        for (std::int64_t row = 0; row < rows.counts[place]; ++row) kept.push_back(rows(place, row, response));
      }
    }
  };
}

std::string PartRecord::text(const io::Json& run, const std::vector<std::string>& arguments,
                             const ExperimentResult& result, std::int64_t run_length) const {
  io::Json json = {{"kind", kind_of_file},
                   {"version", part_version},
                   {"part", m_part.number},
                   {"of", m_part.count},
                   {"run", run},
                   {"arguments", arguments},
                   {"run_length", run_length},
                   {"mapping", name_of(result.mapping)},
                   {"seconds", result.seconds},
                   {"summary", io::json_of(result.state, run_length)}};
  if (m_observations) json["observations"] = json_of(*m_observations);
  if (m_rows) json["rows"] = json_of(*m_rows);
  return json.dump(-1, ' ', false, io::Json::error_handler_t::replace) + '\n';
}

std::vector<std::string> arguments_of(const ModelDescription& model, const OptionTable& options) {
  std::vector<std::string> arguments{model.name};
  append_arguments(options, arguments);
  return arguments;
}

MergedParts::Part MergedParts::part_of(const NamedText& text) {
  return io::JsonText(text.name, text.text).read([](const io::Json& json, const std::string& name) {
    if (!json.is_object() || !json.contains("kind")) {
      throw io::JsonError(json, name + " is not a part of an experiment, expected a file that --part has written");
    }
    if (json["kind"] != kind_of_file) {
      throw io::JsonError(json["kind"], fmt::format("{}: kind is {}, expected '{}'", name,
                                                    io::in_quotes(json["kind"].dump()), kind_of_file));
    }
    const auto version = io::json_member<std::int64_t>(json, name, "version");
    if (version != part_version) {
      throw std::invalid_argument(fmt::format("{} is a part of version {}, expected version {}: create the part again",
                                              name, version, part_version));
    }
    Part part{name,
              io::json_member<std::int64_t>(json, name, "part"),
              io::json_member<std::int64_t>(json, name, "of"),
              io::json_member<io::Json>(json, name, "run"),
              strings_of(json, name, "arguments"),
              io::experiment_state_of_json(io::json_member<io::Json>(json, name, "summary"), name + ": summary"),
              io::json_member<std::int64_t>(json, name, "run_length"),
              io::json_choice<Mapping>(json, name, "mapping"),
              io::json_member<double>(json, name, "seconds"),
              {},
              {}};
    if (part.run_length < 1 || part.number < 1 || part.number > part.count) {
      throw std::invalid_argument(
          fmt::format("{} is part {} of {} with runs of {}, expected a valid part: create the "
                      "part again",
                      name, part.number, part.count, part.run_length));
    }
    const std::int64_t replications = part.state.replications - part.state.first;
    part.rows = kept_of(json, name, "rows", part.state.points.size(), replications);
    part.observations = kept_of(json, name, "observations", part.state.points.size(), replications / part.run_length);
    return part;
  });
}

MergedParts::MergedParts(std::span<const NamedText> texts) {
  if (texts.empty()) throw std::invalid_argument("there is no part to merge, expected all parts of an experiment");
  for (const NamedText& text : texts) m_parts.push_back(part_of(text));
  std::stable_sort(m_parts.begin(), m_parts.end(), [](const Part& a, const Part& b) { return a.number < b.number; });
  check_parts();
  m_arguments = m_parts.front().arguments;
  m_state = m_parts.front().state;
  for (const Part& part : m_parts) {
    m_seconds += part.seconds;
    if (part.number == 1) continue;
    try {
      append_part(m_state, part.state);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{} does not follow {}: {}", part.name,
                                              m_parts[static_cast<std::size_t>(part.number) - 2].name, error.what()));
    }
  }
  for (PointState& point : m_state.points) point.stopped_by.reset();
}

// Throws unless the parts, in order, are all parts of one experiment.
void MergedParts::check_parts() const {
  const Part& first = m_parts.front();
  std::vector<std::int64_t> missing;
  std::int64_t expected = 1;
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    const Part& part = m_parts[i];
    if (part.count != first.count) {
      throw std::invalid_argument(fmt::format("{} is one of {} parts, but {} is one of {}: expected parts of one run",
                                              part.name, part.count, first.name, first.count));
    }
    auto found = io::impl::difference(part.run, first.run);
    if (!found) found = io::impl::difference(part.arguments, first.arguments, "arguments");
    if (found) {
      throw std::invalid_argument(fmt::format("{} is a part of another run than {}: {} is {} in it, expected {}",
                                              part.name, first.name, found->place, io::in_quotes(found->first.dump()),
                                              io::in_quotes(found->second.dump())));
    }
    if (part.rows.size() != first.rows.size() || part.observations.size() != first.observations.size()) {
      throw std::invalid_argument(
          fmt::format("{} has other results than {}: create the part again", part.name, first.name));
    }
    if (i > 0 && part.number == m_parts[i - 1].number) {
      throw std::invalid_argument(fmt::format("{} and {} are both part {} of {}: expected each part once",
                                              m_parts[i - 1].name, part.name, part.number, part.count));
    }
    for (; expected < part.number; ++expected) missing.push_back(expected);
    expected = part.number + 1;
  }
  for (; expected <= first.count && missing.size() < 1000; ++expected) missing.push_back(expected);
  if (missing.empty()) return;
  throw std::invalid_argument(fmt::format("{} {} of {} {} missing, expected the files of all parts",
                                          missing.size() > 1 ? "parts" : "part", ranges_text(missing), first.count,
                                          missing.size() > 1 ? "are" : "is"));
}

void MergedParts::check_run(const io::Json& run) const {
  const auto found = io::impl::difference(m_parts.front().run, run);
  if (!found) return;
  throw std::invalid_argument(fmt::format(
      "{} belongs to another experiment: {} is {} in it, but now {}; restore the files that the run has "
      "read, or create the parts again",
      m_parts.front().name, found->place, io::in_quotes(found->first.dump()), io::in_quotes(found->second.dump())));
}

void MergedParts::replay(const Observer& observer, const Recorder& recorder) const {
  const auto check = [&](bool is_asked, const KeptNumbers& kept) {
    if (!is_asked || !kept.empty()) return;
    throw std::invalid_argument(m_parts.front().name +
                                " has not stored what the requested results need: create the parts again");
  };
  for (const Part& part : m_parts) {
    check(static_cast<bool>(observer), part.observations);
    check(static_cast<bool>(recorder), part.rows);
    if (recorder) replay_rows(part, recorder);
    if (!observer) continue;
    for (std::size_t response = 0; response < part.observations.size(); ++response) {
      for (std::size_t point = 0; point < part.observations[response].size(); ++point) {
        for (const double observation : part.observations[response][point]) observer(point, response, observation);
      }
    }
  }
}

void MergedParts::replay_rows(const Part& part, const Recorder& recorder) const {
  std::vector<std::size_t> points;
  std::vector<double> values;
  for (std::size_t point = 0; point < part.state.points.size(); ++point) points.push_back(point);
  for (const auto& of_response : part.rows) {
    for (const auto& given : of_response) values.insert(values.end(), given.begin(), given.end());
  }
  const std::int64_t count = part.state.replications - part.state.first;
  const std::vector<std::int64_t> counts(points.size(), count);
  recorder({part.state.first, count, points, counts, part.rows.size(), values.data()});
}

}  // namespace sporos::runtime
