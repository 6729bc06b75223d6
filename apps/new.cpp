// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "program_template.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sporos::apps {

namespace {

namespace fs = std::filesystem;

void check_name(const std::string& name) {
  constexpr std::size_t longest = 40;
  constexpr std::array taken{"kokkos", "sporos"};
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.size() > longest || !std::ranges::all_of(name, fits) || !(name.front() >= 'a' && name.front() <= 'z')) {
    throw std::invalid_argument(fmt::format(
        "the name is {}, expected at most {} lower-case letters, digits and underscores, starting with a letter",
        io::in_quotes(name), longest));
  }
  if (std::ranges::find(taken, name) != taken.end()) {
    throw std::invalid_argument(fmt::format("the name is '{}', which is reserved: expected another name", name));
  }
}

// Returns the name of the type, such as MyClinic for my_clinic, by the rule of sporos_add_programs.
std::string type_of(const std::string& name) {
  std::string type;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') type += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return type;
}

void replace_all(std::string& text, std::string_view old, const std::string& with) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size())) {
    text.replace(at, old.size(), with);
  }
}

// Returns a template's name or contents for `name` in place of clinic. Drops the license line, because the copy belongs
// to its user.
std::string adapted(std::string_view written, const std::string& name) {
  std::string text(written);
  const std::size_t license = text.find("SPDX-License-Identifier");
  if (license != std::string::npos) {
    const std::size_t begin = text.rfind('\n', license) + 1;
    text.erase(begin, text.find('\n', license) + 1 - begin);
  }
  replace_all(text, "clinic", name);
  replace_all(text, "Clinic", type_of(name));
  return text;
}

// A new folder with a temporary name. It is removed unless `finish` has renamed it.
class NewFolder {
 public:
  explicit NewFolder(const std::string& name) : m_name(name), m_path(fmt::format(".{}-{}", name, ::getpid())) {
    if (fs::exists(fs::symlink_status(name))) {
      throw std::invalid_argument(fmt::format("'{}' exists already, expected a new name", name));
    }
    check(fs::create_directory(m_path, m_error));
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() { fs::remove_all(m_path, m_error); }

  void add(const std::string& file, std::string_view text) const { io::OutputFile(m_path / file).write(text); }

  void finish() {
    fs::rename(m_path, m_name, m_error);
    check(!m_error);
  }

 private:
  void check(bool good) const {
    if (!good) throw io::WriteError(io::in_quotes(m_name), m_error.value());
  }

  std::string m_name;
  fs::path m_path;
  std::error_code m_error;
};

void write_program(const std::string& name) {
  NewFolder folder(name);
  for (const TemplateFile& file : template_files()) folder.add(adapted(file.name, name), adapted(file.text, name));
  folder.finish();
}

Usage new_usage() {
  return {"new",
          called_with("new NAME"),
          "Writes the folder NAME, a CMake project for your own model: an example model, programs that simulate and\n"
          "optimize it on each backend of Kokkos, and a test.",
          "",
          {{"NAME", {}, "name is"}},
          {}};
}

}  // namespace

int new_command(std::span<const std::string> arguments, Backend&) {
  const std::string name = parsed(new_usage(), arguments).positionals.front();
  check_name(name);
  if (!is_first_process()) return 0;
  write_program(name);
  io::write_standard_output(fmt::format(
      "{0} is written. Next:\n  cmake -S {0} -B {0}/build && cmake --build {0}/build -j 2 && ctest --test-dir "
      "{0}/build\n  {0}/build/{0} optimize {0} --over doctors=1:8 --minimize \"waiting time + 5*doctors\"\n",
      name));
  return 0;
}

}  // namespace sporos::apps
