// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/model_of.hpp>
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/backend/runner.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/replication/array_chain.hpp>
#include <sporos/core/replication/conditional.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/level_pair.hpp>
#include <sporos/core/replication/likelihood_ratio.hpp>
#include <sporos/core/replication/markov_chain.hpp>
#include <sporos/core/replication/series.hpp>
#include <sporos/core/replication/traced_replication.hpp>
#include <sporos/core/replication/with_controls.hpp>
#include <sporos/procedures/array_rqmc/array_rqmc.hpp>
#include <sporos/procedures/case_members.hpp>
#include <sporos/procedures/multilevel/multilevel.hpp>
#include <sporos/procedures/ranking_and_selection/model_launcher.hpp>
#include <sporos/procedures/rare_events/adaptive_splitting.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>
#include <sporos/procedures/rare_events/splitting.hpp>
#include <sporos/procedures/simulated_objective.hpp>
#include <sporos/procedures/stratification/stratified.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace sporos::runtime {

namespace impl {

/// The execution space of this program.
using Space = SPOROS_BACKEND;

/// The models of a design's points; what they point to lies in `MemorySpace`.
template <class Described, class MemorySpace = Space::memory_space>
class DesignModels {
 public:
  using Model = Described;

  explicit DesignModels(std::span<const ParameterValues> design) {
    for (const auto& values : design) m_models.push_back(model_of<Model>(values));
  }

  std::span<const Model> models() const { return {m_models.data(), m_models.size()}; }

 private:
  std::vector<Model> m_models;
};

/// The model of a case, with members as the values have them.
template <DescribedCase Case, class Tables>
typename Case::Model case_model(const ParameterValues& values, const Tables& tables) {
  const Case described = model_of<Case>(values);
  auto model = described.model(tables);
  if constexpr (CaseWithMembers<Case>) {
    const auto members = described.members(loaded_of<Case>(values).data);
    const std::size_t parameters = std::tuple_size_v<decltype(Case::parameters())>;
    for (std::size_t i = 0; i + parameters < values.size(); ++i) {
      const double value = number_of(values[i + parameters]);
      if (value == members[i].usual || model.set_member(static_cast<int>(i), value)) continue;
      throw std::invalid_argument("more members differ from the case than a model has room for, with " +
                                  members[i].name);
    }
  }
  return model;
}

/// The same with the data that the models point to; what several points share is there once.
template <DescribedCase Case, class MemorySpace>
class DesignModels<Case, MemorySpace> {
 public:
  using Model = typename Case::Model;

  explicit DesignModels(std::span<const ParameterValues> design) {
    for (const auto& values : design) {
      const auto& data = loaded_of<Case>(values).data;
      m_models.push_back(case_model<Case>(values, m_tables.try_emplace(&data, data).first->second));
    }
  }

  std::span<const Model> models() const { return {m_models.data(), m_models.size()}; }

