// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON files, valid and broken: cases, plans, models, states and checkpoints. Readers refuse or take them. A text that
// is not JSON by an independent grammar is never taken, nor is a checkpoint that was changed.
#include "../harness/folder.hpp"
#include "../harness/refusal.hpp"
#include "../models/files.hpp"
#include "mutations.hpp"
#include "references.hpp"

#include <sporos/runtime/classification/model.hpp>

#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/experiment_json.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/models/germinal_centre/germinal_centre_files.hpp>
#include <sporos/models/networks/network_files.hpp>
#include <sporos/models/radiation/radiation_files.hpp>
#include <sporos/procedures/frank_wolfe_json.hpp>
#include <sporos/procedures/mixture_state_json.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>
#include <sporos/procedures/steady_state/steady_state_json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>

namespace sporos::test {
namespace broken_json_tests {

using io::Json;

Json random_value(Draws& draws, int depth = 0) {
  static constexpr auto texts =
      std::to_array<std::string_view>({"", "philox", "nan", "0x1p3", "1,5", "\xC3\xA9", "a.b"});
  switch (draws.below(depth < 4 ? 9 : 7)) {
    case 0:
      return nullptr;
    case 1:
      return draws.once_in(2);
    case 2:
      return draws.one_of(texts);
    case 3:
      return static_cast<std::int64_t>(draws.below(2000)) - 1000;
    case 4:
      return draws.once_in(2) ? 1e308 : -4.9e-324;
    case 5:
      return std::uint64_t(-1) - draws.below(3);
    case 6:
      return 0.25 * static_cast<double>(draws.below(9)) - 1;
    case 7:
      return Json::array({random_value(draws, depth + 1), random_value(draws, depth + 1)});
    default:
      return {{"a", random_value(draws, depth + 1)}, {"b", random_value(draws, depth + 1)}};
  }
}

// A random value within `json`, at most `steps` levels below it.
Json& some_value(Json& json, Draws& draws, std::size_t steps) {
  if (steps == 0 || !json.is_structured() || json.empty()) return json;
  auto member = json.begin();
  for (std::size_t i = draws.below(json.size()); i > 0; --i) ++member;
  return some_value(*member, draws, steps - 1);
}

// Changes a value, removes a member or adds an element. The result is still JSON.
Json changed(Json json, Draws& draws) {
  Json& value = some_value(json, draws, 1 + draws.below(5));
  if (value.is_object() && !value.empty() && draws.once_in(2)) {
    auto member = value.begin();
    for (std::size_t i = draws.below(value.size()); i > 0; --i) ++member;
    value.erase(member.key());
  } else if (value.is_array() && draws.once_in(2)) {
    value.push_back(random_value(draws));
  } else {
    value = random_value(draws);
  }
  return json;
}

std::string sample(const std::string& name) { return io::read_text_file(sample_file(name)); }

struct Reader {
  std::string whole;
  std::function<void(const std::string& text)> read;
};

Reader state_reader(const Json& whole, const std::function<void(const Json&)>& read) {
  return {whole.dump(), [read](const std::string& text) {
            io::JsonText("f", text).read([&](const Json& json, const std::string&) { read(json); });
          }};
}

// A network with every kind of member.
constexpr auto network = R"json({"time_unit": "min", "horizon": "8 h", "warm_up": 1,
  "wait_limits": ["2 min", 5], "wait_quantiles": [0.5], "time_limits": ["4 h"],
  "classes": {
    "a": {"interarrival": "exponential(0.2)", "batch": 2, "max_arrivals": 50, "priority": 1, "arrival_speed": 1.5,
          "enters": "s"},
    "b": {"rates": [{"from": 0, "rate": 1}, {"from": "2 h", "rate": "6 / h"}], "cycle": "4 h",
          "enters": [{"to": "s", "probability": 0.5, "becomes": "a"}, {"to": ["s", "t"], "choice": "shortest", "probability": 0.5}]},
    "c": {"population": 3, "enters": "t"}},
  "stations": {
    "s": {"servers": 2, "discipline": "priority", "service": {"a": 1, "b": "uniform(1, 2)", "c": 1}, "speed": 2,
          "room": 50, "full": "lose", "patience": 30, "next": {"a": "t"}},
    "t": {"service": "exponential(1) min", "shifts": [{"from": 0, "servers": 1}, {"from": 60, "servers": 2}],
          "cycle": "2 h", "next": [{"to": "leave"}]},
    "u": {"servers": 2, "service": 1, "waiting": 5, "breakdowns": {"up": 5, "down": "gamma(2, 3)"}}}})json";

