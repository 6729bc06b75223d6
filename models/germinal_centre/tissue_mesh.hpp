// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::models {

/// A box of elements; in each direction it contains those from `first` to `end` − 1.
struct ElementBox {
  std::array<int, 3> first = {};  ///< lowest index in each direction
  std::array<int, 3> end = {};    ///< one more than the highest index in each direction

  /// Whether the box contains an element.
  bool holds(const std::array<int, 3>& place) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (place[d] < first[d] || place[d] >= end[d]) return false;
    }
    return true;
  }
  /// Whether both boxes are equal.
  friend bool operator==(const ElementBox&, const ElementBox&) = default;
};

/// Mesh of the tissue of one germinal centre. Its elements are cubes; element (i, j, k) has the number (k elements[1] +
/// j) elements[0] + i. Nothing crosses the outer faces.
struct TissueMesh {
  std::array<int, 3> elements = {1, 1, 1};  ///< number in each direction
  double width = 50;                        ///< µm: edge length of an element
  std::vector<ElementBox> vessels;          ///< high endothelial venules, where cells enter from the blood
  std::vector<ElementBox> drains;           ///< where cells leave with the lymph
  std::vector<ElementBox> surface;          ///< elements below the epithelium, towards the saliva; may be empty

  /// Number of elements.
  int count() const { return elements[0] * elements[1] * elements[2]; }
  /// Volume of an element in µm³.
  double element_volume() const { return width * width * width; }
  /// Coordinates of an element.
  std::array<int, 3> place(int element) const {
    return {element % elements[0], element / elements[0] % elements[1], element / elements[0] / elements[1]};
  }

  /// Throws std::invalid_argument if a number of elements or the width is not positive, if there are more than
  /// `max_tissue_elements` elements, if a box is empty or leaves the mesh, or if there is no vessel or no drain.
  void check() const;
};

/// Largest number of elements of a centre.
inline constexpr int max_tissue_elements = 1 << 24;

/// Numbers of the elements in boxes, each once, in ascending order.
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

/// Number of directions in which an element has neighbours.
inline constexpr int direction_count = 6;

/// Neighbours in a mesh, for kernels.
struct ElementGrid {
  Kokkos::Array<int, 3> elements;  ///< number in each direction

  /// Grid of a mesh.
  static ElementGrid of(const TissueMesh& mesh) { return {{{mesh.elements[0], mesh.elements[1], mesh.elements[2]}}}; }

  /// Coordinates of an element.
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<int, 3> place(int element) const {
    const int row = element / elements[0], layer = row / elements[1];
    return {{element - row * elements[0], row - layer * elements[1], layer}};
  }

  /// Difference between the index of a neighbour and that of the element at `place`. The neighbour is below
  /// (`direction` 0, 2, 4) or above (1, 3, 5) in the first, second or third direction. The difference is 0 if there is
  /// no neighbour.
  KOKKOS_FORCEINLINE_FUNCTION int to_neighbour(const Kokkos::Array<int, 3>& place, int direction) const {
    // Run-time indices would move the arrays to device memory, so none are used.
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
                                    .append(", expected a range within 0 to ")
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
  sporos::impl::check_parameter(all <= max_tissue_elements, "number of elements of the mesh", all,
                                std::string("at most ").append(std::to_string(max_tissue_elements)));
  check_positive("width of an element", width);
  impl::check_boxes(*this, vessels, "vessels");
  impl::check_boxes(*this, drains, "drains");
  impl::check_boxes(*this, surface, "surface");
  if (vessels.empty())
    throw std::invalid_argument("the mesh has no vessels, expected at least one box where cells enter");
  if (drains.empty())
    throw std::invalid_argument("the mesh has no drains, expected at least one box where cells leave");
}

}  // namespace sporos::models
