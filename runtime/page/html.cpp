// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/html.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace sporos::runtime {

namespace {

using io::html_text;

std::string field(const PageText& text) {
  if (text.exact.empty()) return html_text(text.text);
  return fmt::format("<data value=\"{}\">{}</data>", html_text(text.exact), html_text(text.text));
}

// Writes the blocks of a page and numbers its pictures.
class BlockWriter {
 public:
  std::string operator()(const PageParagraph& paragraph) {
    return fmt::format("<p>{}</p>\n", html_text(paragraph.text));
  }

  std::string operator()(const PageFacts& facts) {
    std::string text = "<dl>\n";
    for (const auto& [name, value] : facts.facts) {
      text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(name), field(value));
    }
    return text + "</dl>\n";
  }

  // A table that is wider than the page scrolls separately, also by keyboard.
  std::string operator()(const PageTable& table) {
    const bool is_seen = !table.caption.empty();
    const std::string caption = html_text(is_seen ? table.caption : table.label);
    std::string text = fmt::format(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" "
        "aria-label=\"{0}\"><table>\n<caption{1}><span>{0}</span></caption>\n<thead><tr>",
        caption, is_seen ? "" : " class=\"unseen\"");
    const auto kind_of = [&](std::size_t column) { return table.columns[column].is_number ? " class=\"number\"" : ""; };
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      text += fmt::format("<th scope=\"col\"{}>{}</th>", kind_of(i), html_text(table.columns[i].name));
    }
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      text += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) {
        text += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", kind_of(i), field(row[i]))
                       : fmt::format("<td{}>{}</td>", kind_of(i), field(row[i]));
      }
      text += "</tr>\n";
    }
    return text + "</tbody>\n</table></div>\n";
  }

  std::string operator()(const PagePicture& picture) {
    constexpr int width = 480, height = 320;
    const std::string script = "set pointintervalbox 1e-4\n" + picture.script;  // avoids white discs behind points
    return fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", html_text(picture.title),
                       io::inline_svg(io::svg_of(script, width, height), fmt::format("picture{}", ++m_pictures),
                                      picture.title, picture.words));
  }

  std::string operator()(const PageAnimation& animation) {
    return html_of(animation, fmt::format("animation{}", ++m_animations));
  }

  std::string operator()(const PageCode& code) {
    // Escapes line by line, because html_text replaces characters that do not print, such as line ends.
    std::string lines;
    for (std::size_t from = 0, end = 0; end != std::string::npos && from < code.text.size(); from = end + 1) {
      end = code.text.find('\n', from);
      lines += html_text(code.text.substr(from, end == std::string::npos ? end : end - from)) + '\n';
    }
    const std::string text = fmt::format("<pre tabindex=\"0\"><code>{}</code></pre>\n", lines);
    if (code.summary_line.empty()) return text;
    return fmt::format("<details><summary>{}</summary>\n{}</details>\n", html_text(code.summary_line), text);
  }

  // Returns the script that the blocks need; empty if they need none.
  std::string script() const { return m_animations > 0 ? animation_script() : ""; }

 private:
  int m_pictures = 0, m_animations = 0;
};

// Puts consecutive pictures side by side if there is room.
std::string html_of(const PageSection& section, BlockWriter& write) {
  std::string text = fmt::format("<section>\n<h2>{}</h2>\n", html_text(section.heading));
  bool in_pictures = false;
  for (const PageBlock& block : section.blocks) {
    const bool is_picture = std::holds_alternative<PagePicture>(block);
    if (is_picture != in_pictures) text += is_picture ? "<div class=\"pictures\">\n" : "</div>\n";
    in_pictures = is_picture;
    text += std::visit(write, block);
  }
  return text + (in_pictures ? "</div>\n" : "") + "</section>\n";
}

