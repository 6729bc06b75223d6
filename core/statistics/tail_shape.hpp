// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace sporos {

/// The shape k of the generalized Pareto distribution that fits the upper tail of `values`, the largest min(n / 5, 3
/// √n) of them: moments of orders above 1 / k are infinite, so that above 1/2 there is no variance. It is estimated as
/// Pareto smoothed importance sampling does (Vehtari, Simpson, Gelman, Yao, Gabry, JMLR 25, 2024; Zhang, Stephens,
/// Technometrics 51, 2009). 0 where fewer than 5 values make the tail, or where these hardly differ.
double tail_shape(std::vector<double> values);

}  // namespace sporos
