// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/models/germinal_centre/centre_state.hpp>
#include <sporos/models/germinal_centre/chemokine_field.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Snapshots of a germinal centre as legacy VTK text files, which ParaView, VisIt and other programs open.
namespace sporos::models {

/// Elements of a centre: a grid in µm, with the concentration of each chemokine in nmol/l and the number of cells of
/// each kind.
inline std::string elements_vtk(const GerminalCentreCase& all, const CentreState& centre, double minutes);

/// Agents of a centre: a point for each, in µm, with the number of its kind and its age as this kind in minutes. The
/// model has no position within an element; the identity of an agent determines where it is drawn.
inline std::string agents_vtk(const GerminalCentreCase& all, const CentreState& centre, double minutes);

/// Position at which an agent of an element is drawn, in µm.
inline std::array<double, 3> drawn_place(const TissueMesh& mesh, int element, std::uint64_t identity) {
  const std::uint64_t bits = mix_bits(identity);
  std::array<double, 3> place = {};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto part = static_cast<double>(bits >> (21 * d) & 0x1fffffu) / 0x1p21;
    place[d] = (mesh.place(element)[d] + part) * mesh.width;
  }
  return place;
}

/// Calls `visit(agent, element)` for the agents of a centre, in order.
template <class Visit>
void for_each_agent(const CentreState& centre, const Visit& visit) {
  std::size_t agent = 0;
  for (std::size_t element = 0; element < centre.cells.size(); ++element) {
    for (std::int64_t i = 0; i < centre.cells[element]; ++i) visit(agent++, static_cast<int>(element));
  }
}

/// Concentration of a chemokine in each element, in nmol/l.
inline std::vector<double> concentrations(const GerminalCentreCase& all, const CentreState& centre,
                                          std::size_t chemokine) {
  std::vector<double> values;
  const auto elements = static_cast<std::size_t>(all.mesh.count());
  for (std::size_t e = 0; e < elements; ++e) {
    values.push_back(static_cast<double>(centre.amounts[chemokine * elements + e]) / units_at_one_nanomolar(all.mesh));
  }
  return values;
}

namespace impl {

/// A valid name for a VTK field, which may not contain blanks.
inline std::string vtk_name(std::string_view name) {
  std::string text;
  for (const char c : name) text += c > ' ' && c < '\x7f' ? c : '_';
  return text;
}

inline std::string vtk_head(double minutes, std::string_view data_set) {
  return fmt::format("# vtk DataFile Version 3.0\nSporos germinal centre after {} minutes\nASCII\nDATASET {}\n",
                     minutes, data_set);
}

template <class Values>
void append_scalars(std::string& text, std::string_view name, std::string_view type, const Values& values) {
  text += fmt::format("SCALARS {} {} 1\nLOOKUP_TABLE default\n", vtk_name(name), type);
  for (const auto value : values) text += fmt::format("{:.9g}\n", static_cast<double>(value));
}

}  // namespace impl

inline std::string elements_vtk(const GerminalCentreCase& all, const CentreState& centre, double minutes) {
  const auto& [nx, ny, nz] = all.mesh.elements;
  std::string text = impl::vtk_head(minutes, "STRUCTURED_POINTS");
  text += fmt::format("DIMENSIONS {} {} {}\nORIGIN 0 0 0\nSPACING {} {} {}\nCELL_DATA {}\n", nx + 1, ny + 1, nz + 1,
                      all.mesh.width, all.mesh.width, all.mesh.width, all.mesh.count());
  for (std::size_t c = 0; c < all.chemokines.size(); ++c) {
    impl::append_scalars(text, all.chemokines[c].name, "double", concentrations(all, centre, c));
  }
  std::vector<std::vector<std::int64_t>> counts(all.kinds.size(), std::vector<std::int64_t>(centre.cells.size(), 0));
  for_each_agent(centre, [&](std::size_t agent, int element) {
    ++counts[static_cast<std::size_t>(AgentState{centre.state[agent]}.kind())][static_cast<std::size_t>(element)];
  });
  for (std::size_t kind = 0; kind < all.kinds.size(); ++kind) {
    impl::append_scalars(text, all.kinds[kind].name, "int", counts[kind]);
  }
  return text;
}

inline std::string agents_vtk(const GerminalCentreCase& all, const CentreState& centre, double minutes) {
  std::string text = impl::vtk_head(minutes, "POLYDATA");
  text += fmt::format("POINTS {} float\n", centre.agents());
  for_each_agent(centre, [&](std::size_t agent, int element) {
    const auto [x, y, z] = drawn_place(all.mesh, element, centre.identity[agent]);
    text += fmt::format("{:.5g} {:.5g} {:.5g}\n", x, y, z);
  });
  text += fmt::format("VERTICES {} {}\n", centre.agents(), 2 * centre.agents());
  for (std::size_t i = 0; i < centre.agents(); ++i) text += fmt::format("1 {}\n", i);
  text += fmt::format("POINT_DATA {}\n", centre.agents());
  std::vector<int> kinds;
  std::vector<double> ages;
  for (std::size_t i = 0; i < centre.agents(); ++i) {
    kinds.push_back(AgentState{centre.state[i]}.kind());
    ages.push_back(minutes - centre.since[i] * all.local_step);
  }
  impl::append_scalars(text, "kind", "int", kinds);
  impl::append_scalars(text, "age", "float", ages);
  return text;
}

}  // namespace sporos::models
