// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/core/sampling/prepared_source.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>
#include <sporos/procedures/objective_kernels.hpp>
#include <sporos/procedures/quantity_moments.hpp>
#include <sporos/procedures/ranking_and_selection/model_launcher.hpp>
#include <sporos/procedures/sample_groups.hpp>
#include <sporos/procedures/simulated_objective.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
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

/// Responses of a case that a problem uses.
struct KeptResponses {
  static constexpr std::array<std::string_view, 12> names = {"1", "2", "3", "4",  "5",  "6",
                                                             "7", "8", "9", "10", "11", "12"};
  static constexpr int max_count = static_cast<int>(names.size());
  static_assert(max_count == max_responses_of_case);
  using Values = Kokkos::Array<double, static_cast<std::size_t>(max_count)>;

  Kokkos::Array<int, static_cast<std::size_t>(max_count)> indices = {};  // of the responses of the wide model
  int count = 0;

  /// Adds a response of the case. Returns its index among these.
  int observe(int response) {
    for (int i = 0; i < count; ++i) {
      if (indices[static_cast<std::size_t>(i)] == response) return i;
    }
    if (count == max_count) {
      throw std::invalid_argument("the problem uses more than " + std::to_string(count) +
                                  " responses of the case: use fewer");
    }
    indices[static_cast<std::size_t>(count)] = response;
    return count++;
  }

  /// Stores these responses and ignores the others.
  struct Kept {
    const KeptResponses& observed;
    Values values{};

    KOKKOS_FUNCTION void set(int response, double value) {
      for (int i = 0; i < observed.count; ++i) {
        if (observed.indices[i] == response) values[i] = value;
      }
    }
  };

  /// Runs a replication of a wide model.
  template <class Wide, class Inputs>
  KOKKOS_FUNCTION Values run(const Wide& wide, Inputs& inputs) const {
    Kept kept{*this};
    wide(inputs, kept);
    return kept.values;
  }
};

/// The adapted model for selection procedures.
template <class Wide, int max_decisions>  // limit for integer decision variables, and for real ones
struct ObservedModel {
  static_assert(WideModel<Wide> && max_decisions == 8);
  static constexpr std::string_view name = "case";
  static constexpr int max_of_kind = max_decisions;
  static constexpr int input_count = static_cast<int>(Wide::input_count);
  static constexpr auto response_names = KeptResponses::names;
  static constexpr int max_responses = KeptResponses::max_count;

  std::int64_t whole_1, whole_2, whole_3, whole_4, whole_5, whole_6, whole_7, whole_8;
  double real_1, real_2, real_3, real_4, real_5, real_6, real_7, real_8;
  Wide wide;
  Kokkos::Array<int, static_cast<std::size_t>(max_of_kind)> whole_members, real_members;
  int wholes, reals;
  KeptResponses observed;
  const MemberCheck* member_check;  // host pointer

  std::vector<std::string> station_names() const { return station_names_of(wide); }
  std::int64_t storage_bytes() const requires NeedsStorage<Wide> { return wide.storage_bytes(); }
  std::int64_t scratch_bytes() const requires UsesScratch<Wide> { return wide.scratch_bytes(); }

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

  template <class Inputs>
  KOKKOS_FUNCTION KeptResponses::Values operator()(Inputs& inputs) const {
    Wide decided = wide;
    for_each_member([&decided](int member, double value) { decided.set_member(member, value); });
    return observed.run(decided, inputs);
  }
};

/// The adapted model for solvers, at one point: the wide model points to the values of the decision variables.
template <class Wide>
struct DecidedModel {
  static_assert(WideModel<Wide>);
  static constexpr std::string_view name = "case";
  static constexpr int input_count = static_cast<int>(Wide::input_count);
  static constexpr auto response_names = KeptResponses::names;

  Wide wide;
  KeptResponses observed;

  std::vector<std::string> station_names() const { return station_names_of(wide); }
  std::int64_t storage_bytes() const requires NeedsStorage<Wide> { return wide.storage_bytes(); }
  std::int64_t scratch_bytes() const requires UsesScratch<Wide> { return wide.scratch_bytes(); }

