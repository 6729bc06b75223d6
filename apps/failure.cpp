// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "failure.hpp"

#include "runtime_names.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/io/one_line.hpp>
#include <sporos/core/io/output_file.hpp>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <new>
#include <stdexcept>
#include <streambuf>

namespace sporos::apps {

namespace {

// A text in fixed memory, because an aborted program can no longer allocate memory.
template <std::size_t capacity>
class FixedText {
 public:
  void operator=(std::string_view text) {
    m_size = std::min(text.size(), capacity);
    std::copy_n(text.data(), m_size, m_text);
  }
  void append(std::string_view text) {
    const std::size_t more = std::min(text.size(), capacity - m_size);
    std::copy_n(text.data(), more, m_text + m_size);
    m_size += more;
  }
  std::string_view view() const { return {m_text, m_size}; }

 private:
  char m_text[capacity] = {};
  std::size_t m_size = 0;
};

FixedText<64> program_name;
FixedText<64> failing_command;
FixedText<256> failing_device;

// Stores the beginning of the text that is written to the buffer.
class KeptText final : public std::streambuf {
 public:
  std::string_view view() const { return m_text.view(); }

 private:
  int_type overflow(int_type c) override {
    const char letter = traits_type::to_char_type(c);
    m_text.append({&letter, 1});
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    m_text.append({text, static_cast<std::size_t>(size)});
    return size;
  }

  FixedText<4096> m_text;
};

KeptText kept_text;
std::streambuf* default_buffer = nullptr;
std::terminate_handler default_terminate = nullptr;

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

template <class Text>
void append_failure(Text& text, std::string_view reason) {
  text.append(failing_command.view());
  text.append(" failed");
  if (!failing_device.view().empty()) {
    text.append(" on ");
    text.append(failing_device.view());
  }
  text.append(": ");
  text.append(first_line(reason));
}

[[noreturn]] void end_with(std::string_view reason) {
  constexpr int failure = 1;
  if (!has_complained()) {
    clear_status_line();
    FixedText<io::longest_message - 1> line;
    line = program_name.view();
    line.append(": ");
    append_failure(line, reason);
    FixedText<io::longest_message> whole;
    whole = line.view();
    whole.append("\n");
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, whole.view().data(), whole.view().size());
  }
  ::_exit(failure);
}

void end_aborted(int) { end_with(kept_text.view().empty() ? "it was aborted" : kept_text.view()); }

[[noreturn]] void end_terminated() {
  try {
    if (const auto exception = std::current_exception()) std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    end_with(error.what());
  } catch (...) {
  }
  end_with("it was terminated");
}

bool complained = false;

void write_all(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

// Writes the line in one piece, whatever other threads write meanwhile.
void write_line(std::string_view message) {
  const std::string name = program().name + ": ";
  const std::string line = io::one_line(message, io::longest_message - name.size() - 1);
  std::fflush(stderr);
  write_all(name + line + "\n");
}

}  // namespace

void set_failing_command(std::string_view command) { failing_command = command; }

void set_failing_device(std::string_view device) { failing_device = device; }

std::string failure_text(std::string_view reason) {
  std::string text;
  append_failure(text, reason);
  return text;
}

bool is_of_kokkos(std::string_view message) {
  return message.starts_with("Kokkos") || message.find(" error( ") != std::string_view::npos;
}

int tell_failure(const std::exception_ptr& failure) {
  constexpr int failed = 1, wrong = 2;
  try {
    std::rethrow_exception(failure);
  } catch (const std::invalid_argument& error) {
    complain_of_failure(error.what());
    return wrong;
  } catch (const io::WriteError& error) {
    complain_of_failure(error.what());
    return wrong;
  } catch (const std::bad_alloc&) {
    complain_of_failure(failure_text("the host is out of memory"));
  } catch (const std::exception& error) {
    complain_of_failure(is_of_kokkos(error.what()) ? failure_text(error.what()) : error.what());
  }
  return failed;
}

FailureReport::FailureReport() {
  program_name = program().name;
  default_buffer = std::cerr.rdbuf(&kept_text);
  default_terminate = std::set_terminate(end_terminated);
  std::signal(SIGABRT, end_aborted);
}

FailureReport::~FailureReport() {
  std::signal(SIGABRT, SIG_DFL);
  std::set_terminate(default_terminate);
  std::cerr.rdbuf(default_buffer);
  std::fwrite(kept_text.view().data(), 1, kept_text.view().size(), stderr);
}

void complain(std::string_view message) {
  complained = true;
  if (is_first_process()) write_line(message);
}

void clear_status_line() {
  constexpr std::string_view clear_line = "\r\x1b[K";
  if (is_first_process() && ::isatty(STDERR_FILENO) == 1) write_all(clear_line);
}

void complain_of_failure(std::string_view message) {
  if (is_first_process() || !has_failed_separately()) return complain(message);
  complained = true;
  write_line("process " + std::to_string(processes().rank()) + ": " + std::string(message));
}

bool has_complained() { return complained; }

}  // namespace sporos::apps
