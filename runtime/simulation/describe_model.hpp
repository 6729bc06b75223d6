// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/array_chain.hpp>
#include <sporos/core/replication/conditional.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/level_pair.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/core/replication/markov_chain.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/series_model.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/core/replication/with_controls.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

namespace impl {

// Functions of a described model or a described case that ModelDescription stores.
template <class Described>
struct Asked {
  using Model = Described;
  static constexpr bool is_differentiable = DifferentiableModel<Model>;

  static void check(const ParameterValues& values) { model_of<Model>(values).check(); }

  static std::vector<std::string> notes(const ParameterValues&) { return {}; }

  static std::vector<std::string> response_names(const ParameterValues& values) {
    return response_names_of(model_of<Model>(values));
  }

  static std::vector<std::optional<double>> exact_means(const ParameterValues& values) {
    const auto model = model_of<Model>(values);
    if constexpr (sporos::impl::HasExactMeans<Model>) {
      const auto means = model.exact_means();
      return {means.begin(), means.end()};
    } else {
      return std::vector<std::optional<double>>(response_names_of(model).size());
    }
  }

  static std::vector<RatioOfMeans> ratios(const ParameterValues& values) {
    return properties_of(model_of<Model>(values)).ratios;
  }
};

template <DescribedCase Case>
struct Asked<Case> {
  using Model = typename Case::Model;
  static constexpr bool is_differentiable = false;

  static void check(const ParameterValues& values) {
    const Case described = model_of<Case>(values);
    const auto& data = loaded_of<Case>(values).data;
    described.check(data);
    if constexpr (CaseWithMembers<Case>) {
      const std::vector<double> members = member_values_of<Case>(values);
      const std::vector<CaseMember> of_case = described.members(data);  // valid, and often thousands
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i] != of_case[i].default_value) described.check_member(data, i, members[i]);
      }
      if constexpr (requires { described.check_members(data, members); }) described.check_members(data, members);
    }
  }

  static std::vector<std::string> notes(const ParameterValues& values) {
    const auto& loaded = loaded_of<Case>(values);
    std::vector<std::string> notes = loaded.notes;
    const Case described = model_of<Case>(values);
    const std::vector<double> members = member_values_of<Case>(values);
    if constexpr (requires { described.notes(loaded.data, members); }) {
      for (std::string& note : described.notes(loaded.data, members)) notes.push_back(std::move(note));
    }
    return notes;
  }

  static std::vector<std::string> response_names(const ParameterValues& values) {
    return model_of<Case>(values).response_names(loaded_of<Case>(values).data);
  }

  static std::vector<std::string> station_names(const ParameterValues& values) {
    if constexpr (requires(const Case& described) { described.station_names(loaded_of<Case>(values).data); }) {
      return model_of<Case>(values).station_names(loaded_of<Case>(values).data);
    } else {
      return {};
    }
  }

  static std::vector<std::optional<double>> exact_means(const ParameterValues& values) {
    const Case described = model_of<Case>(values);
    const auto& data = loaded_of<Case>(values).data;
    if constexpr (requires { described.exact_means(data); }) {
      return described.exact_means(data);
    } else {
      return std::vector<std::optional<double>>(described.response_names(data).size());
    }
  }

  static std::vector<RatioOfMeans> ratios(const ParameterValues&) {
    static_assert(!StatesRatios<Model>, "a case whose model has ratios must describe them without its tables");
    return {};
  }
};

template <class Case>
concept DrawnCase = DescribedCase<Case> &&
    requires(const Case& described, const typename Case::Data& data, std::span<const double> numbers) {
  { described.picture(data, numbers, numbers) } -> std::same_as<std::string>;
};

template <DrawnCase Case>
std::string picture_of(const ParameterValues& values, std::span<const double> means,
                       std::span<const double> half_widths) {
  const Case described = model_of<Case>(values);
  const auto& data = loaded_of<Case>(values).data;
  const std::vector<double> members = member_values_of<Case>(values);
  if constexpr (requires { described.with_members(data, members); }) {
    return described.picture(described.with_members(data, members), means, half_widths);
  } else {
    return described.picture(data, means, half_widths);
  }
}

