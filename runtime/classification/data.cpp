// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/data.hpp>

#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/options/common_options.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sporos::runtime {

namespace {

using models::DenseRows;
using models::select_rows;
using models::SparseRows;

constexpr double default_test_share = 0.25;

std::uint64_t digest_of_rows(const DenseRows& rows) { return digest_of_numbers(rows.values); }

std::uint64_t digest_of_rows(const SparseRows& rows) {
  const auto real = [](const auto& whole) { return std::vector<double>(whole.begin(), whole.end()); };
  return digest_of_numbers(rows.values) + 3 * digest_of_numbers(real(rows.indices)) +
         5 * digest_of_numbers(real(rows.starts));
}

template <class Rows>
ClassifiedData described(const std::string& path, DataFormat format, models::ClassifiedRows<Rows> read) {
  const std::uint64_t digest = digest_of_rows(read.features) + 7 * digest_of_numbers(read.labels);
  return {{path, format, read.features.rows(), read.features.columns, read.classes, std::move(read.feature_names),
           std::move(read.label_name), std::move(read.columns), std::move(read.notes), digest},
          std::move(read.features),
          std::move(read.labels)};
}

ClassifiedData read_rows(const OptionTable& options) {
  if (!options.has("data")) throw std::invalid_argument("no data are given: expected a file after classification");
  const std::string& path = *options.text("data");
  std::string text = models::read_rows_text(path);
  const DataFormat format = data_format(options, path, text);
  refuse_columns_unless(format == DataFormat::csv, options, {"ignore", "category", "missing", "no-header"});
  if (format == DataFormat::libsvm) return described(path, format, models::parse_libsvm(path, text));
  return described(path, format,
                   models::parse_classified_csv(path, std::move(text), options.text("label").value_or(""),
                                                feature_reading(options)));
}

const std::vector<double>& values_of(const FeatureRows& rows) {
  return std::visit([](const auto& table) -> const std::vector<double>& { return table.values; }, rows);
}

// Default storage. Features that are all 0 or 1 are stored as bits, or sparse if that takes less memory. Other features
// are stored sparse if that takes less than half the memory of doubles, because it is then faster.
FeatureStorage default_storage(const ClassifiedData& read, bool may_be_bits) {
  const auto& values = values_of(read.features);
  const auto nonzeros = std::count_if(values.begin(), values.end(), [](double x) { return x != 0; });
  const std::int64_t rows = read.description.rows, columns = read.description.columns;
  const std::int64_t of_sparse = 12 * nonzeros + 8 * rows, of_bits = (columns + 63) / 64 * 8 * rows;
  if (may_be_bits && models::is_binary(values)) {
    return of_bits <= of_sparse ? FeatureStorage::bits : FeatureStorage::sparse;
  }
  return of_sparse < 4 * rows * columns ? FeatureStorage::sparse : FeatureStorage::real64;
}

FeatureStorage storage_of(const OptionTable& options, const ClassifiedData& read) {
  const bool must_be_standardized = options.is_on("standardize", false);
  if (!options.has("storage")) return default_storage(read, !must_be_standardized);
  const auto storage = options.choice("storage", FeatureStorage::real64);
  if (storage != FeatureStorage::bits) return storage;
  if (!models::is_binary(values_of(read.features))) {
    throw std::invalid_argument(fmt::format(
        "--storage is bits, expected another one: not all features in {} are 0 or 1", read.description.path));
  }
  if (must_be_standardized) {
    throw std::invalid_argument("--standardize is on, expected off with --storage bits, which are 0 or 1");
  }
  return storage;
}

models::RowSplit split_of(const OptionTable& options, std::int64_t rows, double share) {
  const bool has_test = share > 0;
  options.refuse_unless(has_test, "split-seed", "a --test-share above 0");
  if (has_test) return models::split_rows(rows, share, options.seed("split-seed", 1));
  models::RowSplit split;
  for (std::int64_t i = 0; i < rows; ++i) split.training.push_back(i);
  return split;
}

void check_classes(const std::vector<double>& labels, const RowDescription& description) {
  if (std::count(labels.begin(), labels.end(), labels.front()) < static_cast<std::ptrdiff_t>(labels.size())) return;
  const std::string& name = description.classes[labels.front() == 1 ? 1 : 0];
  throw std::invalid_argument(
      fmt::format("{}: all {} training rows are of class {}, expected two classes: give another --split-seed or a "
                  "smaller --test-share",
                  description.path, labels.size(), io::in_quotes(name)));
}

bool is_dense(FeatureStorage storage) { return storage == FeatureStorage::real64 || storage == FeatureStorage::real32; }

// Copies the rows `which`, dense or sparse as `storage` requires.
FeatureRows selected(const FeatureRows& rows, const std::vector<std::int64_t>& which, FeatureStorage storage) {
  return std::visit(
      [&](const auto& table) -> FeatureRows {
        auto chosen = select_rows(table, which);
        if constexpr (std::is_same_v<decltype(chosen), DenseRows>) {
          if (!is_dense(storage)) return sparse(chosen);
        } else {
          if (is_dense(storage)) return dense(chosen);
        }
        return chosen;
      },
      rows);
}

void standardize(ClassificationData& data) {
  const auto standardization = std::visit([](auto& rows) { return standardization_of(rows); }, data.training.features);
  std::visit([&](auto& rows) { standardization.apply(rows); }, data.training.features);
  std::visit([&](auto& rows) { standardization.apply(rows); }, data.test);
  data.standardization = standardization;
}

}  // namespace

