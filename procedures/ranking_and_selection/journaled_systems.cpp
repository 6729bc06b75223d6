// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/ranking_and_selection/journaled_systems.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/math/count.hpp>

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

// Throws unless there are `size` numbers, all from `least` to `most`.
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

SumState sum_state(const io::Json& json, const std::string& what, std::size_t survivors) {
  SumState state;
  state.count = whole_numbers(json, what, "count");
  check_list(state.count, what, "count", survivors, 0, max_counted);
  for (const auto& [name, list] : {std::pair{"reference", &state.reference}, std::pair{"sum", &state.sum},
                                   std::pair{"squares", &state.squares}, std::pair{"variance", &state.variance}}) {
    *list = io::json_numbers(json, what, name);
    check_list(*list, what, name, survivors);
  }
  return state;
}

std::vector<ConstraintState> constraint_states(const io::Json& json, const std::string& what, std::size_t constraints,
                                               std::size_t survivors) {
  std::vector<ConstraintState> states;
  if (constraints == 0) return states;
  const io::Json& list = io::json_list(json, what, "constraints");
  if (list.size() != constraints) {
    throw std::invalid_argument(
        fmt::format("{}: constraints has {} members, expected {}", what, list.size(), constraints));
  }
  for (const io::Json& constraint : list) {
    const std::string place = fmt::format("{}: constraints[{}]", what, states.size());
    states.push_back({sum_state(constraint, place, survivors), whole_numbers(constraint, place, "is_met")});
    check_list(states.back().is_met, place, "is_met", survivors, 0, 1);
  }
  return states;
}

InfeasibleSystem infeasible_system(const io::Json& json, const std::string& what, std::int64_t systems,
                                   std::size_t constraints) {
  const InfeasibleSystem found{
      io::json_member<std::int64_t>(json, what, "constraint"),
      {io::json_member<std::int64_t>(json, what, "system"), io::json_member<std::int64_t>(json, what, "replications"),
       io::json_member<double>(json, what, "mean"), io::json_member<double>(json, what, "variance")}};
  check_list(std::vector{found.constraint}, what, "constraint", 1, 0, static_cast<std::int64_t>(constraints) - 1);
  check_list(std::vector{found.excess.system}, what, "system", 1, 0, systems - 1);
  check_list(std::vector{found.excess.replications}, what, "replications", 1, 2, max_counted);
  return found;
}

std::vector<FailedSystem> failed_systems(const io::Json& json, const std::string& what, std::int64_t systems) {
  std::vector<FailedSystem> list;
  if (!json.contains("failed")) return list;
  for (const io::Json& one : io::json_list(json, what, "failed")) {
    const std::string place = fmt::format("{}: failed[{}]", what, list.size());
    list.push_back({io::json_member<std::int64_t>(one, place, "system"),
                    io::json_member<std::int64_t>(one, place, "failures"),
                    io::json_member<std::int64_t>(one, place, "replications"),
                    io::json_member<std::string>(one, place, "reason")});
    check_list(std::vector{list.back().system}, place, "system", 1, 0, systems - 1);
    check_list(std::vector{list.back().failures, list.back().replications}, place, "failures, replications", 2, 0,
               max_counted);
  }
  return list;
}

SurvivorState survivor_state(const io::Json& json, const std::string& what, std::int64_t systems,
                             std::size_t constraints) {
  SurvivorState state;
  state.replications = io::json_member<std::int64_t>(json, what, "replications");
  state.forgotten = io::json_member<std::int64_t>(json, what, "forgotten");
  state.kept = io::json_member<std::int64_t>(json, what, "kept");
  check_list(std::vector{state.replications, state.forgotten, state.kept}, what, "replications, forgotten, kept", 3, 0,
             max_counted);
  state.system = whole_numbers(json, what, "system");
  const std::size_t survivors = state.system.size();
  check_list(state.system, what, "system", std::min(survivors, static_cast<std::size_t>(systems)), 0, systems - 1);
  state.match = whole_numbers(json, what, "match");
  check_list(state.match, what, "match", state.match.empty() ? 0 : survivors, 0, systems - 1);
  state.response = sum_state(json, what, survivors);
  state.failed = failed_systems(json, what, systems);
  state.constraints = constraint_states(json, what, constraints, survivors);
  if (constraints == 0 || !json.contains("nearest_infeasible")) return state;
  const io::Json& nearest = io::json_member<io::Json>(json, what, "nearest_infeasible");
  const std::string place = what + ": nearest_infeasible";
  state.nearest_infeasible = infeasible_system(nearest, place, systems, constraints);
  state.min_excess = io::json_member<double>(nearest, place, "in_tolerances");
  return state;
}

io::Json json_of(const SumState& state) {
  return {{"count", state.count},
          {"reference", state.reference},
          {"sum", state.sum},
          {"squares", state.squares},
          {"variance", state.variance}};
}

io::Json json_of(const SurvivorState& state) {
  io::Json json = {{"replications", state.replications},
                   {"forgotten", state.forgotten},
                   {"kept", state.kept},
                   {"system", state.system},
                   {"match", state.match}};
  json.update(json_of(state.response));
  for (const ConstraintState& constraint : state.constraints) {
    io::Json& entry = json["constraints"].emplace_back(json_of(constraint.excess));
    entry["is_met"] = constraint.is_met;
  }
  for (const auto& [system, failures, replications, reason] : state.failed) {
    json["failed"].push_back(
        {{"system", system}, {"failures", failures}, {"replications", replications}, {"reason", reason}});
  }
  if (const auto& nearest = state.nearest_infeasible) {
    json["nearest_infeasible"] = {{"constraint", nearest->constraint},
                                  {"system", nearest->excess.system},
                                  {"replications", nearest->excess.replications},
                                  {"mean", nearest->excess.mean},
                                  {"variance", nearest->excess.variance},
                                  {"in_tolerances", state.min_excess}};
  }
  return json;
}

}  // namespace

io::Json JournaledSystems::json() {
  io::Json answers = io::Json::array();
  for (const Answer& answer : m_answers) {
    answers.push_back(io::Json::array({answer.number, answer.survivors, answer.replications}));
  }
  io::Json json = {{"answers", std::move(answers)}, {"survivors", json_of(state())}};
  if (m_begin.survivors < count()) json["begin"] = m_begin.survivors;
  return json;
}

JournaledSystems::Journal JournaledSystems::read(const io::Json& json, const std::string& what, std::int64_t systems,
                                                 std::size_t constraints) {
  Journal journal;
  for (const io::Json& answer : io::json_list(json, what, "answers")) {
    if (!answer.is_array() || answer.size() != 3 || !answer[0].is_number() || !answer[1].is_number_integer() ||
        !answer[2].is_number_integer()) {
      throw std::invalid_argument(fmt::format("{}: answers[{}] is {}, expected three numbers, the last two whole", what,
                                              journal.answers.size(), io::in_quotes(answer.dump())));
    }
    journal.answers.push_back({answer[0].get<double>(), answer[1].get<std::int64_t>(), answer[2].get<std::int64_t>()});
  }
  journal.state =
      survivor_state(io::json_member<io::Json>(json, what, "survivors"), what + ": survivors", systems, constraints);
  journal.begin = json.contains("begin") ? io::json_member<std::int64_t>(json, what, "begin") : systems;
  check_list(std::vector{journal.begin}, what, "begin", 1, 1, systems);
  return journal;
}

void JournaledSystems::restore(Journal journal) {
  m_answers = std::move(journal.answers);
  m_next = 0;
  m_begin = {0, journal.begin, 0};
  m_systems.restore(journal.state);
}

}  // namespace sporos