template <class Case>
concept ObservesPeriods = DescribedCase<Case> && requires(const Case& described, const typename Case::Data& data) {
  { described.periods(data) } -> std::same_as<std::vector<PeriodResponse>>;
};

template <ObservesPeriods Case>
std::vector<PeriodResponse> periods_of(const ParameterValues& values) {
  return model_of<Case>(values).periods(loaded_of<Case>(values).data);
}

template <CaseWithMembers Case>
std::vector<ParameterDescription> members_of(const ParameterValues& values) {
  std::vector<ParameterDescription> members;
  for (const CaseMember& member : model_of<Case>(values).members(loaded_of<Case>(values).data)) {
    ParameterDescription& added = members.emplace_back();
    added.name = member.name;
    added.unit = member.unit;
    added.meaning = member.meaning;
    if (member.is_whole) {
      added.default_value = static_cast<std::int64_t>(member.default_value);
    } else {
      added.default_value = member.default_value;
    }
    added.is_member = true;
  }
  return members;
}

template <class Described>
std::vector<std::optional<double>> exact_means_of(const ParameterValues& values) {
  try {
    return Asked<Described>::exact_means(values);
  } catch (const std::exception&) {  // a closed form that fails out of its range must not cost a result
    return std::vector<std::optional<double>>(Asked<Described>::response_names(values).size());
  }
}

template <SeriesModel Model>
std::vector<std::string> series_names_of(const ParameterValues& values) {
  model_of<Model>(values).check_series();
  return {Model::observed_series.names.begin(), Model::observed_series.names.end()};
}

template <SeriesModel Model>
std::vector<std::optional<double>> series_means_of(const ParameterValues& values) {
  const auto means = model_of<Model>(values).series_means();
  return {means.begin(), means.end()};
}

template <class Case>
concept OffersLongRuns = DescribedCase<Case> &&
    requires(const Case& described, const typename Case::Data& data, std::span<const double> members) {
  { described.long_run(data, members) } -> std::same_as<typename Case::Data>;
};

template <OffersLongRuns Case>
std::vector<std::string> series_names_of(const ParameterValues& values) {
  const Case described = model_of<Case>(values);
  return described.response_names(described.long_run(loaded_of<Case>(values).data, member_values_of<Case>(values)));
}

template <OffersLongRuns Case>
std::vector<std::optional<double>> series_means_of(const ParameterValues& values) {
  return std::vector<std::optional<double>>(series_names_of<Case>(values).size());
}

}  // namespace impl

