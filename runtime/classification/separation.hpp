// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/model.hpp>

#include <sporos/procedures/class_separation.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sporos::runtime {

/// Whether the classes of the rows to learn from can be separated; nothing where a penalty gives every problem a
/// minimum. `predictor` is what was learned, for the features as they were learned from.
std::optional<ClassSeparation> separation_of(const ClassificationData& data, const LinearPredictor& predictor);

/// For people: what was found, how it was checked, and what helps; one sentence or two.
std::string text_of(const ClassSeparation& separation, const ClassificationData& data);

/// The coefficients that grow without bound, the largest first: names and entries of the direction, that of the
/// intercept for features as they are in the file.
std::vector<std::pair<std::string, double>> growing(ClassSeparation separation, const ClassificationData& data);

}  // namespace sporos::runtime
