// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// A box of elements: in each direction those from `first` to before `end`.
struct ElementBox {
  std::array<int, 3> first = {};  ///< the lowest in each direction
  std::array<int, 3> end = {};    ///< the one behind the highest in each direction

  /// Whether it holds an element.
  bool holds(const std::array<int, 3>& place) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (place[d] < first[d] || place[d] >= end[d]) return false;
    }
    return true;
  }
  /// All of them, the same.
  friend bool operator==(const ElementBox&, const ElementBox&) = default;
};

/// The tissue of one germinal centre, cut into cubes: the elements. Element (i, j, k) has the number
/// (k elements[1] + j) elements[0] + i. Nothing crosses the outer faces.
struct TissueMesh {
  std::array<int, 3> elements = {1, 1, 1};  ///< in each direction
  double width = 50;                        ///< µm: an element's edge
  std::vector<ElementBox> vessels;          ///< high endothelial venules, where blood brings cells
  std::vector<ElementBox> drains;           ///< where cells leave with the lymph
  std::vector<ElementBox> surface;          ///< below the epithelium, towards the saliva; may be empty

  /// Number of elements.
  int count() const { return elements[0] * elements[1] * elements[2]; }
  /// µm³ of an element.
  double element_volume() const { return width * width * width; }
  /// Where an element lies in each direction.
  std::array<int, 3> place(int element) const {
    return {element % elements[0], element / elements[0] % elements[1], element / elements[0] / elements[1]};
  }

  /// Throws std::invalid_argument where a number of elements or the width is not positive, elements are more than
  /// `most_tissue_elements`, a box is empty or leaves the mesh, and where there is no vessel or no drain.
  void check() const;
};

/// The most elements of a centre.
inline constexpr int most_tissue_elements = 1 << 24;

/// The numbers of the elements in boxes, each once, in order.
inline std::vector<int> elements_in(const TissueMesh& mesh, const std::vector<ElementBox>& boxes) {
  std::vector<int> numbers;
  for (int element = 0; element < mesh.count(); ++element) {
    for (const ElementBox& box : boxes) {
      if (!box.holds(mesh.place(element))) continue;
      numbers.push_back(element);
      break;
    }
  }
  return numbers;
}

/// The directions in which an element has neighbours.
inline constexpr int direction_count = 6;

/// Neighbours in a mesh, for kernels.
struct ElementGrid {
  Kokkos::Array<int, 3> elements;  ///< in each direction

  /// Of a mesh.
  static ElementGrid of(const TissueMesh& mesh) { return {{{mesh.elements[0], mesh.elements[1], mesh.elements[2]}}}; }

  /// Where an element lies in each direction.
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<int, 3> place(int element) const {
    const int row = element / elements[0], layer = row / elements[1];
    return {{element - row * elements[0], row - layer * elements[1], layer}};
  }

  /// By how much the number of the neighbour of an element at `place` differs, which is below (`direction` 0, 2, 4) or
  /// above (1, 3, 5) it in the first, second or third direction; 0 where there is none.
  KOKKOS_FORCEINLINE_FUNCTION int to_neighbour(const Kokkos::Array<int, 3>& place, int direction) const {
    // Arrays are not indexed by what a device does not know when it compiles: they would go to its memory.
    const int axis = direction / 2;
    const int stride = axis == 0 ? 1 : (axis == 1 ? elements[0] : elements[0] * elements[1]);
    const int at = axis == 0 ? place[0] : (axis == 1 ? place[1] : place[2]);
    const int count = axis == 0 ? elements[0] : (axis == 1 ? elements[1] : elements[2]);
    if (direction % 2 == 0) return at > 0 ? -stride : 0;
    return at + 1 < count ? stride : 0;
  }
};

namespace impl {

inline void check_box(const TissueMesh& mesh, const ElementBox& box, const std::string& name) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (box.first[d] >= 0 && box.first[d] < box.end[d] && box.end[d] <= mesh.elements[d]) continue;
    throw std::invalid_argument(std::string("a box of ")
                                    .append(name)
                                    .append(" goes from ")
                                    .append(std::to_string(box.first[d]))
                                    .append(" to ")
                                    .append(std::to_string(box.end[d]))
                                    .append(" in direction ")
                                    .append(std::to_string(d + 1))
                                    .append(", expected a part of 0 to ")
                                    .append(std::to_string(mesh.elements[d])));
  }
}

inline void check_boxes(const TissueMesh& mesh, const std::vector<ElementBox>& boxes, const std::string& name) {
  for (const ElementBox& box : boxes) check_box(mesh, box, name);
}

}  // namespace impl

inline void TissueMesh::check() const {
  double all = 1;
  for (const int along : elements) {
    check_positive_integer("number of elements of the mesh", along);
    all *= along;
  }
  sporos::impl::check_parameter(all <= most_tissue_elements, "number of elements of the mesh", all,
                                std::string("at most ").append(std::to_string(most_tissue_elements)));
  check_positive("width of an element", width);
  impl::check_boxes(*this, vessels, "vessels");
  impl::check_boxes(*this, drains, "drains");
  impl::check_boxes(*this, surface, "surface");
  if (vessels.empty())
    throw std::invalid_argument("the mesh has no vessels, expected at least one box: cells enter there");
  if (drains.empty())
    throw std::invalid_argument("the mesh has no drains, expected at least one box: cells leave there");
}

}  // namespace sporos::models
