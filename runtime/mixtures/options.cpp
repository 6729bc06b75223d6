// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/mixtures/mixtures.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/mixtures/task.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr auto mixture_footer =
    "DATA is a CSV file with a line of column names before the rows, or a list of numbers, one per line. The result "
    "shows where every start ended, as evidence for the maximum. Ctrl-C ends the fit and reports the best fit so far.";

// Parses K or FIRST:LAST as a range. Returns std::nullopt if the text is neither.
std::optional<std::pair<std::int64_t, std::int64_t>> components_of(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() > 2) return std::nullopt;
  const auto first = io::number_of<std::int64_t>(parts.front()), last = io::number_of<std::int64_t>(parts.back());
  if (!first || !last || *first < 1 || *last < *first || *last > models::max_components) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace

std::vector<OptionEntry> fit_entries() {
  const MixtureFitOptions defaults;
  const std::string data = "Data", mixture = "Mixtures", starts = "Starts", sure = "Certainty";
  std::vector<OptionEntry> list = {
      {data, "column", "NAME", "column of the observations; default: the only column of numbers"},
      {data, "weights", "NAME", "column of the number of times that each observation counts; default: 1 for each"},
      {data, "missing", "NAME",
       "treatment of rows with a missing value (empty, NA, NaN, null or ?): refuse (the file) or drop (the row); "
       "default: refuse"},
      {mixture, "components", "K|FIRST:LAST",
       fmt::format("number of components, at most {}; default: {}:{}", models::max_components, defaults.min_components,
                   defaults.max_components)},
      {mixture, "criterion", "NAME",
       fmt::format("criterion that the chosen fit minimizes: {}; default: {}", names_of<MixtureCriterion>(),
                   name_of(defaults.criterion))},
      {mixture, "deviations", "NAME",
       fmt::format(
           "deviations of the components: {}; equal: one for all, which requires fewer observations; default: {}",
           names_of<MixtureDeviations>(), name_of(defaults.deviations))},
      {mixture, "floor", "D",
       "lower bound of the components' deviations, without which the likelihood is unbounded; default: a hundredth of "
       "the sample's deviation"},
      {mixture, "precision", "NAME",
       fmt::format("precision of the densities: {}; default: double", names_of<FitPrecision>())},
      {starts, "starts", "N",
       fmt::format("starts of EM for each K: one by quantiles, the others by k-means++; default: {}", defaults.starts)},
      {starts, "nelder-mead-starts", "N",
       fmt::format("starts of Nelder-Mead for each K, from the first starting points of EM; default: {}",
                   defaults.nelder_mead_starts)},
      {starts, "nelder-mead-coefficients", "NAME",
       fmt::format("coefficients of the moves of Nelder-Mead: {}; default: {}", names_of<NelderMeadCoefficients>(),
                   name_of(defaults.nelder_mead.coefficients))},
      {starts, "seed", "S", fmt::format("seed of the random numbers, from 0 to 2^64 - 1; default: {}", defaults.seed)},
      {sure, "bootstrap", "B",
       "draw B samples from the fits and refit, to test the number of components and compute intervals"},
      {sure, "confidence", "P",
       fmt::format("confidence of the bootstrap's intervals, between 0 and 1; default: {}",
                   MixtureBootstrapOptions().confidence)},
  };
  const auto columns = column_options(data);
  list.insert(list.begin() + 3, columns.begin(), columns.end());  // after --missing
  const OptionEntry bayesian{mixture, "bayesian", "",
                             "maximize the posterior density under the sample-based prior of Fraley and Raftery "
                             "(2007)"};
  return entries_of({list,
                     execution_options("threads of the backend; changes no bit of the result"),
                     {format_option(), table_option(), output_option()},
                     checkpoint_options(),
                     {picture_option("histogram, fitted density and its components"), bayesian, report_option(),
                      no_progress_option()}});
}

Usage fit_usage() {
  return {"fit",
          "sporos fit DATA [OPTION...]",
          "Fits normal mixtures to a sample by maximum likelihood, and chooses the number of components.",
          mixture_footer,
          {{"DATA", FileUse::reads, "data are"}},
          fit_entries()};
}

models::ObservationReading observation_reading(const OptionTable& options) {
  return {options.text("column").value_or(""), options.text("weights").value_or(""), columns_of(options, "ignore"),
          drops_missing(options), !options.has("no-header")};
}

MixtureFitOptions mixture_fit_options(const OptionTable& table) {
  MixtureFitOptions options;
  if (table.has("components")) {
    const auto components = components_of(*table.text("components"));
    if (!components) {
      throw std::invalid_argument(
          fmt::format("--components is {}, expected a whole number from 1 to {} or a range of them, as in 1:10",
                      io::in_quotes(*table.text("components")), models::max_components));
    }
    std::tie(options.min_components, options.max_components) = *components;
  }
  options.starts = table.whole("starts", options.starts, 0);
  options.nelder_mead_starts = table.whole("nelder-mead-starts", options.nelder_mead_starts, 0);
  options.nelder_mead.coefficients = table.choice("nelder-mead-coefficients", options.nelder_mead.coefficients);
  options.seed = table.seed("seed", options.seed);
  options.deviations = table.choice("deviations", options.deviations);
  if (table.has("floor")) options.floor = table.positive("floor", 0);
  options.is_bayesian = table.has("bayesian");
  options.criterion = table.choice("criterion", options.criterion);
  check(options);
  return options;
}

std::optional<MixtureBootstrapOptions> mixture_bootstrap_options(const OptionTable& table) {
  MixtureBootstrapOptions options;
  options.seed = table.seed("seed", options.seed);
  options.confidence = table.positive("confidence", options.confidence);
  options.samples = table.whole("bootstrap", options.samples, 1);
  check(options);
  return table.has("bootstrap") ? std::optional(options) : std::nullopt;
}

}  // namespace sporos::runtime
