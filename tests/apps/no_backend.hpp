// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../apps/command_line.hpp"

#include <sporos/runtime/backend/backend.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <gtest/gtest.h>

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

/// The command line in the test's own process, up to where a command would compute.
namespace sporos::test {

/// Thrown where a command has found nothing to refuse.
struct Started {};

/// A backend that computes nothing.
class NoBackend final : public runtime::Backend {
 public:
  std::string_view name() const override { return "openmp"; }
  int max_threads() const override { return 512; }
  bool has_devices() const override { return false; }
  void start(const ExecutionSettings&) override { throw Started(); }
  std::string device() const override { return "none"; }
  std::optional<int> device_number() const override { return std::nullopt; }
  int threads() const override { return 1; }
  void add_model(std::string_view, runtime::ModelFunctions) override { throw Started(); }
  std::unique_ptr<ReplicatedSystems> replicated_systems(std::unique_ptr<SystemLauncher>, std::int64_t,
                                                        const ReplicationOptions&) const override {
    throw Started();
  }

 protected:
  const runtime::ModelFunctions& functions_of(std::string_view) const override { throw Started(); }
  const std::any& task_runner(std::type_index) const override { throw Started(); }
  void check_launches() const override {}
};

/// How a command has ended.
struct Ending {
  bool has_started = false;  ///< it was to compute
  int status = 0;
  std::string out, error;
};

/// How the command line `arguments` ends, without the name of a program.
inline Ending ending_of(const std::vector<std::string>& arguments) {
  Ending ending;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  try {
    runtime::ProcessSession session;
    NoBackend backend;
    ending.status = apps::run_command_line(arguments, session, backend);
  } catch (const Started&) {
    ending.has_started = true;
  }
  ending.out = ::testing::internal::GetCapturedStdout();
  ending.error = ::testing::internal::GetCapturedStderr();
  return ending;
}

}  // namespace sporos::test
