// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renders the page for browsers.
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sporos::runtime {

namespace {

PageText page_text(const ResultValue& value, std::string text) {
  const io::Json json = json_value(value);
  return {std::move(text), json.is_number() ? json.dump() : ""};
}

PageFacts page_facts(const std::vector<ResultFact>& facts) {
  PageFacts shown;
  for (const ResultFact& fact : facts) {
    std::string text = people_text(fact.value, fact.kind, fact.resolution);
    if (!text.empty() && fact.shown != Shown::as_data)
      shown.facts.emplace_back(fact.title, page_text(fact.value, std::move(text)));
  }
  return shown;
}

constexpr std::size_t max_rows_on_page = 50;

PageTable page_table(const ResultTable& table) {
  const std::vector<std::size_t> places = seen_rows(table, max_rows_on_page);
  PageTable shown{"", {}, std::vector<std::vector<PageText>>(places.size()), table.title};
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!is_seen(table, i)) continue;
    const ResultColumn& column = table.columns[i];
    shown.columns.push_back({title_of(column), is_numeric(column.kind)});
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::vector<ResultValue>& row = table.rows[places[k]];
      shown.rows[k].push_back(page_text(row[i], people_text(table, row, i)));
    }
  }
  return shown;
}

// Returns the section with parameters and settings.
PageSection asked_section(const ResultDocument& result) {
  PageTable table{
      "Parameters of the model", {{"parameter", false}, {"value"}, {"unit", false}, {"meaning", false}}, {}};
  for (const auto& [name, value, text, unit, meaning, is_on_pages] : result.subject.parameters) {
    if (is_on_pages) table.rows.push_back({{name}, page_text(value, text), {unit}, {meaning}});
  }
  PageSection section{"Parameters and settings", {}};
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(page_facts(result.settings));
  return section;
}

double cell_number(const ResultValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::numeric_limits<double>::quiet_NaN();
}

// Puts at most 20 points side by side, each labelled with its x.
void put_in_order(std::vector<IntervalPoint>& points, const std::string& x_title) {
  constexpr std::size_t most = 20;
  points.resize(std::min(most, points.size()));
  double place = 0;
  for (IntervalPoint& point : points) {
    if (point.label.empty()) point.label = fmt::format("{} {:.6g}", x_title, point.x);
    point.x = ++place;
  }
}

// Returns at most `most` points of a picture, evenly spaced; with `series`, only the points of that curve.
std::vector<IntervalPoint> points_of(const ResultTable& table, const ResultPicture& picture, std::size_t most,
                                     const ResultValue* series = nullptr) {
  const auto column = [&](const std::string& id) { return id.empty() ? table.columns.size() : column_of(table, id); };
  const std::size_t x = picture.kind == PictureKind::runs ? table.columns.size() : column(picture.x),
                    y = column(picture.y), low = column(picture.low), high = column(picture.high);
  const bool has_width = picture.kind == PictureKind::intervals && picture.low.empty();
  const std::size_t width = column(has_width ? table.columns[y].half_width : "");
  std::vector<IntervalPoint> points;
  std::int64_t rows = 0;  // rows so far, including those without a number
  for (const auto& row : table.rows) {
    if (picture.rows && row[column_of(table, picture.rows->first)] != picture.rows->second) continue;
    if (series != nullptr && row[column(picture.series)] != *series) continue;
    ++rows;
    const auto number = [&](std::size_t i) { return i < row.size() ? cell_number(row[i]) : cell_number({}); };
    const auto* const label = x < row.size() ? std::get_if<std::string>(&row[x]) : nullptr;
    const double place = x < row.size() && label == nullptr ? number(x) : static_cast<double>(rows);
    if (!std::isfinite(place) || !std::isfinite(number(y))) continue;
    const double from = has_width ? number(y) - number(width) : number(low),
                 to = has_width ? number(y) + number(width) : number(high);
    points.push_back({place, number(y), from, to, label == nullptr ? "" : *label});
  }
  const std::size_t stride = (points.size() + most - 1) / most;
  std::vector<IntervalPoint> some;
  for (std::size_t i = 0; i < points.size(); i += stride) some.push_back(points[i]);
  return some;
}

