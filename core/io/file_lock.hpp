// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/output_file.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

namespace sporos::io {

/// A file that at most one object, of all processes, has at a time. The kernel lets go of it when a process ends,
/// however that may be; then the empty file may stay, and hinders nobody.
class FileLock {
 public:
  /// By the file `path`; does not yet try.
  explicit FileLock(std::string path) : m_path(std::move(path)) {}
  FileLock(const FileLock&) = delete;             ///< there is one
  FileLock& operator=(const FileLock&) = delete;  ///< there is one
  ~FileLock() {
    if (m_file) ::unlink(m_path.c_str());  // before others can have it
  }

  /// Whether this object has it now. Throws WriteError, about `name`, where the file cannot be there.
  bool try_lock(const std::string& name) {
    while (true) {
      m_file.emplace(::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666), name);
      if (::flock(m_file->get(), LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        m_file.reset();
        if (error != EWOULDBLOCK) throw WriteError(name, error);
        return false;
      }
      if (is_there()) return true;
      m_file.reset();  // the one before has just removed it
    }
  }

 private:
  // Whether the file that is locked is still the one of that name.
  bool is_there() const {
    struct stat locked;
    struct stat named;
    return ::fstat(m_file->get(), &locked) == 0 && ::stat(m_path.c_str(), &named) == 0 &&
           locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
  }

  std::string m_path;
  std::optional<impl::FileHandle> m_file;
};

}  // namespace sporos::io
