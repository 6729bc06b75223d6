// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/kept_run.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/version.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

std::vector<OptionEntry> checkpoint_options() {
  const std::string group = "Checkpoint";
  return {
      {group, "checkpoint", "FILE",
       "store the state of the run in FILE, and resume from FILE if it exists; with the same options, the result is "
       "that of an uninterrupted run, and FILE is removed at the end",
       FileUse::keeps, Decides::run},
      {group,
       "every",
       "SECONDS",
       fmt::format("seconds between two checkpoints; Ctrl-C, SIGTERM and --time-limit write one, too; default: {:g}",
                   default_checkpoint_interval),
       {},
       Decides::run}};
}

io::Json description_of(const std::string& command, const OptionTable& table, std::uint64_t digest) {
  io::Json options = io::Json::object(), starts = io::Json::object();
  for (const auto& entry : table.entries()) {
    const std::string& name = entry.name;
    const OptionText given = table.given(entry);
    if (!given) continue;
    if (name == "start" || name == "resume") {
      starts[name] =
          io::bits_text(io::checksum(io::read_text_file(*given, io::max_mebibytes_of_text, io::FileContents::bytes)));
    } else if (name != "time-limit" && entry.decides != Decides::run) {
      options[name] = *given;
    }
  }
  return {{"sporos", SPOROS_VERSION},
          {"command", command},
          {"options", std::move(options)},
          {"start", std::move(starts)},
          {"data", io::bits_text(digest)}};
}

KeptRun::KeptRun(const std::string& path, double every, io::Json run)
    : m_file(path, std::move(run)), m_every(every), m_is_there(m_file.state().has_value()) {}

void KeptRun::remove() const {
  m_is_there = false;
  m_file.remove();
}

void KeptRun::announce(std::string_view done, bool wanted) const {
  if (!wanted || ::isatty(STDERR_FILENO) != 1) return;
  const std::string line = fmt::format("sporos: resumes from {}, after {}\n", m_file.name(), done);
  std::fputs(line.c_str(), stderr);
}

double KeptRun::every() const {
  constexpr double share = 0.01;
  return m_every > 0 ? std::max(m_every, m_last / share) : 0;
}

void KeptRun::save(const io::Json& state) const {
  const auto start = std::chrono::steady_clock::now();
  m_file.write(state);
  m_is_there = true;
  m_last = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string KeptRun::note() const { return fmt::format("; the checkpoint is {}", m_file.name()); }

double checkpoint_interval(const OptionTable& options) {
  const OptionText& every = options.text("every");
  if (!every) return default_checkpoint_interval;
  if (!options.has("checkpoint")) {
    throw std::invalid_argument("--every is given without --checkpoint: expected both");
  }
  const double seconds = io::parse_number<double>("--every", *every);
  if (!(seconds >= 0)) {
    throw std::invalid_argument(fmt::format("--every is {}, expected a number of seconds of at least 0", *every));
  }
  return seconds;
}

void keep(std::optional<KeptRun>& kept, const OptionTable& options, const std::function<io::Json()>& description) {
  const double interval = checkpoint_interval(options);
  const OptionText& path = options.text("checkpoint");
  if (path && is_first_process()) kept.emplace(*path, interval, description());
}

void write_kept(const std::optional<KeptRun>& kept, bool has_ended, const std::function<io::Json()>& state,
                const std::function<void()>& write) {
  if (!kept) return write();
  try {
    write();
  } catch (const io::WriteError& error) {
    kept->save(state());
    throw io::WriteError(error, kept->note());
  }
  if (has_ended) {
    kept->remove();
  } else {
    kept->save(state());
  }
}

}  // namespace sporos::runtime
