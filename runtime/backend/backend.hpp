// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/fitter.hpp>
#include <sporos/runtime/backend/optimizer.hpp>
#include <sporos/runtime/backend/photon_tracer.hpp>
#include <sporos/runtime/backend/runner.hpp>
#include <sporos/runtime/backend/sampler.hpp>

#include <sporos/core/execution/execution_settings.hpp>
#include <sporos/core/random/engine.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

struct Calibrator;

/// The backend that a program is built for, as far as its commands need it.
class Backend {
 public:
  virtual ~Backend() = default;

  /// serial, openmp, cuda, hip.
  virtual std::string_view name() const = 0;
  /// The most threads that a user can ask of it; 0 where they are not the user's choice.
  virtual int most_threads() const = 0;

  /// Whether it computes on one of several devices that a user can choose from.
  virtual bool has_devices() const = 0;

  /// Initializes Kokkos until the end of this object, or throws as check_device does. What follows may be called only
  /// after it.
  virtual void start(const ExecutionSettings& settings) = 0;
  /// What it computes on.
  virtual std::string device() const = 0;
  /// The number of its device, where it has one.
  virtual std::optional<int> device_number() const = 0;
  /// How many threads run at once.
  virtual int threads() const = 0;
  /// The runner of a model.
  virtual const Runner& runner_of(std::string_view model) const = 0;
  /// Points of a sampling, one after the other, each with its coordinates in order.
  virtual std::vector<double> sample(const PointRequest& request) const = 0;
  /// Optimizes a portfolio.
  virtual OptimizationOutcome optimize(const PortfolioTask& task, const OptimizationRun& run) const = 0;
  /// Optimizes a newsvendor.
  virtual OptimizationOutcome optimize(const NewsvendorTask& task, const OptimizationRun& run) const = 0;
  /// Learns a classification.
  virtual ClassificationOutcome optimize(const ClassificationTask& task, const ClassificationRun& run) const = 0;
  /// Fits mixtures to a sample.
  virtual FitOutcome fit(const FitTask& task) const = 0;
  /// What blocks of random numbers of an engine are measured by.
  virtual Calibrator calibrator(Engine engine) const = 0;
  /// Follows photons.
  virtual models::PhotonCounts trace(const RadiationTask& task) const = 0;
};

}  // namespace sporos::runtime