constexpr std::string_view layout = R"(:root {
  --page: #ffffff; --text: #1b1f24; --quiet: #57606a; --line: #d5dae0; --shade: #f5f7f9; --accent: #0072b2; --second: #b34700;
}
@media screen and (prefers-color-scheme: dark) {
  :root { --page: #14181d; --text: #e4e8ec; --quiet: #a3adb8; --line: #3a424c; --shade: #1e242b; --accent: #6bbbee; --second: #ff9a5c; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 64rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word;
}
h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.25rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: 1.2rem; }
header p { margin: 0; color: var(--quiet); }
p { margin: .5rem 0; max-width: 46rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem 1rem; margin: .75rem 0; }
dt { color: var(--quiet); font-size: .875rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
@media (min-width: 40rem) { dl { grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); } }
.wide { overflow-x: auto; margin: .75rem 0; }
.wide:focus-visible, pre:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
caption { padding: .25rem 0 .4rem; color: var(--quiet); text-align: left; font-size: .875rem; }
caption span { display: inline-block; position: sticky; left: 0; width: max-content; max-width: min(calc(100vw - 2rem), 46rem); }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--quiet); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem 1.5rem; margin: 1rem 0; }
figure { margin: 0; min-width: 0; }
caption.unseen { padding: 0; line-height: 0; }
caption.unseen span, p.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
figcaption { font-weight: 600; font-size: .9375rem; }
svg { display: block; width: 100%; height: auto; }
.animation { margin: 1rem 0; }
.animation svg { max-width: 100%; font-size: 11px; }
.animation > p { max-width: none; color: var(--quiet); font-size: .875rem; }
.animation text { fill: var(--text); }
.animation .name { font-size: 13px; font-weight: 600; }
.animation .box, .animation .frame { fill: var(--shade); stroke: var(--quiet); }
.animation .way, .animation .cursor { fill: none; stroke: var(--quiet); }
.animation .back { stroke-dasharray: 5 3; }
.animation .head { fill: var(--quiet); }
.animation .used, .animation .here { fill: var(--accent); }
.animation .waits { fill: var(--second); }
.animation .curve { fill: var(--accent); fill-opacity: .35; }
.animation .cursor { stroke: var(--text); }
.animation:not(.moves) .moving, .animation.moves .still { display: none; }
.animation:not(.moves) .frame { visibility: visible !important; }
.controls:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin: .5rem 0; }
.controls input { flex: 1 1 12rem; accent-color: var(--accent); }
.controls output { min-width: 11rem; font-variant-numeric: tabular-nums; }
.controls button, .controls select { padding: .2rem .7rem; font: inherit; font-size: .9375rem; }
pre { margin: .5rem 0; padding: .75rem; background: var(--shade); border: 1px solid var(--line); border-radius: .4rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem; }
summary { cursor: pointer; color: var(--accent); }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-after: avoid; }
  figure, tr, dl div { break-inside: avoid; }
  .wide, pre { overflow: visible; }
  table { font-size: 8.5pt; }
  .pictures { grid-template-columns: 1fr 1fr; }
  details:not([open]), .controls:not([hidden]), .animation.moves .moving { display: none; }
  .animation.moves .still { display: inline; }
  .animation.moves .frame { visibility: visible !important; }
  .animation svg { min-width: 0 !important; }
}
)";

// A color of pictures in the light color scheme, and its replacement in the dark one.
struct Colour {
  std::string_view light, dark;
};
constexpr std::array all_colours{
    Colour{"#000000", "#e4e8ec"}, Colour{"#707070", "#8d97a2"}, Colour{"#e4e4e4", "#2c343d"},
    Colour{"#0072b2", "#6bbbee"}, Colour{"#d55e00", "#ff9a5c"}, Colour{"#009e73", "#3fcf9f"},
    Colour{"#cc79a7", "#e5a3c8"}, Colour{"#e69f00", "#f0bb4a"}, Colour{"#56b4e9", "#56b4e9"},
    Colour{"#cfd6dd", "#4a545f"}, Colour{"#b8cfe0", "#3d5a70"}, Colour{"#e3eef6", "#20303d"},
    Colour{"#a6cbe3", "#2f536b"}, Colour{"#f0e6c8", "#4b4227"}, Colour{"#ffffff", "#14181d"}};

// Returns the style sheet of reports. It supports phones, paper and the reader's light or dark color scheme, also in
// pictures.
std::string page_style() {
  std::string text(layout);
  text += "@media screen and (prefers-color-scheme: dark) {\n";
  for (const auto& [light, dark] : all_colours) {
    for (const char* what : {"fill", "stroke", "color"}) {
      text += fmt::format("  svg [{0}=\"{1}\"] {{ {0}: {2}; }}\n", what, light, dark);
    }
  }
  return text + "}\n";
}

}  // namespace

std::string html_of(const Document& document) {
  BlockWriter write;
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<main>\n",
      html_text(document.title), page_style(), html_text(document.title), html_text(document.lead));
  for (const PageSection& section : document.sections) text += html_of(section, write);
  return text + "</main>\n" + write.script() + "</body>\n</html>\n";
}

}  // namespace sporos::runtime
