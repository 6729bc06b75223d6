// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Means of a demand D with Burr's distribution XII, P(D > d) = (1 + d^alpha)^(−beta). Compiled once.
namespace sporos::models {

/// What a stock meets of a demand, on average.
struct MeanSales {
  double sold;  ///< E[min(D, stock)]
  double lost;  ///< E[(D − stock)⁺]
};

/// The means for a stock of at least 0, by the incomplete beta function; alpha · beta > 1, otherwise E[D] is infinite.
/// NaN where that function cannot be computed.
MeanSales burr_mean_sales(double alpha, double beta, double stock);

}  // namespace sporos::models