 private:
  std::map<const typename Case::Data*, typename Case::template Tables<MemorySpace>> m_tables;
  std::vector<Model> m_models;
};

template <class Described>
ExperimentResult simulate_model(std::span<const ParameterValues> design, const Plan& plan, const Watcher& watcher,
                                const Observer& observer, const Checkpoints& checkpoints, const Recorder& recorder) {
  const DesignModels<Described> design_models(design);
  return simulate(Space(), design_models.models(), plan, watcher, observer, processes(), checkpoints, recorder);
}

// With each model wrapped.
template <class Wrapped, class Model>
ExperimentResult simulate_wrapped(std::span<const ParameterValues> design, const Plan& plan, const Watcher& watcher,
                                  const Observer& observer, const Checkpoints& checkpoints, const Recorder& recorder) {
  std::vector<Wrapped> models;
  for (const auto& values : design) models.push_back({model_of<Model>(values)});
  return simulate(Space(), models, plan, watcher, observer, processes(), checkpoints, recorder);
}

template <class Described>
void check_experiment(std::span<const ParameterValues> design, const Plan& plan) {
  const DesignModels<Described> design_models(design);
  check_plan(plan);
  prepared_source<Space>(plan.source, design_models.models());
}

template <class Described>
std::vector<double> replay_model(std::span<const ParameterValues> design, const Plan& plan, std::size_t point,
                                 std::int64_t replication) {
  using Model = typename DesignModels<Described>::Model;
  const DesignModels<Described> design_models(design);
  const auto replayed = design_points(design_models.models(), plan.seed, plan.common_random_numbers).at(point);
  const Mapping mapping = plan.mapping == Mapping::warp ? Mapping::warp : Mapping::thread;
  const Outputs<Space> outputs("sporos::runtime::replay", 1,
                               static_cast<std::size_t>(response_count_of(replayed.model)));
  const Space space;
  const auto source = prepared_source<Space>(plan.source, std::span(&replayed.model, 1));
  replicate(space, Design<Model, Space>(replayed.model, replayed.seed), source, ReplicationRange{replication, 1},
            mapping, outputs);
  space.fence();
  check_launches<Space>();
  check_draws(space, source, std::span(&replayed, 1));
  const auto row = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  std::vector<double> responses;
  for (std::size_t response = 0; response < row.extent(1); ++response) responses.push_back(row(0, response));
  return responses;
}

template <class Described>
EventListing trace_model(std::span<const ParameterValues> design, const Plan& plan, std::size_t point,
                         std::int64_t replication) {
  using Models = DesignModels<Described, Kokkos::HostSpace>;
  const Models design_models(design);
  const auto traced = design_points(design_models.models(), plan.seed, plan.common_random_numbers).at(point);
  const auto& names = Models::Model::event_names;
  EventListing listing{traced_events(traced, plan.source, replication), {names.begin(), names.end()}};
  if constexpr (requires { traced.model.station_names(); }) listing.stations = traced.model.station_names();
  return listing;
}

// As many directions at once as the model has parameters, up to 16.
template <class Model>
constexpr int directions_of() {
  int count = 0;
  for_each_parameter<Model>(
      [&]<class Value>(const Parameter<Model, Value>&) { count += std::is_same_v<Value, double> ? 1 : 0; });
  return std::clamp(count, 1, 16);
}

template <class Model, class Estimator>
std::unique_ptr<SampledProblem> objective_of(const ParameterValues& values, std::span<const Decision> decisions,
                                             const Objective& objective) {
  return std::make_unique<SimulatedObjective<Model, Space, directions_of<Model>(), Estimator>>(
      Space(), model_of<Model>(values), decisions, objective);
}

template <class Model>
std::unique_ptr<SystemLauncher> systems_of(const ParameterValues& values, const SystemGrid& grid,
                                           const SystemResponse& which) {
  return std::make_unique<ModelLauncher<Model, Space>>(Space(), model_of<Model>(values), grid, which);
}

template <CaseWithMembers Case>
std::unique_ptr<SampledProblem> case_objective_of(const ParameterValues& values, std::span<const Decision> decisions,
                                                  const Objective& objective) {
  typename Case::template Tables<Space::memory_space> tables(loaded_of<Case>(values).data);
  const auto model = case_model<Case>(values, tables);
  return std::make_unique<CaseObjective<Case, Space>>(Space(), model_of<Case>(values), loaded_of<Case>(values).data,
                                                      std::move(tables), model, decisions, objective);
}

template <CaseWithMembers Case>
std::unique_ptr<SystemLauncher> case_systems_of(const ParameterValues& values, const SystemGrid& grid,
                                                const SystemResponse& which) {
  typename Case::template Tables<Space::memory_space> tables(loaded_of<Case>(values).data);
  const auto model = case_model<Case>(values, tables);
  return std::make_unique<CaseLauncher<Case, Space>>(Space(), model_of<Case>(values), loaded_of<Case>(values).data,
                                                     std::move(tables), model, grid, which);
}

// On the host, from philox: a picture needs no other source.
template <DescribedCase Case>
std::string timeline_of(const ParameterValues& values, const Plan& plan, std::size_t point, std::int64_t replication) {
  const auto& data = loaded_of<Case>(values).data;
  const typename Case::template Tables<Kokkos::HostSpace> tables(data);
  return model_of<Case>(values).timeline_picture(
      data, case_model<Case>(values, tables), seed_of_point(plan.seed, point, plan.common_random_numbers), replication);
}

template <class Model>
std::unique_ptr<SegmentLauncher> series_of(const ParameterValues& values, std::uint64_t seed, std::int64_t runs) {
  return std::make_unique<SeriesLauncher<Model, Space>>(Space(), model_of<Model>(values), seed, runs);
}

template <class Described>
ImportanceResult rare_response(const ParameterValues& values, int response, double threshold, Tail tail,
                               const ImportanceOptions& options) {
  const DesignModels<Described> design(std::span(&values, 1));
  return importance_sampled(Space(), design.models().front(), response, threshold, tail, options, processes());
}

template <OffersChain Model>
ImportanceResult sampled_chain(const ParameterValues& values, double level, const ImportanceOptions& options) {
  return importance_sampled(Space(), model_of<Model>(values).chain(), level, options, processes());
}

template <OffersChain Model>
SplittingResult split_chain(const ParameterValues& values, double level, const SplittingOptions& options) {
  return split(Space(), model_of<Model>(values).chain(), level, options, processes());
}

template <OffersChain Model>
SplittingResult split_chain_adaptively(const ParameterValues& values, double level, const SplittingOptions& options) {
  return adaptive_split(Space(), model_of<Model>(values).chain(), level, options, processes());
}

template <OffersLevels Model>
MultilevelResult multilevel_mean(const ParameterValues& values, int response, const MultilevelOptions& options) {
  return multilevel(Space(), model_of<Model>(values).level_model(response), options, processes());
}

template <class Described>
StratifiedResult stratified_means(const ParameterValues& values, const StratifiedOptions& options) {
  const DesignModels<Described> design(std::span(&values, 1));
  return stratified(Space(), design.models().front(), options, processes());
}

template <OffersArrayChain Model>
ArrayRqmcResult array_rqmc_mean(const ParameterValues& values, const ArrayRqmcOptions& options) {
  return array_rqmc(Space(), model_of<Model>(values).array_chain(options.steps), options, processes());
}

// The questions that the model can answer.
template <class Described>
Runner made_runner() {
  Runner made{simulate_model<Described>, replay_model<Described>, check_experiment<Described>};
  made.rare_response = rare_response<Described>;
  if constexpr (!WideModel<typename DesignModels<Described>::Model>) made.stratified = stratified_means<Described>;
  if constexpr (!DescribedCase<Described> && !WideModel<Described>) {
    made.objective = objective_of<Described, PathwiseEstimator>;
    if constexpr (ScoredModel<Described>) made.scored_objective = objective_of<Described, LikelihoodRatioEstimator>;
    made.systems = systems_of<Described>;
  }
  if constexpr (NamesControls<Described>)
    made.simulate_with_controls = simulate_wrapped<WithControls<Described>, Described>;
  if constexpr (OffersConditional<Described>) {
    made.simulate_conditionally = simulate_wrapped<Conditioned<Described>, Described>;
  }
  if constexpr (CaseWithMembers<Described>) {
    made.objective = case_objective_of<Described>;
    made.systems = case_systems_of<Described>;
  }
  if constexpr (NamesEvents<typename DesignModels<Described>::Model>) made.trace = trace_model<Described>;
  if constexpr (requires { &Described::timeline_picture; }) made.timeline = timeline_of<Described>;
  if constexpr (SeriesModel<Described>) made.series = series_of<Described>;
  if constexpr (OffersChain<Described>) {
    made.sampled_chain = sampled_chain<Described>;
    made.split_chain = split_chain<Described>;
    made.split_chain_adaptively = split_chain_adaptively<Described>;
  }
  if constexpr (OffersLevels<Described>) made.multilevel = multilevel_mean<Described>;
  if constexpr (OffersArrayChain<Described>) made.array_rqmc = array_rqmc_mean<Described>;
  return made;
}

}  // namespace impl

template <class Described>
Runner runner() {
  check_described<Described>();
  if constexpr (DescribedModel<Described> || DescribedCase<Described>) {
    return impl::made_runner<Described>();
  } else {
    return {};
  }
}

}  // namespace sporos::runtime
