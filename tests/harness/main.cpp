// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <csignal>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

namespace sporos {

// Returns the GoogleTest filter of all tests in tests/`file`. It is empty if there are none.
std::string filter_of(const std::string& file) {
  const auto& all = *testing::UnitTest::GetInstance();
  std::string filter;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const auto& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const auto& test = *suite.GetTestInfo(j);
      if (std::string_view(test.file()).ends_with("/tests/" + file))
        filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

// Runs only the tests in `files`, separated by commas, less those that the present filter excludes. Several tests of
// CTest share a program in this way. Returns whether each file has a test.
bool select_files(const std::string& files) {
  std::istringstream names(files);
  std::string filter;
  for (std::string file; std::getline(names, file, ',');) {
    const std::string of_file = filter_of(file);
    if (of_file.empty()) {
      std::cerr << "--files has " << file << ", which has no test\n";
      return false;
    }
    filter += of_file;
  }
  auto& present = testing::GTEST_FLAG(filter);
  present = filter + (present.starts_with('-') ? present : "");
  return true;
}

}  // namespace sporos

int main(int argc, char** argv) {
  // Restore the default action: shells make background programs ignore SIGINT, and some tests wait for its effect.
  std::signal(SIGINT, SIG_DFL);
  ::testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view option = "--files=";
  if (argc > 1 && std::string_view(argv[1]).starts_with(option) && !sporos::select_files(argv[1] + option.size())) {
    return 2;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