std::vector<OptionEntry> classification_data_options() {
  const std::string file = "Data", model = "Model";
  std::vector<OptionEntry> entries = {
      data_file(file, "data", "the data file, instead of DATA"),
      {file, "data-format", "NAME", names_of<DataFormat>() + "; default: detected from the first line"},
      {file, "label", "NAME", "csv: the column with the two classes; default: the last"},
      {file, "missing", "NAME",
       "csv: treatment of rows with a missing value (empty, NA, NaN, null or ?): " + names_of<models::MissingValues>() +
           ": refuse the file, drop the row, or put in the mean of the feature over the training rows; default: "
           "refuse"},
      {file, "category", "NAME[,NAME]",
       "csv: columns whose values are categories, even if they are numbers; text columns always are"},
      {file, "test-share", "S",
       "share of the rows that is held back to test the model; 0 for none; default: " +
           io::shortest_text(default_test_share)},
      {file, "split-seed", "S", "seed of the random numbers that choose these rows; default: 1"},
      {file, "standardize", "on|off",
       "on: scale every feature to mean 0 and deviation 1 over the training rows; sparse features only to deviation 1, "
       "which keeps zeros; default: on for double and float, off for bits and sparse"},
      {file, "storage", "NAME",
       "storage of features in memory: " + names_of<FeatureStorage>() +
           "; default: bits if all are 0 or 1, sparse if that takes less than half the memory of double, else double"},
      {model, "penalty", "L",
       "the objective is the mean loss plus L / 2 times the sum of the squared coefficients of the (standardized) "
       "features; default: 1 / N for N training rows (C = 1 in scikit-learn)"},
      {model, "intercept", "on|off", "add a constant, which is not penalized; default: on"}};
  const auto columns = column_options(file);
  entries.insert(entries.begin() + 3, columns.begin(), columns.end());  // after --label
  return entries;
}

DataFormat data_format(const OptionTable& options, const std::string& path, std::string_view text) {
  if (options.has("data-format")) return options.choice("data-format", DataFormat::csv);
  switch (models::row_form(text)) {
    case models::RowForm::libsvm:
      return DataFormat::libsvm;
    case models::RowForm::csv:
      return DataFormat::csv;
    case models::RowForm::label:
      return path.ends_with(".csv") ? DataFormat::csv : DataFormat::libsvm;
    case models::RowForm::neither:
      break;
  }
  if (path.ends_with(".csv")) return DataFormat::csv;
  if (text.empty()) return DataFormat::libsvm;
  throw std::invalid_argument(
      fmt::format("{}: its first line has neither index:value, as LIBSVM's format has, nor commas, semicolons or tabs "
                  "between fields, as CSV has; if blanks separate the fields, sed -E 's/[ \t]+/,/g' makes CSV",
                  path));
}

ClassifiedData classified_data(models::ClassifiedRows<DenseRows> rows) {
  return described("the data", DataFormat::csv, std::move(rows));
}

ClassificationData classification_data(const OptionTable& options) {
  return classification_data(options, read_rows(options));
}

models::FeatureReading feature_reading(const OptionTable& options) {
  return {columns_of(options, "ignore"), columns_of(options, "category"),
          options.choice("missing", models::MissingValues::refuse), !options.has("no-header")};
}

ClassificationData classification_data(const OptionTable& options, const ClassifiedData& read) {
  const FeatureStorage storage = storage_of(options, read);
  constexpr std::int64_t few_rows = 4;  // a quarter of fewer rows is less than one row
  const double share = options.number("test-share", read.description.rows < few_rows ? 0 : default_test_share, 0);
  const auto split = split_of(options, read.description.rows, share);
  const auto missing = options.choice("missing", models::MissingValues::refuse);
  const auto* table = std::get_if<DenseRows>(&read.features);
  std::vector<double> means;
  if (table != nullptr) means = models::means_of_known(*table, split.training);
  FeatureRows filled;
  if (table != nullptr && missing == models::MissingValues::mean) {
    filled = *table;
    models::fill_missing(std::get<DenseRows>(filled), means);
  }
  const FeatureRows& features = missing == models::MissingValues::mean ? filled : read.features;
  ClassificationData data{
      read.description,
      {selected(features, split.training, storage), select_rows(read.labels, split.training), storage, {}},
      selected(features, split.test, storage),
      select_rows(read.labels, split.test),
      share,
      options.seed("split-seed", 1),
      std::move(means),
      missing,
      {}};
  check_classes(data.training.labels, read.description);
  data.training.model.penalty = options.number("penalty", 1 / static_cast<double>(split.training.size()), 0);
  data.training.model.has_intercept = options.is_on("intercept", true);
  if (options.is_on("standardize", is_dense(storage))) standardize(data);
  return data;
}

}  // namespace sporos::runtime
