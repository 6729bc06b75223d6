// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/for_each_index.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sporos {

/// The responses of all replications of a design point, in the memory of the execution space that has simulated them: a
/// matrix with a row for each replication and a column for each response, stored row by row.
class KeptOutputs {
 public:
  virtual ~KeptOutputs() = default;

  /// The matrix, in the memory of the execution space; null if it is empty or released.
  virtual double* data() const = 0;
  /// Number of replications.
  virtual std::size_t rows() const = 0;
  /// Number of responses.
  virtual std::size_t columns() const = 0;
  /// Copies the matrix into host memory for rows() × columns() numbers.
  virtual void copy_to(std::span<double> host) const = 0;
  /// Frees the memory. Call it before Kokkos is finalized, if the object lives on.
  virtual void release() = 0;
};

/// The kept outputs of each design point of an experiment.
using OutputsOfPoints = std::vector<std::shared_ptr<KeptOutputs>>;

namespace impl {

/// Kept outputs in the memory of `ExecutionSpace`.
template <class ExecutionSpace>
class OutputsInSpace final : public KeptOutputs {
 public:
  /// Reserves memory for a number of replications; more can be added.
  OutputsInSpace(std::size_t replications, std::size_t responses) : m_matrix(new_matrix(replications, responses)) {}

  /// Adds the first `count` rows of `outputs` from row `first` on, and waits for the end of the copy.
  template <class Outputs>
  void add(const ExecutionSpace& space, const Outputs& outputs, std::int64_t first, std::int64_t count) {
    const std::size_t begin = m_rows;
    m_rows += static_cast<std::size_t>(count);
    if (m_rows > m_matrix.extent(0)) {
      const Matrix larger = new_matrix(std::max(m_rows, 2 * m_matrix.extent(0)), columns());
      copy_elements(space, first_elements(larger, begin * columns()), first_elements(m_matrix, begin * columns()));
      m_matrix = larger;
    }
    const auto matrix = m_matrix;
    const auto width = static_cast<std::int64_t>(columns());
    for_each_index(
        "sporos::replication::keep", space, count * width, 2, KOKKOS_LAMBDA(std::int64_t i) {
          matrix(begin + static_cast<std::size_t>(i / width), i % width) = outputs(first + i / width, i % width);
        });
    space.fence();
  }

  double* data() const override { return m_matrix.data(); }
  std::size_t rows() const override { return m_rows; }
  std::size_t columns() const override { return m_matrix.extent(1); }
  void copy_to(std::span<double> host) const override {
    copy_elements(host, first_elements(m_matrix, m_rows * columns()));
  }
  void release() override {
    m_matrix = {};
    m_rows = 0;
  }

 private:
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

  static Matrix new_matrix(std::size_t rows, std::size_t columns) {
    return Matrix(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::replication::kept_outputs"), rows, columns);
  }

  Matrix m_matrix;
  std::size_t m_rows = 0;
};

}  // namespace impl

}  // namespace sporos
