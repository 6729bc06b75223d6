// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/task.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/sample_range.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sporos::runtime::impl {

/// Logistic classification with type-erased features, so that each optimizer is compiled once.
class AnyClassification {
 public:
  using execution_space = SPOROS_BACKEND;
  using Input = ConstVector<execution_space>;
  using Output = Vector<execution_space>;

  AnyClassification() = default;
  AnyClassification(const AnyClassification&) = delete;
  AnyClassification& operator=(const AnyClassification&) = delete;
  virtual ~AnyClassification() = default;

  /// Makes every later sample with this seed consist of all rows.
  void take_all_under(std::uint64_t seed) { m_seed_of_all = seed; }

  void draw(const SampleRange& sample) {
    if (sample.seed == m_seed_of_all) {
      draw_all_rows();
    } else {
      draw_rows(sample);
    }
  }

  virtual const execution_space& execution() const = 0;
  virtual Processes& processes() const = 0;
  virtual std::int64_t dimension() const = 0;
  virtual double objective(const Input& w) = 0;
  virtual void gradient(const Input& w, const Output& g) = 0;
  virtual double objective_and_gradient(const Input& w, const Output& g) = 0;
  virtual void hessian_product(const Input& w, const Input& v, const Output& out) = 0;

 private:
  virtual void draw_rows(const SampleRange& sample) = 0;
  virtual void draw_all_rows() = 0;

  std::uint64_t m_seed_of_all = 0;
};

/// A problem and the memory of its features.
struct StoredClassification {
  std::unique_ptr<AnyClassification> problem;
  std::size_t bytes;
};

/// Creates the task's problem, with its features in the backend's memory.
StoredClassification stored_classification(const ClassificationTask& task);

}  // namespace sporos::runtime::impl
