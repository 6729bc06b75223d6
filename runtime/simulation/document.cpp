// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/document.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::size_t most_pictures = 12;  // of a section

// The columns that tell design points apart; none where there is but one.
std::vector<JsonColumn> point_columns(const Report& report) {
  if (report.design.size() == 1) return {};
  std::vector<JsonColumn> columns{{"/point", "point"}};
  for (const std::size_t i : varied_parameters(report.design)) {
    columns.push_back({"/parameters/" + report.model.parameters[i].name, report.model.parameters[i].name});
  }
  return columns;
}

// A list of each design point, one after the other, with numbers and parameters of the points; "name" may be in it.
io::Json rows_of_points(const io::Json& json, const std::string& list) {
  io::Json rows = io::Json::array();
  for (std::size_t p = 0; p < json["points"].size(); ++p) {
    const io::Json& point = json["points"][p];
    for (const io::Json& row : point.value(list, io::Json::array())) {
      rows.push_back(row);
      rows.back()["point"] = p + 1;
      rows.back()["parameters"] = point["parameters"];
    }
  }
  return rows;
}

// The design points with their numbers.
io::Json points_of(const io::Json& json) {
  io::Json points = json["points"];
  for (std::size_t p = 0; p < points.size(); ++p) points[p]["point"] = p + 1;
  return points;
}

PageTable point_table(const Report& report, const std::string& caption, const io::Json& rows,
                      std::vector<JsonColumn> columns) {
  const auto of_points = point_columns(report);
  columns.insert(columns.begin(), of_points.begin(), of_points.end());
  return page_table(caption, rows, columns);
}

std::string percent_of(const Report& report) { return fmt::format("{:.6g} %", 100 * report.plan.confidence); }

std::string place_text(const Report& report, std::size_t point) {
  return report.design.size() > 1 ? fmt::format(", point {}", point + 1) : "";
}

// The first pictures of as many as there would be.
void add_first(PageSection& section, std::vector<PagePicture> pictures, std::size_t all) {
  if (!pictures.empty() && pictures.size() < all) {
    section.blocks.emplace_back(PageParagraph{fmt::format("The first {} of {} intervals.", pictures.size(), all)});
  }
  for (PagePicture& picture : pictures) section.blocks.emplace_back(std::move(picture));
}

// Where intervals of design points stand on the axis: at the only parameter that varies, or at their numbers.
struct PointAxis {
  std::string label;
  std::vector<double> places;
};

PointAxis point_axis(const Report& report) {
  const auto varying = varied_parameters(report.design);
  PointAxis axis{"design point", {}};
  const bool is_one = varying.size() == 1 && !report.model.parameters[varying[0]].is_file();
  if (is_one) axis.label = report.model.parameters[varying[0]].name;
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    axis.places.push_back(is_one ? number_of(report.design[p][varying[0]]) : static_cast<double>(p + 1));
  }
  return axis;
}

void add_interval_pictures(PageSection& section, const Report& report) {
  if (report.design.size() == 1) return;
  const PointAxis axis = point_axis(report);
  const auto& responses = report.result.points.front().responses;
  for (std::size_t r = 0; r < std::min(most_pictures, responses.size()); ++r) {
    std::vector<IntervalPoint> points;
    for (std::size_t p = 0; p < report.design.size(); ++p) {
      if (report.result.points[p].failure) continue;
      const ResponseEstimate& estimate = report.result.points[p].responses[r];
      points.push_back(
          {axis.places[p], estimate.mean, estimate.mean - estimate.half_width, estimate.mean + estimate.half_width});
    }
    section.blocks.emplace_back(intervals_picture(responses[r].name, axis.label, points));
  }
}

PageSection estimates_section(const Report& report, const io::Json& json) {
  io::Json rows = rows_of_points(json, "responses");
  for (io::Json& row : rows) {
    if (!row["mean"].is_number() || !row["half_width"].is_number()) continue;
    row["low"] = row["mean"].get<double>() - row["half_width"].get<double>();
    row["high"] = row["mean"].get<double>() + row["half_width"].get<double>();
  }
  const std::string width = "/half_width";
  PageSection section{"Estimates", {}};
  std::vector<JsonColumn> columns{{"/name", "response"}, {"/mean", "mean", width}};
  columns.push_back({"/half_width", "half-width", width});
  columns.push_back({"/low", "from", width});
  columns.push_back({"/high", "to", width});
  columns.push_back({"/simultaneous_half_width", "half-width of all", width});
  columns.push_back({"/exact", "exact", width});
  columns.push_back({"/deviation", "deviation"});
  columns.push_back({"/observations", "observations"});
  section.blocks.emplace_back(
      point_table(report, "Means with their " + percent_of(report) + " intervals", rows, columns));
  for (const std::string& note : report.notes) section.blocks.emplace_back(PageParagraph{note});
  add_interval_pictures(section, report);
  return section;
}