std::vector<Reader> readers() {
  std::vector<Reader> readers;
  for (const char* name : {"plates.json", "cloud.json", "flame.json", "furnace.json"}) {
    readers.push_back({sample(name), [](const std::string& text) { models::radiation_case_of_json("f", text); }});
  }
  readers.push_back({sample("germinal_centre.json"),
                     [](const std::string& text) { models::germinal_centre_case_of_json("f", text); }});
  readers.push_back({network, [](const std::string& text) { models::network_case_of_json("f", text); }});
  const std::string model = R"({"sporos": "0.1.0", "kind": "logistic classification", "classes": ["a", "b"],
    "label": "z", "feature_count": 3, "features": ["x", "c = p", "c = q"],
    "columns": [{"name": "x", "levels": null}, {"name": "c", "levels": ["p", "q"]}], "missing": "mean",
    "means": [1.5, 0.25, 0.75], "intercept": -0.5, "coefficients": [1, 2, -3e-2], "standardization": null})";
  readers.push_back({model, [](const std::string& text) {
                       const TemporaryFile file(text);
                       runtime::read_classification_model(file.path());
                     }});
  Plan precise;
  precise.precision = {0.1, 0.2};
  precise.source = {Engine::philox4x32, Sampling::refined_descriptive, 64, 0, {7, 97}, SubRunWeights::by_size};
  for (const Plan& plan : {Plan(), precise}) {
    readers.push_back(state_reader(io::json_of(plan), [](const Json& json) { io::plan_of_json(json, "f"); }));
  }
  QuasiNewtonState quasi_newton;
  quasi_newton.solution = {1, 2, 3};
  readers.push_back(
      state_reader(json_of(quasi_newton), [](const Json& json) { quasi_newton_state_of_json(json, "f"); }));
  FrankWolfeState frank_wolfe;
  frank_wolfe.solution = {0.5, 0.5};
  readers.push_back(state_reader(json_of(frank_wolfe), [](const Json& json) { frank_wolfe_state_of_json(json, "f"); }));
  readers.push_back(
      state_reader(json_of(MixtureFitState()), [](const Json& json) { mixture_fit_state_of_json(json, "f"); }));
  SteadyStateState steady_state;
  steady_state.runs.segments = {2, {1, 255, 3}};
  steady_state.runs.series = {{{2, 1, 0.5, {1, 2.5}}, {}}};
  readers.push_back(state_reader(json_of(steady_state), [](const Json& json) { steady_state_of_json(json, "f"); }));
  return readers;
}

// Whether the reader takes the text. Exceptions other than std::invalid_argument pass through.
bool takes(const Reader& reader, const std::string& text) {
  try {
    reader.read(text);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

TEST(BrokenFiles, WhatIsNoJsonIsRefused) {
  const auto all = readers();
  for (const Reader& reader : all) EXPECT_TRUE(takes(reader, reader.whole)) << reader.whole.substr(0, 200);
  Draws draws(5);
  const std::size_t count = inputs(18);
  std::size_t broken = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Reader& reader = all[i % all.size()];
    const std::string text = mutated(reader.whole, draws);
    const bool is_json = ReferenceJson(text).is_json();
    broken += !is_json;
    EXPECT_TRUE(!takes(reader, text) || is_json) << text;
  }
  EXPECT_GT(broken, count / 4);
}

TEST(BrokenFiles, ValuesThatAreNotExpectedAreTakenOrRefused) {
  const auto all = readers();
  Draws draws(6);
  std::size_t refused = 0;
  const std::size_t count = inputs(10);
  for (std::size_t i = 0; i < count; ++i) {
    const Reader& reader = all[i % all.size()];
    refused += !takes(reader, changed(Json::parse(reader.whole), draws).dump());
  }
  EXPECT_GT(refused, count / 4);
}

// Adds the places of all values except the whole. Lists contribute only their first element.
void add_places(const Json& json, const Json::json_pointer& at, std::vector<Json::json_pointer>& places) {
  for (auto value = json.begin(); json.is_structured() && value != json.end(); ++value) {
    if (json.is_array() && value != json.begin()) continue;
    const auto place = json.is_array() ? at / std::size_t{0} : at / value.key();
    places.push_back(place);
    add_places(*value, place, places);
  }
}

std::vector<Json::json_pointer> places_in(const Json& json) {
  std::vector<Json::json_pointer> places;
  add_places(json, Json::json_pointer(), places);
  return places;
}

// The text of `json` with a line for each value.
std::string in_lines(const Json& json) { return json.dump(1); }

// Line of the value at `place`, whatever the value is.
std::size_t line_of(Json json, const Json::json_pointer& place) {
  if (place.empty()) return 1;
  json[place] = "the value";
  const std::string text = in_lines(json);
  return 1 + static_cast<std::size_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("\"the value\"")), '\n'));
}

