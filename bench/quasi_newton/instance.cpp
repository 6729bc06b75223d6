// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instance.hpp"

#include <sporos/core/io/npy.hpp>
#include <sporos/core/io/output_file.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace sporos::bench {

namespace {

void write_matrix(const std::string& path, const std::vector<double>& numbers, std::int64_t columns) {
  std::string bytes = io::npy_header(static_cast<std::int64_t>(numbers.size()) / columns, columns);
  io::append_npy_numbers(bytes, numbers);
  const io::OutputFile file(path);
  file.write(bytes);
}

}  // namespace

void write_instance(const models::PaperClassification& instance, const std::string& folder) {
  std::vector<double> words;
  for (const std::uint64_t word : instance.features.words) words.push_back(std::bit_cast<double>(word));
  write_matrix(folder + "/features.npy", words, instance.features.words_of_row());
  write_matrix(folder + "/labels.npy", instance.labels, 1);
  write_matrix(folder + "/rule.npy", instance.rule, 1);
}

}  // namespace sporos::bench
