// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/shared_problem.hpp>

#include <cstdint>

namespace sporos::runtime {

namespace {

// Returns the contiguous part of the samples that this process simulates. All processes get about the same number of
// replications.
std::span<const Sample> samples_of(const Processes& processes, std::span<const Sample> samples) {
  double total = 0;
  for (const Sample& sample : samples) total += static_cast<double>(sample.count);
  std::size_t first = 0, count = 0;
  double before = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto replications = static_cast<double>(samples[i].count);
    const double middle = (before + replications / 2) / total;
    before += replications;
    if (static_cast<int>(middle * processes.count()) != processes.rank()) continue;
    if (count == 0) first = i;
    ++count;
  }
  return samples.subspan(first, count);
}

// Moments of samples, packed as a sequence of numbers.
class PackedMoments {
 public:
  void add(const SampleMoments& moments) {
    for (const auto number : {moments.count, moments.failed, static_cast<std::int64_t>(moments.failure.failure),
                              static_cast<std::int64_t>(moments.failure.capacity)})
      m_numbers.push_back(static_cast<double>(number));
    for (const auto* list :
         {&moments.means, &moments.products, &moments.slopes, &moments.values, &moments.curvatures, &moments.least}) {
      m_numbers.push_back(static_cast<double>(list->size()));
      m_numbers.insert(m_numbers.end(), list->begin(), list->end());
    }
  }

  // Returns the moments of all processes.
  std::vector<SampleMoments> gathered(Processes& processes) const {
    const std::vector<double> all = gather(processes, std::span<const double>(m_numbers));
    std::vector<SampleMoments> found;
    for (auto next = all.begin(); next != all.end();) {
      SampleMoments& moments = found.emplace_back();
      moments.count = static_cast<std::int64_t>(*next++);
      moments.failed = static_cast<std::int64_t>(*next++);
      moments.failure.failure = static_cast<Failure>(*next++);
      moments.failure.capacity = static_cast<std::uint32_t>(*next++);
      for (auto* list :
           {&moments.means, &moments.products, &moments.slopes, &moments.values, &moments.curvatures, &moments.least}) {
        const auto size = static_cast<std::ptrdiff_t>(*next++);
        list->assign(next, next + size);
        next += size;
      }
    }
    return found;
  }

 private:
  std::vector<double> m_numbers;
};

}  // namespace

std::vector<SampleMoments> SharedProblem::simulate(std::span<const Sample> samples) {
  if (m_processes.count() == 1) return m_problem.simulate(samples);
  PackedMoments mine;
  together(m_processes, [&] {
    for (const SampleMoments& moments : m_problem.simulate(samples_of(m_processes, samples))) mine.add(moments);
  });
  return mine.gathered(m_processes);
}

}  // namespace sporos::runtime
