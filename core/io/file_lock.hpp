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

/// Lock file that at most one object in all processes holds at a time. The kernel releases the lock when a process
/// ends, however it ends; the file may stay, but blocks nobody. A mark in the file identifies it as a lock: a file of
/// that name that something else has made is left unchanged.
class FileLock {
 public:
  /// Uses the file `path`. Does not yet try to lock it.
  explicit FileLock(std::string path) : m_path(std::move(path)) {}
  FileLock(const FileLock&) = delete;             ///< not copyable: a lock has one holder
  FileLock& operator=(const FileLock&) = delete;  ///< not copyable: a lock has one holder
  ~FileLock() {
    if (m_file && is_there()) ::unlink(m_path.c_str());  // while it is still locked
  }

  /// Tries to lock and returns whether this object holds the lock now. Throws std::invalid_argument if a file of that
  /// name is not a lock, and WriteError, about `name`, if there can be no lock.
  bool try_lock(const std::string& name) {
    while (true) {
      if (!open(name)) continue;  // the previous holder has just removed it
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

  /// Whether the file existed already because a process ended without removing it.
  bool was_left() const { return m_was_left; }

 private:
  static constexpr std::string_view mark = "sporos lock\n";

  // Creates the file, or opens the existing one. Returns false if that one has just disappeared.
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
    m_file.reset();  // the destructor must not remove it
    refuse();
  }

  // An empty file also counts: the process that created it may have been killed immediately afterwards. Only the mode
  // identifies it then.
  bool has_mark() const {
    struct stat found;
    if (::fstat(m_file->get(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
    if (found.st_size == 0) return (found.st_mode & 0777) == mode;
    std::string text(mark.size() + 1, '\0');
    const ssize_t count = ::pread(m_file->get(), text.data(), text.size(), 0);
    return count >= 0 && std::string_view(text).substr(0, static_cast<std::size_t>(count)) == mark;
  }

  [[noreturn]] void refuse() const {
    throw std::invalid_argument(in_quotes(m_path) + " exists and is not a lock file of Sporos: delete or rename it");
  }

  // Whether the file that is locked still has that name.
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
