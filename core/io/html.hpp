// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/printable.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

/// Text and pictures in an HTML page.
namespace sporos::io {

/// Escapes printable(text) for the text of a page, or for an attribute in double quotes.
inline std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

namespace impl {

// Removes each part that begins with `begin` and ends with `end`.
inline std::string without(const std::string& text, std::string_view begin, std::string_view end) {
  std::string rest;
  std::size_t from = 0;
  for (std::size_t place; (place = text.find(begin, from)) != std::string::npos;) {
    rest.append(text, from, place - from);
    const std::size_t last = text.find(end, place);
    from = last == std::string::npos ? text.size() : last + end.size();
  }
  return rest.append(text, from);
}

inline std::string with_replaced(const std::string& text, std::string_view old, std::string_view by) {
  std::string result;
  std::size_t from = 0;
  for (std::size_t place; (place = text.find(old, from)) != std::string::npos; from = place + old.size()) {
    result.append(text, from, place - from).append(by);
  }
  return result.append(text, from);
}

// Removes empty groups, which are more than half of gnuplot's.
inline std::string without_empty_groups(const std::string& text) {
  std::string rest;
  std::size_t from = 0;
  for (std::size_t place; (place = text.find("<g ", from)) != std::string::npos;) {
    const std::size_t inside = text.find_first_not_of(" \t\n", text.find('>', place) + 1);
    const bool is_empty = inside != std::string::npos && text.compare(inside, 4, "</g>") == 0;
    rest.append(text, from, place - from);
    from = is_empty ? inside + 4 : place + 3;
    if (!is_empty) rest += "<g ";
  }
  return rest.append(text, from);
}

// Writes colours as #rrggbb.
inline std::string with_hexadecimal_colours(const std::string& text) {
  std::string result;
  std::size_t from = 0;
  for (std::size_t place; (place = text.find("rgb(", from)) != std::string::npos;) {
    result.append(text, from, place - from);
    int red = 0, green = 0, blue = 0, length = 0;
    const std::string colour = text.substr(place, 24);
    std::sscanf(colour.c_str(), "rgb(%3d,%3d,%3d)%n", &red, &green, &blue, &length);
    if (length > 0) {
      result += fmt::format("#{:02x}{:02x}{:02x}", red & 255, green & 255, blue & 255);
      from = place + static_cast<std::size_t>(length);
    } else {  // part of a label
      result += "rgb(";
      from = place + 4;
    }
  }
  return with_replaced(result.append(text, from), "\"black\"", "\"#000000\"");
}

}  // namespace impl

/// Turns an SVG of gnuplot into an element of an HTML page, without its header, its titles and its empty groups. Its
/// ids begin with `id`, which no other picture of the page may use. Its colours are hexadecimal, so that a style sheet
/// can change them. Screen readers read `title` and `words`. Throws std::invalid_argument if `svg` is no SVG of
/// gnuplot.
inline std::string inline_svg(const std::string& svg, const std::string& id, std::string_view title,
                              std::string_view words) {
  const std::size_t from = svg.find("<g id=\"gnuplot_canvas\">"), box = svg.find("viewBox=\"");
  if (from == std::string::npos || box == std::string::npos)
    throw std::invalid_argument("the picture is not an SVG of gnuplot");
  std::string body = impl::without(svg.substr(from), "<title>", "</title>");
  body = impl::without(body, "<filter ", "</filter>");
  body = impl::without(body, "<rect x=\"0\" y=\"0\" ", "/>");
  body = impl::with_hexadecimal_colours(impl::without_empty_groups(body));
  for (const std::string name : {"id='", "id=\"", "xlink:href='#"}) {
    body = impl::with_replaced(body, name + 'g', name + id + "-g");
  }
  return fmt::format(
      "<svg {} xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\" "
      "aria-labelledby=\"{}-title\" aria-describedby=\"{}-words\">\n<title id=\"{}-title\">{}</title>\n"
      "<desc id=\"{}-words\">{}</desc>\n{}",
      svg.substr(box, svg.find('"', box + 9) + 1 - box), id, id, id, html_text(title), id, html_text(words), body);
}

}  // namespace sporos::io
