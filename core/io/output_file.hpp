// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/leftovers.hpp>
#include <sporos/core/io/number.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sporos::io {

/// Reports what could not be written, and why.
class WriteError : public std::runtime_error {
 public:
  /// Reports that the file or stream `name` cannot be written; `error` is an errno value.
  WriteError(const std::string& name, int error)
      : std::runtime_error("cannot write " + name + ": " + std::strerror(error)) {}
  /// Appends `more` to the message of `other`.
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

// Open file. Closing it can also fail, if a disk is full or a server is gone.
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

inline std::string open_file_path(int file) { return "/proc/self/fd/" + std::to_string(file); }

// Opens a new file without a name in `folder`. The file disappears with the process, however that ends. Returns -1 if
// the file system does not support such files, or if /proc/self/fd does not name them.
inline int open_unnamed(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  if (file < 0 || ::access(open_file_path(file).c_str(), F_OK) == 0) return file;
  ::close(file);
  return -1;
}

// New file in a folder, removed again unless it is renamed. It is called `name`. If `name` is empty, the file has no
// name until it is renamed, or a unique one if it needs one.
class TemporaryFile {
 public:
  TemporaryFile(const std::filesystem::path& folder, const std::string& target, const std::string& name = "")
      : m_unnamed(name.empty() ? open_unnamed(folder) : -1),
        m_path((folder / (name.empty() ? unique_name(m_unnamed) : name)).string()),
        m_file(m_unnamed >= 0 ? m_unnamed
               : name.empty() ? ::mkostemp(m_path.data(), O_CLOEXEC)
                              : ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600),
               target),
        m_leftover(m_path.c_str()) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { remove(); }

  FileHandle& file() { return m_file; }

  void remove() const {
    if (!m_renamed) ::unlink(m_path.c_str());
  }

  // Closes the file and renames it to `path`. Throws WriteError if that fails.
  void close_as(const std::filesystem::path& path, const std::string& target) {
    if (m_unnamed >= 0 &&
        ::linkat(AT_FDCWD, open_file_path(m_unnamed).c_str(), AT_FDCWD, m_path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      throw WriteError(target, errno);
    }
    m_file.close();
    m_renamed = std::rename(m_path.c_str(), path.c_str()) == 0;
    if (!m_renamed) throw WriteError(target, errno);
  }

 private:
  // The inode number of an unnamed file is unique. For other files, mkostemp fills in the name.
  static std::string unique_name(int unnamed) {
    struct stat status;
    const bool has_number = unnamed >= 0 && ::fstat(unnamed, &status) == 0;
    return ".sporos-" + (has_number ? std::to_string(status.st_ino) : "XXXXXX");
  }

  int m_unnamed;  // -1 if the file has a name
  std::string m_path;
  FileHandle m_file;
  Leftover m_leftover;
  bool m_renamed = false;
};

// Flushes the names of a folder's files to the disk, if the file system can do so.
inline void sync_folder(const std::filesystem::path& folder, const std::string& name) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;  // a folder that may be written but not read
  FileHandle handle(file, name);
  if (::fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP) throw WriteError(name, errno);
}

}  // namespace impl

/// Returns the file to which `path` leads, whether it exists or not. Follows symbolic links, also one to a missing
/// file. Throws WriteError if they lead nowhere.
inline std::filesystem::path file_of_link(const std::filesystem::path& path) {
  constexpr int max_links = 40;  // the limit of Linux
  std::error_code error;
  std::filesystem::path file = path;
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(file, error)); ++links) {
    if (links == max_links) throw WriteError(in_quotes(path.string()), ELOOP);
    file = file.parent_path() / std::filesystem::read_symlink(file, error);
    if (error) throw WriteError(in_quotes(path.string()), error.value());
  }
  return file;
}

/// Writes `text` to standard output without buffering. Throws WriteError if that fails.
inline void write_standard_output(std::string_view text) { impl::write_all(STDOUT_FILENO, text, "standard output"); }

