// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/inventory/newsvendor_case.hpp>

#include <glpk.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sporos::test {

/// Optimum of a newsvendor whose costs are replaced by line segments between points of [0, most].
struct PiecewiseLinearOptimum {
  std::vector<double> quantities;   ///< x
  std::vector<double> multipliers;  ///< multipliers of the resources, at least 0 for resources with an upper limit
  double objective;                 ///< objective of the line segments, not below that of the costs
};

/// Solves by GLPK with a variable for each segment, at most most / segments wide, with the exact cost's slope over it.
inline PiecewiseLinearOptimum piecewise_linear_optimum(const models::NewsvendorCase& newsvendor, double most,
                                                       int segments) {
  const auto products = static_cast<int>(newsvendor.products.size());
  const auto resources = static_cast<int>(newsvendor.resources.size());
  const double width = most / segments;
  const models::ProductDemands<models::AnyDemand, Kokkos::HostSpace> demands(newsvendor.products.demand);
  const auto cost_at = [&](int j, double x) {
    const auto& [k, h, v, demand] = newsvendor.products;
    const double over = demands.view()(j).cdf_integral(x);
    return k[j] * x + h[j] * over + v[j] * (over + demand[j].mean() - x);
  };
  glp_prob* const program = glp_create_prob();
  glp_add_rows(program, resources);
  for (int i = 0; i < resources; ++i) {
    const double capacity = newsvendor.resources.capacity[static_cast<std::size_t>(i)];
    const auto sense = newsvendor.resources.sense(static_cast<std::size_t>(i));
    const int kind =
        sense == models::ResourceSense::at_most ? GLP_UP : (sense == models::ResourceSense::exactly ? GLP_FX : GLP_LO);
    glp_set_row_bnds(program, i + 1, kind, capacity, capacity);
  }
  glp_add_cols(program, products * segments);
  double at_zero = 0;
  for (int j = 0; j < products; ++j) {
    at_zero += cost_at(j, 0);
    std::vector<int> rows(1);
    std::vector<double> amounts(1);  // GLPK counts from 1
    for (int i = 0; i < resources; ++i) {
      rows.push_back(i + 1);
      amounts.push_back(newsvendor.resources.amounts[i * products + j]);
    }
    for (int s = 0; s < segments; ++s) {
      const int column = j * segments + s + 1;
      glp_set_col_bnds(program, column, GLP_DB, 0, width);
      glp_set_obj_coef(program, column, (cost_at(j, (s + 1) * width) - cost_at(j, s * width)) / width);
      glp_set_mat_col(program, column, resources, rows.data(), amounts.data());
    }
  }
  glp_smcp options;
  glp_init_smcp(&options);
  options.msg_lev = GLP_MSG_OFF;
  if (glp_simplex(program, &options) != 0 || glp_get_status(program) != GLP_OPT) {
    throw std::runtime_error("GLPK finds no optimum");
  }
  PiecewiseLinearOptimum optimum{{}, {}, at_zero + glp_get_obj_val(program)};
  for (int j = 0; j < products; ++j) {
    double x = 0;
    for (int s = 0; s < segments; ++s) x += glp_get_col_prim(program, j * segments + s + 1);
    optimum.quantities.push_back(x);
  }
  for (int i = 0; i < resources; ++i) optimum.multipliers.push_back(-glp_get_row_dual(program, i + 1));
  glp_delete_prob(program);
  return optimum;
}

}  // namespace sporos::test
