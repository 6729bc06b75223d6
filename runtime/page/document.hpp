// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/station_animation.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

/// Parts of an HTML report, the same for every command: sections of tables, pictures and text.
namespace sporos::runtime {

/// Text of a table's field or of a named value.
struct PageText {
  std::string text;        ///< human-readable text
  std::string exact = {};  ///< number that the text shortens, in all digits as in JSON; empty if nothing is omitted
};

/// A paragraph.
struct PageParagraph {
  std::string text;
};

/// Named values.
struct PageFacts {
  std::vector<std::pair<std::string, PageText>> facts;
};

/// A column of a table.
struct PageColumn {
  std::string name;
  bool is_number = true;
};

/// A table. The first field of each row is its heading.
struct PageTable {
  std::string caption;  ///< text above the table; empty if the section's heading suffices
  std::vector<PageColumn> columns;
  std::vector<std::vector<PageText>> rows;
  std::string label = {};  ///< name for screen readers if the caption is empty
};

/// A picture of half the page's width.
struct PagePicture {
  std::string title;   ///< text above the picture
  std::string words;   ///< description for screen readers, with the picture's numbers
  std::string script;  ///< gnuplot script for io::svg_of; it sets no title
};

/// An animated picture of stations, as wide as the page.
struct PageAnimation {
  std::string title;               ///< text above the picture
  io::StationAnimation animation;  ///< the stations
  bool is_led = false;             ///< whether the controls of the animated picture before it move it, too
  std::vector<int> tops = {};      ///< number at the top of each station's curve; empty if it is the largest number
};

/// Preformatted text, such as a command or JSON.
struct PageCode {
  std::string text;
  std::string summary_line = {};  ///< line that unfolds the text when clicked; if empty, the text is always visible
};

/// A part of a section.
using PageBlock = std::variant<PageParagraph, PageFacts, PageTable, PagePicture, PageAnimation, PageCode>;

/// A heading with the blocks below it.
struct PageSection {
  std::string heading;
  std::vector<PageBlock> blocks;
};

/// An HTML page.
struct Document {
  std::string title;
  std::string lead;  ///< a sentence or two below the title
  std::vector<PageSection> sections;
};

/// Returns the page as one self-contained HTML text with inline pictures and without links to other addresses. It
/// forbids browsers to load anything else. Only a page with an animated picture has a script. Texts are escaped, so
/// that a browser shows them verbatim. The layout suits phones and paper, and follows the reader's light or dark color
/// scheme. Throws the same exceptions as io::svg_of.
std::string html_of(const Document& document);

/// Returns an animated picture as an HTML element. Its ids begin with `id`, which no other element of the page may use.
/// Without scripts and on paper, the element is a still picture with averages. animation_script() moves it.
std::string html_of(const PageAnimation& picture, const std::string& id);

/// Returns the element with the script that moves all animated pictures above it.
std::string animation_script();

}  // namespace sporos::runtime
