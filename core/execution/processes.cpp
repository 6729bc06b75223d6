// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/execution/processes.hpp>

#include <sporos/core/execution/launch_stop.hpp>

#include <algorithm>
#include <stdexcept>

namespace sporos {

constinit OneProcess single_process;

void Processes::gather_into(std::byte* all, std::span<const std::byte> mine, std::span<const std::int64_t>) {
  for (const auto& bytes : gathered(mine)) all = std::copy(bytes.begin(), bytes.end(), all);
}

std::vector<std::vector<std::byte>> OneProcess::gathered(std::span<const std::byte> mine) {
  return {{mine.begin(), mine.end()}};
}

void OneProcess::share(std::int64_t parts, const std::function<void(std::int64_t)>& work) {
  for (std::int64_t part = 0; part < parts; ++part) work(part);
}

std::vector<std::string> gather(Processes& processes, const std::string& mine) {
  std::vector<std::string> texts;
  for (const auto& bytes : processes.gathered(std::as_bytes(std::span(mine)))) {
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return texts;
}

std::string text_of_first(Processes& processes, const std::string& mine) {
  return gather(processes, processes.rank() == 0 ? mine : std::string()).front();
}

void check_together(Processes& processes, const std::exception_ptr& mine) {
  constexpr char is_well = 0, is_wrong_input = 1, is_failure = 2, is_stopped = 3;
  std::string verdict(1, is_well);
  try {
    if (mine) std::rethrow_exception(mine);
  } catch (const std::invalid_argument& error) {
    verdict = std::string(1, is_wrong_input).append(error.what());
  } catch (const LaunchStopped&) {
    verdict = std::string(1, is_stopped);
  } catch (const std::exception& error) {
    verdict = std::string(1, is_failure).append(error.what());
  } catch (...) {  // the other processes wait for this one's verdict
    verdict = std::string(1, is_failure).append("an exception of an unknown type");
  }
  const auto verdicts = gather(processes, std::span<const char>(verdict.data(), 1));
  for (int rank = 0; rank < processes.count(); ++rank) {
    const char found = verdicts[static_cast<std::size_t>(rank)];
    if (found == is_well || found == is_stopped) continue;
    const std::string text = gather(processes, verdict)[static_cast<std::size_t>(rank)].substr(1);
    processes.m_failed_together = true;
    if (rank == processes.rank()) std::rethrow_exception(mine);
    if (found == is_wrong_input) throw std::invalid_argument(text);
    throw std::runtime_error(text);
  }
  if (std::ranges::find(verdicts, is_stopped) != verdicts.end()) throw LaunchStopped();
}

void check_same(Processes& processes, const std::string& what, const std::string& text) {
  const std::vector<std::string> texts = gather(processes, text);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    if (texts[rank] == texts[0]) continue;
    processes.m_failed_together = true;
    throw std::invalid_argument(std::string(what)
                                    .append(" is ")
                                    .append(texts[rank])
                                    .append(" on process ")
                                    .append(std::to_string(rank))
                                    .append(", expected ")
                                    .append(texts[0])
                                    .append(" as on process 0"));
  }
}

}  // namespace sporos
