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

/// Number of threads of the host execution space, checked before Kokkos is initialized, since Kokkos does not check
/// whether it has room for them.
namespace sporos {

/// Largest number of threads for which the OpenMP backend of every Kokkos version so far has room.
inline constexpr int max_host_threads = 512;

namespace impl {

/// Number of threads in KOKKOS_NUM_THREADS, if it is set.
inline std::optional<int> threads_of_environment() {
  const char* const text = std::getenv("KOKKOS_NUM_THREADS");
  if (text == nullptr) return std::nullopt;
  const std::string_view given = text;
  int number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error != std::errc() || end != given.data() + given.size() || number < 1 || number > max_host_threads) {
    throw std::invalid_argument(std::string("KOKKOS_NUM_THREADS is '")
                                    .append(given)
                                    .append("', expected a whole number from 1 to ")
                                    .append(std::to_string(max_host_threads)));
  }
  return number;
}

#ifdef KOKKOS_ENABLE_OPENMP

/// Number of threads that OpenMP uses by default: OMP_NUM_THREADS, or the number of threads of the machine.
inline int default_openmp_threads() {
  // The count is negative if the value of OMP_NUM_THREADS does not fit in an int.
  const int count = std::min(omp_get_max_threads(), omp_get_thread_limit());
  const char* const text = std::getenv("OMP_NUM_THREADS");
  if (text != nullptr && (count < 1 || count > max_host_threads)) {
    throw std::invalid_argument(std::string("OMP_NUM_THREADS is '")
                                    .append(text)
                                    .append("', expected at most ")
                                    .append(std::to_string(max_host_threads))
                                    .append(" threads"));
  }
  return std::clamp(count, 1, max_host_threads);
}

#endif

}  // namespace impl

/// Number of threads for Kokkos: `chosen`, KOKKOS_NUM_THREADS, or the default of OpenMP, in this order; std::nullopt if
/// the first two are not set and OpenMP is not enabled. Throws std::invalid_argument if the number is below 1 or larger
/// than Kokkos or OpenMP supports.
///
/// With OpenMP, it also sets this number for every parallel region, on which Kokkos relies. Otherwise Kokkos would
/// start OMP_NUM_THREADS threads to count them.
inline std::optional<int> checked_host_threads(std::optional<int> chosen) {
  if (chosen && (*chosen < 1 || *chosen > max_host_threads)) {
    throw std::invalid_argument(std::string("the number of threads is ")
                                    .append(std::to_string(*chosen))
                                    .append(", expected 1 to ")
                                    .append(std::to_string(max_host_threads)));
  }
  const std::optional<int> of_environment = impl::threads_of_environment();
  std::optional<int> threads = chosen ? chosen : of_environment;
#ifdef KOKKOS_ENABLE_OPENMP
  if (!threads) threads = impl::default_openmp_threads();
  if (*threads > omp_get_thread_limit()) {
    throw std::invalid_argument(std::string("the number of threads is ")
                                    .append(std::to_string(*threads))
                                    .append(", but OMP_THREAD_LIMIT is ")
                                    .append(std::to_string(omp_get_thread_limit()))
                                    .append(": use fewer threads, or raise OMP_THREAD_LIMIT"));
  }
  omp_set_dynamic(0);
  omp_set_num_threads(*threads);
#endif
  return threads;
}

}  // namespace sporos
