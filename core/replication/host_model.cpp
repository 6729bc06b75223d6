// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/replication/correlation.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/experiment_run.hpp>
#include <sporos/core/replication/host_model.hpp>
#include <sporos/core/replication/summarized_rows.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sporos {

namespace {

// The rows of a launch, none of which are summarized in blocks.
class HostRows final : public SummarizedRows {
 public:
  HostRows(const ReplicationRange& range, std::size_t points, std::span<const ResponsePair> pairs,
           const std::vector<double>& outputs)
      : m_outputs(outputs) {
    begin(range, static_cast<std::int64_t>(points), pairs);
    m_rows = outputs.data();
  }

 private:
  std::vector<double> outputs_of(int response) const override {
    const auto rows = m_range.count * m_points;
    const auto first = m_outputs.begin() + response * rows;
    return {first, first + rows};
  }

  const std::vector<double>& m_outputs;
};

class HostLauncher final : public impl::ReplicationLauncher {
 public:
  HostLauncher(const HostModel& model, const Plan& plan) : m_model(model), m_plan(plan) {}

  std::size_t point_count() const override { return m_model.points; }
  void check_models() const override {
    if (m_model.responses.empty()) throw std::invalid_argument("a model on the host has no response, expected one");
    if (m_model.workers < 1) {
      throw std::invalid_argument("number of workers is " + std::to_string(m_model.workers) + ", expected at least 1");
    }
    if (m_plan.source.is_default()) return;
    throw std::invalid_argument("a model on the host has engine philox and random sampling, expected no other");
  }
  std::vector<std::string> response_names() const override { return m_model.responses; }
  std::vector<std::string> station_names() const override { return {}; }
  std::size_t response_count() const override { return m_model.responses.size(); }
  std::vector<ResponsePair> pairs() const override {
    std::vector<ResponsePair> all;
    const auto count = static_cast<int>(response_count());
    for (int first = 0; m_plan.covariances && first < count; ++first) {
      for (int second = first + 1; second < count; ++second) all.push_back({first, second});
    }
    return all;
  }
  ResponseProperties properties(std::size_t) const override {
    return {std::vector<ResponseRange>(response_count()), {}};
  }
  WarpUse warp_use() const override { return {false}; }

  // The workers resemble a device, which runs many replications at the same time. A launch has at least four for each.
  bool is_on_host() const override { return false; }
  std::int64_t threads() const override { return 16 * m_model.workers; }
  bool has_warps() const override { return false; }
  std::int64_t affordable_outputs() const override { return std::int64_t{1} << 24; }

  void prepare() override {}
  void launch(std::span<const std::size_t> points, const ReplicationRange& range, Mapping) override {
    m_points = points.size();
    m_range = range;
    m_outputs.assign(points.size() * static_cast<std::size_t>(range.count) * response_count(), 0);
    std::vector<std::uint64_t> seeds;
    for (const std::size_t point : points) {
      seeds.push_back(seed_of_point(m_plan.seed, point, m_plan.common_random_numbers));
    }
    m_model.run(points, seeds, range, m_outputs.data());
  }
  const SummarizedRows& summarize(std::int64_t, std::span<const ResponsePair> pairs) override {
    return m_rows.emplace(m_range, m_points, pairs, m_outputs);
  }
  std::span<const double> outputs() override { return m_outputs; }

 private:
  const HostModel& m_model;
  const Plan& m_plan;
  std::size_t m_points = 0;
  ReplicationRange m_range;
  std::vector<double> m_outputs;
  std::optional<HostRows> m_rows;
};

}  // namespace

void draw_uniforms(const Stream& stream, std::uint64_t first, std::span<double> numbers) {
  constexpr std::uint64_t width = Philox4x32::draws_per_block;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t draw = first + i;
    numbers[i] = open_uniform(Philox4x32::block(stream, draw / width)[draw % width]);
  }
}

double HostDraws::operator()(std::uint32_t input) {
  if (input > 0xFFFF) {
    throw std::invalid_argument("input is " + std::to_string(input) + ", expected a number from 0 to 65535");
  }
  if (input >= m_drawn.size()) m_drawn.resize(input + 1);
  double number = 0;
  draw_uniforms({m_seed, static_cast<std::uint64_t>(m_replication), input}, m_drawn[input]++, {&number, 1});
  return number;
}

HostModel host_model(std::vector<std::string> responses, std::size_t points, std::int64_t workers,
                     std::function<void(std::size_t, HostDraws&, std::span<double>)> replicate) {
  const std::size_t columns = responses.size();
  const auto run = [columns, workers, replicate = std::move(replicate)](
                       std::span<const std::size_t> which, std::span<const std::uint64_t> seeds,
                       const ReplicationRange& range, double* outputs) {
    const auto rows = static_cast<std::int64_t>(which.size()) * range.count;
    std::atomic<std::int64_t> next{0};
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(rows));
    std::atomic<bool> has_failed{false};
    const auto work = [&] {
      std::vector<double> values(columns);
      for (std::int64_t row = next++; row < rows && !has_failed; row = next++) {
        const auto place = static_cast<std::size_t>(row / range.count);
        HostDraws draws(seeds[place], range.first + row % range.count);
        try {
          replicate(which[place], draws, values);
          for (std::size_t r = 0; r < columns; ++r) outputs[static_cast<std::int64_t>(r) * rows + row] = values[r];
        } catch (...) {
          failures[static_cast<std::size_t>(row)] = std::current_exception();
          has_failed = true;
        }
      }
    };
    std::vector<std::jthread> threads;
    for (std::int64_t worker = 1; worker < std::min(workers, rows); ++worker) threads.emplace_back(work);
    work();
    threads.clear();
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
  };
  return {std::move(responses), points, workers, run};
}

ExperimentResult simulate(const HostModel& model, const Plan& plan, const Watcher& watcher, const Observer& observer,
                          Processes& processes, const Checkpoints& checkpoints, const Recorder& recorder) {
  HostLauncher launcher(model, plan);
  return impl::run_experiment(launcher, plan, watcher, observer, processes, checkpoints, recorder);
}

}  // namespace sporos
