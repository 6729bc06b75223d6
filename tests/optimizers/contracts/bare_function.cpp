// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: nelder_mead takes a HostObjective or PointwiseObjective of a function of a point
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>

#include <span>

double first_of(std::span<const double> x) { return x[0]; }

void run_all() { sporos::nelder_mead(first_of, {{{1}}}); }