  template <class Inputs>
  KOKKOS_FUNCTION KeptResponses::Values operator()(Inputs& inputs) const {
    return observed.run(wide, inputs);
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
    if (wide.more.count > 0) {
      throw std::invalid_argument("more than " + std::to_string(Case::Model::max_changes) +
                                  " members differ from the case, expected at most that many in a selection");
    }
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
  int observe(int response) { return m_model.observed.observe(response); }

 private:
  Case m_case;
  const typename Case::Data& m_data;
  Tables m_tables;
  std::vector<CaseMember> m_members;
  Model m_model{};
};

// The objective in terms of observed responses.
inline Objective observed_in(KeptResponses& observed, const std::vector<std::string>& responses, Objective objective) {
  for (auto& quantity : objective.quantities) {
    for (WeightedResponse& term : quantity) {
      if (term.response.empty()) continue;
      const auto found = std::ranges::find(responses, term.response);
      if (found == responses.end()) throw std::invalid_argument("the case has no response '" + term.response + "'");
      term.response = std::to_string(observed.observe(static_cast<int>(found - responses.begin())) + 1);
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

// Checks that each decision variable is a member of the case, once, and finds them among the members.
inline DecidedParameters decided_members(std::span<const Decision> decisions, const std::vector<CaseMember>& members) {
  std::vector<NumberParameter> numbers;
  for (std::size_t i = 0; i < members.size(); ++i) numbers.push_back({members[i].name, i, members[i].is_whole});
  for (const Decision& decision : decisions) {
    if (std::ranges::find(members, decision.parameter, &CaseMember::name) == members.end())
      throw std::invalid_argument(decision.parameter + " is not a member of the case that can be a decision variable");
  }
  return decided_parameters(decisions, numbers);
}

}  // namespace impl

/// A problem for solvers, whose decision variables are members of a case. A point is infeasible in the same cases as
/// one of a SimulatedObjective. The model of the case must have
///
///     MoreChanges more;    // members, values and count of changed members, in memory that kernels can read
///     KOKKOS_FUNCTION void set_members(const int* members, const double* values, int count);    // replaces `more`
///
/// The case may have a function that approximates the means of all responses without simulation, from the values x of
/// the `decided` members and those of all `members`. It returns an empty std::function if there is no approximation:
///
///     std::function<std::vector<double>(std::span<const double> x)> approximation(
///         const Data& data, std::span<const double> members, std::span<const std::size_t> decided) const;
template <CaseWithMembers Case, class ExecutionSpace>
class CaseObjective final : public SampledProblem {
 public:
  /// `model` provides the members that are not decision variables; it points into `tables`. `data` must outlive the
  /// objective. The values of all `members` on the host are needed for approximations only.
  /// @throws std::invalid_argument in the same cases as SimulatedObjective, also for more than 12 responses.
  CaseObjective(const ExecutionSpace& space, Case described, const typename Case::Data& data,
                typename Case::template Tables<typename ExecutionSpace::memory_space> tables,
                const typename Case::Model& model, std::span<const Decision> decisions, const Objective& objective,
                std::span<const double> members = {});

  std::span<const DecisionRange> bounds() const override { return m_decided.bounds; }
  bool has_gradient() const override { return false; }
  std::size_t quantities() const override { return static_cast<std::size_t>(m_quantities.count); }
  std::vector<SampleMoments> simulate(std::span<const Sample> samples) override;
  std::vector<double> approximate_means(std::span<const double> x) const override;
  double objective(std::span<const double> x, std::span<const double> means, std::span<double> by_coordinates,
                   std::span<double> by_means) const override {
    return m_function(x, means, by_coordinates, by_means);
  }
  std::size_t constraints_on_means() const override { return m_constraints.size(); }
  double constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                             std::span<double> by_coordinates, std::span<double> by_means) const override {
    return m_constraints[j](x, means, by_coordinates, by_means);
  }
  std::string coordinate_name(std::size_t coordinate) const override { return m_decided.names[coordinate]; }

 private:
  using Memory = typename ExecutionSpace::memory_space;
  using Model = impl::DecidedModel<typename Case::Model>;

  bool makes_model(const Sample& sample);
  void run(std::span<const Sample> samples, const impl::SampleGroup& group, std::vector<SampleMoments>& found);

  ExecutionSpace m_space;
  Case m_case;
  const typename Case::Data& m_data;
  typename Case::template Tables<Memory> m_tables;
  impl::DecidedParameters m_decided;
  Model m_model;
  impl::Quantities<impl::KeptResponses::max_count> m_quantities;
  FunctionOfMeans m_function;
  std::vector<FunctionOfMeans> m_constraints;
  PreparedSource<ExecutionSpace> m_source;
  impl::QuantityMoments<ExecutionSpace> m_moments;
  std::vector<double> m_given;  // values of members that are not decision variables and have no room in the model
  Kokkos::View<int*, Memory> m_members;  // these members, then the decision variables
  Kokkos::View<double*, Memory> m_values;
  std::vector<std::set<double>> m_valid;  // checked values of integer decision variables
  std::function<std::vector<double>(std::span<const double> x)> m_approximate;  // all responses; may be empty
};

template <CaseWithMembers Case, class ExecutionSpace>
CaseObjective<Case, ExecutionSpace>::CaseObjective(const ExecutionSpace& space, Case described,
                                                   const typename Case::Data& data,
                                                   typename Case::template Tables<Memory> tables,
                                                   const typename Case::Model& model,
                                                   std::span<const Decision> decisions, const Objective& objective,
                                                   std::span<const double> members)
    : m_space(space),
      m_case(std::move(described)),
      m_data(data),
      m_tables(std::move(tables)),
      m_decided(impl::decided_members(decisions, m_case.members(data))),
      m_model{model, {}},
      m_function(objective.function),
      m_constraints(objective.constraints),
      m_source(prepared_source<ExecutionSpace>({}, std::span<const Model>(&m_model, 1))),
      m_moments(space),
      m_valid(decisions.size()) {
  const Objective observed = impl::observed_in(m_model.observed, m_case.response_names(data), objective);
  const auto names = response_names_of(m_model);
  const auto weights = impl::quantity_weights(observed, names);
  m_quantities.count = static_cast<int>(weights.size());
  for (std::size_t quantity = 0; quantity < weights.size(); ++quantity)
    std::ranges::copy(weights[quantity], &m_quantities.weights[quantity][0]);
  const auto count = static_cast<std::size_t>(model.more.count);
  std::vector<int> changed(count);
  m_given.resize(count);
  using Members = Kokkos::View<const int*, Memory, Kokkos::MemoryUnmanaged>;
  using Values = Kokkos::View<const double*, Memory, Kokkos::MemoryUnmanaged>;
  if (count > 0) copy_elements(changed, Members(model.more.members, count));
  if (count > 0) copy_elements(m_given, Values(model.more.values, count));
  for (const std::size_t member : m_decided.places) changed.push_back(static_cast<int>(member));
  reserve(m_members, "sporos::case_objective::members", static_cast<std::int64_t>(changed.size()));
  copy_elements(m_members, changed);
  if constexpr (requires { m_case.approximation(m_data, members, m_decided.places); }) {
    if (!members.empty()) m_approximate = m_case.approximation(m_data, members, m_decided.places);
  }
}

// Whether the case accepts the sample's decisions.
template <CaseWithMembers Case, class ExecutionSpace>
bool CaseObjective<Case, ExecutionSpace>::makes_model(const Sample& sample) {
  for (std::size_t i = 0; i < m_decided.places.size(); ++i) {
    if (m_decided.bounds[i].is_integer && m_valid[i].contains(sample.x[i])) continue;
    try {
      m_case.check_member(m_data, m_decided.places[i], sample.x[i]);
    } catch (const std::invalid_argument&) {
      return false;
    }
    if (m_decided.bounds[i].is_integer) m_valid[i].insert(sample.x[i]);
  }
  return true;
}

template <CaseWithMembers Case, class ExecutionSpace>
std::vector<SampleMoments> CaseObjective<Case, ExecutionSpace>::simulate(std::span<const Sample> samples) {
  std::vector<SampleMoments> found(samples.size());
  for (const auto& group : impl::sample_groups(samples, [&](const Sample& sample) { return makes_model(sample); })) {
    if (group.derivatives != impl::Derivatives::none)
      throw std::logic_error("a sample requests derivatives, which the problem does not have");
    run(samples, group, found);
  }
  return found;
}

template <CaseWithMembers Case, class ExecutionSpace>
std::vector<double> CaseObjective<Case, ExecutionSpace>::approximate_means(std::span<const double> x) const {
  if (!m_approximate) return {};
  const std::vector<double> responses = m_approximate(x);
  std::vector<double> means;
  for (int quantity = 0; quantity < m_quantities.count; ++quantity) {
    const auto& weights = m_quantities.weights[quantity];
    double sum = weights[impl::KeptResponses::max_count];  // of the constant 1
    for (int i = 0; i < m_model.observed.count; ++i)
      if (weights[i] != 0) sum += weights[i] * responses[static_cast<std::size_t>(m_model.observed.indices[i])];
    means.push_back(sum);
  }
  return means;
}

// Launches the replications of a group, and reduces their rows.
template <CaseWithMembers Case, class ExecutionSpace>
void CaseObjective<Case, ExecutionSpace>::run(std::span<const Sample> samples, const impl::SampleGroup& group,
                                              std::vector<SampleMoments>& found) {
  std::vector<double> values;
  for (const std::size_t i : group.samples) {
    values.insert(values.end(), m_given.begin(), m_given.end());
    for (std::size_t k = 0; k < m_decided.places.size(); ++k) {
      const double x = samples[i].x[k];
      values.push_back(m_decided.bounds[k].is_integer ? static_cast<double>(bounded_count(x)) : x);
    }
  }
  reserve(m_values, "sporos::case_objective::values", static_cast<std::int64_t>(values.size()));
  copy_elements(first_elements(m_values, values.size()), values);
  const std::size_t changed = m_given.size() + m_decided.places.size();
  std::vector<DesignPoint<Model>> points;
  for (const std::size_t i : group.samples) {
    DesignPoint<Model> point{m_model, samples[i].seed};
    point.model.wide.set_members(m_members.data(), m_values.data() + points.size() * changed,
                                 static_cast<int>(changed));
    points.push_back(point);
  }
  const auto& rows = m_moments.rows({m_quantities.count, 1}, static_cast<std::int64_t>(points.size() * group.row),
                                    samples[group.samples.front()].count);
  const Design<Model, ExecutionSpace> design{std::span<const DesignPoint<Model>>(points.data(), points.size())};
  for_each_replication_with<DefaultSource>(
      "sporos::case_objective::replicate", m_space, design, m_source, group.range(samples), by_threads,
      impl::QuantityRows<ExecutionSpace, PathwiseEstimator, impl::KeptResponses::max_count>{rows, m_quantities});
  bool has_values = false;
  for (const std::size_t i : group.samples) has_values = has_values || samples[i].has_values;
  m_moments.reduce(has_values);
  m_moments.find(samples, group, 1, 0, 1, found);
}

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
