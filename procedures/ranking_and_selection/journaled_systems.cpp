// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/ranking_and_selection/journaled_systems.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

std::vector<std::int64_t> whole_numbers(const io::Json& json, const std::string& what, const char* name) {
  std::vector<std::int64_t> numbers;
  for (const io::Json& number : io::json_list(json, what, name)) {
    if (!number.is_number_integer()) {
      throw std::invalid_argument(fmt::format("{}: {}[{}] is {}, expected a whole number", what, name, numbers.size(),
                                              io::in_quotes(number.dump())));
    }
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

// Throws where these are not numbers of that many systems from `least` to `most`.
void check_list(const std::vector<std::int64_t>& numbers, const std::string& what, const char* name, std::size_t size,
                std::int64_t least, std::int64_t most) {
  const bool is_within =
      std::ranges::all_of(numbers, [&](std::int64_t number) { return number >= least && number <= most; });
  if (numbers.size() == size && is_within) return;
  throw std::invalid_argument(
      fmt::format("{}: {} has {} numbers, expected {} from {} to {}", what, name, numbers.size(), size, least, most));
}

void check_list(const std::vector<double>& numbers, const std::string& what, const char* name, std::size_t size) {
  if (numbers.size() == size) return;
  throw std::invalid_argument(fmt::format("{}: {} has {} numbers, expected {}", what, name, numbers.size(), size));
}

SurvivorState survivor_state(const io::Json& json, const std::string& what, std::int64_t systems) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  SurvivorState state;
  state.replications = io::json_member<std::int64_t>(json, what, "replications");
  state.forgotten = io::json_member<std::int64_t>(json, what, "forgotten");
  state.kept = io::json_member<std::int64_t>(json, what, "kept");
  check_list(std::vector{state.replications, state.forgotten, state.kept}, what, "replications, forgotten, kept", 3, 0,
             most);
  state.system = whole_numbers(json, what, "system");
  const std::size_t survivors = state.system.size();
  check_list(state.system, what, "system", std::min(survivors, static_cast<std::size_t>(systems)), 0, systems - 1);
  state.match = whole_numbers(json, what, "match");
  check_list(state.match, what, "match", state.match.empty() ? 0 : survivors, 0, systems - 1);
  state.count = whole_numbers(json, what, "count");
  check_list(state.count, what, "count", survivors, 0, most);
  for (const auto& [name, list] : {std::pair{"reference", &state.reference}, std::pair{"sum", &state.sum},
                                   std::pair{"squares", &state.squares}, std::pair{"variance", &state.variance}}) {
    *list = io::json_numbers(json, what, name);
    check_list(*list, what, name, survivors);
  }
  return state;
}

io::Json json_of(const SurvivorState& state) {
  return {{"replications", state.replications},
          {"forgotten", state.forgotten},
          {"kept", state.kept},
          {"system", state.system},
          {"match", state.match},
          {"count", state.count},
          {"reference", state.reference},
          {"sum", state.sum},
          {"squares", state.squares},
          {"variance", state.variance}};
}

}  // namespace

io::Json JournaledSystems::json() {
  io::Json answers = io::Json::array();
  for (const Answer& answer : m_answers) {
    answers.push_back(io::Json::array({answer.number, answer.survivors, answer.replications}));
  }
  return {{"answers", std::move(answers)}, {"survivors", json_of(state())}};
}

JournaledSystems::Journal JournaledSystems::read(const io::Json& json, const std::string& what, std::int64_t systems) {
  Journal journal;
  for (const io::Json& answer : io::json_list(json, what, "answers")) {
    if (!answer.is_array() || answer.size() != 3 || !answer[0].is_number() || !answer[1].is_number_integer() ||
        !answer[2].is_number_integer()) {
      throw std::invalid_argument(fmt::format("{}: answers[{}] is {}, expected three numbers, the last two whole", what,
                                              journal.answers.size(), io::in_quotes(answer.dump())));
    }
    journal.answers.push_back({answer[0].get<double>(), answer[1].get<std::int64_t>(), answer[2].get<std::int64_t>()});
  }
  journal.state = survivor_state(io::json_member<io::Json>(json, what, "survivors"), what + ": survivors", systems);
  return journal;
}

void JournaledSystems::restore(Journal journal) {
  m_answers = std::move(journal.answers);
  m_next = 0;
  m_systems.restore(journal.state);
}

}  // namespace sporos
