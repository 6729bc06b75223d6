// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/procedures/objective.hpp>
#include <sporos/procedures/ranking_and_selection/model_launcher.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// Adapts cases to solvers and to selection procedures. The model of a case has many members and responses (WideModel).
/// The adapted model has only the decision variables as parameters and only the requested responses.
namespace sporos {

namespace impl {

/// Checks values of a case's members on the host.
class MemberCheck {
 public:
  virtual ~MemberCheck() = default;
  /// Throws std::invalid_argument if the member cannot have this value.
  virtual void check(int member, double value) const = 0;
};

/// The adapted model, which solvers and selection procedures use.
template <class Wide, int max_decisions>  // limit for integer decision variables, and for real ones
struct ObservedModel {
  static_assert(WideModel<Wide> && max_decisions == 8);
  static constexpr std::string_view name = "case";
  static constexpr int max_of_kind = max_decisions;
  static constexpr int input_count = static_cast<int>(Wide::input_count);
  static constexpr std::array<std::string_view, 12> response_names = {"1", "2", "3", "4",  "5",  "6",
                                                                      "7", "8", "9", "10", "11", "12"};
  static constexpr int max_responses = static_cast<int>(response_names.size());
  static_assert(max_responses == max_responses_of_case);

  std::int64_t whole_1, whole_2, whole_3, whole_4, whole_5, whole_6, whole_7, whole_8;
  double real_1, real_2, real_3, real_4, real_5, real_6, real_7, real_8;
  Wide wide;
  Kokkos::Array<int, static_cast<std::size_t>(max_of_kind)> whole_members, real_members;
  int wholes, reals;
  Kokkos::Array<int, static_cast<std::size_t>(max_responses)> observed;  // indices of responses of the wide model
  int observed_count;
  const MemberCheck* member_check;  // host pointer

  std::vector<std::string> station_names() const { return station_names_of(wide); }

  static constexpr auto parameters() {
    using Whole = Parameter<ObservedModel, std::int64_t>;
    using Real = Parameter<ObservedModel, double>;
    using This = ObservedModel;
    return std::tuple{
        Whole{"whole 1", &This::whole_1, 0, "", "", nullptr}, Whole{"whole 2", &This::whole_2, 0, "", "", nullptr},
        Whole{"whole 3", &This::whole_3, 0, "", "", nullptr}, Whole{"whole 4", &This::whole_4, 0, "", "", nullptr},
        Whole{"whole 5", &This::whole_5, 0, "", "", nullptr}, Whole{"whole 6", &This::whole_6, 0, "", "", nullptr},
        Whole{"whole 7", &This::whole_7, 0, "", "", nullptr}, Whole{"whole 8", &This::whole_8, 0, "", "", nullptr},
        Real{"real 1", &This::real_1, 0, "", "", nullptr},    Real{"real 2", &This::real_2, 0, "", "", nullptr},
        Real{"real 3", &This::real_3, 0, "", "", nullptr},    Real{"real 4", &This::real_4, 0, "", "", nullptr},
        Real{"real 5", &This::real_5, 0, "", "", nullptr},    Real{"real 6", &This::real_6, 0, "", "", nullptr},
        Real{"real 7", &This::real_7, 0, "", "", nullptr},    Real{"real 8", &This::real_8, 0, "", "", nullptr}};
  }

  // Calls `visit` with each member that is a decision variable and its value.
  template <class Visit>
  KOKKOS_FUNCTION void for_each_member(const Visit& visit) const {
    const std::int64_t whole[] = {whole_1, whole_2, whole_3, whole_4, whole_5, whole_6, whole_7, whole_8};
    const double real[] = {real_1, real_2, real_3, real_4, real_5, real_6, real_7, real_8};
    for (int i = 0; i < wholes; ++i) visit(whole_members[i], static_cast<double>(whole[i]));
    for (int i = 0; i < reals; ++i) visit(real_members[i], real[i]);
  }

  void check() const {
    for_each_member([this](int member, double value) { member_check->check(member, value); });
  }

  // Stores the observed responses and ignores the others.
  struct Kept {
    const ObservedModel& model;
    Kokkos::Array<double, static_cast<std::size_t>(max_responses)> values{};

    KOKKOS_FUNCTION void set(int response, double value) {
      for (int i = 0; i < model.observed_count; ++i) {
        if (model.observed[i] == response) values[i] = value;
      }
    }
  };

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, static_cast<std::size_t>(max_responses)> operator()(Inputs& inputs) const {
    Wide decided = wide;
    for_each_member([&decided](int member, double value) { decided.set_member(member, value); });
    Kept kept{*this};
    decided(inputs, kept);
    return kept.values;
  }
};

/// A case and its tables. It must outlive all users of its model.
template <CaseWithMembers Case, class MemorySpace>
class ObservedCase : public MemberCheck {
 public:
  using Model = ObservedModel<typename Case::Model, 8>;
  using Tables = typename Case::template Tables<MemorySpace>;

