// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::test {

/// Temporary folder for a test. The destructor removes it.
class Folder {
 public:
  Folder() : m_path((std::filesystem::temp_directory_path() / "sporos-test-XXXXXX").string()) {
    if (::mkdtemp(m_path.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(m_path); }

  /// Path of the folder.
  const std::string& path() const { return m_path; }

  /// Path of the file `name` in the folder.
  std::string operator/(const std::string& name) const { return m_path + "/" + name; }

  /// Writes a file in the folder and returns its path.
  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(*this / name, std::ios::binary) << contents;
    return *this / name;
  }

  /// Sorted names of the files in the folder.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(m_path)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::string m_path;
};

}  // namespace sporos::test
