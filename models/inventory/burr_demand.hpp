// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Means for a demand D with the Burr XII distribution, P(D > d) = (1 + d^alpha)^(−beta). Compiled once.
namespace sporos::models {

/// Mean sales and mean lost sales for a stock.
struct MeanSales {
  double sold;  ///< E[min(D, stock)]
  double lost;  ///< E[(D − stock)⁺]
};

/// Means for a stock of at least 0, by the incomplete beta function. Requires alpha · beta > 1; otherwise E[D] is
/// infinite. A mean is NaN if that function cannot be computed.
MeanSales burr_mean_sales(double alpha, double beta, double stock);

}  // namespace sporos::models
