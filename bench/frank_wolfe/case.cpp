// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.hpp"

#include <sporos/core/io/npy.hpp>
#include <sporos/core/io/text_file.hpp>

#include <stdexcept>

namespace sporos::bench {

std::vector<double> FrankWolfeCase::vector(const std::string& name) const {
  const std::string path = instance + "/" + name + ".npy";
  const std::string bytes = io::read_text_file(path, io::max_mebibytes_of_text, io::FileContents::bytes);
  const io::NpyMatrix matrix = io::parse_npy(path, bytes);
  if (matrix.columns != 1) throw std::invalid_argument(path + " has more than one column, expected one");
  std::vector<double> numbers;
  for (std::int64_t row = 0; row < matrix.rows; ++row) numbers.push_back(matrix(row, 0));
  return numbers;
}

}  // namespace sporos::bench