  ObservedCase(Case described, const typename Case::Data& data, Tables tables, const typename Case::Model& wide)
      : m_case(std::move(described)), m_data(data), m_tables(std::move(tables)), m_members(m_case.members(m_data)) {
    m_model.wide = wide;
    m_model.member_check = this;
  }
  ObservedCase(const ObservedCase&) = delete;
  ObservedCase& operator=(const ObservedCase&) = delete;

  const Model& model() const { return m_model; }
  /// Number of responses of the case.
  std::size_t responses() const { return m_case.response_names(m_data).size(); }

  void check(int member, double value) const override {
    m_case.check_member(m_data, static_cast<std::size_t>(member), value);
  }

  /// Makes a member a decision variable. Returns the name of its parameter in the model.
  std::string decide(const std::string& member) {
    const auto found = std::ranges::find(m_members, member, &CaseMember::name);
    if (found == m_members.end())
      throw std::invalid_argument(member + " is not a member of the case that can be a decision variable");
    int& count = found->is_whole ? m_model.wholes : m_model.reals;
    if (count == Model::max_of_kind) {
      throw std::invalid_argument(member + " is one decision variable too many, expected at most " +
                                  std::to_string(Model::max_of_kind) + " integer and as many real ones");
    }
    if (!m_model.wide.set_member(static_cast<int>(found - m_members.begin()), found->default_value)) {
      throw std::invalid_argument("too many members differ from the case: " + member +
                                  " is one more than the model can hold");
    }
    (found->is_whole ? m_model.whole_members : m_model.real_members)[static_cast<std::size_t>(count)] =
        static_cast<int>(found - m_members.begin());
    ++count;
    return (found->is_whole ? "whole " : "real ") + std::to_string(count);
  }

  /// Observes a response of the case. Returns its index among the observed responses.
  int observe(int response) {
    const int count = m_model.observed_count;
    for (int i = 0; i < count; ++i) {
      if (m_model.observed[static_cast<std::size_t>(i)] == response) return i;
    }
    if (count == Model::max_responses) {
      throw std::invalid_argument("the problem uses more than " + std::to_string(count) +
                                  " responses of the case: use fewer");
    }
    m_model.observed[static_cast<std::size_t>(count)] = response;
    return m_model.observed_count++;
  }

  /// Observes a response of the case by its name.
  int observe(const std::string& response) {
    const auto names = m_case.response_names(m_data);
    const auto found = std::ranges::find(names, response);
    if (found == names.end()) throw std::invalid_argument("the case has no response '" + response + "'");
    return observe(static_cast<int>(found - names.begin()));
  }

 private:
  Case m_case;
  const typename Case::Data& m_data;
  Tables m_tables;
  std::vector<CaseMember> m_members;
  Model m_model{};
};

// Decisions with parameters renamed to those of an ObservedModel.
template <class Observed>
std::vector<Decision> decided_in(Observed& observed, std::span<const Decision> decisions) {
  std::vector<Decision> renamed(decisions.begin(), decisions.end());
  for (std::size_t i = 0; i < renamed.size(); ++i) {
    for (std::size_t other = 0; other < i; ++other) {
      if (decisions[other].parameter == decisions[i].parameter)
        throw std::invalid_argument("decision '" + decisions[i].parameter + "' is given twice");
    }
    renamed[i].parameter = observed.decide(decisions[i].parameter);
  }
  return renamed;
}

template <class Observed>
Objective observed_in(Observed& observed, Objective objective) {
  for (auto& quantity : objective.quantities) {
    for (WeightedResponse& term : quantity) {
      if (!term.response.empty()) term.response = std::to_string(observed.observe(term.response) + 1);
    }
  }
  return objective;
}

template <class Observed>
SystemGrid decided_in(Observed& observed, const SystemGrid& grid) {
  std::vector<std::string> names;
  for (const GridAxis& axis : grid.axes()) names.push_back(observed.decide(axis.parameter));
  return grid.with_names(names);
}

// Converts weighted sums of the case's `responses` responses to sums of the observed ones.
template <class Observed>
std::vector<double> observed_sums(Observed& observed, const std::vector<double>& sums, std::size_t responses) {
  constexpr auto most = static_cast<std::size_t>(Observed::Model::max_responses);
  const std::size_t systems = sums.size() / (responses + 1);
  std::vector<double> found(systems * (most + 1));
  for (std::size_t response = 0; response <= responses; ++response) {
    const auto weight = [&](std::size_t system) { return sums[system * (responses + 1) + response]; };
    std::size_t place = most;
    if (response < responses) {
      std::size_t first = 0;
      while (first < systems && weight(first) == 0) ++first;
      if (first == systems) continue;
      place = static_cast<std::size_t>(observed.observe(static_cast<int>(response)));
    }
    for (std::size_t system = 0; system < systems; ++system) found[system * (most + 1) + place] = weight(system);
  }
  return found;
}

template <class Observed>
SystemResponse observed_in(Observed& observed, SystemResponse which, std::size_t responses) {
  which.response = observed.observe(which.response);
  for (ResponseConstraint& constraint : which.constraints) {
    std::vector<double> weights(static_cast<std::size_t>(Observed::Model::max_responses), 0.0);
    for (std::size_t i = 0; i < constraint.weights.size(); ++i) {
      if (constraint.weights[i] == 0) continue;
      weights[static_cast<std::size_t>(observed.observe(static_cast<int>(i)))] = constraint.weights[i];
    }
    constraint.weights = std::move(weights);
  }
  if (!which.sums.empty()) which.sums = observed_sums(observed, which.sums, responses);
  return which;
}

// Decisions and objective of an ObservedCase. The decisions must be created before the objective.
template <class Observed>
struct ObservedObjective {
  ObservedObjective(Observed& observed, std::span<const Decision> given, const Objective& asked)
      : decisions(decided_in(observed, given)), objective(observed_in(observed, asked)) {}
  std::vector<Decision> decisions;
  Objective objective;
};

}  // namespace impl

/// A problem for solvers, whose decision variables are members of a case.
template <CaseWithMembers Case, class ExecutionSpace>
class CaseObjective final : public SampledProblem {
 public:
  /// `model` provides the members that are not decision variables; it points into `tables`. `data` must outlive the
  /// objective. @throws std::invalid_argument in the same cases as SimulatedObjective, also for more than 8 integer or
  /// 8 real decision variables and for more than 12 responses.
  CaseObjective(const ExecutionSpace& space, Case described, const typename Case::Data& data,
                typename Case::template Tables<typename ExecutionSpace::memory_space> tables,
                const typename Case::Model& model, std::span<const Decision> decisions, const Objective& objective)
      : m_case(std::move(described), data, std::move(tables), model),
        m_asked(m_case, decisions, objective),
        m_objective(space, m_case.model(), m_asked.decisions, m_asked.objective) {
    for (const Decision& decision : decisions) m_names.push_back(decision.parameter);
  }

