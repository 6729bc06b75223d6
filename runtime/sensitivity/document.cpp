// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/sensitivity/report.hpp>
#include <sporos/runtime/simulation/document.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

constexpr std::size_t most_responses = 12;  // that have pictures

std::string percent_of(const SensitivityReport& report) {
  return fmt::format("{:.6g} %", 100 * report.request.plan.confidence);
}

PageSection asked_of(const SensitivityReport& report, const io::Json& json) {
  PageFacts facts = page_facts(
      json_members(json, {"base_points", "base_sampling", "outer_samples", "input_sampling", "design_points"}));
  for (auto& fact : page_facts(json["plan"]).facts) facts.facts.push_back(std::move(fact));
  PageSection section = asked_section(*report.request.model, report.request.points, std::move(facts));
  section.blocks.emplace_back(page_table("Parameters that are not known for sure", json["inputs"],
                                         {{"/parameter", "parameter"},
                                          {"/text", "what it may be"},
                                          {"/observations", "observations"},
                                          {"/estimate", "estimate"}}));
  for (const std::string& note : report.request.notes) section.blocks.emplace_back(PageParagraph{note});
  return section;
}

// The responses' means with the deviations of what they are uncertain by.
io::Json response_rows(const io::Json& json) {
  io::Json rows = json["responses"];
  for (io::Json& row : rows) {
    for (const char* part : {"variance", "noise", "input_variance", "simulation_variance"}) {
      if (!row.contains(part) || !row[part].is_number()) continue;
      row[std::string("root_of_") + part] = std::sqrt(std::max(0.0, row[part].get<double>()));
    }
  }
  return rows;
}

PageSection means_section(const SensitivityReport& report, const io::Json& json) {
  const io::Json rows = response_rows(json);
  if (!report.request.is_of_data) {
    return {"Means over the parameters",
            {page_table("By what the means of design points differ", rows,
                        {{"/name", "response"},
                         {"/mean", "mean"},
                         {"/root_of_variance", "deviation by parameters"},
                         {"/root_of_noise", "noise of a design point"}})}};
  }
  PageSection section{
      "Means",
      {page_table("With " + percent_of(report) + " intervals that count that parameters are estimated", rows,
                  {{"/name", "response"},
                   {"/mean", "mean"},
                   {"/low", "from"},
                   {"/high", "to"},
                   {"/root_of_input_variance", "deviation by inputs"},
                   {"/root_of_simulation_variance", "by simulation"},
                   {"/simulation_half_width", "half-width by simulation alone"}})}};
  for (std::size_t i = 0; i < std::min(report.results.size(), most_responses); ++i) {
    const auto& [name, indices, found, steps] = report.results[i];
    section.blocks.emplace_back(intervals_picture(name, "",
                                                  {{1, found.mean, found.low, found.high, "inputs and simulation"},
                                                   {2, found.mean, found.mean - found.simulation_half_width,
                                                    found.mean + found.simulation_half_width, "simulation alone"}}));
    section.blocks.emplace_back(convergence_picture(name + ", as outer samples come", "outer samples", steps));
  }
  return section;
}

std::string words_of_index(const SobolIndex& index) {
  if (!std::isfinite(index.value)) return "unknown";
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", index.value, index.value - index.half_width,
                     index.value + index.half_width);
}

// Bars with intervals: data, and what is plotted of them; nothing where no index is known.
struct Bars {
  std::string data, plot;
};

Bars bars_of(const std::vector<SobolIndex>& indices, const std::string& name, double aside, const std::string& title,
             const std::string& area, const std::string& line) {
  std::string rows;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto& [value, half_width] = indices[i];
    if (!std::isfinite(value)) continue;
    rows += fmt::format("{:.6g} {:.9g} {:.9g} {:.9g}\n", static_cast<double>(i + 1) + aside, value, value - half_width,
                        value + half_width);
  }
  if (rows.empty()) return {};
  return {data_block_of(name, rows),
          fmt::format("${0} using 1:2 with boxes linecolor rgb '{1}' title '{2}', ${0} using 1:2:3:4 with yerrorbars "
                      "pointtype -1 linewidth 1.5 linecolor rgb '{3}' notitle",
                      name, area, title, line)};
}

// Two bars for each parameter: what it makes alone, and with its interactions. None where no index is known.
std::optional<PagePicture> indices_picture(const SensitivityReport& report, const SensitivityResult& result) {
  const auto &first = result.indices.first, &total = result.indices.total;
  const Bars alone = bars_of(first, "first", -0.19, "alone", "#A6CBE3", "#0072B2");
  const Bars all = bars_of(total, "total", 0.19, "with interactions", "#F0E6C8", "#D55E00");
  if (alone.plot.empty() && all.plot.empty()) return std::nullopt;
  std::string tics, words;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string& name = report.request.model->parameters[report.request.parameters[i].place].name;
    tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", io::in_gnuplot_quotes(name), i + 1);
    words += fmt::format("{}{}: {} alone, {} with interactions", i == 0 ? "" : "; ", name, words_of_index(first[i]),
                         words_of_index(total[i]));
  }
  const std::string both = alone.plot.empty() || all.plot.empty() ? "" : ", ";
  return PagePicture{
      result.name, "Shares of the variance, with their intervals: " + words + ".",
      alone.data + all.data + panel_axes("") +
          fmt::format("unset xlabel\nset xtics rotate by 30 right ({})\nset xrange [0.4:{}.6]\n", tics, first.size()) +
          "set yrange [*<0:1<*]\nset offsets 0, 0, 0, 0\nset boxwidth 0.36\nset ylabel 'share of the variance'\n"
          "set style fill solid border linecolor rgb '#707070'\nplot " +
          alone.plot + both + all.plot + '\n'};
}

PageSection indices_section(const SensitivityReport& report, const io::Json& json) {
  io::Json rows = io::Json::array();
  for (const io::Json& response : json["responses"]) {
    for (io::Json row : response["indices"]) {
      row["response"] = response["name"];
      rows.push_back(std::move(row));
    }
  }
  const std::string of_what = report.request.is_of_data ? "the inputs' variance" : "the variance";
  PageSection section{
      "Which parameter matters",
      {page_table("Sobol's indices, shares of " + of_what + ", with their " + percent_of(report) + " half-widths", rows,
                  {{"/response", "response"},
                   {"/parameter", "parameter"},
                   {"/first", "alone", "/first_half_width"},
                   {"/first_half_width", "half-width", "/first_half_width"},
                   {"/total", "with interactions", "/total_half_width"},
                   {"/total_half_width", "half-width", "/total_half_width"}})}};
  for (std::size_t i = 0; i < std::min(report.results.size(), most_responses); ++i) {
    auto picture = indices_picture(report, report.results[i]);
    if (picture) section.blocks.emplace_back(std::move(*picture));
  }
  return section;
}

}  // namespace

Document document_of(const SensitivityReport& report, const io::Json& json) {
  Document page{
      fmt::format("{}: {}", report.request.model->name, report.request.model->title),
      (report.request.is_of_data ? "With parameters that are estimated from data: " : "Sensitivity to parameters: ") +
          design_text(report.request),
      {asked_of(report, json), means_section(report, json)}};
  if (!report.results.front().indices.first.empty()) page.sections.push_back(indices_section(report, json));
  return page;
}

}  // namespace sporos::runtime