/// Whether standard output is open for writing.
inline bool has_standard_output() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/// Output file that appears under its name with all of its contents or not at all. The constructor checks whether it
/// can be written, before there is anything to write. Symbolic links stay, and the file to which they lead is replaced;
/// a hard link to that file keeps the old contents. A device, a pipe or another special file is written directly, and
/// so is a file that no longer has a name, to which /dev/stdout may lead.
class OutputFile {
 public:
  /// Throws WriteError if the file `path` cannot be written now. Leaves no trace. Until the file is complete it is
  /// called `temporary`, in the same folder; if `temporary` is empty, its name is unique.
  explicit OutputFile(const std::string& path, std::string temporary = "")
      : m_name(in_quotes(path)), m_path(path), m_temporary(std::move(temporary)) {
    std::error_code error;
    const auto status = std::filesystem::status(m_path, error);
    m_is_special = std::filesystem::exists(status) &&
                   (!std::filesystem::is_regular_file(status) || !std::filesystem::exists(file_of_link(m_path)));
    if (std::filesystem::is_directory(status)) throw WriteError(m_name, EISDIR);
    if (std::filesystem::exists(status)) {
      if (::access(m_path.c_str(), W_OK) != 0) throw WriteError(m_name, errno);
    } else if (status.type() != std::filesystem::file_type::not_found) {
      throw WriteError(m_name, error.value());
    } else if (!m_path.has_filename()) {
      throw WriteError(m_name, path.empty() ? ENOENT : EISDIR);
    }
    if (!m_is_special) impl::TemporaryFile(folder_of(file_of_link(m_path)), m_name, m_temporary);
  }

  /// Contents that are written piece by piece. The destructor removes them unless they were finished.
  class Contents {
   public:
    /// Starts the contents of `file`, which must outlive this object. Throws WriteError if the file cannot be written.
    explicit Contents(const OutputFile& file) : m_target(file) {
      if (file.m_is_special) {
        m_special.emplace(::open(file.m_path.c_str(), O_WRONLY | O_CLOEXEC), file.m_name);
      } else {
        m_path = file_of_link(file.m_path);  // resolved now, since links may have been added
        m_temporary.emplace(folder_of(m_path), file.m_name, file.m_temporary);
      }
    }

    /// Throws std::invalid_argument if written contents cannot be changed any more, for example in a pipe.
    void check_seekable() const {
      if (m_special) throw std::invalid_argument(m_target.m_name + " is not a regular file, expected one");
    }

    /// Appends a piece. Throws WriteError if that fails.
    void append(std::string_view text) { impl::write_all(handle().get(), text, m_target.m_name); }

    /// Overwrites the beginning of the contents. Throws WriteError if that fails.
    void replace_beginning(std::string_view text) {
      if (::lseek(handle().get(), 0, SEEK_SET) != 0) throw WriteError(m_target.m_name, errno);
      append(text);
    }

    /// Flushes the contents to the disk and lets the file appear. Throws WriteError if that fails.
    void finish() {
      const std::string& name = m_target.m_name;
      if (m_special) return m_special->close();
      if (::fchmod(handle().get(), m_target.mode()) != 0 || ::fsync(handle().get()) != 0) {
        throw WriteError(name, errno);
      }
      m_temporary->close_as(m_path, name);
      impl::sync_folder(folder_of(m_path), name);
    }

    /// Removes the contents when the program ends without destructors. Another thread may still be writing.
    void discard() const {
      if (m_temporary) m_temporary->remove();
    }

   private:
    impl::FileHandle& handle() { return m_special ? *m_special : m_temporary->file(); }

    const OutputFile& m_target;
    std::filesystem::path m_path;
    std::optional<impl::FileHandle> m_special;
    std::optional<impl::TemporaryFile> m_temporary;
  };

  /// Writes the contents to the disk. Throws WriteError if that fails. Until it succeeds, the old contents stay intact.
  void write(std::string_view text) const {
    Contents contents(*this);
    contents.append(text);
    contents.finish();
  }

 private:
  static std::filesystem::path folder_of(const std::filesystem::path& file) {
    return file.has_parent_path() ? file.parent_path() : ".";
  }

  // Mode of the file that is replaced, or the default mode of a new file.
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
