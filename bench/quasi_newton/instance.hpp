// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/classification/paper_classification.hpp>

#include <string>

namespace sporos::bench {

/// Writes an instance into a folder that exists, as matrices in NumPy's format: features.npy with the words of
/// PackedRows, a row each, whose 64 bits stand where a double's would; labels.npy and rule.npy, one column each.
void write_instance(const models::PaperClassification& instance, const std::string& folder);

}  // namespace sporos::bench
