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

/// Returns whether the classes of the training rows can be separated; std::nullopt with a penalty, which ensures that a
/// minimum exists. `predictor` is the trained predictor for the features as used in training.
std::optional<ClassSeparation> separation_of(const ClassificationData& data, const LinearPredictor& predictor);

/// Returns the kind of separation, how it was checked and what helps, in one or two sentences for the user.
std::string text_of(const ClassSeparation& separation, const ClassificationData& data);

/// Returns the names and direction entries of the coefficients that grow without bound, the largest first. The entry of
/// the intercept is for features as in the file.
std::vector<std::pair<std::string, double>> growing(ClassSeparation separation, const ClassificationData& data);

}  // namespace sporos::runtime
