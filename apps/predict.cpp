// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "failure.hpp"
#include "interruption.hpp"

#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/model.hpp>
#include <sporos/runtime/classification/report.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

constexpr auto predict_footer =
    "MODEL is a file written by `sporos optimize classification --model`. DATA is a CSV file or a file in LIBSVM\n"
    "format. If the model stores feature names, the columns of a CSV file are found by name, in any order and among\n"
    "other columns; otherwise, by order. If DATA has classes, accuracy, AUC and log-loss are printed: on standard\n"
    "output if --output names a file, otherwise on standard error. The command computes on the processor.";

std::vector<OptionEntry> predict_entries() {
  std::vector<OptionEntry> entries = {
      {"Data", "data-format", "NAME", names_of<DataFormat>() + "; default: detected from the first line of DATA"},
      {"Data", "label", "NAME", "csv: column with the classes; default: its name in the model's data"},
      {"Data", "labels", "on|off",
       "off: ignore the classes in DATA, such as the different classes of a LIBSVM file; default: on"},
      {"Data", "missing", "NAME",
       "csv: treatment of rows with missing values: " + names_of<models::MissingValues>() +
           ": refuse the file, make no prediction, or insert the mean that the model stores; default: as in training"},
      output_option("write the predictions to FILE, all or nothing, instead of standard output: the probability of the "
                    "second class and the likelier class of each row")};
  const auto columns = column_options("Data");
  entries.insert(entries.begin() + 2, columns.begin(), columns.end());  // after --label
  return entries;
}

struct Predictions {
  std::vector<double> margins;  // NaN for rows without a prediction
  std::vector<double> labels;   // empty if the classes are unknown
  std::vector<std::string> notes;
};

template <class Rows>
Predictions predictions(const ClassificationModel& model, models::RowsToPredict<Rows> rows) {
  return {model.predictor.margins(FeatureRows(std::move(rows.features))), std::move(rows.labels),
          std::move(rows.notes)};
}

Predictions predictions(const ClassificationModel& model, const OptionTable& options, const std::string& path) {
  const bool with_labels = options.is_on("labels", true);
  std::string text = models::read_rows_text(path);
  const DataFormat format = data_format(options, path, text);
  refuse_columns_unless(format == DataFormat::csv, options, {"ignore", "missing", "no-header"});
  if (format == DataFormat::libsvm) {
    return predictions(model, models::parse_libsvm_to_predict(path, text, model.rows, with_labels));
  }
  const std::string label = options.text("label").value_or("");
  const models::FeatureReading reading{
      columns_of(options, "ignore"), {}, options.choice("missing", model.rows.missing), !options.has("no-header")};
  return predictions(model,
                     models::parse_csv_to_predict(path, std::move(text), model.rows, label, with_labels, reading));
}

// Returns a line for each row; its fields are empty if the row has no prediction.
std::string csv_of(const std::vector<double>& probabilities, const std::array<std::string, 2>& classes) {
  std::string text;
  io::append_csv_row(text, {"probability of " + classes[1], "class"});
  for (const double p : probabilities) {
    const bool is_known = !std::isnan(p);
    io::append_csv_row(text, {is_known ? io::shortest_text(p) : "",
                              is_known ? classes[static_cast<std::size_t>(predicted_label(p))] : ""});
  }
  return text;
}

// Returns the scores of the predicted rows; empty if the data have no classes.
std::string scores_text(const Predictions& predicted, const std::string& path, const ClassificationModel& model) {
  std::vector<double> margins, labels;
  for (std::size_t i = 0; i < predicted.labels.size(); ++i) {
    if (std::isnan(predicted.margins[i])) continue;
    margins.push_back(predicted.margins[i]);
    labels.push_back(predicted.labels[i]);
  }
  return labels.empty() ? "" : table_of(scores_table({{path, scores_of(margins, labels)}}, model.rows.classes));
}

}  // namespace

Usage predict_usage() {
  return {"predict",
          "sporos predict MODEL DATA [OPTION...]",
          "Predicts probabilities and classes of rows by a trained model.",
          predict_footer,
          {{"MODEL", FileUse::reads, "model is"}, {"DATA", FileUse::reads, "data are"}},
          predict_entries()};
}

int predict_command(std::span<const std::string> arguments, Backend&) {
  const Arguments given = parsed(predict_usage(), arguments);
  const OptionTable& table = given.options;
  const std::string& path = given.positionals[1];
  const ClassificationModel model = read_classification_model(given.positionals[0]);
  const Predictions predicted = predictions(model, table, path);
  const Destination destination(table.text("output"));
  Interruption interruption;  // an interrupted program leaves no half-written file
  interruption.begin_writing();
  destination.write(csv_of(probabilities_of(predicted.margins), model.rows.classes));
  const std::string reported = fmt::format("{}{}{}", fmt::join(predicted.notes, "\n"),
                                           predicted.notes.empty() ? "" : "\n", scores_text(predicted, path, model));
  if (destination.is_file() && io::has_standard_output()) {
    io::write_standard_output(reported);
  } else {
    std::fputs(reported.c_str(), stderr);
  }
  return 0;
}

}  // namespace sporos::apps
