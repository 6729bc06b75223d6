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

/// What a data file is.
enum class DataFormat { csv, libsvm };

/// What a data file tells of its rows.
struct RowDescription {
  std::string path;
  DataFormat format;
  std::int64_t rows, columns;
  std::array<std::string, 2> classes;
  std::vector<std::string> feature_names;           ///< none where the file has none
  std::string label_name;                           ///< empty where the file has none
  std::vector<models::FeatureColumn> file_columns;  ///< where the features come from in a CSV file
  std::vector<std::string> notes;                   ///< what the user should know of how it was read
  std::uint64_t digest;                             ///< of features and labels
};

/// Rows in two classes, as they were read.
struct ClassifiedData {
  RowDescription description;
  FeatureRows features;
  std::vector<double> labels;  ///< 0 or 1
};

/// Rows of a data file, ready to be learned from.
struct ClassificationData {
  RowDescription description;
  ClassificationTask training;
  FeatureRows test;                                        ///< held back; no row where `test_labels` is empty
  std::vector<double> test_labels;                         ///< of them
  double test_share;                                       ///< what was asked for
  std::uint64_t split_seed;                                ///< that chose them
  std::vector<double> means;                               ///< of the features of a CSV file, before all else
  models::MissingValues missing;                           ///< what became of missing values
  std::optional<models::Standardization> standardization;  ///< of the features, where there is one
};

/// The options that say which data file, how it is split, standardized and stored, and what the model is.
std::vector<OptionEntry> classification_data_options();

/// The format of the file `path` with this text: by the option --data-format, or by its first line. Throws
/// std::invalid_argument where that is of no format that is understood.
DataFormat data_format(const OptionTable& options, const std::string& path, std::string_view text);

/// How columns of a CSV file become features.
models::FeatureReading feature_reading(const OptionTable& options);

/// The data that the options name. Throws std::invalid_argument for bad ones and bad files.
ClassificationData classification_data(const OptionTable& options);

/// The same of rows that are in memory.
ClassificationData classification_data(const OptionTable& options, const ClassifiedData& rows);

/// Rows in memory, without a file.
ClassifiedData classified_data(models::ClassifiedRows<models::DenseRows> rows);

}  // namespace sporos::runtime

/// Names of the formats of data files.
template <>
struct sporos::ChoiceNames<sporos::runtime::DataFormat> {
  using Format = runtime::DataFormat;                      ///< what there is
  static constexpr std::string_view what = "data format";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Format>>({{"csv", Format::csv}, {"libsvm", Format::libsvm}});
};