  std::span<const DecisionRange> bounds() const override { return m_objective.bounds(); }
  bool has_gradient() const override { return false; }
  std::size_t quantities() const override { return m_objective.quantities(); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override {
    return m_objective.simulate(samples);
  }
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return m_objective.objective(x, means, by_coordinates, by_means);
  }
  std::size_t constraints_on_means() const override { return m_objective.constraints_on_means(); }
  double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return m_objective.constraint_on_means(j, x, means, by_coordinates, by_means);
  }
  std::string coordinate_name(std::size_t coordinate) const override { return m_names[coordinate]; }
  ResponseRange quantity_range(std::size_t quantity, std::span<const double> x) const override {
    return m_objective.quantity_range(quantity, x);
  }

 private:
  using Observed = impl::ObservedCase<Case, typename ExecutionSpace::memory_space>;

  Observed m_case;
  impl::ObservedObjective<Observed> m_asked;
  SimulatedObjective<typename Observed::Model, ExecutionSpace, 1> m_objective;
  std::vector<std::string> m_names;
};

/// A family of systems for selection procedures: a case whose members vary over a grid.
template <CaseWithMembers Case, class ExecutionSpace>
class CaseLauncher final : public SystemLauncher {
 public:
  /// See CaseObjective for the arguments. @throws std::invalid_argument in the same cases as ModelLauncher.
  CaseLauncher(const ExecutionSpace& space, Case described, const typename Case::Data& data,
               typename Case::template Tables<typename ExecutionSpace::memory_space> tables,
               const typename Case::Model& model, const SystemGrid& grid, const SystemResponse& which)
      : m_case(std::move(described), data, std::move(tables), model) {
    const SystemGrid decided = impl::decided_in(m_case, grid);
    const SystemResponse observed = impl::observed_in(m_case, which, m_case.responses());
    m_launcher = std::make_unique<ModelLauncher<typename Observed::Model, ExecutionSpace>>(space, m_case.model(),
                                                                                           decided, observed);
  }

  void launch(const SystemRows& rows) override { m_launcher->launch(rows); }
  bool has_common_random_numbers() const override { return m_launcher->has_common_random_numbers(); }
  int constraints() const override { return m_launcher->constraints(); }
  std::vector<std::string> station_names() const override { return m_launcher->station_names(); }
  bool has_known_responses() const override { return m_launcher->has_known_responses(); }
  std::vector<FailedSystem> impossible() const override { return m_launcher->impossible(); }

 private:
  using Observed = impl::ObservedCase<Case, typename ExecutionSpace::memory_space>;

  Observed m_case;
  std::unique_ptr<ModelLauncher<typename Observed::Model, ExecutionSpace>> m_launcher;
};

}  // namespace sporos
