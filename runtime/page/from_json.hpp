// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/page/document.hpp>

#include <sporos/core/io/json.hpp>

#include <initializer_list>
#include <string>
#include <vector>

/// Parts of a page from a result as JSON has it.
namespace sporos::runtime {

/// A value for people: a number in six digits, with all of them beside it; a list with commas; null is empty.
PageText page_text(const io::Json& value);

/// A number with the decimals that its half-width lets one believe.
PageText page_text(const io::Json& value, const io::Json& half_width);

/// A column of a table, from objects.
struct JsonColumn {
  std::string pointer;          ///< of its member in each object, as "/mean"
  std::string name;             ///< of the column
  std::string half_width = {};  ///< pointer to the half-width that says how many decimals the number is shown with
};

/// A row for each object of `rows`; columns that would be empty are left out.
PageTable page_table(const std::string& caption, const io::Json& rows, const std::vector<JsonColumn>& columns);

/// Those members of an object, as far as it has them, in this order.
io::Json json_members(const io::Json& object, std::initializer_list<const char*> names);

/// The members of `object` that are no objects, by their names with blanks in place of underscores; those that are null
/// are left out, and the members of objects stand after their object's name.
PageFacts page_facts(const io::Json& object);

}  // namespace sporos::runtime
