// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What a report is made of, whatever the command: sections of tables, pictures and text.
namespace sporos::runtime {

/// What stands in a field of a table, or beside a name.
struct PageText {
  std::string text;        ///< for people
  std::string exact = {};  ///< the number that it shortens, as JSON has it; empty where nothing is left out
};

/// A paragraph.
struct PageParagraph {
  std::string text;
};

/// Names and what there is to say of each.
struct PageFacts {
  std::vector<std::pair<std::string, PageText>> facts;
};

/// A column of a table.
struct PageColumn {
  std::string name;
  bool is_number = true;
};

/// A table; the first column names its row.
struct PageTable {
  std::string caption;  ///< above it; empty where the section's heading says it
  std::vector<PageColumn> columns;
  std::vector<std::vector<PageText>> rows;
  std::string label = {};  ///< its name for who cannot see it, in place of an empty caption
};

/// A picture, of the size that half a page has.
struct PagePicture {
  std::string title;   ///< above it
  std::string words;   ///< for who cannot see it: what it shows, with its numbers
  std::string script;  ///< of gnuplot, as io::svg_of takes it; sets no title
};

/// Text as a computer takes it.
struct PageCode {
  std::string text;
  std::string folded_behind = {};  ///< shown when that line is clicked; empty: at once
};

/// A part of a section.
using PageBlock = std::variant<PageParagraph, PageFacts, PageTable, PagePicture, PageCode>;

/// A heading and what stands below it.
struct PageSection {
  std::string heading;
  std::vector<PageBlock> blocks;
};

/// A page.
struct Document {
  std::string title;
  std::string lead;  ///< a sentence or two below it
  std::vector<PageSection> sections;
};

/// The page as HTML, all in one: its pictures are drawn and stand in it, and it names no other address. Whatever the
/// texts hold is shown as it is. For phones, for paper, and in light or dark as the reader's system has it. Throws as
/// io::svg_of does.
std::string html_of(const Document& document);

}  // namespace sporos::runtime
