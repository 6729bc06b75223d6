// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Whether that parameter has several values among the design points.
bool varies(const std::vector<ParameterValues>& design, std::size_t parameter);

/// The places of all such parameters.
std::vector<std::size_t> varied_parameters(const std::vector<ParameterValues>& design);

/// The design points of a CSV file.
struct DesignFile {
  std::vector<std::size_t> parameters;  ///< that the columns hold, in their order
  std::vector<ParameterValues> points;  ///< a row each; other parameters have their usual values
  std::vector<std::size_t> lines;       ///< of the rows
  std::vector<std::string> notes;       ///< what people should know of how the file was read
};

/// Reads parameter names from the first line of a file, and a design point from each line after it. Throws
/// std::invalid_argument, naming file, line and column, for what is no design, and for a column whose parameter is
/// given as an option, too.
DesignFile read_design_file(const std::string& path, const ModelDescription& model, const OptionTable& options);

/// A design point that makes no model.
struct SkippedPoint {
  ParameterValues values;  ///< its parameters
  std::string reason;      ///< why
};

/// A design, and how it was read.
struct ReadDesign {
  std::vector<ParameterValues> points;
  std::vector<SkippedPoint> skipped;  ///< design points that make no model
  std::vector<std::string> notes;     ///< what people should know of how files were read, and of models
};

/// Appends the notes of the model at these points (ModelDescription::notes), each once; of those that differ between
/// points the first few, and a sentence that says how many points have others.
void add_model_notes(const ModelDescription& model, const std::vector<ParameterValues>& points,
                     std::vector<std::string>& notes);

/// The design points that the options describe, each checked: every row of the design file (or every point of the saved
/// run, or the usual values) with every combination of the values that the parameters' options give, the last of these
/// changing fastest. Points that make no model are skipped. Throws std::invalid_argument, naming option, or file, line
/// and column, for what makes no design, and where all points would be skipped.
ReadDesign design_from(const ModelOptions& options);

}  // namespace sporos::runtime
