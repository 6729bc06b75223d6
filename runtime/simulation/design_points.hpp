// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Largest number of design points of an experiment. For each one, the moments of its replications are in memory.
inline constexpr std::size_t max_design_points = 100'000;

/// Parses the value of a parameter's option: a value, a range FIRST:LAST or FIRST:LAST:STEP, or several of these
/// separated by commas. A range includes both ends; its default step is 1. Its values are the decimal numbers that the
/// text means: 0.1:0.5:0.1 contains 0.3, not 0.1 + 2 * 0.1. The text for a file is a single value. Throws
/// std::invalid_argument if the text does not have this form or gives more than max_design_points values.
std::vector<ParameterValue> parse_value_list(const ParameterDescription& parameter, std::string_view text);

/// Sets the parameters whose options are given. Throws std::invalid_argument for a value that is not valid; for a range
/// or a list of numbers, the message suggests --over.
void set_single_values(const ModelDescription& model, const OptionTable& options, ParameterValues& values);

/// Splits `text` at each separator. There is one more piece than separators.
std::vector<std::string_view> split(std::string_view text, char separator);

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
