// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/task.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/classification/data_files.hpp>
#include <sporos/models/classification/preparation.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Format of a data file.
enum class DataFormat { csv, libsvm };

/// Description of the rows of a data file.
struct RowDescription {
  std::string path;
  DataFormat format;
  std::int64_t rows, columns;
  std::array<std::string, 2> classes;
  std::vector<std::string> feature_names;           ///< names of the features; empty if the file has none
  std::string label_name;                           ///< name of the label's column; empty if the file has none
  std::vector<models::FeatureColumn> file_columns;  ///< columns of a CSV file that make the features
  std::vector<std::string> notes;                   ///< notes for the user on how the file was read
  std::uint64_t digest;                             ///< digest of features and labels
};

/// Rows of two classes as read from a file.
struct ClassifiedData {
  RowDescription description;
  FeatureRows features;
  std::vector<double> labels;  ///< label of each row: 0 or 1
};

/// Rows of a data file, prepared for training.
struct ClassificationData {
  RowDescription description;
  ClassificationTask training;
  FeatureRows test;                 ///< test rows, held back from training; no rows if `test_labels` is empty
  std::vector<double> test_labels;  ///< labels of the test rows
  double test_share;                ///< requested share of test rows
  std::uint64_t split_seed;         ///< seed that chose the test rows
  std::vector<double> means;        ///< means of the features of a CSV file, before any preparation
  models::MissingValues missing;    ///< treatment of missing values
  std::optional<models::Standardization> standardization;  ///< standardization of the features, if there is one
};

/// Returns the options for the data file, its split, standardization and storage, and for the model.
std::vector<OptionEntry> classification_data_options();

/// Returns the format of the file `path` with this text, by the option --data-format or else by the first line. Throws
/// std::invalid_argument if the first line is of no supported format.
DataFormat data_format(const OptionTable& options, const std::string& path, std::string_view text);

/// Returns how columns of a CSV file become features.
models::FeatureReading feature_reading(const OptionTable& options);

/// Reads and prepares the data that the options name. Throws std::invalid_argument if an option or the file is invalid.
ClassificationData classification_data(const OptionTable& options);

/// Prepares rows that are already in memory. Throws std::invalid_argument if an option or the rows are invalid.
ClassificationData classification_data(const OptionTable& options, const ClassifiedData& rows);

/// Describes rows in memory that come from no file.
ClassifiedData classified_data(models::ClassifiedRows<models::DenseRows> rows);

}  // namespace sporos::runtime

/// Names of the formats of data files.
template <>
struct sporos::ChoiceNames<sporos::runtime::DataFormat> {
  using Format = runtime::DataFormat;                      ///< type of the choices
  static constexpr std::string_view what = "data format";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<Format>>({{"csv", Format::csv}, {"libsvm", Format::libsvm}});
};
