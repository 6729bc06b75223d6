// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON files, whole and broken: cases, plans, models, states and checkpoints. Readers refuse or take them; what is no
// JSON by an independent grammar is never taken, nor is a checkpoint that was changed.
#include "../harness/folder.hpp"
#include "../models/files.hpp"
#include "mutations.hpp"
#include "references.hpp"

#include <sporos/runtime/classification/model.hpp>

#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/experiment_json.hpp>
#include <sporos/models/germinal_centre/germinal_centre_files.hpp>
#include <sporos/models/radiation/radiation_files.hpp>
#include <sporos/procedures/frank_wolfe_json.hpp>
#include <sporos/procedures/mixture_state_json.hpp>
#include <sporos/procedures/quasi_newton_json.hpp>
#include <sporos/procedures/steady_state/steady_state_json.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

namespace sporos::test {
namespace json_tests {

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

// Some value within, the whole where `steps` are few.
Json& some_value(Json& json, Draws& draws, std::size_t steps) {
  if (steps == 0 || !json.is_structured() || json.empty()) return json;
  auto member = json.begin();
  for (std::size_t i = draws.below(json.size()); i > 0; --i) ++member;
  return some_value(*member, draws, steps - 1);
}

// Another value, a member that is missing or too many: still JSON.
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
  return {whole.dump(), [read](const std::string& text) { read(io::parse_json("f", text)); }};
}

std::vector<Reader> readers() {
  std::vector<Reader> readers;
  for (const char* name : {"plates.json", "cloud.json", "flame.json", "furnace.json"}) {
    readers.push_back({sample(name), [](const std::string& text) { models::radiation_case_of_json("f", text); }});
  }
  readers.push_back({sample("germinal_centre.json"),
                     [](const std::string& text) { models::germinal_centre_case_of_json("f", text); }});
  const std::string model = R"({"sporos": "0.1.0", "kind": "logistic classification", "classes": ["a", "b"],
    "label": "z", "feature_count": 3, "features": ["x", "c = p", "c = q"],
    "columns": [{"name": "x", "levels": null}, {"name": "c", "levels": ["p", "q"]}], "missing": "mean",
    "means": [1.5, 0.25, 0.75], "intercept": -0.5, "coefficients": [1, 2, -3e-2], "standardization": null})";
  readers.push_back({model, [](const std::string& text) {
                       const TemporaryFile file(text);
                       runtime::read_classification_model(file.path());
                     }});
  readers.push_back(state_reader(io::json_of(Plan()), [](const Json& json) { io::plan_of_json(json, "f"); }));
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

// Whether the text is taken; what is no std::invalid_argument goes on.
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

}  // namespace json_tests
}  // namespace sporos::test
