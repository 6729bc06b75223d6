// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/number.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sporos::io {

/// What could not be written, and why.
class WriteError : public std::runtime_error {
 public:
  /// For the file or stream `name`; `error` is an errno.
  WriteError(const std::string& name, int error)
      : std::runtime_error("cannot write " + name + ": " + std::strerror(error)) {}
  /// `other`, and what is to be said beside it.
  WriteError(const WriteError& other, const std::string& more) : std::runtime_error(other.what() + more) {}
};

namespace impl {

// Writes all of `text` to an open file.
inline void write_all(int file, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw WriteError(name, errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

// An open file. Closing can fail too, where a disk is full or a server gone.
class FileHandle {
 public:
  FileHandle(int file, std::string name) : m_file(file), m_name(std::move(name)) {
    if (m_file < 0) throw WriteError(m_name, errno);
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle() {
    if (m_file >= 0) ::close(m_file);
  }

  int get() const { return m_file; }

  void close() {
    if (::close(std::exchange(m_file, -1)) != 0) throw WriteError(m_name, errno);
  }

 private:
  int m_file;
  std::string m_name;
};

// A new file in a folder, gone again unless it has been renamed: of that name, or of one that no other file has.
class TemporaryFile {
 public:
  TemporaryFile(const std::filesystem::path& folder, const std::string& target, const std::string& name = "")
      : m_path((folder / (name.empty() ? ".sporos-XXXXXX" : name)).string()),
        m_file(name.empty() ? ::mkostemp(m_path.data(), O_CLOEXEC)
                            : ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600),
               target) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!m_renamed) ::unlink(m_path.c_str());
  }

  FileHandle& file() { return m_file; }

  bool rename_to(const std::filesystem::path& path) {
    m_renamed = std::rename(m_path.c_str(), path.c_str()) == 0;
    return m_renamed;
  }

 private:
  std::string m_path;
  FileHandle m_file;
  bool m_renamed = false;
};

// Brings the names of a folder's files to the disk, where its file system can.
inline void sync_folder(const std::filesystem::path& folder, const std::string& name) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;  // a folder that may be written but not read
  FileHandle handle(file, name);
  if (::fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP) throw WriteError(name, errno);
}

}  // namespace impl

/// Writes `text` to standard output, past any buffer, and throws WriteError where that fails.
inline void write_standard_output(std::string_view text) { impl::write_all(STDOUT_FILENO, text, "standard output"); }

/// A file that appears under its name with all of its contents or not at all. Whether it can be written is known before
/// there is anything to write. What is not a regular file, such as a device or a pipe, is written directly.
class OutputFile {
 public:
  /// Throws WriteError where the file could not be written now. Leaves no trace. Until it is whole it is called
  /// `temporary`, in the same folder, or where that is empty, as no other file.
  explicit OutputFile(const std::string& path, std::string temporary = "")
      : m_name(in_quotes(path)), m_path(path), m_temporary(std::move(temporary)) {
    std::error_code error;
    const auto status = std::filesystem::status(m_path, error);
    m_is_special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    if (std::filesystem::is_directory(status)) throw WriteError(m_name, EISDIR);
    if (std::filesystem::exists(status)) {
      if (::access(m_path.c_str(), W_OK) != 0) throw WriteError(m_name, errno);
      if (!m_is_special) m_path = std::filesystem::canonical(m_path);  // a link stays; its target is replaced
    } else if (status.type() != std::filesystem::file_type::not_found) {
      throw WriteError(m_name, error.value());
    } else if (!m_path.has_filename()) {
      throw WriteError(m_name, path.empty() ? ENOENT : EISDIR);
    }
    if (!m_is_special) impl::TemporaryFile(folder(), m_name, m_temporary);
  }

  /// Writes the contents, to the disk; throws WriteError where that fails. What was there before stays whole until
  /// then, whatever happens.
  void write(std::string_view text) const {
    if (m_is_special) {
      impl::FileHandle file(::open(m_path.c_str(), O_WRONLY | O_CLOEXEC), m_name);
      impl::write_all(file.get(), text, m_name);
      file.close();
      return;
    }
    impl::TemporaryFile temporary(folder(), m_name, m_temporary);
    impl::write_all(temporary.file().get(), text, m_name);
    if (::fchmod(temporary.file().get(), mode()) != 0 || ::fsync(temporary.file().get()) != 0) {
      throw WriteError(m_name, errno);
    }
    temporary.file().close();
    if (!temporary.rename_to(m_path)) throw WriteError(m_name, errno);
    impl::sync_folder(folder(), m_name);
  }

 private:
  std::filesystem::path folder() const { return m_path.has_parent_path() ? m_path.parent_path() : "."; }

  // The mode of the file that is replaced, or of any new file.
  mode_t mode() const {
    struct stat old;
    if (::stat(m_path.c_str(), &old) == 0) return old.st_mode & 07777;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
  }

  std::string m_name;
  std::filesystem::path m_path;
  std::string m_temporary;
  bool m_is_special = false;
};

}  // namespace sporos::io
