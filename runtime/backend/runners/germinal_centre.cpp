// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/backend/tasks.hpp>
#include <sporos/runtime/germinal_centre/task.hpp>

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

namespace sporos::runtime {

namespace {

using Space = SPOROS_BACKEND;

class RunOnBackend final : public GerminalCentreRun {
 public:
  explicit RunOnBackend(const GerminalCentreTask& task) : m_centres(Space(), task.all, task.seed, processes()) {}

  void advance() override {
    m_centres.advance();
    check_launches<Space>();
  }
  models::CellCensus census() const override { return m_centres.census(); }
  models::GerminalCentresState state() const override { return m_centres.state(); }
  void restore(const models::GerminalCentresState& state) override { m_centres.restore(state); }
  std::uint64_t digest() const override { return m_centres.digest(); }

 private:
  models::GerminalCentres<Space> m_centres;
};

std::unique_ptr<GerminalCentreRun> begun(const GerminalCentreTask& task) {
  return std::make_unique<RunOnBackend>(task);
}

}  // namespace

template <>
std::any task_runner<GerminalCentreTask>() {
  return &begun;
}

}  // namespace sporos::runtime
