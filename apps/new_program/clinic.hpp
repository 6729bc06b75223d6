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

/// A day on which patients wait for doctors. Patients are seen in the order in which they come, each by the doctor who
/// is free first. One replication is one day. `Number` is double, or a number type that carries derivatives if an
/// optimizer requires them; everything that depends on a parameter is a `Number`.
template <class Number = double>
struct BasicClinic {
  static constexpr std::string_view name = "clinic";  ///< name on the command line
  static constexpr std::string_view title =
      "patients wait for doctors during a day";  ///< description in lists of models

  static constexpr int max_doctors = 16;  ///< upper limit, because models also run on GPUs, where memory is fixed

  // Parameters of the model. An optimizer varies a std::int64_t in whole numbers.
  std::int64_t doctors;   ///< number of doctors, who work in parallel
  std::int64_t patients;  ///< number of patients of a day
  Number gap;             ///< mean time between two patients, in minutes
  Number visit;           ///< mean time with a doctor, in minutes

  /// Input variables. Each has a separate random number stream, so that changing one leaves the others unchanged.
  enum Input { arrival, treatment, input_count };

  /// Names of the responses, in the order in which a replication returns their values.
  static constexpr auto response_names = std::array{"waiting time", "end of the day"};

  /// Name, member, default value, unit, meaning and check of each parameter. The command-line options are made from
  /// these.
  static constexpr auto parameters() {
    using sporos::Parameter;
    return std::tuple{
        Parameter<BasicClinic, std::int64_t>{"doctors", &BasicClinic::doctors, 2, "",
                                             "number of doctors, who work in parallel", sporos::check_positive_integer},
        Parameter<BasicClinic, std::int64_t>{"patients", &BasicClinic::patients, 60, "", "number of patients per day",
                                             sporos::check_positive_integer},
        Parameter<BasicClinic, Number>{"gap", &BasicClinic::gap, 6.0, "min", "mean time between two patients",
                                       sporos::check_positive},
        Parameter<BasicClinic, Number>{"visit", &BasicClinic::visit, 10.0, "min", "mean time with a doctor",
                                       sporos::check_positive}};
  }

  /// Throws std::invalid_argument if a parameter is invalid or there are too many doctors.
  void check() const {
    sporos::check_parameters(*this);
    if (doctors > max_doctors) {
      throw std::invalid_argument("doctors is " + std::to_string(doctors) + ", expected at most " +
                                  std::to_string(max_doctors));
    }
  }

  /// Returns the expectations that are known exactly, which are shown next to the estimates. Nobody waits if there is a
  /// doctor for each patient.
  sporos::ExactMeans<BasicClinic> exact_means() const {
    if (doctors >= patients) return {0.0, std::nullopt};
    return {};
  }

  /// Runs one replication. The result depends only on the parameters and on the random numbers of the inputs.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Number, 2> operator()(Inputs& inputs) const {
    Number free_at[max_doctors];  // time from which each doctor is free
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

/// The model with plain numbers. CMakeLists.txt expects this type in clinic.hpp.
using Clinic = BasicClinic<>;