// Returns the bins that have both edges.
std::vector<HistogramBin> bins_of(const ResultTable& table, const ResultPicture& picture) {
  const auto column = [&](const std::string& id) { return column_of(table, id); };
  std::vector<HistogramBin> bins;
  for (const auto& row : table.rows) {
    if (picture.rows && row[column_of(table, picture.rows->first)] != picture.rows->second) continue;
    const HistogramBin bin{cell_number(row[column(picture.x)]), cell_number(row[column(picture.second_x)]),
                           cell_number(row[column(picture.y)]), cell_number(row[column(picture.low)]),
                           cell_number(row[column(picture.high)])};
    if (std::isfinite(bin.from) && std::isfinite(bin.below)) bins.push_back(bin);
  }
  return bins;
}

std::vector<EstimateStep> steps_of(const std::vector<IntervalPoint>& points) {
  std::vector<EstimateStep> steps;
  for (const auto& [x, y, low, high, label] : points) steps.push_back({static_cast<std::int64_t>(x), y, low, high});
  return steps;
}

std::vector<double> heights_of(const std::vector<IntervalPoint>& points) {
  std::vector<double> heights;
  for (const IntervalPoint& point : points) heights.push_back(point.y);
  return heights;
}

// Returns the curves of a picture with series, except those without points. The place of a step function determines its
// look in all pictures.
std::vector<NamedCurve> curves_of(const ResultTable& table, const ResultPicture& picture) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max() / 2;
  const std::size_t column = column_of(table, picture.series);
  std::vector<ResultValue> series;
  for (const auto& row : table.rows) {
    if (std::ranges::find(series, row[column]) == series.end()) series.push_back(row[column]);
  }
  std::vector<NamedCurve> curves;
  for (std::size_t place = 0; place < series.size(); ++place) {
    auto points = points_of(table, picture, all, &series[place]);
    if (points.empty()) continue;
    curves.push_back({people_text(series[place], table.columns[column].kind), place, std::move(points)});
  }
  return curves;
}

std::optional<IntervalPoint> point_of(const std::optional<ResultMark>& mark) {
  if (!mark) return std::nullopt;
  return IntervalPoint{mark->x, mark->y, mark->low, mark->high, mark->title};
}

// Draws the picture; returns std::nullopt if there is no point to show.
std::optional<PagePicture> drawn(const ResultTable& table, const ResultPicture& picture, double confidence) {
  constexpr std::size_t most = 256, all = std::numeric_limits<std::size_t>::max() / 2;
  if (picture.kind == PictureKind::curves) {
    return curves_picture(picture.title, title_of(table.columns[column_of(table, picture.x)]),
                          curves_of(table, picture), picture.is_logarithmic);
  }
  if (picture.kind == PictureKind::steps) {
    const auto curves = curves_of(table, picture);
    const auto& y = table.columns[column_of(table, picture.y)];
    if (curves.empty()) return std::nullopt;
    return steps_picture(picture.title, table.columns[column_of(table, picture.x)].title, y.title,
                         y.kind == ValueKind::percentage, curves);
  }
  const bool is_thinned = picture.kind == PictureKind::curve || picture.kind == PictureKind::intervals;
  auto points = points_of(table, picture, is_thinned && !picture.is_in_order ? most : all);
  const bool has_second = picture.kind == PictureKind::bars || picture.kind == PictureKind::quartiles;
  const auto second = has_second ? points_of(table, picture.second(), all) : std::vector<IntervalPoint>();
  if (points.empty() && second.empty()) return std::nullopt;
  const std::string x_title =
      picture.kind == PictureKind::runs ? picture.x : title_of(table.columns[column_of(table, picture.x)]);
  if (picture.is_in_order) put_in_order(points, x_title);
  switch (picture.kind) {
    case PictureKind::intervals:
      return intervals_picture(picture.title, x_title, points, picture.limit);
    case PictureKind::convergence:
      return convergence_picture(picture.title, x_title, steps_of(points));
    case PictureKind::runs:
      return runs_picture(picture.title, x_title, heights_of(points), confidence);
    case PictureKind::progress:
      return progress_picture(picture.title, x_title, points,
                              {picture.is_logarithmic, picture.limit, picture.last_x, point_of(picture.mark)});
    case PictureKind::quartiles:
      return quartiles_picture(picture.title, x_title, points, second,
                               {false, picture.limit, {}, point_of(picture.mark)});
    case PictureKind::bars:
      return bars_picture(picture.title, points, second);
    case PictureKind::band:
      return band_picture(picture.title, x_title, table.columns[column_of(table, picture.y)].title, points);
    case PictureKind::histogram:
      return histogram_picture(picture.title, bins_of(table, picture));
    case PictureKind::steps:
    case PictureKind::curve:
    case PictureKind::curves:
      break;
  }
  return curve_picture(picture.title, points, x_title, picture.is_logarithmic);
}

