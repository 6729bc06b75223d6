// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>

/// Operations on vectors, by Kokkos Kernels; of the component linear_algebra. They run on the instance that is given; a
/// host's calling thread processes short vectors alone. Calls that return a number wait for it, the others do not.
/// Numbers are the same bits from run to run on one machine with one number of threads: a BLAS may add up in another
/// order on another processor.
namespace sporos {

/// xᵀy.
template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y);

/// √(xᵀx).
template <class ExecutionSpace>
double norm(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x);

/// Σ |x_i|.
template <class ExecutionSpace>
double sum_of_magnitudes(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x);

/// The largest |x_i|; 0 if there is no element.
template <class ExecutionSpace>
double largest_magnitude(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x);

/// y = a x + b y.
template <class ExecutionSpace>
void add_scaled(const ExecutionSpace& space, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y);

/// out = x + a d, which may be the same vector as either.
template <class ExecutionSpace>
void set_moved(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, const ConstVector<ExecutionSpace>& x,
               double a, const ConstVector<ExecutionSpace>& d);

/// out = a x, which may be the same vector.
template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                const ConstVector<ExecutionSpace>& x);

/// y = a A x + b y; y is neither x nor a part of A.
template <class ExecutionSpace>
void add_product(const ExecutionSpace& space, double a, const ConstMatrix<ExecutionSpace>& matrix,
                 const ConstVector<ExecutionSpace>& x, double b, const Vector<ExecutionSpace>& y);

}  // namespace sporos
