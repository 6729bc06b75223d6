// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/germinal_centre/germinal_centre_table.hpp>
#include <sporos/models/germinal_centre/germinal_centre_vtk.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Gnuplot scripts for io::PictureFile.
namespace sporos::models {

/// Population of each kind in the tissue against days, on a logarithmic scale. Kinds that never occur are omitted.
inline std::string population_picture(const GerminalCentreCase& all, const std::vector<PopulationRow>& rows);

/// A section through the middle of a centre along its first and third directions: Figure 2.2 of Lee (2012), Hybrid
/// parallel computing strategies for scientific computing applications. It shows the agents of the elements there over
/// the concentration of the first chemokine, if there is one.
inline std::string section_picture(const GerminalCentreCase& all, const CentreState& centre, double minutes);

namespace impl {

/// Colours of Okabe and Ito (2008), which colour-blind readers can distinguish, and grey.
inline constexpr std::array agent_colors{"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00",
                                         "#56B4E9", "#000000", "#F0E442", "#808080"};

/// Plot style of a kind.
inline std::string styled(std::size_t kind, const std::string& title, std::string_view how) {
  return fmt::format("with {} linecolor rgb '{}' title {}", how, agent_colors[kind % agent_colors.size()],
                     io::in_gnuplot_quotes(title));
}

/// Points of each kind in a section, as text, and their number.
struct SectionPoints {
  std::vector<std::string> texts;
  std::vector<std::int64_t> counts;
};

inline SectionPoints section_points(const GerminalCentreCase& all, const CentreState& centre, int middle) {
  SectionPoints points{std::vector<std::string>(all.kinds.size()), std::vector<std::int64_t>(all.kinds.size(), 0)};
  for_each_agent(centre, [&](std::size_t agent, int element) {
    if (all.mesh.place(element)[1] != middle) return;
    const auto place = drawn_place(all.mesh, element, centre.identity[agent]);
    const auto kind = static_cast<std::size_t>(AgentState{centre.state[agent]}.kind());
    points.texts[kind] += fmt::format("{:.5g} {:.5g}\n", place[0], place[2]);
    ++points.counts[kind];
  });
  return points;
}

inline std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "plot " : ", ").append(part);
  return text + "\n";
}

}  // namespace impl

inline std::string population_picture(const GerminalCentreCase& all, const std::vector<PopulationRow>& rows) {
  std::string text = "$rows << END\n";
  constexpr double minutes_of_day = 1440;
  std::vector<bool> is_there(all.kinds.size(), false);
  for (const PopulationRow& row : rows) {
    text += io::shortest_text(static_cast<double>(row.step) * all.global_step() / minutes_of_day);
    for (std::size_t kind = 0; kind < all.kinds.size(); ++kind) {
      text += row.cells[kind] > 0 ? fmt::format(" {}", row.cells[kind]) : " NaN";
      is_there[kind] = is_there[kind] || row.cells[kind] > 0;
    }
    text += '\n';
  }
  text +=
      "END\nset logscale y\nset xlabel 'days'\nset ylabel 'cells in the tissue'\nset key outside right\n"
      "set border 3\nset tics nomirror out\nset grid ytics linecolor rgb '#E4E4E4'\nset yrange [0.8:*]\n";
  std::vector<std::string> curves;
  for (std::size_t kind = 0; kind < all.kinds.size(); ++kind) {
    if (!is_there[kind]) continue;
    curves.push_back(
        fmt::format("$rows using 1:{} {}", kind + 2, impl::styled(kind, all.kinds[kind].name, "lines linewidth 2")));
  }
  if (curves.empty()) curves.emplace_back("NaN notitle");
  return text + impl::joined(curves);
}

inline std::string section_picture(const GerminalCentreCase& all, const CentreState& centre, double minutes) {
  const TissueMesh& mesh = all.mesh;
  const int middle = mesh.elements[1] / 2;
  const double width = mesh.width;
  std::string text;
  std::vector<std::string> layers;
  if (!all.chemokines.empty()) {
    const auto values = concentrations(all, centre, 0);
    text += "$field << END\n";
    for (int element = 0; element < mesh.count(); ++element) {
      const auto [x, y, z] = mesh.place(element);
      if (y != middle) continue;
      text += fmt::format("{} {} {:.6g}\n", (x + 0.5) * width, (z + 0.5) * width,
                          values[static_cast<std::size_t>(element)]);
    }
    text += fmt::format("END\nset cblabel {}\nset palette defined (0 'white', 1 '#A8C8A0')\n",
                        io::in_gnuplot_quotes(all.chemokines[0].name + ", nmol/l"));
    layers.emplace_back("$field using 1:2:3 with image notitle");
  }
  const auto points = impl::section_points(all, centre, middle);
  std::vector<std::size_t> kinds;
  for (std::size_t kind = 0; kind < all.kinds.size(); ++kind) {
    if (points.counts[kind] > 0) kinds.push_back(kind);
  }
  // Small groups are drawn over large ones, with larger points.
  std::stable_sort(kinds.begin(), kinds.end(),
                   [&](std::size_t i, std::size_t j) { return points.counts[i] > points.counts[j]; });
  for (const std::size_t kind : kinds) {
    text += fmt::format("$kind{} << END\n{}END\n", kind, points.texts[kind]);
    const auto how = fmt::format("points pointtype 7 pointsize {}", points.counts[kind] > 500 ? 0.45 : 1.1);
    layers.push_back(fmt::format("$kind{} using 1:2 {}", kind, impl::styled(kind, all.kinds[kind].name, how)));
  }
  if (layers.empty()) layers.emplace_back("NaN notitle");
  text += fmt::format(
      "set title {}\nset size ratio -1\nset xrange [0:{}]\nset yrange [0:{}]\nset xlabel 'µm'\nset ylabel 'µm'\n"
      "set key outside left Left reverse\nset tics out nomirror\n",
      io::in_gnuplot_quotes(fmt::format("section after {:g} hours", minutes / 60)), mesh.elements[0] * width,
      mesh.elements[2] * width);
  return text + impl::joined(layers);
}

}  // namespace sporos::models
