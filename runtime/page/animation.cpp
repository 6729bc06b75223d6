// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the still parts of an animated picture, the parts that the script shows and hides, and the data. All positions
// are in this file; the script changes only attributes.
#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/html.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/picture_parts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sporos::runtime {

namespace {

using io::AnimatedStation;
using io::AnimatedWay;
using io::html_text;
using io::StationAnimation;

constexpr double inset = 8, name_y = 18, servers_y = 27, queue_y = 43, count_y = 78, curve_y = 84, curve_height = 22;
constexpr double pitch = 12, server_size = 9, dot_radius = 3.6;
constexpr int marks_in_row = 12, queue_rows = 2;

double inner_width(const StationAnimation& animation) { return animation.box_width - 2 * inset; }

int peak_of(const AnimatedStation& station) { return std::ranges::max(station.peaks); }

// Returns the largest number of servers over time; 0 if servers are not shown.
int max_servers(const AnimatedStation& station) {
  int most = 0;
  for (const auto& [time, servers] : station.servers.steps) most = std::max(most, servers);
  return most;
}

// Returns the largest number of customers in the queue that the picture has room for.
int max_waiting(const AnimatedStation& station) {
  int fewest = max_servers(station);
  for (const auto& [time, servers] : station.servers.steps) fewest = std::min(fewest, servers);
  return std::max(peak_of(station) - fewest, 0);
}

// Returns a name that fits into a box, without control characters.
std::string short_name(const std::string& name) {
  constexpr std::size_t most = 18;
  const std::string text = io::printable(name);
  std::size_t characters = 0, cut = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;  // continues a character in UTF-8
    if (++characters == most) cut = i;
  }
  return characters > most ? text.substr(0, cut) + "\u2026" : text;
}

std::string still_text(const AnimatedStation& station) {
  return fmt::format("average {}, at most {}", io::picture_number(station.mean, 2), peak_of(station));
}

// Returns the path of an arrow, and its head.
std::string html_of(const AnimatedWay& way) {
  constexpr double length = 8, half_width = 3.5;
  std::string path;
  for (const auto& [x, y] : way.line) path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
  const io::PixelPoint tip = way.line.back();
  std::size_t place = way.line.size() - 1;
  while (place > 0 && std::hypot(way.line[place].x - tip.x, way.line[place].y - tip.y) < length) --place;
  const double dx = tip.x - way.line[place].x, dy = tip.y - way.line[place].y,
               size = std::max(std::hypot(dx, dy), 1e-9);
  const double ux = dx / size, uy = dy / size, x = tip.x - length * ux, y = tip.y - length * uy;
  return fmt::format(
      "<path class=\"way{}\" d=\"{}\"/><path class=\"head\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n",
      way.goes_back ? " back" : "", path, tip.x, tip.y, x - half_width * uy, y + half_width * ux, x + half_width * uy,
      y - half_width * ux);
}

// Returns the curve of the largest numbers over time as an area. The curve of the number `top` is as high as possible.
std::string curve_of(const AnimatedStation& station, double width, int top) {
  const double step = width / static_cast<double>(station.peaks.size()), highest = std::max(top, 1);
  const auto y_of = [&](int number) { return curve_y + curve_height * (1 - number / highest); };
  std::string path = fmt::format("M{} {:.1f}", inset, y_of(0));
  int before = 0;
  for (std::size_t i = 0; i < station.peaks.size(); ++i) {
    if (station.peaks[i] == before) continue;
    path += fmt::format("H{:.1f}V{:.1f}", inset + static_cast<double>(i) * step, y_of(station.peaks[i]));
    before = station.peaks[i];
  }
  return fmt::format("<path class=\"curve\" d=\"{}H{:.1f}V{:.1f}Z\"/>", path, inset + width, y_of(0));
}

