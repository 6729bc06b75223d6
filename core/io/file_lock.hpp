// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace sporos::io {

/// A file that at most one object, of all processes, has at a time. The kernel lets go of it when a process ends,
/// however that may be; then the file may stay, and hinders nobody. It is known by the mark in it: a file of that name
/// that somebody else has made is left alone.
class FileLock {
 public:
  /// By the file `path`; does not yet try.
  explicit FileLock(std::string path) : m_path(std::move(path)) {}
  FileLock(const FileLock&) = delete;             ///< there is one
  FileLock& operator=(const FileLock&) = delete;  ///< there is one
  ~FileLock() {
    if (m_file && is_there()) ::unlink(m_path.c_str());  // before others can have it
  }

  /// Whether this object has it now. Throws std::invalid_argument where a file of that name is no lock, WriteError,
  /// about `name`, where none can be there.
  bool try_lock(const std::string& name) {
    while (true) {
      if (!open(name)) continue;  // the one before has just removed it
      if (::flock(m_file->get(), LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        m_file.reset();
        if (error != EWOULDBLOCK) throw WriteError(name, error);
        return false;
      }
      if (is_there()) {
        m_leftover.emplace(m_path.c_str());
        return true;
      }
      m_file.reset();
    }
  }

  /// Whether the file was there already: a process has ended without removing it.
  bool was_left() const { return m_was_left; }

 private:
  static constexpr std::string_view mark = "sporos lock\n";

  // Makes the file, or opens the one that is there; false where that has just gone.
  bool open(const std::string& name) {
    const int made = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    m_was_left = made < 0 && errno == EEXIST;
    if (!m_was_left) {
      m_file.emplace(made, name);
      impl::write_all(made, mark, name);
      return true;
    }
    const int found = ::open(m_path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (found < 0 && errno == ENOENT) return false;
    if (found < 0 && errno != EACCES) refuse();
    m_file.emplace(found, name);
    if (has_mark()) return true;
    m_file.reset();  // it is not to be removed
    refuse();
  }

  // Or nothing yet, as where its maker was killed at once: then only the mode tells it.
  bool has_mark() const {
    struct stat found;
    if (::fstat(m_file->get(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
    if (found.st_size == 0) return (found.st_mode & 0777) == mode;
    std::string text(mark.size() + 1, '\0');
    const ssize_t count = ::pread(m_file->get(), text.data(), text.size(), 0);
    return count >= 0 && std::string_view(text).substr(0, static_cast<std::size_t>(count)) == mark;
  }

  [[noreturn]] void refuse() const {
    throw std::invalid_argument(in_quotes(m_path) + " is there and is no lock of Sporos: expected no such file");
  }

  // Whether the file that is locked is still the one of that name.
  bool is_there() const {
    struct stat locked;
    struct stat named;
    return ::fstat(m_file->get(), &locked) == 0 && ::lstat(m_path.c_str(), &named) == 0 &&
           locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
  }

  static constexpr mode_t mode = 0600;

  std::string m_path;
  std::optional<impl::FileHandle> m_file;
  std::optional<Leftover> m_leftover;
  bool m_was_left = false;
};

}  // namespace sporos::io