PageSection convergence_section(const Report& report, const std::optional<Convergence>& convergence) {
  PageSection section{narrowing_heading, {}};
  if (!convergence) {
    section.blocks.emplace_back(PageParagraph{unknown_narrowing});
    return section;
  }
  std::vector<PagePicture> pictures;
  for (std::size_t p = 0; p < convergence->points(); ++p) {
    if (report.result.points[p].failure) continue;
    const auto& responses = report.result.points[p].responses;
    for (std::size_t r = 0; r < responses.size() && pictures.size() < most_pictures; ++r) {
      if (responses[r].observations < 1) continue;
      const auto steps = convergence->steps(p, r, responses[r], report.plan.confidence);
      pictures.push_back(convergence_picture(responses[r].name + place_text(report, p), "observations", steps));
    }
  }
  add_first(section, std::move(pictures), report.design.size() * report.result.points.front().responses.size());
  return section;
}

void add_controls(Document& page, const Report& report, const io::Json& json) {
  if (report.controlled.empty()) return;
  const std::string width = "/with_controls/half_width";
  PageSection section{"With control variates", {}};
  section.blocks.emplace_back(point_table(report, "Means corrected by control variates",
                                          rows_of_points(json, "responses"),
                                          {{"/name", "response"},
                                           {"/with_controls/mean", "mean", width},
                                           {width, "half-width", width},
                                           {"/with_controls/variance_ratio", "variance ratio"},
                                           {"/with_controls/degrees_of_freedom", "degrees of freedom"},
                                           {"/exact", "exact", width}}));
  section.blocks.emplace_back(
      point_table(report, "The controls", rows_of_points(json, "controls"),
                  {{"/name", "control"}, {"/known", "known mean"}, {"/mean", "observed mean"}, {"/is_used", "used"}}));
  page.sections.push_back(std::move(section));
}

void add_quantiles(Document& page, const Report& report, const io::Json& json) {
  if (!report.quantiles) return;
  io::Json rows = io::Json::array();
  for (const io::Json& response : rows_of_points(json, "responses")) {
    for (io::Json quantile : response.value("quantiles", io::Json::array())) {
      for (const char* name : {"name", "point", "parameters"}) quantile[name] = response[name];
      rows.push_back(std::move(quantile));
    }
  }
  PageSection section{
      "Quantiles of single replications",
      {point_table(report, "Quantiles with their " + percent_of(report) + " intervals, by order statistics", rows,
                   {{"/name", "response"},
                    {"/probability", "probability"},
                    {"/value", "quantile"},
                    {"/low", "from"},
                    {"/high", "to"}})}};
  const auto& [probabilities, estimates, needed, steps] = *report.quantiles;
  std::vector<PagePicture> pictures;
  for (std::size_t p = 0; p < steps.size(); ++p) {
    if (report.result.points[p].failure) continue;
    for (std::size_t r = 0; r < steps[p].size(); ++r) {
      for (std::size_t i = 0; i < probabilities.size() && pictures.size() < most_pictures; ++i) {
        const std::string title = fmt::format("{}, quantile {}{}", report.result.points[p].responses[r].name,
                                              probabilities[i], place_text(report, p));
        pictures.push_back(convergence_picture(title, "replications", steps[p][r][i]));
      }
    }
  }
  add_first(section, std::move(pictures), rows.size());
  page.sections.push_back(std::move(section));
}

void add_probabilities(Document& page, const Report& report, const io::Json& json) {
  if (!report.probabilities) return;
  const io::Json rows = rows_of_points(json, "probabilities");
  PageSection section{
      "Probabilities of events in a replication",
      {point_table(report, "Probabilities with their " + percent_of(report) + " intervals, Clopper and Pearson's", rows,
                   {{"/text", "event"},
                    {"/value", "probability"},
                    {"/low", "from"},
                    {"/high", "to"},
                    {"/replications_with_it", "replications with it"}})}};
  const auto& [comparisons, estimates, events, steps] = *report.probabilities;
  std::vector<PagePicture> pictures;
  for (std::size_t p = 0; p < steps.size(); ++p) {
    if (report.result.points[p].failure) continue;
    for (std::size_t i = 0; i < comparisons.size() && pictures.size() < most_pictures; ++i) {
      pictures.push_back(convergence_picture(comparisons[i].text + place_text(report, p), "replications", steps[p][i]));
    }
  }
  add_first(section, std::move(pictures), rows.size());
  page.sections.push_back(std::move(section));
}

