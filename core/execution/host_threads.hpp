// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

/// The threads of the host's execution space, counted before Kokkos is initialized: it does not look whether it has
/// room for them.
namespace sporos {

/// What the OpenMP backend of every Kokkos so far has room for.
inline constexpr int most_host_threads = 512;

namespace impl {

/// The number of threads that KOKKOS_NUM_THREADS asks for, where it is set.
inline std::optional<int> threads_of_environment() {
  const char* const text = std::getenv("KOKKOS_NUM_THREADS");
  if (text == nullptr) return std::nullopt;
  const std::string_view given = text;
  int number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error != std::errc() || end != given.data() + given.size() || number < 1 || number > most_host_threads) {
    throw std::invalid_argument(std::string("KOKKOS_NUM_THREADS is '")
                                    .append(given)
                                    .append("', expected a whole number from 1 to ")
                                    .append(std::to_string(most_host_threads)));
  }
  return number;
}

#ifdef KOKKOS_ENABLE_OPENMP

/// The number of threads that OpenMP would take by itself: OMP_NUM_THREADS, or what the machine has.
inline int usual_openmp_threads() {
  const int usual = std::min(omp_get_max_threads(), omp_get_thread_limit());  // negative where that does not fit an int
  const char* const text = std::getenv("OMP_NUM_THREADS");
  if (text != nullptr && (usual < 1 || usual > most_host_threads)) {
    throw std::invalid_argument(std::string("OMP_NUM_THREADS is '")
                                    .append(text)
                                    .append("', expected at most ")
                                    .append(std::to_string(most_host_threads))
                                    .append(" threads"));
  }
  return std::clamp(usual, 1, most_host_threads);
}

#endif

}  // namespace impl

/// The number of threads that Kokkos is to begin with: `chosen`, KOKKOS_NUM_THREADS, or what OpenMP takes by itself, in
/// this order; none without OpenMP. Throws std::invalid_argument where that is more than Kokkos or OpenMP has room for.
/// OpenMP is told that number, and that every parallel region shall have it: Kokkos relies on that, and would
/// otherwise begin OMP_NUM_THREADS threads to count them.
inline std::optional<int> checked_host_threads(std::optional<int> chosen) {
  if (chosen && (*chosen < 1 || *chosen > most_host_threads)) {
    throw std::invalid_argument(std::string("the number of threads is ")
                                    .append(std::to_string(*chosen))
                                    .append(", expected 1 to ")
                                    .append(std::to_string(most_host_threads)));
  }
  const std::optional<int> of_environment = impl::threads_of_environment();
  std::optional<int> threads = chosen ? chosen : of_environment;
#ifdef KOKKOS_ENABLE_OPENMP
  if (!threads) threads = impl::usual_openmp_threads();
  if (*threads > omp_get_thread_limit()) {
    throw std::invalid_argument(std::string("the number of threads is ")
                                    .append(std::to_string(*threads))
                                    .append(", but OMP_THREAD_LIMIT is ")
                                    .append(std::to_string(omp_get_thread_limit()))
                                    .append(": expected no more than that"));
  }
  omp_set_dynamic(0);
  omp_set_num_threads(*threads);
#endif
  return threads;
}

}  // namespace sporos