// Returns the marks of servers that are in use and their frames: a square for each server, or a bar for many servers.
std::string servers_of(const AnimatedStation& station, double width) {
  const int servers = max_servers(station);
  if (servers == 0) return "";
  const auto rectangle = [](const char* kind, double x, double length, int most) {
    return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"{}/>", kind, x,
                       servers_y, length, server_size,
                       most > 0 ? fmt::format(" data-length=\"{:.1f}\" data-most=\"{}\"", length, most) : "");
  };
  if (servers > marks_in_row)
    return rectangle("frame", inset, width, 0) + rectangle("moving used", inset, width, servers);
  std::string marks;
  for (int i = 0; i < servers; ++i) marks += rectangle("frame", inset + i * pitch, server_size, 0);
  for (int i = 0; i < servers; ++i) marks += rectangle("moving used", inset + i * pitch, server_size, 0);
  return marks;
}

// Returns the marks of customers who wait, or of all customers where nobody waits: a dot for each, or a bar for many.
std::string queue_of(const AnimatedStation& station, double width) {
  const char* const kind = station.servers.steps.empty() ? "moving here" : "moving waits";
  const int most = max_waiting(station);
  if (most > marks_in_row * queue_rows) {
    return fmt::format(
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" data-length=\"{:.1f}\" data-most=\"{}\"/>",
        kind, inset, queue_y, width, server_size, width, most);
  }
  std::string marks;
  for (int i = 0; i < most; ++i) {
    marks += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", kind,
                         inset + server_size / 2 + i % marks_in_row * pitch,
                         queue_y + server_size / 2 + (i / marks_in_row) * pitch, dot_radius);
  }
  return marks;
}

std::string html_of(const AnimatedStation& station, const StationAnimation& animation, int top) {
  const double width = inner_width(animation);
  return fmt::format(
      "<g class=\"station\" transform=\"translate({:.1f} {:.1f})\"><title>{}</title>"
      "<rect class=\"box\" width=\"{}\" height=\"{}\" rx=\"4\"/><text class=\"name\" x=\"{}\" y=\"{}\">{}</text>\n"
      "{}\n{}\n{}<path class=\"moving cursor\" d=\"M{} {}v{}\"/>\n<text class=\"still\" x=\"{}\" y=\"{}\">{}</text>"
      "<text class=\"moving count\" x=\"{}\" y=\"{}\"></text></g>\n",
      station.at.x, station.at.y, html_text(station.name), animation.box_width, animation.box_height, inset, name_y,
      html_text(short_name(station.name)), servers_of(station, width), queue_of(station, width),
      curve_of(station, width, top), inset, curve_y - 2, curve_height + 4, inset, count_y,
      html_text(still_text(station)), inset, count_y);
}

// Returns JSON that is also text of HTML and XML.
std::string json_in_html(const io::Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, io::Json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&') {
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text;
}

io::Json data_of(const StationAnimation& animation) {
  const auto short_number = [](double value) { return io::Json(std::stod(fmt::format("{:.7g}", value))); };
  io::Json stations = io::Json::array(), times = io::Json::array(), places = io::Json::array(),
           numbers = io::Json::array();
  for (const AnimatedStation& station : animation.stations) {
    io::Json servers = io::Json::array();
    for (const auto& [time, count] : station.servers.steps) servers.push_back(io::Json::array({time, count}));
    stations.push_back({{"name", io::printable(station.name)},
                        {"servers", std::move(servers)},
                        {"cycle", io::json_number(station.servers.cycle)}});
  }
  for (const auto& [time, station, number] : animation.steps) {
    times.push_back(short_number(time));
    places.push_back(station);
    numbers.push_back(number);
  }
  return {{"end", animation.end},
          {"warm_up", animation.warm_up},
          {"unit", animation.time_unit},
          {"curve_width", inner_width(animation)},
          {"stations", std::move(stations)},
          {"times", std::move(times)},
          {"places", std::move(places)},
          {"numbers", std::move(numbers)}};
}

