// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/paper_classification.hpp>

#include <string>

namespace sporos::bench {

/// Writes an instance into an existing folder as matrices in NumPy's format. features.npy has a row of PackedRows words
/// for each row, with the 64 bits of a word in place of a double. labels.npy and rule.npy have one column each.
void write_instance(const models::PaperClassification& instance, const std::string& folder);

}  // namespace sporos::bench