/// Returns the type-erased description of a described model or case.
template <class Described>
ModelDescription description_of() {
  check_described<Described>();
  using impl::Asked;
  ModelDescription description{std::string(Described::name),
                               std::string(Described::title),
                               {},
                               static_cast<int>(Asked<Described>::Model::input_count),
                               Asked<Described>::response_names,
                               Asked<Described>::check,
                               Asked<Described>::notes,
                               impl::exact_means_of<Described>,
                               Asked<Described>::ratios,
                               Asked<Described>::is_differentiable,
                               scored_parameters<Described>()};
  static_assert(
      SeriesModel<Described> || !requires { Described::observed_series; },
      "Sporos: a model with observed_series also needs a trivially copyable SeriesState, series_means() and "
      "check_series() (core/replication/series_model.hpp)");
  if constexpr (impl::DrawnCase<Described>) description.picture = impl::picture_of<Described>;
  if constexpr (impl::ObservesPeriods<Described>) description.periods = impl::periods_of<Described>;
  description.has_timeline = requires { &Described::timeline; };
  if constexpr (DescribedCase<Described>) description.station_names = Asked<Described>::station_names;
  if constexpr (CaseWithMembers<Described>) description.members = impl::members_of<Described>;
  using Model = typename Asked<Described>::Model;
  if constexpr (NamesEvents<Model>)
    description.event_names.assign(Model::event_names.begin(), Model::event_names.end());
  description.logs_visits = LogsVisits<Model>;
  if constexpr (requires { Model::storage_bytes; }) description.storage_bytes = Model::storage_bytes;
  static_assert(
      OffersChain<Described> || !requires { Described::chain_names; },
      "Sporos: a model with chain_names also needs a trivially copyable chain() and "
      "exact_reach(level) (core/replication/markov_chain.hpp)");
  if constexpr (NamesControls<Described>) {
    description.control_names.assign(names_of_controls<Described>.begin(), names_of_controls<Described>.end());
  }
  static_assert(
      KnowsMeans<Described> || !requires { Described::known_names; },
      "Sporos: a model with known_names also needs control_names, known_means() with one value for each of "
      "known_names, and with_known(inputs) (core/replication/with_controls.hpp)");
  if constexpr (KnowsMeans<Described>) {
    description.known_means = [](const ParameterValues& values) {
      const auto known = model_of<Described>(values).known_means();
      return std::vector<double>(known.begin(), known.end());
    };
  }
  static_assert(
      OffersConditional<Described> || !requires { Described::conditional_on; },
      "Sporos: a model with conditional_on also needs conditioned(inputs), which returns one number for each "
      "response (core/replication/conditional.hpp)");
  if constexpr (OffersConditional<Described>) description.conditional_on = Described::conditional_on;
  if constexpr (SeriesModel<Described>) {
    description.series_ignores.assign(Described::observed_series.ignores.begin(),
                                      Described::observed_series.ignores.end());
    description.series_regenerates = Described::observed_series.regenerates;
    description.series_names = impl::series_names_of<Described>;
    description.series_means = impl::series_means_of<Described>;
  }
  if constexpr (requires { std::string_view(Described::without_series); })
    description.without_series = Described::without_series;
  if constexpr (impl::OffersLongRuns<Described>) {
    description.series_observations = Described::series_observations;
    description.series_names = impl::series_names_of<Described>;
    description.series_means = impl::series_means_of<Described>;
  }
  if constexpr (TellsProblems<Described>) description.problems = Described::problems();
  if constexpr (OffersChain<Described>) {
    description.chain_level = Described::chain_names.level;
    description.chain_cycle = Described::chain_names.cycle;
    description.exact_reach = [](const ParameterValues& values, double level) {
      return std::optional<double>(model_of<Described>(values).exact_reach(level));
    };
  }
  if constexpr (OffersLevels<Described>) {
    description.level_means = [](const ParameterValues& values) {
      const auto means = model_of<Described>(values).level_means();
      return std::vector<std::optional<double>>(means.begin(), means.end());
    };
  }
  description.is_wide = WideModel<typename impl::Asked<Described>::Model>;
  static_assert(
      OffersArrayChain<Described> || !requires { Described::array_response; },
      "Sporos: a model with an array_response also needs array_step, a trivially copyable array_chain(steps) "
      "and exact_after(steps) (core/replication/array_chain.hpp)");
  if constexpr (OffersArrayChain<Described>) {
    description.array_response = Described::array_response;
    description.array_step = Described::array_step;
    description.exact_after = [](const ParameterValues& values, std::int64_t steps) {
      return std::optional<double>(model_of<Described>(values).exact_after(steps));
    };
  }
  for_each_parameter<Described>([&](const auto& parameter) {
    ParameterDescription& added = description.parameters.emplace_back();
    added.name = parameter.name;
    added.unit = parameter.unit;
    added.meaning = parameter.meaning;
    added.default_value = parameter.default_value;
  });
  return description;
}

namespace impl {

template <class... Described>
constexpr bool have_different_names() {
  const std::array names{std::string_view(Described::name)...};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin() + i + 1, names.end(), names[i]) != names.end()) return false;
  }
  return true;
}

}  // namespace impl

/// Descriptions of these models and cases, in this order. Their names must differ.
template <class... Described>
std::vector<ModelDescription> descriptions_of() {
  static_assert(impl::have_different_names<Described...>(),
                "Sporos: two models have the same name, expected different names");
  return {description_of<Described>()...};
}

}  // namespace sporos::runtime
