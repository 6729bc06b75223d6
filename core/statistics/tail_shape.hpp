// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace sporos {

/// The shape k of the generalized Pareto distribution that fits the upper tail of `values`, their largest min(n / 5, 3
/// √n). Moments of orders above 1 / k are infinite, so that a shape above 1/2 means infinite variance. The estimator is
/// that of Pareto smoothed importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry (2024), JMLR 25; Zhang and
/// Stephens (2009), Technometrics 51). Returns 0 if the tail has fewer than 5 values, or if these hardly differ.
double tail_shape(std::vector<double> values);

}  // namespace sporos
