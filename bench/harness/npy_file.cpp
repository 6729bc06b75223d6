// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "npy_file.hpp"

#include <sporos/core/io/npy.hpp>
#include <sporos/core/io/output_file.hpp>

namespace sporos::bench {

void write_matrix(const std::string& path, const std::vector<double>& numbers, std::int64_t columns) {
  std::string bytes = io::npy_header(static_cast<std::int64_t>(numbers.size()) / columns, columns);
  io::append_npy_numbers(bytes, numbers);
  const io::OutputFile file(path);
  file.write(bytes);
}

}  // namespace sporos::bench
