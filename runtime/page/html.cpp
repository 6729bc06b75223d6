// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/animation.hpp>
#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/page/style.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/html.hpp>

#include <cstddef>
#include <string>

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