// Name of the member at `place`, or of the member whose list contains it, in the singular: "layer 1" is in "layers".
std::string name_of_member(Json::json_pointer place) {
  const auto is_number = [](const std::string& text) { return text.find_first_not_of("0123456789") == text.npos; };
  while (!place.empty() && is_number(place.back())) place.pop_back();
  if (place.empty()) return "";
  const std::string name = place.back();
  return name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
}

std::string refusal_of(const Reader& reader, const Json& json) {
  return refusal([&] { reader.read(in_lines(json)); });
}

// Texts with which a message may refer to the value at `place` in `whole`: its line, or that of a list around it.
std::vector<std::string> lines_of(const Json& whole, Json::json_pointer place) {
  std::vector<std::string> list;
  do {
    list.push_back(fmt::format(", line {}", line_of(whole, place)));
    if (place.empty()) break;
    place.pop_back();
  } while (whole[place].is_array());
  return list;
}

void expect_place(const std::string& message, const std::vector<std::string>& lines, const std::string& name) {
  EXPECT_NE(message.find(name), std::string::npos) << message << " without " << name;
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                          [&](const std::string& text) {
                            return message.find(text + ':') != message.npos || message.find(text + ',') != message.npos;
                          }))
      << message << " without " << fmt::to_string(fmt::join(lines, " or ")) << ": " << name;
}

TEST(BrokenFiles, ValuesOfAnotherTypeAreRefusedWithLineAndMember) {
  const std::vector<Json> others = {true, "x y", 1.5, Json::object(), Json::array(), nullptr};
  std::size_t refused = 0;
  for (const Reader& reader : readers()) {
    const Json whole = Json::parse(reader.whole);
    ASSERT_EQ(refusal_of(reader, whole), "none");
    for (const auto& place : places_in(whole)) {
      const auto expected = lines_of(whole, place);
      const Json& value = whole[place];
      if (value.is_null()) continue;  // readers do not read a null here
      for (const Json& other : others) {
        if (other.type() == value.type() || (other.is_number() && value.is_number())) continue;
        Json changed = whole;
        changed[place] = other;
        const std::string message = refusal_of(reader, changed);
        if (message == "none") {
          // Some members may have another type: null for a missing value, a number for a distribution.
          EXPECT_TRUE(other.is_null() || reader.whole == network) << place << ' ' << other;
          EXPECT_FALSE(other.is_boolean()) << place;
          continue;
        }
        ++refused;
        expect_place(message, expected, name_of_member(place));
      }
    }
  }
  EXPECT_GT(refused, 1000u);
}

TEST(BrokenFiles, MembersThatAreMissingOrUnknownAreNamedWithTheirLine) {
  std::size_t missing = 0, unknown = 0;
  for (const Reader& reader : readers()) {
    const Json whole = Json::parse(reader.whole);
    for (auto place : places_in(whole)) {
      Json changed = whole;
      const std::string name = place.back();
      place.pop_back();
      if (!changed[place].is_object()) continue;
      changed[place].erase(name);
      const std::string message = refusal_of(reader, changed);
      if (message.find("no member '" + name + "'") == message.npos &&
          message.find(name + " is missing") == message.npos)
        continue;
      ++missing;
      expect_place(message, {fmt::format(", line {}", line_of(whole, place))}, name);
      changed = whole;
      changed[place]["another"] = 1;
      const std::string other = refusal_of(reader, changed);
      if (other == "none") continue;  // states and models may have unknown members
      ++unknown;
      expect_place(other, {fmt::format(", line {}", line_of(changed, place / "another"))}, "another");
    }
  }
  EXPECT_GT(missing, 50u);
  EXPECT_GT(unknown, 50u);
}

TEST(BrokenFiles, CheckpointsThatWereChangedAreRefused) {
  const Folder folder;
  const std::string path = folder / "run.state";
  const Json run = {{"command", "test"}}, state = {{"numbers", {1.5, -2, 3e300}}};
  { io::Checkpoint(path, run).write(state); }
  const std::string whole = io::read_text_file(path);
  Draws draws(7);
  for (std::size_t i = inputs(2); i > 0; --i) {
    const std::string text = mutated(whole, draws);
    std::ofstream(path, std::ios::binary) << text;
    try {
      const io::Checkpoint kept(path, run);
      EXPECT_TRUE(text == whole || !kept.state()) << text;
    } catch (const std::invalid_argument&) {
      EXPECT_NE(text, whole);
    }
  }
}

}  // namespace broken_json_tests
}  // namespace sporos::test
