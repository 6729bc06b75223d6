// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instance.hpp"

#include "../harness/npy_file.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace sporos::bench {

void write_instance(const models::PaperClassification& instance, const std::string& folder) {
  std::vector<double> words;
  for (const std::uint64_t word : instance.features.words) words.push_back(std::bit_cast<double>(word));
  write_matrix(folder + "/features.npy", words, instance.features.words_of_row());
  write_matrix(folder + "/labels.npy", instance.labels, 1);
  write_matrix(folder + "/rule.npy", instance.rule, 1);
}

}  // namespace sporos::bench