// A density with the band of its intervals.
PagePicture density_picture(const std::string& title, const std::string& name, const ResponseDensity& density) {
  std::vector<IntervalPoint> points;
  std::string rows;
  for (const auto& [place, value, lower, upper] : density.points) {
    points.push_back({place, value, lower, upper, fmt::format("{:.6g}", place)});
    rows += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g}\n", place, value, lower, upper);
  }
  return {title, "Density: " + words_of(points) + ".",
          data_block_of("density", rows) + panel_axes(name) +
              "set key off\nset yrange [0:*]\nset ylabel 'density'\n"
              "plot $density using 1:3:4 with filledcurves linecolor rgb '#CFD6DD', $density using 1:2 with lines "
              "linewidth 1.5 linecolor rgb '#0072B2'\n"};
}

void add_densities(Document& page, const Report& report, const io::Json& json) {
  if (!report.densities) return;
  PageSection section{"Densities of single replications",
                      {PageParagraph{"The bands hold for all points of a density at once, with " + percent_of(report) +
                                     " confidence (kernels of fourth order, Bonferroni)."}}};
  const std::size_t shown = std::min(report.design.size(), most_pictures);
  for (std::size_t p = 0; p < shown; ++p) {
    if (report.result.points[p].failure) continue;
    const std::string where = place_text(report, p);
    for (std::size_t i = 0; i < report.densities->asked.size(); ++i) {
      const ResponseDensity& density = report.densities->densities[p][i];
      const std::string& name = report.densities->asked[i].name;
      if (!density.lack.empty()) {
        section.blocks.emplace_back(PageParagraph{fmt::format("{}{} has no density: {}.", name, where, density.lack)});
        continue;
      }
      section.blocks.emplace_back(density_picture(name + where, name, density));
      section.blocks.emplace_back(
          page_table(name + where, json["points"][p]["densities"][i]["points"],
                     {{"/point", "at"}, {"/value", "density"}, {"/low", "at least"}, {"/high", "at most"}}));
    }
  }
  page.sections.push_back(std::move(section));
}

// The density of a histogram's inner bins, with the band.
PagePicture histogram_picture(const std::string& title, const HistogramBins& bins, const Histogram& histogram) {
  std::vector<IntervalPoint> points;
  std::string rows;
  for (std::size_t b = 1; b < bins.edges.size(); ++b) {
    const double from = bins.edges[b - 1], to = bins.edges[b], middle = from + 0.5 * (to - from);
    const auto& [value, lower, upper] = histogram.shares[b];
    points.push_back({middle, value, lower, upper, fmt::format("{:.6g} to {:.6g}", from, to)});
    rows += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g} {:.9g}\n", middle, value, lower, upper, to - from);
  }
  return {
      title, "Shares of the bins: " + words_of(points) + ".",
      data_block_of("bins", rows) + panel_axes(bins.name) +
          "set key off\nset offsets 0, 0, graph 0.05, 0\nset yrange [0:*]\nset ylabel 'share'\nset style fill solid "
          "border "
          "linecolor rgb '#707070'\n"
          "plot $bins using 1:2:5 with boxes linecolor rgb '#CFD6DD', $bins using 1:2:3:4 with yerrorbars pointtype "
          "-1 linewidth 1.5 linecolor rgb '#0072B2'\n"};
}

void add_histograms(Document& page, const Report& report, const io::Json& json) {
  if (!report.histograms) return;
  PageSection section{
      "Histograms of single replications",
      {PageParagraph{"The intervals hold for all bins of a histogram at once, with " + percent_of(report) +
                     " confidence (Clopper and Pearson, Bonferroni). What lies below or above the bins is in "
                     "the tables alone."}}};
  const std::size_t count = report.histograms->bins.size(), shown = std::min(report.design.size(), most_pictures);
  for (std::size_t p = 0; p < shown; ++p) {
    if (report.result.points[p].failure) continue;
    for (std::size_t i = 0; i < count; ++i) {
      const HistogramBins& bins = report.histograms->bins[i];
      section.blocks.emplace_back(
          histogram_picture(bins.name + place_text(report, p), bins, report.histograms->histograms[p][i]));
    }
  }
  for (std::size_t p = 0; p < shown; ++p) {
    if (report.result.points[p].failure) continue;
    for (const io::Json& histogram : json["points"][p]["histograms"]) {
      section.blocks.emplace_back(page_table(histogram["response"].get<std::string>() + place_text(report, p),
                                             histogram["bins"],
                                             {{"/from", "from"},
                                              {"/to", "below"},
                                              {"/count", "replications"},
                                              {"/share", "share"},
                                              {"/low", "at least"},
                                              {"/high", "at most"}}));
    }
  }
  page.sections.push_back(std::move(section));
}

