// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool of Kokkos that records the names of kernels and regions, each once, with the regions around it. It writes them
// to the file that SPOROS_TOOL_OUTPUT names.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {

struct Recorded {
  std::mutex mutex;
  std::vector<std::string> regions;
  std::set<std::string> lines;

  void add(const std::string& kind, const std::string& name) {
    const std::lock_guard lock(mutex);
    std::string line = kind + ":";
    for (const std::string& region : regions) line += " " + region + " >";
    lines.insert(line + " " + name);
  }
};

Recorded& recorded() {
  static auto* const all = new Recorded;  // never destroyed, because Kokkos may end later
  return *all;
}

}  // namespace

extern "C" {

void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t*) { recorded().add("kernel", name); }
void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t*) { recorded().add("kernel", name); }
void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t*) { recorded().add("kernel", name); }

void kokkosp_push_profile_region(const char* name) {
  recorded().add("region", name);
  recorded().regions.emplace_back(name);
}

void kokkosp_pop_profile_region() { recorded().regions.pop_back(); }

void kokkosp_finalize_library() {
  std::ofstream file(std::getenv("SPOROS_TOOL_OUTPUT"));
  for (const std::string& line : recorded().lines) file << line << '\n';
  if (!recorded().regions.empty()) file << "a region is open\n";
}

}  // extern "C"
