// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sporos::bench {

/// Writes a row-major matrix in NumPy's format.
void write_matrix(const std::string& path, const std::vector<double>& numbers, std::int64_t columns);

}  // namespace sporos::bench
