// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "predict.hpp"

#include "classification_data.hpp"
#include "classification_model.hpp"
#include "destination.hpp"
#include "help.hpp"
#include "option_table.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

constexpr auto form = "sporos predict MODEL DATA [OPTION...]";
constexpr auto note =
    "MODEL is what `sporos optimize classification --model` has written, DATA a CSV file or one in LIBSVM's format.\n"
    "A CSV file's features are found by their names, in any order, where the model knows these, else by their order.\n"
    "Where DATA has classes, accuracy, AUC and log-loss are told: on standard output where the predictions go to a\n"
    "file, else on standard error. All is computed on the processor.";

std::vector<OptionEntry> entries() {
  return {
      {"Data", "data-format", "NAME",
       names_of<DataFormat>() + "; usually csv where the file's name ends in .csv, else libsvm"},
      {"Data", "label", "NAME", "csv: the column with the classes; usually called as it was in the data of the model"},
      {"Data", "labels", "on|off",
       "off: the classes in DATA are not looked at, as where a LIBSVM file has others; usually on"},
      {"Run", "output", "FILE",
       "write the predictions there, all or nothing, instead of to standard output: the probability of the "
       "second class, and the likelier class, for each row"}};
}

struct Predictions {
  std::vector<double> probabilities;
  std::vector<double> labels;  // none where they are unknown
};

template <class Rows>
Predictions predictions(const ClassificationModel& model, models::RowsToPredict<Rows> rows) {
  return {model.predictor.probabilities(FeatureRows(std::move(rows.features))), std::move(rows.labels)};
}

Predictions predictions(const ClassificationModel& model, const OptionTable& options, const std::string& path) {
  const bool with_labels = options.is_on("labels", true);
  const DataFormat format = data_format(options, path);
  options.refuse_unless(format == DataFormat::csv, "label", "CSV: in LIBSVM's format the label comes first");
  if (format == DataFormat::libsvm) {
    return predictions(model, models::read_libsvm_to_predict(path, model.rows, with_labels));
  }
  const std::string label = options.text("label").value_or("");
  return predictions(model, models::read_csv_to_predict(path, model.rows, label, with_labels));
}

std::string csv_of(const std::vector<double>& probabilities, const std::array<std::string, 2>& classes) {
  std::string text;
  io::append_csv_row(text, {"probability of " + classes[1], "class"});
  for (const double p : probabilities) {
    io::append_csv_row(text, {io::shortest_text(p), classes[static_cast<std::size_t>(predicted_label(p))]});
  }
  return text;
}

}  // namespace

int predict_command(std::span<const std::string> arguments) {
  OptionTable table(entries());
  CLI::App app("Gives probabilities and classes of rows by a model that was learned.", "sporos predict");
  add(app, table);
  app.footer(note);
  std::size_t files = 0;
  while (files < 2 && files < arguments.size() && !arguments[files].starts_with('-')) ++files;
  parse_options(app, arguments.subspan(files), form);
  if (files < 2) throw std::invalid_argument(fmt::format("something is missing: expected {}", form));

  const ClassificationModel model = read_classification_model(arguments[0]);
  const auto [probabilities, labels] = predictions(model, table, arguments[1]);
  const Destination destination(table.text("output"));
  destination.write(csv_of(probabilities, model.rows.classes));
  if (labels.empty()) return 0;
  const std::string scores = text_of({{arguments[1], scores_of(probabilities, labels)}}, model.rows.classes);
  if (destination.is_file()) {
    io::write_standard_output(scores);
  } else {
    std::fputs(scores.c_str(), stderr);
  }
  return 0;
}

}  // namespace sporos::apps
