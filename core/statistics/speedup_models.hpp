// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/statistics/two_term_fit.hpp>

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

/// Models of the speedup by more threads or processes (Lee (2012), Hybrid parallel computing strategies for scientific
/// computing applications).
namespace sporos {

/// Measured time of some work on a number of threads.
struct ThreadsTime {
  std::int64_t threads;  ///< number of threads, at least 1
  double seconds;        ///< positive
};

/// N equal elements of work, shared by p threads that one thread starts and ends one after the other (Lee 2012, section
/// 3.2). The time is ⌈N/p⌉ T_W + p T_s.
struct ThreadingModel {
  std::int64_t elements = 1;  ///< N
  double element_time = 0;    ///< T_W, in seconds
  double thread_time = 0;     ///< T_s, the time to start and end a thread, in seconds

  /// Time on p threads, in seconds (3.2).
  double time(std::int64_t threads) const {
    return static_cast<double>((elements + threads - 1) / threads) * element_time +
           static_cast<double>(threads) * thread_time;
  }

  /// Time on one thread that need not be started, N T_W, in seconds.
  double sequential_time() const { return static_cast<double>(elements) * element_time; }

  /// Speedup S = p / (1 + p² T_s / (N T_W)) (3.3), assuming that the elements are shared without a remainder.
  double speedup(std::int64_t threads) const {
    const auto p = static_cast<double>(threads);
    return p / (1 + p * p * thread_time / sequential_time());
  }

  /// The number of threads with the largest speedup, √(N T_W / T_s), as a real number. Infinite if threads cost
  /// nothing.
  double best_threads() const { return std::sqrt(sequential_time() / thread_time); }
};

/// Fits T_W and T_s to measured times of `elements` elements, by least squares of relative errors. Throws
/// std::invalid_argument for fewer than two times, times that are not positive, and threads or elements below 1.
inline ThreadingModel fit_threading_model(std::int64_t elements, std::span<const ThreadsTime> times) {
  const auto refuse_below_one = [](const char* what, std::int64_t value) {
    if (value >= 1) return;
    throw std::invalid_argument(
        std::string(what).append(" is ").append(std::to_string(value)).append(", expected at least 1"));
  };
  refuse_below_one("number of elements", elements);
  std::vector<TwoTermValue> values;
  for (const auto& [threads, seconds] : times) {
    refuse_below_one("number of threads", threads);
    values.push_back({static_cast<double>((elements + threads - 1) / threads), static_cast<double>(threads), seconds});
  }
  const TwoTermFit fit = fit_two_terms(values);
  return {elements, fit.first, fit.second};
}

/// Work on n words that a device computes, with ρ instructions for each word (its reuse), and that are copied to the
/// host (Lee 2012, section 4.2.2).
struct OffloadModel {
  double word_time = 0;                ///< t_w, the time to copy a word, in seconds
  double copy_time = 0;                ///< t_s, the time to start a copy, in seconds
  double device_instruction_time = 0;  ///< t_GPU, the time of an instruction, in seconds
  double host_instruction_time = 0;    ///< t_CPU, the time of an instruction, in seconds
  std::int64_t device_processors = 1;  ///< p, the number of processors of the device

  /// Transfer time T_Transfer = t_w n + t_s (4.1), in seconds.
  double transfer_time(std::int64_t words) const { return word_time * static_cast<double>(words) + copy_time; }

  /// Device time T_GPU = ρ t_GPU ⌈n / p⌉ + T_Transfer (4.2), in seconds.
  double device_time(std::int64_t words, double reuse) const {
    const auto rounds = static_cast<double>((words + device_processors - 1) / device_processors);
    return reuse * device_instruction_time * rounds + transfer_time(words);
  }

  /// Host time T_CPU = ρ t_CPU n (4.3), in seconds.
  double host_time(std::int64_t words, double reuse) const {
    return reuse * host_instruction_time * static_cast<double>(words);
  }

  /// Speedup S = T_CPU / T_GPU (4.4).
  double speedup(std::int64_t words, double reuse) const { return host_time(words, reuse) / device_time(words, reuse); }
};

/// The scaled efficiency SE = 1 / (1 + p ρ κ) of p processes with equal work each, which synchronize once every 1/ρ
/// steps (Lee 2012, 2.8). κ is the ratio of the message time of one process per synchronization to the time of a step.
inline double scaled_efficiency(std::int64_t processes, double rho, double kappa) {
  return 1 / (1 + static_cast<double>(processes) * rho * kappa);
}

}  // namespace sporos