// Returns the choices of simulated time per second, of the form 1, 2 or 5 times a power of ten. The slowest takes at
// most four minutes for the whole period.
std::string speeds_of(const StationAnimation& animation) {
  constexpr double slowest = 240;  // seconds
  constexpr int choices = 5, chosen = 2;
  std::string options;
  double power = std::pow(10.0, std::floor(std::log10(animation.end / slowest)));
  for (int count = 0; count < choices; power *= 10) {
    for (const double times : {1, 2, 5}) {
      const double speed = times * power;
      if (count == choices || speed * slowest < animation.end) continue;
      options += fmt::format("<option value=\"{0:.6g}\"{2}>{0:.6g} {1} per second</option>", speed,
                             html_text(animation.time_unit), count == chosen ? " selected=\"selected\"" : "");
      ++count;
    }
  }
  return options;
}

std::string controls_of(const StationAnimation& animation) {
  return fmt::format(
      "<div class=\"controls\" hidden=\"hidden\"><button type=\"button\" class=\"play\">Play</button>"
      "<input type=\"range\" min=\"0\" max=\"1000\" value=\"0\" aria-label=\"time in {}\"/>"
      "<output aria-live=\"off\"></output><label>Speed <select>{}</select></label>"
      "<button type=\"button\" class=\"averages\">Show averages</button></div>\n"
      "<p class=\"unseen\" role=\"status\"></p>\n",
      html_text(animation.time_unit), speeds_of(animation));
}

// Returns the numbers of the still picture in words.
std::string words_of(const StationAnimation& animation) {
  std::string words;
  for (const AnimatedStation& station : animation.stations) {
    words += fmt::format("{}{}: on average {} customers, at most {}", words.empty() ? "" : "; ", station.name,
                         io::picture_number(station.mean, 2), peak_of(station));
  }
  return words + ".";
}

std::string legend_of(const StationAnimation& animation) {
  const auto has_queue = [](const AnimatedStation& station) { return !station.servers.steps.empty(); };
  std::string text = "Curves: number of customers at the station over time.";
  if (std::ranges::any_of(animation.stations, has_queue)) {
    text +=
        " Squares: servers, filled by as many customers as there are at the station; blocked and broken-down servers "
        "count as well. Dots: all other customers, who wait.";
  }
  if (!std::ranges::all_of(animation.stations, has_queue))
    text += " Dots without squares: customers at unlimited or shared servers.";
  return text + " A bar replaces many squares or dots.";
}

}  // namespace

std::string html_of(const PageAnimation& picture, const std::string& id) {
  const StationAnimation& animation = picture.animation;
  const std::string title = html_text(picture.title);
  std::string parts;
  for (const AnimatedWay& way : animation.ways) parts += html_of(way);
  for (std::size_t i = 0; i < animation.stations.size(); ++i) {
    const AnimatedStation& station = animation.stations[i];
    parts += html_of(station, animation, picture.tops.empty() ? peak_of(station) : picture.tops[i]);
  }
  return fmt::format(
      "<figure class=\"animation\">\n<figcaption>{0}</figcaption>\n{7}<div class=\"wide\" role=\"region\" "
      "tabindex=\"0\" "
      "aria-label=\"{0}\">\n"
      "<svg viewBox=\"0 0 {1:.0f} {2:.0f}\" style=\"width: {1:.0f}px; min-width: {3:.0f}px\" "
      "xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"{4}-title\" "
      "aria-describedby=\"{4}-words\">\n<title id=\"{4}-title\">{0}</title>\n<desc id=\"{4}-words\">{5}</desc>\n"
      "{6}</svg>\n</div>\n<p>{8}</p>\n{9}<script type=\"application/json\">{10}</script>\n</figure>\n",
      title, animation.width, animation.height, 0.85 * animation.width, id, html_text(words_of(animation)), parts,
      picture.is_led ? "" : controls_of(animation), html_text(animation.note),
      picture.is_led ? "" : fmt::format("<p>{}</p>\n", html_text(legend_of(animation))),
      json_in_html(data_of(animation)));
}

}  // namespace sporos::runtime
