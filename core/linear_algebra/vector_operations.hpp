// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>

/// Vector operations by Kokkos Kernels, in the component linear_algebra. They run on the given instance; on a host,
/// only the calling thread processes short vectors. Functions that return a number block until it is available; the
/// others do not. Results have the same bits in each run on one machine with the same number of threads. On another
/// processor, a BLAS may add in another order.
namespace sporos {

/// Inner product xᵀy.
template <class ExecutionSpace>
double dot(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& y);

/// Euclidean norm √(xᵀx).
template <class ExecutionSpace>
double norm(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x);

/// Sum of magnitudes Σ |x_i|.
template <class ExecutionSpace>
double sum_of_magnitudes(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x);

/// The largest |x_i|; 0 if there is no element.
template <class ExecutionSpace>
double largest_magnitude(const ExecutionSpace& space, const ConstVector<ExecutionSpace>& x);

/// Sets y = a x + b y.
template <class ExecutionSpace>
void add_scaled(const ExecutionSpace& space, double a, const ConstVector<ExecutionSpace>& x, double b,
                const Vector<ExecutionSpace>& y);

/// Sets out = x + a d; `out` may be the same vector as x or d.
template <class ExecutionSpace>
void set_moved(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, const ConstVector<ExecutionSpace>& x,
               double a, const ConstVector<ExecutionSpace>& d);

/// Sets out = a x; `out` may be the same vector as x.
template <class ExecutionSpace>
void set_scaled(const ExecutionSpace& space, const Vector<ExecutionSpace>& out, double a,
                const ConstVector<ExecutionSpace>& x);

/// Sets y = a A x + b y, where A is `matrix`. y must be neither x nor a part of A.
template <class ExecutionSpace>
void add_product(const ExecutionSpace& space, double a, const ConstMatrix<ExecutionSpace>& matrix,
                 const ConstVector<ExecutionSpace>& x, double b, const Vector<ExecutionSpace>& y);

}  // namespace sporos
