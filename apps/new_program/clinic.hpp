// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

/// A day on which patients wait for doctors: they are seen in the order in which they come, each by the doctor who is
/// free first. A replication is one day. `Number` is double, or a number that carries derivatives, where an optimizer
/// wants them: what depends on a parameter is a `Number`.
template <class Number = double>
struct BasicClinic {
  static constexpr std::string_view name = "clinic";                             ///< on the command line
  static constexpr std::string_view title = "a day: patients wait for doctors";  ///< in lists

  static constexpr int most_doctors = 16;  ///< memory is fixed: models run on GPUs, too

  // The parameters. A std::int64_t is a whole number, which is decided as one.
  std::int64_t doctors;   ///< who work side by side
  std::int64_t patients;  ///< who come on a day
  Number gap;             ///< mean time between two patients, minutes
  Number visit;           ///< mean time with a doctor, minutes

  /// What is random: each has random numbers of its own, so that changing one leaves the others as they are.
  enum Input { arrival, treatment, input_count };

  /// What is observed.
  static constexpr auto response_names = std::array{"waiting time", "end of the day"};

  /// Name, member, usual value, unit, meaning and check of each parameter: its option is made of these.
  static constexpr auto parameters() {
    using sporos::Parameter;
    return std::tuple{
        Parameter<BasicClinic, std::int64_t>{"doctors", &BasicClinic::doctors, 2, "", "doctors who work side by side",
                                             sporos::check_positive_integer},
        Parameter<BasicClinic, std::int64_t>{"patients", &BasicClinic::patients, 60, "", "patients of a day",
                                             sporos::check_positive_integer},
        Parameter<BasicClinic, Number>{"gap", &BasicClinic::gap, 6.0, "min", "mean time between two patients",
                                       sporos::check_positive},
        Parameter<BasicClinic, Number>{"visit", &BasicClinic::visit, 10.0, "min", "mean time with a doctor",
                                       sporos::check_positive}};
  }

  /// Throws std::invalid_argument for parameters that make no day.
  void check() const {
    sporos::check_parameters(*this);
    if (doctors > most_doctors) {
      throw std::invalid_argument("doctors is " + std::to_string(doctors) + ", expected at most " +
                                  std::to_string(most_doctors));
    }
  }

  /// The expectations that theory knows, which are shown beside the estimates: nobody waits for a doctor of one's own.
  sporos::ExactMeans<BasicClinic> exact_means() const {
    if (doctors >= patients) return {0.0, std::nullopt};
    return {};
  }

  /// One replication: a function of the inputs' random numbers and of nothing else.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Number, 2> operator()(Inputs& inputs) const {
    Number free_at[most_doctors];  // of each doctor
    for (Number& time : free_at) time = 0.0;
    Number now = 0, waited = 0, end = 0;
    for (std::int64_t patient = 0; patient < patients; ++patient) {
      now += sporos::exponential_by_mean(inputs(arrival), gap);
      int first = 0;  // the doctor who is free first
      for (int doctor = 1; doctor < doctors; ++doctor) {
        if (free_at[doctor] < free_at[first]) first = doctor;
      }
      const Number start = sporos::math::max(now, free_at[first]);
      waited += start - now;
      free_at[first] = start + sporos::exponential_by_mean(inputs(treatment), visit);
      end = sporos::math::max(end, free_at[first]);
    }
    return {{waited / static_cast<double>(patients), end}};
  }
};

/// The model in plain numbers: the type that CMakeLists.txt looks for in clinic.hpp.
using Clinic = BasicClinic<>;
