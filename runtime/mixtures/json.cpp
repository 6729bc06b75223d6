// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/mixtures/report.hpp>
#include <sporos/runtime/optimization/problem.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/mixture_json.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sporos::runtime {

namespace {

io::Json name_or_null(const std::string& name) { return name.empty() ? io::Json(nullptr) : io::Json(name); }

io::Json data_json(const models::ObservationFile& data) {
  return {{"file", data.path},
          {"column", name_or_null(data.column)},
          {"weights", name_or_null(data.weight_column)},
          {"notes", data.notes},
          {"digest", io::bits_text(digest_of(data.sample))}};
}

}  // namespace

std::uint64_t digest_of(const models::Observations& sample) {
  return digest_of_numbers(sample.values) + 3 * digest_of_numbers(sample.weights);
}

std::string json_of(const FitReport& report) {
  return json_text({{"sporos", SPOROS_VERSION},
                    {"data", data_json(report.data)},
                    {"precision", name_of(report.precision)},
                    {"options", sporos::json_of(report.options)},
                    {"fit", sporos::json_of(report.fit)},
                    {"notes", floor_notes(report)},
                    {"bootstrap", report.bootstrap ? sporos::json_of(*report.bootstrap) : io::Json(nullptr)},
                    {"run", {{"seconds", io::json_number(report.seconds)}, {"machine", json_of(report.machine)}}}});
}

std::string csv_of(const FitReport& report) {
  std::string text;
  io::append_csv_row(text, {"components", "parameters", "log_likelihood", "log_posterior", "bic", "aic", "icl",
                            "starts", "reached", "worst_start", "at_floor", "starts_at_floor", "chosen"});
  for (std::size_t i = 0; i < report.fit.sizes.size(); ++i) {
    const MixtureSizeFit& size = report.fit.sizes[i];
    io::append_csv_row(text, {std::to_string(size.components()), std::to_string(size.parameters()),
                              io::shortest_text(size.log_likelihood), io::shortest_text(size.log_posterior),
                              io::shortest_text(size.bic), io::shortest_text(size.aic), io::shortest_text(size.icl),
                              std::to_string(size.starts.size()), std::to_string(size.reached),
                              io::shortest_text(worst_start(size)), std::to_string(size.at_floor.size()),
                              std::to_string(size.starts_at_floor()), i == report.fit.chosen ? "1" : "0"});
  }
  return text;
}

}  // namespace sporos::runtime
