// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/replication/described_model.hpp>
#include <sporos/procedures/case_members.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// Returns the model, or the described case, that has these values.
template <class Model>
Model model_of(const ParameterValues& values) {
  Model model{};
  std::size_t next = 0;
  for_each_parameter<Model>([&](const auto& parameter) {
    using Value = std::remove_cvref_t<decltype(parameter.default_value)>;
    model.*parameter.member = std::get<Value>(values.at(next++));
  });
  return model;
}

/// Data that a described case has loaded.
template <DescribedCase Case>
struct LoadedCase {
  typename Case::Data data;
  std::vector<std::string> notes;  ///< notes for users on how the files were read
};

/// Returns the data of a described case. They are loaded once in the process for all design points that name the same
/// files. A file may therefore be a pipe.
template <DescribedCase Case>
const LoadedCase<Case>& loaded_of(const ParameterValues& values) {
  static std::map<std::vector<std::string>, LoadedCase<Case>> loaded;
  std::vector<std::string> files;
  for (const auto& value : values) {
    if (const auto* file = std::get_if<std::string>(&value)) files.push_back(*file);
  }
  auto found = loaded.find(files);
  if (found == loaded.end()) {
    std::vector<std::string> notes;
    auto data = model_of<Case>(values).load(notes);
    found = loaded.emplace(files, LoadedCase<Case>{std::move(data), std::move(notes)}).first;
  }
  return found->second;
}

/// Returns the model of a case with the values of its members. `tables` hold the data to which the model points, and
/// the values of members for which the model itself has no room.
template <DescribedCase Case, class Tables>
typename Case::Model case_model(const ParameterValues& values, Tables& tables) {
  const Case described = model_of<Case>(values);
  auto model = described.model(tables);
  if constexpr (CaseWithMembers<Case>) {
    const auto members = described.members(loaded_of<Case>(values).data);
    const std::size_t parameters = std::tuple_size_v<decltype(Case::parameters())>;
    std::vector<int> more;
    std::vector<double> more_values;
    for (std::size_t i = 0; i + parameters < values.size(); ++i) {
      const double value = number_of(values[i + parameters]);
      if (value == members[i].default_value || model.set_member(static_cast<int>(i), value)) continue;
      more.push_back(static_cast<int>(i));
      more_values.push_back(value);
    }
    if (!more.empty()) tables.set_members(model, more, more_values);
  }
  return model;
}

/// Returns the values of the members of a case, which follow its parameters.
template <DescribedCase Case>
std::vector<double> member_values_of(const ParameterValues& values) {
  std::vector<double> members;
  for (std::size_t i = std::tuple_size_v<decltype(Case::parameters())>; i < values.size(); ++i)
    members.push_back(number_of(values[i]));
  return members;
}

/// Models of the points of a design. The data to which they point are in `MemorySpace`.
template <class Described, class MemorySpace>
class DesignModels {
 public:
  /// The type of the models.
  using Model = Described;

  /// Creates the model of each design point.
  explicit DesignModels(std::span<const ParameterValues> design) {
    for (const auto& values : design) m_models.push_back(model_of<Model>(values));
  }

  /// Returns the model of each design point.
  std::span<const Model> models() const { return {m_models.data(), m_models.size()}; }

 private:
  std::vector<Model> m_models;
};

/// Models of a described case. Points with the same data share one copy of them.
template <DescribedCase Case, class MemorySpace>
class DesignModels<Case, MemorySpace> {
 public:
  /// The type of the models.
  using Model = typename Case::Model;

  /// Creates the model of each design point.
  explicit DesignModels(std::span<const ParameterValues> design) {
    for (const auto& values : design) {
      const auto& data = loaded_of<Case>(values).data;
      m_models.push_back(case_model<Case>(values, m_tables.try_emplace(&data, data).first->second));
    }
  }

  /// Returns the model of each design point.
  std::span<const Model> models() const { return {m_models.data(), m_models.size()}; }

 private:
  std::map<const typename Case::Data*, typename Case::template Tables<MemorySpace>> m_tables;
  std::vector<Model> m_models;
};

/// Makes a `Made` of a described case: its constructor takes the execution space, the case, its data, its tables in the
/// space's memory, its model, and `more`.
template <class Made, CaseWithMembers Case, class ExecutionSpace, class... More>
std::unique_ptr<Made> made_of_case(const ParameterValues& values, const More&... more) {
  const auto& data = loaded_of<Case>(values).data;
  typename Case::template Tables<typename ExecutionSpace::memory_space> tables(data);
  const auto model = case_model<Case>(values, tables);
  return std::make_unique<Made>(ExecutionSpace(), model_of<Case>(values), data, std::move(tables), model, more...);
}

}  // namespace sporos::runtime
