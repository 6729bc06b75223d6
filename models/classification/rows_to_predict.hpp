// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/classification/data_files.hpp>
#include <sporos/models/classification/dense_features.hpp>
#include <sporos/models/classification/sparse_features.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files of rows whose classes are to be predicted, and may be known. Readers throw std::invalid_argument as those of
/// data_files.hpp do; one class only is enough.
namespace sporos::models {

/// What a model knows of the rows for which it predicts.
struct KnownRows {
  std::int64_t columns = 0;                ///< number of features
  std::vector<std::string> feature_names;  ///< one for each of them, or none
  std::array<std::string, 2> classes;      ///< what labels 0 and 1 are called
  std::string label_name;                  ///< of the column with the classes; empty where that had no name
};

/// Rows for which a model predicts.
template <class Rows>
struct RowsToPredict {
  Rows features;               ///< of the rows, in the model's order
  std::vector<double> labels;  ///< 0 or 1 for each row; none where the file has none, or where they are not asked for
};

namespace impl {

/// Collects the labels of rows, if they are asked for.
class KnownLabels {
 public:
  /// With what labels 0 and 1 are called.
  KnownLabels(const std::array<std::string, 2>& classes, bool are_asked_for)
      : m_classes(classes), m_are_asked_for(are_asked_for) {}

  /// Adds a row. What is wrong with its class, if anything.
  std::optional<std::string> add(std::string_view name) {
    if (!m_are_asked_for) return std::nullopt;
    if (name != m_classes[0] && name != m_classes[1]) {
      return fmt::format("is {}, expected {} or {}, the classes of the model", io::in_quotes(name),
                         io::in_quotes(m_classes[0]), io::in_quotes(m_classes[1]));
    }
    m_labels.push_back(name == m_classes[1] ? 1 : 0);
    return std::nullopt;
  }

  /// Of all rows.
  const std::vector<double>& labels() const { return m_labels; }

 private:
  const std::array<std::string, 2>& m_classes;
  bool m_are_asked_for;
  std::vector<double> m_labels;
};

inline void check_columns(const std::string& place, std::int64_t found, std::int64_t expected) {
  if (found == expected) return;
  throw std::invalid_argument(fmt::format("{}: there {} {} feature{}, expected {}, those of the model", place,
                                          found == 1 ? "is" : "are", found, found == 1 ? "" : "s", expected));
}

/// The columns of the known features.
inline std::vector<std::size_t> known_columns(const io::NamedRows& rows, const KnownRows& known,
                                              std::optional<std::size_t> label) {
  const auto columns = feature_columns(rows.names().size(), label);
  const auto count = static_cast<std::int64_t>(columns.size());
  check_columns(rows.path() + ", line 1", count, known.columns);
  if (known.feature_names.empty()) return columns;
  std::vector<std::size_t> ordered;
  for (const auto& name : known.feature_names)
    ordered.push_back(rows.column(name, "one for each feature of the model"));
  return ordered;
}

}  // namespace impl

/// Reads a file in LIBSVM's format, which has labels in any case: they are looked at where `with_labels` says so.
inline RowsToPredict<SparseRows> read_libsvm_to_predict(const std::string& path, const KnownRows& known,
                                                        bool with_labels) {
  impl::KnownLabels labels(known.classes, with_labels);
  SparseRows rows = impl::libsvm_rows(path, known.columns, labels);
  impl::check_columns(path, rows.columns, known.columns);
  return {std::move(rows), labels.labels()};
}

/// Reads comma-separated values; classes stand in the column `label_name`, which must be there, or, where that is
/// empty, in the one that is called as the model knows it, if it is there. Features are found by their names, in any
/// order, where the model knows these, else by their order.
inline RowsToPredict<DenseRows> read_csv_to_predict(const std::string& path, const KnownRows& known,
                                                    std::string_view label_name, bool with_labels) {
  io::NamedRows rows(path, {"column", "row"});
  impl::check_whole(path, rows.text());
  const auto label =
      label_name.empty() ? rows.find(known.label_name) : std::optional(rows.column(label_name, "one with the classes"));
  const auto columns = impl::known_columns(rows, known, label);
  impl::KnownLabels labels(known.classes, with_labels);
  DenseRows features = impl::csv_rows(rows, columns, with_labels ? label : std::nullopt, labels);
  return {std::move(features), labels.labels()};
}

}  // namespace sporos::models
