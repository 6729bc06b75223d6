// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace sporos::test {

/// A file with these contents; the destructor removes it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& contents)
      : m_path((std::filesystem::temp_directory_path() / "sporos-test-XXXXXX").string()) {
    const int file = ::mkstemp(m_path.data());
    if (file < 0) throw std::runtime_error("no temporary file");
    ::close(file);
    std::ofstream(m_path, std::ios::binary) << contents;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(m_path); }

  const std::string& path() const { return m_path; }

 private:
  std::string m_path;
};

/// Returns the error message of `load` for a file with these contents, without the file's name; empty if `load`
/// succeeds.
template <class Load>
std::string refusal_of(const Load& load, const std::string& contents) {
  const TemporaryFile file(contents);
  try {
    load(file.path());
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    return message.rfind(file.path(), 0) == 0 ? message.substr(file.path().size()) : message;
  }
  return "";
}

/// Path of a sample file that Sporos provides for users.
inline std::string sample_file(const std::string& name) { return SPOROS_SAMPLE_DATA "/" + name; }

}  // namespace sporos::test
