// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Data of an animated picture of stations, which an HTML report shows.
namespace sporos::io {

/// Number of customers at a station from `time` on.
struct NumberStep {
  double time;  ///< time in the case's units
  int station;  ///< index of the station
  int number;   ///< number of customers at the station
};

/// A point of a picture, in pixels from its upper left corner.
struct PixelPoint {
  double x;  ///< distance from the left edge
  double y;  ///< distance from the upper edge
};

/// Number of servers of a station over time.
struct ServerSteps {
  /// Number of servers from each time on, the first at 0. Empty if customers never wait, because servers are unlimited
  /// or shared.
  std::vector<std::pair<double, int>> steps = {};
  double cycle = std::numeric_limits<double>::infinity();  ///< time after which the steps repeat; infinite if never
};

/// A station of an animated picture.
struct AnimatedStation {
  std::string name;        ///< name of the station
  PixelPoint at;           ///< upper left corner of its box
  ServerSteps servers;     ///< its servers
  double mean;             ///< time average of the number of customers
  std::vector<int> peaks;  ///< largest number of customers in each of equal parts of the period
};

/// A route of an animated picture.
struct AnimatedWay {
  std::vector<PixelPoint> line;  ///< polyline with an arrowhead at its end
  bool goes_back;                ///< whether it is dashed
};

/// Stations with routes, and the numbers of customers over time. Positions and sizes are in pixels.
struct StationAnimation {
  double width;                           ///< width of the picture
  double height;                          ///< height of the picture
  double box_width;                       ///< width of a station's box
  double box_height;                      ///< height of a station's box
  std::vector<AnimatedStation> stations;  ///< the stations
  std::vector<AnimatedWay> ways;          ///< the routes
  std::vector<NumberStep> steps;          ///< changes of the numbers, which are 0 at time 0, in order of time
  double end;                             ///< end of the period, which begins at 0
  double warm_up;                         ///< time before which nothing is observed
  std::string time_unit;                  ///< unit of all times
  std::string note;                       ///< which changes the animation shows
};

/// Still and animated picture of one replication.
struct StationTimeline {
  std::string picture;         ///< picture of the numbers of customers over time, as a script for PictureFile
  StationAnimation animation;  ///< animated picture
};

}  // namespace sporos::io
