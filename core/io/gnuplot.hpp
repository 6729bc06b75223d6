// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/leftovers.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/printable.hpp>

#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Draws pictures with gnuplot 5, an external program that must be installed.
namespace sporos::io {

/// Returns printable(text) as a quoted string of a gnuplot script.
inline std::string in_gnuplot_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : printable(text)) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + '\'';
}

namespace impl {

/// File without a name, which disappears when it is closed.
class UnnamedFile {
 public:
  explicit UnnamedFile(std::string_view contents = {}) : m_file(std::tmpfile(), std::fclose) {
    if (!m_file) throw WriteError("a temporary file", errno);
    write_all(descriptor(), contents, "a temporary file");
    ::lseek(descriptor(), 0, SEEK_SET);
  }

  int descriptor() const { return ::fileno(m_file.get()); }

  /// Returns everything that any process wrote to the file.
  std::string contents() const {
    std::string text;
    std::array<char, 1 << 16> part;
    std::rewind(m_file.get());
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), m_file.get())) {
      text.append(part.data(), count);
    }
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file;
};

/// Result of running a program.
struct ProgramRun {
  bool succeeded;
  std::string output, errors;
};

inline std::runtime_error cannot_draw(const std::string& why) { return std::runtime_error("cannot draw: " + why); }

/// Attributes that start a process in a separate process group. Ctrl-C in a terminal then reaches only this program,
/// which ends the other one.
class OwnGroup {
 public:
  OwnGroup() {
    ::posix_spawnattr_init(&m_attributes);
    ::posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&m_attributes, 0);
  }
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
  ~OwnGroup() { ::posix_spawnattr_destroy(&m_attributes); }

  const posix_spawnattr_t* get() const { return &m_attributes; }

 private:
  posix_spawnattr_t m_attributes;
};

/// Runs a program with `input` as its standard input, without a shell. `words` are its name, which is looked up in
/// PATH, and its arguments. Returns nothing if there is no such program.
inline std::optional<ProgramRun> run_program(std::vector<std::string> words, std::string_view input) {
  const UnnamedFile in(input), output, errors;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const OwnGroup group;
  const int error = ::posix_spawnp(&child, arguments.front(), &actions, group.get(), arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT || error == EACCES) return std::nullopt;
  if (error != 0) throw cannot_draw(fmt::format("{} does not start: {}", words.front(), std::strerror(error)));
  leftover_program = child;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw cannot_draw(fmt::format("{} was lost: {}", words.front(), std::strerror(errno)));
  }
  leftover_program = 0;
  return ProgramRun{WIFEXITED(status) && WEXITSTATUS(status) == 0, output.contents(), errors.contents()};
}

/// Runs gnuplot on `script`, without the user's start-up file.
inline ProgramRun run_gnuplot(std::string_view script) {
  auto run = run_program({"gnuplot", "-d", "-"}, script);
  if (!run) throw cannot_draw("there is no gnuplot in PATH; install it (on Debian: apt-get install gnuplot-nox)");
  return std::move(*run);
}

/// Returns the last line that is not blank.
inline std::string last_line(std::string_view text) {
  const auto end = text.find_last_not_of(" \t\n");
  if (end == std::string_view::npos) return "it printed no message";
  text = text.substr(0, end + 1);
  text.remove_prefix(text.find_last_of('\n') + 1);  // npos + 1 is 0
  return std::string(text.substr(text.find_first_not_of(" \t")));
}

/// Returns the picture that gnuplot draws for `script` on `terminal`.
inline std::string drawn(const std::string& terminal, std::string_view script) {
  ProgramRun run = run_gnuplot(terminal + std::string(script));
  if (!run.succeeded) throw cannot_draw("gnuplot failed: " + last_line(run.errors));
  if (run.output.empty()) throw cannot_draw("the script plots nothing");
  return std::move(run.output);
}

}  // namespace impl

/// Throws std::runtime_error if gnuplot is not installed.
inline void check_gnuplot() { impl::run_gnuplot(""); }

/// Returns the SVG that gnuplot draws for `script`, of the given size in pixels and without a background. Throws the
/// same exceptions as PictureFile::draw.
inline std::string svg_of(std::string_view script, int width, int height) {
  return impl::drawn(fmt::format("set terminal svg size {},{} dynamic font 'sans-serif,14' noenhanced\n"
                                 "set encoding utf8\n",
                                 width, height),
                     script);
}

/// Picture file that is drawn later. The constructor already checks whether it can be drawn.
class PictureFile {
 public:
  /// Prepares the file `path`, whose name must end with .svg or .png. Throws std::invalid_argument for another ending,
  /// WriteError if the file could not be written now, and std::runtime_error if gnuplot is not installed. Leaves no
  /// trace.
  explicit PictureFile(const std::string& path) : m_terminal(terminal_of(path)), m_file(path) { check_gnuplot(); }

  /// Draws what `script` plots. The script must not set the terminal or the output. The file appears with the whole
  /// picture or not at all. Text in the picture is literal UTF-8, without gnuplot's markup. Throws std::runtime_error
  /// with gnuplot's message if gnuplot fails, and WriteError if the file cannot be written.
  void draw(std::string_view script) const { m_file.write(impl::drawn(m_terminal, script)); }

 private:
  static std::string terminal_of(const std::string& path) {
    const char* const common = "noenhanced background rgb 'white'\nset encoding utf8\n";
    if (path.ends_with(".svg")) return fmt::format("set terminal svg size 1120,640 font 'sans-serif,14' {}", common);
    if (path.ends_with(".png")) {
      return fmt::format(
          "set terminal pngcairo size 2240,1280 fontscale 1.6 linewidth 2 dashlength 2 font 'sans-serif,14' {}",
          common);
    }
    throw std::invalid_argument(
        fmt::format("picture is {}, expected a file name that ends with .svg or .png", in_quotes(path)));
  }

  std::string m_terminal;
  OutputFile m_file;
};

}  // namespace sporos::io
