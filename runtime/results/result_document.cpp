// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/results/result_document.hpp>

#include <algorithm>

namespace sporos::runtime {

namespace {

ResultFact fact_of(const std::string& id, const io::Json& json) {
  std::string title = id;
  std::ranges::replace(title, '_', ' ');
  const auto fact = [&](ResultValue value, ValueKind kind) { return ResultFact{id, title, std::move(value), kind}; };
  if (json.is_boolean()) return fact(json.get<bool>(), ValueKind::boolean);
  if (json.is_number_unsigned()) return fact(json.get<std::uint64_t>(), ValueKind::count);
  if (json.is_number_integer()) return fact(json.get<std::int64_t>(), ValueKind::count);
  if (json.is_number()) return fact(json.get<double>(), ValueKind::number);
  if (json.is_string()) return fact(json.get<std::string>(), ValueKind::text);
  if (!json.is_array()) return fact({}, ValueKind::text);
  std::vector<std::string> list;
  for (const io::Json& one : json) list.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  return fact(fmt::format("{}", fmt::join(list, ", ")), ValueKind::text);
}

void add_facts(std::vector<ResultFact>& facts, const std::string& before, const io::Json& object) {
  for (const auto& [name, value] : object.items()) {
    if (value.is_object()) {
      add_facts(facts, before + name + '_', value);
    } else {
      facts.push_back(fact_of(before + name, value));
    }
  }
}

}  // namespace

std::vector<ResultFact> facts_of(const io::Json& object) {
  std::vector<ResultFact> facts;
  add_facts(facts, "", object);
  return facts;
}

ResultSubject subject_of(const ModelDescription& model, const ParameterValues& values,
                         const std::vector<std::size_t>& varied) {
  ResultSubject subject{model.name, model.title};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterDescription& parameter = model.parameters[i];
    const bool varies = std::ranges::find(varied, i) != varied.end();
    const auto value = std::visit([](const auto& held) { return ResultValue(held); }, values[i]);
    subject.parameters.push_back({parameter.name, varies ? ResultValue() : value,
                                  varies ? "varies" : shown_text_of(values[i]), parameter.unit, parameter.meaning,
                                  varies || !parameter.is_as_in_case(values[i])});
  }
  return subject;
}

ResultColumn parameter_column(const ParameterDescription& parameter, const std::vector<ResultColumn>& others) {
  const bool is_taken = std::ranges::find(others, parameter.name, &ResultColumn::id) != others.end();
  return {.id = is_taken ? parameter_id(parameter.name) : parameter.name,
          .title = parameter.name,
          .kind = parameter.is_whole() ? ValueKind::count : ValueKind::number,
          .unit = parameter.unit,
          .resolution = 0};
}

}  // namespace sporos::runtime
