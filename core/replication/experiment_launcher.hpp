// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/execution/kept_memory.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/experiment_run.hpp>
#include <sporos/core/replication/kept_outputs.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/core/replication/output_memory.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/replication/summary.hpp>
#include <sporos/core/sampling/prepared_source.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sporos::impl {

/// The part of a launcher that depends on the execution space and not on the model.
template <class ExecutionSpace>
class SpaceLauncher : public ReplicationLauncher {
 public:
  bool is_on_host() const override { return runs_on_host<ExecutionSpace>; }
  std::int64_t threads() const override { return m_space.concurrency(); }
  std::int64_t affordable_outputs() const override {
    return impl::affordable_outputs<ExecutionSpace>(m_plan, point_count(), response_count());
  }
  void check_launch() const override {
    check_launches<ExecutionSpace>();
    check_draws_of_launch();
  }
  const SummarizedRows& summarize(std::int64_t cut, std::span<const ResponsePair> pairs) override;
  std::span<const double> outputs() override {
    m_host_outputs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_outputs);
    return {m_host_outputs.data(), m_host_outputs.size()};
  }
  OutputsOfPoints new_kept_outputs() const override;
  void keep(std::span<const std::size_t> points, std::span<const std::int64_t> counts,
            const OutputsOfPoints& kept) override;

 protected:
  SpaceLauncher(const ExecutionSpace& space, const Plan& plan) : m_space(space), m_plan(plan) {}

  /// Discards the last launch and provides outputs for a launch of `range` for `points` design points.
  void begin(std::size_t points, const ReplicationRange& range);

  const ExecutionSpace& m_space;
  const Plan& m_plan;
  PreparedSource<ExecutionSpace> m_source;
  Outputs<ExecutionSpace> m_outputs;   // outputs of the last launch
  std::vector<std::uint64_t> m_seeds;  // seeds of its design points

 private:
  /// Throws std::runtime_error if a replication of the last launch drew more often than its model states.
  virtual void check_draws_of_launch() const = 0;

  KeptMemory<ExecutionSpace> m_memory;  // memory of the outputs
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> m_host_outputs;
  ReplicationRange m_range;  // replications of the last launch
  LaunchSummary<ExecutionSpace> m_summary;
};

template <class ExecutionSpace>
void SpaceLauncher<ExecutionSpace>::begin(std::size_t points, const ReplicationRange& range) {
  const std::size_t rows = points * static_cast<std::size_t>(range.count);
  m_host_outputs = {};
  m_seeds.clear();
  m_range = range;
  const std::size_t responses = response_count();
  m_outputs =
      Outputs<ExecutionSpace>(m_memory.template provide<double>(m_space, static_cast<std::int64_t>(rows * responses),
                                                                "sporos::replication::outputs"),
                              rows, responses);
}

template <class ExecutionSpace>
const SummarizedRows& SpaceLauncher<ExecutionSpace>::summarize(std::int64_t cut, std::span<const ResponsePair> pairs) {
  check_launch();
  m_summary.summarize(m_space, m_outputs, m_range, cut, m_plan.source, m_seeds, pairs);
  check_launches<ExecutionSpace>();
  return m_summary;
}

template <class ExecutionSpace>
OutputsOfPoints SpaceLauncher<ExecutionSpace>::new_kept_outputs() const {
  const std::int64_t replications = m_plan.precision.is_set() ? m_plan.batch : m_plan.replications;
  const double bytes_of_replication = sizeof(double) * static_cast<double>(point_count() * response_count());
  check_memory<typename ExecutionSpace::memory_space>({"outputs", replications, "replications", bytes_of_replication});
  OutputsOfPoints kept(point_count());
  for (auto& of_point : kept) {
    of_point =
        std::make_shared<OutputsInSpace<ExecutionSpace>>(static_cast<std::size_t>(replications), response_count());
  }
  return kept;
}

template <class ExecutionSpace>
void SpaceLauncher<ExecutionSpace>::keep(std::span<const std::size_t> points, std::span<const std::int64_t> counts,
                                         const OutputsOfPoints& kept) {
  for (std::size_t place = 0; place < points.size(); ++place) {
    auto& of_point = static_cast<OutputsInSpace<ExecutionSpace>&>(*kept[points[place]]);
    of_point.add(m_space, m_outputs, static_cast<std::int64_t>(place) * m_range.count, counts[place]);
  }
}

/// Launches replications of `Model`.
template <class Model, class ExecutionSpace>
class ExperimentLauncher final : public SpaceLauncher<ExecutionSpace> {
 public:
  ExperimentLauncher(const ExecutionSpace& space, std::span<const Model> models, const Plan& plan)
      : SpaceLauncher<ExecutionSpace>(space, plan), m_models(models) {}

  std::size_t point_count() const override { return m_models.size(); }
  void check_models() const override {
    if constexpr (ChecksItself<Model>) {
      for (const Model& model : m_models) model.check();
    }
    check_same_responses(m_models);
  }
  std::vector<std::string> response_names() const override { return response_names_of(m_models.front()); }
  std::vector<std::string> station_names() const override { return station_names_of(m_models.front()); }
  std::size_t response_count() const override { return static_cast<std::size_t>(response_count_of(m_models.front())); }
  std::vector<ResponsePair> pairs() const override { return pairs_of(m_models, m_plan.covariances); }
  ResponseProperties properties(std::size_t point) const override { return properties_of(m_models[point]); }
  WarpUse warp_use() const override { return impl::warp_use<ExecutionSpace>(m_models.front(), m_plan.source); }
  bool has_warps() const override { return impl::has_warps<Model, ExecutionSpace>(m_plan.source); }
  void prepare() override { m_source = prepared_source<ExecutionSpace>(m_plan.source, m_models); }

  void launch(std::span<const std::size_t> points, const ReplicationRange& range, Mapping mapping) override {
    this->begin(points.size(), range);
    m_points.clear();
    for (const std::size_t point : points) {
      m_seeds.push_back(seed_of_point(m_plan.seed, point, m_plan.common_random_numbers));
      m_points.push_back({m_models[point], m_seeds.back()});
    }
    const Design<Model, ExecutionSpace> design(points_of_launch());
    const RowWriter<ExecutionSpace> rows{m_outputs};
    if (m_plan.source.is_default()) {
      for_each_replication_with<DefaultSource>("sporos::replicate", m_space, design, m_source, range, mapping, rows);
    } else {
      for_each_replication_with<ChosenSource>("sporos::replicate", m_space, design, m_source, range, mapping, rows);
    }
    m_space.fence();
  }

 private:
  using SpaceLauncher<ExecutionSpace>::m_space;
  using SpaceLauncher<ExecutionSpace>::m_plan;
  using SpaceLauncher<ExecutionSpace>::m_source;
  using SpaceLauncher<ExecutionSpace>::m_outputs;
  using SpaceLauncher<ExecutionSpace>::m_seeds;

  void check_draws_of_launch() const override { check_draws(m_space, m_source, points_of_launch()); }

  std::span<const DesignPoint<Model>> points_of_launch() const { return {m_points.data(), m_points.size()}; }

  std::span<const Model> m_models;
  std::vector<DesignPoint<Model>> m_points;  // design points of the last launch
};

#define SPOROS_SPACE_LAUNCHER_ON(ExecutionSpace) class SpaceLauncher<ExecutionSpace>
SPOROS_INSTANTIATE(SPOROS_SPACE_LAUNCHER_ON)

}  // namespace sporos::impl