std::vector<PagePicture> pictures_of(const ResultTable& table, double confidence) {
  std::vector<PagePicture> pictures;
  for (const ResultPicture& picture : table.pictures) {
    if (auto shown = drawn(table, picture, confidence)) pictures.push_back(std::move(*shown));
  }
  pictures.insert(pictures.end(), table.drawings.begin(), table.drawings.end());
  return pictures;
}

}  // namespace

Document page_of(const ResultDocument& result) {
  Document page{heading_of(result.subject), result.lead, {asked_section(result)}};
  page.sections.insert(page.sections.end(), result.opening.begin(), result.opening.end());
  for (const ResultTable& table : result.tables) {
    PageSection section{table.title, {}};
    if (table.shown != Shown::as_data && !table.rows.empty()) {
      section.blocks.emplace_back(page_table(table));
      std::string more = more_rows_text(table, max_rows_on_page);
      if (!more.empty()) section.blocks.emplace_back(PageParagraph{std::move(more)});
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (std::string text = is_seen(table, i) ? meaning_of(table.columns[i]) : ""; !text.empty()) {
          section.blocks.emplace_back(PageParagraph{std::move(text)});
        }
      }
    }
    for (PagePicture& picture : pictures_of(table, result.confidence)) section.blocks.emplace_back(std::move(picture));
    if (&table == &main_table(result)) {
      if (!result.early_end.empty()) section.blocks.emplace_back(PageParagraph{in_one_line(result.early_end)});
      for (const std::string& note : result.notes) section.blocks.emplace_back(PageParagraph{note});
    }
    if (!section.blocks.empty()) page.sections.push_back(std::move(section));
  }
  page.sections.insert(page.sections.end(), result.sections.begin(), result.sections.end());
  PageFacts findings = page_facts(result.findings);
  if (!findings.facts.empty()) page.sections.push_back({"Details of the run", {std::move(findings)}});
  return page;
}

std::string picture_of(const ResultDocument& result) {
  std::vector<PagePicture> pictures;
  for (const ResultTable& table : result.tables) {
    for (PagePicture& picture : pictures_of(table, result.confidence)) pictures.push_back(std::move(picture));
  }
  const std::size_t rows = pictures.size() > 3 ? 2 : 1;
  std::string text = fmt::format("set multiplot layout {},{} title {}\n", rows, (pictures.size() + rows - 1) / rows,
                                 io::in_gnuplot_quotes(heading_of(result.subject)));
  for (const PagePicture& picture : pictures) {
    text += fmt::format("reset\nset title {}\n{}", io::in_gnuplot_quotes(picture.title), picture.script);
  }
  return text + "unset multiplot\n";
}

}  // namespace sporos::runtime
