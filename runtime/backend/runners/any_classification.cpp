// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/runners/any_classification.hpp>

#include <sporos/runtime/backend/processes.hpp>

#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/preparation.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <utility>

namespace sporos::runtime::impl {

namespace {

using Space = SPOROS_BACKEND;
using Memory = Space::memory_space;

template <class Features>
class ClassificationOf final : public AnyClassification {
 public:
  ClassificationOf(Features features, const ClassificationTask& task)
      : m_problem(std::move(features), task.labels, task.model, Space(), runtime::processes()) {}

  const Space& execution() const override { return m_problem.execution(); }
  Processes& processes() const override { return m_problem.processes(); }
  std::int64_t dimension() const override { return m_problem.dimension(); }
  double objective(const Input& w) override { return m_problem.objective(w); }
  void gradient(const Input& w, const Output& g) override { m_problem.gradient(w, g); }
  double objective_and_gradient(const Input& w, const Output& g) override {
    return sporos::objective_and_gradient(m_problem, w, g);
  }
  void hessian_product(const Input& w, const Input& v, const Output& out) override {
    m_problem.hessian_product(w, v, out);
  }

 private:
  void draw_rows(const SampleRange& sample) override { m_problem.draw(sample); }
  void draw_all_rows() override { m_problem.draw_all(); }

  models::LogisticClassification<Space, Features> m_problem;
};

template <class Features>
StoredClassification stored(Features features, const ClassificationTask& task) {
  const std::size_t bytes = features.bytes();
  return {std::make_unique<ClassificationOf<Features>>(std::move(features), task), bytes};
}

}  // namespace

StoredClassification stored_classification(const ClassificationTask& task) {
  switch (task.storage) {
    case FeatureStorage::real32:
      return stored(models::DenseFeatures<float, Memory>(std::get<models::DenseRows>(task.features)), task);
    case FeatureStorage::bits:
      return stored(models::PackedFeatures<Memory>(packed(std::get<models::SparseRows>(task.features))), task);
    case FeatureStorage::sparse:
      return stored(models::SparseFeatures<Memory>(std::get<models::SparseRows>(task.features)), task);
    case FeatureStorage::real64:
      break;
  }
  return stored(models::DenseFeatures<double, Memory>(std::get<models::DenseRows>(task.features)), task);
}

}  // namespace sporos::runtime::impl
