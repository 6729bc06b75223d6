// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <vector>

/// Positions of stations and routes in pictures of networks.
namespace sporos::models {

/// A point of a layout, in inches from the lower left corner.
struct LayoutPoint {
  double x;  ///< distance from the left edge
  double y;  ///< distance from the lower edge
};

/// A connection between two stations.
struct LayoutWay {
  std::vector<LayoutPoint> line;  ///< polyline from box to box
  bool goes_back;                 ///< whether it leads to the left
};

/// Positions of all parts of a picture of a network, in inches.
struct NetworkLayout {
  double width;                       ///< width of the picture
  double height;                      ///< height of the picture
  double box_width;                   ///< width of a station's box
  double box_height;                  ///< height of a station's box
  std::vector<LayoutPoint> stations;  ///< centres of the boxes
  std::vector<LayoutWay> ways;        ///< connections between different stations
  std::vector<int> entries;           ///< stations where customers arrive from outside
  std::vector<int> exits;             ///< stations from which customers leave the network
};

/// Places the stations from left to right in the order in which customers reach them. Graphviz's `dot` makes the layout
/// if it is installed and there are not too many routes for it. Otherwise the stations form a grid with straight
/// routes. `gap` is the distance between neighbouring columns.
NetworkLayout network_layout(const NetworkDescription& network, double box_width, double box_height, double gap);

}  // namespace sporos::models
