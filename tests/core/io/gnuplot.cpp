// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/text_file.hpp>

#include "harness/folder.hpp"
#include "harness/refusal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sporos::io {
namespace gnuplot_tests {

std::string failure(const std::string& path, const std::string& script = "plot 0\n") {
  try {
    PictureFile(path).draw(script);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

// Sets PATH to a folder without programs. The destructor restores it.
class NoPrograms {
 public:
  NoPrograms() : m_path(std::getenv("PATH")) { ::setenv("PATH", "/nonexistent", 1); }
  ~NoPrograms() { ::setenv("PATH", m_path.c_str(), 1); }

 private:
  std::string m_path;
};

class Gnuplot : public ::testing::Test {
 protected:
  test::Folder m_folder;
};

TEST_F(Gnuplot, DrawsInTheFormatOfTheName) {
  EXPECT_EQ(failure(m_folder / "a.svg"), "none");
  EXPECT_EQ(failure(m_folder / "a.png"), "none");
  EXPECT_NE(read_text_file(m_folder / "a.svg").find("<svg"), std::string::npos);
  EXPECT_EQ(read_text_file(m_folder / "a.png", max_mebibytes_of_text, FileContents::bytes).substr(0, 8),
            "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(m_folder.files().size(), 2u);
}

TEST_F(Gnuplot, ShowsTextAsItIs) {
  const std::string text = "a_b^2 it's \"<&>\" \\n σ\n\xff";
  EXPECT_EQ(in_gnuplot_quotes(text), "'a_b^2 it''s \"<&>\" \\n σ?\xEF\xBF\xBD'");
  PictureFile(m_folder / "a.svg").draw("set title " + in_gnuplot_quotes(text) + "\nplot 0\n");
  EXPECT_NE(read_text_file(m_folder / "a.svg").find(R"(a_b^2 it's "&lt;&amp;>" \n σ?)"), std::string::npos);
}

TEST_F(Gnuplot, LeavesNothingWhereItFails) {
  EXPECT_EQ(failure(m_folder / "a.svg", "plot nonsense(x)\n"),
            "cannot draw: gnuplot failed: line 0: undefined function: nonsense");
  EXPECT_EQ(failure(m_folder / "a.svg", ""), "cannot draw: the script plots nothing");
  EXPECT_EQ(failure(m_folder / "none/a.svg"),
            "cannot write '" + m_folder / "none/a.svg" + "': No such file or directory");
  EXPECT_EQ(m_folder.files().size(), 0u);
}

TEST_F(Gnuplot, KeepsThePictureThatWasThereWhereItFails) {
  PictureFile(m_folder / "a.svg").draw("plot 0\n");
  const std::string before = read_text_file(m_folder / "a.svg");
  EXPECT_NE(failure(m_folder / "a.svg", "plot 1\nplot nonsense(x)\n"), "none");
  EXPECT_EQ(read_text_file(m_folder / "a.svg"), before);
}

TEST_F(Gnuplot, RefusesOtherFormats) {
  for (const std::string name : {"a.pdf", "a", "svg", "a.svg.gz"}) {
    EXPECT_EQ(test::refusal([&] { PictureFile{name}; }),
              "picture is '" + name + "', expected a file name that ends with .svg or .png");
  }
}

TEST_F(Gnuplot, IsMissedBeforeAnythingIsDrawn) {
  const NoPrograms none;
  EXPECT_THROW(PictureFile(m_folder / "a.svg"), std::runtime_error);
  EXPECT_EQ(failure(m_folder / "a.svg"),
            "cannot draw: there is no gnuplot in PATH; install it (on Debian: apt-get install gnuplot-nox)");
}

}  // namespace gnuplot_tests
}  // namespace sporos::io
