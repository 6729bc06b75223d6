// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/mixtures/report.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/models/mixtures/mixture_picture.hpp>

#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

PageSection asked_of(const FitReport& report, const io::Json& json) {
  io::Json data = json["data"];
  data.erase("notes");
  PageSection section{"What was asked", {page_facts(data), page_facts(json["fit"]["sample"])}};
  for (const std::string& note : report.data.notes) section.blocks.emplace_back(PageParagraph{note});
  section.blocks.emplace_back(page_facts(json["options"]));
  return section;
}

PageSection chosen_section(const FitReport& report, const io::Json& json) {
  const MixtureSizeFit& chosen = report.fit.sizes[report.fit.chosen];
  const io::Json& components = json["fit"]["sizes"][report.fit.chosen]["mixture"];
  std::string words;
  for (const auto& [weight, mean, deviation] : chosen.mixture) {
    words += fmt::format("{}weight {:.4g}, mean {:.6g}, deviation {:.4g}", words.empty() ? "" : "; ", weight, mean,
                         deviation);
  }
  const std::string variable = report.data.column.empty() ? "observation" : report.data.column;
  const std::string title = "Histogram of the sample, fitted density (thick) and its components";
  const models::MixturePictureText text{report.data.path, variable, chosen.bic};
  return {"The fitted mixture",
          {page_table(fmt::format("{}, with standard errors", plural(static_cast<std::int64_t>(chosen.mixture.size()),
                                                                     "normal component", "normal components")),
                      components,
                      {{"/weight", "weight", "/standard_errors/weight"},
                       {"/standard_errors/weight", "standard error", "/standard_errors/weight"},
                       {"/mean", "mean", "/standard_errors/mean"},
                       {"/standard_errors/mean", "standard error", "/standard_errors/mean"},
                       {"/deviation", "deviation", "/standard_errors/deviation"},
                       {"/standard_errors/deviation", "standard error", "/standard_errors/deviation"},
                       {"/is_at_floor", "at the floor"}}),
           PagePicture{title, "Normal components: " + words + ".",
                       models::mixture_panel(report.data.sample, chosen.mixture, text)}}};
}

PageSection sizes_section(const FitReport& report, const io::Json& json) {
  const io::Json& sizes = json["fit"]["sizes"];
  const std::string criterion(name_of(report.options.criterion));
  PageSection section{"Numbers of components",
                      {page_table(fmt::format("Criteria, of which {} chose {}; the least is best", criterion,
                                              json["fit"]["chosen"].get<std::int64_t>()),
                                  sizes,
                                  {{"/components", "components"},
                                   {"/log_likelihood", "log-likelihood"},
                                   {"/bic", "BIC"},
                                   {"/aic", "AIC"},
                                   {"/icl", "ICL"},
                                   {"/reached", "starts that reached it"},
                                   {"/starts_at_floor", "starts at the floor"}})}};
  for (const std::string& note : floor_notes(report)) section.blocks.emplace_back(PageParagraph{note});
  if (sizes.size() > 1) {
    section.blocks.emplace_back(curve_picture("BIC", sizes, "/components", "/bic", "components"));
  }
  return section;
}

void add_bootstrap(Document& page, const FitReport& report, const io::Json& json) {
  if (!report.bootstrap) return;
  const io::Json& bootstrap = json["bootstrap"];
  PageSection section{"By the bootstrap",
                      {page_facts(json_members(bootstrap, {"samples", "confidence", "level", "enough"}))}};
  section.blocks.emplace_back(page_table("Whether a component more is needed", bootstrap["tests"],
                                         {{"/components", "components"},
                                          {"/statistic", "statistic"},
                                          {"/critical", "critical value"},
                                          {"/p_value", "p-value"}}));
  section.blocks.emplace_back(page_table("Intervals of the components", bootstrap["components"],
                                         {{"/lower/weight", "weight from"},
                                          {"/upper/weight", "to"},
                                          {"/lower/mean", "mean from"},
                                          {"/upper/mean", "to"},
                                          {"/lower/deviation", "deviation from"},
                                          {"/upper/deviation", "to"}}));
  page.sections.push_back(std::move(section));
}

}  // namespace

Document document_of(const FitReport& report, const io::Json& json) {
  const MixtureSizeFit& chosen = report.fit.sizes[report.fit.chosen];
  Document page{"Normal mixture of " + report.data.path,
                fmt::format("{} by {}, seed {}{}",
                            plural(static_cast<std::int64_t>(chosen.mixture.size()), "component", "components"),
                            name_of(report.options.criterion), report.options.seed,
                            report.fit.is_whole ? "" : "; interrupted: the best fits so far"),
                {asked_of(report, json), chosen_section(report, json), sizes_section(report, json)}};
  add_bootstrap(page, report, json);
  return page;
}

}  // namespace sporos::runtime
