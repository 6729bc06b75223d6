// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Whether the parameter has different values at different design points.
bool varies(const std::vector<ParameterValues>& design, std::size_t parameter);

/// Indices of all parameters that vary in the design.
std::vector<std::size_t> varied_parameters(const std::vector<ParameterValues>& design);

/// The design points of a CSV file.
struct DesignFile {
  std::vector<std::size_t> parameters;  ///< index of each column's parameter
  /// Design point of each row. Parameters without a column have their default values.
  std::vector<ParameterValues> points;
  std::vector<std::size_t> lines;  ///< line number of each row
  std::vector<std::string> notes;  ///< notes for users on how the file was read
};

/// Reads parameter names from the first line of a file, and a design point from each following line. Throws
/// std::invalid_argument, naming file, line and column, if the file is not a design, and if the parameter of a column
/// is also given as an option.
DesignFile read_design_file(const std::string& path, const ModelDescription& model, const OptionTable& options);

/// A design point whose parameters are invalid for the model.
struct SkippedPoint {
  ParameterValues values;  ///< values of its parameters
  std::string reason;      ///< why the values are invalid
};

/// Design points and how they were read.
struct ReadDesign {
  std::vector<ParameterValues> points;
  std::vector<SkippedPoint> skipped;  ///< design points that are invalid
  std::vector<std::string> notes;     ///< notes for users on how files were read, and on the models
};

/// Appends the notes of the model at these points (ModelDescription::notes), each note once. If notes differ between
/// points, appends those of the first few points and a sentence with the number of points that have others.
void add_model_notes(const ModelDescription& model, const std::vector<ParameterValues>& points,
                     std::vector<std::string>& notes);

/// Returns the design points that the options describe: each base point with every combination of the values that the
/// parameters' options give, the last of these changing fastest. The base points are the rows of the design file, the
/// points of the saved run, or the default values. Invalid points are skipped. Throws std::invalid_argument, naming the
/// option, or file, line and column, if the options or files do not describe a design, and if all points are invalid.
ReadDesign design_from(const ModelOptions& options);

}  // namespace sporos::runtime