void add_requirements(Document& page, const Report& report, const io::Json& json) {
  if (!report.requirements) return;
  const io::Json& requirements = json["requirements"];
  std::vector<JsonColumn> columns{{"/point", "point"}};
  for (std::size_t i = 0; i < report.requirements->texts.size(); ++i) {
    columns.push_back({fmt::format("/verdicts/{}", i), report.requirements->texts[i]});
  }
  columns.push_back({"/verdict", "together"});
  columns.push_back({"/cost", report.requirements->cost.value_or("cost")});
  PageSection section{"Requirements",
                      {page_table(fmt::format("Which design points keep them, with {:.6g} % confidence in all verdicts",
                                              100 * report.requirements->confidence),
                                  requirements["points"], columns)}};
  page.sections.push_back(std::move(section));
}

void add_comparison(Document& page, const Report& report, const io::Json& json) {
  if (report.comparison) {
    const io::Json& comparison = json["comparison"];
    PageSection section{"How design points differ", {}};
    section.blocks.emplace_back(
        PageParagraph{fmt::format("Differences of {}; the intervals hold together with {} confidence, by {}.",
                                  report.comparison->request.name, percent_of(report), report.comparison->by)});
    section.blocks.emplace_back(page_table("Differences between design points", comparison["differences"],
                                           {{"/first", "point"},
                                            {"/second", "less point"},
                                            {"/difference", "difference"},
                                            {"/low", "from"},
                                            {"/high", "to"}}));
    if (comparison.contains("distances")) {
      section.blocks.emplace_back(
          page_table("Distance from the best of the other points", comparison["distances"],
                     {{"/point", "point"}, {"/difference", "distance"}, {"/low", "from"}, {"/high", "to"}}));
    }
    page.sections.push_back(std::move(section));
  }
  if (!report.best) return;
  io::Json points = points_of(json);
  for (std::size_t p = 0; p < points.size(); ++p) points[p]["probability"] = report.best->probabilities[p];
  page.sections.push_back({"Which design point is best",
                           {point_table(report,
                                        fmt::format("Probability that a point has the {} mean of {}",
                                                    name_of(report.best->best), report.best->response),
                                        points, {{"/probability", "probability"}})}});
}

}  // namespace

PageSection asked_section(const ModelDescription& model, const std::vector<ParameterValues>& design, PageFacts more) {
  return asked_section(model, design.front(), varied_parameters(design), std::move(more));
}

PageSection asked_section(const ModelDescription& model, const ParameterValues& values,
                          const std::vector<std::size_t>& varied, PageFacts more) {
  io::Json rows = io::Json::array();
  const io::Json texts = json_of(model, values);
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const ParameterDescription& parameter = model.parameters[i];
    const bool varies = std::ranges::find(varied, i) != varied.end();
    if (!varies && parameter.is_as_in_case(values[i])) continue;
    rows.push_back({{"name", parameter.name},
                    {"value", varies ? io::Json("varies") : texts[parameter.name]},
                    {"unit", parameter.unit.empty() ? io::Json() : io::Json(parameter.unit)},
                    {"meaning", parameter.meaning}});
  }
  return {"What was asked",
          {page_table("Parameters of the model", rows,
                      {{"/name", "parameter"}, {"/value", "value"}, {"/unit", "unit"}, {"/meaning", "meaning"}}),
           std::move(more)}};
}

Document document_of(const Report& report, const io::Json& json, const std::optional<Convergence>& convergence) {
  const PointResult& first = report.result.points.front();
  const bool is_single = report.design.size() == 1;
  Document page{fmt::format("{}: {}", report.model.name, report.model.title),
                fmt::format("{}, seed {}{}",
                            is_single ? plural(first.replications, "replication", "replications")
                                      : fmt::format("{} design points", report.design.size()),
                            report.plan.seed, is_single ? ", digest " + io::bits_text(first.digest) : ""),
                {asked_section(report.model, report.design, page_facts(json["plan"]))}};
  page.sections.push_back(estimates_section(report, json));
  add_controls(page, report, json);
  add_quantiles(page, report, json);
  add_probabilities(page, report, json);
  add_histograms(page, report, json);
  add_densities(page, report, json);
  add_requirements(page, report, json);
  add_comparison(page, report, json);
  page.sections.push_back(convergence_section(report, convergence));
  if (!is_single) {
    page.sections.push_back(
        {"Design points",
         {point_table(report, "How each design point ended, and the digest of its replications", points_of(json),
                      {{"/replications", "replications"},
                       {"/stopped_by", "stopped by"},
                       {"/failure/failures", "failed replications"},
                       {"/failure/reason", "reason"},
                       {"/digest", "digest"}})}});
  }
  if (!report.skipped.empty()) {
    page.sections.push_back(
        {"Design points that make no model",
         {page_table("They were skipped", json["skipped"], {{"/parameters", "parameters"}, {"/reason", "reason"}})}});
  }
  return page;
}

}  // namespace sporos::runtime
