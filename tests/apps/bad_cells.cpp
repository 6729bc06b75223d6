// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bad cells in CSV files. For every argument that reads CSV, each number of the file is replaced by a cell that is not
// a number. The command must compute nothing and print one line that names the file, the line, the column and the cell.
#include "csv_readers.hpp"
#include "no_backend.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sporos::test {
namespace bad_cells_tests {

const std::vector<std::string> cells = {".", "-", "missing", "#DIV/0!", "<0.5", "5.1 ms", "12%", "1.628,5", "x"};

std::string text_of(const io::CsvFile& file) {
  std::string text;
  io::append_csv_row(text, file.names);
  for (const auto& row : file.rows) io::append_csv_row(text, row);
  return text;
}

// Replaces each number in the columns that the command reads by each bad cell. Returns the number of cells tried.
std::size_t try_cells(const Folder& folder, const std::string& name, const std::string& line,
                      const std::string& only_column) {
  const std::string path = folder / name, whole = contents_of(path);
  const io::CsvFile file = io::parse_csv(path, whole);
  std::size_t tried = 0;
  for (std::size_t row = 0; row < file.rows.size(); ++row) {
    for (std::size_t column = 0; column < file.names.size(); ++column) {
      const bool is_read = only_column.empty() || only_column == file.names[column];
      if (!is_read || !io::number_of<double>(file.rows[row][column])) continue;
      for (const auto& cell : cells) {
        io::CsvFile broken = file;
        broken.rows[row][column] = cell;
        folder.write(name, text_of(broken));
        Ending ending = ending_of(arguments_in(folder, line));
        if (ending.has_started) {  // `sample` reads its points during the computation
          const Outcome outcome = run(first_program, arguments_in(folder, line));
          ending = {false, outcome.status, outcome.out, outcome.error};
        }
        EXPECT_EQ(ending.status, 2) << line << ": " << cell;
        EXPECT_EQ(ending.out, "");
        for (const std::string& part : {path, fmt::format("line {}", row + 2), file.names[column], "'" + cell + "'"}) {
          EXPECT_NE(ending.error.find(part), std::string::npos) << part << " in " << ending.error;
        }
        ++tried;
      }
    }
  }
  folder.write(name, whole);
  return tried;
}

TEST(BadCells, OfEveryArgumentAreRefused) {
  const Folder folder;
  write_csv_files(folder);
  std::size_t tried = 0;
  for (const CsvReader& reader : csv_readers) {
    if (reader.argument == "--network") continue;  // its numbers are names of nodes
    SCOPED_TRACE(reader.words + " " + reader.argument);
    const std::size_t more = try_cells(folder, reader.file, reader.line, reader.words == "fit" ? "A" : "");
    EXPECT_GT(more, 0u);
    tried += more;
  }
  folder.write("rates", "rate\n0.5\n0.75\n1.25\n0.625\n");
  const std::string input = "arrival-rate=mean(" + (folder / "rates") + ")";
  tried += try_cells(folder, "rates", "input-uncertainty mm1 --customers 5 --replications 64 --input " + input, "");
  EXPECT_GT(tried, 500u);
}

}  // namespace bad_cells_tests
}  // namespace sporos::test
