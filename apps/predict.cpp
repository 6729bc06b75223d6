// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "complaint.hpp"
#include "interruption.hpp"

#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/model.hpp>
#include <sporos/runtime/classification/report.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/column_options.hpp>
#include <sporos/runtime/options/execution_options.hpp>
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
    "MODEL is what `sporos optimize classification --model` has written, DATA a CSV file or one in LIBSVM's format.\n"
    "A CSV file's features are found by their names, in any order and beside other columns, where the model knows "
    "these,\n"
    "else by their order.\n"
    "Where DATA has classes, accuracy, AUC and log-loss are told: on standard output where the predictions go to a\n"
    "file, else on standard error. All is computed on the processor.";

std::vector<OptionEntry> predict_entries() {
  std::vector<OptionEntry> entries = {
      {"Data", "data-format", "NAME", names_of<DataFormat>() + "; default: what its first line looks like"},
      {"Data", "label", "NAME", "csv: the column with the classes; default: called as it was in the data of the model"},
      {"Data", "labels", "on|off",
       "off: the classes in DATA are not looked at, as where a LIBSVM file has others; default: on"},
      {"Data", "missing", "NAME",
       "csv: what becomes of rows in which a value is missing: " + names_of<models::MissingValues>() +
           ": the file is refused, the row gets no prediction, or the mean that the model keeps is put in; default: as "
           "the model was learned"},
      output_option("write the predictions there, all or nothing, instead of to standard output: the probability of "
                    "the second class, and the likelier class, for each row")};
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
          "Gives probabilities and classes of rows by a model that was learned.",
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
